//! Structure of the generated code, and programs that are refused.

use ravel_base::diagnostic::Kind;
use ravel_kernel::{MemProgram, Target, parse};
use ravel_native::Choice;

use crate::{bits, load, run, scalar};

fn verified(text: &str) -> MemProgram {
    MemProgram::verify(parse(text).expect("well-formed"), &Target::CPU).expect("a verified program")
}

#[test]
fn each_entry_point_and_each_phase_of_a_segment_is_a_function() {
    let program = verified(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64) {
          alloc b: block i64 = n
          view ys: i64 [n] = b + 0i64 * [1i64]
          segment scan (i < n) chunk 3i64 {
            yield i
          } combine (l: i64) (r: i64) neutral (0i64) into (ys) {
            let s: i64 = add(l, r)
            yield s
          }
          segment map (j < n) chunk 3i64 {
            store ys[j] = j
          }
          yield n, b
        }"#,
    );
    let text = ravel_native::clif(&program).unwrap();
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("function")).collect();
    let segment = |number| format!("function %segment{number}(i64, i64, i64, i64, i64, i64, i64) -> i32 ");
    let expected =
        ["function %f(i64, i64, i64, i64, i64) -> i32 ".to_owned(), segment(0), segment(1), segment(2)];
    assert_eq!(heads.len(), expected.len());
    assert!(heads.iter().zip(&expected).all(|(head, start)| head.starts_with(start)), "{heads:?}");
}

#[test]
fn a_loop_that_swaps_blocks_counts_no_references() {
    let services = |yielded: &str| {
        let program = format!(
            r#"entry "f" [n] (*a: block i64 [n], *b: block i64 [n], k: i64) -> (i64) {{
              loop (x: block i64 = a, y: block i64 = b) for round: i64 < k {{
                alloc fresh: block i64 = n
                yield {yielded}
              }} -> (p: block i64, q: block i64)
              view ps: i64 [n] = p + 0i64 * [1i64]
              load e: i64 = ps[0i64]
              yield e
            }}"#
        );
        ravel_native::clif(&verified(&program)).unwrap().matches("call_indirect").count()
    };
    // The calls that allocate and release the new block of each iteration, and the call in the exit block that reports a
    // failure.
    let fresh = 3;
    assert_eq!([services("y, x"), services("x, x"), services("a, y")], [fresh; 3]);
    assert!(services("y, fresh") > fresh);
    assert!(services("fresh, x") > fresh);
}

#[test]
fn a_chain_of_branches_has_one_join() {
    // Each side passes on the result of the next branch, or a sum with it.
    let chain = |sums: bool| {
        let link = |inner: String, at: i64| {
            let last = if sums {
                format!("let s{at}: i64 = add(r{at}, n) yield s{at}")
            } else {
                format!("yield r{at}")
            };
            format!(
                "let c{at}: bool = eq(n, {at}i64)
                 if c{at} {{ yield {at}i64 }} else {{ {inner} }} -> (r{at}: i64)
                 {last}"
            )
        };
        let links = (0..20).rev().fold("yield 99i64".to_owned(), link);
        format!(r#"entry "f" [] (n: i64) -> (i64) {{ {links} }}"#)
    };
    let joins = |text: &str| {
        let code = ravel_native::clif(&verified(text)).unwrap();
        code.lines().filter(|line| line.starts_with("block") && line.contains(": i64)")).count()
    };
    assert_eq!(joins(&chain(true)) - joins(&chain(false)), 19);
    let program = load(&chain(false));
    for (n, expected) in [(0_i64, 0_i64), (7, 7), (19, 19), (20, 99), (-1, 99)] {
        assert_eq!(run(&program, &[scalar(n)]), Ok(vec![scalar(expected)]));
    }
}

/// The number of branches and of xors in the code of `f`.
fn branches_and_xors(text: &str) -> (usize, usize) {
    let code = ravel_native::clif(&verified(text)).unwrap();
    (code.matches("brif").count(), code.matches("bxor").count())
}

#[test]
fn long_loops_poll_the_stop_word_once_in_an_interval() {
    let rounds = |bound: &str| {
        format!(
            r#"entry "f" [] (n: i64) -> (i64) {{
              loop (s: i64 = 1i64) for i: i64 < {bound} {{ let t: i64 = xor(s, i) yield t }} -> (r: i64)
              yield r
            }}"#
        )
    };
    assert_eq!(branches_and_xors(&rounds("1000i64")), (2, 1));
    // Two more at the end of an interval: whether it was the last, and the poll. Two for the exit block: the poll at
    // the entry, and whether a failure is reported. And one in the cold block of each poll.
    assert_eq!(branches_and_xors(&rounds("9223372036854775807i64")), (8, 1));
    assert_eq!(branches_and_xors(&rounds("n")), (8, 1));
}

#[test]
fn slow_operators_poll_the_stop_word_at_each_point() {
    let polls = |operator: &str| {
        let program = format!(
            r#"entry "f" [n] (*a: block i64 [n]) -> () {{
              view xs: i64 [n] = a + 0i64 * [1i64]
              segment scan (i < n) chunk 3i64 {{ yield i }} combine (l: i64) (r: i64) neutral (0i64) into (xs) {{
                {operator}
                yield s
              }}
            }}"#
        );
        ravel_native::clif(&verified(&program)).unwrap().matches("atomic_load").count()
    };
    let quick = polls("let s: i64 = add(l, r)");
    let slow =
        polls("loop (t: i64 = l) for j: i64 < 60000i64 { let u: i64 = xor(t, r) yield u } -> (s: i64)");
    // One more poll in each of the two phases of the scan.
    assert_eq!(slow, quick + 2);
}

#[test]
fn code_is_the_same_every_time() {
    let program = verified(r#"entry "f" [] (x: f64) -> (f64) { let y: f64 = exp(x) yield y }"#);
    let compile = || ravel_native::compile(&program, Choice::ByCost, &|_| String::new()).unwrap();
    assert_eq!(compile(), compile());
}

#[test]
fn sine_and_cosine_are_one_call_with_the_results_of_two() {
    for (ty, x) in
        [("f32", scalar(0.3_f32)), ("f64", scalar(0.3)), ("f64", scalar(1e300)), ("f64", scalar(f64::NAN))]
    {
        let text = |both: &str| format!(r#"entry "f" [] (x: {ty}) -> ({ty}, {ty}) {{ {both} yield s, c }}"#);
        let (together, alone) = (
            text(&format!("let s: {ty}, c: {ty} = sine_cosine(x)")),
            text(&format!("let s: {ty} = sin(x) let c: {ty} = cos(x)")),
        );
        let calls =
            |text: &str| ravel_native::clif(&verified(text)).unwrap().matches("call_indirect").count();
        assert_eq!((calls(&together), calls(&alone)), (1, 2));
        let results = |text: &str| bits(&run(&load(text), std::slice::from_ref(&x)));
        assert_eq!(results(&together), results(&alone), "{ty}");
    }
}

#[test]
fn a_program_for_another_machine_is_refused() {
    let text = r#"entry "f" [] () -> () { }"#;
    let program =
        MemProgram::verify(parse(text).expect("well-formed"), &Target::GPU).expect("a verified program");
    let refusals = [
        ravel_native::clif(&program).err(),
        ravel_native::compile(&program, Choice::ByCost, &|_| String::new()).err(),
    ];
    for bug in refusals.into_iter().map(|bug| bug.expect("a program for a GPU")) {
        assert_eq!(bug.kind, Kind::Bug);
        assert!(bug.message.contains("verified for the target \"gpu\""), "{}", bug.message);
    }
}
