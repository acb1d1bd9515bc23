//! Nests of maps that become one index space, and their results.

use ravel_kernel::Target;

use super::{agrees, kernel, program};

/// A GPU without private memory, so that every array of a thread needs device memory.
const NO_PRIVATE_MEMORY: Target = Target { private_capacity: 0, ..Target::GPU };

/// A map over rows `x` of length `m` and numbers `k`, with this inner code.
fn nested(inner: &str, results: &str, sinks: &str, types: [&str; 2]) -> String {
    let [binders, outer] = types;
    format!(
        "fun main (n: i64, m: i64, xs: [n][m]i32, ks: [n]i32) -> ({outer}) = {{
          let ({binders}) = screma n {{ from xs, ks map \\(x: [m]i32, k: i32) -> {{ {inner} in ({results}) }} {sinks} }}
          in ({}) }}
        entry main = main (xs = xs, ks = ks) -> ({})",
        names(binders, ""),
        names(outer, "*"),
    )
}

/// The names of parameters with their types.
fn names(typed: &str, prefix: &str) -> String {
    let names =
        typed.split(", ").filter_map(|one| one.split(':').next()).map(|name| format!("{prefix}{name}"));
    names.collect::<Vec<_>>().join(", ")
}

/// The number of counters of the outermost map's segment, in the version whose inner constructs are loops.
fn dimensions(text: &str, target: &Target) -> usize {
    let target = Target { outer_points: 0, ..target.clone() };
    let kernel =
        kernel(&program(text), &target).unwrap_or_else(|error| panic!("{error}\n{text}")).to_string();
    let line = kernel.lines().find(|line| line.contains("segment")).unwrap_or_else(|| panic!("{kernel}"));
    line.matches(" < ").count()
}

/// The program with rows of four elements. Copies of them are private to their threads, so there are no batches.
fn of_four(text: &str) -> String {
    text.replace("m: i64, ", "").replace("[m]", "[4]").replace("screma m", "screma 4")
}

/// Checks that the results on each target are the interpreter's.
fn check(text: &str) {
    let program = program(text);
    for target in [Target::CPU, Target::GPU, NO_PRIVATE_MEMORY] {
        let kernel = kernel(&program, &target).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let runs = (0..32).filter(|&seed| agrees(&program, &kernel, &target, seed)).count();
        assert!(runs > 8, "too few runs have results\n{text}");
    }
}

const MATRIX: [&str; 2] = ["rs: [n][m]i32", "r: [n][m]i32"];
const WITH_VECTOR: [&str; 2] = ["rs: [n][m]i32, ss: [n]i32", "r: [n][m]i32, s: [n]i32"];

/// The inner map from which the other tests differ in one respect.
const PLAIN: &str =
    "let y: [m]i32 = screma m { from x map \\(e: i32) -> { let f: i32 = add e k in f } to map }";

#[test]
fn perfectly_nested_maps_are_one_index_space() {
    let text = nested(PLAIN, "y", "to map", MATRIX);
    for target in [Target::CPU, Target::GPU] {
        assert_eq!(dimensions(&text, &target), 2);
    }
    check(&text);
}

#[test]
fn conditions_between_the_maps_are_allowed() {
    let inner = "let first: bool = eq k 0i32
      let b: bool = if first then true else { let last: bool = eq k 9i32 in last }
      let y: [m]i32 = screma m { from x map \\(e: i32) -> { let f: i32 = if b then e else { let g: i32 = mul e 2i32 in g } in f } to map }";
    let text = nested(inner, "y", "to map", MATRIX);
    assert_eq!(dimensions(&text, &Target::CPU), 2);
    check(&text);
}

#[test]
fn views_and_index_arithmetic_between_the_maps_are_allowed() {
    let inner = "let h: i64 = sub m 1
      let v: [m]i32 = slice x[h : m : -1]
      let j: i32 = mul k 3i32
      let y: [m]i32 = screma m { from v, x map \\(e: i32, e2: i32) -> { let f: i32 = mul e j let g: i32 = sub f e2 in g } to map }";
    let text = nested(inner, "y", "to map", MATRIX);
    assert_eq!(dimensions(&text, &Target::GPU), 2);
    check(&text);
}

#[test]
fn three_maps_with_permuted_results_are_one_index_space() {
    let inner = "let (y: [m][4]i32, z: [m][4]i32) = screma m { from x, iota 0 1 map \\(e: i32, j: i64) -> {
        let (a: [4]i32, b: [4]i32) = screma 4 { from iota 0i32 1i32 map \\(l: i32) -> {
          let f: i32 = mul e l
          let g: i32 = add f k in (f, g) } to map to map }
        in (b, a) } to map to map }";
    let types = ["rs: [n][m][4]i32, ss: [n][m][4]i32", "r: [n][m][4]i32, s: [n][m][4]i32"];
    let text = nested(inner, "z, y", "to map to map", types);
    assert_eq!(dimensions(&text, &Target::GPU), 3);
    check(&text);
}

/// The array of every element has a size that depends on the element, so there are an inspector and batches.
#[test]
fn elements_may_have_private_arrays() {
    let inner = "let y: [m]i32 = screma m { from x map \\(e: i32) -> {
        let e2: i32 = max e 0i32
        let w: i64 = convert i64 e2
        let fine: bool = lt w 6
        let w2: i64 = assert fine (w) \"too much\"
        let zs: [w2]i32 = replicate w2 k
        let us: [w2]i32 = screma w2 { from zs map \\(z: i32) -> z scan \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) to map }
        let s: i32 = screma w2 { from us, zs map \\(u: i32, z2: i32) -> { let p: i32 = mul u z2 in p }
          to reduce \\(a2: i32, b2: i32) -> { let c2: i32 = add a2 b2 in c2 } (0i32) }
        in s } to map }";
    let text = nested(inner, "y", "to map", MATRIX);
    let made = kernel(&program(&text), &NO_PRIVATE_MEMORY)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .to_string();
    assert!(made.contains("rem(") && made.contains("private_limit("), "no batches of two dimensions\n{made}");
    check(&text);
}

#[test]
fn an_assertion_between_the_maps_is_refused() {
    let inner = PLAIN
        .replace("let y", "let fine: bool = lt k 5i32 let x2: [m]i32 = assert fine (x) \"too much\" let y");
    let text = nested(&inner.replace("from x map", "from x2 map"), "y", "to map", MATRIX);
    assert_eq!(dimensions(&text, &Target::GPU), 1);
    check(&text);
}

#[test]
fn an_allocation_between_the_maps_is_refused() {
    let inner = PLAIN.replace("let y", "let x2: [m]i32 = copy x let y").replace("from x map", "from x2 map");
    let text = of_four(&nested(&inner, "y", "to map", MATRIX));
    assert_eq!(dimensions(&text, &Target::GPU), 1);
}

/// A consumed array must be created between the maps, since the lambda does not own the row.
#[test]
fn consumption_between_the_maps_is_refused() {
    let inner = PLAIN.replace("let y", "let c: [m]i32 = copy x let x2: [m]i32 = c with [0] = k let y");
    let text = of_four(&nested(&inner.replace("from x map", "from x2 map"), "y", "to map", MATRIX));
    assert_eq!(dimensions(&text, &Target::GPU), 1);
}

#[test]
fn an_inner_scan_is_refused() {
    let inner =
        PLAIN.replace("to map", "scan \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) to map");
    assert_eq!(dimensions(&nested(&inner, "y", "to map", MATRIX), &Target::GPU), 1);
}

#[test]
fn an_inner_reduction_is_refused() {
    let inner = "let (y: [m]i32, t: i32) = screma m { from x map \\(e: i32) -> { let f: i32 = add e k in (f, f) } to map
      to reduce \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) }";
    assert_eq!(dimensions(&nested(inner, "y, t", "to map to map", WITH_VECTOR), &Target::GPU), 1);
}

#[test]
fn a_result_of_the_outer_map_alone_is_refused() {
    assert_eq!(dimensions(&nested(PLAIN, "y, k", "to map to map", WITH_VECTOR), &Target::GPU), 1);
}

#[test]
fn an_inner_width_computed_between_the_maps_is_refused() {
    let inner = "let w: i64 = convert i64 k
      let s: i32 = screma w { from iota 0i32 1i32 map \\(e: i32) -> e to reduce \\(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32) }";
    assert_eq!(dimensions(&nested(inner, "s", "to map", ["rs: [n]i32", "r: [n]i32"]), &Target::GPU), 1);
}
