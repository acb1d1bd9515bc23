//! Grid segments of several dimensions that reduce and scan along the innermost one.

use ravel_abi::{Failure, Value};

use super::{HandwrittenProgram, numbers};

/// The number of rows, and the number of points in a row. They include none and one, numbers close to the size of
/// a workgroup and of a subgroup, and rows long enough to be divided into parts.
const SIZES: [[usize; 2]; 15] = [
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [3, 7],
    [2, 255],
    [2, 256],
    [3, 257],
    [300, 3],
    [257, 1],
    [1, 4000],
    [7, 1023],
    [5, 1024],
    [3, 1025],
    [2, 5000],
];

/// The composition of the functions `x -> a x + b`, which does not commute.
const COMPOSITION: &str = "to reduce \\(a: i32, b: i32, c: i32, d: i32) -> {
        let e: i32 = mul a c let f: i32 = mul c b let g: i32 = add f d in (e, g) } (1i32, 0i32)";

#[test]
fn rows_are_reduced_in_order() {
    let program = HandwrittenProgram::new(&format!(
        "fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n]i32, s: [n]i32, t: [n]i32) = {{
          let (as: [n]i32, bs: [n]i32, ms: [n]i32) = segment grid (i < n, j < m) {{
            map \\() -> {{ let x: i32 = xs[i, j] let y: i32 = add x 1i32 in (x, y, x) }}
            {COMPOSITION}
            to reduce commutative \\(o: i32, p: i32) -> {{ let q: i32 = max o p in q }} (-2147483648i32) }}
          in (as, bs, ms) }}
        entry main = main (xs = xs) -> (*r, *s, *t)"
    ));
    for shape in SIZES {
        program.check(&[numbers(&shape)]).expect("it runs");
    }
}

#[test]
fn rows_are_scanned_in_order() {
    let program = HandwrittenProgram::new(
        "fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n][m]i32, s: [n][m]i32, t: [n]i32, u: [n][m]i64) = {
          let (as: [n][m]i32, ms: [n][m]i32, ls: [n]i32, js: [n][m]i64) = segment grid (i < n, j < m) {
            map \\() -> { let x: i32 = xs[i, j] let y: i32 = add x 1i32 in (x, y, x, j) }
            scan \\(a: i32, b: i32, c: i32, d: i32) -> {
              let e: i32 = mul a c let f: i32 = mul c b let g: i32 = add f d in (e, g) } (1i32, 0i32)
            scan \\(a1: i32, b1: i32) -> { let c1: i32 = max a1 b1 in c1 } (-2147483648i32)
            post \\(p: i32, q: i32, o: i32, l: i64) -> { let k: i64 = add l i in (q, o, p, k) }
            to map
            to map
            to reduce \\(a2: i32, b2: i32) -> { let c2: i32 = add a2 b2 in c2 } (0i32)
            to map }
          in (as, ms, ls, js) }
        entry main = main (xs = xs) -> (*r, *s, *t, *u)",
    );
    for shape in SIZES {
        program.check(&[numbers(&shape)]).expect("it runs");
    }
}

#[test]
fn rows_of_three_dimensional_arrays() {
    let program = HandwrittenProgram::new(
        "fun main (n: i64, m: i64, l: i64, xs: [n][m][l]i32) -> (r: [n][m]i32, s: [n][m][l]i32) = {
          let as: [n][m]i32 = segment grid (i < n, j < m, k < l) {
            map \\() -> xs[i, j, k]
            to reduce \\(a: i32, b: i32) -> { let c: i32 = mul a 3i32 let d: i32 = sub a c let e: i32 = add d b let f: i32 = add e c in f } (0i32) }
          let bs: [n][m][l]i32 = segment grid (i2 < n, j2 < m, k2 < l) {
            map \\() -> { let x2: i32 = xs[i2, j2, k2] let u: i32 = convert i32 i2 let y2: i32 = add x2 u in y2 }
            scan \\(a2: i32, b2: i32) -> { let c2: i32 = add a2 b2 in c2 } (0i32)
            to map }
          in (as, bs) }
        entry main = main (xs = xs) -> (*r, *s)"
            .replace("map \\() -> xs[i, j, k]", "map \\() -> { let x: i32 = xs[i, j, k] in x }")
            .as_str(),
    );
    for shape in [[0, 2, 3], [2, 0, 3], [2, 3, 0], [1, 1, 1], [2, 3, 5], [3, 200, 4], [2, 3, 2100]] {
        program.check(&[numbers(&shape)]).expect("it runs");
    }
}

/// Point `bad` and all later points fail, each with its number in the message. Point `bad` may lie in the last
/// part of a row, and later rows fail too.
#[test]
fn the_first_failing_point_is_reported() {
    for sink in ["to reduce", "scan"] {
        let sinks = match sink {
            "scan" => ("scan", "[n][m]i32", "to map"),
            _ => ("to reduce", "[n]i32", ""),
        };
        let (word, ty, last) = sinks;
        let program = HandwrittenProgram::new(&format!(
            "fun main (n: i64, m: i64, bad: i64) -> (r: {ty}) = {{
              let rs: {ty} = segment grid (i < n, j < m) {{
                map \\() -> {{
                  let row: i64 = mul i m
                  let at: i64 = add row j
                  let fine: bool = lt at bad
                  let k: i64 = assert fine (at) \"point \" at \" is bad\"
                  let x: i32 = convert i32 k
                  in x }}
                {word} \\(a: i32, b: i32) -> {{ let c: i32 = max a b in c }} (0i32)
                {last} }}
              in rs }}
            entry main = main (n, m, bad) -> (*r)"
        ));
        for [n, m, bad] in
            [[3, 5, 15], [3, 5, 0], [3, 5, 7], [400, 7, 2000], [2, 5000, 4999], [2, 5000, 5000]]
        {
            let args = [n, m, bad].map(|number: i64| Value::from(number));
            let found = program.check(&args);
            match bad < n * m {
                true => {
                    let Err(Failure::Program { message, .. }) = found else { panic!("{found:?}") };
                    assert!(message.contains(&format!("point {bad} is bad")), "{message}");
                }
                false => drop(found.expect("it runs")),
            }
        }
    }
}

/// Each point has an array of its own, so the points run in batches.
#[test]
fn points_have_arrays_of_their_own() {
    let program = HandwrittenProgram::new(
        "fun main (n: i64, m: i64, xs: [n][m]i32) -> (r: [n]i32, s: [n][m]i32) = {
          let (as: [n][m]i32, bs: [n]i32) = segment grid (i < n, j < m) {
            map \\() -> {
              let x: i32 = xs[i, j]
              let k: i64 = add j 70
              let ys: [k]i32 = iota k x 1i32
              let last: i64 = add j 69
              let y: i32 = ys[last]
              in (y, y) }
            scan \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
            to map
            to reduce \\(a2: i32, b2: i32) -> { let c2: i32 = max a2 b2 in c2 } (-2147483648i32) }
          in (bs, as) }
        entry main = main (xs = xs) -> (*r, *s)",
    );
    for shape in [[0, 3], [3, 0], [1, 1], [7, 5], [30, 40]] {
        program.check(&[numbers(&shape)]).expect("it runs");
    }
}
