//! Maps, reductions and scans of every length.

use ravel_abi::{Array, Data, Value};
use ravel_prim::PrimValue;

use crate::support::{call, i64s, load, row, run};

#[test]
fn a_map_over_two_dimensions() {
    let text = r#"
        entry "main" [n, m] ("xs" xs: block f32 [n, m], "k" k: f32) -> ([][]f32) {
          let count: i64 = mul(n, m)
          alloc ys: block f32 = count
          view a: f32 [n, m] = xs + 0i64 * [m, 1i64]
          view b: f32 [m, n] = ys + 0i64 * [n, 1i64]
          segment map "transpose" (i < n, j < m) chunk 2i64 {
            load x: f32 = a[i, j]
            let y: f32 = mul(x, k)
            store b[j, i] = y
          }
          yield m, n, ys
        }"#;
    let xs = Value::Array(Array { shape: vec![2, 3], data: Data::F32(vec![1., 2., 3., 4., 5., 6.]) });
    let ys = Data::F32(vec![2., 8., 4., 10., 6., 12.]);
    let results = run(text, &[xs, Value::Scalar(PrimValue::F32(2.0))]);
    assert_eq!(results, [Value::Array(Array { shape: vec![3, 2], data: ys })]);
    // No points at all, along either side.
    for (n, m) in [(0, 3), (2, 0)] {
        let none = |shape: Vec<usize>| Value::Array(Array { shape, data: Data::F32(vec![]) });
        let results = run(text, &[none(vec![n, m]), Value::Scalar(PrimValue::F32(2.0))]);
        assert_eq!(results, [none(vec![m, n])]);
    }
}

/// Pairs (a, b) stand for x -> a * x + b; composing them is associative, not commutative.
const COMPOSE: &str = "combine (a1: u32, b1: u32) (a2: u32, b2: u32) neutral (1u32, 0u32) into (as, bs) {
    let a: u32 = mul(a1, a2)
    let c: u32 = mul(b1, a2)
    let b: u32 = add(c, b2)
    yield a, b
  }";

/// The pair at each index, odd so that products do not die out.
const PAIRS: &str = "load x: i64 = x1[i]
    let y: u32 = u32(x)
    let z: u32 = mul(y, 2u32)
    let a0: u32 = add(z, 1u32)
    yield a0, y";

fn compositions(xs: &[i64]) -> Vec<(u32, u32)> {
    let mut sum = (1u32, 0u32);
    let compose = |&x: &i64| {
        let (a, b) = ((x as u32).wrapping_mul(2).wrapping_add(1), x as u32);
        sum = (sum.0.wrapping_mul(a), sum.1.wrapping_mul(a).wrapping_add(b));
        sum
    };
    xs.iter().map(compose).collect()
}

/// Around the sizes of a workgroup, of its square, and beyond what fits one side of a grid.
const LENGTHS: [usize; 12] = [0, 1, 2, 255, 256, 257, 511, 513, 65_535, 65_536, 65_537, 65_535 * 256 + 1];

fn numbers(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| i.wrapping_mul(2_654_435_761) >> 3).collect()
}

#[test]
fn reductions_of_pairs_in_order() {
    let text = |chunk: usize| {
        format!(
            r#"entry "main" [n] (xs: block i64 [n]) -> (u32, u32) {{
              view x1: i64 [n] = xs + 0i64 * [1i64]
              alloc ab: block u32 = 1i64
              alloc bb: block u32 = 3i64
              view as: u32 [] = ab + 0i64 * []
              view bs: u32 [] = bb + 2i64 * []
              segment reduce (i < n) chunk {chunk}i64 {{ {PAIRS} }} {COMPOSE}
              load ra: u32 = as[]
              load rb: u32 = bs[]
              yield ra, rb
            }}"#
        )
    };
    for chunk in [1, 3, 1000] {
        let program = load(&text(chunk));
        for n in LENGTHS {
            let xs = numbers(n);
            let expected = compositions(&xs).last().copied().unwrap_or((1, 0));
            let (results, stats) = call(&program, &[i64s(xs)]);
            let scalar = |x| Value::Scalar(PrimValue::U32(x));
            assert_eq!(results, [scalar(expected.0), scalar(expected.1)], "length {n}, chunk {chunk}");
            assert_eq!((stats.submits, stats.read_backs), (1, 1), "neighbouring loads are one read-back");
        }
    }
}

#[test]
fn scans_of_pairs_in_order() {
    let text = |chunk: usize| {
        format!(
            r#"entry "main" [n] (xs: block i64 [n]) -> ([]u32, []u32) {{
              view x1: i64 [n] = xs + 0i64 * [1i64]
              alloc ab: block u32 = n
              alloc bb: block u32 = n
              view as: u32 [n] = ab + 0i64 * [1i64]
              view bs: u32 [n] = bb + 0i64 * [1i64]
              segment scan (i < n) chunk {chunk}i64 {{ {PAIRS} }} {COMPOSE}
              yield n, ab, n, bb
            }}"#
        )
    };
    for chunk in [1, 5] {
        let program = load(&text(chunk));
        for n in LENGTHS {
            let xs = numbers(n);
            let (a, b): (Vec<u32>, Vec<u32>) = compositions(&xs).into_iter().unzip();
            let (results, stats) = call(&program, &[i64s(xs)]);
            assert!(results == [row(Data::U32(a)), row(Data::U32(b))], "length {n}, chunk {chunk}");
            assert_eq!((stats.submits, stats.read_backs), (1, 1));
        }
    }
}

#[test]
fn several_operators_in_one_segment() {
    let text = r#"
        entry "main" [n] (xs: block f64 [n]) -> (f64, bool, i64) {
          view x1: f64 [n] = xs + 0i64 * [1i64]
          alloc sb: block f64 = 1i64
          alloc pb: block bool = 1i64
          alloc mb: block i64 = 1i64
          view s: f64 [] = sb + 0i64 * []
          view p: bool [] = pb + 0i64 * []
          view m: i64 [] = mb + 0i64 * []
          segment reduce (i < n) chunk 2i64 {
            load x: f64 = x1[i]
            let positive: bool = lt(0f64, x)
            yield x, positive, i
          } combine (a: f64) (b: f64) neutral (0f64) into (s) {
            let c: f64 = add(a, b)
            yield c
          } combine (a2: bool) (b2: bool) neutral (true) into (p) commutative {
            let c2: bool = and(a2, b2)
            yield c2
          } combine (a3: i64) (b3: i64) neutral (-9223372036854775808i64) into (m) {
            let c3: i64 = max(a3, b3)
            yield c3
          }
          load rs: f64 = s[]
          load rp: bool = p[]
          load rm: i64 = m[]
          yield rs, rp, rm
        }"#;
    let scalars =
        |s, p, m| [PrimValue::F64(s), PrimValue::Bool(p), PrimValue::I64(m)].map(Value::Scalar).to_vec();
    let xs = |n: i64| row(Data::F64((0..n).map(|i| i as f64 + 0.5).collect()));
    assert_eq!(run(text, &[xs(1000)]), scalars(500_000.0, true, 999));
    assert_eq!(run(text, &[row(Data::F64(vec![1.0, -2.0]))]), scalars(-1.0, false, 1));
    assert_eq!(run(text, &[xs(0)]), scalars(0.0, true, i64::MIN));
}

#[test]
fn a_body_of_a_scan_stores_beside_its_result() {
    let text = r#"
        entry "main" [n] (xs: block i32 [n]) -> ([]i32, []i64) {
          view x1: i32 [n] = xs + 0i64 * [1i64]
          alloc db: block i32 = n
          alloc cb: block i64 = n
          view d: i32 [n] = db + 0i64 * [1i64]
          view c: i64 [n] = cb + 0i64 * [1i64]
          segment scan (i < n) chunk 3i64 {
            load x: i32 = x1[i]
            let y: i32 = add(x, x)
            store d[i] = y
            let keep: bool = lt(0i32, x)
            let one: i64 = i64(keep)
            yield one
          } combine (a: i64) (b: i64) neutral (0i64) into (c) {
            let s: i64 = add(a, b)
            yield s
          }
          yield n, db, n, cb
        }"#;
    let xs: Vec<i32> = (0..1000).map(|i| i % 3 - 1).collect();
    let doubled = xs.iter().map(|x| x + x).collect();
    let mut count = 0;
    let counts = xs.iter().map(|&x| {
        count += i64::from(x > 0);
        count
    });
    let counts = counts.collect();
    assert_eq!(run(text, &[row(Data::I32(xs))]), [row(Data::I32(doubled)), row(Data::I64(counts))]);
}
