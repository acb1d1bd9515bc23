use super::PASS;
use crate::testing::{statements, trace, within};

fn rewrite(stms: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, "zs", "r: [n]i32"));
    (statements(&after), events)
}

const LOOP: &str = "let zs: [n]i32 = loop (ps: [n]i32 = ys) for i: i64 < m do {
    let t: i32 = convert i32 i
    let qs: [n]i32 = screma n {
      from ps, xs, iota 0i32 1i32
      map \\(e: i32, d: i32, j: i32) -> {
        let f: i32 = mul e d
        let g: i32 = add f t
        let h: i32 = add g j
        in h
      }
      to map
    }
    in qs
  }";

#[test]
fn a_loop_of_a_map_is_a_map_of_loops() {
    let (after, events) = rewrite(LOOP);
    insta::assert_snapshot!(after, @r#"
    let zs_9: [n_0]i32 = screma n_0 {
      from ys_7, xs_6, iota 0i32 1i32
      map \(ps_10: i32, d_11: i32, j_12: i32) -> {
        let ps_13: i32 = loop (ps_14: i32 = ps_10) for i_15: i64 < m_1 do {
          let t_16: i32 = convert i32 i_15
          let f_17: i32 = mul ps_14 d_11
          let g_18: i32 = add f_17 t_16
          let h_19: i32 = add g_18 j_12
          in h_19
        }
        in ps_13
      }
      to map
    }
    in zs_9
    "#);
    assert_eq!(events, ["loop-map"]);
}

#[test]
fn nested_loops_and_loops_of_several_arrays_are_interchanged() {
    let text = "let (zs: [n]i32, ws: [n]i32) = loop (ps: [n]i32 = ys, os: [n]i32 = xs) for i: i64 < m do {
        let (a: [n]i32, b: [n]i32) = loop (qs: [n]i32 = ps, rs: [n]i32 = os) for j: i64 < 3 do {
          let d: [n]i32 = screma n { from qs, rs map \\(e: i32, f: i32) -> { let g: i32 = sub e f in g } to map }
          in (d, qs)
        }
        in (b, a)
      }";
    let (after, events) = trace(&PASS, &within(text, "(zs, ws)", "r: [n]i32, s: [n]i32"));
    assert_eq!(events, ["loop-map"; 2]);
    insta::assert_snapshot!(statements(&after), @r#"
    let (zs_10: [n_0]i32, ws_11: [n_0]i32) = screma n_0 {
      from ys_7, xs_6
      map \(ps_12: i32, os_13: i32) -> {
        let (ps_14: i32, os_15: i32) = loop (ps_16: i32 = ps_12, os_17: i32 = os_13) for i_18: i64 < m_1 do {
          let (qs_19: i32, rs_20: i32) = loop (qs_21: i32 = ps_16, rs_22: i32 = os_17) for j_23: i64 < 3i64 do {
            let g_24: i32 = sub qs_21 rs_22
            in (g_24, qs_21)
          }
          in (rs_20, qs_19)
        }
        in (ps_14, os_15)
      }
      to map
      to map
    }
    in (zs_10, ws_11)
    "#);
}

#[test]
fn each_premise_is_required() {
    for (old, new, premise) in [
        ("for i: i64 < m do {", "for i: i64 < m do { let t9: i32 = ps[0]", "pointwise"),
        ("iota 0i32 1i32", "iota t 1i32", "pointwise"),
        ("from ps, xs", "from ps, us", "pointwise"),
        ("convert i32 i", "pow x y", "cheap"),
        (
            "let t: i32",
            &format!(
                "{} let t: i32",
                (0..8).map(|k| format!("let u{k}: i32 = add x y ")).collect::<String>()
            ),
            "cheap",
        ),
        (
            "let f: i32 = mul e d",
            "let es: [2]i32 = screma 2 { from iota e 1i32 map \\(k: i32) -> k to map } let f: i32 = es[0]",
            "scalars",
        ),
        ("to map", "scan \\(p: i32, q: i32) -> { let w: i32 = add p q in w } (0i32) to map", "only-maps"),
    ] {
        let mut text = LOOP.replace(old, new);
        assert_ne!(text, LOOP, "{old}");
        if new.contains("us") {
            text = text.replace("let t: i32", "let us: [n]i32 = slice xs[0 : n : 1] let t: i32");
        }
        let events = rewrite(&text).1;
        assert_eq!(events, [format!("loop-map refused: {premise}")], "{text}");
    }
    let open = "let (go: bool, zs: [n]i32) = loop (more: bool = c, ps: [n]i32 = ys) while more do {
        let qs: [n]i32 = screma n { from ps map \\(e: i32) -> { let f: i32 = mul e x in f } to map }
        in (c, qs)
      }";
    assert_eq!(rewrite(open).1, ["loop-map refused: counted"]);
    let scalar = LOOP
        .replace("let zs: [n]i32 =", "let (zs: [n]i32, u9: i32) =")
        .replace("(ps: [n]i32 = ys)", "(ps: [n]i32 = ys, s: i32 = x)");
    let scalar = scalar.replace("convert i32 i", "add s 1i32").replace("in qs\n", "in (qs, t)\n");
    assert_eq!(rewrite(&scalar).1, ["loop-map refused: pointwise"]);
    let rows = "let ts: [n][m]i32 = scratch
        let (zs: [n]i32, ws: [n][m]i32) = loop (ps: [n]i32 = ys, rs: [n][m]i32 = ts) for i: i64 < m do {
          let (a: [n]i32, b: [n][m]i32) = screma n { from ps, rs map \\(e: i32, row: [m]i32) -> (e, row) to map to map }
          in (a, b)
        }";
    assert_eq!(rewrite(rows).1, ["loop-map refused: scalars"]);
}

#[test]
fn loops_that_return_no_map_are_left_alone() {
    let other =
        "let zs: [n]i32 = loop (ps: [n]i32 = ys) for i: i64 < m do { let qs: [n]i32 = copy ps in qs }";
    assert_eq!(rewrite(other).1, [""; 0]);
}
