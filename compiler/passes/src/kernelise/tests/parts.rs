//! Segments that combine arrays agree with the interpreter for any number of parts.

use ravel_kernel::Target;

use super::{agrees, kernel, program};

/// Histograms combined with maps and writes, reductions, scans, several histograms, rows, operators on pairs and
/// operators that fail.
const HISTOGRAMS: [&str; 5] = [
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i32, *h: [m]i32, *g: [m]i32) -> (a: [m]i32, b: [m]i32) = {
      let (c: [m]i32, d: [m]i32) = screma n { from is, vs, iota 0 1
        map \\(i: i64, v: i32, k: i64) -> { let j: i64 = add i k in (i, v, j, 1i32) }
        to combine (h) \\(x: i32, y: i32) -> { let z: i32 = add x y in z } (0i32)
        to combine (g) \\(x2: i32, y2: i32) -> { let z2: i32 = max x2 y2 in z2 } (-2147483648i32) }
      in (c, d) }
    entry main = main (is = is, vs = vs, *h = h, *g = g) -> (*a, *b)",
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i32, *h: [m]i32) -> (a: [m]i32) = {
      let c: [m]i32 = screma n { from is, vs map \\(i: i64, v: i32) -> (i, v)
        to combine (h) \\(x: i32, y: i32) -> {
          let fine: bool = lt y 3i32
          let y3: i32 = assert fine (y) \"too much\"
          let z: i32 = max x y3 in z } (-2147483648i32) }
      in c }
    entry main = main (is = is, vs = vs, *h = h) -> (*a)",
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i32, *h: [m]i32, *g: [m]i32, *w: [m]i32) -> (a: [m]i32, b: [m]i32, o: [m]i32, p: [n]i32) = {
      let (p1: [n]i32, c: [m]i32, d: [m]i32, o1: [m]i32) = screma n { from is, vs
        map \\(i: i64, v: i32) -> { let t: i32 = mul v 2i32 in (v, i, t, v, i, 9i32) }
        to map
        to combine (h, g) \\(x: i32, y: i32, x2: i32, y2: i32) -> {
          let first: bool = lt x x2
          let (s: i32, t2: i32) = if first then { in (x, y) } else { in (x2, y2) } in (s, t2) } (2147483647i32, 0i32)
        to write w rank 1 }
      in (c, d, o1, p1) }
    entry main = main (is = is, vs = vs, *h = h, *g = g, *w = w) -> (*a, *b, *o, *p)",
    "fun main (n: i64, m: i64, l: i64, is: [n]i64, vs: [n][l]i32, *h: [m][l]i32) -> (a: [m][l]i32) = {
      let zeros: [l]i32 = replicate l 0i32
      let c: [m][l]i32 = screma n { from is, vs map \\(i: i64, v: [l]i32) -> (i, v)
        to combine (h) \\(x: [l]i32, y: [l]i32) -> {
          let z: [l]i32 = screma l { from x, y map \\(e: i32, f: i32) -> { let g: i32 = add e f in g } to map }
          in z } (zeros) }
      in c }
    entry main = main (is = is, vs = vs, *h = h) -> (*a)",
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i32, *h: [m]i32) -> (a: [m]i32, s: i32, t: [n]i32) = {
      let (t1: [n]i32, c: [m]i32, s1: i32) = screma n { from is, vs map \\(i: i64, v: i32) -> (v, i)
        scan \\(x: i32, y: i32) -> { let z: i32 = add x y in z } (0i32)
        post \\(u: i32, i2: i64) -> (u, i2, u, u)
        to map
        to combine (h) \\(x3: i32, y3: i32) -> { let z3: i32 = add x3 y3 in z3 } (0i32)
        to reduce \\(x4: i32, y4: i32) -> { let z4: i32 = max x4 y4 in z4 } (0i32) }
      in (c, s1, t1) }
    entry main = main (is = is, vs = vs, *h = h) -> (*a, s, *t)",
];

#[test]
fn histograms_have_as_many_parts_as_the_target_allows() {
    for text in HISTOGRAMS {
        let program = program(text);
        for base in [Target::CPU, Target::GPU, Target { private_capacity: 0, ..Target::GPU }] {
            for histogram_parts in [1, 2, 64] {
                let target =
                    Target { histogram_parts, histogram_points: 1, histogram_spread: 8, ..base.clone() };
                let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
                assert!(runs > 8, "too few runs have results\n{text}");
            }
        }
    }
}

/// A scan of arrays and numbers after which the points reduce, and a reduction of arrays beside a write.
const ARRAYS: [&str; 2] = [
    "fun main (n: i64, m: i64, xs: [n][m]i32) -> (o: [n][m]i32, r: i32, t: [n]i64) = {
      let zeros: [m]i32 = replicate m 0i32
      let (o1: [n][m]i32, r1: i32, t1: [n]i64) = screma n { from xs, iota 5 3
        map \\(x: [m]i32, i: i64) -> (x, i, i)
        scan \\(a: [m]i32, b: [m]i32) -> {
          let c: [m]i32 = screma m { from a, b map \\(d: i32, e: i32) -> { let f: i32 = add d e in f } to map }
          in c } (zeros)
        scan \\(u: i64, v: i64) -> { let w: i64 = add u v in w } (0)
        post \\(s: [m]i32, k: i64, j: i64) -> { let g: i32 = convert i32 k in (s, g, k) }
        to map
        to reduce \\(p: i32, q: i32) -> { let h: i32 = max p q in h } (0i32)
        to map }
      in (o1, r1, t1) }
    entry main = main (xs = xs) -> (*o, r, *t)",
    "fun main (n: i64, m: i64, xs: [n][m]i32, is: [n]i64, *ts: [n]i64) -> (r: [m]i32, t: [n]i64) = {
      let zeros: [m]i32 = replicate m 0i32
      let (rs: [m]i32, ts1: [n]i64) = screma n { from xs, is, iota 0 1
        map \\(x: [m]i32, i: i64, k: i64) -> (x, k, i)
        to reduce \\(a: [m]i32, b: [m]i32) -> {
          let c: [m]i32 = screma m { from a, b map \\(d: i32, e: i32) -> { let f: i32 = add d e in f } to map }
          in c } (zeros)
        to write ts rank 1 }
      in (rs, ts1) }
    entry main = main (xs = xs, is = is, *ts = ts) -> (*r, *t)",
];

#[test]
fn arrays_have_as_many_parts_as_the_target_allows() {
    for text in ARRAYS {
        let program = program(text);
        for base in [Target::CPU, Target::GPU] {
            for histogram_parts in [1, 2, 64] {
                let target = Target { histogram_parts, part_points: 1, histogram_spread: 64, ..base.clone() };
                let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
                assert!(runs > 8, "too few runs have results\n{text}");
            }
        }
    }
}

/// Histograms of one and of several arrays, with all operators that are atomic. Their indices may be out of bounds.
const TABLES: [&str; 3] = [
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i32, *h: [m]i32) -> (a: [m]i32) = {
      let c: [m]i32 = screma n { from is, vs map \\(i: i64, v: i32) -> (i, v)
        to combine (h) \\(x: i32, y: i32) -> { let z: i32 = add x y in z } (0i32) }
      in c }
    entry main = main (is = is, vs = vs, *h = h) -> (*a)",
    "fun main (n: i64, m: i64, k: i64, is: [n]i64, vs: [n]i32, us: [n]u32, *h: [m]i32, *g: [k]u32, *f: [m]u32) -> (a: [m]i32, b: [k]u32, e: [m]u32) = {
      let (c: [m]i32, d: [k]u32, w: [m]u32) = screma n { from is, vs, us, iota 0 1
        map \\(i: i64, v: i32, u: u32, j: i64) -> { let l: i64 = sub i j in (l, v, i, u, j, u) }
        to combine (h) \\(x: i32, y: i32) -> { let z: i32 = min x y in z } (2147483647i32)
        to combine (g) \\(x2: u32, y2: u32) -> { let z2: u32 = xor x2 y2 in z2 } (0u32)
        to combine (f) \\(x3: u32, y3: u32) -> { let z3: u32 = or x3 y3 in z3 } (0u32) }
      in (c, d, w) }
    entry main = main (is = is, vs = vs, us = us, *h = h, *g = g, *f = f) -> (*a, *b, *e)",
    "fun main (n: i64, m: i64, is: [n]i64, vs: [n]i64, us: [n]u32, *h: [m]i64, *g: [m]u32) -> (a: [m]i64, b: [m]u32) = {
      let (c: [m]i64, d: [m]u32) = screma n { from is, vs, us map \\(i: i64, v: i64, u: u32) -> (i, v, i, u)
        to combine (h) \\(x: i64, y: i64) -> { let z: i64 = add x y in z } (0)
        to combine (g) \\(x2: u32, y2: u32) -> { let z2: u32 = max x2 y2 in z2 } (0u32) }
      in (c, d) }
    entry main = main (is = is, vs = vs, us = us, *h = h, *g = g) -> (*a, *b)",
];

#[test]
fn tables_take_as_many_passes_as_there_are_bins() {
    for text in TABLES {
        let program = program(text);
        for (workgroup, bytes, histogram_passes) in [(256, 12_288, 1), (4, 12, 1), (4, 12, 8), (4, 24, 64)] {
            let workgroup_bytes = Some(bytes);
            let target =
                Target { workgroup, workgroup_bytes, histogram_passes, histogram_points: 1, ..Target::GPU };
            let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(kernel.to_string().contains("combine "), "threads combine\n{kernel}");
            let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
            assert!(runs > 8, "too few runs have results\n{text}");
        }
    }
}
