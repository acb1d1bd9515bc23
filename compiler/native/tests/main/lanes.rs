//! Points in lanes compute what they compute one by one, bit for bit, and fail with the same messages.

use ravel_abi::{Data, Value};
use ravel_cpu::Program;
use ravel_kernel::Target;
use ravel_native::Choice;
use ravel_vector::random;

use crate::{bits, i64s, load_for, options, vector};

/// The program with all segments in lanes, and with none.
fn both(text: &str) -> [Program; 2] {
    let one_by_one = Target { vector_bits: 1, ..Target::CPU };
    [load_for(text, &Target::CPU, Choice::Always), load_for(text, &one_by_one, Choice::ByCost)]
}

/// The same result of `f` with and without lanes. Returns it in bits.
fn same(text: &str, args: &[Value]) -> String {
    let [lanes, points] =
        both(text).map(|program| bits(&program.call("f", args, &options(2)).map(|(values, _)| values)));
    assert_eq!(lanes, points, "{text}");
    lanes
}

#[test]
fn random_points_compute_the_same_in_lanes() {
    let elements = (0..random::POINTS).map(|at| (at * 37 % 23) as f64 - 11.5).collect();
    let xs = vector(Data::F64(elements));
    let mut failed = 0;
    for seed in 1000..1080 {
        // The results of a program that completes are a list of bytes.
        failed += usize::from(!same(&random::program(seed), std::slice::from_ref(&xs)).starts_with('['));
    }
    assert!((5..60).contains(&failed), "{failed} programs fail");
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
