//! Segments of workgroups: their results, compared with the interpreter's, and the capacities of their arrays.

use ravel_abi::{Failure, Value};
use ravel_kernel::Target;

use super::{agrees, kernel, program, run};

const PLUS: &str = "\\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)";
const MOST: &str = "\\(a2: i32, b2: i32) -> { let c2: i32 = max a2 b2 in c2 } (-9i32)";

/// A map with this body whose points are computed by workgroups. A workgroup gets a row `x` of length `m` and a number `k`.
fn blocks(body: &str, results: &str, types: [&str; 2]) -> String {
    let [binders, outer] = types;
    let names = |typed: &str, prefix: &str| {
        let names =
            typed.split(", ").filter_map(|one| one.split(':').next()).map(|name| format!("{prefix}{name}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let sinks = "to map ".repeat(binders.split(", ").count());
    format!(
        "fun main (n: i64, m: i64, xs: [n][m]i32, ks: [n]i32) -> ({outer}) = {{
          let ({binders}) = #[flattening(block)] screma n {{ from xs, ks map \\(x: [m]i32, k: i32) -> {{ {body} in ({results}) }} {sinks} }}
          in ({}) }}
        entry main = main (xs = xs, ks = ks) -> ({})",
        names(binders, ""),
        names(outer, "*"),
    )
}

const MATRIX: [&str; 2] = ["rs: [n][m]i32", "outs: [n][m]i32"];
const WITH_VECTOR: [&str; 2] = ["rs: [n][m]i32, ss: [n]i32", "outs: [n][m]i32, tops: [n]i32"];

/// Checks that the results on each target are the interpreter's.
fn check(text: &str) {
    let program = program(text);
    for target in [Target::CPU, Target::GPU, Target { workgroup_bytes: Some(400), ..Target::GPU }] {
        let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(kernel.to_string().contains("segment blocks"), "{kernel}");
        let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
        assert!(runs > 8, "too few runs have results\n{text}");
    }
}

#[test]
fn scans_and_reductions_of_rows() {
    let body = format!(
        "let (p: [m]i32, q: [m]i32, t: i32) = screma m {{ from x map \\(e: i32) -> {{ let f: i32 = mul e 2i32 in (e, f) }}
           scan {PLUS} post \\(s: i32, g: i32) -> {{ let h: i32 = sub s g in (h, s, g) }} to map to map to reduce {MOST} }}
         let r: [m]i32 = screma m {{ from p, q map \\(e2: i32, e3: i32) -> {{ let u: i32 = add e2 t let v: i32 = sub u e3 in v }} to map }}"
    );
    check(&blocks(&body, "r, t", WITH_VECTOR));
}

#[test]
fn arrays_pass_through_loops_and_branches() {
    let body = format!(
        "let start: [m]i32 = replicate m k
         let bound: i32 = min k 4i32
         let low: bool = lt k 2i32
         let last: [m]i32 = loop (at: [m]i32 = start) for j: i32 < bound do {{
           let next: [m]i32 = if low then {{
             let moved: [m]i32 = screma m {{ from at, x map \\(z: i32, e: i32) -> {{ let q: i32 = add z e in q }} to map }}
             in moved
           }} else {{
             let sum: i32 = screma m {{ from at map \\(w: i32) -> w to reduce {PLUS} }}
             let own: [m]i32 = copy at
             let some: bool = lt 0 m
             let set: [m]i32 = if some then {{ let one: [m]i32 = own with [0] = sum in one }} else own
             in set
           }}
           in next
         }}"
    );
    check(&blocks(&body, "last", MATRIX));
}

#[test]
fn rows_of_a_block_are_reduced_and_scanned_at_the_same_time() {
    let body = format!(
        "let is: [m]i32 = iota m 0i32 1i32
         let (table: [m][m]i32, sums: [m]i32) = screma m {{ from is map \\(i: i32) -> {{
           let (line: [m]i32, sum: i32) = screma m {{ from x, is map \\(e: i32, j: i32) -> {{ let f: i32 = mul e j let g: i32 = add f i in g }}
             scan {PLUS} post \\(s: i32) -> (s, s) to map to reduce {MOST} }}
           in (line, sum) }} to map to map }}
         let turned: [m][m]i32 = rearrange table (1, 0)
         let highest: [m]i32 = screma m {{ from turned, sums map \\(col: [m]i32, z: i32) -> {{
           let top: i32 = screma m {{ from col map \\(y: i32) -> y to reduce \\(a3: i32, b3: i32) -> {{ let c3: i32 = min a3 b3 in c3 }} (9i32) }}
           let w: i32 = add top z
           in w }} to map }}"
    );
    check(&blocks(&body, "highest", MATRIX));
}

#[test]
fn threads_write_and_arrays_are_concatenated() {
    let body = "let zeros: [m]i32 = replicate m 0i32
         let is: [m]i64 = screma m { from iota 0 1 map \\(j: i64) -> { let h: i64 = add j 1 in h } to map }
         let set: [m]i32 = screma m { from is, x map \\(i: i64, e: i32) -> (i, e) to write zeros rank 1 }
         let three: [3]i32 = [k, 1i32, 2i32]
         let l: i64 = add m 3
         let both: [l]i32 = concat (set, three)
         let r: [m]i32 = slice both[1 : m : 1]";
    check(&blocks(body, "r", MATRIX));
}

#[test]
fn a_failure_in_a_block_agrees_with_the_interpreter() {
    let body = format!(
        "let p: [m]i32 = screma m {{ from x map \\(e: i32) -> {{ let fine: bool = lt e 2i32 let f: i32 = assert fine (e) \"large\" in f }} scan {PLUS} to map }}
         let t: i32 = screma m {{ from p map \\(g: i32) -> g to reduce {MOST} }}
         let low: bool = lt t 3i32
         let t2: i32 = assert low (t) \"sum\"
         let r: [m]i32 = screma m {{ from p map \\(h: i32) -> {{ let u: i32 = sub t2 h in u }} to map }}"
    );
    check(&blocks(&body, "r", MATRIX));
}

const SUMS: &str = "let p: [m]i32 = screma m { from x map \\(e: i32) -> e scan \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) to map }
    let r: [m]i32 = screma m { from p, x map \\(g: i32, h: i32) -> { let u: i32 = sub g h in u } to map }";

#[test]
fn arrays_that_do_not_fit_at_run_time_are_a_limitation() {
    let target = Target { workgroup_bytes: Some(8 * 4), ..Target::GPU };
    let kernel = kernel(&program(&blocks(SUMS, "r", MATRIX)), &target).expect("nothing is refused");
    let run = |rows: usize, width: usize| {
        let matrix = Value::array(&[rows, width], vec![1i32; rows * width]).expect("as many elements");
        let vector = Value::array(&[rows], vec![1i32; rows]).expect("as many elements");
        run(&kernel, &target, &[rows as i64, width as i64], &[matrix, vector])
    };
    assert!(run(2, 8).is_ok());
    assert!(run(0, 9).is_ok());
    let failure = run(2, 9).expect_err("nine elements do not fit");
    let Failure::Limitation(text) = &failure else { panic!("{failure:?}") };
    assert!(
        text.contains("do not fit its shared memory") && text.contains("(9 elements; at most 8 fit); "),
        "{text}"
    );
}

#[test]
fn an_array_of_constant_size_that_does_not_fit_lies_in_device_memory() {
    let text = blocks(SUMS, "r", MATRIX)
        .replace("m: i64, ", "")
        .replace("[m]", "[9]")
        .replace("screma m", "screma 9");
    let program = program(&text);
    let target = |bytes: i64| Target { workgroup_bytes: Some(bytes), ..Target::GPU };
    let in_workgroups = |target: &Target| {
        let text = kernel(&program, target).expect("nothing is refused").to_string();
        text.lines().filter(|line| line.contains("alloc") && line.contains("workgroup i32 = 9")).count()
    };
    assert_eq!(in_workgroups(&target(9 * 4)), 1);
    assert_eq!(in_workgroups(&target(9 * 4 - 1)), 0);
    assert_eq!(in_workgroups(&Target::CPU), 1);
}

/// Arrays of constant size take their size; the others share the remaining memory equally.
#[test]
fn arrays_of_unknown_size_share_the_rest() {
    let body = format!(
        "{SUMS} let three: [3]i32 = [k, 1i32, 2i32] let j: i64 = convert i64 k let low: bool = lt k 3i32 let high: bool = le 0i32 k let fine: bool = and low high let i: i64 = assert fine (j) \"no place\" let t: i32 = three[i]"
    );
    let target = Target { workgroup_bytes: Some(100), ..Target::GPU };
    let text = kernel(&program(&blocks(&body, "r, t", WITH_VECTOR)), &target)
        .expect("nothing is refused")
        .to_string();
    assert!(text.contains("workgroup i32 = 3i64") && text.contains("workgroup i32 = 22i64"), "{text}");
}
