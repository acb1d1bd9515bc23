//! Segments that run in batches: the limit on memory is so low that the arrays of only a few points fit at a time.

use ravel_kernel::Target;

use super::{agrees, kernel, program};

/// A GPU without private memory, so that every array of a thread needs device memory.
const TARGET: Target = Target { private_capacity: 0, ..Target::GPU };

/// The code of a point: computes `s` from `x` with two arrays of different types. It may fail.
const POINT: &str = "let fine: bool = lt x 5
  let checked: i64 = assert fine (x) \"too much\"
  let zs: [k]i64 = iota k checked 1
  let bs: [k]i16 = screma k { from zs map \\(z: i64) -> { let b: i16 = convert i16 z in b } to map }
  let s: i64 = screma k { from zs, bs map \\(e: i64, c: i16) -> { let d: i64 = convert i64 c let f: i64 = mul d e in f }
    to reduce \\(a: i64, b1: i64) -> { let c1: i64 = add a b1 in c1 } (0) }";

fn check(binders: &str, sinks: &str, results: &str) {
    let text = format!(
        "fun main (n: i64, k: i64, xs: [n]i64) -> (rs: [n]i64, t: i64) = {{
           let {binders} = screma n {{ from xs map \\(x: i64) -> {{ {POINT} in ({results}) }} {sinks} }}
           let t0: i64 = screma n {{ from ys map \\(y: i64) -> y
             to reduce \\(a4: i64, b4: i64) -> {{ let c4: i64 = mul a4 b4 in c4 }} (1) }}
           in (ys, t0) }}
         entry main = main (k, xs = xs) -> (*rs, t)"
    );
    let program = program(&text);
    let kernel = kernel(&program, &TARGET).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(kernel.to_string().contains("private_limit("), "there are no batches\n{kernel}");
    let runs = (0..64).filter(|&seed| agrees(&program, &kernel, &TARGET, seed)).count();
    assert!(runs > 32, "too few runs have results\n{text}");
}

#[test]
fn a_map_in_batches_agrees_with_the_interpreter() {
    check("ys: [n]i64", "to map", "s");
}

#[test]
fn batches_reduce_in_the_order_of_the_points() {
    check(
        "(ys: [n]i64, u: i64, v: i64)",
        "to map
           to reduce \\(a3: i64, b3: i64) -> { let h3: i64 = mul a3 3 let c3: i64 = add h3 b3 in c3 } (0)
           to reduce \\(a5: i64, b5: i64) -> { let h5: i64 = mul a5 2 let c5: i64 = sub h5 b5 in c5 } (1)",
        "s, s, s",
    );
}

#[test]
fn batches_scan_in_the_order_of_the_points() {
    let op = "\\(a3: i64, b3: i64) -> { let c3: i64 = max a3 b3 in c3 }";
    check("ys: [n]i64", &format!("scan {op} (-9) to map"), "s");
    check("(ys: [n]i64, p: [n]i64)", &format!("scan {op} (-9) to map to map"), "s, s");
}

#[test]
fn threads_that_allocate_need_no_batches() {
    let text = format!(
        "fun main (n: i64, k: i64, xs: [n]i64) -> (rs: [n]i64) = {{
           let ys: [n]i64 = screma n {{ from xs map \\(x: i64) -> {{ {POINT} in s }} to map }}
           in ys }}
         entry main = main (k, xs = xs) -> (*rs)"
    );
    let kernel = kernel(&program(&text), &Target::CPU).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(!kernel.to_string().contains("private_limit("), "{kernel}");
}

#[test]
fn batches_interleave_arrays_of_rows() {
    // Two numbers of four bytes in each row, so that several points run at the same time.
    let text = "fun main (n: i64, k: i64, xs: [n]i32) -> (rs: [n]i32) = {
      let ys: [n]i32 = screma n { from xs map \\(x: i32) -> {
        let rows: [k][2]i32 = screma k { from iota 0i32 1i32 map \\(i: i32) -> {
          let p: i32 = mul i x
          let q: i32 = add i 7i32
          let row: [2]i32 = [p, q]
          in row } to map }
        let s: i32 = screma k { from rows map \\(row1: [2]i32) -> {
          let u: i32 = row1[0]
          let v: i32 = row1[1]
          let w: i32 = mul u v
          in w } to reduce \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) }
        in s } to map }
      in ys }
    entry main = main (k, xs = xs) -> (*rs)";
    let program = program(text);
    let kernel = kernel(&program, &TARGET).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(kernel.to_string().contains("private_limit("), "there are no batches\n{kernel}");
    let runs = (0..64).filter(|&seed| agrees(&program, &kernel, &TARGET, seed)).count();
    assert!(runs > 32, "too few runs have results\n{text}");
}
