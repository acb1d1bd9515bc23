use super::PASS;
use crate::testing::kernel::{needs, trace};

const PRODUCT: &str = r#"entry "main" [n, k, m] (a: block i64 [n, k], b: block i64 [k, m], *out: block i64 [n, m]) -> ([][]i64) {
  view a1: i64 [n, k] = a + 0i64 * [k, 1i64]
  view b1: i64 [k, m] = b + 0i64 * [m, 1i64]
  view out1: i64 [n, m] = out + 0i64 * [m, 1i64]
  segment map (i < n, j < m) chunk 1i64 {
    let bound: i64 = mul(j, 2i64)
    loop (sum: i64 = 0i64) for l: i64 < k {
      load x: i64 = a1[i, l]
      load y: i64 = b1[l, j]
      let xy: i64 = mul(x, y)
      let next: i64 = add(sum, xy)
      yield next
    } -> (total: i64)
    store out1[i, j] = total
  }
  yield n, m, out
}"#;

#[test]
fn a_tile_loads_a_shared_element_once() {
    let (after, events) = trace(&PASS, PRODUCT);
    assert_eq!(events, ["tile"]);
    let tile = after.split("segment").find(|code| code.contains("tile_")).expect("the points of tiles");
    assert_eq!((tile.matches("load x").count(), tile.matches("load y").count()), (4, 1), "{tile}");
    assert_eq!((tile.matches("loop").count(), tile.matches("store").count()), (1, 4), "{tile}");
}

#[test]
fn each_premise_is_required() {
    let longer = "let next0: i64 = add(sum, xy)\n".to_owned()
        + &(0..16).map(|at| format!("let next{}: i64 = add(next{at}, x)\n", at + 1)).collect::<String>()
        + "let next: i64 = add(next16, x)";
    let more = [
        ("loop (sum: i64 = 0i64)", "loop (sum: i64 = 0i64, s2: i64 = 0i64, s3: i64 = 0i64)"),
        ("yield next", "yield next, sum, s2"),
        ("(total: i64)", "(total: i64, t2: i64, t3: i64)"),
    ];
    needs(
        &PASS,
        "tile",
        PRODUCT,
        &[
            ("straight", &[("load x", "store out1[i, j] = sum\n load x")]),
            ("same-bound", &[("l: i64 < k", "l: i64 < bound")]),
            ("small", &[("let next: i64 = add(sum, xy)", &longer)]),
            ("small", &more),
            // Neither the rows of `a`, nor an element at a place that another element tells.
            ("shared", &[("b1[l, j]", "b1[l, l]")]),
            ("shared", &[("b1[l, j]", "b1[x, j]")]),
            ("shared", &[("b1[l, j]", "b1[sum, j]")]),
            ("shared", &[("b1[l, j]", "b1[i, j]")]),
            ("shared", &[("load y: i64 = b1[l, j]", "let at: i64 = max(l, i)\n load y: i64 = b1[at, j]")]),
        ],
    );
}

#[test]
fn segments_without_rows_columns_and_a_loop_are_ignored() {
    for (old, new) in [
        ("(i < n, j < m)", "(i < n, h < 2i64, j < m)"),
        ("loop (sum: i64 = 0i64) for l: i64 < k {", "let l: i64 = sub(j, i) let sum: i64 = 0i64 if true {"),
    ] {
        let other = PRODUCT.replace(old, new).replace(
            "} -> (total: i64)",
            match new.contains("if") {
                true => "} else { yield 0i64 } -> (total: i64)",
                false => "} -> (total: i64)",
            },
        );
        let (_, events) = trace(&PASS, &other);
        assert!(events.is_empty(), "{events:?}");
    }
}
