use super::PASS;
use crate::testing::{statements, trace, within};

fn sunk(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
    let (after, events) = trace(&PASS, &within(stms, result, types));
    (statements(&after), events)
}

const MAP: &str =
    "let as: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = mul e x in f } to map }";
const BRANCH: &str = "let r2: i32 = if c then { let g: i32 = as[0] in g } else x";

#[test]
fn a_chain_moves_together_and_as_deep_as_it_can() {
    let before = format!(
        "{MAP}
        let bs: [n]i32 = slice as[0 : n : 1]
        let r2: i32 = if c then {{
          let d: bool = lt x 3i32
          let h: i32 = if d then x else {{ let g: i32 = bs[0] in g }}
          in h
        }} else y"
    );
    let expected = "\
let r2_9: i32 = if c_2 then {
  let d_10: bool = lt x_3 3i32
  let h_11: i32 = if d_10 then x_3 else {
    let as_12: [n_0]i32 = screma n_0 {
      from ys_7
      map \\(e_13: i32) -> {
        let f_14: i32 = mul e_13 x_3
        in f_14
      }
      to map
    }
    let bs_15: [n_0]i32 = slice as_12[0i64 : n_0 : 1i64]
    let g_16: i32 = bs_15[0i64]
    in g_16
  }
  in h_11
} else y_4
in r2_9";
    let (after, events) = sunk(&before, "r2", "r: i32");
    assert_eq!(after, expected);
    assert_eq!(events, ["sink"; 4]);
}

#[test]
fn producers_move_if_their_sources_stay_live_anyway() {
    let other = "let bs: [n]i32 = copy ys let cs: [n]i32 = screma n { from bs map \\(e: i32) -> e to map }";
    let branch = "let r2: i32 = if c then { let g: i32 = cs[0] in g } else { let h: i32 = bs[0] in h }";
    let (_, events) =
        sunk(&format!("{other} let ds: [n]i32 = copy ys {branch}"), "(r2, ds)", "r: i32, s: [n]i32");
    assert_eq!(events, ["sink", "sink refused: one-side"]);
}

#[test]
fn each_premise_is_required() {
    let (result, types) = ("r2", "r: i32");
    for (stms, premise) in [
        (format!("{MAP} {}", BRANCH.replace("else x", "else { let h: i32 = as[1] in h }")), "one-side"),
        (format!("{} {BRANCH}", "let as: [n]i32 = xs with [0] = y"), "consumes-nothing"),
        (
            format!("{} let zs: [n]i32 = xs with [0] = y {BRANCH}", MAP.replace("from ys", "from xs")),
            "no-consumption-between",
        ),
        (
            format!(
                "let bs: [n]i32 = copy ys {} let ds: [n]i32 = copy ys {}",
                MAP.replace("from ys", "from bs"),
                BRANCH
                    .replace("in g", "let k: i32 = ds[0] let l: i32 = add g k in l")
                    .replace("else x", "else { let h: i32 = ds[0] in h }")
            ),
            "live-range-not-extended",
        ),
    ] {
        let events = sunk(&stms, result, types).1;
        assert!(events.contains(&format!("sink refused: {premise}")), "{stms}\n{events:?}");
    }
}

#[test]
fn shared_cheap_or_failing_statements_stay() {
    let looped = "let r2: i32 = loop (a: i32 = x) for i: i64 < m do { let b: i32 = as[0] in b }";
    for stms in [
        format!("{MAP} {BRANCH} let k: i32 = as[0] let l: [n]i32 = screma n {{ from as map \\(o: i32) -> o to map }}"),
        format!("{MAP} {looped}"),
        "let d: i32 = mul x y let r2: i32 = if c then d else x".to_owned(),
        "let d: i32 = ys[0] let r2: i32 = if c then d else x".to_owned(),
        "let (k: i64, as: [k]i32) = assert c (n, ys) \"no\" let r2: i32 = if c then { let g: i32 = as[0] in g } else x"
            .to_owned(),
    ] {
        let (_, events) = sunk(&stms, "r2", "r: i32");
        assert_eq!(events, [""; 0], "{stms}");
    }
}
