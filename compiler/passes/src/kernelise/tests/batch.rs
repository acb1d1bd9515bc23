//! Points whose arrays there is no room for at the same time. The machine has little, so that of the
//! points here only a few run at once.

use ravel_kernel::Target;

use super::{agrees, kernel, program};

/// No private memory, so that every array counts.
const TARGET: Target = Target { private_capacity: 0, ..Target::GPU };

/// What a point computes from `x` with two arrays, of different types; it may fail.
const POINT: &str = "let fine: bool = lt x 5
  let checked: i64 = assert fine (x) \"too much\"
  let zs: [k]i64 = iota k checked 1
  let bs: [k]i16 = screma k { from zs map \\(z: i64) -> { let b: i16 = convert i16 z in b } to map }
  let s: i64 = screma k { from zs, bs map \\(e: i64, c: i16) -> { let d: i64 = convert i64 c let f: i64 = mul d e in f }
    to reduce \\(a: i64, b1: i64) -> { let c1: i64 = add a b1 in c1 } (0) }";

fn check(binders: &str, behind: &str, results: &str) {
    let text = format!(
        "fun main (n: i64, k: i64, xs: [n]i64) -> (rs: [n]i64, t: i64) = {{
           let {binders} = screma n {{ from xs map \\(x: i64) -> {{ {POINT} in ({results}) }} {behind} }}
           let t0: i64 = screma n {{ from ys map \\(y: i64) -> y
             to reduce \\(a4: i64, b4: i64) -> {{ let c4: i64 = mul a4 b4 in c4 }} (1) }}
           in (ys, t0) }}
         entry main = main (k, xs = xs) -> (*rs, t)"
    );
    let program = program(&text);
    let kernel = kernel(&program, &TARGET).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(kernel.to_string().contains("room("), "there are no batches\n{kernel}");
    let runs = (0..64).filter(|&seed| agrees(&program, &kernel, &TARGET, seed)).count();
    assert!(runs > 32, "hardly any run comes to something\n{text}");
}

#[test]
fn batches_of_a_map_do_what_all_points_at_once_would() {
    check("ys: [n]i64", "to map", "s");
}

#[test]
fn what_is_reduced_is_combined_in_the_order_of_the_points() {
    check(
        "(ys: [n]i64, u: i64, v: i64)",
        "to map
           to reduce \\(a3: i64, b3: i64) -> { let h3: i64 = mul a3 3 let c3: i64 = add h3 b3 in c3 } (0)
           to reduce \\(a5: i64, b5: i64) -> { let h5: i64 = mul a5 2 let c5: i64 = sub h5 b5 in c5 } (1)",
        "s, s, s",
    );
}

#[test]
fn what_is_scanned_is_combined_in_the_order_of_the_points() {
    let op = "\\(a3: i64, b3: i64) -> { let c3: i64 = max a3 b3 in c3 }";
    check("ys: [n]i64", &format!("scan {op} (-9) to map"), "s");
    check("(ys: [n]i64, p: [n]i64)", &format!("scan {op} (-9) to map to map"), "s, s");
}

#[test]
fn no_batches_where_threads_make_their_arrays() {
    let text = format!(
        "fun main (n: i64, k: i64, xs: [n]i64) -> (rs: [n]i64) = {{
           let ys: [n]i64 = screma n {{ from xs map \\(x: i64) -> {{ {POINT} in s }} to map }}
           in ys }}
         entry main = main (k, xs = xs) -> (*rs)"
    );
    let kernel = kernel(&program(&text), &Target::CPU).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(!kernel.to_string().contains("room("), "{kernel}");
}
