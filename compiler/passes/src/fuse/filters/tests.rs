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

/// Those of them that are less than `y`.
const SECOND: &str = "
let room: [k]i32 = scratch
let (z2: [k]i32, k2: i64) = screma k {
  from vs
  map \\(e2: i32) -> { let m2: bool = lt e2 y let o2: i64 = convert i64 m2 in (o2, m2, e2) }
  scan \\(a2: i64, b2: i64) -> { let d2: i64 = add a2 b2 in d2 } (0)
  post \\(n2: i64, c2: bool, f2: i32) -> {
    let s2: i64 = convert i64 c2
    let t2: i64 = if c2 then { let g2: i64 = sub n2 1 in g2 } else -1
    in (t2, f2, s2)
  }
  to write room rank 1
  to reduce \\(h2: i64, i2: i64) -> { let j2: i64 = add h2 i2 in j2 } (0)
}
let v2: [k2]i32 = slice z2[0 : k2 : 1]";

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
    let (after, events) = fused(&format!("{FILTER} {SECOND}"), "(k2, v2)", "r: i64, r2: [r]i32");
    assert_eq!(events, ["filter-filter"], "{after}");
    assert!(after.contains("} else (0i64, false)\n"), "{after}");
    let last = SUM.replace("screma k ", "screma k2 ").replace("from vs", "from v2");
    let text = optimise(PIPELINE, &within(&format!("{FILTER} {SECOND} {last}"), "s", "r: i32"));
    assert_eq!(text.matches("= screma").count(), 1, "{text}");
    assert!(!text.contains("  scan ") && !text.contains("write") && !text.contains("slice"), "{text}");
}

#[test]
fn what_is_not_kept_is_the_neutral_element() {
    let product = SUM.replace("add p q", "mul p q").replace("(0i32)", "(1i32)");
    let (after, events) = fused(&format!("{FILTER} {product}"), "s", "r: i32");
    assert_eq!(events, ["filter-reduce"]);
    assert!(after.contains("} else 1i32\n"), "{after}");
}

/// A sum and a product of the elements, and a sum of what a scan gave.
#[test]
fn what_is_no_blank_by_itself_is_chosen_in_the_end() {
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

/// The events for a filter, something between, and a consumer that gives `s`.
fn events(before: &str) -> Vec<String> {
    fused(before, "s", "r: i32").1
}

/// Holds that the filter fuses with this consumer, and that it does not without the premise.
fn refused(premise: &str, rule: &str, good: &str, bad: &str) {
    let given = |stms: &str| {
        let result = if stms.contains("let s: i32") { "s" } else { "k" };
        let ty = if result == "s" { "r: i32" } else { "r: i64" };
        fused(&format!("{FILTER} {stms}"), result, ty).1
    };
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

/// What is read beside the elements is written to other positions.
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

/// Counts by a branch are those of its mark only if they are on both sides.
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
fn other_parts_of_what_was_written_are_not_what_is_kept() {
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
    refused("only-as-source", "filter-reduce", &bad.replace("vs[0]", "ys[0]"), &bad);
}

#[test]
fn premise_own_target() {
    refused("own-target", "filter-filter", SECOND, &SECOND.replace("= scratch", "= replicate k y"));
    let other = SECOND.replace("room: [k]", "room: [m]").replace("z2: [k]", "z2: [m]");
    refused("own-target", "filter-filter", SECOND, &other);
    let before = SECOND.replace("let (z2", "let z9: i32 = USED let (z2");
    refused(
        "own-target",
        "filter-filter",
        &before.replace("USED", "ys[0]"),
        &before.replace("USED", "room[0]"),
    );
    let combined = "
        let bins: [m]i32 = replicate m y
        let rs: [m]i32 = screma k {
          from vs map \\(l: i32) -> (n, l) to combine (bins) \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
        }";
    refused("own-target", "filter-filter", SECOND, combined);
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
fn premise_harmless_behind_scans() {
    let bad = MAP.replace(
        "to map",
        "scan \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32)
         post \\(r3: i32) -> { let r4: i32 = div x r3 in r4 } to map",
    );
    refused("harmless-behind-scans", "filter-scan", &bad.replace("div x", "sub x"), &bad);
}

#[test]
fn premise_scalars() {
    let good = SUM.replace("let o: i32 = mul l l", "let t: [n]i32 = replicate n l let o: i32 = t[0]");
    let bad = "let rs: [k][n]i32 = screma k { from vs map \\(l: i32) -> { let t: [n]i32 = replicate n l in t } to map }";
    assert_eq!(events(&format!("{FILTER} {good}")), ["filter-reduce"]);
    refused("scalars", "filter-map", MAP, bad);
}

/// The consumer needs an array that was made by destroying what the filter reads.
#[test]
fn premise_no_consumption_between() {
    let filter = format!("let ws: [n]i32 = copy ys {}", FILTER.replace("from ys", "from ws"));
    let between = "let q3: [n]i32 = ws with [0] = y";
    let bad = format!("{filter} {between} {}", SUM.replace("mul l l", "q3[0]"));
    assert_eq!(events(&bad), ["filter-reduce refused: no-consumption-between"]);
    assert_eq!(events(&bad.replace("q3[0] ", "ys[0] ")), ["filter-reduce"]);
}
