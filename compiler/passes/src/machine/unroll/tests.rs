use super::PASS;
use crate::testing::kernel::{needs, trace};

const LOOPS: &str = r#"entry "main" [n] (xs: block i64 [n]) -> ([]i64) {
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (p < n) chunk 1i64 {
    load x: i64 = xs1[p]
    loop (a: i64 = x) for i: i64 < 4i64 {
      loop (b: i64 = a) for j: i64 < 8i64 {
        let c: i64 = mul(b, j)
        let d: i64 = add(c, i)
        yield d
      } -> (e: i64)
      yield e
    } -> (f: i64)
    store out1[p] = f
  }
  yield n, out
}"#;

#[test]
fn inner_loops_come_first() {
    let (after, events) = trace(&PASS, LOOPS);
    assert_eq!(events, ["unroll", "unroll"]);
    assert_eq!((after.matches("mul(").count(), after.matches("loop").count()), (32, 0), "{after}");
}

#[test]
fn each_premise_is_required() {
    needs(
        &PASS,
        "unroll",
        LOOPS,
        &[("innermost", &[("8i64", "n")]), ("short", &[("4i64", "400i64"), ("8i64", "400i64")])],
    );
    // The inner loop is short, but all iterations of the outer one together are not.
    let (_, events) = trace(&PASS, &LOOPS.replace("4i64", "25i64"));
    assert_eq!(events, ["unroll", "unroll refused: short"]);
}

#[test]
fn counters_may_be_negative_and_narrow() {
    let (after, events) = trace(&PASS, &LOOPS.replace("i: i64 < 4i64", "i: i64 < -1i64"));
    assert_eq!(events, ["unroll", "unroll"]);
    assert!(after.contains("store out1_") && !after.contains("mul("), "{after}");
}

#[test]
fn iterations_that_carry_nothing_are_unrolled_if_they_are_few() {
    let fill = |count: u32| {
        format!(
            r#"entry "main" [n] (xs: block i64 [n]) -> ([]i64) {{
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (p < n) chunk 1i64 {{
    load x: i64 = xs1[p]
    alloc own: block i64 = {count}i64
    view own1: i64 [{count}i64] = own + 0i64 * [1i64]
    loop () for i: i64 < {count}i64 {{
      store own1[i] = x
    }}
    load y: i64 = own1[3i64]
    store out1[p] = y
  }}
  yield n, out
}}"#
        )
    };
    assert_eq!(trace(&PASS, &fill(32)).1, ["unroll"]);
    assert_eq!(trace(&PASS, &fill(33)).1, ["unroll refused: few-elements"]);
}
