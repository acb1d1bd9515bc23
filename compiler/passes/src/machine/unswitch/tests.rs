use super::PASS;
use crate::testing::kernel::{needs, trace};

const LOOP: &str = r#"entry "main" [n] (xs: block i64 [n], c: bool, d: bool) -> ([]i64) {
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (p < n) chunk 1i64 {
    load x: i64 = xs1[p]
    let e: bool = and(c, d)
    loop (a: i64 = x) for i: i64 < n {
      let f: bool = not(d)
      if e {
        let b: i64 = mul(a, a)
        yield b
      } else {
        let b2: i64 = add(a, i)
        yield b2
      } -> (g: i64)
      if f {
        store out1[p] = g
      } else {
      }
      yield g
    } -> (h: i64)
    store out1[p] = h
  }
  yield n, out
}"#;

#[test]
fn conditions_that_the_loop_computes_leave_it_too() {
    let (after, events) = trace(&PASS, LOOP);
    // The second condition is decided in both copies.
    assert_eq!(events, ["unswitch", "unswitch", "unswitch"]);
    assert_eq!((after.matches("loop").count(), after.matches(" if ").count()), (4, 3), "{after}");
    let first = after.find("loop").expect("a loop");
    assert!(after[..first].contains("not("), "{after}");
}

#[test]
fn every_premise_alone() {
    let square = "let b: i64 = mul(a, a)";
    let squares: String = (0..128).map(|k| format!("let q{k}: i64 = mul(a, a)\n")).collect();
    needs(
        &PASS,
        "unswitch",
        LOOP,
        &[
            ("innermost", &[(square, "alloc m: block i64 = n\n let b: i64 = mul(a, a)")]),
            ("short", &[(square, &format!("{squares}{square}"))]),
        ],
    );
}

#[test]
fn conditions_that_change_stay() {
    let (after, events) =
        trace(&PASS, &LOOP.replace("and(c, d)", "eq(x, 0i64)").replace("not(d)", "lt(a, i)"));
    assert_eq!((events, after.matches("loop").count()), (vec!["unswitch".to_owned()], 2), "{after}");
    let (_, events) = trace(&PASS, &LOOP.replace("if e ", "if f ").replace("not(d)", "lt(a, i)"));
    assert_eq!(events, Vec::<String>::new());
}
