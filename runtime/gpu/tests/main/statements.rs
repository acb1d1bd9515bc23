//! Every form of statement, at host level and in a thread.

use ravel_abi::{Array, Data, Value};
use ravel_prim::PrimValue;

use crate::support::{call, i64s, load, row, run};

fn i64(x: i64) -> Value {
    Value::Scalar(PrimValue::I64(x))
}

#[test]
fn scalars_branches_and_loops_of_the_host_need_no_device() {
    let text = r#"
        entry "main" [] (n: i64, c: bool) -> (i64, f64, bool) {
          if c {
            let up: i64 = add(n, 1i64)
            yield up
          } else {
            yield -1i64
          } -> (start: i64)
          loop (sum: i64 = start) for k: i64 < n {
            let next: i64 = add(sum, k)
            yield next
          } -> (total: i64)
          loop (going: bool = true, halves: f64 = 1f64) while going {
            let half: f64 = mul(halves, 0.5f64)
            let more: bool = lt(0.1f64, half)
            yield more, half
          } -> (stopped: bool, last: f64)
          let either: bool = or(stopped, c)
          yield total, last, either
        }"#;
    let program = load(text);
    let (results, stats) = call(&program, &[i64(5), Value::Scalar(PrimValue::Bool(true))]);
    let bool = |x| Value::Scalar(PrimValue::Bool(x));
    assert_eq!(results, [i64(16), Value::Scalar(PrimValue::F64(0.0625)), bool(true)]);
    assert_eq!((stats.launches, stats.submits, stats.read_backs), (0, 0, 0));
    let (results, _) = call(&program, &[i64(3), bool(false)]);
    assert_eq!(results, [i64(2), Value::Scalar(PrimValue::F64(0.0625)), bool(false)]);
}

#[test]
fn branches_loops_and_copies_in_a_thread() {
    // For each x: its Collatz length, from a private row of the powers of two below it, and whether it is even.
    let text = r#"
        entry "main" [n] (xs: block i64 [n]) -> ([]i32, []i64, []bool) {
          view x1: i64 [n] = xs + 0i64 * [1i64]
          alloc lb: block i32 = n
          alloc sb: block i64 = n
          alloc eb: block bool = n
          view l1: i32 [n] = lb + 0i64 * [1i64]
          view s1: i64 [n] = sb + 0i64 * [1i64]
          view e1: bool [n] = eb + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {
            load x: i64 = x1[i]
            loop (at: i64 = x, length: i32 = 0i32, on: bool = true) while on {
              let rest: i64 = rem(at, 2i64)
              let even: bool = eq(rest, 0i64)
              if even {
                let half: i64 = quot(at, 2i64)
                yield half
              } else {
                let triple: i64 = mul(at, 3i64)
                let up: i64 = add(triple, 1i64)
                yield up
              } -> (next: i64)
              let longer: i32 = add(length, 1i32)
              let more: bool = ne(next, 1i64)
              yield next, longer, more
            } -> (end: i64, steps: i32, off: bool)
            store l1[i] = steps
            alloc pb: private i64 = 8i64
            view p2: i64 [2i64, 4i64] = pb + 0i64 * [4i64, 1i64]
            loop (power: i64 = 1i64) for k: i64 < 8i64 {
              let row: i64 = quot(k, 4i64)
              let column: i64 = rem(k, 4i64)
              store p2[row, column] = power
              let double: i64 = mul(power, 2i64)
              yield double
            } -> (last: i64)
            alloc qb: private i64 = 8i64
            view q2: i64 [4i64, 2i64] = qb + 0i64 * [2i64, 1i64]
            view t2: i64 [4i64, 2i64] = pb + 7i64 * [-1i64, -4i64]
            copy q2 = t2
            loop (low: i64 = 0i64, high: i64 = 1i64) for j: i32 < 8i32 {
              let j64: i64 = i64(j)
              let r: i64 = quot(j64, 2i64)
              let c: i64 = rem(j64, 2i64)
              load p: i64 = q2[r, c]
              let below: bool = lt(p, x)
              let one: i64 = i64(below)
              let sum: i64 = add(low, one)
              yield high, sum
            } -> (odds: i64, evens: i64)
            let both: i64 = sub(evens, odds)
            store s1[i] = both
            let parity: i64 = and(x, 1i64)
            let is_even: bool = eq(parity, 0i64)
            store e1[i] = is_even
          }
          yield n, lb, n, sb, n, eb
        }"#;
    let xs = [2i64, 3, 6, 7, 27, 97, 100];
    let collatz = |&x: &i64| {
        let (mut at, mut length) = (x, 0);
        while {
            at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
            length += 1;
            at != 1
        } {}
        length
    };
    let lengths = xs.iter().map(collatz).collect();
    // The loop swaps its two sums in each iteration, and the powers are visited as 128, 8, 64, 4, 32, 2, 16, 1.
    let difference = |&x: &i64| {
        let (mut low, mut high) = (0, 1);
        for p in [128, 8, 64, 4, 32, 2, 16, 1] {
            (low, high) = (high, low + i64::from(p < x));
        }
        high - low
    };
    let differences: Vec<i64> = xs.iter().map(difference).collect();
    let even = xs.iter().map(|x| x % 2 == 0).collect();
    let expected = [row(Data::I32(lengths)), i64s(differences), row(Data::Bool(even))];
    assert_eq!(run(text, &[i64s(xs)]), expected);
}

#[test]
fn blocks_flow_through_branches_and_loops_of_the_host() {
    // Twice the sum of the prefixes until it exceeds a bound, in two alternating blocks.
    let text = r#"
        entry "main" [n] (*xs: block i64 [n], bound: i64) -> ([]i64, i64) {
          alloc spare: block i64 = n
          loop (more: bool = true, rounds: i64 = 0i64, a: block i64 = xs, b: block i64 = spare) while more {
            view a1: i64 [n] = a + 0i64 * [1i64]
            view b1: i64 [n] = b + 0i64 * [1i64]
            segment map (i < n) chunk 4i64 {
              load x: i64 = a1[i]
              let y: i64 = add(x, x)
              store b1[i] = y
            }
            alloc sb: block i64 = 1i64
            view s: i64 [] = sb + 0i64 * []
            segment reduce (j < n) chunk 4i64 {
              load z: i64 = b1[j]
              yield z
            } combine (p: i64) (q: i64) neutral (0i64) into (s) {
              let r: i64 = add(p, q)
              yield r
            }
            load sum: i64 = s[]
            let below: bool = lt(sum, bound)
            let next: i64 = add(rounds, 1i64)
            yield below, next, b, a
          } -> (off: bool, count: i64, result: block i64, rest: block i64)
          let long: bool = lt(2i64, n)
          if long {
            yield result
          } else {
            yield rest
          } -> (chosen: block i64)
          yield n, chosen, count
        }"#;
    let program = load(text);
    let (results, stats) = call(&program, &[i64s([1, 2, 3]), i64(100)]);
    assert_eq!(results, [i64s([32, 64, 96]), i64(5)]);
    // Each iteration: two launches, one submit, one read-back of a status word and one element.
    assert_eq!((stats.launches, stats.submits, stats.read_backs), (10, 6, 6));
    assert_eq!((stats.bytes_read_back, stats.bytes_up, stats.bytes_down), (5 * 12 + 4, 24, 24));
    let (results, _) = call(&program, &[i64s([1, 2]), i64(7)]);
    assert_eq!(results, [i64s([2, 4]), i64(2)]);
}

#[test]
fn elements_and_parts_at_host_level() {
    let text = r#"
        entry "main" [n, m] (xss: block bool [n, m], i: i64) -> (bool, bool, [][]bool, []bool) {
          view x2: bool [n, m] = xss + 0i64 * [m, 1i64]
          load a: bool = x2[i, 1i64]
          view diagonal: bool [n] = xss + 0i64 * [4i64]
          load b: bool = diagonal[2i64]
          let count: i64 = mul(n, m)
          alloc cb: block bool = count
          view c2: bool [n, m] = cb + 0i64 * [m, 1i64]
          segment map (j < n, k < m) chunk 1i64 {
            load x: bool = x2[j, k]
            store c2[j, k] = x
          }
          alloc rb: block bool = m
          let offset: i64 = mul(i, m)
          view r1: bool [m] = rb + 0i64 * [1i64]
          view x1: bool [m] = xss + offset * [1i64]
          segment map (l < m) chunk 1i64 {
            load y: bool = x1[l]
            store r1[l] = y
          }
          yield a, b, n, m, cb, m, rb
        }"#;
    let bits = [true, false, true, false, true, true, false, false, true];
    let xss = Value::Array(Array { shape: vec![3, 3], data: Data::Bool(bits.to_vec().into()) });
    let bool = |x| Value::Scalar(PrimValue::Bool(x));
    let results = run(text, &[xss.clone(), i64(1)]);
    assert_eq!(results, [bool(true), bool(true), xss, row(Data::Bool(vec![false, true, true].into()))]);
}

#[test]
fn loads_with_scalars_between_them_are_one_read_back() {
    let text = r#"
        entry "main" [n] (xs: block i64 [n]) -> (i64, i64, i64) {
          view x1: i64 [n] = xs + 0i64 * [1i64]
          load a: i64 = x1[0i64]
          let b: i64 = add(a, 1i64)
          load c: i64 = x1[1i64]
          let at: i64 = sub(n, 1i64)
          let d: i64 = mul(b, c)
          load e: i64 = x1[at]
          yield b, d, e
        }"#;
    let (results, stats) = call(&load(text), &[i64s([5, 7, 9])]);
    assert_eq!(results, [i64(6), i64(42), i64(9)]);
    // The last load needs its index first.
    assert_eq!((stats.read_backs, stats.bytes_read_back), (2, 4 + 16 + 4 + 8));
}

#[test]
fn iterations_reuse_memory() {
    let text = r#"
        entry "main" [] (n: i64, rounds: i64) -> ([]i64) {
          alloc first: block i64 = n
          view f: i64 [n] = first + 0i64 * [1i64]
          segment map (h < n) chunk 1i64 { store f[h] = h }
          loop (a: block i64 = first) for k: i64 < rounds {
            alloc b: block i64 = n
            view a1: i64 [n] = a + 0i64 * [1i64]
            view b1: i64 [n] = b + 0i64 * [1i64]
            segment map (i < n) chunk 1i64 {
              load x: i64 = a1[i]
              let y: i64 = add(x, 1i64)
              store b1[i] = y
            }
            yield b
          } -> (last: block i64)
          yield n, last
        }"#;
    let program = load(text);
    let (results, stats) = call(&program, &[i64(1000), i64(700)]);
    assert_eq!(results, [i64s(700..1700)]);
    assert_eq!(stats.launches, 701);
    // Few submits, with three blocks of 8,000 bytes, the status and the rounding of sizes.
    assert!(stats.submits <= 4, "{stats:?}");
    assert!((24_000..28_000).contains(&stats.peak_bytes), "{stats:?}");
}
