use super::PASS;
use crate::testing::kernel::{needs, trace};

/// A branch in the operator of a reduction.
const REDUCTION: &str = r#"entry "main" [n] (xs: block f64 [n]) -> (f64) {
  view xs1: f64 [n] = xs + 0i64 * [1i64]
  alloc out: block f64 = 1i64
  view out1: f64 [] = out + 0i64 * []
  segment reduce (i < n) chunk 64i64 {
    load x: f64 = xs1[i]
    yield x
  } combine (a: f64) (b: f64) neutral (0.0f64) into (out1) {
    let less: bool = lt(a, b)
    if less {
      let c: f64 = neg(a)
      yield c
    } else {
      yield b
    } -> (d: f64)
    yield d
  }
  load r: f64 = out1[]
  yield r
}"#;

#[test]
fn operators_of_reductions_select() {
    needs(
        &PASS,
        "branch-select",
        REDUCTION,
        &[
            ("cheap", &[("neg(a)", "sqrt(a)")]),
            (
                "short",
                &[(
                    "yield c",
                    "let e: f64 = neg(c) let f: f64 = neg(e) let g: f64 = neg(f) let h: f64 = neg(g) yield h",
                )],
            ),
        ],
    );
}

#[test]
fn inner_branches_come_first() {
    let inner = "let far: bool = lt(a, b) if far { yield a } else { yield b } -> (c: f64)";
    let (after, events) = trace(&PASS, &REDUCTION.replace("let c: f64 = neg(a)", inner));
    assert_eq!(events, ["branch-select", "branch-select"]);
    assert_eq!(after.matches("select(").count(), 2, "{after}");
}

#[test]
fn branches_of_the_host_that_give_blocks_stay() {
    let text = r#"entry "main" [n] (*xs: block f64 [n], *ys: block f64 [n], c: bool) -> ([]f64) {
      if c { yield xs } else { yield ys } -> (zs: block f64)
      yield n, zs
    }"#;
    assert!(trace(&PASS, text).1.is_empty());
}
