use super::PASS;
use crate::testing::{statements, trace, within};

fn rewrite(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

const MAP: &str =
    "let as: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = mul e x in f } to map }";

/// A reduction of an array, with names of its own.
fn sum(name: &str, array: &str, width: &str) -> String {
    format!(
        "let {name}: i32 = screma {width} {{ from {array} map \\({name}1: i32) -> {name}1
           to reduce \\({name}2: i32, {name}3: i32) -> {{ let {name}4: i32 = add {name}2 {name}3 in {name}4 }} (0i32) }}"
    )
}

fn both() -> String {
    format!(
        "let r2: i32 = if c then {{ {} in g }} else {{ {} let j: i32 = add h 1i32 in j }}",
        sum("g", "as", "n"),
        sum("h", "as", "n")
    )
}

#[test]
fn producers_read_in_both_sides_move_into_both() {
    let (after, events) = rewrite(&format!("{MAP} {}", both()), "r2", "r: i32");
    insta::assert_snapshot!(after, @r#"
    let r2_9: i32 = if c_2 then {
      let as_10: [n_0]i32 = screma n_0 {
        from ys_7
        map \(e_11: i32) -> {
          let f_12: i32 = mul e_11 x_3
          in f_12
        }
        to map
      }
      let g_13: i32 = screma n_0 {
        from as_10
        map \(g1_14: i32) -> g1_14
        to reduce \(g2_15: i32, g3_16: i32) -> {
          let g4_17: i32 = add g2_15 g3_16
          in g4_17
        } (0i32)
      }
      in g_13
    } else {
      let as_18: [n_0]i32 = screma n_0 {
        from ys_7
        map \(e_19: i32) -> {
          let f_20: i32 = mul e_19 x_3
          in f_20
        }
        to map
      }
      let h_21: i32 = screma n_0 {
        from as_18
        map \(h1_22: i32) -> h1_22
        to reduce \(h2_23: i32, h3_24: i32) -> {
          let h4_25: i32 = add h2_23 h3_24
          in h4_25
        } (0i32)
      }
      let j_26: i32 = add h_21 1i32
      in j_26
    }
    in r2_9
    "#);
    assert_eq!(events, ["map-branch"]);
}

/// A branch with arrays of two sizes.
const SIDES: &str = "
    let (k: i64, s: i32, vs: [k]i32) = if c then {
      let bs: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = mul e x in f } to map }
      in (n, x, bs)
    } else {
      let ds: [m]i32 = slice ys[0 : m : 1]
      in (m, y, ds)
    }";

#[test]
fn consumers_of_a_branch_move_into_its_sides() {
    let reader = sum("g", "vs", "k").replace("-> g1", "-> { let g5: i32 = mul g1 s in g5 }");
    let (after, events) = rewrite(&format!("{SIDES} {reader}"), "(k, s, g)", "r: i64, r1: i32, r2: i32");
    insta::assert_snapshot!(after, @r#"
    let (k_11: i64, s_12: i32, g_13: i32) = if c_2 then {
      let bs_14: [n_0]i32 = screma n_0 {
        from ys_7
        map \(e_15: i32) -> {
          let f_16: i32 = mul e_15 x_3
          in f_16
        }
        to map
      }
      let g_17: i32 = screma n_0 {
        from bs_14
        map \(g1_18: i32) -> {
          let g5_19: i32 = mul g1_18 x_3
          in g5_19
        }
        to reduce \(g2_20: i32, g3_21: i32) -> {
          let g4_22: i32 = add g2_20 g3_21
          in g4_22
        } (0i32)
      }
      in (n_0, x_3, g_17)
    } else {
      let ds_23: [m_1]i32 = slice ys_7[0i64 : m_1 : 1i64]
      let g_24: i32 = screma m_1 {
        from ds_23
        map \(g1_25: i32) -> {
          let g5_26: i32 = mul g1_25 y_4
          in g5_26
        }
        to reduce \(g2_27: i32, g3_28: i32) -> {
          let g4_29: i32 = add g2_27 g3_28
          in g4_29
        } (0i32)
      }
      in (m_1, y_4, g_24)
    }
    in (k_11, s_12, g_13)
    "#);
    assert_eq!(events, ["branch-map"]);
}

#[test]
fn mapped_results_of_both_sides_are_results_of_the_branch() {
    let reader =
        "let o: [k]i32 = screma k { from vs map \\(g1: i32) -> { let g2: i32 = add g1 y in g2 } to map }";
    let (after, events) = rewrite(&format!("{SIDES} {reader}"), "(k, o)", "r: i64, r2: [r]i32");
    assert!(after.contains("let (k_10: i64, s_11: i32, o_12: [k_10]i32) = if c_2 then {"), "{after}");
    assert_eq!(events, ["branch-map"]);
}

#[test]
fn every_premise_of_map_branch_alone() {
    let refused = |premise: &str| [format!("map-branch refused: {premise}")];
    let events = |stms: String| rewrite(&stms, "r2", "r: i32").1;
    let whole = both().replace("add h 1i32", "add h z").replace("let j", "let z: i32 = as[0] let j");
    assert_eq!(events(format!("{MAP} {whole}")), refused("pointwise"));
    assert_eq!(events(format!("{MAP} let z: i32 = as[0] {}", both())), refused("used-once"));
    let scatter =
        MAP.replace("-> { let f", "-> { let at: i64 = convert i64 e let f").replace("in f }", "in (at, f) }");
    let scatter = scatter.replace("to map", "to write xs rank 1");
    assert_eq!(events(format!("{scatter} {}", both())), refused("consumes-nothing"));
    let two = MAP.replace("let as: [n]i32", "let (as: [n]i32, t: [n]i32)").replace("in f }", "in (f, f) }");
    let two = two.replace("to map", "to map to map");
    assert_eq!(events(format!("{two} let z: i32 = t[0] {}", both())), refused("used-once"));
    let between = format!("{} let zs: [n]i32 = xs with [0] = y", MAP.replace("from ys", "from xs"));
    let side = both().replace("add h 1i32", "add h z").replace("let j", "let z: i32 = zs[0] let j");
    assert_eq!(events(format!("{between} {side}")), refused("no-consumption-between"));
}

#[test]
fn every_premise_of_branch_map_alone() {
    let refused = |premise: &str| [format!("branch-map refused: {premise}")];
    let events = |stms: String| rewrite(&stms, "g", "r: i32").1;
    let reader = sum("g", "vs", "k");
    let whole = reader.replace("-> g1", "-> { let g5: i32 = vs[0] in g5 }");
    assert_eq!(events(format!("{SIDES} {whole}")), refused("pointwise"));
    assert_eq!(events(format!("{SIDES} {reader} let z: i32 = vs[0]")), refused("used-once"));
    let writer = "let us: [n]i32 = screma k { from vs map \\(g1: i32) -> { let at: i64 = convert i64 g1 in (at, g1) } to write xs rank 1 } let g: i32 = us[0]";
    assert_eq!(events(format!("{SIDES} {writer}")), refused("consumes-nothing"));
    let given = "let vs: [n]i32 = if c then { let z: i32 = add x y in xs } else ys";
    assert_eq!(events(format!("{given} {}", sum("g", "vs", "n"))), refused("produced-in-branch"));
    let later = reader.replace("-> g1", "-> { let g5: i32 = mul g1 z in g5 }");
    assert_eq!(events(format!("{SIDES} let z: i32 = add s 1i32 {later}")), refused("independent"));
    let reads = SIDES.replace("from ys", "from xs");
    let between = "let zs: [n]i32 = xs with [0] = y";
    let needs = reader.replace("-> g1", "-> { let g5: i32 = zs[0] in g5 }");
    assert_eq!(events(format!("{reads} {between} {needs}")), refused("no-consumption-between"));
}

#[test]
fn producers_read_in_one_side_are_left_to_sink() {
    let one = format!("let r2: i32 = if c then {{ {} in g }} else y", sum("g", "as", "n"));
    assert_eq!(rewrite(&format!("{MAP} {one}"), "r2", "r: i32").1, [""; 0]);
}
