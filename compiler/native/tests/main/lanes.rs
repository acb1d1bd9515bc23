//! Points in lanes compute what they compute one by one, bit for bit, and fail with the same messages.

use ravel_abi::{Data, Value};
use ravel_kernel::{MemProgram, Target, parse};
use ravel_native::Choice;
use ravel_vector::random;

use crate::{bits, i64s, load_for, options, scalar, vector};

/// The result of `f` in bits, which is the same without vectors and in vectors of all sizes.
fn same(text: &str, args: &[Value]) -> String {
    let run = |vector_bits: u32| {
        let program = load_for(text, &Target { vector_bits, ..Target::CPU }, Choice::Always);
        bits(&program.call("f", args, &options(2)).map(|(values, _)| values))
    };
    let points = run(1);
    for size in [128, 256] {
        assert_eq!(run(size), points, "in {size} bits:\n{text}");
    }
    points
}

/// The number of strip functions of a program.
fn functions(text: &str) -> usize {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let target = Target { vector_bits: 256, ..Target::CPU };
    let program = MemProgram::verify(program, &target).expect("a valid program");
    let describe = |_| String::new();
    ravel_native::compile(&program, Choice::Always, &describe).expect("native code").strips.len()
}

#[test]
#[expect(clippy::disallowed_macros, reason = "says what was not tested")]
fn random_points_compute_the_same_in_lanes() {
    let elements = (0..random::POINTS).map(|at| (at * 37 % 23) as f64 - 11.5).collect();
    let xs = vector(Data::F64(elements));
    let (mut failed, mut in_functions) = (0, 0);
    for seed in 1000..1080 {
        in_functions += functions(&random::program(seed));
        // The results of a program that completes are a list of bytes.
        failed += usize::from(!same(&random::program(seed), std::slice::from_ref(&xs)).starts_with('['));
    }
    assert!((3..60).contains(&failed), "{failed} programs fail");
    match in_functions {
        0 => println!("vectors of 256 bits did not run: this processor has none"),
        _ => assert!(in_functions > 30, "{in_functions} programs have functions of 256 bits"),
    }
}

/// A program that maps `n` numbers by this code from `x` to `y`.
fn map(ty: &str, code: &str) -> String {
    format!(
        "message0 = \"at \", i64
         entry \"f\" [n] (xs: block {ty} [n]) -> ([]{ty}) {{
           alloc ys: block {ty} = n
           view from: {ty} [n] = xs + 0i64 * [1i64]
           view to: {ty} [n] = ys + 0i64 * [1i64]
           segment map (i < n) chunk 50i64 {{
             load x: {ty} = from[i]
             {code}
             store to[i] = y
           }}
           yield n, ys
         }}"
    )
}

#[test]
fn the_cost_of_nested_loops_does_not_overflow() {
    let nest = (0..40).rev().fold(String::from("let b40: f64 = mul(a39, 3.0f64)"), |body, depth| {
        let (value, first) = (depth + 1, if depth == 0 { "x".into() } else { format!("a{}", depth - 1) });
        format!("loop (a{depth}: f64 = {first}) for k{depth}: i64 < 2i64 {{ {body} yield b{value} }} -> (b{depth}: f64)")
    });
    let text = map("f64", &format!("{nest} let y: f64 = neg(b0)"));
    let program = MemProgram::verify(parse(&text).expect("well-formed"), &Target::CPU).expect("lawful");
    assert!(ravel_native::compile(&program, Choice::ByCost, &|_| String::new()).is_ok());
}

#[test]
fn rows_of_all_lengths_have_strips_and_a_rest() {
    for size in (0..20).chain([100, 101]) {
        same(&map("i64", "let y: i64 = mul(x, i)"), &[i64s(0..size)]);
        let floats = Data::F32((0..size).map(|at| at as f32).collect());
        same(&map("f32", "let y: f32 = mul(x, x)"), &[vector(floats)]);
    }
}

#[test]
fn the_first_point_of_a_strip_that_fails_is_reported() {
    let text = map("i64", "let fits: bool = lt(x, 40i64) assert fits message0(i) let y: i64 = neg(x)");
    let numbers = |failing: [usize; 2]| {
        let mut numbers = vec![0; 100];
        for at in failing {
            numbers[at] = 99;
        }
        i64s(numbers)
    };
    let told = same(&text, &[numbers([62, 61])]);
    assert!(told.contains("at 61"), "{told}");
    assert!(same(&text, &[numbers([7, 98])]).contains("at 7"));
    assert!(same(&text, &[numbers([99, 98])]).contains("at 98"));
}

#[test]
fn reductions_and_scans_combine_lanes_in_order() {
    let text = |kind: &str, shape: &str, result: &str| {
        format!(
            "entry \"f\" [n] (xs: block f64 [n]) -> ({result}) {{
               alloc sums: block f64 = n
               view from: f64 [n] = xs + 0i64 * [1i64]
               view to: f64 {shape} = sums + 0i64 * {shape_strides}
               segment {kind} (i < n) chunk 30i64 {{
                 load x: f64 = from[i]
                 let y: f64 = mul(x, x)
                 yield y
               }} combine (a: f64) (b: f64) neutral (0.0f64) into (to) {{
                 let c: f64 = add(a, b)
                 yield c
               }}
               yield n, sums
             }}",
            shape_strides = if shape == "[]" { "[]" } else { "[1i64]" },
        )
    };
    let xs = vector(Data::F64((0..77).map(|at| 1.0 / f64::from(at + 1)).collect()));
    same(&text("scan", "[n]", "[]f64"), std::slice::from_ref(&xs));
    let total = text("reduce", "[]", "f64").replace("yield n, sums", "load sum: f64 = to[] yield sum");
    same(&total, &[xs]);
}

#[test]
fn lanes_have_arrays_of_a_size_known_before_or_run_one_by_one() {
    // The last size is too large for all lanes together.
    for factor in [1, 100, 100_000] {
        let text = map(
            "i64",
            &format!(
                "let size: i64 = mul(n, {factor}i64)
                alloc own: block i64 = size
                view mine: i64 [size] = own + 0i64 * [1i64]
                let last: i64 = sub(size, 1i64)
                store mine[0i64] = x
                store mine[last] = i
                load a: i64 = mine[0i64]
                load b: i64 = mine[last]
                let y: i64 = sub(a, b)"
            ),
        );
        assert_eq!(functions(&text), 1);
        same(&text, &[i64s(5..25)]);
    }
}

/// Point `i` of a chunk goes into strand `i mod 4`, and the strand that waited longest comes first at the end.
#[test]
fn a_commutative_reduction_has_four_strands_in_each_chunk() {
    let text = "entry \"f\" [n] (xs: block f64 [n]) -> (f64) {
        alloc sums: block f64 = 1i64
        view from: f64 [n] = xs + 0i64 * [1i64]
        view to: f64 [] = sums + 0i64 * []
        segment reduce (i < n) chunk 70i64 {
          load x: f64 = from[i]
          let y: f64 = sqrt(x)
          yield y
        } combine (a: f64) (b: f64) neutral (0.0f64) into (to) commutative {
          let c: f64 = add(a, b)
          yield c
        }
        load sum: f64 = to[]
        yield sum
      }";
    for size in (0..40).chain([69, 70, 71, 140, 601]) {
        let numbers: Vec<f64> = (0..size).map(|at| 1.0 / f64::from(at + 1)).collect();
        let of_chunk = |chunk: &[f64]| {
            let mut queue = std::collections::VecDeque::from([0.0; 4]);
            for number in chunk {
                let strand: f64 = queue.pop_front().unwrap_or_default() + number.sqrt();
                queue.push_back(strand);
            }
            queue.into_iter().reduce(|total, strand| total + strand).unwrap_or_default()
        };
        let sum = numbers.chunks(70).map(of_chunk).reduce(|total, chunk| total + chunk).unwrap_or(0.0);
        let told = same(text, &[vector(Data::F64(numbers.into()))]);
        assert_eq!(told, bits(&Ok(vec![scalar(sum)])), "of {size} numbers");
    }
}

/// Numbers of a type at the ends of its range, and others.
fn numbers(ty: &str) -> Value {
    let integers =
        [0, 1, -1, 2, 7, -100, 63, 64, 31, 1 << 31, (1 << 31) - 1, 1 << 52, 1 << 62, i64::MIN, i64::MAX]
            .map(|x: i64| [x, x.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64)])
            .concat();
    let floats = [0.0, -0.0, 0.5, 1.5, -2.5, 1e-310, 2147483647.5, -2147483648.5, 1e10, -1e19, 9.3e18, 1e300]
        .map(|x: f64| [x, -x / 3.0])
        .concat();
    let floats = [&floats[..], &[f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 4.0]].concat();
    vector(match ty {
        "i64" => Data::I64(integers.into()),
        "u64" => Data::U64(integers.iter().map(|&x| x as u64).collect()),
        "i32" => Data::I32(integers.iter().map(|&x| x as i32).collect()),
        "u32" => Data::U32(integers.iter().map(|&x| x as u32).collect()),
        "f64" => Data::F64(floats.into()),
        _ => Data::F32(floats.iter().map(|&x| x as f32).collect()),
    })
}

#[test]
fn every_operator_computes_the_same_in_lanes() {
    let binary = |ty: &str| match ty {
        "f64" | "f32" => &["add", "sub", "mul", "div", "min", "max", "copysign"][..],
        _ => &["add", "sub", "mul", "min", "max", "and", "or", "xor", "shl", "shr", "lshr"],
    };
    let unary = |ty: &str| match ty {
        "f64" | "f32" => &["neg", "abs", "sgn", "sqrt", "floor", "ceil", "trunc", "round"][..],
        "i64" | "i32" => &["neg", "abs", "sgn", "not"],
        _ => &["neg", "abs", "not"],
    };
    let types = ["f64", "f32", "i64", "i32", "u64", "u32"];
    for ty in types {
        // Each number meets each other one, as a varying and as a uniform operand.
        let pair = |code: &str| {
            map(
                ty,
                &format!(
                    "let last: i64 = sub(n, 1i64) let j: i64 = sub(last, i) load z: {ty} = from[j] {code}"
                ),
            )
        };
        let check = |code: &str| same(&pair(code), &[numbers(ty)]);
        for op in binary(ty) {
            check(&format!("let y: {ty} = {op}(x, z)"));
            check(&format!("load u: {ty} = from[1i64] let y: {ty} = {op}(x, u)"));
            check(&format!("load u: {ty} = from[5i64] let v: {ty} = {op}(u, u) let y: {ty} = {op}(v, x)"));
        }
        for op in unary(ty) {
            check(&format!("let y: {ty} = {op}(x)"));
        }
        for op in ["lt", "le", "eq", "ne"] {
            check(&format!(
                "let c: bool = {op}(x, z) let d: bool = {op}(z, x) let e: bool = {op}(c, d)
                let a: {ty} = select(c, x, z) let b: {ty} = {ty}(e) let y: {ty} = add(a, b)"
            ));
        }
        for other in types.into_iter().filter(|&other| other != ty) {
            check(&format!("let a: {other} = {other}(x) let y: {ty} = {ty}(a)"));
            check(&format!(
                "load u: {ty} = from[3i64] let a: {other} = {other}(u) let b: {ty} = {ty}(a)
                let y: {ty} = add(x, b)"
            ));
        }
    }
}
