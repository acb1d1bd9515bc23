use super::PASS;
use crate::testing::kernel::{needs, trace};

/// An allocation in each iteration of two loops.
const LOOPS: &str = r#"entry "main" [n] (xs: block i64 [n], k: i64) -> ([]i64) {
  view xs1: i64 [n] = xs + 0i64 * [1i64]
  alloc out: block i64 = n
  view out1: i64 [n] = out + 0i64 * [1i64]
  segment map (p < n) chunk 1i64 {
    loop () for i: i64 < k {
      loop () for j: i64 < n {
        let m: i64 = add(n, 1i64)
        alloc b: block i64 = m
        view b1: i64 [n] = b + 0i64 * [1i64]
        load e: i64 = xs1[j]
        store b1[j] = e
        load f: i64 = b1[j]
        store out1[p] = f
      }
    }
  }
  yield n, out
}"#;

#[test]
fn a_block_leaves_all_loops() {
    let (after, events) = trace(&PASS, LOOPS);
    assert_eq!(events, ["hoist-block", "hoist-block"]);
    insta::assert_snapshot!(after, @r#"
    entry "main" [n_0] (xs_1: block i64 [n_0], k_2: i64) -> ([]i64) {
      view xs1_3: i64 [n_0] = xs_1 + 0i64 * [1i64]
      alloc out_4: block i64 = n_0
      view out1_5: i64 [n_0] = out_4 + 0i64 * [1i64]
      segment map (p_6 < n_0) chunk 1i64 {
        let m_7: i64 = add(n_0, 1i64)
        let v8: bool = lt(0i64, n_0)
        let v9: i64 = select(v8, m_7, 0i64)
        let v10: bool = lt(0i64, k_2)
        let v11: i64 = select(v10, v9, 0i64)
        alloc b_12: block i64 = v11
        loop () for i_13: i64 < k_2 {
          loop () for j_14: i64 < n_0 {
            view b1_15: i64 [n_0] = b_12 + 0i64 * [1i64]
            load e_16: i64 = xs1_3[j_14]
            store b1_15[j_14] = e_16
            load f_17: i64 = b1_15[j_14]
            store out1_5[p_6] = f_17
          }
        }
      }
      yield n_0, out_4
    }
    "#);
}

#[test]
fn each_premise_is_required() {
    let carried = &[
        ("loop () for j: i64 < n {", "alloc c: block i64 = n\n loop (q: block i64 = c) for j: i64 < n {"),
        ("store out1[p] = f", "store out1[p] = f\n yield b"),
        ("      }\n    }\n", "      } -> (last: block i64)\n    }\n"),
    ];
    let (_, events) =
        trace(&PASS, &carried.iter().fold(LOOPS.to_owned(), |text, (old, new)| text.replace(old, new)));
    assert_eq!(events, ["hoist-block refused: does-not-escape", "hoist-block"]);
    let sized = LOOPS.replace("alloc b: block i64 = m", "load s: i64 = xs1[j]\n alloc b: block i64 = s");
    assert_eq!(trace(&PASS, &sized).1, ["hoist-block refused: invariant"]);
    // A division may fail, and the loop may have no iterations.
    let divided = LOOPS.replace("add(n, 1i64)", "quot(n, k)");
    assert_eq!(trace(&PASS, &divided).1, ["hoist-block refused: invariant"]);
    needs(&PASS, "hoist-block", LOOPS, &[]);
}

/// The yielded block refers to memory that the iteration allocated, under the name of an inner loop's result.
#[test]
fn blocks_yielded_through_an_inner_loop_stay() {
    let text = r#"entry "main" [n] (*xs: block i64 [n], k: i64) -> ([]i64) {
  loop (x: block i64 = xs) for i: i64 < k {
    alloc b: block i64 = n
    view b1: i64 [n] = b + 0i64 * [1i64]
    store b1[0i64] = i
    loop (q: block i64 = b) for j: i64 < k {
      view q1: i64 [n] = q + 0i64 * [1i64]
      store q1[0i64] = j
      yield q
    } -> (last: block i64)
    yield last
  } -> (z: block i64)
  yield n, z
}"#;
    assert_eq!(trace(&PASS, text).1, ["hoist-block refused: does-not-escape"]);
}

#[test]
fn blocks_of_branches_and_threads_stay() {
    let branch = LOOPS.replace(
        "loop () for i: i64 < k {\n      loop () for j: i64 < n {",
        "let c: bool = lt(p, k)\n let j: i64 = add(p, 0i64)\n if c {\n if c {",
    );
    let branch = branch.replace("      }\n    }\n  }", "      } else { }\n    } else { }\n  }");
    assert_eq!(trace(&PASS, &branch).1, [""; 0]);
}

#[test]
fn a_saturating_size_moves_if_its_divisor_is_positive() {
    let size = "let m: i64 = add(n, 1i64)";
    let saturating = |divisor: &str| {
        LOOPS.replace(size, &format!("let d: i64 = {divisor} let m: i64 = quot(9223372036854775807i64, d)"))
    };
    let events = |text: &str| trace(&PASS, text).1;
    assert_eq!(events(&saturating("max(n, 1i64)")), ["hoist-block", "hoist-block"]);
    assert_eq!(events(&saturating("max(n, 0i64)")).iter().filter(|event| *event == "hoist-block").count(), 0);
    assert_eq!(events(&saturating("min(n, 1i64)")).iter().filter(|event| *event == "hoist-block").count(), 0);
}
