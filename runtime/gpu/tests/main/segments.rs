//! Maps, reductions and scans of every length.

use ravel_abi::{Array, Data, Value};
use ravel_prim::PrimValue;

use crate::support::{call, load, row, run};

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
    let xs = Value::Array(Array { shape: vec![2, 3], data: Data::F32(vec![1., 2., 3., 4., 5., 6.].into()) });
    let ys = Data::F32(vec![2., 8., 4., 10., 6., 12.].into());
    let results = run(text, &[xs, Value::Scalar(PrimValue::F32(2.0))]);
    assert_eq!(results, [Value::Array(Array { shape: vec![3, 2], data: ys })]);
    // No points, in either dimension.
    for (n, m) in [(0, 3), (2, 0)] {
        let none = |shape: Vec<usize>| Value::Array(Array { shape, data: Data::F32(vec![].into()) });
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

/// The pair at each index: a is odd, so that products do not die out, and no two maps have the same fixed point, so that
/// they do not commute.
const PAIRS: &str = "let x1: i64 = mul(i, 2654435761i64)
    let x2: i64 = shr(x1, 3i64)
    let y: u32 = u32(x2)
    let z: u32 = mul(y, 2u32)
    let a0: u32 = add(z, 1u32)
    let b0: u32 = mul(y, y)
    yield a0, b0";

/// The compositions of the first pairs: of one, of two, … of n.
fn compositions(n: usize) -> Vec<(u32, u32)> {
    let mut sum = (1u32, 0u32);
    let compose = |i: i64| {
        let y = (i.wrapping_mul(2_654_435_761) >> 3) as u32;
        let (a, b) = (y.wrapping_mul(2).wrapping_add(1), y.wrapping_mul(y));
        sum = (sum.0.wrapping_mul(a), sum.1.wrapping_mul(a).wrapping_add(b));
        sum
    };
    (0..n as i64).map(compose).collect()
}

/// Sizes close to the size of a workgroup and to its square.
const LENGTHS: [usize; 11] = [0, 1, 2, 255, 256, 257, 511, 513, 65_535, 65_536, 65_537];

/// More workgroups than fit one side of a grid.
const LARGE: usize = 65_535 * 256 + 1;

fn number(n: usize) -> Value {
    Value::Scalar(PrimValue::I64(n as i64))
}

fn word(x: u32) -> Value {
    Value::Scalar(PrimValue::U32(x))
}

#[test]
fn reductions_of_pairs_in_order() {
    let text = |chunk: usize| {
        format!(
            r#"entry "main" [] (n: i64) -> (u32, u32) {{
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
    let all = compositions(LARGE);
    for chunk in [1, 3, 1000] {
        let program = load(&text(chunk));
        for n in LENGTHS.into_iter().chain([LARGE]) {
            let (a, b) = if n == 0 { (1, 0) } else { all[n - 1] };
            let (results, stats) = call(&program, &[number(n)]);
            assert_eq!(results, [word(a), word(b)], "length {n}, chunk {chunk}");
            assert_eq!((stats.submits, stats.read_backs), (1, 1), "neighbouring loads are one read-back");
        }
    }
}

const SCAN: &str = "alloc ab: block u32 = n
    alloc bb: block u32 = n
    view as: u32 [n] = ab + 0i64 * [1i64]
    view bs: u32 [n] = bb + 0i64 * [1i64]";

#[test]
fn scans_of_pairs_in_order() {
    for chunk in [1, 5] {
        let program = load(&format!(
            r#"entry "main" [] (n: i64) -> ([]u32, []u32) {{
              {SCAN}
              segment scan (i < n) chunk {chunk}i64 {{ {PAIRS} }} {COMPOSE}
              yield n, ab, n, bb
            }}"#
        ));
        for n in LENGTHS {
            let (a, b): (Vec<u32>, Vec<u32>) = compositions(n).into_iter().unzip();
            let (results, stats) = call(&program, &[number(n)]);
            assert!(
                results == [row(Data::U32(a.into())), row(Data::U32(b.into()))],
                "length {n}, chunk {chunk}"
            );
            assert_eq!((stats.submits, stats.read_backs), (1, 1));
        }
    }
}

#[test]
fn large_scans_of_pairs_in_order() {
    let places = [0, 255, 256, 65_535, 65_536, 8_000_000, 8_388_608, LARGE - 2, LARGE - 1];
    let loads: String = places
        .iter()
        .map(|at| format!("load ra{at}: u32 = as[{at}i64]\nload rb{at}: u32 = bs[{at}i64]\n"))
        .collect();
    let results = places.map(|at| format!("ra{at}, rb{at}")).join(", ");
    let types = vec!["u32"; 2 * places.len()].join(", ");
    let all = compositions(LARGE);
    for chunk in [1, 7] {
        let text = format!(
            r#"entry "main" [] (n: i64) -> ({types}) {{
              {SCAN}
              segment scan (i < n) chunk {chunk}i64 {{ {PAIRS} }} {COMPOSE}
              {loads}
              yield {results}
            }}"#
        );
        let expected: Vec<Value> = places.iter().flat_map(|&at| [word(all[at].0), word(all[at].1)]).collect();
        assert_eq!(run(&text, &[number(LARGE)]), expected, "chunk {chunk}");
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
    assert_eq!(run(text, &[row(Data::F64(vec![1.0, -2.0].into()))]), scalars(-1.0, false, 1));
    assert_eq!(run(text, &[xs(0)]), scalars(0.0, true, i64::MIN));
}

#[test]
fn the_body_of_a_scan_may_store() {
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
    assert_eq!(run(text, &[row(Data::I32(xs.into()))]), [row(Data::I32(doubled)), row(Data::I64(counts))]);
}
