//! `manifest`: copies of arrays in the layout in which later code reads them.

use ravel_abi::{Array, Data, Value};
use ravel_kernel::Target;

use super::{agrees, kernel, outcome, program};

/// Sums of rows, one thread for each row. `row` is the array that the threads read.
fn row_sums(before: &str, row: &str) -> String {
    format!(
        "fun main (n: i64, m: i64, xs: [n][m]f32) -> (r: [n]f32) = {{
          {before}
          let rs: [n]f32 = screma n {{ from {row} map \\(x: [m]f32) -> {{
            let s: f32 = screma m {{ from x map \\(e: f32) -> e
              to reduce \\(a: f32, b: f32) -> {{ let c: f32 = add a b in c }} (0f32) }}
            in s }} to map }}
          in rs }}
        entry main = main (xs = xs) -> (*r)"
    )
}

/// The share of the moved sectors that the map of the program needs.
fn coalescing(text: &str) -> f64 {
    let kernel = kernel(&program(text), &Target::GPU).unwrap_or_else(|error| panic!("{error}"));
    let (n, m) = (64, 16);
    let data = Data::F32((0..n * m).map(|x| x as f32).collect());
    let xs = Value::Array(Array { shape: vec![n, m], data });
    let outcome = outcome(&kernel, &Target::GPU, &[n as i64, m as i64], &[xs]).expect("it runs");
    let map = outcome.segments.iter().find(|segment| segment.name == "map").expect("a map");
    map.counts.coalescing()
}

#[test]
fn neighbouring_threads_read_neighbouring_elements() {
    assert!(coalescing(&row_sums("", "xs")) < 0.3);
    assert_eq!(coalescing(&row_sums("let ys: [n][m]f32 = manifest (1, 0) xs", "ys")), 1.0);
}

#[test]
fn a_copy_in_another_layout_has_the_same_value() {
    let texts = [
        row_sums("let ys: [n][m]f32 = manifest (1, 0) xs", "ys"),
        // Three dimensions, the order in which the inverse differs.
        "fun main (n: i64, m: i64, l: i64, xs: [n][m][l]i32) -> (r: [n][m][l]i32, s: [l][m]i32, t: i32) = {
          let ys: [n][m][l]i32 = manifest (2, 0, 1) xs
          let some: bool = lt 0 n
          let first: i64 = assert some (0i64) \"there is no row\"
          let zs: [m][l]i32 = slice ys[first, 0 : m : 1, 0 : l : 1]
          let us: [l][m]i32 = rearrange zs (1, 0)
          let k: i64 = mul m l
          let vs: [k]i32 = reshape zs
          let t_: i32 = screma k { from vs map \\(v: i32) -> v
            to reduce \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) }
          in (ys, us, t_) }
        entry main = main (xs = xs) -> (r, s, t)"
            .to_owned(),
        // Updated in place, in a loop, in a branch, and by a thread.
        "fun main (n: i64, m: i64, c: bool, *xs: [n][m]i32) -> (r: [n][m]i32) = {
          let three: [3]i32 = [1i32, 2i32, 3i32]
          let ys: [n][m]i32 = manifest (1, 0) xs
          let zs: [n][m]i32 = loop (acc: [n][m]i32 = ys) for i: i64 < n do {
            let row: [m]i32 = iota m 1i32 2i32
            let next: [n][m]i32 = acc with [i, 0 : m : 1] = row
            let again: [n][m]i32 = manifest (1, 0) next
            in again }
          let us: [n][m]i32 = if c then { let turned: [n][m]i32 = manifest (1, 0) zs in turned } else zs
          let vs: [n][m]i32 = screma n { from us map \\(x: [m]i32) -> {
            let grid: [m][3]i32 = replicate m three
            let laid: [m][3]i32 = manifest (1, 0) grid
            let y: [m]i32 = screma m { from x, laid map \\(e: i32, g: [3]i32) -> { let f: i32 = g[1] let h: i32 = add e f in h } to map }
            in y } to map }
          in vs }
        entry main = main (c, *xs = xs) -> (*r)"
            .to_owned(),
    ];
    for text in texts {
        let program = program(&text);
        for target in [Target::CPU, Target::GPU, Target { private_capacity: 0, ..Target::GPU }] {
            let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
            assert!(runs > 8, "most runs fail, so this tests little\n{text}");
        }
    }
}

/// Threads with arrays of unknown size run in batches, since the arrays need memory.
#[test]
fn a_thread_reads_evenly_spaced_elements_in_another_shape_without_a_copy() {
    let is_copied = |view: &str, (a, b): (&str, &str)| {
        let text = format!(
            "fun main (n: i64, m: i64, l: i64, xs: [n][m][l]i32) -> (r: [n]i32) = {{
              let ys: [n][m][l]i32 = manifest (1, 2, 0) xs
              let rs: [n]i32 = screma n {{ from ys map \\(y: [m][l]i32) -> {{
                let some: bool = le 1 l
                let last: i64 = sub l 1
                let p: [{a}][{b}]i32 = {view}
                let k: i64 = mul {a} {b}
                let flat: [k]i32 = reshape p
                let t: i32 = loop (s: i32 = 0i32) for i: i64 < k do {{ let e: i32 = flat[i] let f: i32 = sub e s in f }}
                in t }} to map }}
              in rs }}
            entry main = main (xs = xs) -> (*r)"
        );
        let kernel = kernel(&program(&text), &Target::GPU).unwrap_or_else(|error| panic!("{error}"));
        kernel.to_string().contains("private_limit")
    };
    assert!(!is_copied("slice y[0 : m : 1, 0 : l : 1]", ("m", "l")));
    assert!(!is_copied("slice y[0 : 1 : 1, 0 : l : 1]", ("1", "l")));
    assert!(is_copied("slice y[0 : m : 1, 0 : 1 : 1]", ("m", "1")), "gaps between the rows");
    assert!(is_copied("rearrange y (1, 0)", ("l", "m")), "another order");
}
