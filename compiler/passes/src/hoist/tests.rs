use super::PASS;
use crate::testing::{statements, trace, within};

fn hoisted(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

/// The events for a statement that binds `z: i32` inside a loop.
fn in_a_loop(stm: &str) -> Vec<String> {
    let before =
        format!("let r2: i32 = loop (a: i32 = x) for i: i64 < m do {{ {stm} let b: i32 = sub a z in b }}");
    hoisted(&before, "r2", "r: i32").1
}

#[test]
fn invariants_leave_loops_and_lambdas_together() {
    let before = "
        let o: [n]i32 = screma n {
          from ys
          map \\(e: i32) -> {
            let s: i32 = loop (a: i32 = e) for i: i64 < m do {
              let f: i32 = mul x y
              let g: i32 = add f x
              let h: i32 = mul f e
              let j: i32 = add g h
              let k: i32 = add a j
              in k
            }
            in s
          }
          to map
        }";
    let expected = "\
let f_9: i32 = mul x_3 y_4
let g_10: i32 = add f_9 x_3
let o_11: [n_0]i32 = screma n_0 {
  from ys_7
  map \\(e_12: i32) -> {
    let h_13: i32 = mul f_9 e_12
    let j_14: i32 = add g_10 h_13
    let s_15: i32 = loop (a_16: i32 = e_12) for i_17: i64 < m_1 do {
      let k_18: i32 = add a_16 j_14
      in k_18
    }
    in s_15
  }
  to map
}
in o_11";
    let (after, events) = hoisted(before, "o", "r: [n]i32");
    assert_eq!(after, expected);
    assert_eq!(events, ["hoist-scalar"; 6]);
}

#[test]
fn operators_and_posts_are_lambdas_too() {
    let before = "
        let (s: i32, o: [n]i32) = screma n {
          from ys
          map \\(e: i32) -> (e, e)
          scan \\(a: i32, b: i32) -> { let d: i32 = mul x y let f: i32 = max d b in f } (0i32)
          post \\(g: i32, h: i32) -> { let j: i32 = mul x x let k: i32 = add g j in (h, k) }
          to reduce \\(p: i32, q: i32) -> { let l: i32 = mul y y let t: i32 = max l q in t } (0i32)
          to map
        }";
    assert_eq!(hoisted(before, "(s, o)", "r: i32, w: [n]i32").1, ["hoist-scalar"; 3]);
}

#[test]
fn statements_that_use_the_loop_index_stay() {
    assert_eq!(in_a_loop("let z: i32 = mul a y"), [""; 0]);
    assert_eq!(in_a_loop("let z: i32 = convert i32 i"), [""; 0]);
    assert_eq!(in_a_loop("let z: i32 = mul x y"), ["hoist-scalar"]);
}

#[test]
fn failing_statements_stay() {
    for stm in [
        "let z: i32 = div x y",
        "let z: i32 = mod x y",
        "let z: i32 = pow x y",
        "let z: i32 = div x 0i32",
        "let z: i32 = assert c (y) \"no\"",
        "let z: i32 = ys[m]",
        "let z: i32 = if c then { let w: i32 = div x y in w } else x",
        "let (go: bool, z: i32) = loop (g2: bool = c, w: i32 = x) while g2 do (g2, w)",
        "let z: i32 = loop (w: i32 = x) for l: i64 < m do { let v: i32 = mul w y in v }",
        "let z: i32 = loop (w: i32 = x) for l: i64 < 40 do {
            let v: i32 = loop (d: i32 = w) for k: i64 < 40 do { let t: i32 = mul d y in t } in v
        }",
    ] {
        assert_eq!(in_a_loop(stm), ["hoist-scalar refused: speculatable"], "{stm}");
    }
    for stm in [
        "let z: i32 = div x 3i32",
        "let z: i32 = if c then { let w: i32 = div x 3i32 in w } else x",
        "let z: i32 = loop (w: i32 = x) for l: i64 < 1024 do { let v: i32 = mul w y in v }",
        "let z: i32 = loop (w: i32 = x) for l: i64 < 32 do {
            let v: i32 = loop (d: i32 = w) for k: i64 < 32 do { let t: i32 = mul d y in t } in v
        }",
    ] {
        assert_eq!(in_a_loop(stm), ["hoist-scalar"], "{stm}");
    }
}

#[test]
fn statements_inside_branches_stay() {
    let side = "let z: i32 = if q then { let w: i32 = mul x y in w } else x";
    assert_eq!(in_a_loop(&format!("let q: bool = lt a y {side}")), [""; 0]);
}

#[test]
fn views_leave_and_elements_stay() {
    let whole = "let v: [n]i32 = slice ys[0 : n : 1] let z: i32 = v[i]";
    assert_eq!(in_a_loop(whole), ["hoist-view"]);
}

/// Inside an iteration the ranges prove that the slices are in bounds; before the loop nothing does.
#[test]
fn slices_in_bounds_only_inside_the_loop_stay() {
    for slice in [
        "let v: [1]i32 = slice ys[k : 1 : 1]",
        "let v: [k]i32 = slice ys[1 : k : 1]",
        "let v: [m]i32 = slice ys[0 : m : 1]",
        "let v: [n]i32 = slice ys[n : n : -1]",
        "let v: [n]i32 = slice ys[k : n : 0]",
        "let v: [2]i32 = slice ws[k, 0 : 2 : 1]",
    ] {
        let before = format!(
            "let k: i64 = sub n 1
             let ws: [n][2]i32 = screma n {{
               from iota 0i32 1i32
               map \\(j: i32) -> {{ let p: [2]i32 = [j, j] in p }}
               to map
             }}
             let r2: i32 = loop (a: i32 = x) for i: i64 < n do {{ {slice} let z: i32 = v[i] in z }}"
        );
        let events = hoisted(&before, "r2", "r: i32").1;
        assert_eq!(events.last().map(String::as_str), Some("hoist-view refused: speculatable"), "{slice}");
    }
}

const TABLE: &str = "let t: [8]i32 = screma 8 {
  from iota 0i32 1i32 map \\(j: i32) -> { let k: i32 = mul j x in k } to map
}";

#[test]
fn a_small_table_is_computed_once() {
    assert_eq!(in_a_loop(&format!("{TABLE} let l: i64 = mod i 8 let z: i32 = t[l]")), ["hoist-construct"]);
}

#[test]
fn tables_that_are_large_or_may_fail_stay() {
    let element = "let l: i64 = mod i 8 let z: i32 = t[l]";
    let large = TABLE.replace("[8]", "[2000]").replace("screma 8", "screma 2000");
    let unknown = TABLE.replace("[8]", "[m]").replace("screma 8", "screma m");
    let failing = TABLE.replace("mul j x", "div j x");
    for table in [large, unknown, failing] {
        let refused = ["hoist-construct refused: speculatable"];
        assert_eq!(in_a_loop(&format!("{table} {element}")), refused, "{table}");
    }
}

#[test]
fn tables_that_are_consumed_or_returned_stay() {
    let updated = "let t2: [8]i32 = t with [0] = y let z: i32 = t2[1]";
    let refused = ["hoist-construct refused: shareable"];
    assert_eq!(in_a_loop(&format!("{TABLE} {updated}")), refused);
    let given =
        format!("let o: [n][8]i32 = screma n {{ from ys map \\(e: i32) -> {{ {TABLE} in t }} to map }}");
    assert_eq!(hoisted(&given, "o", "r: [n][8]i32").1, refused);
}

/// The events for a construct inside a loop whose sum is `z: i32`. Outside are `mm: [m][n]i32`, `m4: [m][4]i32`, `m0:
/// [m][0]i32` and `cc: [4][m][n]i32`.
fn over(construct: &str) -> Vec<String> {
    let rows = "
        let v: [n]i32 = slice xs[0 : n : 1]
        let mm: [m][n]i32 = replicate m xs
        let r4: [4]i32 = replicate 4 x
        let m4: [m][4]i32 = replicate m r4
        let r0: [0]i32 = scratch
        let m0: [m][0]i32 = replicate m r0
        let cc: [4][m][n]i32 = replicate 4 mm";
    let sum = |at: usize| {
        format!(
            "to reduce \\(p{at}: i32, q{at}: i32) -> {{ let w{at}: i32 = add p{at} q{at} in w{at} }} (0i32)"
        )
    };
    let parts = construct.split("sum").enumerate();
    let construct: String =
        parts.map(|(at, part)| if at == 0 { part.into() } else { sum(at) + part }).collect();
    let body = format!("{construct} let b: i32 = sub a z in b");
    let before = format!("{rows} let r2: i32 = loop (a: i32 = x) for i: i64 < m do {{ {body} }}");
    hoisted(&before, "r2", "r: i32").1
}

/// The sum `z` of a row of this width.
fn sum_of(row: &str, width: &str, z: &str) -> String {
    format!("let {z}: i32 = screma {width} {{ from {row} map \\({z}e: i32) -> {z}e sum }}")
}

/// The sum `z` of the sums of the rows of a matrix.
fn sum_of_rows(z: &str, rows: &str, matrix: &str, width: &str) -> String {
    let row = sum_of("row", width, "t");
    format!(
        "let {z}: i32 = screma {rows} {{ from {matrix} map \\(row: [{width}]i32) -> {{ {row} in t }} sum }}"
    )
}

#[test]
fn traversals_of_an_existing_array_move() {
    let rows = sum_of_rows("z", "m", "m4", "4");
    let few = "let z: i32 = screma n { from ys map \\(e: i32) -> {
        let t: i32 = loop (w: i32 = e) for l: i64 < 1024 do { let v2: i32 = mul w y in v2 } in t } sum }";
    for construct in [&sum_of("ys", "n", "z"), &sum_of("v", "n", "z"), &rows, few] {
        assert_eq!(over(construct), ["hoist-construct"], "{construct}");
    }
}

#[test]
fn work_longer_than_the_existing_array_stays() {
    let pairs = "let z: i32 = screma n { from ys map \\(e: i32) -> {
        let t: i32 = screma n { from xs map \\(d: i32) -> { let k: i32 = mul e d in k } sum } in t } sum }";
    let unknown = "let z: i32 = screma n { from ys map \\(e: i32) -> {
        let t: i32 = loop (w: i32 = e) for l: i64 < m do { let v2: i32 = mul w y in v2 } in t } sum }";
    let many = unknown.replace("< m do", "< 1025 do");
    let made = "let z: i32 = screma n { from iota 0i32 1i32 map \\(e: i32) -> e sum }";
    let failing = "let z: i32 = screma n { from ys map \\(e: i32) -> { let t: i32 = div x e in t } sum }";
    for construct in [pairs, unknown, &many, made, failing] {
        assert_eq!(over(construct), ["hoist-construct refused: speculatable"], "{construct}");
    }
}

/// Producing 10¹² rows without elements took no time.
#[test]
fn traversals_of_rows_that_may_be_empty_stay() {
    let planes = format!(
        "let z: i32 = screma 4 {{ from cc map \\(p: [m][n]i32) -> {{ {} in s }} sum }}",
        sum_of_rows("s", "m", "p", "n")
    );
    for construct in [sum_of_rows("z", "m", "m0", "0"), sum_of_rows("z", "m", "mm", "n"), planes] {
        assert_eq!(over(&construct), ["hoist-construct refused: speculatable"], "{construct}");
    }
}

#[test]
fn chunks_of_streams_are_lambdas_too() {
    let before = "
        let o: [n]i32 = stream n {
          from ys
          chunk \\(k: i64, at: i64, e: [k]i32) -> {
            let f: i32 = mul x y
            let g: i64 = mul k 2
            let h: i32 = convert i32 g
            let j: i32 = add f h
            let l: [k]i32 = replicate k j
            in l
          }
          to map
        }";
    let (after, events) = hoisted(before, "o", "r: [n]i32");
    assert!(after.starts_with("let f_9: i32 = mul x_3 y_4\nlet o_10: [n_0]i32 = stream n_0 {"), "{after}");
    assert_eq!(events, ["hoist-scalar"]);
}

/// The check that proves the slice in bounds returns an operand of the slice, or another value.
#[test]
fn a_slice_moves_with_its_check() {
    let sliced = |count: &str| {
        let before = format!(
            "let ok: bool = and c true
             let high: bool = le m n
             let low: bool = le 0 m
             let both: bool = and low high
             let k: i64 = assert both (m) \"part\"
             let j: i64 = min m k
             let r2: i32 = loop (a: i32 = x) for i: i64 < m do {{
               let p: [{count}]i32 = slice ys[0 : {count} : 1]
               let q: i32 = screma {count} {{ from p map \\(e: i32) -> e to reduce \\(f: i32, g: i32) -> {{ let h: i32 = add f g in h }} (0i32) }}
               let b: i32 = sub a q
               in b
             }}"
        );
        hoisted(&before, "r2", "r: i32").1
    };
    assert!(sliced("k").contains(&"hoist-view".to_owned()));
    assert!(sliced("j").contains(&"hoist-view refused: speculatable".to_owned()));
    assert!(sliced("m").contains(&"hoist-view refused: speculatable".to_owned()));
}
