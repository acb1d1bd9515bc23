use super::PASS;
use crate::testing::kernel::{needs, trace};

/// A thread that runs these statements over three arrays.
fn within(stms: &str) -> String {
    format!(
        "entry \"main\" [n] (xs: block f64 [n], *ys: block f64 [n], *zs: block f64 [n], m: i64) -> ([]f64) {{
           view xs1: f64 [n] = xs + 0i64 * [1i64]
           view ys1: f64 [n] = ys + 0i64 * [1i64]
           view zs1: f64 [n] = zs + 0i64 * [1i64]
           segment map (p < 1i64) chunk 1i64 {{
             {stms}
           }}
           yield n, ys
         }}"
    )
}

const FILL: &str = "loop () for j: i64 < n {
    store ys1[j] = 1.0f64
  }";

const UPWARDS: &str = "let b: i64 = sub(n, 1i64)
  loop (s: f64 = 1.0f64) for k: i64 < b {
    load x: f64 = xs1[k]
    let t: f64 = add(s, x)
    let i: i64 = add(k, 1i64)
    store ys1[i] = t
    yield t
  } -> (r: f64)";

#[test]
fn the_first_element_is_left() {
    let (after, events) = trace(&PASS, &within(&format!("{FILL} {UPWARDS}")));
    assert_eq!(events, ["partial-fill"]);
    assert!(after.contains("min(1i64, n_0)"), "{after}");
    let places = ["sub(n_0, 1i64)", "store ys1", "load x"].map(|text| after.find(text).expect(text));
    assert!(places.is_sorted(), "{after}");
}

#[test]
fn the_last_element_is_left() {
    let downwards = "let b: i64 = sub(n, 1i64)
      let e: i64 = sub(n, 2i64)
      loop () for k: i64 < b {
        let i: i64 = sub(e, k)
        store ys1[i] = 2.0f64
      }";
    let (after, events) = trace(&PASS, &within(&format!("{FILL} {downwards}")));
    assert_eq!(events, ["partial-fill"]);
    assert!(after.contains("add(n_0, -1i64)") && after.contains("= add(v"), "{after}");
    // Upwards from the first element, to a bound that the program computes.
    let part = "loop () for k: i64 < m { store ys1[k] = 2.0f64 }";
    let (after, events) = trace(&PASS, &within(&format!("{FILL} {part}")));
    assert_eq!(events, ["partial-fill"]);
    assert!(after.contains("max(m_4, 0i64)"), "{after}");
}

#[test]
fn no_element_is_left() {
    let whole = "let e: i64 = sub(n, 1i64)
      loop () for k: i64 < n {
        let i: i64 = sub(e, k)
        store ys1[i] = 2.0f64
      }";
    let copy = "copy ys1 = xs1";
    for before in [FILL, copy] {
        let (after, events) = trace(&PASS, &within(&format!("{before} {whole}")));
        assert_eq!(events, ["partial-fill"]);
        assert_eq!((after.matches("store").count(), after.matches("copy").count()), (1, 0), "{after}");
    }
}

#[test]
fn copies_and_loops_over_other_arrays_become_parts_too() {
    let (after, events) = trace(&PASS, &within(&format!("copy ys1 = xs1 {UPWARDS}")));
    assert_eq!(events, ["partial-fill"]);
    let parts = ["[v10] = ys_2 + 0i64", "[v10] = xs_1 + 0i64"].map(|part| after.matches(part).count());
    assert_eq!(parts, [1, 1], "{after}");
    let scaled = "loop () for j: i64 < n {
        load z: f64 = zs1[j]
        let d: f64 = mul(z, 2.0f64)
        store ys1[j] = d
      }";
    assert_eq!(trace(&PASS, &within(&format!("{scaled} {UPWARDS}"))).1, ["partial-fill"]);
}

#[test]
fn every_premise_alone() {
    needs(
        &PASS,
        "partial-fill",
        &within(&format!("copy ys1 = zs1 {UPWARDS}")),
        &[
            ("unread", &[("load x: f64 = xs1[k]", "load x: f64 = ys1[k]")]),
            ("unread", &[("let b: i64", "load a: f64 = ys1[0i64] let b: i64")]),
            // The source of the copy changes before the place to which the copy would move.
            ("unread", &[("let b: i64", "store zs1[0i64] = 1.0f64 let b: i64")]),
            ("unread", &[("store ys1[i] = t", "store ys1[i] = t store ys1[k] = t")]),
            ("unread", &[("let b: i64", "view v: f64 [n] = ys + 0i64 * [1i64] copy v = xs1 let b: i64")]),
            ("one-end", &[("sub(n, 1i64)", "sub(n, 2i64)")]),
            ("one-end", &[("add(k, 1i64)", "sub(m, k)")]),
        ],
    );
}

/// Stores at positions that do not follow each other, or not in every iteration.
#[test]
fn other_loops_leave_the_fill_alone() {
    let changes = [
        ("add(k, 1i64)", "mul(k, 2i64)"),
        ("add(k, 1i64)", "sub(k, m)"),
        ("store ys1[i] = t", "let q: bool = lt(x, s) if q { store ys1[i] = t } else { }"),
    ];
    for (old, new) in changes {
        let text = within(&format!("{FILL} {UPWARDS}"));
        assert!(text.contains(old));
        let (after, events) = trace(&PASS, &text.replace(old, new));
        assert!(events.is_empty(), "{events:?} {after}");
    }
}
