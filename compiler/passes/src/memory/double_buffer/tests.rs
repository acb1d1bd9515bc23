use super::PASS;
use crate::testing::kernel::{needs, trace};

/// A loop that computes an array from the last one, reading neighbours of each element.
const MADE: &str = r#"entry "main" [n] (*xs: block i64 [n], k: i64) -> ([]i64) {
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
  yield n, z
}"#;

#[test]
fn a_loop_alternates_between_two_blocks() {
    let (after, events) = trace(&PASS, MADE);
    assert_eq!(events, ["swap-allocated"]);
    insta::assert_snapshot!(after, @r#"
    entry "main" [n_0] (*xs_1: block i64 [n_0], k_2: i64) -> ([]i64) {
      let v3: bool = lt(0i64, k_2)
      let v4: i64 = select(v3, n_0, 0i64)
      alloc y_5: block i64 = v4
      loop (x_6: block i64 = xs_1, y_7: block i64 = y_5) for i_8: i64 < k_2 {
        view x1_9: i64 [n_0] = x_6 + 0i64 * [1i64]
        view y1_10: i64 [n_0] = y_7 + 0i64 * [1i64]
        segment map (j_11 < n_0) chunk 1i64 {
          load f_12: i64 = x1_9[0i64]
          store y1_10[j_11] = f_12
        }
        yield y_7, x_6
      } -> (z_13: block i64, y_14: block i64)
      yield n_0, z_13
    }
    "#);
}

#[test]
fn each_premise_of_swap_allocated_is_required() {
    needs(
        &PASS,
        "swap-allocated",
        MADE,
        &[
            (
                "unaliased",
                &[(
                    "yield n, z",
                    "view xs1: i64 [n] = xs + 0i64 * [1i64]\n load h: i64 = xs1[0i64]\n view z1: i64 [n] = z + 0i64 * [1i64]\n store z1[0i64] = h\n yield n, z",
                )],
            ),
            (
                "dead",
                &[
                    (
                        "loop (x: block i64 = xs)",
                        "alloc o: block i64 = k\n loop (x: block i64 = xs, w: block i64 = o)",
                    ),
                    ("    yield y", "    yield y, x"),
                    ("(z: block i64)", "(z: block i64, w1: block i64)"),
                ],
            ),
            ("size", &[("alloc y: block i64 = n", "alloc y: block i64 = k")]),
        ],
    );
}

/// Three arrays move up by one position: the one that drops out is exchanged.
#[test]
fn the_array_that_drops_out_is_exchanged() {
    let moving = [
        (
            "  loop (x: block i64 = xs)",
            "  alloc v: block i64 = n\n  alloc w: block i64 = n\n  loop (x: block i64 = xs, x2: block i64 = v, x3: block i64 = w)",
        ),
        ("    yield y\n", "    yield x2, x3, y\n"),
        ("(z: block i64)", "(z: block i64, z2: block i64, z3: block i64)"),
        ("-> ([]i64)", "-> ([]i64, []i64, []i64)"),
        ("yield n, z", "yield n, z, n, z2, n, z3"),
    ];
    let text = moving.iter().fold(MADE.to_owned(), |text, (old, new)| text.replace(old, new));
    let (after, events) = trace(&PASS, &text);
    assert_eq!(events, ["swap-allocated"]);
    assert!(after.contains("yield x2_9, x3_10, y_11, x_8"), "{after}");
}

#[test]
fn sizes_are_equal_if_they_are_products_of_the_same_sizes() {
    let text = MADE.replace("(*xs: block i64 [n], k: i64)", "(*xs: block i64 [n, m], k: i64)");
    let text =
        text.replace("[n] (*xs", "[n, m] (*xs").replace("  loop (x", "  let nm: i64 = mul(n, m)\n  loop (x");
    let text = text.replace("block i64 = n", "block i64 = nm").replace("yield n, z", "yield nm, z");
    assert_eq!(trace(&PASS, &text).1, ["swap-allocated"]);
}

/// The outer loop's next iteration would begin with memory that the inner loop overwrote.
#[test]
fn memory_of_an_outer_body_does_not_belong_to_an_inner_loop() {
    let again = [("  loop (x", "  loop () for r: i64 < k {\n  loop (x"), ("yield n, z", "}\n yield n, k0")];
    let sometimes = [
        ("  loop (x", "  let c: bool = lt(k, n)\n  if c {\n  loop (x"),
        (
            "yield n, z",
            "} else { }\n  view xs1: i64 [n] = xs + 0i64 * [1i64]\n  store xs1[0i64] = 1i64\n  yield n, xs",
        ),
    ];
    for changes in [again, sometimes] {
        let text = changes.iter().fold(MADE.to_owned(), |text, (old, new)| text.replace(old, new));
        let text = text.replace("yield n, k0", "alloc k0: block i64 = n\n  yield n, k0");
        assert_eq!(trace(&PASS, &text).1, ["swap-allocated refused: unaliased"]);
    }
}

#[test]
fn a_size_known_only_in_the_iteration_prevents_the_exchange() {
    let text = MADE.replace("alloc y: block i64 = n", "let m: i64 = add(n, i)\n alloc y: block i64 = m");
    assert_eq!(trace(&PASS, &text).1, [""; 0]);
}

/// Sizes may be powers of powers: they are compared without expanding them.
#[test]
fn forty_nested_squares_are_compared_fast() {
    let squares = |first: &str| {
        let square = |k: usize| {
            let last = k.checked_sub(1).map_or(first.to_owned(), |k| format!("{first}{k}"));
            format!("let {first}{k}: i64 = mul({last}, {last})\n")
        };
        (0..40).map(square).collect::<String>()
    };
    let made = MADE.replace("  loop (", &format!("{}  loop (", squares("k")));
    assert_eq!(trace(&PASS, &made).1, ["swap-allocated"]);
    let copied =
        COPIED.replace("let mn: i64 = mul(m, n)", &format!("{}let mn: i64 = mul(m, n39)", squares("n")));
    let copied = copied.replace("i64 [m, n] =", "i64 [m, n39] =").replace("[n, 1i64]", "[n39, 1i64]");
    assert_eq!(trace(&PASS, &copied).1, ["swap-copied"]);
}

/// A loop in a thread that copies at the end of an iteration.
const COPIED: &str = r#"entry "main" [n, m] (xs: block i64 [n], k: i64) -> ([]i64) {
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (p < n) chunk 1i64 {
    let mn: i64 = mul(m, n)
    alloc a: block i64 = mn
    view a1: i64 [m, n] = a + 0i64 * [n, 1i64]
    store a1[0i64, 0i64] = p
    loop (s: i64 = 0i64) for i: i64 < k {
      alloc y: block i64 = mn
      view y1: i64 [m, n] = y + 0i64 * [n, 1i64]
      load f: i64 = a1[0i64, 0i64]
      let g: i64 = add(f, i)
      store y1[0i64, 0i64] = g
      let s1: i64 = add(s, g)
      copy a1 = y1
      yield s1
    } -> (sum: i64)
    load h: i64 = a1[0i64, 0i64]
    let r: i64 = add(h, sum)
    store out1[p] = r
  }
  yield n, out
}"#;

#[test]
fn copied_blocks_alternate() {
    let (after, events) = trace(&PASS, COPIED);
    assert_eq!(events, ["swap-copied"]);
    insta::assert_snapshot!(after, @r#"
    entry "main" [n_0, m_1] (xs_2: block i64 [n_0], k_3: i64) -> ([]i64) {
      alloc out_4: block i64 = n_0
      view out1_5: i64 [n_0] = out_4 + 0i64 * [1i64]
      segment map (p_6 < n_0) chunk 1i64 {
        let mn_7: i64 = mul(m_1, n_0)
        alloc a_8: block i64 = mn_7
        view a1_9: i64 [m_1, n_0] = a_8 + 0i64 * [n_0, 1i64]
        store a1_9[0i64, 0i64] = p_6
        let v10: bool = lt(0i64, k_3)
        let v11: i64 = select(v10, mn_7, 0i64)
        alloc y_12: block i64 = v11
        loop (s_13: i64 = 0i64, a_14: block i64 = a_8, y_15: block i64 = y_12) for i_16: i64 < k_3 {
          view a1_17: i64 [m_1, n_0] = a_14 + 0i64 * [n_0, 1i64]
          view y1_18: i64 [m_1, n_0] = y_15 + 0i64 * [n_0, 1i64]
          load f_19: i64 = a1_17[0i64, 0i64]
          let g_20: i64 = add(f_19, i_16)
          store y1_18[0i64, 0i64] = g_20
          let s1_21: i64 = add(s_13, g_20)
          yield s1_21, y_15, a_14
        } -> (sum_22: i64, a_23: block i64, y_24: block i64)
        view a1_25: i64 [m_1, n_0] = a_23 + 0i64 * [n_0, 1i64]
        load h_26: i64 = a1_25[0i64, 0i64]
        let r_27: i64 = add(h_26, sum_22)
        store out1_5[p_6] = r_27
      }
      yield n_0, out_4
    }
    "#);
}

#[test]
fn every_premise_of_swap_copied_alone() {
    needs(
        &PASS,
        "swap-copied",
        COPIED,
        &[
            // Allocated outside the body around the loop.
            (
                "unaliased",
                &[
                    ("    loop (s:", "    loop () for q: i64 < k {\n    loop (s:"),
                    ("-> (sum: i64)", "-> (sum: i64)\n }\n let sum1: i64 = add(k, 0i64)"),
                    ("add(h, sum)", "add(h, sum1)"),
                ],
            ),
            // Aliased after the loop.
            (
                "unaliased",
                &[
                    (
                        "    loop (s:",
                        "    let c: bool = lt(p, 1i64)\n if c { yield a } else { yield a } -> (b: block i64)\n    loop (s:",
                    ),
                    (
                        "load h: i64 = a1[0i64, 0i64]",
                        "view b1: i64 [m, n] = b + 0i64 * [n, 1i64]\n load h: i64 = b1[0i64, 0i64]",
                    ),
                ],
            ),
            (
                "dead",
                &[(
                    "      copy a1 = y1",
                    "      view a2: i64 [n] = a + 0i64 * [1i64]\n view a3: i64 [n] = a + n * [1i64]\n copy a1 = y1\n copy a2 = a3",
                )],
            ),
            ("size", &[("alloc y: block i64 = mn", "alloc y: block i64 = n")]),
            (
                "whole",
                &[(
                    "view y1: i64 [m, n] = y + 0i64 * [n, 1i64]",
                    "view y1: i64 [m, n] = y + 0i64 * [1i64, m]",
                )],
            ),
            ("whole", &[("i64 [m, n] = a", "i64 [n, n] = a"), ("i64 [m, n] = y", "i64 [n, n] = y")]),
        ],
    );
}
