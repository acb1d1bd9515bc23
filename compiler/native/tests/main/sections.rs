//! Scans whose chunks run in sections side by side.

use ravel_abi::{Data, Value};
use ravel_kernel::Target;
use ravel_native::Choice;

use crate::{i64s, load, load_for, run, vector};

/// A scan by this operator on values of a type. `element` computes the value `y` of a point from its element `x`.
fn scan(ty: &str, neutral: &str, chunk: i64, element: &str, operator: &str) -> String {
    format!(
        "entry \"f\" [n] (a: block {ty} [n]) -> ([]{ty}) {{
           view xs: {ty} [n] = a + 0i64 * [1i64]
           alloc b: block {ty} = n
           view ys: {ty} [n] = b + 0i64 * [1i64]
           segment scan (i < n) chunk {chunk}i64 {{
             load x: {ty} = xs[i]
             {element}
             yield y
           }} combine (l: {ty}) (r: {ty}) neutral ({neutral}) into (ys) {{
             {operator}
             yield s
           }}
           yield n, b
         }}"
    )
}

/// The code of the points is long enough to run in lanes, which leave the last points of a batch.
#[test]
fn points_of_sections_run_in_lanes_and_one_by_one() {
    let rounds = (0..8).map(|k| format!("let x{}: i64 = xor(x{k}, {k}i64) ", k + 1));
    let element =
        format!("let x0: i64 = add(x, i) {} let y: i64 = add(x8, 1i64)", rounds.collect::<String>());
    // The right operand, unless it is a multiple of 7: the last one that is none.
    let operator = "let m: i64 = rem(r, 7i64) let is: bool = eq(m, 0i64) let s: i64 = select(is, l, r)";
    let text = scan("i64", "0i64", 3000, &element, operator);
    let value = |(i, &x): (usize, &i64)| (0..8).fold(x + i as i64, |x, k| x ^ k) + 1;
    for choice in [Choice::ByCost, Choice::Always] {
        let program = load_for(&text, &Target::CPU, choice);
        for length in (0..20).chain([1023, 1024, 1025, 1041, 3000, 3001, 9017]) {
            let xs: Vec<i64> = (0..length).map(|i| i * 7919 % 1009 - 500).collect();
            let prefixes = xs.iter().enumerate().map(value).scan(0, |last, value| {
                *last = if value % 7 == 0 { *last } else { value };
                Some(*last)
            });
            assert_eq!(run(&program, &[i64s(xs.clone())]).unwrap(), [i64s(prefixes)], "of {length}");
        }
    }
}

/// Each section begins with the combination of all points before it, in the order of chunks and sections.
#[test]
fn floats_are_combined_in_the_order_of_sections() {
    const CHUNK: usize = 50;
    let program =
        load(&scan("f32", "0.0f32", CHUNK as i64, "let y: f32 = mul(x, x)", "let s: f32 = add(l, r)"));
    for length in [1, 2, 4, 5, 6, 49, 50, 51, 100, 163] {
        let xs: Vec<f32> = (0..length).map(|i| 1.0 / (3.0 + i as f32)).collect();
        let squares: Vec<f32> = xs.iter().map(|x| x * x).collect();
        let (mut before, mut prefixes) = (0.0, Vec::new());
        for chunk in squares.chunks(CHUNK) {
            let (first, last) = chunk.split_at(3 * ((chunk.len() - 1) / 4));
            let others = first.chunks(((chunk.len() - 1) / 4).max(1));
            for section in others.chain([last]) {
                let mut prefix = before;
                for value in section {
                    prefix += value;
                    prefixes.push(prefix);
                }
                before += section.iter().sum::<f32>();
            }
        }
        let expected = [vector(Data::F32(prefixes.into()))];
        assert_eq!(run(&program, &[vector(Data::F32(xs.into()))]).unwrap(), expected, "of {length}");
    }
}

/// The flag on the left of a segmented sum is needed between sections, but no prefix depends on it.
#[test]
fn prefixes_do_not_carry_the_flags_of_segments() {
    let program = load(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64) {
          view xs: i64 [n] = a + 0i64 * [1i64]
          alloc b: block i64 = n
          view ys: i64 [n] = b + 0i64 * [1i64]
          segment scan (i < n) chunk 100i64 {
            load x: i64 = xs[i]
            let begins: bool = lt(x, 0i64)
            yield begins, x
          } combine (lf: bool, l: i64) (rf: bool, r: i64) neutral (false, 0i64) into () {
            let f: bool = or(lf, rf)
            let t: i64 = add(l, r)
            let s: i64 = select(rf, r, t)
            yield f, s
          } finish (pf: bool, p: i64) {
            store ys[i] = p
          }
          yield n, b
        }"#,
    );
    for period in [1, 7, 24, 25, 90, 1000] {
        let xs: Vec<i64> = (0..1234).map(|i| if i % period == 3 % period { -i } else { i % 11 }).collect();
        let sums = xs.iter().scan(0, |sum, &x| {
            *sum = if x < 0 { x } else { *sum + x };
            Some(*sum)
        });
        let expected: [Value; 1] = [i64s(sums)];
        assert_eq!(run(&program, &[i64s(xs.clone())]).unwrap(), expected, "of period {period}");
    }
}

/// The sums depend on the second scalar of the point before, and that on the third one. Four points are one section.
#[test]
fn prefixes_carry_what_only_later_ones_need() {
    let program = load(
        r#"entry "f" [n] (a: block i64 [n]) -> ([]i64) {
          view xs: i64 [n] = a + 0i64 * [1i64]
          alloc b: block i64 = n
          view ys: i64 [n] = b + 0i64 * [1i64]
          segment scan (i < n) chunk 4i64 {
            load x: i64 = xs[i]
            yield x, x, x
          } combine (l1: i64, l2: i64, l3: i64) (r1: i64, r2: i64, r3: i64) neutral (0i64, 0i64, 0i64) into () {
            let s1: i64 = add(l1, l2)
            let s2: i64 = add(l2, l3)
            let s3: i64 = add(l3, r3)
            yield s1, s2, s3
          } finish (p1: i64, p2: i64, p3: i64) {
            store ys[i] = p1
          }
          yield n, b
        }"#,
    );
    assert_eq!(run(&program, &[i64s([1, 2, 3, 4])]).unwrap(), [i64s([0, 0, 1, 5])]);
}
