use super::PASS;
use crate::Step;
use crate::testing::{statements, trace, within};

fn rewrite(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

/// The result of the pass on statements after which a construct reads `v` element by element.
fn read(stms: &str, elem: &str, size: &str) -> (String, Vec<String>) {
    let reader = format!("let w: [{size}]i32 = screma {size} {{ from v map \\(e9: {elem}) -> x to map }}");
    let (text, events) = rewrite(&format!("{stms} {reader}"), &format!("({size}, w)"), "q9: i64, r: [q9]i32");
    let (before, _) = text.split_once("let w_").expect("the reader");
    (before.trim_end().to_owned(), events)
}

const MAP: &str = "let as: [n]i64 = screma n {
    from ys, iota 5i64 3i64
    map \\(e: i32, i: i64) -> { let f: i64 = convert i64 e let g: i64 = add f i in g } to map
}";

#[test]
fn a_reversed_map_reads_its_source_reversed() {
    let (after, events) = rewrite(&format!("{MAP} let v: [m]i64 = slice as[9 : m : -2]"), "v", "r: [m]i64");
    insta::assert_snapshot!(after, @r#"
    let v9: [m_1]i32 = slice ys_7[9i64 : m_1 : -2i64]
    let v10: i64 = convert i64 9i64
    let v11: i64 = mul v10 3i64
    let v12: i64 = add 5i64 v11
    let v13: i64 = convert i64 -2i64
    let v14: i64 = mul v13 3i64
    let v_15: [m_1]i64 = screma m_1 {
      from v9, iota v12 v14
      map \(e_16: i32, i_17: i64) -> {
        let f_18: i64 = convert i64 e_16
        let g_19: i64 = add f_18 i_17
        in g_19
      }
      to map
    }
    in v_15
    "#);
    assert_eq!(events, ["map-slice"]);
}

#[test]
fn traced_arrays_stay() {
    let (after, events) =
        rewrite(&format!("{MAP} let v: [n]i64 = #[trace] assert true (as) \"\""), "v", "r: [n]i64");
    assert!(after.ends_with("let v_14: [n_0]i64 = #[trace] assert true (as_9) \"\"\nin v_14"), "{after}");
    assert_eq!(events, [""; 0]);
}

const SECOND: &str =
    "let bs: [n]i64 = screma n { from as map \\(h: i64) -> { let j: i64 = mul h m in j } to map }";

#[test]
fn fusable_producers_fuse_first() {
    let stms = format!("{MAP} {SECOND} let v: [m]i64 = slice bs[0 : m : 1]");
    assert_eq!(rewrite(&stms, "v", "r: [m]i64").1, [""; 0]);
    // A producer of which a whole array is read before the view does not fuse.
    let second = SECOND.replace("let j: i64 = mul h m", "let o: i64 = as[0] let j: i64 = mul h o");
    let stms = format!("{MAP} {second} let v: [m]i64 = slice bs[0 : m : 1]");
    let (_, events) = rewrite(&stms, "v", "r: [m]i64");
    assert_eq!(events, ["map-slice", "map-slice refused: used-once"]);
}

#[test]
fn chains_alternate_with_fusion() {
    const BOTH: &[Step] = &[Step::Repeat(&[
        Step::RepeatWhileLastFires(&[Step::Run(&PASS)]),
        Step::Run(&crate::fuse::vertical::PASS),
    ])];
    let link = |at: usize, last: &str| {
        format!(
            "let a{at}: [n]i32 = screma n {{ from {last} map \\(e{at}: i32) -> {{ let f{at}: i32 = add e{at} x in f{at} }} to map }}
             let b{at}: [n]i32 = slice a{at}[9 : n : -1] "
        )
    };
    let stms: String = (0..5)
        .map(|at| link(at, &at.checked_sub(1).map_or("ys".to_owned(), |last| format!("b{last}"))))
        .collect();
    let after = statements(&crate::testing::optimise(BOTH, &within(&stms, "b4", "r: [n]i32")));
    assert_eq!((after.matches("screma").count(), after.matches("slice").count()), (1, 5), "{after}");
    assert!(after.find("screma") > after.rfind("slice"), "{after}");
}

/// Two results of one construct that are read through the same view.
const BOTH: &str = "let (as: [n]i32, bs: [n]i32) = screma n {
    from ys map \\(e: i32) -> { let f: i32 = add e x in (e, f) } to map to map
}";

#[test]
fn results_of_one_map_move_together() {
    let stms = format!(
        "{BOTH} let v: [m]i32 = slice as[1 : m : 1] let k: i64 = add m 1 let w: [m]i32 = slice bs[1 : m : 1]"
    );
    let (after, events) = rewrite(&stms, "(v, w, k)", "r: [m]i32, s: [m]i32, t: i64");
    insta::assert_snapshot!(after, @r#"
    let v11: [m_1]i32 = slice ys_7[1i64 : m_1 : 1i64]
    let (v_12: [m_1]i32, w_13: [m_1]i32) = screma m_1 {
      from v11
      map \(e_14: i32) -> {
        let f_15: i32 = add e_14 x_3
        in (e_14, f_15)
      }
      to map
      to map
    }
    let k_16: i64 = add m_1 1i64
    in (v_12, w_13, k_16)
    "#);
    assert_eq!(events, ["map-slice"]);
}

/// Nested maps with all kinds of inputs: a matrix, a row for each column, a number for each row, both counters.
const NEST: &str = "
    let t: [n][m]i32 = scratch
    let us: [m]i32 = scratch
    let as: [n][m]i32 = screma n {
      from t, ys, iota 1i32 2i32
      map \\(row: [m]i32, q: i32, i: i32) -> {
        let r0: [m]i32 = screma m {
          from row, us, iota i 3i32
          map \\(e: i32, g: i32, j: i32) -> {
            let h: i32 = add e g
            let k: i32 = add j q
            let l: i32 = mul h k
            in l
          }
          to map
        }
        in r0
      }
      to map
    }";

#[test]
fn transposes_of_nested_maps_become_maps_of_columns() {
    let (after, events) = read(&format!("{NEST} let v: [m][n]i32 = rearrange as (1, 0)"), "[n]i32", "m");
    insta::assert_snapshot!(after, @r#"
    let t_10: [n_0][m_1]i32 = scratch
    let us_11: [m_1]i32 = scratch
    let v12: [m_1][n_0]i32 = rearrange t_10 (1, 0)
    let v_13: [m_1][n_0]i32 = screma m_1 {
      from v12, us_11, iota 1i32 3i32
      map \(e_14: [n_0]i32, g_15: i32, j_16: i32) -> {
        let v17: [n_0]i32 = screma n_0 {
          from ys_7, e_14, iota j_16 2i32
          map \(q_18: i32, e_19: i32, j_20: i32) -> {
            let h_21: i32 = add e_19 g_15
            let k_22: i32 = add j_20 q_18
            let l_23: i32 = mul h_21 k_22
            in l_23
          }
          to map
        }
        in v17
      }
      to map
    }
    "#);
    assert_eq!(events, ["map-rearrange"]);
}

#[test]
fn a_flattened_nest_becomes_one_map() {
    let (after, events) =
        read(&format!("{NEST} let k9: i64 = mul n m let v: [k9]i32 = reshape as"), "i32", "k9");
    insta::assert_snapshot!(after, @r#"
    let t_10: [n_0][m_1]i32 = scratch
    let us_11: [m_1]i32 = scratch
    let k9_12: i64 = mul n_0 m_1
    let v13: [k9_12]i32 = reshape t_10
    let v_14: [k9_12]i32 = screma k9_12 {
      from v13, iota 0i64 1i64
      map \(e_15: i32, at_16: i64) -> {
        let v17: i64 = rem at_16 m_1
        let v18: i64 = quot at_16 m_1
        let q_19: i32 = ys_7[v18]
        let g_20: i32 = us_11[v17]
        let v21: i32 = convert i32 v18
        let v22: i32 = mul v21 2i32
        let v23: i32 = add 1i32 v22
        let v24: i32 = convert i32 v17
        let v25: i32 = mul v24 3i32
        let v26: i32 = add v23 v25
        let j_27: i32 = v26
        let h_28: i32 = add e_15 g_20
        let k_29: i32 = add j_27 q_19
        let l_30: i32 = mul h_28 k_29
        in l_30
      }
      to map
    }
    "#);
    assert_eq!(events, ["map-reshape"]);
}

#[test]
fn a_split_map_becomes_a_nest() {
    let (after, events) = read(&format!("{MAP} let v: [m][2]i64 = reshape as"), "[2]i64", "m");
    insta::assert_snapshot!(after, @r#"
    let v10: [m_1][2]i32 = reshape ys_7
    let v11: i64 = convert i64 2i64
    let v12: i64 = mul 3i64 v11
    let v_13: [m_1][2]i64 = screma m_1 {
      from v10, iota 5i64 v12
      map \(e_14: [2]i32, i_15: i64) -> {
        let v16: [2]i64 = screma 2i64 {
          from e_14, iota i_15 3i64
          map \(e_17: i32, i_18: i64) -> {
            let f_19: i64 = convert i64 e_17
            let g_20: i64 = add f_19 i_18
            in g_20
          }
          to map
        }
        in v16
      }
      to map
    }
    "#);
    assert_eq!(events, ["map-reshape"]);
}

#[test]
fn inner_slices_shrink_the_inner_map() {
    let (after, events) =
        rewrite(&format!("{NEST} let v: [2]i32 = slice as[3 : 2 : 1, m]"), "v", "r: [2]i32");
    insta::assert_snapshot!(after, @r#"
    let t_9: [n_0][m_1]i32 = scratch
    let us_10: [m_1]i32 = scratch
    let v11: [2]i32 = slice ys_7[3i64 : 2i64 : 1i64]
    let v12: [2]i32 = slice t_9[3i64 : 2i64 : 1i64, m_1]
    let g_13: i32 = us_10[m_1]
    let v14: i32 = convert i32 3i64
    let v15: i32 = mul v14 2i32
    let v16: i32 = add 1i32 v15
    let v17: i32 = convert i32 1i64
    let v18: i32 = mul v17 2i32
    let v19: i32 = convert i32 m_1
    let v20: i32 = mul v19 3i32
    let v21: i32 = add v16 v20
    let v_22: [2]i32 = screma 2i64 {
      from v11, v12, iota v21 v18
      map \(q_23: i32, e_24: i32, j_25: i32) -> {
        let h_26: i32 = add e_24 g_13
        let k_27: i32 = add j_25 q_23
        let l_28: i32 = mul h_26 k_27
        in l_28
      }
      to map
    }
    in v_22
    "#);
    assert_eq!(events, ["map-slice"]);
}

#[test]
fn a_check_moves_to_the_sources_of_the_map() {
    let stms = format!("{MAP} let (k: i64, v: [k]i64) = assert c (m, as) \"sizes\"");
    let (after, events) = read(&stms, "i64", "k");
    let expected = "\
let (k_10: i64, ys_11: [k_10]i32) = assert c_2 (m_1, ys_7) \"sizes\"
let v_12: [k_10]i64 = screma k_10 {
  from ys_11, iota 5i64 3i64";
    assert!(after.starts_with(expected), "{after}");
    assert_eq!(events, ["map-check"]);
}

#[test]
fn views_of_views_move_one_after_the_other() {
    let stms = format!(
        "{MAP} let k: [m]i64 = assert c (as) \"sizes\" let h9: i64 = mul m 2 let v: [h9][2]i64 = reshape k"
    );
    assert_eq!(read(&stms, "[2]i64", "h9").1, ["map-check", "map-reshape"]);
}

#[test]
fn each_premise_is_required() {
    let slice = "let v: [m]i64 = slice as[9 : m : 2]";
    for (stms, premise) in [
        (format!("{} {slice}", MAP.replace("to map", "scan \\(s: i64, t: i64) -> s (0) to map")), "one-map"),
        (format!("{MAP} {slice} let w: i64 = as[0]"), "used-once"),
        (format!("{MAP} {}", slice.replace(": 2]", ": 0]")), "no-repeat"),
        (format!("{MAP} {}", slice.replace(": 2]", ": m]")), "no-repeat"),
        (
            format!("{} let zs: [n]i32 = xs with [0] = y {slice}", MAP.replace("from ys", "from xs")),
            "no-consumption-between",
        ),
    ] {
        assert_eq!(rewrite(&stms, "v", "r: [m]i64").1, [format!("map-slice refused: {premise}")], "{stms}");
    }
    for second in ["let w: [m]i32 = slice bs[2 : m : 1]", "let w: i32 = bs[1]"] {
        let stms = format!("{BOTH} let v: [m]i32 = slice as[1 : m : 1] {second}");
        let events = rewrite(&stms, "v", "r: [m]i32").1;
        assert!(events.iter().all(|event| event == "map-slice refused: same-view"), "{events:?}");
        assert!(!events.is_empty(), "{stms}");
    }
}

#[test]
fn imperfect_nests_stay() {
    let rows = "let as: [n][n]i32 = screma n { from iota 0 1 map \\(i: i64) -> ys to map }";
    for (dims, event) in [("0 : n : 1", "map-slice"), ("1 : m : 1", "map-slice refused: perfect-nest")] {
        let size = dims.split(' ').nth(2).unwrap_or_default();
        let slice = format!("let v: [m][{size}]i32 = slice as[2 : m : 1, {dims}]");
        assert_eq!(rewrite(&format!("{rows} {slice}"), "v", &format!("r: [m][{size}]i32")).1, [event]);
    }
    let turned = "let v: [m][n]i32 = rearrange as (1, 0)";
    for (old, new) in [
        ("let r0", "let q2: i32 = mul q q let r0"),
        (
            "to map\n        }\n        in r0",
            "scan \\(s1: i32, s2: i32) -> s1 (0i32) to map\n        }\n        in r0",
        ),
        ("iota i 3i32", "iota q 3i32"),
        ("iota i 3i32", "iota 3i32 i"),
    ] {
        assert!(NEST.contains(old), "{old}");
        let (_, events) = read(&format!("{} {turned}", NEST.replace(old, new)), "[n]i32", "m");
        assert_eq!(events, ["map-rearrange refused: perfect-nest"], "{new}");
    }
    // An array over one of two dimensions cannot be indexed by two other ones.
    let cut = "let k8: i64 = add n 0 let k9: i64 = add m 0 let v: [k9][k8]i32 = reshape as";
    let (_, events) = read(&format!("{NEST} {cut}"), "[k8]i32", "k9");
    assert_eq!(events, ["map-reshape refused: perfect-nest"]);
}

#[test]
fn a_view_must_be_read_by_a_construct_and_a_check_be_of_an_array() {
    for (view, ty, rule) in [
        ("let v: [m][n]i32 = rearrange as (1, 0)", "[m][n]i32", "map-rearrange"),
        ("let v: [m]i32 = reshape as", "[m]i32", "map-reshape"),
    ] {
        let refused = format!("{rule} refused: pointwise");
        assert_eq!(rewrite(&format!("{NEST} {view}"), "v", &format!("r: {ty}")).1, [refused.as_str()]);
    }
    let check = "let v: [m]i64 = assert c (as) \"sizes\"";
    let refused = |premise: &str| [format!("map-check refused: {premise}")];
    assert_eq!(rewrite(&format!("{MAP} {check}"), "v", "r: [m]i64").1, refused("pointwise"));
    let counted = MAP.replace("from ys, iota 5i64 3i64", "from iota 0i32 1i32, iota 5i64 3i64");
    assert_eq!(read(&format!("{counted} {check}"), "i64", "m").1, refused("checked-source"));
    let rows = "let as: [n][n]i32 = screma n { from xs map \\(e: i32) -> { let f: [n]i32 = replicate n e in f } to map }
        let v: [n][m]i32 = assert c (as) \"sizes\"";
    assert_eq!(read(rows, "[m]i32", "n").1, refused("outer-size"));
}

/// Maps without sources cannot depend on the check of a slice.
#[test]
fn maps_without_sources_cannot_depend_on_the_check_of_a_slice() {
    let part = |source: &str, dims: &str| {
        let stms = format!(
            "let (s: i64, l: i64) = assert c (m, 3) \"part\"
             let as: [n]i64 = screma n {{ from {source} map \\(i: i64) -> {{ let g: i64 = mul i 2 in g }} to map }}
             let v: [3]i64 = slice as[{dims}]"
        );
        rewrite(&stms, "v", "r: [3]i64").1
    };
    assert_eq!(part("iota 0 1", "s : 3 : 1"), ["map-slice"]);
    assert_eq!(part("iota 0 1", "0 : 3 : 1"), ["map-slice"]);
    let nothing = "let s: i64 = assert c (m) \"part\"
        let as: [n]i32 = screma n { from ys map \\(e: i32) -> x to map }
        let v: [3]i32 = slice as[s : 3 : 1]";
    assert_eq!(rewrite(nothing, "v", "r: [3]i32").1, ["map-slice refused: checked-source"]);
    let unchecked = nothing.replace("assert c (m) \"part\"", "add m 1");
    assert_eq!(rewrite(&unchecked, "v", "r: [3]i32").1, ["map-slice"]);
}

/// The result of the pass on a map that reads `ys` by index, with a check that returns `s` and `l` for `m` and 3; `v`
/// is a view of the map's result.
fn at_a_point(inside: &str, view: &str) -> String {
    let stms = format!(
        "let (s: i64, l: i64) = assert c (m, 3) \"part\"
         let as: [n]i32 = screma n {{ from ys map \\(e: i32) -> {{ {inside} let g: i32 = add e f in g }} to map }}
         {view}"
    );
    let (text, events) = read(&stms, "i32", "l");
    assert!(events.iter().any(|event| event.starts_with("map-")), "{events:?}");
    text
}

#[test]
fn indices_depend_on_the_check_of_the_view() {
    let checked = |text: &str| text.matches("assert c_2").count() - 1;
    let views = ["let v: [l]i32 = slice as[s : l : 1]", "let v: [l]i32 = slice as[0 : l : 1]"];
    for view in views {
        for inside in [
            "let f: i32 = ys[k]",
            "let f: i32 = div x y",
            "let f: i32 = if c then { let h: i32 = ys[k] in h } else x",
            "let h: [n]i32 = slice ys[k : n : 1] let f: i32 = x",
        ] {
            let text = at_a_point(&format!("let k: i64 = sub n 1 {inside}"), view);
            assert_eq!(checked(&text), 1, "{text}");
        }
        assert_eq!(checked(&at_a_point("let k: i64 = sub n 1 let f: i32 = mul x y", view)), 0);
    }
    // A view without checks needs no guard.
    let stms = "let as: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = ys[0] in f } to map }
        let v: [m]i32 = slice as[0 : m : 1]";
    assert!(!read(stms, "i32", "m").0.contains("assert"));
}

#[test]
fn indices_depend_on_a_check_that_moves() {
    let stms = "let as: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = ys[0] let g: i32 = add e f in g } to map }
        let v: [m]i32 = assert c (as) \"size\"";
    let (text, events) = read(stms, "i32", "m");
    assert!(text.contains("= assert c_2 (0i64) \"size\""), "{text}");
    assert_eq!(events, ["map-check"]);
}

/// The size product is checked for overflow, and its factors for being sizes.
#[test]
fn indices_depend_on_the_checks_of_a_reshape() {
    let stms = "let s: i64 = assert c (n) \"large\" let l: i64 = assert c2 (m) \"negative\"
        let zs: [s]i32 = scratch
        let as: [s]i32 = screma s { from zs map \\(e: i32) -> { let f: i32 = ys[0] let g: i32 = add e f in g } to map }
        let v: [l][2]i32 = reshape as";
    let stms = format!("let c2: bool = le 0 m {stms}");
    let reader = "let w: [l]i32 = screma l { from v map \\(row: [2]i32) -> x to map }";
    let (text, events) = rewrite(&format!("{stms} {reader}"), "(l, w)", "q9: i64, r: [q9]i32");
    assert_eq!(text.matches("\"large\"").count(), 2, "{text}");
    assert_eq!(text.matches("\"negative\"").count(), 2, "{text}");
    assert_eq!(events, ["map-reshape"]);
}
