//! Blocks: views, copies and ownership.

use ravel_abi::{Array, Data, Failure, Value};

use crate::{i64s, load, measured, options, run, scalar};

#[test]
fn views_transpose_reverse_and_slice() {
    // Copies the transpose of an n×m array with its rows reversed, one element in each thread.
    let program = load(
        r#"entry "f" [n, m] (a: block i64 [n, m]) -> ([][]i64) {
          let nm: i64 = mul(n, m)
          let last: i64 = sub(n, 1i64)
          let start: i64 = mul(last, m)
          let back: i64 = neg(m)
          view columns: i64 [m, n] = a + start * [1i64, back]
          alloc out: block i64 = nm
          segment map (i < m) chunk 1i64 {
            view row: i64 [n] = out + 0i64 * [1i64]
            let offset: i64 = mul(i, n)
            view to: i64 [n] = out + offset * [1i64]
            view from: i64 [n] = a + 0i64 * [1i64]
            let here: i64 = add(start, i)
            view column: i64 [n] = a + here * [back]
            copy to = column
          }
          yield m, n, out
        }"#,
    );
    let arg = Value::Array(Array { shape: vec![3, 2], data: Data::I64(vec![1, 2, 3, 4, 5, 6].into()) });
    let expected = Value::Array(Array { shape: vec![2, 3], data: Data::I64(vec![5, 3, 1, 6, 4, 2].into()) });
    assert_eq!(run(&program, &[arg]).unwrap(), [expected]);
}

#[test]
fn the_host_copies_loads_and_stores() {
    let program = load(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64, i64) {
          alloc b: block i64 = n
          view xs: i64 [n] = a + 0i64 * [1i64]
          view ys: i64 [n] = b + 0i64 * [1i64]
          copy ys = xs
          load third: i64 = ys[2i64]
          let more: i64 = add(third, 100i64)
          store ys[0i64] = more
          yield n, b, third
        }"#,
    );
    assert_eq!(run(&program, &[i64s([1, 2, 3, 4])]).unwrap(), [i64s([103, 2, 3, 4]), scalar(3_i64)]);
}

/// Doubles all elements k times, each time into a new block.
const DOUBLING: &str = r#"entry "f" [n] (*a: block i64 [n], k: i64) -> ([]i64) {
  loop (x: block i64 = a) for i: i64 < k {
    alloc y: block i64 = n
    view xs: i64 [n] = x + 0i64 * [1i64]
    view ys: i64 [n] = y + 0i64 * [1i64]
    segment map (j < n) chunk 16i64 {
      load e: i64 = xs[j]
      let d: i64 = add(e, e)
      store ys[j] = d
    }
    yield y
  } -> (z: block i64)
  yield n, z
}"#;

#[test]
fn a_loop_reuses_the_blocks_it_released() {
    let program = load(DOUBLING);
    let (values, stats) = measured(&program, &[i64s(0..64), scalar(10_i64)]).unwrap();
    assert_eq!(values, [i64s((0..64).map(|x| x << 10))]);
    // The argument, and two blocks that alternate.
    assert_eq!((stats.blocks, stats.peak_bytes, stats.forks), (11, 3 * 64 * 8, 10));
}

#[test]
fn blocks_flow_through_branches_and_swap_in_loops() {
    let program = load(
        r#"entry "f" [n] (*a: block i64 [n], *b: block i64 [n], k: i64, c: bool) -> ([]i64, []i64) {
          loop (x: block i64 = a, y: block i64 = b) for round: i64 < k {
            yield y, x
          } -> (p: block i64, q: block i64)
          if c {
            yield p
          } else {
            alloc fresh: block i64 = n
            view zs: i64 [n] = fresh + 0i64 * [1i64]
            segment map (i < n) chunk 4i64 {
              store zs[i] = 9i64
            }
            yield fresh
          } -> (r: block i64)
          yield n, r, n, q
        }"#,
    );
    let f = |k: i64, c| run(&program, &[i64s([1, 2]), i64s([3, 4]), scalar(k), scalar(c)]).unwrap();
    assert_eq!(f(0, true), [i64s([1, 2]), i64s([3, 4])]);
    assert_eq!(f(1, true), [i64s([3, 4]), i64s([1, 2])]);
    assert_eq!(f(2, false), [i64s([9, 9]), i64s([3, 4])]);
}

/// In each iteration the merge parameters `x` and `y` swap their blocks, `z` receives a block from outside the loop, `v`
/// a new block, and `w` the previous block of `v`.
#[test]
fn a_loop_may_have_borrowed_and_owned_blocks() {
    let program = load(
        r#"entry "f" [n] (a: block i64 [n], *b: block i64 [n], k: i64) -> ([]i64, []i64, []i64, []i64, []i64) {
          alloc c: block i64 = n
          view cs: i64 [n] = c + 0i64 * [1i64]
          segment map (i < n) chunk 4i64 { store cs[i] = 7i64 }
          loop (x: block i64 = a, y: block i64 = b, z: block i64 = a, v: block i64 = a, w: block i64 = b) for round: i64 < k {
            alloc fresh: block i64 = n
            view fs: i64 [n] = fresh + 0i64 * [1i64]
            segment map (j < n) chunk 4i64 { store fs[j] = round }
            yield y, x, c, fresh, v
          } -> (p: block i64, q: block i64, r: block i64, s: block i64, t: block i64)
          yield n, p, n, q, n, r, n, s, n, t
        }"#,
    );
    let f = |k: i64| measured(&program, &[i64s([1, 2]), i64s([3, 4]), scalar(k)]).unwrap();
    let [a, b, c] = [[1, 2], [3, 4], [7, 7]].map(i64s);
    assert_eq!(f(0).0, [a.clone(), b.clone(), a.clone(), a.clone(), b.clone()]);
    assert_eq!(f(1).0, [b.clone(), a.clone(), c.clone(), i64s([0, 0]), a.clone()]);
    let (values, stats) = f(100);
    assert_eq!(values, [a, b, c, i64s([99, 99]), i64s([98, 98])]);
    // Two arguments, `c`, and three blocks that alternate.
    assert_eq!(stats.peak_bytes, 6 * 64);
}

#[test]
fn threads_have_blocks_of_their_own() {
    // Each thread stores powers of two in a block of its own and adds them up.
    let program = load(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64) {
          alloc out: block i64 = n
          view xs: i64 [n] = a + 0i64 * [1i64]
          view outs: i64 [n] = out + 0i64 * [1i64]
          segment map (i < n) chunk 3i64 {
            load size: i64 = xs[i]
            alloc first: block i64 = size
            loop (x: block i64 = first) for round: i64 < 2i64 {
              alloc next: block i64 = size
              view ys: i64 [size] = next + 0i64 * [1i64]
              loop (power: i64 = 1i64) for j: i64 < size {
                store ys[j] = power
                let double: i64 = add(power, power)
                yield double
              } -> (last: i64)
              yield next
            } -> (z: block i64)
            view zs: i64 [size] = z + 0i64 * [1i64]
            loop (sum: i64 = 0i64) for k: i64 < size {
              load e: i64 = zs[k]
              let s: i64 = add(sum, e)
              yield s
            } -> (total: i64)
            store outs[i] = total
          }
          yield n, out
        }"#,
    );
    let sizes = || (0..2000).map(|i| i % 40);
    assert_eq!(run(&program, &[i64s(sizes())]).unwrap(), [i64s(sizes().map(|size| (1 << size) - 1))]);
    let (_, stats) = measured(&program, &[i64s(sizes())]).unwrap();
    assert!(stats.peak_bytes < 2 * 2000 * 8 + 4 * 1024, "{stats:?}");
}

#[test]
fn arrays_beyond_the_memory_limit_fail() {
    let program = load(
        r#"entry "f" [] (n: i64) -> (i64) {
          alloc a: block i64 = n
          yield n
        }"#,
    );
    let f = |n: i64| run(&program, &[scalar(n)]);
    assert_eq!(f(3), Ok(vec![scalar(3_i64)]));
    assert_eq!(f(1 << 40), Err(Failure::out_of_memory(1 << 43)));
    assert!(matches!(f(i64::MAX), Err(Failure::Memory { .. })));
    assert!(matches!(f(-1), Err(Failure::Memory { .. })));
    let tight = ravel_cpu::Options { memory: 100 * 8, ..options(1) };
    let half = load(&DOUBLING.replace("16i64", "4i64"));
    let call = |n| half.call("f", &[i64s(0..n), scalar(1_i64)], &tight).map(|_| ());
    assert_eq!(call(40), Ok(()));
    assert_eq!(call(60), Err(Failure::out_of_memory(480)));
}

#[test]
fn the_least_point_without_memory_is_reported() {
    let program = load(
        r#"entry "f" [n] (a: block i64 [n]) -> () {
          view xs: i64 [n] = a + 0i64 * [1i64]
          segment map (i < n) chunk 1i64 {
            load size: i64 = xs[i]
            alloc b: block i64 = size
          }
        }"#,
    );
    let sizes = (0..100).map(|i| if i < 50 { i } else { (1 << 40) + i });
    assert_eq!(run(&program, &[i64s(sizes)]), Err(Failure::out_of_memory(((1 << 40) + 50) * 8)));
}
