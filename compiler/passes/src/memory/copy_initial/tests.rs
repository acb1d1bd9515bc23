use super::PASS;
use crate::memory::{double_buffer, reuse};
use crate::testing::kernel::{needs, trace};

/// A loop that computes an array from the last one; the caller keeps the initial array.
const KEPT: &str = r#"entry "main" [n] (xs: block i64 [n], k: i64) -> ([]i64) {
  loop (x: block i64 = xs) for i: i64 < k {
    view x1: i64 [n] = x + 0i64 * [1i64]
    alloc y: block i64 = n
    view y1: i64 [n] = y + 0i64 * [1i64]
    segment map (j < n) chunk 1i64 {
      load f: i64 = x1[0i64]
      store y1[j] = f
    }
    yield y
  } -> (z: block i64)
  view z1: i64 [n] = z + 0i64 * [1i64]
  alloc r: block i64 = n
  view r1: i64 [n] = r + 0i64 * [1i64]
  copy r1 = z1
  yield n, r
}"#;

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(KEPT.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "no `{old}`");
        text.replace(old, new)
    })
}

#[test]
fn a_loop_begins_with_a_copy_instead_of_ending_with_one() {
    let (after, events) = trace(&PASS, KEPT);
    assert_eq!(events, ["copy-initial"]);
    let (after, events) = trace(&reuse::PASS, &after);
    assert_eq!(
        events,
        ["map-in-place refused: same-element", "copy-coalescing refused: dead", "copy-coalescing"]
    );
    let (after, events) = trace(&double_buffer::PASS, &after);
    assert_eq!(events, ["swap-allocated"]);
    insta::assert_snapshot!(after, @r#"
    entry "main" [n_0] (xs_1: block i64 [n_0], k_2: i64) -> ([]i64) {
      alloc x_3: block i64 = n_0
      view xs_4: i64 [n_0] = xs_1 + 0i64 * [1i64]
      view x_5: i64 [n_0] = x_3 + 0i64 * [1i64]
      copy x_5 = xs_4
      let v6: bool = lt(0i64, k_2)
      let v7: i64 = select(v6, n_0, 0i64)
      alloc y_8: block i64 = v7
      loop (x_9: block i64 = x_3, y_10: block i64 = y_8) for i_11: i64 < k_2 {
        view x1_12: i64 [n_0] = x_9 + 0i64 * [1i64]
        view y1_13: i64 [n_0] = y_10 + 0i64 * [1i64]
        segment map (j_14 < n_0) chunk 1i64 {
          load f_15: i64 = x1_12[0i64]
          store y1_13[j_14] = f_15
        }
        yield y_10, x_9
      } -> (z_16: block i64, y_17: block i64)
      yield n_0, z_16
    }
    "#);
}

#[test]
fn each_premise_is_required() {
    needs(
        &PASS,
        "copy-initial",
        KEPT,
        &[
            (
                "dead",
                &[
                    (
                        "  loop (x: block i64 = xs)",
                        "  alloc o: block i64 = k\n  loop (x: block i64 = xs, w: block i64 = o)",
                    ),
                    ("    yield y", "    yield y, x"),
                    ("(z: block i64)", "(z: block i64, w1: block i64)"),
                ],
            ),
            ("size", &[("alloc y: block i64 = n", "alloc y: block i64 = k")]),
            (
                "produced-by-loop",
                &[
                    ("(x: block i64 = xs)", "(x: block i64 = xs, w: block i64 = xs)"),
                    ("    yield y", "    yield y, y"),
                    ("(z: block i64)", "(z: block i64, w1: block i64)"),
                ],
            ),
            ("trip-count", &[("i: i64 < k", "i: i64 < 2i64")]),
            ("trip-count", &[("i: i64 < k", "i: u8 < 2u8")]),
        ],
    );
}

#[test]
fn memory_of_the_loop_is_not_copied() {
    assert_eq!(trace(&PASS, &KEPT.replace("(xs: block", "(*xs: block")).1, [""; 0]);
}

/// A loop of two arrays drops the first in each iteration, and the second becomes the first. Both begin with a copy, except
/// an array that already belongs to the loop.
#[test]
fn arrays_that_move_up_begin_with_copies() {
    let moving = |second: &str| {
        let text = changed(&[
            ("(xs: block i64 [n]", "(xs: block i64 [n], ys: block i64 [n]"),
            ("    yield y\n", "    yield x2, y\n"),
            ("(z: block i64)", "(z: block i64, z2: block i64)"),
        ]);
        let first = format!("  alloc v: block i64 = n\n  loop (x: block i64 = xs, x2: block i64 = {second})");
        text.replace("  loop (x: block i64 = xs)", &first)
    };
    for (second, events) in [("ys", vec!["copy-initial"; 2]), ("v", vec!["copy-initial"])] {
        let (after, fired) = trace(&PASS, &moving(second));
        assert_eq!(fired, events, "{after}");
        assert!(trace(&double_buffer::PASS, &after).1.contains(&"swap-allocated".to_owned()), "{after}");
    }
}

/// An inner loop begins with memory that belongs to the outer one, so one copy is enough.
#[test]
fn an_outer_loop_begins_with_the_copy() {
    let text = changed(&[
        (
            "  loop (x: block i64 = xs)",
            "  loop (o: block i64 = xs) for q: i64 < k {\n  loop (x: block i64 = o)",
        ),
        (
            "(z: block i64)",
            "(z0: block i64)\n    alloc b: block i64 = n\n    view b1: i64 [n] = b + 0i64 * [1i64]\n    store b1[0i64] = q\n    yield b\n  } -> (z: block i64)",
        ),
    ]);
    let (after, events) = trace(&PASS, &text);
    assert_eq!(events, ["copy-initial"], "{after}");
    assert!(after.contains("loop (o_6: block i64 = o_3)"), "{after}");
}
