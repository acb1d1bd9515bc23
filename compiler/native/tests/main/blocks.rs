//! Segments of workgroups: inner segments, workgroup memory, uniform code, failures in order.

use ravel_abi::{Array, Data, Failure, Value};

use crate::{i64s, load, measured, run, scalar};

/// Row lengths: empty, one, around a power of two, and too long for the stack.
const LENGTHS: [i64; 7] = [0, 1, 2, 63, 64, 65, 1000];

fn rows(count: i64, length: i64, element: impl Fn(i64, i64) -> i64) -> Value {
    let elements = (0..count).flat_map(|i| (0..length).map(move |k| (i, k)));
    let data = elements.map(|(i, k)| element(i, k)).collect();
    Value::Array(Array { shape: vec![count as usize, length as usize], data: Data::I64(data) })
}

/// Each workgroup composes the affine maps x -> a*x + b of its row, which do not commute, into prefixes and a total in
/// workgroup memory. Then it adds the total, a uniform value, to each prefix.
const AFFINE: &str = r#"entry "f" [n, m] (as: block i64 [n, m], bs: block i64 [n, m]) -> ([][]i64) {
  let nm: i64 = mul(n, m)
  alloc out: block i64 = nm
  view a1: i64 [n, m] = as + 0i64 * [m, 1i64]
  view b1: i64 [n, m] = bs + 0i64 * [m, 1i64]
  view out1: i64 [n, m] = out + 0i64 * [m, 1i64]
  segment blocks (i < n) chunk 3i64 {
    alloc total: workgroup i64 = 2i64
    view ta: i64 [] = total + 0i64 * []
    view tb: i64 [] = total + 1i64 * []
    segment reduce (k < m) {
      load a: i64 = a1[i, k]
      load b: i64 = b1[i, k]
      yield a, b
    } combine (la: i64, lb: i64) (ra: i64, rb: i64) neutral (1i64, 0i64) into (ta, tb) {
      let a2: i64 = mul(la, ra)
      let t: i64 = mul(ra, lb)
      let b2: i64 = add(t, rb)
      yield a2, b2
    }
    load all: i64 = tb[]
    alloc pa: workgroup i64 = m
    alloc pb: workgroup i64 = m
    view pa1: i64 [m] = pa + 0i64 * [1i64]
    view pb1: i64 [m] = pb + 0i64 * [1i64]
    segment scan (k2 < m) {
      load a3: i64 = a1[i, k2]
      load b3: i64 = b1[i, k2]
      yield a3, b3
    } combine (la2: i64, lb2: i64) (ra2: i64, rb2: i64) neutral (1i64, 0i64) into (pa1, pb1) {
      let a4: i64 = mul(la2, ra2)
      let t2: i64 = mul(ra2, lb2)
      let b4: i64 = add(t2, rb2)
      yield a4, b4
    }
    segment map (k3 < m) {
      load p: i64 = pb1[k3]
      let q: i64 = add(p, all)
      store out1[i, k3] = q
    }
  }
  yield n, m, out
}"#;

#[test]
fn blocks_reduce_and_scan_their_rows() {
    let program = load(AFFINE);
    for length in LENGTHS {
        let (a, b) = (|i, k| (i + k) * 7919 % 1009 - 500, |i, k| (i * k) % 13 - 6);
        let scan = |i| {
            let step = move |x: &mut i64, k| {
                *x = i64::wrapping_add(i64::wrapping_mul(a(i, k), *x), b(i, k));
                Some(*x)
            };
            (0..length).scan(0_i64, step).collect::<Vec<i64>>()
        };
        let expected = |i, k: i64| {
            let prefixes = scan(i);
            prefixes[k as usize].wrapping_add(*prefixes.last().expect("not empty"))
        };
        let args = [rows(10, length, a), rows(10, length, b)];
        assert_eq!(run(&program, &args).unwrap(), [rows(10, length, expected)], "{length}");
    }
    assert_eq!(run(&program, &[rows(0, 5, |_, _| 0), rows(0, 5, |_, _| 0)]).unwrap(), [rows(0, 5, |_, _| 0)]);
}

/// In a space of several dimensions, each row has its own total or prefixes.
#[test]
fn reductions_and_scans_go_along_the_innermost_dimension() {
    let program = load(
        r#"entry "f" [n] (xs: block i64 [n, 3i64, 4i64]) -> ([][]i64, [][][]i64) {
          let n3: i64 = mul(n, 3i64)
          let n12: i64 = mul(n, 12i64)
          alloc sums: block i64 = n3
          alloc scans: block i64 = n12
          view x1: i64 [n, 3i64, 4i64] = xs + 0i64 * [12i64, 4i64, 1i64]
          view sums1: i64 [n, 3i64] = sums + 0i64 * [3i64, 1i64]
          view scans1: i64 [n, 3i64, 4i64] = scans + 0i64 * [12i64, 4i64, 1i64]
          segment blocks (i < n) chunk 2i64 {
            alloc parts: workgroup i64 = 3i64
            view parts1: i64 [3i64] = parts + 0i64 * [1i64]
            alloc copy: workgroup i64 = 12i64
            view copy1: i64 [3i64, 4i64] = copy + 0i64 * [4i64, 1i64]
            segment reduce (o < 3i64, k < 4i64) {
              load x: i64 = x1[i, o, k]
              yield x
            } combine (a: i64) (b: i64) neutral (0i64) into (parts1) {
              let c: i64 = add(a, b)
              yield c
            }
            segment scan (o2 < 3i64, k2 < 4i64) {
              load x2: i64 = x1[i, o2, k2]
              load part: i64 = parts1[o2]
              let y: i64 = add(x2, part)
              yield y
            } combine (a2: i64) (b2: i64) neutral (0i64) into (copy1) {
              let c2: i64 = add(a2, b2)
              yield c2
            }
            segment map (o3 < 3i64, k3 < 4i64) {
              load z: i64 = copy1[o3, k3]
              store scans1[i, o3, k3] = z
            }
            segment map (o4 < 3i64) {
              load s: i64 = parts1[o4]
              store sums1[i, o4] = s
            }
          }
          yield n, 3i64, sums, n, 3i64, 4i64, scans
        }"#,
    );
    let x = |at: i64| at * at % 17 - 8;
    let sum = |row: i64| (0..4).map(|k| x(4 * row + k)).sum::<i64>();
    let prefix = |row: i64, k: i64| (0..=k).map(|k| x(4 * row + k) + sum(row)).sum::<i64>();
    let array = |shape: &[usize], data: Vec<i64>| {
        Value::Array(Array { shape: shape.to_vec(), data: Data::I64(data.into()) })
    };
    let xs = array(&[5, 3, 4], (0..60).map(x).collect());
    let sums = array(&[5, 3], (0..15).map(sum).collect());
    let scans = array(&[5, 3, 4], (0..60).map(|at| prefix(at / 4, at % 4)).collect());
    assert_eq!(run(&program, &[xs]).unwrap(), [sums, scans]);
}

/// Rounds of a stencil in workgroup memory; workgroups with an odd number negate their row first.
const STENCIL: &str = r#"entry "f" [n, m] (xs: block i64 [n, m], rounds: i64) -> ([][]i64) {
  let nm: i64 = mul(n, m)
  alloc out: block i64 = nm
  view x1: i64 [n, m] = xs + 0i64 * [m, 1i64]
  view out1: i64 [n, m] = out + 0i64 * [m, 1i64]
  let last: i64 = sub(m, 1i64)
  segment blocks (i < n) chunk 4i64 {
    alloc a: workgroup i64 = m
    alloc b: workgroup i64 = m
    view a1: i64 [m] = a + 0i64 * [1i64]
    view b1: i64 [m] = b + 0i64 * [1i64]
    let bit: i64 = and(i, 1i64)
    let odd: bool = eq(bit, 1i64)
    if odd {
      segment map (k < m) {
        load x: i64 = x1[i, k]
        let y: i64 = neg(x)
        store a1[k] = y
      }
    } else {
      segment map (k2 < m) {
        load x2: i64 = x1[i, k2]
        store a1[k2] = x2
      }
    }
    loop () for round: i64 < rounds {
      segment map (k3 < m) {
        let left: i64 = sub(k3, 1i64)
        let l: i64 = max(left, 0i64)
        let right: i64 = add(k3, 1i64)
        let r: i64 = min(right, last)
        load p: i64 = a1[l]
        load q: i64 = a1[r]
        let s: i64 = add(p, q)
        let t: i64 = add(s, round)
        store b1[k3] = t
      }
      segment map (k4 < m) {
        load u: i64 = b1[k4]
        store a1[k4] = u
      }
    }
    segment map (k5 < m) {
      load v: i64 = a1[k5]
      store out1[i, k5] = v
    }
  }
  yield n, m, out
}"#;

#[test]
fn uniform_loops_and_branches_run_block_segments() {
    let program = load(STENCIL);
    for length in LENGTHS {
        for rounds in [0, 1, 6] {
            let x = |i: i64, k: i64| i * 31 + k * k;
            let row = |i: i64| {
                let mut row: Vec<i64> =
                    (0..length).map(|k| if i % 2 == 1 { -x(i, k) } else { x(i, k) }).collect();
                for round in 0..rounds {
                    let at = |k: i64| row[k.clamp(0, length - 1) as usize];
                    row = (0..length).map(|k| at(k - 1) + at(k + 1) + round).collect();
                }
                row
            };
            let expected = rows(9, length, |i, k| row(i)[k as usize]);
            let args = [rows(9, length, x), scalar(rounds)];
            assert_eq!(run(&program, &args).unwrap(), [expected], "{length}, {rounds} rounds");
        }
    }
}

/// A segment that fails at elements 1, a check of the sum of the workgroup, and a segment that fails at elements 2.
const CHECKED: &str = r#"message0 = "first ", i64, " ", i64
message1 = "sum of ", i64
message2 = "second ", i64, " ", i64
entry "f" [n, m] (xs: block i64 [n, m], chunk: i64) -> () {
  view x1: i64 [n, m] = xs + 0i64 * [m, 1i64]
  segment blocks (i < n) chunk chunk {
    alloc sum: workgroup i64 = 1i64
    view sum1: i64 [] = sum + 0i64 * []
    segment reduce (k < m) {
      load x: i64 = x1[i, k]
      let fine: bool = ne(x, 1i64)
      assert fine message0(i, k)
      yield x
    } combine (a: i64) (b: i64) neutral (0i64) into (sum1) {
      let c: i64 = add(a, b)
      yield c
    }
    load s: i64 = sum1[]
    let small: bool = lt(s, 100i64)
    assert small message1(i)
    segment map (k2 < m) {
      load x2: i64 = x1[i, k2]
      let fine2: bool = ne(x2, 2i64)
      assert fine2 message2(i, k2)
    }
  }
}"#;

#[test]
fn failures_are_ordered_by_block_then_segment_then_point() {
    let program = load(CHECKED);
    let failure = |bad: &[(i64, i64, i64)]| {
        let x = |i, k| bad.iter().find(|at| (at.0, at.1) == (i, k)).map_or(0, |at| at.2);
        let of_chunk = |chunk: i64| run(&program, &[rows(20, 10, x), scalar(chunk)]).unwrap_err().to_string();
        let failures = [1, 3, 100].map(of_chunk);
        assert!(failures.iter().all(|failure| *failure == failures[0]), "{failures:?}");
        failures[0].clone()
    };
    assert_eq!(failure(&[(7, 3, 1), (7, 5, 1), (9, 0, 1)]), "first 7 3");
    assert_eq!(failure(&[(7, 3, 2), (7, 5, 1), (9, 0, 1)]), "first 7 5");
    assert_eq!(failure(&[(7, 3, 2), (7, 5, 200), (8, 0, 1)]), "sum of 7");
    assert_eq!(failure(&[(6, 9, 2), (7, 0, 1), (19, 0, 1)]), "second 6 9");
    assert_eq!(run(&program, &[rows(20, 10, |_, _| 5), scalar(3_i64)]), Ok(vec![]));
}

#[test]
fn a_worker_allocates_workgroup_memory_once_in_a_chunk() {
    let program = load(STENCIL);
    let allocated = |blocks: i64| {
        let args = [rows(blocks, 1000, |i, k| i + k), scalar(1_i64)];
        measured(&program, &args).unwrap().1.blocks
    };
    // A chunk has four workgroups, and the code of a workgroup allocates twice.
    assert_eq!(allocated(400) - allocated(200), 2 * 50);
}

#[test]
fn an_allocation_in_a_branch_not_taken_does_not_fail() {
    let program = load(
        r#"entry "f" [n] (xs: block i64 [n], size: i64) -> ([]i64) {
          alloc out: block i64 = n
          view x1: i64 [n] = xs + 0i64 * [1i64]
          view out1: i64 [n] = out + 0i64 * [1i64]
          segment blocks (i < n) chunk 2i64 {
            load x: i64 = x1[i]
            let large: bool = lt(100i64, x)
            if large {
              alloc a: workgroup i64 = size
              view a1: i64 [size] = a + 0i64 * [1i64]
              segment map (k < 1i64) {
                store a1[k] = x
              }
            } else {
            }
            segment map (k2 < 1i64) {
              store out1[i] = x
            }
          }
          yield n, out
        }"#,
    );
    let size = 1_i64 << 40;
    assert_eq!(run(&program, &[i64s(0..9), scalar(size)]).unwrap(), [i64s(0..9)]);
    assert_eq!(run(&program, &[i64s(0..9), scalar(-1_i64)]).unwrap(), [i64s(0..9)]);
    assert_eq!(run(&program, &[i64s(95..105), scalar(size)]), Err(Failure::out_of_memory(8 << 40)));
    assert_eq!(run(&program, &[i64s(95..105), scalar(4_i64)]).unwrap(), [i64s(95..105)]);
}
