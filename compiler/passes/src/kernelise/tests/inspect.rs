//! Inspectors: arrays whose size a thread computes, on a target whose threads cannot allocate.

use ravel_kernel::Target;

use super::{agrees, kernel, program};

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
    assert!(kernel.to_string().contains("\"inspect\""), "nothing is inspected\n{kernel}");
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

#[test]
fn an_inspector_is_a_reduction_of_the_slice() {
    let code = format!("let k: i64 = max x 0 let zs: [k]i64 = iota k x 1 {SUM}");
    let kernel = kernel(&program(&map(&code)), &TARGET).expect("it is accepted");
    insta::assert_snapshot!(kernel.to_string(), @r#"
    message0 = "the arrays of a single thread take ", i64, " bytes, more than --max-memory allows"

    entry "main" [n_0, m_1] ("xs" xs_2: block i64 [n_0], "ys" ys_3: block i64 [m_1]) -> ([]i64) {
      view xs_4: i64 [n_0] = xs_2 + 0i64 * [1i64]
      alloc r__5: block i64 = n_0
      view r__6: i64 [n_0] = r__5 + 0i64 * [1i64]
      alloc v7: block i64 = 1i64
      view v8: i64 [] = v7 + 0i64 * []
      let v9: i64 = min(n_0, 1i64)
      let v10: i64 = sub(n_0, v9)
      let v11: i64 = quot(v10, 65536i64)
      let v12: i64 = add(v11, v9)
      let v13: i64 = max(v12, 1i64)
      segment reduce "inspect" (v14 < n_0) chunk v13 {
        load x_15: i64 = xs_4[v14]
        let k_16: i64 = max(x_15, 0i64)
        let v17: i64 = max(k_16, 0i64)
        let v18: i64 = max(0i64, v17)
        yield v18
      } combine (v19: i64) (v20: i64) neutral (0i64) into (v8) commutative {
        let v21: i64 = max(v19, v20)
        yield v21
      }
      load v22: i64 = v8[]
      let v23: i64 = max(v22, 0i64)
      let v24: bool = lt(0i64, n_0)
      if v24 {
        let v25: i64 = mul(v23, 8i64)
        let v26: bool = lt(1152921504606846975i64, v23)
        let v27: i64 = select(v26, 9223372036854775807i64, v25)
        let v28: i64 = room(v27)
        let v29: bool = lt(0i64, v28)
        assert v29 message0(v27)
        let v30: i64 = max(v27, 1i64)
        let v31: i64 = quot(v28, v30)
        let v32: i64 = max(v31, 1i64)
        let v33: i64 = min(v32, n_0)
        let v34: i64 = sub(n_0, 1i64)
        let v35: i64 = quot(v34, v33)
        let v36: i64 = add(v35, 1i64)
        loop () for v37: i64 < v36 {
          let v38: i64 = mul(v33, v23)
          let v39: i64 = max(v33, 1i64)
          let v40: i64 = quot(9223372036854775807i64, v39)
          let v41: bool = lt(v40, v23)
          let v42: i64 = select(v41, 9223372036854775807i64, v38)
          alloc zs_43: block i64 = v42
          let v44: i64 = mul(v37, v33)
          let v45: i64 = sub(n_0, v44)
          let v46: i64 = min(v45, v33)
          segment map "map" (v47 < v46) chunk 1i64 {
            let v48: i64 = add(v44, v47)
            load x_49: i64 = xs_4[v48]
            let k_50: i64 = max(x_49, 0i64)
            view zs_51: i64 [k_50] = zs_43 + v47 * [v33]
            loop () for v52: i64 < k_50 {
              let v53: i64 = add(v52, x_49)
              store zs_51[v52] = v53
            }
            loop (v54: i64 = 0i64) for v55: i64 < k_50 {
              load z_56: i64 = zs_51[v55]
              let c_57: i64 = add(v54, z_56)
              yield c_57
            } -> (v58: i64)
            store r__6[v48] = v58
          }
        }
      } else {
      }
      yield n_0, r__5
    }
    "#);
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

/// A size that is an element of the thread's row of the result, which the segment writes.
const WRITTEN: &str = "let row: [2]i64 = [x, 3] let v: i64 = row[1]";

/// A map with rows of two elements.
fn rows(code: &str) -> String {
    format!(
        "fun main (n: i64, m: i64, xs: [n]i64, ys: [m]i64) -> (r: [n][2]i64, t: [n]i64) = {{
           let (r_: [n][2]i64, t_: [n]i64) = screma n {{ from xs map \\(x: i64) -> {{ {code} in (row, y) }}
             to map to map }}
           in (r_, t_)
         }}
         entry main = main (xs = xs, ys = ys) -> (*r, *t)"
    )
}

fn refused(text: &str) {
    let error = kernel(&program(text), &TARGET).expect_err("it is refused");
    assert!(error.contains("depends on what its thread writes"), "{error}");
}

#[test]
fn a_size_must_not_depend_on_what_the_segment_writes() {
    let with = |size: &str| rows(&format!("{WRITTEN} {size} let zs: [k]i64 = iota k x 1 {SUM}"));
    refused(&with("let k: i64 = max v 0"));
    accepted(&with("let k: i64 = max x 0"));
    // as the bound of a loop, and in the condition of a branch
    let counted = |bound: &str| {
        with(&format!(
            "let k: i64 = loop (k1: i64 = 0) for i: i64 < {bound} do {{ let k2: i64 = add k1 1 in k2 }}"
        ))
    };
    refused(&counted("v"));
    accepted(&counted("x"));
    let asked = |number: &str| {
        with(&format!(
            "let small: bool = lt {number} 2 let k: i64 = if small then {{ let w: i64 = max x 1 in w }} else 2"
        ))
    };
    refused(&asked("v"));
    accepted(&asked("x"));
}

#[test]
fn code_after_an_unavailable_check_is_not_inspected() {
    let checked = |number: &str, size: &str| {
        rows(&format!(
            "{WRITTEN}
             let fine: bool = lt {number} m
             let lower: bool = le 0 {number}
             let inside: bool = and fine lower
             let i: i64 = assert inside ({number}) \"outside\"
             {size}
             let zs: [k]i64 = iota k x 1 {SUM}"
        ))
    };
    let loaded = "let w: i64 = ys[0] let k: i64 = max w 0";
    let total = "let k: i64 = max x 0";
    refused(&checked("v", loaded));
    refused(&checked("v", "let q: i64 = quot 7 x let k: i64 = max q 0"));
    refused(&checked(
        "v",
        "let k: i64 = loop (k1: i64 = 0) for j: i64 < x do { let k2: i64 = add k1 1 in k2 }",
    ));
    accepted(&checked("x", loaded));
    accepted(&checked("v", total));
}

#[test]
fn an_array_with_an_unavailable_element_is_not_inspected() {
    let with = |array: &str| {
        rows(&format!(
            "{WRITTEN} {array} let w: i64 = own[0] let k: i64 = max w 0 let zs: [k]i64 = iota k x 1 {SUM}"
        ))
    };
    let stored = |number: &str| with(&format!("let own: [1]i64 = [{number}]"));
    refused(&stored("v"));
    accepted(&stored("x"));
    let copied = |from: &str| with(&format!("let other: [2]i64 = [x, 1] let own: [2]i64 = copy {from}"));
    refused(&copied("row"));
    accepted(&copied("other"));
    let after_check = |number: &str| {
        with(&format!(
            "let fine: bool = le 0 {number}
             let some: i64 = assert fine (x) \"negative\"
             let own: [1]i64 = [some]"
        ))
    };
    refused(&after_check("v"));
    accepted(&after_check("x"));
    // in a later iteration than the read
    let round = |number: &str| {
        with(&format!(
            "let first: [1]i64 = [x]
             let (own: [1]i64, q: i64) = loop (now: [1]i64 = first, q0: i64 = 0) for j: i64 < 2 do {{
               let e: i64 = now[0]
               let g: i64 = max e 0
               let es: [g]i64 = iota g 0 1
               let next: [1]i64 = now with [0] = {number}
               in (next, e) }}"
        ))
    };
    refused(&round("v"));
    accepted(&round("x"));
}
