//! Host-level statements and maps.

use ravel_abi::{Array, Data, Value};

use crate::{i64s, load, measured, run, scalar, vector};

#[test]
fn scalars_in_and_out() {
    let program = load(
        r#"entry "f" [] (a: f32, b: bool, c: u8, d: i64, e: f64) -> (f64, i64, u8, bool, f32) {
          let not_b: bool = not(b)
          let c2: u8 = add(c, 200u8)
          yield e, d, c2, not_b, a
        }"#,
    );
    let args = [scalar(1.5_f32), scalar(true), scalar(100_u8), scalar(-7_i64), scalar(-0.0_f64)];
    let expected = [scalar(-0.0_f64), scalar(-7_i64), scalar(44_u8), scalar(false), scalar(1.5_f32)];
    assert_eq!(run(&program, &args).unwrap(), expected);
}

#[test]
fn arguments_and_results_are_arrays_of_every_type() {
    let types = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool"];
    for ty in types {
        let program = load(&format!(r#"entry "f" [n] (*a: block {ty} [n]) -> ([]{ty}) {{ yield n, a }}"#));
        let ty = ravel_prim::PrimType::from_name(ty).unwrap();
        let value = vector(Data::from_bytes(ty, &[1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]));
        assert_eq!(run(&program, std::slice::from_ref(&value)).unwrap(), [value]);
        assert_eq!(run(&program, &[vector(Data::from_bytes(ty, &[]))]).unwrap()[0].shape(), [0]);
    }
}

#[test]
fn branches_and_loops() {
    // The n-th Fibonacci number by a counted loop, and the steps of the Collatz sequence by a while loop.
    let program = load(
        r#"entry "f" [] (n: i32, m: i64) -> (u64, i64) {
          loop (a: u64 = 0u64, b: u64 = 1u64) for i: i32 < n {
            let c: u64 = add(a, b)
            yield b, c
          } -> (fib: u64, next: u64)
          let start: bool = ne(m, 1i64)
          loop (more: bool = start, x: i64 = m, steps: i64 = 0i64) while more {
            let odd: i64 = and(x, 1i64)
            let is_odd: bool = eq(odd, 1i64)
            if is_odd {
              let y: i64 = mul(x, 3i64)
              let z: i64 = add(y, 1i64)
              yield z
            } else {
              let half: i64 = quot(x, 2i64)
              yield half
            } -> (x2: i64)
            let steps2: i64 = add(steps, 1i64)
            let more2: bool = ne(x2, 1i64)
            yield more2, x2, steps2
          } -> (no: bool, one: i64, count: i64)
          yield fib, count
        }"#,
    );
    let f = |n: i32, m: i64| run(&program, &[scalar(n), scalar(m)]).unwrap();
    assert_eq!(f(90, 27), [scalar(2_880_067_194_370_816_120_u64), scalar(111_i64)]);
    assert_eq!(f(0, 1), [scalar(0_u64), scalar(0_i64)]);
    assert_eq!(f(-3, 2), [scalar(0_u64), scalar(1_i64)]);
}

#[test]
fn loops_with_few_iterations_are_correct() {
    // The loops rotate their state, count with signed and unsigned counters, and may have no iterations.
    let program = load(
        r#"entry "f" [n] (*a: block i64 [n], *b: block i64 [n], x: i64) -> ([]i64, []i64, i64, u8, i32) {
          loop (c: block i64 = a, d: block i64 = b, s: i64 = x) for i: i64 < 3i64 {
            view cs: i64 [n] = c + 0i64 * [1i64]
            load old: i64 = cs[i]
            let t: i64 = add(s, old)
            store cs[i] = t
            yield d, c, t
          } -> (e: block i64, g: block i64, sum: i64)
          loop (bits: u8 = 0u8) for j: u8 < 8u8 {
            let bit: u8 = shl(1u8, j)
            let more: u8 = or(bits, bit)
            yield more
          } -> (all: u8)
          loop (never: i32 = 7i32) for k: i32 < -2i32 {
            yield k
          } -> (seven: i32)
          yield n, e, n, g, sum, all, seven
        }"#,
    );
    let results = run(&program, &[i64s([1, 2, 3]), i64s([10, 20, 30]), scalar(100_i64)]).unwrap();
    let expected = [i64s([10, 121, 30]), i64s([101, 2, 124]), scalar(124_i64), scalar(255_u8), scalar(7_i32)];
    assert_eq!(results, expected);
}

#[test]
fn the_first_failing_iteration_is_reported() {
    let program = load(
        r#"message0 = "round ", i64
        entry "f" [] (x: i64) -> (i64) {
          loop (s: i64 = 0i64) for i: i64 < 4i64 {
            let fine: bool = lt(i, x)
            assert fine message0(i)
            let t: i64 = add(s, i)
            yield t
          } -> (sum: i64)
          yield sum
        }"#,
    );
    assert_eq!(run(&program, &[scalar(4_i64)]).unwrap(), [scalar(6_i64)]);
    assert!(run(&program, &[scalar(2_i64)]).unwrap_err().to_string().contains("round 2"));
}

#[test]
fn a_short_branch_selects_by_its_condition() {
    let program = load(
        r#"entry "f" [] (c: bool, x: i64, y: f64) -> (i64, f64, bool) {
          if c {
            let up: i64 = add(x, 1i64)
            yield up, y, c
          } else {
            let down: i64 = sub(x, 1i64)
            let minus: f64 = neg(y)
            yield down, minus, true
          } -> (r: i64, s: f64, t: bool)
          yield r, s, t
        }"#,
    );
    let f = |c: bool| run(&program, &[scalar(c), scalar(i64::MAX), scalar(0.0_f64)]).unwrap();
    assert_eq!(f(true), [scalar(i64::MIN), scalar(0.0_f64), scalar(true)]);
    assert_eq!(f(false), [scalar(i64::MAX - 1), scalar(-0.0_f64), scalar(true)]);
}

#[test]
fn a_map_visits_every_point_of_every_rank() {
    // Each point stores 1 + its flat index, computed from the counters. Chunks end anywhere within rows.
    let program = load(
        r#"entry "f" [] (l: i64, m: i64, n: i64, chunk: i64) -> ([][][]i64) {
          let lm: i64 = mul(l, m)
          let lmn: i64 = mul(lm, n)
          let mn: i64 = mul(m, n)
          alloc out: block i64 = lmn
          view flat: i64 [lmn] = out + 0i64 * [1i64]
          view cube: i64 [l, m, n] = out + 0i64 * [mn, n, 1i64]
          segment map (p < lmn) chunk 1024i64 {
            store flat[p] = 0i64
          }
          segment map (i < l, j < m, k < n) chunk chunk {
            let im: i64 = mul(i, m)
            let ij: i64 = add(im, j)
            let ijn: i64 = mul(ij, n)
            let ijk: i64 = add(ijn, k)
            let value: i64 = add(ijk, 1i64)
            store cube[i, j, k] = value
          }
          yield l, m, n, out
        }"#,
    );
    for (l, m, n) in [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (2, 3, 5), (7, 1, 11), (5, 13, 1)] {
        for chunk in [1, 2, 3, 7, 1000] {
            let args: Vec<Value> = [l, m, n, chunk].map(|x: i64| scalar(x)).into();
            let expected = Value::Array(Array {
                shape: vec![l as usize, m as usize, n as usize],
                data: Data::I64((1..=l * m * n).collect()),
            });
            assert_eq!(run(&program, &args).unwrap(), [expected], "{l} {m} {n} by {chunk}");
        }
    }
}

#[test]
fn a_map_without_dimensions_has_one_point() {
    let program = load(
        r#"entry "f" [] (x: f64) -> ([]f64) {
          alloc out: block f64 = 1i64
          view one: f64 [] = out + 0i64 * []
          segment map () chunk 1i64 {
            let y: f64 = sqrt(x)
            store one[] = y
          }
          yield 1i64, out
        }"#,
    );
    assert_eq!(run(&program, &[scalar(9.0_f64)]).unwrap(), [vector(Data::F64(vec![3.0].into()))]);
}

#[test]
fn loops_and_branches_inside_threads() {
    // The sum of each row with an even number, and the product of each row with an odd number.
    let program = load(
        r#"entry "f" [n, m] (a: block i64 [n, m]) -> ([]i64) {
          view rows: i64 [n, m] = a + 0i64 * [m, 1i64]
          alloc out: block i64 = n
          view outs: i64 [n] = out + 0i64 * [1i64]
          segment map (i < n) chunk 2i64 {
            let low: i64 = and(i, 1i64)
            let odd: bool = eq(low, 1i64)
            if odd {
              loop (p: i64 = 1i64) for j: i64 < m {
                load x: i64 = rows[i, j]
                let q: i64 = mul(p, x)
                yield q
              } -> (product: i64)
              yield product
            } else {
              loop (s: i64 = 0i64) for k: i64 < m {
                load y: i64 = rows[i, k]
                let t: i64 = add(s, y)
                yield t
              } -> (sum: i64)
              yield sum
            } -> (r: i64)
            store outs[i] = r
          }
          yield n, out
        }"#,
    );
    let arg = Value::Array(Array { shape: vec![3, 4], data: Data::I64((1..=12).collect()) });
    assert_eq!(run(&program, &[arg]).unwrap(), [i64s([10, 5 * 6 * 7 * 8, 42])]);
}

#[test]
fn several_entry_points_share_a_blob() {
    let program = load(
        r#"entry "g" [] () -> (i64) { yield 1i64 }
        entry "f" [n] (a: block i64 [n]) -> (i64) {
          alloc sum: block i64 = 1i64
          view one: i64 [] = sum + 0i64 * []
          view xs: i64 [n] = a + 0i64 * [1i64]
          segment reduce (i < n) chunk 4i64 {
            load x: i64 = xs[i]
            yield x
          } combine (l: i64) (r: i64) neutral (0i64) into (one) {
            let s: i64 = add(l, r)
            yield s
          }
          load total: i64 = one[]
          yield total
        }"#,
    );
    let names: Vec<&str> = program.signatures().map(|signature| signature.name.as_str()).collect();
    assert_eq!(names, ["g", "f"]);
    assert_eq!(run(&program, &[i64s(0..100)]).unwrap(), [scalar(4950_i64)]);
    let (values, stats) = measured(&program, &[i64s(0..100)]).unwrap();
    assert_eq!((values, stats.forks, stats.bytes_in, stats.bytes_out), (vec![scalar(4950_i64)], 1, 800, 0));
}

#[test]
fn two_comparisons_of_a_range_are_one() {
    let range = "let low: bool = le(0TY, x)  let high: bool = lt(x, n)  let inside: bool = and(low, high)";
    for ty in ["i8", "i64"] {
        let program = load(
            &format!(r#"entry "f" [] (x: TY, n: TY) -> (bool) {{ {range} yield inside }}"#).replace("TY", ty),
        );
        for (x, n) in
            [(0, 1), (0, 0), (3, 4), (4, 4), (-1, 4), (3, -5), (-9, -5), (-5, -9), (0, -128), (-128, 127)]
        {
            let number = |number: i8| if ty == "i8" { scalar(number) } else { scalar(i64::from(number)) };
            let inside = run(&program, &[number(x), number(n)]).unwrap();
            assert_eq!(inside, [scalar(0 <= x && x < n)], "{x} in 0..{n} as {ty}");
        }
    }
}

#[test]
fn the_size_of_an_array_out_of_scope_may_be_negative() {
    let program = load(
        r#"entry "f" [] (x: i64, n: i64) -> (bool) {
          let some: bool = lt(0i64, n)
          if some {
            alloc block: block i64 = n
            view array: i64 [n] = block + 0i64 * [1i64]
            store array[0i64] = x
          } else { }
          let low: bool = le(0i64, x)
          let high: bool = lt(x, n)
          let inside: bool = and(low, high)
          yield inside
        }"#,
    );
    for (x, n) in [(3_i64, 5_i64), (7, 5), (3, -5), (-9, -5)] {
        let inside = run(&program, &[scalar(x), scalar(n)]).unwrap();
        assert_eq!(inside, [scalar(0 <= x && x < n)], "{x} in 0..{n}");
    }
}

#[test]
fn versions_are_counted() {
    let program = load(
        r#"entry "f" [] (n: i64) -> (i64) {
          loop (sum: i64 = 0i64) for k: i64 < n {
            let is_first: bool = eq(k, 0i64)
            choose "f.0" "full" if is_first else "outer"
            let next: i64 = add(sum, k)
            yield next
          } -> (total: i64)
          let is_odd: bool = eq(n, 5i64)
          if is_odd {
            choose "f.1" "full" if true else "outer"
            yield 1i64
          } else {
            yield 0i64
          } -> (one: i64)
          let result: i64 = add(total, one)
          yield result
        }"#,
    );
    let ran = |n: i64| {
        let (results, stats) = measured(&program, &[scalar(n)]).unwrap();
        let counts = stats.versions.into_iter().map(|one| (one.versions.name, one.counts));
        (results, counts.collect::<Vec<_>>())
    };
    assert_eq!(ran(0), (vec![scalar(0_i64)], vec![]));
    assert_eq!(ran(4), (vec![scalar(6_i64)], vec![("f.0".to_owned(), [1, 3])]));
    let both = vec![("f.0".to_owned(), [1, 4]), ("f.1".to_owned(), [1, 0])];
    assert_eq!(ran(5), (vec![scalar(11_i64)], both));
}
