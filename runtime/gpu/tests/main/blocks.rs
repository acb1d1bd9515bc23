//! Segments of workgroups: workgroup memory, barriers, uniform loads, reductions and scans of a row, failures.
//!
//! Every program runs with subgroups and without them, and must behave the same.

use ravel_abi::{Array, Data, Failure, Value};
use ravel_gpu::{Program, Stats};
use ravel_kernel::Target;
use ravel_prim::PrimValue;

use crate::support::{self, gpu, i64s};

/// A program that uses subgroups, and the same one without.
struct ProgramPair {
    with: Program,
    without: Program,
}

fn load(text: &str) -> ProgramPair {
    let plan = support::plan(text, &Target::GPU);
    let load = |subgroups| gpu().clone().with_subgroups(subgroups).load(plan.clone());
    ProgramPair { with: load(true).expect("a program"), without: load(false).expect("a program") }
}

fn try_call(program: &ProgramPair, args: &[Value]) -> Result<(Vec<Value>, Stats), Failure> {
    let [with, without] = [&program.with, &program.without].map(|program| support::try_call(program, args));
    let bytes = |(values, _): &(Vec<Value>, Stats)| {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.write_bytes(&mut bytes));
        bytes
    };
    assert_eq!(with.as_ref().map(bytes), without.as_ref().map(bytes));
    without
}

fn run(text: &str, args: &[Value]) -> Vec<Value> {
    try_call(&load(text), args).unwrap_or_else(|failure| panic!("{failure}")).0
}

fn number(n: i64) -> Value {
    Value::Scalar(PrimValue::I64(n))
}

fn array(shape: &[usize], data: Data) -> Value {
    Value::Array(Array { shape: shape.to_vec(), data })
}

/// If it did not, the tests of this file would run the version without subgroups twice.
#[test]
fn a_device_with_subgroups_passes_their_probe() {
    let info = gpu().info();
    assert_eq!(info.has_subgroups, info.hardware.max_subgroup.is_some());
}

/// Pairs (a, b) stand for x -> a * x + b; composing them is associative, not commutative.
const COMPOSE: &str = "combine (a1: u32, b1: u32) (a2: u32, b2: u32) neutral (1u32, 0u32) into (as, bs) {
    let a: u32 = mul(a1, a2)
    let c: u32 = mul(b1, a2)
    let b: u32 = add(c, b2)
    yield a, b
  }";

/// The pair of workgroup `g` at row `r` and index `k`. No two maps have the same fixed point, so that they do not commute.
const PAIR: &str = "let g3: i64 = mul(g, 3i64)
    let r7: i64 = mul(r, 7i64)
    let gr: i64 = add(g3, r7)
    let grk: i64 = add(gr, k)
    let y: u32 = u32(grk)
    let z: u32 = mul(y, 2u32)
    let a0: u32 = add(z, 1u32)
    let b0: u32 = mul(y, y)
    yield a0, b0";

fn prefixes(g: usize, r: usize, n: usize) -> Vec<(u32, u32)> {
    let mut sum = (1u32, 0u32);
    let compose = |k: usize| {
        let y = (g * 3 + r * 7 + k) as u32;
        let a = y.wrapping_mul(2).wrapping_add(1);
        sum = (sum.0.wrapping_mul(a), sum.1.wrapping_mul(a).wrapping_add(y.wrapping_mul(y)));
        sum
    };
    (0..n).map(compose).collect()
}

/// Numbers of rows and their lengths: few long rows, many short ones, and around the size of a workgroup.
const ROWS: [(usize, usize); 20] = [
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 31),
    (1, 127),
    (1, 128),
    (1, 129),
    (1, 255),
    (1, 256),
    (1, 257),
    (1, 1000),
    (0, 5),
    (3, 0),
    (2, 100),
    (5, 3),
    (7, 33),
    (127, 2),
    (257, 2),
    (300, 7),
];

/// Rows of which each thread takes few points, so that it holds their values if the sizes are constants.
const HELD: [(usize, usize); 9] =
    [(1, 2), (1, 255), (1, 300), (1, 512), (1, 1000), (2, 250), (7, 33), (16, 40), (128, 5)];

/// The program for rows of one size.
fn of_size(text: &str, (rows, n): (usize, usize)) -> ProgramPair {
    load(&text.replace("(r < rows, k < n)", &format!("(r < {rows}i64, k < {n}i64)")))
}

#[test]
fn reductions_of_rows_in_order() {
    let text = format!(
        r#"entry "main" [] (blocks: i64, rows: i64, n: i64) -> ([][]u32, [][]u32) {{
          let count: i64 = mul(blocks, rows)
          alloc ab: block u32 = count
          alloc bb: block u32 = count
          segment blocks (g < blocks) chunk 1i64 {{
            let first: i64 = mul(g, rows)
            view as: u32 [rows] = ab + first * [1i64]
            view bs: u32 [rows] = bb + first * [1i64]
            segment reduce (r < rows, k < n) {{ {PAIR} }} {COMPOSE}
          }}
          yield blocks, rows, ab, blocks, rows, bb
        }}"#
    );
    let check = |program: &ProgramPair, (rows, n): (usize, usize)| {
        let all = (0..3).flat_map(|g| (0..rows).map(move |r| (g, r)));
        let (a, b): (Vec<u32>, Vec<u32>) =
            all.map(|(g, r)| prefixes(g, r, n).last().copied().unwrap_or((1, 0))).unzip();
        let expected = [Data::U32(a.into()), Data::U32(b.into())].map(|data| array(&[3, rows], data));
        let (results, _) = try_call(program, &[3, rows, n].map(|x| number(x as i64))).unwrap();
        assert!(results == expected, "{rows} rows of {n}: {results:?}, not {expected:?}");
    };
    let program = load(&text);
    ROWS.iter().for_each(|&size| check(&program, size));
    HELD.iter().for_each(|&size| check(&of_size(&text, size), size));
}

#[test]
fn scans_of_rows_in_order() {
    let text = format!(
        r#"entry "main" [] (blocks: i64, rows: i64, n: i64) -> ([][][]u32, [][][]u32) {{
          let row: i64 = mul(rows, n)
          let count: i64 = mul(blocks, row)
          alloc ab: block u32 = count
          alloc bb: block u32 = count
          view a3: u32 [blocks, rows, n] = ab + 0i64 * [row, n, 1i64]
          segment blocks (g < blocks) chunk 1i64 {{
            let first: i64 = mul(g, row)
            view as: u32 [rows, n] = ab + first * [n, 1i64]
            view bs: u32 [rows, n] = bb + first * [n, 1i64]
            segment scan (r < rows, k < n) {{ {PAIR} }} {COMPOSE}
          }}
          yield blocks, rows, n, ab, blocks, rows, n, bb
        }}"#
    );
    let check = |program: &ProgramPair, (rows, n): (usize, usize)| {
        let all = (0..3).flat_map(|g| (0..rows).flat_map(move |r| prefixes(g, r, n)));
        let (a, b): (Vec<u32>, Vec<u32>) = all.unzip();
        let expected = [Data::U32(a.into()), Data::U32(b.into())].map(|data| array(&[3, rows, n], data));
        let (results, _) = try_call(program, &[3, rows, n].map(|x| number(x as i64))).unwrap();
        assert!(results == expected, "{rows} rows of {n}: {results:?}, not {expected:?}");
    };
    let program = load(&text);
    ROWS.iter().for_each(|&size| check(&program, size));
    HELD.iter().for_each(|&size| check(&of_size(&text, size), size));
}

#[test]
fn sums_of_floats_in_the_same_order_with_and_without_subgroups() {
    // The sum of numbers of very different sizes depends on the order. A reduction that commutes combines its points in
    // another order.
    for ty in ["f32", "f64"] {
        for commutative in ["", "commutative"] {
            let program = load(&format!(
                r#"entry "main" [] (rows: i64, n: i64) -> ([]{ty}, [][]{ty}) {{
                  let count: i64 = mul(rows, n)
                  alloc sb: block {ty} = rows
                  alloc pb: block {ty} = count
                  view sums: {ty} [rows] = sb + 0i64 * [1i64]
                  view prefixes: {ty} [rows, n] = pb + 0i64 * [n, 1i64]
                  segment blocks (one < 1i64) chunk 1i64 {{
                    segment reduce (r0 < rows, k0 < n) {{
                      let k1: i64 = add(k0, 1i64)
                      let x: {ty} = {ty}(k1)
                      let y: {ty} = div(1{ty}, x)
                      yield y
                    }} combine (a: {ty}) (b: {ty}) neutral (0{ty}) into (sums) {commutative} {{
                      let c: {ty} = add(a, b)
                      yield c
                    }}
                    segment scan (r2 < rows, k2 < n) {{
                      let k3: i64 = add(k2, 1i64)
                      let z: {ty} = {ty}(k3)
                      let w: {ty} = div(1{ty}, z)
                      yield w
                    }} combine (d: {ty}) (e: {ty}) neutral (0{ty}) into (prefixes) {{
                      let f: {ty} = add(d, e)
                      yield f
                    }}
                  }}
                  yield rows, sb, rows, n, pb
                }}"#
            ));
            for (rows, n) in ROWS {
                let (results, _) = try_call(&program, &[rows, n].map(|x| number(x as i64))).unwrap();
                let sum: f64 = (1..=n).map(|k| 1.0 / k as f64).sum();
                let sums: Vec<f64> = match &results[0] {
                    Value::Array(Array { data: Data::F32(sums), .. }) => {
                        sums.iter().copied().map(f64::from).collect()
                    }
                    Value::Array(Array { data: Data::F64(sums), .. }) => sums.to_vec(),
                    other => panic!("{other:?}"),
                };
                assert!(
                    sums.len() == rows && sums.iter().all(|s| (s - sum).abs() <= 1e-5 * n as f64),
                    "{sums:?}"
                );
            }
        }
    }
}

#[test]
fn commutative_reductions_into_workgroup_memory() {
    // All threads take the same branch, whose condition is the sum of the row.
    let program = load(
        r#"entry "main" [n] (xs: block i64 [4i64, n]) -> ([][]i64) {
          let count: i64 = mul(4i64, n)
          alloc yb: block i64 = count
          view x2: i64 [4i64, n] = xs + 0i64 * [n, 1i64]
          view y2: i64 [4i64, n] = yb + 0i64 * [n, 1i64]
          segment blocks (g < 4i64) chunk 1i64 {
            alloc sb: workgroup i64 = 1i64
            view s0: i64 [] = sb + 0i64 * []
            segment reduce (k < n) {
              load x: i64 = x2[g, k]
              yield x
            } combine (a: i64) (b: i64) neutral (0i64) into (s0) commutative {
              let c: i64 = add(a, b)
              yield c
            }
            load s: i64 = s0[]
            let large: bool = lt(1000i64, s)
            if large {
              segment map (l < n) {
                load x1: i64 = x2[g, l]
                let y1: i64 = sub(s, x1)
                store y2[g, l] = y1
              }
              yield 0i64
            } else {
              let twice: i64 = add(s, s)
              segment map (m < n) { store y2[g, m] = twice }
              yield twice
            } -> (unused: i64)
          }
          yield 4i64, n, yb
        }"#,
    );
    for n in [0usize, 1, 255, 256, 257, 700] {
        let x = |g: usize, k: usize| (g * g * k) as i64 % 11;
        let xs: Vec<i64> = (0..4).flat_map(|g| (0..n).map(move |k| x(g, k))).collect();
        let sums: Vec<i64> = (0..4).map(|g| (0..n).map(|k| x(g, k)).sum()).collect();
        let y = |g: usize, k: usize| if sums[g] > 1000 { sums[g] - x(g, k) } else { 2 * sums[g] };
        let ys = (0..4).flat_map(|g| (0..n).map(move |k| (g, k))).map(|(g, k)| y(g, k)).collect();
        let (results, _) = try_call(&program, &[array(&[4, n], Data::I64(xs.into()))]).unwrap();
        assert_eq!(results, [array(&[4, n], Data::I64(ys))], "length {n}");
    }
}

#[test]
fn several_steps_of_a_stencil_in_workgroup_memory() {
    // The steps alternate between two rows. Each point reads neighbours that other threads have computed.
    let program = load(
        r#"entry "main" [] (blocks: i64, rounds: i64) -> ([][]i32) {
          let count: i64 = mul(blocks, 300i64)
          alloc yb: block i32 = count
          view y2: i32 [blocks, 300i64] = yb + 0i64 * [300i64, 1i64]
          segment blocks (g < blocks) chunk 1i64 {
            alloc fb: workgroup i32 = 300i64
            alloc tb: workgroup i32 = 300i64
            view from: i32 [300i64] = fb + 0i64 * [1i64]
            view to: i32 [300i64] = tb + 0i64 * [1i64]
            segment map (k0 < 300i64) {
              let first: i64 = add(g, k0)
              let word: i32 = i32(first)
              store from[k0] = word
            }
            loop () for round: i64 < rounds {
              segment map (k1 < 300i64) {
                let upk1: i64 = add(k1, 1i64)
                let nextk1: i64 = rem(upk1, 300i64)
                load ak1: i32 = from[k1]
                load bk1: i32 = from[nextk1]
                let ck1: i32 = mul(bk1, 3i32)
                let dk1: i32 = sub(ck1, ak1)
                store to[k1] = dk1
              }
              segment map (k2 < 300i64) {
                let upk2: i64 = add(k2, 1i64)
                let nextk2: i64 = rem(upk2, 300i64)
                load ak2: i32 = to[k2]
                load bk2: i32 = to[nextk2]
                let ck2: i32 = mul(bk2, 3i32)
                let dk2: i32 = sub(ck2, ak2)
                store from[k2] = dk2
              }
            } -> ()
            segment map (k3 < 300i64) {
              load y: i32 = from[k3]
              store y2[g, k3] = y
            }
          }
          yield blocks, 300i64, yb
        }"#,
    );
    for rounds in [0, 1, 5] {
        let mut expected = Vec::new();
        for g in 0..20 {
            let mut row: Vec<i32> = (0..300).map(|k| g + k).collect();
            for _ in 0..2 * rounds {
                let next = |k: usize| row[(k + 1) % 300].wrapping_mul(3).wrapping_sub(row[k]);
                row = (0..300).map(next).collect();
            }
            expected.extend(row);
        }
        let (results, _) = try_call(&program, &[number(20), number(rounds)]).unwrap();
        assert!(results == [array(&[20, 300], Data::I32(expected.into()))], "{rounds} rounds");
    }
}

#[test]
fn a_while_loop_tests_a_value_of_the_block() {
    // Halves a row until its greatest element is small, and counts the rounds.
    let text = r#"entry "main" [n] (xs: block i32 [n, 100i64]) -> ([]i64) {
      alloc yb: block i64 = n
      view y1: i64 [n] = yb + 0i64 * [1i64]
      view x2: i32 [n, 100i64] = xs + 0i64 * [100i64, 1i64]
      segment blocks (g < n) chunk 1i64 {
        alloc rb: workgroup i32 = 100i64
        alloc mb: workgroup i32 = 1i64
        view row: i32 [100i64] = rb + 0i64 * [1i64]
        view most: i32 [] = mb + 0i64 * []
        segment map (k0 < 100i64) {
          load x: i32 = x2[g, k0]
          store row[k0] = x
        }
        loop (more: bool = true, rounds: i64 = 0i64) while more {
          segment reduce (k1 < 100i64) {
            load r1: i32 = row[k1]
            yield r1
          } combine (a: i32) (b: i32) neutral (0i32) into (most) {
            let c: i32 = max(a, b)
            yield c
          }
          load m: i32 = most[]
          let again: bool = lt(4i32, m)
          let next: i64 = add(rounds, 1i64)
          alloc hb: workgroup i32 = 100i64
          view halves: i32 [100i64] = hb + 0i64 * [1i64]
          segment map (k2 < 100i64) {
            load r2: i32 = row[k2]
            let half: i32 = div(r2, 2i32)
            store halves[k2] = half
          }
          segment map (k3 < 100i64) {
            load h: i32 = halves[k3]
            store row[k3] = h
          }
          yield again, next
        } -> (no: bool, total: i64)
        segment map (one < 1i64) { store y1[g] = total }
      }
      yield n, yb
    }"#;
    let largest = [0, 4, 5, 9, 10, 1000];
    let xs = largest.iter().flat_map(|&most| (0..100).map(move |k| if k == 77 { most } else { k % 5 }));
    let results = run(text, &[array(&[6, 100], Data::I32(xs.collect()))]);
    assert_eq!(results, [i64s([1, 1, 2, 2, 3, 9])]);
}

#[test]
fn blocks_read_their_own_stores_to_device_memory() {
    // Threads read elements that other threads have stored, in an inner segment and between two of them.
    let text = r#"entry "main" [] (blocks: i64, n: i64) -> ([][]i64, [][]bool) {
      let count: i64 = mul(blocks, n)
      alloc ab: block i64 = count
      alloc yb: block i64 = count
      alloc cb: block bool = count
      view a2: i64 [blocks, n] = ab + 0i64 * [n, 1i64]
      view y2: i64 [blocks, n] = yb + 0i64 * [n, 1i64]
      view c2: bool [blocks, n] = cb + 0i64 * [n, 1i64]
      segment blocks (g < blocks) chunk 1i64 {
        segment map (k0 < n) {
          let p: i64 = mul(k0, k0)
          let v: i64 = add(p, g)
          store a2[g, k0] = v
          let even: bool = eq(g, k0)
          store c2[g, k0] = even
        }
        loop (sum: i64 = 0i64) for j: i64 < 3i64 {
          load a: i64 = a2[g, j]
          load c: bool = c2[g, j]
          let plus: i64 = add(sum, a)
          let next: i64 = select(c, 1000i64, plus)
          yield next
        } -> (total: i64)
        segment map (k1 < n) {
          let m: i64 = sub(n, 1i64)
          let back: i64 = sub(m, k1)
          load b: i64 = a2[g, back]
          let w: i64 = add(b, total)
          store y2[g, k1] = w
        }
      }
      yield blocks, n, yb, blocks, n, cb
    }"#;
    let (blocks, n) = (5, 400);
    let a = |g: i64, k: i64| k * k + g;
    let total = |g: i64| (0..3).fold(0, |sum, j| if g == j { 1000 } else { sum + a(g, j) });
    let both = || (0..blocks).flat_map(|g| (0..n).map(move |k| (g, k)));
    let ys = both().map(|(g, k)| a(g, n - 1 - k) + total(g)).collect();
    let cs = both().map(|(g, k)| g == k).collect();
    let expected = [Data::I64(ys), Data::Bool(cs)].map(|data| array(&[blocks as usize, n as usize], data));
    assert_eq!(run(text, &[number(blocks), number(n)]), expected);
}

#[test]
fn elements_of_every_type_in_workgroup_memory() {
    for ty in ["i8", "u8", "i16", "u16", "f16", "i32", "u32", "f32", "i64", "u64", "f64", "bool"] {
        let text = format!(
            r#"entry "main" [] (n: i64) -> ([]i64) {{
              alloc yb: block i64 = n
              view y1: i64 [n] = yb + 0i64 * [1i64]
              segment blocks (g < n) chunk 1i64 {{
                alloc rb: workgroup {ty} = 40i64
                view row: {ty} [40i64] = rb + 0i64 * [1i64]
                segment scan (k < 40i64) {{
                  let v: {ty} = {ty}(k)
                  yield v
                }} combine (a: {ty}) (b: {ty}) neutral ({zero}) into (row) {{
                  let c: {ty} = max(a, b)
                  yield c
                }}
                load last: {ty} = row[g]
                let wide: i64 = i64(last)
                segment map (one < 1i64) {{
                  load same: {ty} = row[g]
                  let fine: bool = eq(same, last)
                  let result: i64 = select(fine, wide, -1i64)
                  store y1[g] = result
                }}
              }}
              yield n, yb
            }}"#,
            zero = if ty == "bool" { "false".to_owned() } else { format!("0{ty}") }
        );
        let text = if ty == "bool" { text.replace("max(a, b)", "or(a, b)") } else { text };
        let most = if ty == "bool" { 1 } else { 39 };
        assert_eq!(run(&text, &[number(40)]), [i64s((0..40).map(|g| g.min(most)))], "{ty}");
    }
}

/// Each workgroup stores its own number.
const NUMBERS: &str = r#"entry "main" [] (n: i64, m: i64) -> ([]i64) {
  let count: i64 = mul(n, m)
  alloc yb: block i64 = count
  view y2: i64 [n, m] = yb + 0i64 * [m, 1i64]
  segment blocks (g < n, h < m) chunk 1i64 {
    let p: i64 = mul(g, m)
    let number: i64 = add(p, h)
    segment map (one < 1i64) { store y2[g, h] = number }
  }
  yield count, yb
}"#;

#[test]
fn any_number_of_blocks() {
    let program = load(NUMBERS);
    for (n, m) in [(0, 3), (3, 0), (1, 1), (3, 5), (65_535, 1), (13_108, 5)] {
        let (results, _) = try_call(&program, &[number(n), number(m)]).unwrap();
        assert!(results == [i64s(0..n * m)], "{n} times {m}");
    }
}

#[test]
fn blocks_may_compute_sizes() {
    // Workgroup g sums the first g numbers, and the next g ones in rows of two.
    let text = r#"entry "main" [] (n: i64) -> ([]i64) {
      alloc yb: block i64 = n
      view y1: i64 [n] = yb + 0i64 * [1i64]
      segment blocks (g < n) chunk 1i64 {
        alloc sb: workgroup i64 = 1i64
        alloc tb: workgroup i64 = 600i64
        view s0: i64 [] = sb + 0i64 * []
        view t2: i64 [g, 2i64] = tb + 0i64 * [2i64, 1i64]
        segment reduce (k < g) { yield k } combine (a: i64) (b: i64) neutral (0i64) into (s0) {
          let c: i64 = add(a, b)
          yield c
        }
        segment map (r < g, q < 2i64) {
          let rq: i64 = add(r, q)
          store t2[r, q] = rq
        }
        load s: i64 = s0[]
        let some: bool = lt(0i64, g)
        if some {
          let end: i64 = sub(g, 1i64)
          load last: i64 = t2[end, 1i64]
          yield last
        } else { yield 0i64 } -> (t: i64)
        let sum: i64 = add(s, t)
        segment map (one < 1i64) { store y1[g] = sum }
      }
      yield n, yb
    }"#;
    assert_eq!(run(text, &[number(300)]), [i64s((0..300).map(|g| g * (g - 1) / 2 + g))]);
}

#[test]
fn too_many_points_in_a_block_segment_are_a_limitation() {
    let program = load(
        r#"entry "main" [] (blocks: i64, n: i64, m: i64) -> () {
          segment blocks (g < blocks) chunk 1i64 {
            let large: bool = lt(1000000i64, n)
            if large { segment map (k < n, l < m) { let kl: i64 = add(k, l) } } else {}
          }
        }"#,
    );
    let call = |blocks, n, m| try_call(&program, &[blocks, n, m].map(number)).map(|_| ());
    let failure = call(1, 1 << 20, 1 << 12).unwrap_err();
    assert!(matches!(failure, Failure::Limitation(text) if text.contains("(4294967296 elements)")));
    assert_eq!([call(0, 1 << 20, 1 << 12), call(1, -5, 3), call(1, 7, 9)], [Ok(()), Ok(()), Ok(())]);
}

const MESSAGES: &str = r#"message0 at 0:3..7 = "element ", i64, " of block ", i64, ": ", f64, ", ", bool
message1 at 0:8..9 = "division by zero"
message2 at 0:11..14 = "block ", u32
"#;

fn fails(text: &str, args: &[Value]) -> String {
    match try_call(&load(text), args) {
        Ok((values, _)) => panic!("a failure was expected, not {values:?}"),
        Err(failure) => failure.to_string(),
    }
}

/// The expected text of a failure at a place.
fn report(message: &str, place: &str) -> String {
    format!("{message}\n\nBacktrace:\n-> #0  a.dsl:{place}")
}

#[test]
fn failures_are_ordered_by_block_then_segment_then_point() {
    // Elements below zero fail in the first segment, elements above 99 in the second.
    let text = format!(
        r#"{MESSAGES}entry "main" [n, m] (xs: block i64 [n, m]) -> ([]i64) {{
          view x2: i64 [n, m] = xs + 0i64 * [m, 1i64]
          alloc yb: block i64 = n
          view y1: i64 [n] = yb + 0i64 * [1i64]
          segment blocks (g < n) chunk 1i64 {{
            segment map (k0 < m) {{
              load x0: i64 = x2[g, k0]
              let fine: bool = le(0i64, x0)
              let wide: f64 = f64(x0)
              assert fine message0(k0, g, wide, fine)
            }}
            segment map (k1 < m) {{
              load x1: i64 = x2[g, k1]
              let small: bool = lt(x1, 100i64)
              assert small message1()
            }}
            segment map (one < 1i64) {{ store y1[g] = g }}
          }}
          segment map (never < n) chunk 1i64 {{
            load y: i64 = y1[never]
            let same: bool = eq(y, never)
            assert same message1()
          }}
          yield n, yb
        }}"#
    );
    let rows = |bad: &[(usize, usize, i64)]| {
        let mut xs = vec![1; 50 * 1000];
        bad.iter().for_each(|&(g, k, x)| xs[g * 1000 + k] = x);
        [array(&[50, 1000], Data::I64(xs.into()))]
    };
    let element = |g, k, x: i64| report(&format!("element {k} of block {g}: {x}.0, false"), "3-7");
    assert_eq!(run(&text, &rows(&[])), [i64s(0..50)]);
    assert_eq!(fails(&text, &rows(&[(0, 0, -1)])), element(0, 0, -1));
    assert_eq!(fails(&text, &rows(&[(49, 999, -7), (30, 300, -4), (30, 700, -5)])), element(30, 300, -4));
    assert_eq!(fails(&text, &rows(&[(30, 300, 100), (30, 700, -5)])), element(30, 700, -5));
    assert_eq!(fails(&text, &rows(&[(30, 300, 100), (31, 700, -5)])), report("division by zero", "8-9"));
    assert_eq!(fails(&text, &rows(&[(0, 999, 100), (31, 700, -5)])), report("division by zero", "8-9"));
}

#[test]
fn blocks_fail_at_block_level() {
    let text = format!(
        r#"{MESSAGES}entry "main" [] (n: i64, from: i64) -> () {{
          segment blocks (g < n) chunk 1i64 {{
            alloc sb: workgroup i64 = 1i64
            view s0: i64 [] = sb + 0i64 * []
            segment reduce (k < 100i64) {{ yield g }} combine (a: i64) (b: i64) neutral (0i64) into (s0) {{
              let c: i64 = max(a, b)
              yield c
            }}
            load s: i64 = s0[]
            loop (t: i64 = s) for j: i64 < 5i64 {{
              let low: bool = lt(t, from)
              if low {{}} else {{
                let w: u32 = u32(g)
                assert false message2(w)
              }}
              segment map (l < 10i64) {{ let m: i64 = add(l, g) }}
              let next: i64 = add(t, 1i64)
              yield next
            }} -> (end: i64)
          }}
        }}"#
    );
    for (from, least) in [(0, 0), (4, 0), (5, 1), (1004, 1000)] {
        assert_eq!(fails(&text, &[number(3000), number(from)]), report(&format!("block {least}"), "11-14"));
    }
    assert!(run(&text, &[number(3000), number(3004)]).is_empty());
}

#[test]
fn bodies_and_operators_of_rows_fail() {
    // Elements below zero fail in the body, sums above 1000 in the operator.
    for (kind, out) in [("reduce", "[n] = sb + first * [1i64]"), ("scan", "[n, m] = sb + first * [m, 1i64]")]
    {
        let text = format!(
            r#"{MESSAGES}entry "main" [b, n, m] (xs: block i64 [b, n, m]) -> () {{
              let nm: i64 = mul(n, m)
              let count: i64 = mul(b, nm)
              view x3: i64 [b, n, m] = xs + 0i64 * [nm, m, 1i64]
              alloc sb: block i64 = count
              segment blocks (g < b) chunk 1i64 {{
                let first: i64 = mul(g, nm)
                view out: i64 {out}
                segment {kind} (r < n, k < m) {{
                  load x: i64 = x3[g, r, k]
                  let fine: bool = le(0i64, x)
                  assert fine message0(k, r, 0f64, false)
                  yield x
                }} combine (c: i64) (d: i64) neutral (0i64) into (out) {{
                  let s: i64 = add(c, d)
                  let small: bool = le(s, 1000i64)
                  assert small message1()
                  yield s
                }}
              }}
            }}"#
        );
        for (n, m) in [(1, 500), (3, 70), (300, 4)] {
            // Of the second program, threads hold the values of their points, if these are few.
            let held = text.replace("(r < n, k < m)", &format!("(r < {n}i64, k < {m}i64)"));
            let xs = |bad: &[(usize, usize, i64)]| {
                let mut xs = vec![0; 3 * n * m];
                bad.iter().for_each(|&(g, at, x)| xs[g * n * m + at] = x);
                [array(&[3, n, m], Data::I64(xs.into()))]
            };
            let (last, some) = (n * m - 1, n * m / 2);
            let element = |at| report(&format!("element {} of block {}: 0.0, false", at % m, at / m), "3-7");
            for text in [&text, &held] {
                assert!(run(text, &xs(&[(0, 0, 1000), (2, last, 1000)])).is_empty());
                assert_eq!(fails(text, &xs(&[(2, last, -1), (1, last, -1), (1, some, -1)])), element(some));
                let sum = xs(&[(1, last, 999), (1, last - 1, 1), (1, last - 2, 1), (2, 0, -1)]);
                assert_eq!(fails(text, &sum), report("division by zero", "8-9"), "{kind} {n} {m}");
            }
        }
    }
}

#[test]
fn later_launches_do_not_run_after_a_failed_block() {
    // The second launch would overwrite elements that the first one reads.
    let text = format!(
        r#"{MESSAGES}entry "main" [n] (*xs: block i64 [n]) -> ([]i64) {{
          view x1: i64 [n] = xs + 0i64 * [1i64]
          segment blocks (g < n) chunk 1i64 {{
            segment map (one < 1i64) {{
              load x: i64 = x1[g]
              let fine: bool = lt(x, 10i64)
              assert fine message0(x, g, 0f64, fine)
            }}
          }}
          segment blocks (h < n) chunk 1i64 {{ segment map (two < 1i64) {{ store x1[h] = 3i64 }} }}
          yield n, xs
        }}"#
    );
    let program = load(&text);
    for _ in 0..2 {
        let failure = try_call(&program, &[i64s([2, 1, 30, 40])]).unwrap_err();
        assert_eq!(failure.to_string(), report("element 30 of block 2: 0.0, false", "3-7"));
        assert_eq!(try_call(&program, &[i64s([2, 1])]).unwrap().0, [i64s([3, 3])]);
    }
}
