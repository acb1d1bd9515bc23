use std::sync::atomic::{AtomicBool, Ordering};

use ravel_abi::{Failure, read_values, write_text};
use ravel_base::Symbol;
use ravel_core::{Program, parse};

use super::{Chunks, Options, run, signature};

fn call(program: &Program, input: &str, options: Options<'_>) -> Result<String, Failure> {
    let entry = Symbol::new("main");
    let args = read_values(input.as_bytes(), &signature(program, entry).unwrap().expected()).unwrap();
    let describe = |span| format!("{span:?}");
    run(program, entry, &args, options, &describe)
        .map(|values| write_text(&values).trim_end().replace('\n', " ").replace("i64", ""))
}

/// The results of a valid program, or its failure. An i64 is printed without its type.
fn result(text: &str, input: &str) -> String {
    let program = parse(text).unwrap();
    ravel_core::verify(&program).unwrap_or_else(|error| panic!("{error}"));
    call(&program, input, Options::default()).unwrap_or_else(|failure| failure.to_string())
}

/// The bug reported for a program that the verifier may reject.
fn invalid(text: &str, input: &str) -> String {
    match call(&parse(text).unwrap(), input, Options::default()) {
        Err(Failure::Bug(message)) => message,
        other => panic!("{other:?}"),
    }
}

/// The value of `y`, which has the type `ty`, after the statements `stms`. They can use `xs: [n]i64` and `k: i64`,
/// whose values are `input`.
fn eval(ty: &str, stms: &str, input: &str) -> String {
    result(
        &format!(
            "fun f (n: i64, *xs: [n]i64, k: i64) -> (result: {ty}) = {{ {stms} in y }}
             entry main = f (*xs, k) -> (result)"
        ),
        input,
    )
}

#[test]
fn scalars() {
    assert_eq!(eval("i64", "let y: i64 = k", "[1] 7"), "7");
    assert_eq!(eval("i64", "let y: i64 = neg k", "[1] 7"), "-7");
    assert_eq!(eval("i64", "let y: i64 = mul n k", "[1,2] 7"), "14");
    assert_eq!(eval("bool", "let y: bool = lt n k", "[1,2] 7"), "true");
    assert_eq!(eval("u8", "let y: u8 = convert u8 k", "[1] 257"), "1u8");
}

#[test]
fn array_constructors() {
    assert_eq!(eval("[2]i64", "let y: [2]i64 = [n, k]", "[1] 7"), "[1, 7]");
    assert_eq!(eval("[2][n]i64", "let y: [2][n]i64 = [xs, xs]", "[1,2] 7"), "[[1, 2], [1, 2]]");
    assert_eq!(eval("[3]i32", "let y: [3]i32 = iota 3 10i32 -2i32", "[1] 7"), "[10i32, 8i32, 6i32]");
    assert_eq!(eval("[2]f32", "let y: [2]f32 = iota 2 0.5f32 1.0f32", "[1] 7"), "[0.5f32, 1.5f32]");
    assert_eq!(eval("[k]i64", "let y: [k]i64 = replicate k n", "[1] 3"), "[1, 1, 1]");
    assert_eq!(eval("[k][n]i64", "let y: [k][n]i64 = replicate k xs", "[5,6] 2"), "[[5, 6], [5, 6]]");
    assert_eq!(eval("[0][n]i64", "let y: [0][n]i64 = replicate 0 xs", "[5,6] 2"), "empty([0][2])");
    assert_eq!(eval("[n]i64", "let y: [n]i64 = scratch", "[5,6] 2"), "[0, 0]");
    assert_eq!(
        eval("[4]i64", "let z: [2]i64 = [7, 8] let y: [4]i64 = concat (z, z)", "[1] 1"),
        "[7, 8, 7, 8]"
    );
}

#[test]
fn reads_of_arrays() {
    assert_eq!(eval("i64", "let y: i64 = xs[k]", "[5,6] 1"), "6");
    assert_eq!(eval("[2]i64", "let y: [2]i64 = slice xs[k : 2 : -2]", "[5,6,7,8] 3"), "[8, 6]");
    assert_eq!(eval("[3]i64", "let y: [3]i64 = slice xs[k : 3 : 0]", "[5,6] 1"), "[6, 6, 6]");
    assert_eq!(eval("[0]i64", "let y: [0]i64 = slice xs[9 : 0 : 1]", "[5,6] 1"), "empty([0])");
    let grid = "let g: [2][3]i64 = reshape xs";
    let six = "[1,2,3,4,5,6] 1";
    assert_eq!(eval("[3]i64", &format!("{grid} let y: [3]i64 = slice g[k, 0 : 3 : 1]"), six), "[4, 5, 6]");
    assert_eq!(eval("[2]i64", &format!("{grid} let y: [2]i64 = slice g[0 : 2 : 1, k]"), six), "[2, 5]");
    assert_eq!(eval("i64", &format!("{grid} let y: i64 = g[k, 2]"), six), "6");
    assert_eq!(
        eval("[3][2]i64", &format!("{grid} let y: [3][2]i64 = rearrange g (1, 0)"), six),
        "[[1, 4], [2, 5], [3, 6]]"
    );
    assert_eq!(
        eval("[2][3]i64", &format!("{grid} let y: [2][3]i64 = manifest (1, 0) g"), six),
        "[[1, 2, 3], [4, 5, 6]]"
    );
}

#[test]
fn updates_leave_copies_alone() {
    let update = "let z: [n]i64 = copy xs let v: [n]i64 = xs with [k] = 9 ";
    assert_eq!(eval("[n]i64", &format!("{update} let y: [n]i64 = v"), "[5,6] 1"), "[5, 9]");
    assert_eq!(eval("[n]i64", &format!("{update} let y: [n]i64 = z"), "[5,6] 1"), "[5, 6]");
    let row = "let g: [2][2]i64 = reshape xs let v: [2]i64 = [8, 9]";
    assert_eq!(
        eval("[2][2]i64", &format!("{row} let y: [2][2]i64 = g with [0 : 2 : 1, k] = v"), "[1,2,3,4] 1"),
        "[[1, 8], [3, 9]]"
    );
    assert_eq!(
        eval("[2][2]i64", &format!("{row} let y: [2][2]i64 = g with [k, 0 : 2 : 1] = v"), "[1,2,3,4] 1"),
        "[[1, 2], [8, 9]]"
    );
}

#[test]
fn branches_and_existential_sizes() {
    let text = "fun f (n: i64, xs: [n]i64, c: bool) -> (m: i64, r: [m]i64) = {
        let (l: i64, ys: [l]i64) = if c then { let two: [2]i64 = [1, 2] in (2, two) } else (n, xs)
        in (l, ys)
      }
      entry main = f (xs, c) -> (r)";
    assert_eq!(result(text, "[7] true"), "[1, 2]");
    assert_eq!(result(text, "[7] false"), "[7]");
}

#[test]
fn loops() {
    let sum =
        "let y: i64 = loop (s: i64 = 0) for i: i64 < n do { let x: i64 = xs[i] let t: i64 = add s x in t }";
    assert_eq!(eval("i64", sum, "[5,6,7] 0"), "18");
    let unsigned = "let y: i64 = loop (s: i64 = k) for i: u8 < 200u8 do { let t: i64 = add s 1 in t }";
    assert_eq!(eval("i64", unsigned, "[1] 0"), "200");
    let none = "let y: i64 = loop (s: i64 = 3) for i: i32 < -5i32 do 0";
    assert_eq!(eval("i64", none, "[1] 0"), "3");
    let halving = "let big: bool = lt 1 k
        let (c: bool, y: i64) = loop (more: bool = big, a: i64 = k) while more do {
          let h: i64 = quot a 2 let on: bool = lt 1 h in (on, h)
        }";
    assert_eq!(eval("i64", halving, "[1] 100"), "1");
    let swap = "let (y: i64, z: i64) = loop (a: i64 = 1, b: i64 = 2) for i: i64 < k do (b, a)";
    assert_eq!(eval("i64", swap, "[1] 3"), "2");
    let growing = "let (g: i64, y: [g]i64) = loop (l: i64 = n, a: [l]i64 = xs) for i: i64 < k do {
          let l2: i64 = add l l let b: [l2]i64 = concat (a, a) in (l2, b)
        }";
    let grown = format!(
        "fun f (n: i64, xs: [n]i64, k: i64) -> (m: i64, r: [m]i64) = {{ {growing} in (g, y) }}
         entry main = f (xs, k) -> (r)"
    );
    assert_eq!(result(&grown, "[5] 2"), "[5, 5, 5, 5]");
}

const TOO_DEEP: &str = "not enough memory for calls nested this deeply; the limit is 200000";

#[test]
fn calls_and_recursion() {
    let text = "noinline fun fac (n: i64) -> (r: i64) = {
        let end: bool = le n 1
        let y: i64 = if end then 1 else {
          let m: i64 = sub n 1 let rest: i64 = call fac (m) let z: i64 = mul n rest in z
        }
        in y
      }
      entry main = fac (n) -> (r)";
    assert_eq!(result(text, "10"), "3628800");
    assert_eq!(result(text, "1000000"), TOO_DEEP);
}

#[test]
fn deep_recursion_inside_every_construct_is_a_failure() {
    let text = "noinline fun deep (n: i64) -> (r: i64) = {
        let y: i64 = loop (s: i64 = 0) for i: i64 < 1 do {
          let c: bool = lt i 1
          let t: i64 = if c then {
            let u: i64 = screma 1 {
              from iota n 1
              map \\(j: i64) -> { let v: i64 = call deep (j) in v }
              to reduce \\(a: i64, b: i64) -> { let d: i64 = call deep (a) in d } (0)
            }
            in u
          } else 0
          in t
        }
        in y
      }
      entry main = deep (n) -> (r)";
    assert_eq!(result(text, "10"), TOO_DEEP);
}

#[test]
fn assertions_return_values_or_fail_at_their_place() {
    let text = "fun f (n: i64, xs: [n]i64, k: i64) -> (r: [k]i64) = {
        let same: bool = eq n k
        let ys: [k]i64 = assert same (xs) \"size \" n \" is not \" k @ 0:3..7
        in ys
      }
      entry main = f (xs, k) -> (r)";
    assert_eq!(result(text, "[1,2] 2"), "[1, 2]");
    assert_eq!(result(text, "[1,2] 3"), "size 2 is not 3\n\nBacktrace:\n-> #0  0:3..7");
}

#[test]
fn failures_name_the_active_calls() {
    let text = "noinline fun down (x: i64) -> (r: i64) = {
        let done: bool = lt x 0
        let y: i64 = if done then {
          let no: bool = eq x 0
          let u: i64 = assert no (x) \"no\" @ 0:1..2 from 0:3..4
          in u
        } else {
          let w: i64 = sub x 1
          let z: i64 = call down (w) @ 0:5..6
          in z
        }
        in y
      }
      fun main (x: i64) -> (r: i64) = { let v: i64 = call down (x) @ 0:7..8 from 0:9..10 in v }
      entry main = main (x) -> (r)";
    let places = |input| {
        let said = result(text, input);
        said.lines().skip(3).map(|line| line[3..].to_owned()).collect::<Vec<_>>()
    };
    let once = ["#0  0:1..2", "#1  0:3..4", "#2  0:5..6", "#3  0:7..8", "#4  0:9..10"];
    assert_eq!(places("0"), once);
    let often = places("5000");
    assert_eq!((often.len(), often[50].as_str()), (51, "and 4955 more"));
}

/// The result of the first sink of a screma over `xs` and an iota from `k`.
fn screma(ty: &str, rest: &str, body: &str, input: &str) -> String {
    eval(ty, &format!("let (y: {ty}{rest}) = screma n {{ from xs, iota k 1 {body} }}"), input)
}

/// Addition; `tag` makes its names unique in the function.
fn add(tag: usize) -> String {
    format!("\\(a{tag}: i64, b{tag}: i64) -> {{ let c{tag}: i64 = add a{tag} b{tag} in c{tag} }} (0)")
}

/// An operator that is not commutative: the left operand, or the right one if the left is 0.
const FIRST: &str = "\\(l: i64, r: i64) -> { let z: bool = eq l 0 let s: i64 = if z then r else l in s } (0)";

#[test]
fn maps_and_reductions() {
    let map = "map \\(x: i64, i: i64) -> { let p: i64 = mul x i in p }";
    assert_eq!(screma("[n]i64", "", &format!("{map} to map"), "[1,2,3] 10"), "[10, 22, 36]");
    assert_eq!(screma("[n]i64", "", &format!("{map} to map"), "empty([0]i64) 10"), "empty([0])");
    assert_eq!(screma("i64", "", &format!("{map} to reduce {}", add(1)), "[1,2,3] 10"), "68");
    assert_eq!(screma("i64", "", &format!("{map} to reduce {}", add(1)), "empty([0]i64) 10"), "0");
    assert_eq!(screma("i64", "", &format!("{map} to reduce {FIRST}"), "[0,2,3] 10"), "22");
}

#[test]
fn rows_are_mapped_and_reduced() {
    let rows = "let g: [2][2]i64 = reshape xs
        let y: [2][2]i64 = screma 2 {
          from g
          map \\(r: [2]i64) -> { let s: [2]i64 = slice r[1 : 2 : -1] in s }
          to map
        }";
    assert_eq!(eval("[2][2]i64", rows, "[1,2,3,4] 0"), "[[2, 1], [4, 3]]");
    let sums = "let g: [2][2]i64 = reshape xs
        let z: [2]i64 = replicate 2 0
        let y: [2]i64 = screma 2 {
          from g
          map \\(r: [2]i64) -> r
          to reduce \\(p: [2]i64, q: [2]i64) -> {
            let s: [2]i64 = screma 2 {
              from p, q map \\(a: i64, b: i64) -> { let c: i64 = add a b in c } to map
            }
            in s
          } (z)
        }";
    assert_eq!(eval("[2]i64", sums, "[1,2,3,4] 0"), "[4, 6]");
}

#[test]
fn scans_with_and_without_post() {
    let map = "map \\(x: i64, i: i64) -> (x, i)";
    let scan = format!("{map} scan {}", add(1));
    assert_eq!(screma("[n]i64", ", h: [n]i64", &format!("{scan} to map to map"), "[1,2,3] 10"), "[1, 3, 6]");
    let post = "post \\(t: i64, j: i64) -> { let d: i64 = sub j t in (d, t) }";
    assert_eq!(
        screma("[n]i64", ", u: i64", &format!("{scan} {post} to map to reduce {}", add(2)), "[1,2,3] 10"),
        "[9, 8, 6]"
    );
    let two = "map \\(x: i64, i: i64) -> (x, i, x)";
    let both = format!("{two} scan {} scan {FIRST} to map to map to map", add(1));
    assert_eq!(screma("[n]i64", ", g: [n]i64, h: [n]i64", &both, "[1,2,3] 10"), "[1, 3, 6]");
}

#[test]
fn writes_ignore_positions_out_of_bounds() {
    let write = "let z: [3]i64 = replicate 3 0
        let y: [3]i64 = screma n { from xs, iota k 1 map \\(x: i64, i: i64) -> (x, i) to write z rank 1 }";
    assert_eq!(eval("[3]i64", write, "[2,-1,3,0] 10"), "[13, 0, 10]");
    let rows = "let z: [2][2]i64 = scratch
        let y: [2][2]i64 = screma n {
          from xs map \\(x: i64) -> { let r: [2]i64 = [x, k] in (x, r) } to write z rank 1
        }";
    assert_eq!(eval("[2][2]i64", rows, "[1,5] 7"), "[[0, 0], [1, 7]]");
    let grid = "let z: [2][2]i64 = scratch
        let y: [2][2]i64 = screma n { from xs map \\(x: i64) -> (x, 1, k) to write z rank 2 }";
    assert_eq!(eval("[2][2]i64", grid, "[1,2] 7"), "[[0, 0], [0, 7]]");
}

#[test]
fn combinations_at_one_position_add_up() {
    let combine = format!(
        "let z: [3]i64 = replicate 3 100
         let y: [3]i64 = screma n {{ from xs map \\(x: i64) -> (x, k) to combine (z) {} }}",
        add(1)
    );
    assert_eq!(eval("[3]i64", &combine, "[0,2,2,3,-1] 5"), "[105, 100, 110]");
}

#[test]
fn too_large_arrays_are_a_failure() {
    let iota = "let y: [k]i64 = iota k 0 1";
    assert_eq!(
        eval("[k]i64", iota, "[1] 0x10000000000"),
        "not enough memory for an array of 8796093022208 bytes"
    );
    let square = "let y: [k][k]i64 = scratch";
    assert_eq!(
        eval("[k][k]i64", square, "[1] 0x1000000000000000"),
        "not enough memory for an array of more than 9223372036854775807 bytes"
    );
}

#[test]
fn invalid_programs_do_not_panic() {
    let says = |stms: &str, message: &str| {
        let text = format!(
            "fun f (n: i64, *xs: [n]i64, k: i64) -> (r: i64) = {{ {stms} in k }} entry main = f (*xs, k) -> (r)"
        );
        assert_eq!(invalid(&text, "[1, 2] 3"), message, "{stms}");
    };
    says("let y: i64 = quot k 0", "`quot` is undefined on 3i64 and 0i64");
    says("let y: i64 = xs[k]", "index [3] is outside of an array of shape [2]");
    says("let y: i64 = xs[-1]", "index [-1] is outside of an array of shape [2]");
    says("let y: [3]i64 = iota n 0 1", "the value of v4 has another type than the variable");
    says("let y: i32 = add k 1", "the value of v4 has another type than the variable");
    says("let y: [k]i64 = reshape xs", "a reshape to another number of elements");
    says("let y: [n]i64 = xs with [k] = 1", "slice [Fix(3)] is outside of an array of shape [2]");
    says("let m: i64 = neg k let y: [m]i64 = iota m 0 1", "the size -3 is negative");
    says("let y: [k]i64 = screma k { from xs map \\(x: i64) -> x to map }", "a source ends before the width");
}

#[test]
fn wrong_arguments_and_entries_are_named() {
    let program =
        parse("fun f (n: i64, xs: [n]i64) -> (r: i64) = { in n } entry main = f (xs) -> (r)").unwrap();
    let describe = |_| String::new();
    let says = |entry: &str| {
        run(&program, Symbol::new(entry), &[], Options::default(), &describe).unwrap_err().to_string()
    };
    assert_eq!(says("main"), "`main` takes 1 argument, got 0");
    assert_eq!(says("other"), "there is no entry point `other`");
}

#[test]
fn a_run_is_stopped_at_the_limit_of_steps() {
    let text = "fun f (n: i64) -> (r: i64) = {
        let s: i64 = loop (a: i64 = 0) for i: i64 < n do {
          let ys: [3]i64 = screma 3 { from iota 0 1 map \\(y: i64) -> y to map }
          let b: i64 = ys[2]
          let c: i64 = add a b in c }
        in s }
      entry main = f (n) -> (r)";
    let program = parse(text).unwrap();
    let within = |steps| call(&program, "10", Options { max_steps: Some(steps), ..Options::default() });
    assert_eq!(within(40).unwrap(), "20");
    assert_eq!(within(39), Err(Failure::stopped()));
}

#[test]
fn each_element_of_a_new_array_is_a_step() {
    let text = "fun f (n: i64) -> (a: [n][n]i64, b: [n]i64, c: [n]i64) = {
        let xs: [n]i64 = replicate n 1
        let ys: [n][n]i64 = replicate n xs
        let is: [n]i64 = iota n 0 1
        let zs: [n]i64 = scratch
        in (ys, is, zs) }
      entry main = f (n) -> (a, b, c)";
    let program = parse(text).unwrap();
    let within = |steps| call(&program, "3", Options { max_steps: Some(steps), ..Options::default() });
    assert!(within(3 + 9 + 3 + 3).is_ok());
    assert_eq!(within(3 + 9 + 3 + 2), Err(Failure::stopped()));
}

#[test]
fn a_run_can_be_stopped() {
    let forever = "fun f (k: i64) -> (r: i64) = {
        let (d: bool, y: i64) = loop (c: bool = true, i: i64 = 0) while c do (true, i)
        in y
      }
      entry main = f (k = k) -> (r)";
    let program = parse(forever).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| call(&program, "1", Options { stop: Some(&stop), ..Options::default() }));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(run.join().unwrap(), Err(Failure::stopped()));
    });
}

/// Loops that update an array in place, in the forms that programs have. If every iteration copied the array,
/// this would take minutes.
#[test]
fn updates_in_place_are_linear() {
    let bodies = [
        "let b: big = a with [i] = i in b",
        "let c: bool = lt i 5
         let b: big = if c then { let e: big = a with [i] = i in e } else a
         let d: big = b with [0] = i
         in d",
        "let b: big = loop (c: big = a) for j: i64 < 2 do { let d: big = c with [i] = j in d } in b",
        "let c: bool = lt i 0
         let b: big = if c then a else {
           let d: big = loop (e: big = a) for j: i64 < 1 do { let g: big = e with [i] = j in g }
           in d
         }
         in b",
        "let b: big = screma 1 { from iota i 1 map \\(p: i64) -> (p, p) to write a rank 1 } in b",
        "let c: bool = le 0 i let b: big = assert c (a) \"no\" let d: big = b with [i] = i in d",
        "let b: big = call set (a, i) in b",
    ];
    for body in bodies {
        let text = format!(
            "fun set (*s: big, p: i64) -> (t: big) = {{ let q: big = s with [p] = p in q }}
             fun f (k: i64) -> (r: i64) = {{
               let z: big = replicate 1000000 7
               let y: big = loop (a: big = z) for i: i64 < k do {{ {body} }}
               let x: i64 = y[99999]
               in x
             }}
             entry main = f (k) -> (r)"
        );
        let program = parse(&text.replace("big", "[1000000]i64")).unwrap();
        assert_eq!(call(&program, "10000", Options::default()), Ok("7".to_owned()), "{body}");
    }
}

/// The result of a stream over `xs` with chunks of `usual` elements.
fn chunked(usual: usize, ty: &str, body: &str, input: &str) -> String {
    let text = format!(
        "fun f (n: i64, xs: [n]i64) -> (result: {ty}) = {{ let y: {ty} = stream n {{ from xs {body} }} in y }}
         entry main = f (xs) -> (result)"
    );
    let program = parse(&text).unwrap();
    ravel_core::verify(&program).unwrap_or_else(|error| panic!("{error}"));
    let chunks = Chunks { usual, at: None };
    call(&program, input, Options { chunks, ..Options::default() }).unwrap_or_else(|no| no.to_string())
}

#[test]
fn streams_map_chunk_by_chunk() {
    let starts = "chunk \\(k: i64, at: i64, c: [k]i64) -> { let o: [k]i64 = replicate k at in o } to map";
    assert_eq!(chunked(2, "[n]i64", starts, "[7,7,7,7,7]"), "[0, 0, 2, 2, 4]");
    assert_eq!(chunked(1, "[n]i64", starts, "[7,7,7]"), "[0, 1, 2]");
    assert_eq!(chunked(9, "[n]i64", starts, "[7,7,7]"), "[0, 0, 0]");
    let same = "chunk \\(k: i64, at: i64, c: [k]i64) -> c to map";
    assert_eq!(chunked(2, "[n]i64", same, "[1,2,3]"), "[1, 2, 3]");
}

#[test]
fn streams_combine_in_order() {
    let digits = "chunk \\(k: i64, at: i64, c: [k]i64) -> k
        to reduce \\(a: i64, b: i64) -> { let t: i64 = mul a 10 let s: i64 = add t b in s }";
    assert_eq!(chunked(2, "i64", digits, "[7,7,7,7,7]"), "221");
    assert_eq!(chunked(5, "i64", digits, "[7,7,7,7,7]"), "5");
}

#[test]
fn reductions_begin_with_a_known_neutral_element() {
    let digits = "chunk \\(k: i64, at: i64, c: [k]i64) -> { let z: bool = lt 0 k let s: i64 = assert z (k) \"empty\" in s }
        to reduce \\(a: i64, b: i64) -> { let t: i64 = mul a 10 let s2: i64 = add t b in s2 } (0)";
    assert_eq!(chunked(2, "i64", digits, "[7,7,7,7,7]"), "221");
    assert_eq!(chunked(2, "i64", digits, "empty([0]i64)"), "0");
    assert_eq!(chunked(2, "i64", &digits.replace("(0)", "(n)"), "[7,7]"), "22");
}

#[test]
fn only_a_reduction_of_an_empty_array_has_an_empty_chunk() {
    let fail =
        "{ let z: bool = lt 0 k let s: i64 = assert z (k) \"empty\" let o: [k]i64 = replicate k s in o }";
    let map = format!("chunk \\(k: i64, at: i64, c: [k]i64) -> {fail} to map");
    assert_eq!(chunked(2, "[n]i64", &map, "empty([0]i64)"), "empty([0])");
    let sizes = "chunk \\(k: i64, at: i64, c: [k]i64) -> k to reduce \\(a: i64, b: i64) -> b";
    assert_eq!(chunked(2, "i64", sizes, "empty([0]i64)"), "0");
    assert_eq!(chunked(2, "i64", sizes, "[1,2,3,4]"), "2");
}

/// The result of the first sink of a segment over two rows of `n`, each with the elements of `xs`.
fn segment(ty: &str, rest: &str, parts: &str, input: &str) -> String {
    eval(ty, &format!("let (y: {ty}{rest}) = segment grid (i < 2, j < n) {{ {parts} }}"), input)
}

#[test]
fn a_segment_reduces_along_its_innermost_dimension() {
    let read = "map \\() -> { let x: i64 = xs[j] let ten: i64 = mul i 10 let v: i64 = add x ten in v }";
    let of_three = "[1,2,3] 0";
    assert_eq!(segment("[2][n]i64", "", &format!("{read} to map"), of_three), "[[1, 2, 3], [11, 12, 13]]");
    assert_eq!(segment("[2]i64", "", &format!("{read} to reduce {}", add(1)), of_three), "[6, 36]");
    assert_eq!(segment("[2]i64", "", &format!("{read} to reduce {}", add(1)), "empty([0]i64) 0"), "[0, 0]");
    assert_eq!(segment("[2]i64", "", &format!("{read} to reduce {FIRST}"), "[0,2,3] 0"), "[2, 10]");
    let scan = format!("{read} scan {} to map", add(1));
    assert_eq!(segment("[2][n]i64", "", &scan, of_three), "[[1, 3, 6], [11, 23, 36]]");
    let post = format!("{read} scan {} post \\(s: i64) -> {{ let d: i64 = sub s i in d }} to map", add(1));
    assert_eq!(segment("[2][n]i64", "", &post, of_three), "[[1, 3, 6], [10, 22, 35]]");
    let counted = "from iota 5 2 map \\(c: i64) -> { let v: i64 = add c i in v } to map";
    assert_eq!(segment("[2][n]i64", "", counted, of_three), "[[5, 7, 9], [6, 8, 10]]");
}

#[test]
fn parts_are_concatenated_in_order() {
    let parts = |size: &str, points: i64| {
        let part = format!("let at: i64 = mul j 2 let rest: i64 = sub n at let w: i64 = {size}");
        let read = "let p: [w]i64 = slice xs[at : w : 1]";
        let sink = "to concat n by 2";
        let y =
            format!("segment grid (i < 2, j < {points}) {{ map \\() -> {{ {part} {read} in p }} {sink} }}");
        eval("[2][n]i64", &format!("let y: [2][n]i64 = {y}"), "[1,2,3] 0")
    };
    assert_eq!(parts("min rest 2", 2), "[[1, 2, 3], [1, 2, 3]]");
    assert_eq!(parts("min rest 1", 2), "a concatenated value does not have the size of its part");
    assert_eq!(parts("min rest 2", 1), "a concatenation has too few points");
}

#[test]
fn points_of_all_rows_write_to_one_target() {
    let write = "let z: [4]i64 = replicate 4 0
        let y: [4]i64 = segment grid (i < 2, j < 2) {
          map \\() -> { let at: i64 = mul i 2 let here: i64 = add at j in (here, j) } to write z rank 1
        }";
    assert_eq!(eval("[4]i64", write, "[1] 0"), "[0, 1, 0, 1]");
    let combine = format!(
        "let z: [2]i64 = replicate 2 0
        let y: [2]i64 = segment grid (i < 3, j < 2) {{ map \\() -> (j, i) to combine (z) {} }}",
        add(1)
    );
    assert_eq!(eval("[2]i64", &combine, "[1] 0"), "[3, 3]");
}

#[test]
fn a_block_runs_its_segments() {
    let block = format!(
        "let y: [2][n]i64 = segment grid (g < 2) block {{
          map \\() -> {{
            let w: [n]i64 = segment block (q < n) {{ map \\() -> {{ let x: i64 = xs[q] let u: i64 = add x g in u }} to map }}
            let s: i64 = segment block (l < n) {{ map \\() -> {{ let e: i64 = w[l] in e }} to reduce {} }}
            let v: [n]i64 = segment block (h < n) {{ map \\() -> {{ let e2: i64 = w[h] let d: i64 = sub s e2 in d }} to map }}
            in v
          }}
          to map
        }}",
        add(1)
    );
    assert_eq!(eval("[2][n]i64", &block, "[1,2,4] 0"), "[[6, 5, 3], [8, 7, 5]]");
}
