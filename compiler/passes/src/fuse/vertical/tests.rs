use super::PASS;
use crate::testing::{statements, trace, within};

fn fused(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

const PRODUCER: &str =
    "let as: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = mul e x in f } to map }";

#[test]
fn map_map() {
    let before = format!(
        "{PRODUCER}
        let bs: [n]i32 = screma n {{
          from as, ys
          map \\(a: i32, g: i32) -> {{ let h: i32 = add a g in h }}
          to map
        }}"
    );
    let after = "\
let bs_9: [n_0]i32 = screma n_0 {
  from ys_7
  map \\(e_10: i32) -> {
    let f_11: i32 = mul e_10 x_3
    let h_12: i32 = add f_11 e_10
    in h_12
  }
  to map
}
in bs_9";
    assert_eq!(fused(&before, "bs", "r: [n]i32"), (after.to_owned(), vec!["map-map".to_owned()]));
}

#[test]
fn map_reduce() {
    let before = format!(
        "{PRODUCER}
        let s: i32 = screma n {{ from as map \\(a: i32) -> a to reduce \\(p: i32, q: i32) -> p (0i32) }}"
    );
    let after = "\
let s_9: i32 = screma n_0 {
  from ys_7
  map \\(e_10: i32) -> {
    let f_11: i32 = mul e_10 x_3
    in f_11
  }
  to reduce \\(p_12: i32, q_13: i32) -> p_12 (0i32)
}
in s_9";
    assert_eq!(fused(&before, "s", "r: i32"), (after.to_owned(), vec!["map-reduce".to_owned()]));
}

#[test]
fn map_scan_with_another_result_of_the_producer() {
    let before = "
        let (s: i32, as: [n]i32) = screma n {
          from ys
          map \\(e: i32) -> (e, x)
          to reduce \\(p: i32, q: i32) -> p (0i32)
          to map
        }
        let bs: [n]i32 = screma n {
          from as
          map \\(a: i32) -> a
          scan \\(t: i32, v: i32) -> t (0i32)
          post \\(w: i32) -> w
          to map
        }";
    let after = "\
let (bs_10: [n_0]i32, s_11: i32) = screma n_0 {
  from ys_7
  map \\(e_12: i32) -> (x_3, e_12)
  scan \\(t_13: i32, v_14: i32) -> t_13 (0i32)
  post \\(w_15: i32, v16: i32) -> (w_15, v16)
  to map
  to reduce \\(p_17: i32, q_18: i32) -> p_17 (0i32)
}
in (bs_10, s_11)";
    let expected = (after.to_owned(), vec!["map-scan".to_owned()]);
    assert_eq!(fused(before, "(bs, s)", "r: [n]i32, o: i32"), expected);
}

#[test]
fn map_into_written_sink() {
    let before = format!(
        "{PRODUCER}
        let bs: [n]i32 = screma n {{
          from iota 0i64 1i64, as map \\(i: i64, a: i32) -> (i, a) to write xs rank 1
        }}"
    );
    let after = "\
let bs_9: [n_0]i32 = screma n_0 {
  from ys_7, iota 0i64 1i64
  map \\(e_10: i32, i_11: i64) -> {
    let f_12: i32 = mul e_10 x_3
    in (i_11, f_12)
  }
  to write xs_6 rank 1
}
in bs_9";
    assert_eq!(fused(&before, "bs", "r: [n]i32"), (after.to_owned(), vec!["map-write".to_owned()]));
}

#[test]
fn map_into_combined_sink() {
    let before = format!(
        "{PRODUCER}
        let bs: [n]i32 = screma n {{
          from as map \\(a: i32) -> (n, a) to combine (xs) \\(p: i32, q: i32) -> p (0i32)
        }}"
    );
    let (after, events) = fused(&before, "bs", "r: [n]i32");
    assert!(after.contains("to combine (xs_6)") && !after.contains("as_"), "{after}");
    assert_eq!(events, ["map-combine"]);
}

#[test]
fn a_map_after_a_scan_moves_into_the_post_lambda() {
    let before = "
        let (as: [n]i32, ps: [n]i32) = screma n {
          from ys
          map \\(e: i32) -> (e, x)
          scan \\(t: i32, v: i32) -> t (0i32)
          to map
          to map
        }
        let bs: [n]i32 = screma n {
          from as, iota 0i64 1i64, ys
          map \\(a: i32, i: i64, g: i32) -> { let h: i32 = add a g in h }
          to map
        }";
    let after = "\
let (bs_10: [n_0]i32, ps_11: [n_0]i32) = screma n_0 {
  from ys_7, iota 0i64 1i64
  map \\(e_12: i32, i_13: i64) -> (e_12, x_3, i_13, e_12)
  scan \\(t_14: i32, v_15: i32) -> t_14 (0i32)
  post \\(v16: i32, v17: i32, i_18: i64, g_19: i32) -> {
    let h_20: i32 = add v16 g_19
    in (h_20, v17)
  }
  to map
  to map
}
in (bs_10, ps_11)";
    let expected = (after.to_owned(), vec!["scan-map".to_owned()]);
    assert_eq!(fused(before, "(bs, ps)", "r: [n]i32, o: [n]i32"), expected);
}

#[test]
fn a_chain_fuses_from_end_to_end_inside_and_outside_of_lambdas() {
    let before = "
        let o: [m]i32 = screma m {
          from iota 0i64 1i64
          map \\(i: i64) -> {
            let as: [n]i32 = screma n { from ys map \\(e: i32) -> e to map }
            let bs: [n]i32 = screma n { from as map \\(a: i32) -> a to map }
            let s: i32 = screma n { from bs, as map \\(b: i32, a2: i32) -> b to reduce \\(p: i32, q: i32) -> p (0i32) }
            in s
          }
          to map
        }
        let t: i32 = screma m { from o map \\(d: i32) -> d to reduce \\(j: i32, k: i32) -> j (0i32) }";
    let (_, events) = fused(before, "t", "r: i32");
    assert_eq!(events, ["map-reduce", "map-map", "map-reduce"]);
}

/// The events for a producer, statements between, and a consumer.
fn refused(before: &str, result: &str, types: &str) -> Vec<String> {
    fused(before, result, types).1
}

const CONSUMER: &str = "let bs: [n]i32 = screma n { from as map \\(a: i32) -> a to map }";

#[test]
fn the_base_of_all_refusals_fuses() {
    assert_eq!(refused(&format!("{PRODUCER} {CONSUMER}"), "bs", "r: [n]i32"), ["map-map"]);
}

#[test]
fn premise_map_result() {
    let before = "let as: [n]i32 = screma n { from ys map \\(e: i32) -> (n, e) to write xs rank 1 }";
    assert_eq!(refused(&format!("{before} {CONSUMER}"), "bs", "r: [n]i32"), ["map-map refused: map-result"]);
}

#[test]
fn results_with_other_uses_are_still_produced() {
    let before = format!("{PRODUCER} {CONSUMER} let d: i32 = as[0]");
    let (after, events) = fused(&before, "(as, bs, d)", "r: [n]i32, o: [n]i32, p: i32");
    assert!(after.starts_with("let (bs_11: [n_0]i32, as_12: [n_0]i32) = screma"), "{after}");
    assert!(after.contains("in (f_15, f_15)") || after.contains("in (f_14, f_14)"), "{after}");
    assert_eq!(events, ["map-map"]);
}

#[test]
fn premise_only_as_source() {
    let inside = CONSUMER.replace("-> a to", "-> { let d: i32 = as[0] in d } to");
    let before = format!("{PRODUCER} {inside}");
    assert_eq!(refused(&before, "bs", "r: [n]i32"), ["map-map refused: pointwise"]);
}

#[test]
fn scanned_results_with_other_uses_are_still_produced() {
    let producer = PRODUCER.replace("to map", "scan \\(t: i32, v: i32) -> t (0i32) to map");
    let other = CONSUMER.replace("bs", "cs").replace("a: i32", "a2: i32").replace("-> a", "-> a2");
    let before = format!("{producer} {CONSUMER} {other}");
    let (after, events) = fused(&before, "(as, bs, cs)", "r: [n]i32, o: [n]i32, p: [n]i32");
    assert_eq!(events, ["scan-map", "scan-map"]);
    assert_eq!(after.matches("to map").count(), 3, "{after}");
    let (after, events) = fused(&before, "(bs, cs)", "r: [n]i32, o: [n]i32");
    assert_eq!(events, ["scan-map", "scan-map"]);
    assert_eq!(after.matches("to map").count(), 2, "{after}");
}

#[test]
fn premise_independent() {
    let producer = "let (s: i32, as: [n]i32) = screma n {
        from ys map \\(e: i32) -> (e, e) to reduce \\(p: i32, q: i32) -> p (0i32) to map
    }";
    let consumer = CONSUMER.replace("-> a to", "-> { let d: i32 = div a s in d } to");
    let before = format!("{producer} {consumer}");
    assert_eq!(refused(&before, "bs", "r: [n]i32"), ["map-map refused: independent"]);
}

#[test]
fn premise_independent_through_a_statement_between() {
    let producer = "let (s: i32, as: [n]i32) = screma n {
        from ys map \\(e: i32) -> (e, e) to reduce \\(p: i32, q: i32) -> p (0i32) to map
    }";
    let between = "let t: i32 = add s x";
    let consumer = CONSUMER.replace("-> a to", "-> { let d: i32 = div a t in d } to");
    let before = format!("{producer} {between} {consumer}");
    assert_eq!(refused(&before, "bs", "r: [n]i32"), ["map-map refused: independent"]);
    let (after, events) = fused(&format!("{producer} {between} {CONSUMER}"), "(bs, t)", "r: [n]i32, o: i32");
    assert!(
        after.ends_with("let t_19: i32 = add s_12 x_3\nin (bs_11, t_19)") || after.contains("add s_"),
        "{after}"
    );
    assert_eq!(events, ["map-map"]);
}

/// The consumer needs an array that was produced by consuming a source of the producer.
#[test]
fn premise_no_consumption_between() {
    let producer = PRODUCER.replace("from ys", "from xs");
    let consumer = CONSUMER.replace("from as map \\(a: i32)", "from as, zs map \\(a: i32, z9: i32)");
    for between in [
        "let zs: [n]i32 = xs with [0] = y",
        "let zs: [n]i32 = if c then { let z: [n]i32 = xs with [0] = y in z } else ys",
        "let zs: [n]i32 = loop (z: [n]i32 = xs) for i: i64 < n do { let z2: [n]i32 = z with [i] = y in z2 }",
    ] {
        let before = format!("{producer} {between} {consumer}");
        let events = refused(&before, "(bs, zs)", "r: [n]i32, o: [n]i32");
        assert_eq!(events, ["map-map refused: no-consumption-between"], "{between}");
        let (after, events) =
            fused(&format!("{producer} {between} {CONSUMER}"), "(bs, zs)", "r: [n]i32, o: [n]i32");
        assert!(after.starts_with("let bs_"), "{after}");
        assert_eq!(events, ["map-map"], "{between}");
    }
}

/// Unrelated statements.
fn fill(count: usize) -> String {
    (0..count).map(|at| format!("let fill{at}: i64 = add n {at} ")).collect()
}

/// At a distance, only dependents of the producer are examined.
#[test]
fn distance_does_not_change_the_dependences() {
    let far = fill(200);
    let producer = PRODUCER.replace("from ys", "from xs");
    let consumer = CONSUMER.replace("-> a to", "-> { let d: i32 = div a t in d } to");
    let between = format!("let s: i32 = as[0] {far} let t: i32 = neg s");
    let events = refused(&format!("{PRODUCER} {between} {consumer}"), "bs", "r: [n]i32");
    assert_eq!(events, ["map-map refused: independent"]);
    let taken = "let zs: [n]i32 = xs with [0] = y";
    let consumer = CONSUMER.replace("from as map \\(a: i32)", "from as, zs map \\(a: i32, z9: i32)");
    let events = refused(&format!("{producer} {taken} {far} {consumer}"), "bs", "r: [n]i32");
    assert_eq!(events, ["map-map refused: no-consumption-between"]);
    // A dependent of the producer moves after both, at any distance.
    let (between, types) = (format!("{taken} {far} let t: i32 = zs[1]"), "r: [n]i32, o: i32");
    let (after, events) = fused(&format!("{producer} {between} {CONSUMER}"), "(bs, t)", types);
    assert_eq!(events, ["map-map"]);
    let positions = ["let bs_", " with ", "let t_"].map(|part| after.find(part).expect("it is there"));
    assert!(positions.is_sorted(), "{after}");
}

#[test]
fn distant_pairs_with_many_dependents_do_not_fuse() {
    let users: String = (0..200).map(|at| format!("let used{at}: i32 = as[{at}] ")).collect();
    for (users, expected) in [(users.as_str(), vec![]), (fill(200).as_str(), vec!["map-map"])] {
        assert_eq!(refused(&format!("{PRODUCER} {users} {CONSUMER}"), "bs", "r: [n]i32"), expected);
    }
}

#[test]
fn premise_target_not_read() {
    let consumer = "let bs: [n]i32 = screma n { from as map \\(a: i32) -> (n, a) to write xs rank 1 }";
    let reading = PRODUCER.replace("from ys", "from xs");
    let looking = PRODUCER.replace("let f: i32 = mul e x", "let k: i32 = xs[0] let f: i32 = mul e k");
    let viewing = format!("let v: [n]i32 = slice xs[0 : n : 1] {}", PRODUCER.replace("from ys", "from v"));
    for producer in [reading, looking, viewing] {
        let events = refused(&format!("{producer} {consumer}"), "bs", "r: [n]i32");
        assert_eq!(events, ["map-write refused: target-not-read"], "{producer}");
    }
    assert_eq!(refused(&format!("{PRODUCER} {consumer}"), "bs", "r: [n]i32"), ["map-write"]);
}

#[test]
fn premise_one_scan() {
    let scan = "scan \\(t: i32, v: i32) -> t (0i32) to map";
    let producer = PRODUCER.replace("to map", scan);
    let consumer = CONSUMER
        .replace("to map", &scan.replace("t: ", "t2: ").replace("v: ", "v2: ").replace("-> t ", "-> t2 "));
    let before = format!("{producer} {consumer}");
    assert_eq!(refused(&before, "bs", "r: [n]i32"), ["scan-scan refused: one-scan"]);
}

/// A row becomes, after fusion, an array with one use for each use of the row.
#[test]
fn an_element_that_the_fused_body_uses_twice_is_computed_once() {
    let before = "
        let rows: [n][n]i32 = screma n {
          from ys
          map \\(e: i32) -> {
            let row: [n]i32 = screma n { from ys map \\(f: i32) -> { let g: i32 = add e f in g } to map }
            in row
          }
          to map
        }
        let sums: [n][n]i32 = screma n {
          from rows
          map \\(line: [n]i32) -> {
            let s: [n]i32 = screma n {
              from line
              map \\(h: i32) -> h
              scan \\(t: i32, v: i32) -> { let w: i32 = add t v in w } (0i32)
              to map
            }
            let d: [n]i32 = screma n {
              from s
              map \\(k: i32) -> { let z: i32 = line[0i64] in z }
              to map
            }
            in d
          }
          to map
        }";
    let (after, events) = fused(before, "sums", "r: [n][n]i32");
    assert_eq!(events, ["map-map", "map-scan", "scan-map refused: independent"], "{after}");
}

/// The second scans values that bypass the scan of the first.
/// The end of a construct that scans what its map returns first, and takes both values after the scan.
const SECOND_SCAN: &str = "scan \\(t2: i32, v2: i32) -> { let w2: i32 = max t2 v2 in w2 } (0i32)
               post \\(l: i32, o: i32) -> { let p: i32 = sub l o in p }
               to map";

#[test]
fn two_scans_of_one_map_fuse() {
    let before = |given: &str| {
        format!(
            "let (ss: [n]i32, as: [n]i32) = screma n {{
               from ys map \\(e: i32) -> {{ let f: i32 = mul e x in (f, f) }}
               scan \\(t: i32, v: i32) -> {{ let w: i32 = add t v in w }} (0i32)
               post \\(g: i32, h: i32) -> {{ let j: i32 = add g h in {given} }}
               to map to map
             }}
             let bs: [n]i32 = screma n {{
               from as, xs map \\(a: i32, b: i32) -> {{ let k: i32 = add a b in (k, b) }}
               {SECOND_SCAN}
             }}"
        )
    };
    let (after, events) = trace(&PASS, &within(&before("(j, h)"), "(ss, bs)", "r: [n]i32, o9: [n]i32"));
    assert_eq!(events, ["scan-scan"]);
    insta::assert_snapshot!(statements(&after), @r#"
    let (bs_10: [n_0]i32, ss_11: [n_0]i32) = screma n_0 {
      from ys_7, xs_6
      map \(e_12: i32, b_13: i32) -> {
        let f_14: i32 = mul e_12 x_3
        let k_15: i32 = add f_14 b_13
        in (f_14, k_15, f_14, b_13)
      }
      scan \(t_16: i32, v_17: i32) -> {
        let w_18: i32 = add t_16 v_17
        in w_18
      } (0i32)
      scan \(t2_19: i32, v20: i32) -> {
        let w2_21: i32 = max t2_19 v20
        in w2_21
      } (0i32)
      post \(g_22: i32, l_23: i32, h_24: i32, o_25: i32) -> {
        let j_26: i32 = add g_22 h_24
        let p_27: i32 = sub l_23 o_25
        in (p_27, j_26)
      }
      to map
      to map
    }
    in (ss_11, bs_10)
    "#);
    for given in ["(h, j)", "(h, g)"] {
        let events = refused(&before(given), "(ss, bs)", "r: [n]i32, o9: [n]i32");
        assert_eq!(events, ["scan-scan refused: one-scan"], "{given}");
    }
}

/// A result of the first scan joins the scans only as it is: the code after both takes it.
#[test]
fn a_scanned_value_passes_to_the_code_after_both_scans() {
    let before = |given: &str| {
        format!(
            "let ss: [n]i32 = screma n {{
               from ys map \\(e: i32) -> e
               scan \\(t: i32, v: i32) -> {{ let w: i32 = add t v in w }} (0i32)
               to map
             }}
             let bs: [n]i32 = screma n {{
               from ss, xs map \\(a: i32, b: i32) -> {{ let k: i32 = add a b in {given} }}
               {SECOND_SCAN}
             }}"
        )
    };
    let without = |given: &str| before(given).replace("let k: i32 = add a b in", "in");
    let (after, events) = fused(&without("(b, a)"), "bs", "r: [n]i32");
    assert_eq!(events, ["scan-scan"]);
    insta::assert_snapshot!(after, @r#"
    let bs_9: [n_0]i32 = screma n_0 {
      from ys_7, xs_6
      map \(e_10: i32, b_11: i32) -> (e_10, b_11)
      scan \(t_12: i32, v_13: i32) -> {
        let w_14: i32 = add t_12 v_13
        in w_14
      } (0i32)
      scan \(t2_15: i32, v16: i32) -> {
        let w2_17: i32 = max t2_15 v16
        in w2_17
      } (0i32)
      post \(v18: i32, l_19: i32) -> {
        let p_20: i32 = sub l_19 v18
        in p_20
      }
      to map
    }
    in bs_9
    "#);
    for before in [without("(a, b)"), without("(a, a)"), before("(b, a)"), before("(b, k)"), before("(k, b)")]
    {
        assert_eq!(refused(&before, "bs", "r: [n]i32"), ["scan-scan refused: one-scan"], "{before}");
    }
}
