//! Iterations of a loop in lanes compute what they compute one by one, bit for bit.

use ravel_abi::{Array, Data, Value};

use crate::lanes::{functions, program, same};
use crate::{bits, vector};

/// A program that makes `n` numbers `to` from the numbers `from`, by this code of a single point.
fn point(ty: &str, code: &str) -> String {
    let segment = format!(
        "segment map (only < 1i64) chunk 1i64 {{
           let less: i64 = sub(n, 1i64)
           loop () for i: i64 < n {{ store to[i] = 0.5{ty} }} -> ()
           {code}
         }}"
    );
    program(ty, &segment)
}

/// The numbers of a type, so many that rows of all lengths occur, and so many that the stop flag is polled.
fn numbers(ty: &str, count: usize) -> Value {
    let number = |at| 1.5 - 1.0 / f64::from(at as i32 + 1);
    vector(match ty {
        "f64" => Data::F64((0..count).map(number).collect()),
        _ => Data::F32((0..count).map(|at| number(at) as f32).collect()),
    })
}

/// Runs code, in which so many loops run in lanes beside the first one.
fn check(ty: &str, code: &str, expected: usize) {
    let text = point(ty, code);
    let found = functions(&text);
    assert!(found == 0 || found == expected + 1, "{found} functions:\n{text}");
    for count in [0, 1, 7, 16, 17, 40, 70_000] {
        same(&text, &[numbers(ty, count)]);
    }
}

#[test]
fn independent_iterations_run_in_lanes() {
    for ty in ["f64", "f32"] {
        check(
            ty,
            &format!(
                "loop () for j: i64 < less {{
            let k: i64 = add(j, 1i64) load a: {ty} = from[j] load b: {ty} = from[k]
            let c: {ty} = mul(a, b) store to[j] = c }} -> ()"
            ),
            1,
        );
        // Each overwrites what it has read.
        check(
            ty,
            &format!(
                "loop () for j: i64 < n {{
            load a: {ty} = to[j] load b: {ty} = from[j] let c: {ty} = sub(b, a) store to[j] = c }} -> ()"
            ),
            1,
        );
        // So does a part of the array, which two views with an offset access.
        check(
            ty,
            &format!(
                "let half: i64 = quot(n, 2i64) let rest: i64 = sub(n, half)
            view old: {ty} [rest] = ys + half * [1i64] view new: {ty} [rest] = ys + half * [1i64]
            loop () for j: i64 < rest {{
            load a: {ty} = old[j] load b: {ty} = from[j] let c: {ty} = sub(b, a) store new[j] = c }} -> ()"
            ),
            1,
        );
        check(
            ty,
            &format!(
                "loop () for j: i64 < n {{
            load a: {ty} = from[j] let c: bool = lt(a, 1.2{ty})
            if c {{ store to[j] = a }} else {{ }} -> () }} -> ()"
            ),
            1,
        );
    }
}

#[test]
fn iterations_that_need_each_other_run_in_order() {
    let shifted = |load: &str, store: &str| {
        format!(
            "loop () for j: i64 < less {{
            let k: i64 = add(j, 1i64) load a: f64 = to[{load}] load b: f64 = from[k]
            let c: f64 = add(a, b) store to[{store}] = c }} -> ()"
        )
    };
    check("f64", &shifted("j", "k"), 0);
    check("f64", &shifted("0i64", "k"), 0);
    check("f64", &shifted("j", "0i64"), 0);
    // A check, or a strip that restarts after it has overwritten what it reads.
    check(
        "f64",
        "loop () for j: i64 < n {
        load a: f64 = from[j] let c: bool = lt(a, 2.0f64) assert c message0(j) store to[j] = a } -> ()",
        0,
    );
    check(
        "f64",
        "loop () for j: i64 < n {
        load a: f64 = to[j] let b: f64 = mul(a, 1.0e9f64) let c: f64 = sin(b) store to[j] = c } -> ()",
        0,
    );
}

/// A loop that exchanges two arrays, and reads the one while it writes the other.
#[test]
fn arrays_that_a_loop_exchanges_are_different() {
    let exchange = |second: &str| {
        format!(
            "alloc first: block f64 = n alloc second: block f64 = n
          view one: f64 [n] = first + 0i64 * [1i64] view two: f64 [n] = second + 0i64 * [1i64]
          loop () for j1x: i64 < n {{ load x1x: f64 = from[j1x] store one[j1x] = x1x }} -> ()
          loop () for j2x: i64 < n {{ store two[j2x] = 0.25f64 }} -> ()
          loop (a: block f64 = first, b: block f64 = {second}) for r: i64 < 3i64 {{
            view read: f64 [n] = a + 0i64 * [1i64] view written: f64 [n] = b + 0i64 * [1i64]
            loop () for j3x: i64 < less {{
              let k: i64 = add(j3x, 1i64) load x: f64 = read[j3x] load y: f64 = from[k]
              let z: f64 = mul(x, y) store written[k] = z }} -> ()
            yield b, a
          }} -> (c: block f64, d: block f64)
          view last: f64 [n] = c + 0i64 * [1i64]
          loop () for j4x: i64 < n {{ load x4x: f64 = last[j4x] store to[j4x] = x4x }} -> ()"
        )
    };
    check("f64", &exchange("second"), 4);
    check("f64", &exchange("first"), 3);
}

#[test]
fn totals_are_combined_in_order() {
    for ty in ["f64", "f32"] {
        let code = format!(
            "loop (s: {ty} = 0.0{ty}, p: {ty} = 1.0{ty}) for j: i64 < n {{
              load x: {ty} = from[j] let y: {ty} = mul(x, x) store to[j] = y
              let t: {ty} = add(s, y) let q: {ty} = mul(p, x) yield t, q
            }} -> (sum: {ty}, product: {ty})
            let both: {ty} = sub(sum, product) let some: bool = lt(0i64, n)
            if some {{ store to[0i64] = both }} else {{ }} -> ()"
        );
        check(ty, &code, 1);
    }
    // Values that are not totals.
    for next in
        ["let t: f64 = sub(s, x)", "let y: f64 = mul(x, s) let t: f64 = add(s, y)", "let t: f64 = add(x, s)"]
    {
        let code = format!(
            "loop (s: f64 = 0.0f64) for j: i64 < n {{
              load x: f64 = from[j] {next} yield t }} -> (sum: f64)
            let some: bool = lt(0i64, n) if some {{ store to[0i64] = sum }} else {{ }} -> ()"
        );
        check("f64", &code, 0);
    }
}

/// The total of numbers in 8 strands, of which neighbours are combined pair by pair.
fn in_strands(numbers: impl Iterator<Item = f64>, neutral: f64, combine: fn(f64, f64) -> f64) -> f64 {
    let mut strands = vec![neutral; 8];
    numbers.enumerate().for_each(|(at, number)| strands[at % 8] = combine(strands[at % 8], number));
    while strands.len() > 1 {
        strands = strands.chunks(2).map(|pair| combine(pair[0], pair[1])).collect();
    }
    strands[0]
}

/// Whether the results equal those of scalar code is tested by [`check`], and here that of scalar code.
#[test]
fn long_reductions_combine_in_strands() {
    let code = |numbers: &str| {
        format!(
            "loop (s: f64 = 0.0f64, p: f64 = 2.0f64) reduce j: i64 < n {{
              load x: f64 = from[j] {numbers} store to[j] = y
              let t: f64 = add(s, y) let q: f64 = mul(p, x) yield t, q
            }} -> (sum: f64, product: f64)
            let both: f64 = sub(sum, product) let some: bool = lt(0i64, n)
            if some {{ store to[0i64] = both }} else {{ }} -> ()"
        )
    };
    check("f64", &code("let y: f64 = mul(x, x)"), 1);
    // A number that no iteration binds; a branch; lanes of which some take neither side.
    check("f64", &code("let y: f64 = add(0.5f64, 0.5f64)"), 1);
    let branch =
        "let c: bool = lt(x, 1.2f64) if c { let u: f64 = mul(x, x) yield u } else { yield x } -> (y: f64)";
    check("f64", &code(branch), 1);

    let squares = point("f64", &code("let y: f64 = mul(x, x)"));
    for count in [1, 31, 32, 33, 70_003] {
        let input = numbers("f64", count);
        let Value::Array(Array { data: Data::F64(elements), .. }) = &input else { unreachable!("f64") };
        let terms = || elements.iter().map(|x| x * x);
        let (sum, product) = if count < 32 {
            (terms().sum::<f64>(), elements.iter().fold(2.0, |product, x| product * x))
        } else {
            let product = in_strands(elements.iter().copied(), 1.0, |a, b| a * b);
            (0.0 + in_strands(terms(), -0.0, |a, b| a + b), 2.0 * product)
        };
        let mut expected: Vec<f64> = terms().collect();
        expected[0] = sum - product;
        assert_eq!(same(&squares, &[input]), bits(&Ok(vec![vector(Data::F64(expected.into()))])), "{count}");
    }
}

/// If the points have a vector form, their loops combine in order in vectors of any size, and so with the same result.
#[test]
fn reductions_of_points_with_a_vector_form_combine_in_order() {
    let segment = "segment map (i < n) chunk 50i64 {
           load first: f64 = from[i]
           loop (s: f64 = first) reduce j: i64 < n {
             load x: f64 = from[j] let t: f64 = add(s, x) yield t
           } -> (sum: f64)
           store to[i] = sum
         }";
    let input = numbers("f64", 100);
    let Value::Array(Array { data: Data::F64(elements), .. }) = &input else { unreachable!("f64") };
    let sum = |&first: &f64| elements.iter().fold(first, |sum, x| sum + x);
    let expected = vector(Data::F64(elements.iter().map(sum).collect()));
    assert_eq!(same(&program("f64", segment), &[input]), bits(&Ok(vec![expected])));
}
