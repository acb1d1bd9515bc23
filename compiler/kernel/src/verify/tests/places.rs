//! The places of faults in texts.

use ravel_base::{FileId, ParseError, TextFault};

use super::verify;
use crate::target::Target;
use crate::verify::fault_in_text;

/// The place of the fault in a text, the source there, and the message.
fn placed(text: &str) -> String {
    assert!(verify(text, &Target::GPU).is_err(), "{text}");
    let TextFault { span, message } = fault_in_text(text, FileId(3), &Target::GPU).expect("a fault");
    let span = span.expect("a place");
    assert_eq!(span.file, FileId(3));
    let ParseError { line, column, .. } = ParseError::new(text, span.start as usize, "");
    format!("{line}:{column} {}: {message}", &text[span.start as usize..span.end as usize])
}

/// An entry point with an array `xs` and a view `x` of it, and these lines.
fn lines(stms: &[&str]) -> String {
    let head =
        "entry \"main\" [n] (*xs_7: block i64 [n]) -> (i64) {\n  view x: i64 [n] = xs_7 + 0i64 * [1i64]\n";
    format!("{head}{}\n  yield n\n}}\n", stms.join("\n"))
}

#[test]
fn faults_in_texts_have_places_and_the_names_of_the_text() {
    let map = "  segment map (i < n) chunk 1i64 at 0:1..2 {";
    let blocks = "  segment blocks (i < n) chunk 1i64 {";
    let inner = "    segment map (k < 64i64) {";
    let row = ["    alloc row: workgroup i64 = 64i64", "    view r: i64 [64i64] = row + 0i64 * [1i64]"];
    let cases = [
        (
            lines(&["  let a: i64 = add(n, 1i64)", "  let b: bool = add(a, 1i64)"]),
            "4:3 let b: bool = add(a, 1i64): b is i64, not bool",
        ),
        (
            lines(&["  let x_3: i64 = 1i64", "  let x_2: i32 = neg(x_3) -- no"]),
            "4:3 let x_2: i32 = neg(x_3): x_2 is i64, not i32",
        ),
        (
            lines(&["  load `a b`_4: i64 = x[0i64, 0i64]"]),
            "3:3 load `a b`_4: i64 = x[0i64, 0i64]: 2 indices for x",
        ),
        (
            lines(&["  view v9: i32 [n] = xs_7 + 0i64 * [1i64]"]),
            "3:3 view v9: i32 [n] = xs_7 + 0i64 * [1i64]: xs_7 is not a memory block of i32",
        ),
        (
            lines(&[
                "  if true {",
                "    let c: i64 = 1i64",
                "    yield c",
                "  } else {",
                "    yield true",
                "  } -> (d_1: i64)",
            ]),
            "7:5 yield true: a branch: d_1 gets a value of type bool",
        ),
        (
            lines(&[
                "  loop (s: i64 = 0i64) for k: i64 < n {",
                "    let t: i64 = sqrt(s)",
                "    yield s",
                "  } -> (u: i64)",
            ]),
            "4:5 let t: i64 = sqrt(s): sqrt does not take i64",
        ),
        (
            lines(&[map, "    assert n message0()", "  }"]),
            "4:5 assert n message0(): an asserted condition is i64, not bool",
        ),
        (
            lines(&[
                map,
                "    load y: i64 = x[i]",
                "    store x[i] = y",
                "    let d: i64 = 7i64",
                "    assert true message0()",
                "  }",
            ]) + "message0 = \"no\"\n",
            "4:5 load y: i64 = x[i]: x is read from memory that the segment writes, before the point has stored there",
        ),
        (
            lines(&["  segment map (i < n) chunk 0i64 {", "  }"]),
            "3:3 segment map (i < n) chunk 0i64 {: a chunk without points",
        ),
        (
            lines(&[
                "  segment reduce (i < n) chunk 1i64 {",
                "    yield i",
                "  } combine (a: i64) (b: i64) neutral (0i64) into (x) {",
                "    let c: i64 = and(a, true)",
                "    yield c",
                "  }",
            ]),
            "6:5 let c: i64 = and(a, true): and does not take i64, bool",
        ),
        (
            lines(&[
                "  segment reduce (i < n) chunk 1i64 {",
                "    yield i",
                "  } combine (a: i64) (b: i64) neutral (0i64) into (x) {",
                "    yield a",
                "  }",
            ]),
            "3:3 segment reduce (i < n) chunk 1i64 {: x has not the type or the dimensions of the operator's results",
        ),
        (
            lines(&[
                blocks,
                row[0],
                row[1],
                inner,
                "      if true {",
                "        load z: i64 = r[0i64]",
                "      } else {",
                "      }",
                "      store r[k] = 1i64",
                "    }",
                "  }",
            ]),
            "8:9 load z: i64 = r[0i64]: r is read where another thread of the segment may store",
        ),
        (
            lines(&[blocks, row[0], row[1], "    store r[0i64] = 1i64", "  }"]),
            "6:5 store r[0i64] = 1i64: a store at workgroup level",
        ),
        (
            lines(&[blocks, "    alloc much_5: workgroup i64 = 1000000i64", "  }"]),
            "4:5 alloc much_5: workgroup i64 = 1000000i64: much_5: more workgroup memory than the target has",
        ),
        (
            "entry \"f\" [] (k: i64) -> (i64) {\n  yield true\n}\n".to_owned(),
            "2:3 yield true: a result does not have the stated type",
        ),
        (
            "entry \"f\" [] () -> () {}\nentry \"f\" [] () -> () {}\n".to_owned(),
            "2:7 \"f\": another entry has this name",
        ),
        (
            "host function \"g\" (k: i64) -> (i64) {\n  yield k\n}\n".to_owned(),
            "1:15 \"g\": the target calls no functions",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(placed(&text), expected, "{text}");
    }
}

#[test]
fn wrong_results_are_at_the_body_that_yields_them() {
    let loops = |result: &str| {
        lines(&[
            "  loop (s: i64 = 0i64) for k: i64 < n {",
            "    if true {",
            "      yield s",
            "    } else { yield k } -> (t: i64)",
            result,
            "  } -> (u: i64)",
        ])
    };
    let reduce = |result: &str, operator: &str| {
        lines(&[
            "  alloc y: block i64 = 1i64",
            "  view z: i64 [] = y + 0i64 * []",
            "  segment reduce (i < n) chunk 1i64 {",
            "    if true {} else {}",
            result,
            "  } combine (a: i64) (b: i64) neutral (0i64) into (z) {",
            operator,
            "  }",
        ])
    };
    let scan = |code: &str| {
        lines(&[
            "  segment scan (i < n) chunk 1i64 {",
            "    yield i",
            "  } combine (a: i64) (b: i64) neutral (0i64) into () { yield a } finish (p: i64) {",
            code,
            "  }",
        ])
    };
    let entry =
        |results: &str| format!("entry \"f\" [n] (xs: block i64 [n]) -> ([]i64) {{\n  {results}\n}}\n");
    let map = |result: &str| lines(&["  segment map (i < n) chunk 1i64 {", result, "  }"]);
    let cases = [
        (entry("yield n"), "2:3 yield n: a result does not have the stated type"),
        (entry("yield n, n, n"), "2:3 yield n, n, n: a result does not have the stated type"),
        (entry("yield n, xs"), "2:3 yield n, xs: the result xs is a parameter that is not consumed"),
        (entry(""), "3:1 }: a size of a result is missing"),
        (loops("    yield true"), "7:5 yield true: a loop body: s gets a value of type bool"),
        (loops(""), "8:3 }: a loop body: 0 values for 1 variables"),
        (map("    yield i"), "4:5 yield i: a map segment yields values"),
        (reduce("    yield true", "    yield a"), "7:5 yield true: an operand: a gets a value of type bool"),
        (reduce("", "    yield a"), "8:3 }: a segment yields fewer values than its operators combine"),
        (reduce("    yield i", "    yield true"), "9:5 yield true: an operator: a gets a value of type bool"),
        (reduce("    yield i", ""), "10:3 }: an operator: 0 values for 1 variables"),
        (scan("    yield p"), "6:5 yield p: the code after a scan yields values"),
    ];
    for (text, expected) in cases {
        assert_eq!(placed(&text), expected, "{text}");
    }
    let function = "thread function \"g\" (k: i64) -> (i64) {\n  yield true\n}\n";
    let fault = fault_in_text(function, FileId(3), &Target::CPU).expect("a fault");
    assert_eq!(fault.message, "the results do not have the stated types");
    assert_eq!(fault.span.map(|span| span.start), function.find("yield").map(|at| at as u32));
}

#[test]
fn a_store_to_a_parameter_that_is_kept_is_at_the_statement() {
    let entry = |code: &str| {
        format!(
            "entry \"f\" [n] (xs: block i64 [n]) -> () {{\n  view x: i64 [n] = xs + 0i64 * [1i64]\n{code}\n}}\n"
        )
    };
    let map = "  segment map (i < n) chunk 1i64 {\n    let a: i64 = 1i64\n    store x[i] = a\n    store x[i] = i\n  }";
    assert_eq!(placed(&entry(map)), "5:5 store x[i] = a: xs is stored to but not consumed");
    let sum = "  view s: i64 [] = xs + 0i64 * []\n  segment reduce (i < n) chunk 1i64 { yield i } combine (a: i64) (b: i64) neutral (0i64) into (s) {\n yield a }";
    let head =
        "segment reduce (i < n) chunk 1i64 { yield i } combine (a: i64) (b: i64) neutral (0i64) into (s) {";
    assert_eq!(placed(&entry(sum)), format!("4:3 {head}: xs is stored to but not consumed"));
    let renamed = "  if true { yield xs } else { yield xs } -> (z: block i64)\n  view y: i64 [n] = z + 0i64 * [1i64]\n  copy y = y";
    assert_eq!(placed(&entry(renamed)), "5:3 copy y = y: xs is stored to but not consumed");
    let called = "host function \"f\" (*x: block i64) -> () {}\nhost function \"g\" (x: block i64) -> () {\n  call \"f\" (*x)\n}";
    let fault = fault_in_text(called, FileId(3), &Target::CPU).expect("a fault");
    assert_eq!(fault.message, "x is stored to but not consumed");
    assert_eq!(fault.span.map(|span| span.start), called.find("call").map(|at| at as u32));
}
