use super::PASS;
use crate::testing::kernel::{needs, trace};

const LOOP: &str = r#"entry "main" [n] (xs: block f64 [n], half: i64) -> ([]f64) {
  view xs1: f64 [n] = xs + 0i64 * [1i64]
  alloc out: block f64 = n
  view out1: f64 [n] = out + 0i64 * [1i64]
  segment map (p < 1i64) chunk 1i64 {
    loop (s: f64 = 0.0f64) for k: i64 < n {
      let j: i64 = add(k, 1i64)
      let c: bool = le(0i64, j)
      let d: bool = lt(j, half)
      let e: bool = and(c, d)
      assert e message0()
      load x: f64 = xs1[j]
      let last: i64 = add(n, -1i64)
      let f: bool = eq(k, last)
      if f {
        yield s
      } else {
        let t: f64 = add(s, x)
        yield t
      } -> (u: f64)
      yield u
    } -> (v: f64)
    store out1[p] = v
  }
  yield n, out
}"#;

fn text(loops: &str) -> String {
    format!("message0 = \"no\"\n{loops}")
}

#[test]
fn the_interior_has_neither_checks_nor_branches() {
    let (after, events) = trace(&PASS, &text(LOOP));
    assert_eq!(events, ["split-index"]);
    let (_, interior) = after.split_once("assert").expect("the ends are checked");
    let (_, interior) = interior.split_once("loop").expect("the interior");
    assert!(!interior.contains("assert") && !interior.contains(" if "), "{after}");
}

#[test]
fn sums_do_not_wrap_around() {
    let (after, _) = trace(&PASS, &text(LOOP));
    let before = after.split("loop").next().expect("a start");
    // `k + 1 < half` as `k < max(half, 0) - 1`; `k < n - 1`, where that is computed before the loop.
    assert!(
        before.contains("max(half_2, 0i64)") && before.contains("min(n_0, 2305843009213693952i64)"),
        "{after}"
    );
    // `k - 1 < half` as `k < min(half, 2^62) + 1`.
    let (after, _) = trace(&PASS, &text(&LOOP.replace("add(k, 1i64)", "add(k, -1i64)")));
    assert!(after.contains("min(half_2, 4611686018427387904i64)"), "{after}");
}

#[test]
fn constants_far_away_and_other_conditions_stay() {
    // What is added may be large, and a limit may be neither near an end nor asserted.
    let (_, events) = trace(
        &PASS,
        &text(&LOOP.replace("add(k, 1i64)", "add(k, 9000000000i64)").replace("eq(k, last)", "eq(k, half)")),
    );
    assert_eq!(events, Vec::<String>::new());
    let (_, events) = trace(
        &PASS,
        &text(&LOOP.replace("lt(j, half)", "lt(s, 1.0f64)").replace("eq(k, last)", "lt(k, half)")),
    );
    assert_eq!(events, Vec::<String>::new());
}

#[test]
fn loops_that_carry_blocks_and_narrow_counters_stay() {
    let narrow =
        LOOP.replace("k: i64 < n", "k32: i32 < 9i32").replace("let j:", "let k: i64 = i64(k32)\n let j:");
    assert_eq!(trace(&PASS, &text(&narrow)).1, Vec::<String>::new());
    let carried = LOOP.replace("(s: f64 = 0.0f64)", "(s: f64 = 0.0f64, b: block f64 = xs)");
    let carried = carried.replace("yield u\n", "yield u, b\n").replace("(v: f64)", "(v: f64, b2: block f64)");
    assert_eq!(trace(&PASS, &text(&carried)).1, Vec::<String>::new());
}

#[test]
fn every_premise_alone() {
    let sum = "let t: f64 = add(s, x)";
    let sums: String = (0..512).map(|k| format!("let t{k}: f64 = add(s, x)\n")).collect();
    needs(
        &PASS,
        "split-index",
        &text(LOOP),
        &[
            ("innermost", &[(sum, "loop () for m: i64 < n { }\n let t: f64 = add(s, x)")]),
            ("short", &[(sum, &format!("{sums}{sum}"))]),
        ],
    );
}
