//! `manifest`: arrays whose dimensions lie in memory in another order.

use super::{HandwrittenProgram, numbers};

/// Rows and columns read through a manifest, which is then a result itself.
const SUMS: &str = r#"
fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n]i32, c: [m]i32, ys: [n][m]i32) = {
  let laid: [n][m]i32 = manifest (1, 0) xs
  let rows: [n]i32 = screma n { from laid map \(x: [m]i32) -> {
    let s: i32 = screma m { from x map \(e: i32) -> e
      to reduce \(a: i32, b: i32) -> { let d: i32 = sub a b let f: i32 = mul d 3i32 let g: i32 = add f b in g } (0i32) }
    in s } to map }
  let turned: [m][n]i32 = rearrange laid (1, 0)
  let columns: [m]i32 = screma m { from turned map \(x2: [n]i32) -> {
    let s2: i32 = screma n { from x2 map \(e2: i32) -> e2
      to reduce \(a2: i32, b2: i32) -> { let c2: i32 = add a2 b2 in c2 } (0i32) }
    in s2 } to map }
  in (rows, columns, laid) }
entry main = main (xs = xs) -> (*r, *c, ys)
"#;

#[test]
fn readers_of_a_layout_read_the_array() {
    let program = HandwrittenProgram::new(SUMS);
    for shape in [[0, 3], [3, 0], [1, 1], [7, 5], [300, 40]] {
        program.check(&[numbers(&shape)]).expect("it runs");
    }
}

/// An array of a workgroup in workgroup memory, and one of a thread.
const INSIDE: &str = r#"
fun main (n: i64, xs: [n][6]i32) -> (r: [n][6]i32, s: [n]i32) = {
  let ys: [n][6]i32 = segment grid (g < n) block {
    map \() -> {
      let table: [6][2]i32 = segment block (k < 6, l < 2) {
        map \() -> { let x: i32 = xs[g, k] let j: i32 = convert i32 l let y: i32 = add x j in y }
        to map }
      let laid: [6][2]i32 = manifest (1, 0) table
      let zs: [6]i32 = segment block (i < 6) {
        map \() -> { let a: i32 = laid[i, 0] let b: i32 = laid[i, 1] let c: i32 = mul a b in c }
        to map }
      in zs }
    to map }
  let ts: [n]i32 = segment grid (h < n) {
    map \() -> {
      let row: [6]i32 = slice xs[h, 0 : 6 : 1]
      let grid: [2][3]i32 = reshape row
      let other: [2][3]i32 = manifest (1, 0) grid
      let changed: [2][3]i32 = copy other
      let d: i32 = changed[1, 0]
      let e: i32 = other[0, 2]
      let f: i32 = sub d e
      in f }
    to map }
  in (ys, ts) }
entry main = main (xs = xs) -> (*r, *s)
"#;

#[test]
fn blocks_and_threads_lay_out_their_arrays() {
    let program = HandwrittenProgram::new(INSIDE);
    for n in [0, 1, 9, 300] {
        program.check(&[numbers(&[n, 6])]).expect("it runs");
    }
}
