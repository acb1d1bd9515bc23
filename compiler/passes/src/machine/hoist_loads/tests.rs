use super::PASS;
use crate::testing::kernel::{needs, trace};

const LOOP: &str = r#"message0 = "no"
entry "main" [n] (xs: block f64 [n], *ys: block f64 [n], m: i64) -> ([]f64) {
  view xs1: f64 [n] = xs + 0i64 * [1i64]
  view ys1: f64 [n] = ys + 0i64 * [1i64]
  segment map (p < 1i64) chunk 1i64 {
    loop (s: f64 = 0.0f64) for i: i64 < n {
      let c: bool = lt(m, n)
      assert c message0()
      view row: f64 [n] = xs + m * [1i64]
      load x: f64 = row[m]
      load y: f64 = ys1[i]
      let z: f64 = mul(x, y)
      store ys1[i] = z
      let t: f64 = add(s, z)
      yield t
    } -> (u: f64)
    store ys1[0i64] = u
  }
  yield n, ys
}"#;

#[test]
fn a_check_and_the_load_after_it_leave_the_loop_in_order() {
    let (after, events) = trace(&PASS, LOOP);
    assert_eq!(events, ["hoist-check", "hoist-load"]);
    let places = ["lt(m_", "view row", "lt(0i64, n_", "assert", "load x", "loop"]
        .map(|text| after.find(text).expect(text));
    assert!(places.is_sorted(), "{after}");
    // The element is zero if the loop does not run.
    assert!(after.contains("yield 0.0f64"), "{after}");
}

#[test]
fn a_loop_that_runs_for_certain_needs_no_branch() {
    let (after, _) = trace(&PASS, &LOOP.replace("i: i64 < n {", "i: i64 < 5i64 {"));
    assert!(!after.contains(" if "), "{after}");
}

#[test]
fn every_premise_alone() {
    let load = "load x: f64 = row[m]";
    let check = "let c: bool = lt(m, n)";
    needs(
        &PASS,
        "hoist-load",
        LOOP,
        &[
            ("no-aliasing-store", &[("view row: f64 [n] = xs", "view row: f64 [n] = ys")]),
            ("always-executed", &[(check, "let c: bool = lt(i, n)")]),
            ("always-executed", &[(check, "let c: bool = lt(m, n)\n alloc b: block f64 = n")]),
            (
                "always-executed",
                &[(load, "loop (d: bool = c) while d { yield c } -> (e: bool)\n load x: f64 = row[m]")],
            ),
        ],
    );
    needs(
        &PASS,
        "hoist-check",
        LOOP,
        &[(
            "always-executed",
            &[(check, "let c: bool = lt(m, n)\n let c2: bool = lt(i, n)\n assert c2 message0()")],
        )],
    );
}

#[test]
fn memory_that_a_loop_exchanges_may_be_written() {
    let text = r#"entry "main" [n] (*a: block f64 [n], *b: block f64 [n]) -> ([]f64) {
      segment map (p < 1i64) chunk 1i64 {
        loop (x: block f64 = a, y: block f64 = b) for j: i64 < n {
          view x1: f64 [n] = x + 0i64 * [1i64]
          view y1: f64 [n] = y + 0i64 * [1i64]
          loop () for i: i64 < n {
            load e: f64 = x1[j]
            store y1[i] = e
          }
          yield y, x
        } -> (z: block f64, w: block f64)
      }
      yield n, a
    }"#;
    assert_eq!(trace(&PASS, text).1, ["hoist-load refused: no-aliasing-store"]);
}

#[test]
fn what_changes_stays() {
    let (_, events) = trace(
        &PASS,
        &LOOP.replace("load x: f64 = row[m]", "load x: f64 = row[i]").replace("lt(m, n)", "lt(i, n)"),
    );
    assert_eq!(events, Vec::<String>::new());
}
