//! The places of faults in texts.

use ravel_base::{FileId, ParseError, TextFault};

use crate::parse;
use crate::verify::{fault_in_text, verify};

/// The place of the fault in a text, the source there, and the message.
fn placed(text: &str) -> String {
    assert!(verify(&parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))).is_err(), "{text}");
    let TextFault { span, message } = fault_in_text(text, FileId(3)).expect("a fault");
    let span = span.expect("a place");
    assert_eq!(span.file, FileId(3));
    let ParseError { line, column, .. } = ParseError::new(text, span.start as usize, "");
    format!("{line}:{column} {}: {message}", &text[span.start as usize..span.end as usize])
}

#[test]
fn faults_in_texts_have_places_and_the_names_of_the_text() {
    let main = |stms: &str| {
        format!("fun main (n: i64, xs_7: [n]i32, *ys: [n]i32) -> (r: i64) = {{\n{stms}\n  in n\n}}\n")
    };
    let cases = [
        (
            main("  let a: i64 = add n 1\n  let b: bool = add a 1"),
            "3:3 let b: bool = add a 1: what is bound to `b` has type i64, where bool is expected",
        ),
        (
            main("  let x_3: i64 = 1\n  let x_2: i32 = neg x_3"),
            "3:3 let x_2: i32 = neg x_3: what is bound to `x_2` has type i64, where i32 is expected",
        ),
        (
            main("  let a: i32 = add n 1i32"),
            "2:3 let a: i32 = add n 1i32: `1i32` has type i32, where i64 is expected",
        ),
        (
            main("  let a: [xs_7]i32 = copy xs_7"),
            "2:3 let a: [xs_7]i32 = copy xs_7: `xs_7` is not a size for `a`",
        ),
        (
            main(
                "  let a: i32 = if true then {\n    let `b c`_2: i32 = xs_7[0, 0]\n    in `b c`_2\n  } else 1i32",
            ),
            "3:5 let `b c`_2: i32 = xs_7[0, 0]: 2 indices into 1 dimensions",
        ),
        (
            main("  let a: i64 = if true then {\n    let b: i64 = 2\n    in b\n  } else xs_7"),
            "5:10 xs_7: else side: `xs_7`, given for `a`, has type [n]i32, where i64 is expected",
        ),
        (
            main(
                "  let a: i64 = loop (s: i64 = 0) for i: i64 < n do {\n    let t: i64 = trust s -- a condition\n    in t\n  }",
            ),
            "3:5 let t: i64 = trust s: `s` has type i64, where bool is expected",
        ),
        (
            main(
                "  let a: [n]i32 = screma n {\n    from xs_7\n    map \\(x: i32) -> {\n      let y: i64 = max x 1i32\n      in y\n    }\n    to map\n  }",
            ),
            "5:7 let y: i64 = max x 1i32: map: what is bound to `y` has type i32, where i64 is expected",
        ),
        (
            main("  let a: i32 = screma n {\n    from xs_7\n    map \\(x: i32) -> x\n    to map\n  }"),
            "2:3 let a: i32 = screma n {: what is bound to `a` has type [n]i32, where i32 is expected",
        ),
        (
            main("  let zs: [n]i32 = ys with [0] = 1i32\n  let y: i32 = ys[0]"),
            "3:3 let y: i32 = ys[0]: `ys` is used after it was consumed",
        ),
        (
            main(
                "  let a: [n]i32 = segment grid (i < n) block {\n    map \\() -> {\n      let b: i64 = call f ()\n      in b\n    }\n    to map\n  }",
            ),
            "4:7 let b: i64 = call f (): map: there is no function `f`",
        ),
        (
            "fun f (c: i64) -> (r: i32) = { in c }".to_owned(),
            "1:32 in c: `c`, given for `r`, has type i64, where i32 is expected",
        ),
        (
            "fun f (c: i64) -> (r: i64) = { in c }\nentry f = f () -> (r)".to_owned(),
            "2:7 f: `c` is neither listed nor a size",
        ),
        (
            "fun f (c: i64) -> (r: i64) = { in c }\nentry a = f (c) -> (r)\nentry a = f (c) -> (r)"
                .to_owned(),
            "3:7 a: another entry has this name",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(placed(&text), expected, "{text}");
    }
}

#[test]
fn wrong_results_are_at_the_body_that_has_them() {
    let main = |stms: &str| {
        format!("fun main (n: i64, *xs: [n]i32, ys: [n]i32, c: bool) -> (r: i64) = {{\n{stms}\n  in n\n}}\n")
    };
    let branch = |sides: &str| main(&format!("  let a: i64 = if c then\n{sides}"));
    let reduce = |map: &str, operator: &str| {
        let nested = "{ let b: i64 = if c then n else n in (b, c) }";
        main(&format!(
            "  let (o: [n]i64, p: bool) = screma n {{\n    map \\() -> {map}\n    to map\n    to reduce \\(s: bool, t: bool) -> {operator} (c)\n  }}"
        ))
        .replace("NESTED", nested)
    };
    let cases = [
        (
            branch("    c\n    else n"),
            "3:5 c: then side: `c`, given for `a`, has type bool, where i64 is expected",
        ),
        (
            branch("    { let b: i64 = if c then n else n in b }\n    else\n    { in c }"),
            "5:7 in c: else side: `c`, given for `a`, has type bool, where i64 is expected",
        ),
        (
            main(
                "  let a: i64 = loop (s: i64 = n) for i: i64 < n do {\n    let b: i64 = if c then n else n\n    in c\n  }",
            ),
            "4:5 in c: `c`, given for `s`, has type bool, where i64 is expected",
        ),
        (
            main(
                "  let a: [n]i32 = loop (s: [n]i32 = xs) for i: i64 < n do {\n    let t: [n]i32 = s with [0] = 1i32\n    in ys\n  }",
            ),
            "4:5 in ys: the loop consumes `s`, whose next value comes from outside",
        ),
        (
            main(
                "  let a: [n]i32 = if c then {\n    let t: [n]i32 = xs with [0] = 1i32\n    in xs\n  } else ys",
            ),
            "4:5 in xs: `xs` is used after it was consumed",
        ),
        (
            main(
                "  let o: [n][n]i64 = segment grid (i < n) {\n    map \\() -> {\n      let w: [i]i64 = scratch\n      in w\n    }\n    to map\n  }",
            ),
            "5:7 in w: map: the result type [i]i64 names a variable of the lambda",
        ),
        (
            reduce("NESTED", "n"),
            "5:38 n: reduce: a result of the operator has type i64, where bool is expected",
        ),
        (
            reduce("(n, c)", "(s, t)"),
            "5:38 (s, t): reduce: the operator returns 2 values, its neutral element has 1",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(placed(&text), expected, "{text}");
    }
}

#[test]
fn a_thread_that_reaches_a_segment_is_at_its_call() {
    let text = "fun f (n: i64) -> (r: [n]i64) = {
  let o: [n]i64 = segment grid (i < n) { map \\() -> i to map }
  in o
}
fun g (n: i64) -> (r: i64) = { let o: [n]i64 = call f (n) in n }
fun h (n: i64) -> (r: i64) = { in n }
fun main (n: i64) -> (r: i64) = {
  let b: i64 = call g (n)
  let w: [n]i64 = screma n {
    from iota 0 1
    map \\(k: i64) -> {
      let a: i64 = call h (k)
      let o: i64 = call g (k)
      in o
    }
    to map
  }
  in n
}
";
    assert_eq!(placed(text), "13:7 let o: i64 = call g (k): a thread reaches the segments of `f`");
}
