use super::PASS;
use crate::pipeline::PIPELINE;
use crate::testing::{optimise, statements, trace, within};

fn fused(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

/// The elements of `ys` that are greater than `x`.
const FILTER: &str = "
let (zs: [n]i32, k: i64) = screma n {
  from ys
  map \\(e: i32) -> { let mark: bool = lt x e let one: i64 = convert i64 mark in (one, mark, e) }
  scan \\(a: i64, b: i64) -> { let d: i64 = add a b in d } (0)
  post \\(count: i64, chosen: bool, f: i32) -> {
    let same: i64 = convert i64 chosen
    let at: i64 = if chosen then { let g: i64 = sub count 1 in g } else -1
    in (at, f, same)
  }
  to write xs rank 1
  to reduce \\(h: i64, i: i64) -> { let j: i64 = add h i in j } (0)
}
let vs: [k]i32 = slice zs[0 : k : 1]";

const SUM: &str = "
let s: i32 = screma k {
  from vs
  map \\(l: i32) -> { let o: i32 = mul l l in o }
  to reduce \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
}";

const MAP: &str =
    "let rs: [k]i32 = screma k { from vs map \\(l: i32) -> { let o: i32 = mul l l in o } to map }";

/// A filter that reads `width` elements of `from`, and writes those for which `mark` holds into `room`. All its names end
/// in the number, so that several filters fit into one program.
fn filter(number: usize, (from, width): (&str, &str), room: &str, mark: &str) -> String {
    let text = format!(
        "
let (zN: [{width}]i32, kN: i64) = screma {width} {{
  from {from}
  map \\(eN: i32) -> {{ let mN: bool = {mark} let oN: i64 = convert i64 mN in (oN, mN, eN) }}
  scan \\(aN: i64, bN: i64) -> {{ let dN: i64 = add aN bN in dN }} (0)
  post \\(nN: i64, cN: bool, fN: i32) -> {{
    let sN: i64 = convert i64 cN
    let tN: i64 = if cN then {{ let gN: i64 = sub nN 1 in gN }} else -1
    in (tN, fN, sN)
  }}
  to write {room} rank 1
  to reduce \\(hN: i64, iN: i64) -> {{ let jN: i64 = add hN iN in jN }} (0)
}}
let vN: [kN]i32 = slice zN[0 : kN : 1]"
    );
    text.replace('N', &number.to_string())
}

/// A second filter, of the elements that [`FILTER`] keeps: those less than `y`.
fn second() -> String {
    format!("\nlet room: [k]i32 = scratch{}", filter(2, ("vs", "k"), "room", "lt eN y"))
}

#[test]
fn filter_reduce() {
    let after = "\
let (s_9: i32, zs_10: [n_0]i32, k_11: i64) = screma n_0 {
  from ys_7
  map \\(e_12: i32) -> {
    let mark_13: bool = lt x_3 e_12
    let one_14: i64 = convert i64 mark_13
    let o_15: i32 = if mark_13 then {
      let o_16: i32 = mul e_12 e_12
      in o_16
    } else 0i32
    in (one_14, mark_13, e_12, o_15)
  }
  scan \\(a_17: i64, b_18: i64) -> {
    let d_19: i64 = add a_17 b_18
    in d_19
  } (0i64)
  post \\(count_20: i64, chosen_21: bool, f_22: i32, v23: i32) -> {
    let same_24: i64 = convert i64 chosen_21
    let at_25: i64 = if chosen_21 then {
      let g_26: i64 = sub count_20 1i64
      in g_26
    } else -1i64
    in (v23, at_25, f_22, same_24)
  }
  to reduce \\(p_27: i32, q_28: i32) -> {
    let w_29: i32 = add p_27 q_28
    in w_29
  } (0i32)
  to write xs_6 rank 1
  to reduce \\(h_30: i64, i_31: i64) -> {
    let j_32: i64 = add h_30 i_31
    in j_32
  } (0i64)
}
let vs_33: [k_11]i32 = slice zs_10[0i64 : k_11 : 1i64]
in s_9";
    let result = fused(&format!("{FILTER} {SUM}"), "s", "r: i32");
    assert_eq!(result, (after.to_owned(), vec!["filter-reduce".to_owned()]));
}

#[test]
fn filter_map() {
    let (after, events) = fused(&format!("{FILTER} {MAP}"), "(k, rs)", "r: i64, r2: [r]i32");
    assert_eq!(events, ["filter-map"], "{after}");
    assert!(after.starts_with("let rs_10: [n_0]i32 = scratch\nlet (rs_11: [n_0]i32, zs_12: "), "{after}");
    let end = "
    in (at_27, v25, at_27, f_24, same_26)
  }
  to write rs_10 rank 1
  to write xs_6 rank 1
  to reduce ";
    assert!(after.contains(end), "{after}");
    assert!(after.contains("\nlet rs_32: [k_13]i32 = slice rs_11[0i64 : k_13 : 1i64]\n"), "{after}");
}

#[test]
fn filter_scan() {
    let scan =
        MAP.replace("to map", "scan \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32) to map");
    let (after, events) = fused(&format!("{FILTER} {scan}"), "(k, rs)", "r: i64, r2: [r]i32");
    assert_eq!(events, ["filter-scan"], "{after}");
    assert_eq!((after.matches("  scan ").count(), after.matches("to write").count()), (2, 2), "{after}");
    assert!(after.contains("} else 0i32\n    in (one_16, o_17, mark_15, e_14)\n"), "{after}");
}

#[test]
fn filter_filter_is_a_filter() {
    let (after, events) = fused(&format!("{FILTER} {}", second()), "(k2, v2)", "r: i64, r2: [r]i32");
    assert_eq!(events, ["filter-filter"], "{after}");
    assert!(after.contains("} else (0i64, false)\n"), "{after}");
    let last = SUM.replace("screma k ", "screma k2 ").replace("from vs", "from v2");
    let text = optimise(PIPELINE, &within(&format!("{FILTER} {} {last}", second()), "s", "r: i32"));
    assert_eq!(text.matches("= screma").count(), 1, "{text}");
    assert!(!text.contains("  scan ") && !text.contains("write") && !text.contains("slice"), "{text}");
}

#[test]
fn elements_not_kept_become_the_neutral_element() {
    let product = SUM.replace("add p q", "mul p q").replace("(0i32)", "(1i32)");
    let (after, events) = fused(&format!("{FILTER} {product}"), "s", "r: i32");
    assert_eq!(events, ["filter-reduce"]);
    assert!(after.contains("} else 1i32\n"), "{after}");
}

/// The neutral element of the sum is the value of a dropped element, 0. The product and the maximum need a select.
#[test]
fn values_without_the_right_neutral_element_are_selected_at_the_end() {
    let consumer = "
        let (s: i32, t: i32, v: i32) = screma k {
          from vs
          map \\(l: i32) -> (l, l)
          scan \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
          post \\(sum: i32, own: i32) -> (own, own, sum)
          to reduce \\(p2: i32, q2: i32) -> { let w2: i32 = add p2 q2 in w2 } (0i32)
          to reduce \\(p3: i32, q3: i32) -> { let w3: i32 = mul p3 q3 in w3 } (1i32)
          to reduce \\(p4: i32, q4: i32) -> { let w4: i32 = max p4 q4 in w4 } (0i32)
        }";
    let (after, events) = fused(&format!("{FILTER} {consumer}"), "(s, t, v)", "r: i32, r2: i32, r3: i32");
    assert_eq!(events, ["filter-scan"]);
    let end = "
    let own_35: i32 = if chosen_29 then own_31 else 1i32
    let sum_36: i32 = if chosen_29 then sum_28 else 0i32
    in (own_31, own_35, sum_36, ";
    assert!(after.contains(end), "{after}");
}

/// The events for a filter and the statements after it.
fn events(before: &str) -> Vec<String> {
    let (result, ty) = if before.contains("let s: i32") { ("s", "r: i32") } else { ("k", "r: i64") };
    fused(before, result, ty).1
}

/// Checks that the filter fuses with the good consumer, and that the bad one is refused for this premise.
fn refused(premise: &str, rule: &str, good: &str, bad: &str) {
    let given = |stms: &str| events(&format!("{FILTER} {stms}"));
    assert_eq!(given(good), [rule], "{good}");
    assert_eq!(given(bad), [format!("{rule} refused: {premise}")], "{bad}");
}

#[test]
fn premise_kept_in_order() {
    assert_eq!(events(&format!("{FILTER} {SUM}")), ["filter-reduce"]);
    for (part, instead) in [
        ("sub count 1", "sub count 2"),
        ("sub count 1", "add count 1"),
        ("sub count 1", "sub 1 count"),
        ("else -1", "else 0"),
        ("if chosen then", "if c then"),
        ("add a b", "mul a b"),
        ("add a b", "add a a"),
        ("in d } (0)", "in d } (1)"),
        ("add h i", "max h i"),
        ("in j } (0)", "in j } (1)"),
        ("in (one, mark, e)", "let other: bool = lt y e in (one, other, e)"),
        ("convert i64 mark", "convert i64 e"),
        ("let same: i64 = convert i64 chosen", "let same: i64 = convert i64 f"),
        ("in (at, f, same)", "in (at, f, count)"),
        ("in (at, f, same)", "let late: i32 = add f 1i32 in (at, late, same)"),
        ("let at: i64 = if chosen", "let no: bool = not chosen let at: i64 = if no"),
    ] {
        assert!(FILTER.contains(part), "{part}");
        let filter = FILTER.replace(part, instead);
        assert_eq!(
            events(&format!("{filter} {SUM}")),
            ["filter-reduce refused: kept-in-order"],
            "{part} -> {instead}"
        );
    }
}

/// Sources written to other positions.
#[test]
fn premise_kept_in_order_of_all_that_is_read() {
    let two = FILTER
        .replace("let (zs: [n]i32, ", "let ws: [n]i32 = scratch let (zs: [n]i32, us: [n]i32, ")
        .replace("in (at, f, same)", "in (at, f, OTHER, f, same)")
        .replace("to reduce", "to write ws rank 1 to reduce");
    let sum = SUM.replace("from vs", "from vs, ts").replace("(l: i32)", "(l: i32, l2: i32)");
    let events = |other: &str| {
        let filter = two.replace("OTHER", other);
        events(&format!("{filter} let ts: [k]i32 = slice us[0 : k : 1] {sum}"))
    };
    assert_eq!(events("at"), ["filter-reduce"]);
    assert_eq!(events("count"), ["filter-reduce refused: kept-in-order"]);
}

/// A branch that computes the count and the mark of an element must count exactly the marked elements in both sides.
#[test]
fn premise_kept_in_order_of_a_second_filter() {
    let filter = |then: &str, otherwise: &str| {
        let branch = format!(
            "let (one: i64, mark: bool) = if c then {{
               let m3: bool = lt x e let o3: i64 = convert i64 m3 let two: i64 = add o3 1 in {then}
             }} else {otherwise}"
        );
        FILTER.replace("let mark: bool = lt x e let one: i64 = convert i64 mark", &branch)
    };
    assert_eq!(events(&format!("{} {SUM}", filter("(o3, m3)", "(0, false)"))), ["filter-reduce"]);
    for (then, otherwise) in [
        ("(two, m3)", "(0, false)"),
        ("(o3, m3)", "(1, false)"),
        ("(o3, m3)", "(0, true)"),
        ("(o3, c)", "(0, false)"),
    ] {
        let events = events(&format!("{} {SUM}", filter(then, otherwise)));
        assert_eq!(events, ["filter-reduce refused: kept-in-order"], "{then} {otherwise}");
    }
}

#[test]
fn other_slices_of_the_written_array_are_not_the_kept_elements() {
    for view in ["slice zs[1 : k : 1]", "slice zs[0 : k : -1]", "slice zs[0 : k : 0]"] {
        let filter = FILTER.replace("slice zs[0 : k : 1]", view);
        assert_eq!(events(&format!("{filter} {SUM}")), [""; 0], "{view}");
    }
}

#[test]
fn premise_one_filter() {
    let good = SUM.replace("from vs", "from vs, vs").replace("(l: i32)", "(l: i32, l2: i32)");
    refused("one-filter", "filter-reduce", &good, &good.replace("vs, vs", "vs, iota 0i32 1i32"));
    let other = format!("let us: [k]i32 = slice ys[0 : k : 1] {good}");
    refused("one-filter", "filter-reduce", &other, &other.replace("vs, vs", "vs, us"));
}

#[test]
fn premise_only_as_source() {
    let bad = SUM.replace("mul l l", "vs[0]");
    refused("pointwise", "filter-reduce", &bad.replace("vs[0]", "ys[0]"), &bad);
}

/// A histogram of the kept elements, with `m` bins.
const BINS: &str = "
let bins: [m]i32 = replicate m y
let rs: [m]i32 = screma k {
  from vs map \\(l: i32) -> { let o: i64 = convert i64 l in (o, l) }
  to combine (bins) \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
}";

#[test]
fn kept_elements_are_combined_and_others_are_not() {
    let (after, events) = fused(&format!("{FILTER} {BINS}"), "rs", "r: [m]i32");
    assert_eq!(events, ["filter-combine"]);
    insta::assert_snapshot!(after, @r#"
    let bins_9: [m_1]i32 = replicate m_1 y_4
    let (rs_10: [m_1]i32, zs_11: [n_0]i32, k_12: i64) = screma n_0 {
      from ys_7
      map \(e_13: i32) -> {
        let mark_14: bool = lt x_3 e_13
        let one_15: i64 = convert i64 mark_14
        let o_16: i64 = if mark_14 then {
          let o_17: i64 = convert i64 e_13
          in o_17
        } else -1i64
        in (one_15, mark_14, e_13, o_16, e_13)
      }
      scan \(a_18: i64, b_19: i64) -> {
        let d_20: i64 = add a_18 b_19
        in d_20
      } (0i64)
      post \(count_21: i64, chosen_22: bool, f_23: i32, v24: i64, v25: i32) -> {
        let same_26: i64 = convert i64 chosen_22
        let at_27: i64 = if chosen_22 then {
          let g_28: i64 = sub count_21 1i64
          in g_28
        } else -1i64
        in (v24, v25, at_27, f_23, same_26)
      }
      to combine (bins_9) \(p_29: i32, q_30: i32) -> {
        let w_31: i32 = add p_29 q_30
        in w_31
      } (0i32)
      to write xs_6 rank 1
      to reduce \(h_32: i64, i_33: i64) -> {
        let j_34: i64 = add h_32 i_33
        in j_34
      } (0i64)
    }
    let vs_35: [k_12]i32 = slice zs_11[0i64 : k_12 : 1i64]
    in rs_10
    "#);
    let whole = optimise(PIPELINE, &within(&format!("{FILTER} {BINS}"), "rs", "r: [m]i32"));
    assert_eq!((whole.matches("scan ").count(), whole.matches("to write").count()), (0, 0), "{whole}");
}

#[test]
fn kept_elements_are_written_into_other_arrays() {
    let written = BINS.replace(
        "to combine (bins) \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)",
        "to write bins rank 1",
    );
    assert_eq!(events(&format!("{FILTER} {written}")), ["filter-write"]);
}

#[test]
fn premise_used_once() {
    let twice = format!("{BINS} let v1: i32 = OTHER[0]");
    refused("used-once", "filter-combine", &twice.replace("OTHER", "ys"), &twice.replace("OTHER", "vs"));
    refused("used-once", "filter-combine", &twice.replace("OTHER", "ys"), &twice.replace("OTHER", "zs"));
}

#[test]
fn premise_target_not_read() {
    let copied = format!("let ws: [n]i32 = copy ys {}", FILTER.replace("from ys", "from ws"));
    let bins = BINS.replace("bins: [m]i32 = replicate m y", "bins: [n]i32 = slice ws[0 : n : 1]");
    let bins = bins.replace("rs: [m]i32", "rs: [n]i32");
    assert_eq!(events(&format!("{copied} {bins}")), ["filter-combine refused: target-not-read"]);
    let other = bins.replace("slice ws[0 : n : 1]", "replicate n y");
    assert_eq!(events(&format!("{copied} {other}")), ["filter-combine"]);
}

/// A target as long as the kept elements exists only after the filter, unless it is fresh.
#[test]
fn premise_independent_of_targets() {
    assert_eq!(events(&format!("{FILTER} {}", second())), ["filter-filter"]);
    let other = second().replace("= scratch", "= replicate k y");
    assert_eq!(events(&format!("{FILTER} {other}")), ["filter-write refused: independent"]);
    let before = second().replace("let (z2", "let z9: i32 = USED let (z2");
    assert_eq!(events(&format!("{FILTER} {}", before.replace("USED", "ys[0]"))), ["filter-filter"]);
    let used = events(&format!("{FILTER} {}", before.replace("USED", "room[0]")));
    assert_eq!(used, ["filter-write refused: independent"]);
}

#[test]
fn premise_independent() {
    let bad = SUM.replace("mul l l", "convert i32 k");
    refused("independent", "filter-reduce", &bad.replace("i32 k", "i32 n"), &bad);
    let typed = SUM.replace("let o: i32 = mul l l", "let t: [k]i32 = scratch let o: i32 = t[0]");
    refused("independent", "filter-reduce", &typed.replace("[k]", "[n]"), &typed);
    let neutral =
        MAP.replace("to map", "to map to reduce \\(p: i64, q: i64) -> { let w: i64 = max p q in w } (k)");
    let neutral =
        neutral.replace("let rs: [k]i32", "let (rs: [k]i32, t: i64)").replace("in o }", "in (o, n) }");
    refused("independent", "filter-reduce", &neutral.replace("(k)", "(n)"), &neutral);
    let later = format!("let k3: i64 = add k 1 {}", SUM.replace("mul l l", "convert i32 k3"));
    refused("independent", "filter-reduce", &later.replace("add k 1", "add n 1"), &later);
}

#[test]
fn premise_speculatable() {
    let bad = MAP.replace(
        "to map",
        "scan \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
         post \\(r3: i32) -> { let r4: i32 = div x r3 in r4 } to map",
    );
    refused("speculatable", "filter-scan", &bad.replace("div x", "sub x"), &bad);
}

#[test]
fn premise_scalars() {
    let good = SUM.replace("let o: i32 = mul l l", "let t: [n]i32 = replicate n l let o: i32 = t[0]");
    let bad = "let rs: [k][n]i32 = screma k { from vs map \\(l: i32) -> { let t: [n]i32 = replicate n l in t } to map }";
    assert_eq!(events(&format!("{FILTER} {good}")), ["filter-reduce"]);
    refused("scalars", "filter-map", MAP, bad);
}

/// The consumer needs an array that was produced by consuming a source of the filter.
#[test]
fn premise_no_consumption_between() {
    let filter = format!("let ws: [n]i32 = copy ys {}", FILTER.replace("from ys", "from ws"));
    let between = "let q3: [n]i32 = ws with [0] = y";
    let bad = format!("{filter} {between} {}", SUM.replace("mul l l", "q3[0]"));
    assert_eq!(events(&bad), ["filter-reduce refused: no-consumption-between"]);
    assert_eq!(events(&bad.replace("q3[0] ", "ys[0] ")), ["filter-reduce"]);
}

/// A fused filter, and the users of its results, depend on all that the filter depends on.
#[test]
fn a_view_of_a_fused_array_stays_after_its_dependences() {
    let filtered = filter(3, ("ys", "n"), "r3", "lt least eN");
    let other = format!(
        "
let least: i32 = convert i32 k
let r3: [n]i32 = scratch{filtered}
let w3: [k3]i32 = screma k3 {{ from v3 map \\(l3: i32) -> {{ let p3: i32 = mul l3 y in p3 }} to map }}
let first: i32 = w3[0]"
    );
    let sum = SUM.replace("mul l l", "mul l first");
    let (_, events) = fused(&format!("{FILTER} {other} {sum}"), "s", "r: i32");
    assert_eq!(events, ["filter-map", "filter-reduce refused: independent"]);
}
