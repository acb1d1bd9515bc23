//! Inspectors: arrays whose size a thread computes, on a target whose threads cannot allocate.

use ravel_abi as abi;
use ravel_kernel::Target;
use ravel_prim::{BinOp, PrimType};

use super::{agrees, fired, kernel, kernel_without, program, run};

/// A GPU without private memory, so that every array of a thread needs device memory.
const TARGET: Target = Target { private_capacity: 0, ..Target::GPU };

/// A map over `xs` with this code, which computes `y` from `x`.
fn map(code: &str) -> String {
    format!(
        "fun main (n: i64, m: i64, xs: [n]i64, ys: [m]i64) -> (r: [n]i64) = {{
           let r_: [n]i64 = screma n {{ from xs map \\(x: i64) -> {{ {code} in y }} to map }}
           in r_
         }}
         entry main = main (xs = xs, ys = ys) -> (*r)"
    )
}

/// The sum of an array, as `y`.
const SUM: &str = "let y: i64 = screma k { from zs map \\(z: i64) -> z
    to reduce \\(a: i64, b: i64) -> { let c: i64 = add a b in c } (0) }";

/// The ways in which a thread may compute a size.
const SIZES: [&str; 7] = [
    // arithmetic on what is loaded, never negative
    "let k: i64 = max x 0",
    // after a check, which fails at some points
    "let fine: bool = le 0 x
     let k: i64 = assert fine (x) \"negative\" x",
    // loaded after a check of the index
    "let lower: bool = le 0 x
     let upper: bool = lt x m
     let inside: bool = and lower upper
     let i: i64 = assert inside (x) \"outside\" x
     let v: i64 = ys[i]
     let k: i64 = max v 0",
    // a branch, one side of which loads
    "let lower: bool = le 0 x
     let upper: bool = lt x m
     let inside: bool = and lower upper
     let k: i64 = if inside then { let v: i64 = ys[x] let w: i64 = max v 0 in w } else 4",
    // a loop with an unknown number of iterations
    "let x0: i64 = max x 0
     let more0: bool = lt 0 x0
     let (more: bool, left: i64, k: i64) =
       loop (more1: bool = more0, left1: i64 = x0, k1: i64 = 0) while more1 do {
         let left2: i64 = sub left1 2
         let k2: i64 = add k1 1
         let more2: bool = lt 0 left2
         in (more2, left2, k2) }",
    // a reduction of what is loaded
    "let k0: i64 = screma m { from ys map \\(e: i64) -> { let f: i64 = mul e x in f }
       to reduce \\(a1: i64, b1: i64) -> { let c1: i64 = max a1 b1 in c1 } (0) }
     let k: i64 = add k0 0",
    // a division
    "let some: bool = ne x 0
     let d: i64 = assert some (x) \"division by zero\"
     let q: i64 = quot 12 d
     let k: i64 = max q 0",
];

fn accepted(text: &str) {
    accepted_for(text, &TARGET);
}

fn accepted_for(text: &str, target: &Target) {
    let program = program(text);
    let kernel = kernel(&program, target).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let rules = fired(&program, target);
    assert!(rules.contains(&"inspect"), "nothing is inspected: {rules:?}\n{text}");
    let runs = (0..32).filter(|&seed| agrees(&program, &kernel, target, seed)).count();
    assert!(runs > 8, "too few runs have results\n{text}");
}

#[test]
fn inspectors_find_sizes_however_threads_compute_them() {
    for size in SIZES {
        accepted(&map(&format!("{size} let zs: [k]i64 = iota k x 1 {SUM}")));
    }
}

#[test]
fn an_array_with_several_dimensions_gets_the_greatest_product() {
    for size in SIZES {
        accepted(&map(&format!(
            "{size}
             let l0: i64 = sub 3 k
             let l: i64 = max l0 0
             let row: [l]i64 = iota l x 1
             let zss: [k][l]i64 = replicate k row
             let zs: [k]i64 = screma k {{ from zss map \\(zr: [l]i64) -> {{
               let s: i64 = screma l {{ from zr map \\(e1: i64) -> e1
                 to reduce \\(a2: i64, b2: i64) -> {{ let c2: i64 = add a2 b2 in c2 }} (0) }}
               in s }} to map }}
             {SUM}"
        )));
    }
}

#[test]
fn the_greatest_product_may_be_less_than_the_product_of_the_greatest_sizes() {
    let text = "fun main (n: i64, p: i64, q: i64) -> (r: [n]i64) = {
        let r_: [n]i64 = screma n { from iota 0 1 map \\(i: i64) -> {
          let first: bool = eq i 0
          let (k: i64, l: i64) = if first then (p, q) else (q, p)
          let zss: [k][l]i64 = scratch
          let some: bool = lt 1 k
          let z: i64 = if some then { let e: i64 = zss[1, 0] in e } else 7
          in z } to map }
        in r_
      }
      entry main = main (n, p, q) -> (*r)";
    let kernel = kernel(&program(text), &TARGET).expect("nothing is refused");
    let run = |p: i64, q: i64| run(&kernel, &TARGET, &[], &[2i64.into(), p.into(), q.into()]);
    // Two arrays of 3000 elements fit, one of 3000 * 3000 does not.
    assert!(run(3000, 1).is_ok());
    assert!(matches!(run(3000, 3000), Err(abi::Failure::Memory { .. })));
    // The product does not overflow.
    assert!(matches!(run(1 << 40, 1 << 40), Err(abi::Failure::Memory { .. })));
}

#[test]
fn sizes_in_loops_and_branches_are_inspected() {
    for size in SIZES {
        accepted(&map(&format!(
            "{size}
             let y: i64 = loop (s: i64 = 0) for j: i64 < k do {{
               let odd: i64 = and j 1
               let is_odd: bool = eq odd 1
               let t: i64 = if is_odd then 0 else {{
                 let l: i64 = add j x
                 let l1: i64 = max l 1
                 let zs: [l1]i64 = iota l1 j 1
                 let last: i64 = sub l1 1
                 let z: i64 = zs[last]
                 in z }}
               let u: i64 = add s t
               in u }}"
        )));
    }
}

#[test]
fn arrays_of_inspected_sizes_pass_through_loops() {
    for size in SIZES {
        accepted(&map(&format!(
            "{size}
             let first: [k]i64 = iota k 0 1
             let zs: [k]i64 = loop (now: [k]i64 = first) for j: i64 < 3 do {{
               let next: [k]i64 = screma k {{ from now, iota 0 1 map \\(old: i64, at: i64) -> {{
                 let last: i64 = sub k 1
                 let opposite: i64 = sub last at
                 let other: i64 = now[opposite]
                 let new: i64 = add old other
                 in new }} to map }}
               in next }}
             {SUM}"
        )));
    }
}

/// A size that is an element of an array of size `l` that the thread creates.
const MADE: [&str; 4] = [
    // the number of elements that pass a filter
    "let counts: [l]i64 = screma l { from iota 0 1 map \\(e: i64) -> { let odd: i64 = and e 1 in odd }
       scan \\(a1: i64, b1: i64) -> { let c1: i64 = add a1 b1 in c1 } (0) to map }
     let none: bool = eq l 0
     let k: i64 = if none then 0 else { let last: i64 = sub l 1 let count: i64 = counts[last] in count }",
    // filled in a loop, and read in each iteration
    "let l1: i64 = add l 2
     let empty: [l1]i64 = replicate l1 1
     let (full: [l1]i64, k: i64) = loop (now: [l1]i64 = empty, k0: i64 = 0) for j: i64 < l do {
       let before: i64 = now[j]
       let next: i64 = add j 1
       let more: i64 = add before next
       let new: [l1]i64 = now with [next] = more
       let odd: i64 = and more 1
       let k1: i64 = add k0 odd
       in (new, k1) }",
    // copied, and stored on one side of a branch
    "let l1: i64 = add l 1
     let first: [l1]i64 = iota l1 x 1
     let second: [l1]i64 = copy first
     let small: bool = lt l 2
     let third: [l1]i64 = if small then { let changed: [l1]i64 = second with [0] = 2 in changed } else second
     let v: i64 = third[0]
     let k: i64 = max v 0",
    // with a size that is an element of such an array
    "let sizes: [2]i64 = [3, l]
     let l1: i64 = sizes[1]
     let others: [l1]i64 = iota l1 1 1
     let k: i64 = screma l1 { from others map \\(e: i64) -> e
       to reduce \\(a1: i64, b1: i64) -> { let c1: i64 = max a1 b1 in c1 } (0) }",
];

#[test]
fn sizes_may_depend_on_arrays_of_the_thread() {
    for size in MADE {
        for target in [TARGET, Target::GPU] {
            accepted_for(
                &map(&format!("let l: i64 = max x 0 {size} let zs: [k]i64 = iota k x 1 {SUM}")),
                &target,
            );
        }
    }
}

/// Sizes that depend on an array of the thread which is a row of the result.
const RESULTS: [&str; 4] = [
    "let k: i64 = max v 0",
    // after a check
    "let fine: bool = lt v m
     let i: i64 = assert fine (x) \"too much\"
     let k: i64 = max i 0",
    // of a copy of it
    "let own: [2]i64 = copy row let w: i64 = own[0] let k: i64 = max w 0",
    // in a loop that overwrites an array of the thread
    "let first: [1]i64 = [x]
     let (own: [1]i64, k: i64) = loop (now: [1]i64 = first, q0: i64 = 0) for j: i64 < 2 do {
       let e: i64 = now[0]
       let g: i64 = max e 0
       let es: [g]i64 = iota g 0 1
       let some: bool = lt 0 g
       let last: i64 = if some then { let l: i64 = sub g 1 let e2: i64 = es[l] in e2 } else 0
       let next: [1]i64 = now with [0] = v
       in (next, g) }",
];

#[test]
fn sizes_may_depend_on_results_of_the_segment() {
    for size in RESULTS {
        accepted(&format!(
            "fun main (n: i64, m: i64, xs: [n]i64, ys: [m]i64) -> (r: [n][2]i64, t: [n]i64) = {{
               let (r_: [n][2]i64, t_: [n]i64) = screma n {{ from xs map \\(x: i64) -> {{
                 let row: [2]i64 = [x, 3] let v: i64 = row[1]
                 {size} let zs: [k]i64 = iota k x 1 {SUM} in (row, y) }}
                 to map to map }}
               in (r_, t_)
             }}
             entry main = main (xs = xs, ys = ys) -> (*r, *t)"
        ));
    }
}

#[test]
fn an_inspector_is_made_where_the_translation_finds_no_bound() {
    // A size from outside, one with a bound, one without, and constants of both signs.
    let operands = ["m", "l", "x", "3i64", "-3i64"];
    let mut inspected = 0;
    for op in BinOp::ALL.iter().filter(|op| op.takes(PrimType::I64)).map(|op| op.name()) {
        for (left, right) in operands.iter().flat_map(|left| operands.map(|right| (left, right))) {
            let size = format!("let l: i64 = min x m let k: i64 = {op} {left} {right}");
            let program = program(&map(&format!("{size} let zs: [k]i64 = iota k x 1 {SUM}")));
            let needed = kernel_without(&["inspect"], &program, &TARGET).is_err();
            assert_eq!(fired(&program, &TARGET).contains(&"inspect"), needed, "{size}");
            assert!(kernel(&program, &TARGET).is_ok(), "{size}");
            inspected += usize::from(needed);
        }
    }
    assert!(inspected > 100, "only {inspected} inspectors");
}
