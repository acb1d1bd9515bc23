//! Short loops that carry nothing run several iterations in a round.

use crate::{i64s, load, run, scalar};

/// Counts the places in an array, and fails at a place outside.
const COUNTED: &str = r#"message0 = i64, " is not a place, at ", i64
entry "f" [n] (a: block i64 [n], first: i64, end: i64) -> ([]i64) {
  view places: i64 [n] = a + 0i64 * [1i64]
  alloc b: block i64 = n
  view counts: i64 [n] = b + 0i64 * [1i64]
  segment map (only < 1i64) chunk 1i64 {
    loop () for j: i64 < n { store counts[j] = 0i64 } -> ()
    loop () for i: i64 < end {
      let at: i64 = add(first, i)
      load place: i64 = places[at]
      let is: bool = lt(place, n)
      assert is message0(place, i)
      load count: i64 = counts[place]
      let next: i64 = add(count, 1i64)
      store counts[place] = next
    } -> ()
  }
  yield n, b
}"#;

#[test]
fn iterations_run_in_order_for_every_bound() {
    let program = load(COUNTED);
    let places: Vec<i64> = (0..70_000).map(|i| i * i % 13).collect();
    for (first, end) in (-9..20).map(|end| (5, end)).chain([(0, i64::MIN), (1, 69_999)]) {
        let mut counts = vec![0; places.len()];
        for at in first..first + end.clamp(0, 70_000) {
            counts[places[at as usize] as usize] += 1;
        }
        let args = [i64s(places.iter().copied()), scalar(first), scalar(end)];
        assert_eq!(run(&program, &args).unwrap(), [i64s(counts)], "{end} iterations");
    }
}

#[test]
fn the_first_iteration_that_fails_is_reported() {
    let program = load(COUNTED);
    for first in 0..12 {
        let places = (0..12).map(|i| if i < first { 3 } else { 100 + i });
        let failure = run(&program, &[i64s(places), scalar(0_i64), scalar(12_i64)]).unwrap_err();
        assert_eq!(failure.to_string(), format!("{} is not a place, at {first}", 100 + first));
    }
}
