use super::PASS;
use crate::testing::kernel::{needs, trace};

/// A copy of a dead array, and a map over the copy.
const STRAIGHT: &str = r#"message0 = "small"
entry "main" [n] (xs: block i64 [n], m: i64) -> ([]i64) {
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc other: block i64 = m
  alloc x: block i64 = n
  view x1: i64 [n] = x + 0i64 * [1i64]
  segment map (i < n) chunk 1i64 {
    load e: i64 = xs1[i]
    store x1[i] = e
  }
  alloc y: block i64 = n
  view y1: i64 [n] = y + 0i64 * [1i64]
  copy y1 = x1
  store y1[0i64] = 1i64
  alloc z: block i64 = n
  view z1: i64 [n] = z + 0i64 * [1i64]
  segment map (j < n) chunk 1i64 {
    load f: i64 = y1[j]
    let g: i64 = add(f, j)
    store z1[j] = g
  }
  yield n, z
}"#;

#[test]
fn dead_memory_is_reused() {
    let (after, events) = trace(&PASS, STRAIGHT);
    assert_eq!(events, ["map-in-place refused: dead", "copy-coalescing", "map-in-place"]);
    insta::assert_snapshot!(after, @r#"
    message0 = "small"

    entry "main" [n_0] (xs_1: block i64 [n_0], m_2: i64) -> ([]i64) {
      view xs1_3: i64 [n_0] = xs_1 + 0i64 * [1i64]
      alloc x_4: block i64 = n_0
      view x1_5: i64 [n_0] = x_4 + 0i64 * [1i64]
      segment map (i_6 < n_0) chunk 1i64 {
        load e_7: i64 = xs1_3[i_6]
        store x1_5[i_6] = e_7
      }
      view y1_8: i64 [n_0] = x_4 + 0i64 * [1i64]
      store y1_8[0i64] = 1i64
      view z1_9: i64 [n_0] = x_4 + 0i64 * [1i64]
      segment map (j_10 < n_0) chunk 1i64 {
        load f_11: i64 = y1_8[j_10]
        let g_12: i64 = add(f_11, j_10)
        store z1_9[j_10] = g_12
      }
      yield n_0, x_4
    }
    "#);
}

#[test]
fn every_premise_of_copy_of_dead_alone() {
    needs(
        &PASS,
        "copy-coalescing",
        STRAIGHT,
        &[
            ("dead", &[("store y1[0i64] = 1i64", "load e1: i64 = x1[0i64]\n store y1[0i64] = e1")]),
            // The caller owns the block of `x`.
            ("dead", &[("copy y1 = x1", "copy y1 = xs1")]),
            ("size", &[("alloc x: block i64 = n", "alloc x: block i64 = m")]),
            ("layout", &[("view y1: i64 [n] = y + 0i64", "view y1: i64 [n] = y + 1i64")]),
        ],
    );
}

#[test]
fn a_copy_into_a_block_already_mentioned_stays() {
    let text = STRAIGHT.replace("copy y1 = x1", "store y1[0i64] = 2i64\n  copy y1 = x1");
    assert!(!trace(&PASS, &text).1.contains(&"copy-coalescing".to_owned()));
}

#[test]
fn every_premise_of_map_in_place_alone() {
    needs(
        &PASS,
        "map-in-place",
        STRAIGHT,
        &[
            ("dead", &[("yield n, z", "load h: i64 = y1[0i64]\n store z1[0i64] = h\n yield n, z")]),
            ("size", &[("alloc z: block i64 = n", "alloc z: block i64 = m")]),
            ("same-element", &[("load f: i64 = y1[j]", "let k: i64 = sub(j, 1i64)\n load f: i64 = y1[k]")]),
            (
                "same-element",
                &[("view z1: i64 [n] = z + 0i64 * [1i64]", "view z1: i64 [n] = z + n * [-1i64]")],
            ),
            // An alias of the block, even for the same element.
            (
                "same-element",
                &[
                    (
                        "  alloc z: block",
                        "  let c: bool = lt(m, n)\n  if c { yield y } else { yield xs } -> (b: block i64)\n  view b1: i64 [n] = b + 0i64 * [1i64]\n  alloc z: block",
                    ),
                    ("let g: i64 = add(f, j)", "load h: i64 = b1[j]\n    let g: i64 = add(f, h)"),
                ],
            ),
            (
                "no-load-after-store",
                &[("store z1[j] = g", "store z1[j] = g\n load h: i64 = y1[j]\n store z1[j] = h")],
            ),
            ("cannot-fail", &[("let g:", "let c: bool = lt(f, 9i64)\n assert c message0()\n let g:")]),
        ],
    );
}

/// Each point accesses an element in every iteration of its loop.
const ROWS: &str = r#"entry "main" [n, m] (xs: block i64 [n]) -> ([]i64) {
  let k: i64 = mul(n, m)
  alloc x: block i64 = k
  view x1: i64 [n, m] = x + 0i64 * [m, 1i64]
  segment map (i < n, j < m) chunk 1i64 {
    store x1[i, j] = j
  }
  alloc y: block i64 = k
  segment map (i1 < n) chunk 1i64 {
    let at: i64 = mul(i1, m)
    view row: i64 [m] = x + at * [1i64]
    view out: i64 [m] = y + at * [1i64]
    loop () for j1: i64 < m {
      load e: i64 = row[j1]
      let d: i64 = add(e, 1i64)
      store out[j1] = d
    }
  }
  yield k, y
}"#;

#[test]
fn element_of_map_in_place_holds_for_each_iteration() {
    needs(
        &PASS,
        "map-in-place",
        ROWS,
        &[
            // The same element in two iterations.
            ("same-element", &[("row[j1]", "row[i1]"), ("out[j1]", "out[i1]")]),
            // A use of more than an element.
            ("same-element", &[("load e: i64 = row[j1]", "copy out = row\n load e: i64 = row[j1]")]),
        ],
    );
}

/// A map over a loop-carried array.
const CARRIED: &str = r#"entry "main" [n] (*xs: block i64 [n], k: i64) -> ([]i64) {
  alloc other: block i64 = n
  view other1: i64 [n] = other + 0i64 * [1i64]
  loop (x: block i64 = xs) for i: i64 < k {
    view x1: i64 [n] = x + 0i64 * [1i64]
    alloc y: block i64 = n
    view y1: i64 [n] = y + 0i64 * [1i64]
    segment map (j < n) chunk 1i64 {
      load f: i64 = x1[j]
      let g: i64 = add(f, j)
      store y1[j] = g
    }
    yield y
  } -> (z: block i64)
  yield n, z
}"#;

#[test]
fn dead_of_map_in_place_holds_for_loop_carried_arrays() {
    needs(
        &PASS,
        "map-in-place",
        CARRIED,
        &[
            // The caller keeps the initial value.
            (
                "dead",
                &[
                    ("*xs: block", "xs: block"),
                    (
                        "yield n, z",
                        "alloc c: block i64 = n\n view c1: i64 [n] = c + 0i64 * [1i64]\n view z1: i64 [n] = z + 0i64 * [1i64]\n copy c1 = z1\n yield n, c",
                    ),
                ],
            ),
            // The initial value is read after the loop.
            (
                "dead",
                &[(
                    "yield n, z",
                    "view xs1: i64 [n] = xs + 0i64 * [1i64]\n load h: i64 = xs1[0i64]\n view z1: i64 [n] = z + 0i64 * [1i64]\n store z1[0i64] = h\n yield n, z",
                )],
            ),
            // The initial value is read in the loop.
            (
                "dead",
                &[(
                    "    yield y",
                    "    view xs1: i64 [n] = xs + 0i64 * [1i64]\n load h: i64 = xs1[0i64]\n store y1[0i64] = h\n yield y",
                )],
            ),
            // Another parameter has the same initial value.
            (
                "dead",
                &[
                    ("(x: block i64 = xs)", "(x: block i64 = xs, w: block i64 = xs)"),
                    ("    yield y", "    yield y, w"),
                    ("(z: block i64)", "(z: block i64, w1: block i64)"),
                ],
            ),
            // The yielded value may be memory of the caller.
            (
                "dead",
                &[(
                    "    yield y",
                    "    let c: bool = lt(i, 1i64)\n if c { yield y } else { yield other } -> (next: block i64)\n yield next",
                )],
            ),
        ],
    );
}
