use super::PASS;
use crate::testing::{statements, trace, within};

fn fused(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

const SUM: &str = "let s: i32 = screma n {
    from ys map \\(e: i32) -> e to reduce \\(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)
}";
const MAP: &str =
    "let as: [n]i32 = screma n { from ys map \\(f: i32) -> { let g: i32 = mul f x in g } to map }";

#[test]
fn common_sources_are_read_once() {
    let (after, events) = fused(&format!("{SUM} {MAP}"), "(s, as)", "r: i32, t: [n]i32");
    let expected = "\
let (as_10: [n_0]i32, s_11: i32) = screma n_0 {
  from ys_7
  map \\(e_12: i32) -> {
    let g_13: i32 = mul e_12 x_3
    in (g_13, e_12)
  }
  to map
  to reduce \\(p_14: i32, q_15: i32) -> {
    let o_16: i32 = add p_14 q_15
    in o_16
  } (0i32)
}
in (s_11, as_10)";
    assert_eq!(after, expected);
    assert_eq!(events, ["horizontal"]);
}

fn events(stms: &str, result: &str, types: &str) -> Vec<String> {
    fused(stms, result, types).1
}

#[test]
fn other_widths_do_not_fuse() {
    let other = "let is: [m]i64 = screma m { from iota 0i64 1i64 map \\(i: i64) -> i to map }";
    assert_eq!(events(&format!("{SUM} {other}"), "(s, is)", "r: i32, t: [m]i64"), [""; 0]);
}

#[test]
fn premise_no_scan() {
    let scan = MAP.replace("to map", "scan \\(v: i32, w: i32) -> v (0i32) to map");
    let events = events(&format!("{SUM} {scan}"), "(s, as)", "r: i32, t: [n]i32");
    assert_eq!(events, ["horizontal refused: no-scan"]);
}

/// Two streams over one array; the parameters are the body and sink of the second.
fn streams(chunk: &str, sink: &str) -> String {
    format!(
        "let s: i64 = stream n {{
           from ys chunk \\(k: i64, at: i64, e: [k]i32) -> k
           to reduce \\(p: i64, q: i64) -> {{ let o: i64 = add p q in o }} }}
         let t: i64 = stream n {{
           from ys chunk \\(k2: i64, at2: i64, e2: [k2]i32) -> {{ {chunk} }}
           {sink} }}"
    )
}

const GREATEST: &str = "to reduce \\(p2: i64, q2: i64) -> { let o2: i64 = max p2 q2 in o2 }";

#[test]
fn two_streams_have_one_function_of_chunks() {
    let (after, events) =
        fused(&streams("let f: i64 = add k2 at2 in f", GREATEST), "(s, t)", "r: i64, o9: i64");
    assert_eq!(events, ["horizontal-streams"]);
    insta::assert_snapshot!(after, @r#"
    let (t_10: i64, s_11: i64) = stream n_0 {
      from ys_7
      chunk \(k_12: i64, at_13: i64, e_14: [k_12]i32) -> {
        let f_15: i64 = add k_12 at_13
        in (f_15, k_12)
      }
      to reduce \(p2_16: i64, q2_17: i64) -> {
        let o2_18: i64 = max p2_16 q2_17
        in o2_18
      }
      to reduce \(p_19: i64, q_20: i64) -> {
        let o_21: i64 = add p_19 q_20
        in o_21
      }
    }
    in (s_11, t_10)
    "#);
}

#[test]
fn premise_no_empty_chunk() {
    let before = |sink: &str| streams("let f: i64 = add k2 at2 in f", sink);
    let stated = before(&format!("{GREATEST} (7)"));
    let refused = ["horizontal-streams refused: no-empty-chunk"];
    assert_eq!(events(&stated, "(s, t)", "r: i64, o9: i64"), refused);
    let both = stated.replace("in o } }", "in o } (0) }");
    assert_eq!(events(&both, "(s, t)", "r: i64, o9: i64"), ["horizontal-streams"]);
}

#[test]
fn premise_independent_of_a_stream() {
    let events = events(&streams("let f: i64 = add k2 s in f", GREATEST), "t", "o9: i64");
    assert_eq!(events, ["horizontal-streams refused: independent"]);
}

#[test]
fn premise_both_sequential() {
    let combine = "let bs: [n]i32 = screma n {
        from ys map \\(a: i32) -> (n, a) to combine (xs) \\(j: i32, k: i32) -> j (0i32)
    }";
    let events = events(&format!("{SUM} {combine}"), "(s, bs)", "r: i32, t: [n]i32");
    assert_eq!(events, ["horizontal refused: same-parallelism"]);
}

#[test]
fn premise_independent() {
    let using = MAP.replace("mul f x", "mul f s");
    assert_eq!(events(&format!("{SUM} {using}"), "as", "t: [n]i32"), ["horizontal refused: independent"]);
    let between = MAP.replace("mul f x", "mul f z");
    let before = format!("{SUM} let z: i32 = add s x {between}");
    assert_eq!(events(&before, "as", "t: [n]i32"), ["horizontal refused: independent"]);
}

#[test]
fn users_of_the_first_move_after_both() {
    let (after, events) = fused(&format!("{SUM} let z: i32 = add s x {MAP}"), "(z, as)", "r: i32, t: [n]i32");
    assert!(after.ends_with("}\nlet z_17: i32 = add s_11 x_3\nin (z_17, as_10)"), "{after}");
    assert_eq!(events, ["horizontal"]);
}

const WRITE: &str = "let ws: [n]i32 = screma n { from ys map \\(f: i32) -> (n, f) to write xs rank 1 }";

#[test]
fn premise_target_not_read() {
    let before = format!("{} {WRITE}", SUM.replace("from ys", "from xs"));
    let refused = events(&before, "(s, ws)", "r: i32, t: [n]i32");
    assert_eq!(refused, ["horizontal refused: target-not-read"]);
    let view = format!("let v: [n]i32 = slice xs[0 : n : 1] {}", SUM.replace("from ys", "from v"));
    let refused = events(&format!("{view} {WRITE}"), "(s, ws)", "r: i32, t: [n]i32");
    assert_eq!(refused, ["horizontal refused: target-not-read"]);
    let inside = MAP.replace("mul f x", "sub f x").replace("let g", "let h: i32 = xs[0] let g");
    let refused = events(&format!("{inside} {WRITE2}"), "(as, ws)", "r: [n]i32, t: [n]i32");
    assert_eq!(refused, ["horizontal refused: target-not-read"]);
    assert_eq!(events(&format!("{SUM} {WRITE}"), "(s, ws)", "r: i32, t: [n]i32"), ["horizontal"]);
}

const WRITE2: &str = "let ws: [n]i32 = screma n { from ys map \\(k: i32) -> (n, k) to write xs rank 1 }";

/// Two writes, where the first reads the target of the second.
#[test]
fn two_writes_fuse_unless_one_reads_the_target_of_the_other() {
    let target = "let zs: [n]i32 = replicate n x";
    let first = "let us: [n]i32 = screma n { from ys map \\(k: i32) -> (n, k) to write zs rank 1 }";
    let before = format!("{target} {first} {WRITE}");
    assert_eq!(events(&before, "(us, ws)", "r: [n]i32, t: [n]i32"), ["horizontal-writes"]);
    let before = format!("{target} {} {WRITE}", first.replace("from ys", "from xs"));
    assert_eq!(
        events(&before, "(us, ws)", "r: [n]i32, t: [n]i32"),
        ["horizontal-writes refused: target-not-read"]
    );
}

#[test]
fn premise_no_consumption_between() {
    let reading = SUM.replace("from ys", "from xs");
    let between = "let zs: [n]i32 = xs with [0] = y";
    let using = MAP.replace("from ys", "from zs");
    let before = format!("{reading} {between} {using}");
    let refused = events(&before, "(s, as)", "r: i32, t: [n]i32");
    assert_eq!(refused, ["horizontal refused: no-consumption-between"]);
    let before = format!("{reading} {between} {MAP}");
    assert_eq!(events(&before, "(s, as, zs)", "r: i32, t: [n]i32, w: [n]i32"), ["horizontal"]);
}
