use super::PASS;
use crate::testing::kernel::trace;

const POINT: &str = r#"entry "main" [n] (xs: block i64 [n], k: i64, m: i64) -> ([]i64) {
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (i < n) chunk 1i64 {
    let q: i64 = div(i, m)
    let r: i64 = mod(i, m)
    let p: i64 = mod(r, k)
    let a: i64 = add(p, q)
    load x: i64 = xs1[a]
    store out1[i] = x
  }
  yield n, out
}"#;

#[test]
fn a_remainder_that_is_divided_has_two_counters_and_the_other_side_none() {
    let (after, events) = trace(&PASS, POINT);
    assert_eq!(events, ["nested-counters"]);
    let (then, otherwise) = after.split_once("} else {").expect("two sides");
    let nested = &then[then.find("segment").expect("a segment")..];
    assert!(
        nested.matches(" < ").count() == 3 && !nested.contains("div(") && !nested.contains("mod("),
        "{after}"
    );
    assert!(otherwise.contains("div(") && otherwise.matches("mod(").count() == 2, "{after}");
}

#[test]
fn another_divisor_of_the_same_index_still_divides() {
    let (after, events) = trace(&PASS, &POINT.replace("mod(r, k)", "mod(i, k)"));
    assert_eq!(events, ["nested-counters"]);
    assert_eq!((after.matches(" div(").count(), after.matches(" mod(").count()), (1, 3), "{after}");
}
