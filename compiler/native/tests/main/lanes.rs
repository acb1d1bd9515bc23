//! Points in lanes compute what they compute one by one, bit for bit, and fail with the same messages.

use ravel_abi::{Data, Value};
use ravel_cpu::Program;
use ravel_kernel::{MemProgram, Target, parse};
use ravel_native::{Choice, Processors, Settings};
use ravel_vector::random;

use crate::{bits, i64s, load_for, options, scalar, vector};

/// The result of `f` in bits, which is the same without vectors and in vectors of all sizes.
pub(crate) fn same(text: &str, args: &[Value]) -> String {
    let run = |vector_bits: u32| {
        let program = load_for(text, &Target { vector_bits, ..Target::CPU }, Choice::Always);
        bits(&program.call("f", args, &options(2)).map(|(values, _)| values))
    };
    let points = run(1);
    for size in [128, 256, 512] {
        assert_eq!(run(size), points, "in {size} bits:\n{text}");
    }
    points
}

/// The number of strip functions of a program.
pub(crate) fn functions(text: &str) -> usize {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let target = Target { vector_bits: 256, ..Target::CPU };
    let program = MemProgram::verify(program, &target).expect("a valid program");
    let describe = |_| String::new();
    ravel_native::compile(&program, Choice::Always, &describe).expect("native code").strips.len()
}

/// Calls `f` of a program for all processors, of whose strip functions only some versions exist. Returns the results in bits.
fn with_versions(text: &str, args: &[Value], exists: fn(&str) -> bool) -> (String, usize) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, &Target::CPU).expect("a valid program");
    let settings = Settings { choice: Choice::Always, processors: Processors::All };
    let mut blob = ravel_native::compile(&program, settings, &|_| String::new()).expect("native code");
    let newer = ["avx", "fma", "bmi", "lzcnt"];
    assert!(
        blob.features.iter().all(|name| newer.iter().all(|part| !name.contains(part))),
        "{:?}",
        blob.features
    );
    for strip in &mut blob.strips {
        strip.versions.retain(|version| version.features.iter().all(|name| exists(name)));
    }
    let versions = blob.strips.iter().map(|strip| strip.versions.len()).sum();
    let program = Program::load(blob).expect("loads");
    (bits(&program.call("f", args, &options(2)).map(|(values, _)| values)), versions)
}

#[test]
fn code_for_all_processors_has_a_version_for_each_size_of_vectors() {
    let elements = (0..random::POINTS).map(|at| (at * 37 % 23) as f64 - 11.5).collect();
    let xs = vector(Data::F64(elements));
    let (mut all_versions, mut of_avx2) = (0, 0);
    for text in (0..12).flat_map(|seed| [random::program(seed), random::reduction(seed), random::scan(seed)])
    {
        let points = bits(
            &load_for(&text, &Target { vector_bits: 1, ..Target::CPU }, Choice::ByCost)
                .call("f", std::slice::from_ref(&xs), &options(2))
                .map(|(values, _)| values),
        );
        for (exists, count) in [
            ((|_| true) as fn(&str) -> bool, &mut all_versions),
            (|name| !name.contains("avx512"), &mut of_avx2),
            (|_| false, &mut 0),
        ] {
            let (results, versions) = with_versions(&text, std::slice::from_ref(&xs), exists);
            assert_eq!(results, points, "{text}");
            *count += versions;
        }
    }
    if cfg!(target_arch = "x86_64") {
        assert!(of_avx2 > 20 && all_versions > of_avx2 * 3 / 2, "{all_versions} versions, {of_avx2} of AVX2");
    }
}

/// Whether this processor has AVX-512 as strips need it, and whether a strip of a program uses it.
fn avx512(text: &str, vector_bits: u32) -> (bool, bool) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, &Target { vector_bits, ..Target::CPU }).expect("lawful");
    let blob = ravel_native::compile(&program, Choice::Always, &|_| String::new()).expect("native code");
    let has_all =
        ["f", "dq", "vl", "vbmi"].iter().all(|part| blob.features.contains(&format!("has_avx512{part}")));
    let versions: Vec<_> = blob.strips.iter().flat_map(|strip| &strip.versions).collect();
    assert_eq!(versions.len(), 1, "strips:\n{text}");
    (has_all, versions[0].features.iter().any(|name| name == "has_avx512f"))
}

#[test]
#[expect(clippy::disallowed_macros, reason = "says what was not tested")]
fn the_largest_vectors_have_the_instructions_of_avx512_where_the_processor_has_them() {
    let text = map("f64", "let y: f64 = mul(x, x)");
    let (has_all, uses) = avx512(&text, 512);
    assert_eq!(uses, has_all);
    assert!(!avx512(&text, 256).1);
    if !has_all {
        println!("AVX-512 did not run: this processor lacks it, and its code was only decoded");
    }
}

#[test]
fn a_short_loop_that_waits_for_quotients_has_smaller_vectors() {
    let text = |body: &str| {
        map("f64", &format!("loop (a: f64 = x) for k: i64 < 9i64 {{ {body} yield d }} -> (y: f64)"))
    };
    let waits = [
        "let b: f64 = add(a, x) let d: f64 = div(1.0f64, b)",
        "let b: f64 = sqrt(a) let d: f64 = add(b, x)",
        "let c: bool = lt(x, 0.0f64) let b: f64 = div(x, a)
         if c { let e: f64 = mul(b, x) yield e } else { yield x } -> (d: f64)",
    ];
    for body in waits {
        assert!(!avx512(&text(body), 512).1, "{body}");
        same(&text(body), &[vector(Data::F64((0..20).map(f64::from).collect()))]);
    }
    let sum_of_quotients = "let b: f64 = div(1.0f64, x) let d: f64 = add(a, b)";
    let sums: String = (0..50).map(|k| format!("let e{}: f64 = add(e{k}, x) ", k + 1)).collect();
    let long = format!("let e0: f64 = neg(a) {sums} let d: f64 = div(1.0f64, e50)");
    for body in [sum_of_quotients, &long] {
        let (has_all, uses) = avx512(&text(body), 512);
        assert_eq!(uses, has_all, "{body}");
    }
}

#[test]
fn a_segment_says_what_runs_in_lanes() {
    let text = |lanes: &str| {
        program(
            "f64",
            &format!(
                "segment map (i < n) chunk 50i64{lanes} {{
                   load x: f64 = from[i]
                   loop (y: f64 = x) for k: i64 < n {{
                     load z: f64 = from[k]
                     let next: f64 = add(y, z)
                     yield next
                   }} -> (sum: f64)
                   store to[i] = sum
                 }}"
            ),
        )
    };
    let strips = |text: &str, vector_bits: u32| {
        let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(parse(&program.to_string()).expect("what was printed"), program);
        let program = MemProgram::verify(program, &Target { vector_bits, ..Target::CPU }).expect("lawful");
        let blob = ravel_native::compile(&program, Choice::ByCost, &|_| String::new()).expect("native code");
        blob.strips.into_iter().map(|strip| strip.switch).collect::<Vec<_>>()
    };
    let xs = vector(Data::F64((0..60).map(|at| f64::from(at * 7 % 11) / 3.0).collect()));
    let plain = same(&text(""), std::slice::from_ref(&xs));
    for lanes in [" lanes outer", " lanes inner", " lanes no"] {
        assert_eq!(same(&text(lanes), std::slice::from_ref(&xs)), plain, "{lanes}");
    }
    assert!(strips(&text(" lanes no"), 512).is_empty());
    if cfg!(target_arch = "x86_64") && code_has_vectors() {
        assert_eq!(strips(&text(" lanes outer"), 512), [Some("f.lanes0.enabled".to_owned())]);
        assert_eq!(strips(&text(" lanes inner"), 512), [None]);
    }
    assert!(parse(&text(" lanes 4")).is_err());
}

/// Whether this processor has vectors of 256 bits.
fn code_has_vectors() -> bool {
    functions(&map("f64", "let y: f64 = mul(x, x)")) > 0
}

/// A program that makes `n` numbers `to` from the numbers `from`, by this segment.
pub fn program(ty: &str, segment: &str) -> String {
    format!(
        "message0 = \"at \", i64
         entry \"f\" [n] (xs: block {ty} [n]) -> ([]{ty}) {{
           alloc ys: block {ty} = n
           view from: {ty} [n] = xs + 0i64 * [1i64]
           view to: {ty} [n] = ys + 0i64 * [1i64]
           {segment}
           yield n, ys
         }}"
    )
}

/// A program that maps `n` numbers by this code from `x` to `y`.
fn map(ty: &str, code: &str) -> String {
    let segment = format!(
        "segment map (i < n) chunk 50i64 {{
           load x: {ty} = from[i]
           {code}
           store to[i] = y
         }}"
    );
    program(ty, &segment)
}

/// Whether the cost model lets the points of a program run in lanes.
fn pays(text: &str) -> bool {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, &Target { vector_bits: 256, ..Target::CPU }).expect("lawful");
    let blob = ravel_native::compile(&program, Choice::ByCost, &|_| String::new()).expect("native code");
    !blob.strips.is_empty()
}

#[test]
fn a_search_runs_in_lanes_because_points_wait_for_its_loads() {
    // Two of 16 elements are compared. `next` says where the search goes on.
    let search = |next: &str, goes_on: &str| {
        let code = format!(
            "let z: i64 = and(x, 15i64)
             let top: i64 = max(z, 0i64)
             let begins: bool = lt(0i64, top)
             loop (low: i64 = 0i64, high: i64 = top, goes: bool = begins) while goes {{
               let width: i64 = sub(high, low)
               let half: i64 = shr(width, 1i64)
               let middle: i64 = add(low, half)
               let other: i64 = sub(top, middle)
               load a: i64 = from[middle]
               load b: i64 = from[other]
               let c: bool = lt(a, b)
               let above: i64 = add(middle, 1i64)
               {next}
               let is_inside: bool = lt(l, h)
               let again: bool = {goes_on}
               yield l, h, again
             }} -> (y: i64, end: i64, ends: bool)"
        );
        map("i64", &code)
    };
    let halves = search(
        "let l: i64 = select(c, above, low) let h: i64 = select(c, high, middle)",
        "or(is_inside, is_inside)",
    );
    let walks = search("let l: i64 = add(low, 1i64) let h: i64 = min(high, top)", "and(is_inside, c)");
    assert!(pays(&halves));
    assert!(!pays(&walks));
    for text in [halves, walks] {
        same(&text, &[vector(Data::I64((0..40).map(|k| k * 7 % 31).collect()))]);
    }
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
    let failure = same(&text, &[numbers([62, 61])]);
    assert!(failure.contains("at 61"), "{failure}");
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

/// A sum of square roots of `n` numbers, or of the rows of a matrix of `n` columns, in chunks of 70 points.
fn sum(ty: &str, rows: Option<i64>) -> String {
    let (space, indices, strides, count) = match rows {
        Some(rows) => (format!("r < {rows}i64, i < n"), "r, i", "n, 1i64", format!("{rows}i64")),
        None => ("i < n".to_owned(), "i", "1i64", "1i64".to_owned()),
    };
    let (sizes, to) = match rows {
        Some(rows) => (format!("[{rows}i64, n]"), format!("[{rows}i64] = sums + 0i64 * [1i64]")),
        None => ("[n]".to_owned(), "[] = sums + 0i64 * []".to_owned()),
    };
    format!(
        "message0 = \"at \", i64
         entry \"f\" [n] (xs: block {ty} [n]) -> ([]{ty}) {{
           alloc sums: block {ty} = {count}
           view from: {ty} {sizes} = xs + 0i64 * [{strides}]
           view to: {ty} {to}
           segment reduce ({space}) chunk 70i64 {{
             load x: {ty} = from[{indices}]
             let fits: bool = lt(x, 1.0e6{ty})
             assert fits message0(i)
             let y: {ty} = sqrt(x)
             yield y
           }} combine (a: {ty}) (b: {ty}) neutral (0.0{ty}) into (to) commutative {{
             let c: {ty} = add(a, b)
             yield c
           }}
           yield {count}, sums
         }}"
    )
}

/// Point `i` of a chunk goes into strand `i` modulo their number, and neighbouring strands are combined at the end.
fn in_strands(numbers: &[f64], strands: usize) -> f64 {
    let mut totals = vec![0.0; strands];
    for (at, number) in numbers.iter().enumerate() {
        totals[at % strands] += number.sqrt();
    }
    while totals.len() > 1 {
        totals = totals.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }
    totals[0]
}

#[test]
fn a_commutative_reduction_has_strands_in_each_chunk() {
    for size in (0..40).chain([69, 70, 71, 140, 601]) {
        let numbers: Vec<f64> = (0..size).map(|at| 1.0 / f64::from(at + 1)).collect();
        let of_chunk = |chunk: &[f64]| in_strands(chunk, 8);
        let total = numbers.chunks(70).map(of_chunk).reduce(|total, chunk| total + chunk).unwrap_or(0.0);
        let result = same(&sum("f64", None), &[vector(Data::F64(numbers.into()))]);
        assert_eq!(result, bits(&Ok(vec![vector(Data::F64(vec![total].into()))])), "of {size} numbers");
    }
}

#[test]
fn a_reduction_of_long_rows_has_strands() {
    for (size, strands) in [(5, 1), (63, 1), (64, 8), (69, 8), (70, 8)] {
        let numbers: Vec<f64> = (0..3 * size).map(|at| 1.0 / f64::from(at + 1)).collect();
        let sums: Vec<f64> = numbers.chunks(size as usize).map(|row| in_strands(row, strands)).collect();
        let text = sum("f64", Some(3)).replace("[n])", "[m])").replace("[n] (xs", "[m] (xs");
        let text = text.replace("alloc sums", "let n: i64 = quot(m, 3i64) alloc sums");
        let result = same(&text, &[vector(Data::F64(numbers.into()))]);
        assert_eq!(result, bits(&Ok(vec![vector(Data::F64(sums.into()))])), "rows of {size} numbers");
    }
}

#[test]
fn the_first_point_of_a_reduction_that_fails_is_reported() {
    for failing in [0, 7, 8, 31, 69, 70, 98, 99] {
        for ty in ["f64", "f32"] {
            let mut numbers: Vec<f64> = (0..100).map(f64::from).collect();
            numbers[failing] = 2e6;
            numbers[99] = 3e6;
            let data = match ty {
                "f64" => Data::F64(numbers.into()),
                _ => Data::F32(numbers.iter().map(|&number| number as f32).collect()),
            };
            let failure = same(&sum(ty, None), &[vector(data)]);
            assert!(failure.contains(&format!("at {failing}\"")), "{failing}: {failure}");
        }
    }
}

/// Strands of small integers take 32 bits in registers and on the stack. Sums wrap around in the small type.
#[test]
fn small_integers_are_combined_in_lanes() {
    for ty in ["i8", "u8", "i16", "u16"] {
        for (op, neutral) in [("add", "0"), ("max", if ty.starts_with('i') { "-128" } else { "0" })] {
            let text = format!(
                "entry \"f\" [n] (xs: block {ty} [n]) -> ({ty}) {{
                   alloc totals: block {ty} = 1i64
                   view from: {ty} [n] = xs + 0i64 * [1i64]
                   view total: {ty} [] = totals + 0i64 * []
                   segment reduce (i < n) chunk 1000i64 {{
                     load x: {ty} = from[i]
                     yield x
                   }} combine (a: {ty}) (b: {ty}) neutral ({neutral}{ty}) into (total) commutative {{
                     let c: {ty} = {op}(a, b)
                     yield c
                   }}
                   load t: {ty} = total[]
                   yield t
                 }}"
            );
            assert_eq!(functions(&text), 1, "{op} of {ty}");
            for size in [0, 5, 16, 17, 100, 999, 2500] {
                macro_rules! check {
                    ($data:ident, $int:ty) => {{
                        let numbers: Vec<$int> = (0..size).map(|at| (at * 37 - 90) as $int).collect();
                        let first: $int = neutral.parse().expect("a number");
                        let both = |a: $int, b: $int| if op == "add" { a.wrapping_add(b) } else { a.max(b) };
                        let total = numbers.iter().copied().fold(first, both);
                        (Data::$data(numbers.into()), scalar(total))
                    }};
                }
                let (data, total) = match ty {
                    "i8" => check!(I8, i8),
                    "u8" => check!(U8, u8),
                    "i16" => check!(I16, i16),
                    _ => check!(U16, u16),
                };
                let result = same(&text, &[vector(data)]);
                assert_eq!(result, bits(&Ok(vec![total])), "{op} of {size} numbers of {ty}");
            }
        }
    }
}

/// Lanes of 64 bits are half as many as strands of 32 bits, so strips use the two halves alternately. Every seventh strip of 35
/// points restarts.
#[test]
fn strands_may_be_more_than_lanes() {
    let text = "entry \"f\" [n] (xs: block f64 [n]) -> (f32, i32) {
        alloc sums: block f32 = 1i64
        alloc mosts: block i32 = 1i64
        view from: f64 [n] = xs + 0i64 * [1i64]
        view sum: f32 [] = sums + 0i64 * []
        view most: i32 [] = mosts + 0i64 * []
        segment reduce (i < n) chunk 1000i64 {
          load x: f64 = from[i]
          let s: f64 = sin(x)
          let y: f32 = f32(s)
          let k: i32 = i32(x)
          yield y, k
        } combine (a: f32) (b: f32) neutral (0.0f32) into (sum) commutative {
          let c: f32 = add(a, b)
          yield c
        } combine (d: i32) (e: i32) neutral (0i32) into (most) commutative {
          let g: i32 = sub(e, d)
          yield g
        }
        load t: f32 = sum[]
        load m: i32 = most[]
        yield t, m
      }";
    assert_eq!(functions(text), 1);
    for size in [0, 5, 16, 17, 100, 999, 2500] {
        let numbers = (0..size).map(|at| if at % 35 == 20 { 1e12 } else { f64::from(at) * 0.37 });
        same(text, &[vector(Data::F64(numbers.collect()))]);
    }
}

/// Loads and stores of neighbours, under masks that hold everywhere but at an end, under masks that alternate, scattered, and
/// in arrays of the thread.
#[test]
fn small_elements_are_the_same_in_lanes() {
    let types = ["u8", "i8", "u16", "i16"];
    for (number, ty) in types.into_iter().enumerate() {
        let other = types[(number + 1) % 4];
        let one = if ty == "u8" || ty == "u16" { format!("3{ty}") } else { format!("-3{ty}") };
        let text = format!(
            "entry \"f\" [n] (xs: block {ty} [n]) -> ([]{ty}, []bool, []i64) {{
               alloc ys: block {ty} = n
               alloc zs: block bool = n
               alloc ws: block i64 = n
               view from: {ty} [n] = xs + 0i64 * [1i64]
               view to: {ty} [n] = ys + 0i64 * [1i64]
               view flags: bool [n] = zs + 0i64 * [1i64]
               view sums: i64 [n] = ws + 0i64 * [1i64]
               let last: i64 = sub(n, 1i64)
               segment map (i < n) chunk 500i64 {{
                 load x: {ty} = from[i]
                 let j: i64 = sub(last, i)
                 load r: {ty} = from[j]
                 let first: bool = eq(i, 0i64)
                 if first {{ yield {one} }} else {{
                   let before: i64 = sub(i, 1i64) load p: {ty} = from[before] yield p
                 }} -> (q: {ty})
                 let low: bool = lt(x, r)
                 if low {{ load p2: {ty} = from[i] yield p2 }} else {{ yield {one} }} -> (s: {ty})
                 load u: {ty} = from[0i64]
                 let a: {ty} = add(x, u)
                 let b: {ty} = mul(a, q)
                 let c: {ty} = sub(b, s)
                 let d: {ty} = shl(c, {one})
                 let e: {ty} = lshr(c, 1{ty})
                 let g: {ty} = shr(x, 2{ty})
                 let h: {ty} = min(d, e)
                 let k: {ty} = max(g, h)
                 let l: {ty} = neg(k)
                 let m: {ty} = not(l)
                 let o: {other} = {other}(m)
                 let t: {ty} = {ty}(o)
                 let v: i64 = i64(o)
                 let v2: u64 = u64(m)
                 let v3: i64 = i64(v2)
                 let v4: u32 = u32(t)
                 let v5: i64 = i64(v4)
                 let w: i64 = add(v, v3)
                 let w2: i64 = add(w, v5)
                 let narrow: {ty} = {ty}(w2)
                 alloc own: block {ty} = 4i64
                 view mine: {ty} [4i64] = own + 0i64 * [1i64]
                 store mine[0i64] = narrow
                 store mine[1i64] = s
                 if low {{ store mine[1i64] = q }} else {{ }} -> ()
                 let at: i64 = and(w2, 1i64)
                 load y: {ty} = mine[at]
                 load y1: {ty} = mine[1i64]
                 let y2: {ty} = xor(y, y1)
                 store to[i] = y2
                 if low {{ store to[i] = t }} else {{ }} -> ()
                 if first {{ }} else {{ store flags[i] = low }} -> ()
                 if first {{ store flags[i] = true }} else {{ }} -> ()
                 load flag: bool = flags[i]
                 let z: i64 = i64(flag)
                 let w3: i64 = sub(w2, z)
                 store sums[i] = w3
               }}
               yield n, ys, n, zs, n, ws
             }}"
        );
        assert_eq!(functions(&text), 1);
        for size in [1, 7, 8, 9, 100, 700] {
            let bits = (0..size).map(|at: i64| at * at * 31 + at * 7 + 120);
            let data = match ty {
                "u8" => Data::U8(bits.map(|bits| bits as u8).collect()),
                "i8" => Data::I8(bits.map(|bits| bits as i8).collect()),
                "u16" => Data::U16(bits.map(|bits| (bits * 211) as u16).collect()),
                _ => Data::I16(bits.map(|bits| (bits * 211) as i16).collect()),
            };
            same(&text, &[vector(data)]);
        }
    }
}

/// Gathers under a mask that differs between the halves of a register.
#[test]
fn elements_in_reverse_order_under_a_mask_are_the_same_in_lanes() {
    for ty in ["f32", "f64", "i32"] {
        let code = format!(
            "let last: i64 = sub(n, 1i64) let j: i64 = sub(last, i)
             let takes_part: bool = lt(x, 21{ty})
             if takes_part {{ load r: {ty} = from[j] yield r }} else {{ yield x }} -> (y: {ty})"
        );
        let text = map(ty, &code.replace("21f", "21.0f"));
        assert_eq!(functions(&text), 1, "{ty}");
        for size in [7, 16, 48, 101] {
            let numbers = (0..size).map(|at| (at * 37 + 5) % 41);
            let data = match ty {
                "f32" => Data::F32(numbers.map(|number| number as f32).collect()),
                "f64" => Data::F64(numbers.map(f64::from).collect()),
                _ => Data::I32(numbers.collect()),
            };
            same(&text, &[vector(data)]);
        }
    }
}

/// More values and masks are live at once than there are registers.
#[test]
fn values_without_a_register_are_the_same_in_lanes() {
    for ty in ["f64", "f32"] {
        let each = |of: &dyn Fn(usize) -> String| (0..48).map(of).collect::<String>();
        let values = each(&|k| {
            format!("let a{k}: {ty} = mul(x, {k}.5{ty}) let c{k}: bool = lt(a{k}, {}.0{ty}) ", 7 * k)
        });
        let chosen = each(&|k| format!("if c{k} {{ yield a{k} }} else {{ yield x }} -> (b{k}: {ty}) "));
        let first = format!("let s0: {ty} = neg(x) ");
        let sums = each(&|k| format!("let s{}: {ty} = sub(b{}, s{k}) ", k + 1, 47 - k));
        let text = map(ty, &format!("{values}{chosen}{first}{sums}let y: {ty} = neg(s48)"));
        assert_eq!(functions(&text), 1, "{ty}");
        let numbers = (0..37).map(|at| f64::from(at) * 0.7 - 9.0);
        let data = match ty {
            "f64" => Data::F64(numbers.collect()),
            _ => Data::F32(numbers.map(|number| number as f32).collect()),
        };
        same(&text, &[vector(data)]);
    }
}

/// Numbers of a type at the ends of its range, and others.
fn numbers(ty: &str) -> Value {
    let integers =
        [0, 1, -1, 2, 7, -100, 63, 64, 31, 1 << 31, (1 << 31) - 1, 1 << 52, 1 << 62, i64::MIN, i64::MAX]
            .map(|x: i64| [x, x.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64)])
            .concat();
    // Next to the middle between two f32, where a number that is rounded twice becomes the wrong one.
    let middles = [(1 << 60) + (1 << 36), (1 << 54) + (1 << 30), (1 << 52) + (1 << 28), 5 << 60 | 1 << 39]
        .map(|x: i64| [x - 1, x, x + 1, -x - 1])
        .concat();
    let integers = [integers, middles].concat();
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

/// Pairs of integers that are not zero, in bits: element `i` is to be divided by element `n - 1 - i`. They include the ends
/// of all ranges, neighbours of powers of 2, and neighbours of multiples.
fn divisions() -> Vec<u64> {
    let mut numbers = vec![1, 2, 3, 7, 100, 255, 641, 6_700_417, u64::MAX / 3, 0x9e37_79b9_7f4a_7c15];
    for power in [7, 8, 15, 16, 31, 32, 51, 52, 53, 54, 62, 63] {
        numbers.extend([-1, 0, 1].map(|by| (1_u64 << power).wrapping_add_signed(by)));
    }
    numbers.extend(numbers.clone().into_iter().map(u64::wrapping_neg));
    let pairs = numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| [a, b]));
    let (mut dividends, mut divisors): (Vec<u64>, Vec<u64>) = pairs.map(|[a, b]| (a, b)).unzip();
    for (dividend, divisor) in dividends.clone().into_iter().zip(divisors.clone()) {
        for by in [-1, 0, 1] {
            let multiple = (dividend / divisor).wrapping_mul(divisor).wrapping_add_signed(by);
            dividends.push(multiple);
            divisors.push(divisor);
        }
    }
    divisors.reverse();
    dividends.extend(divisors);
    dividends
}

#[test]
fn integers_are_divided_the_same_in_lanes() {
    let bits = divisions();
    let number = |ty: &str| match ty {
        "i64" => Data::I64(bits.iter().map(|&x| x as i64).collect()),
        "u64" => Data::U64(bits.clone().into()),
        "i32" => Data::I32(bits.iter().map(|&x| x as i32).collect()),
        "u32" => Data::U32(bits.iter().map(|&x| x as u32).collect()),
        "i16" => Data::I16(bits.iter().map(|&x| x as i16).collect()),
        _ => Data::U8(bits.iter().map(|&x| x as u8).collect()),
    };
    for ty in ["i64", "u64", "i32", "u32", "i16", "u8"] {
        // A lane of zeros takes no part in the division, but its registers do.
        let text = |op: &str| {
            map(
                ty,
                &format!(
                    "let last: i64 = sub(n, 1i64) let j: i64 = sub(last, i) load z: {ty} = from[j]
                     let c: bool = ne(z, 0{ty})
                     if c {{ let q: {ty} = {op}(x, z) yield q }} else {{ yield x }} -> (y: {ty})"
                ),
            )
        };
        for op in ["div", "mod", "quot", "rem"] {
            same(&text(op), &[vector(number(ty))]);
        }
        if functions(&map("i64", "let y: i64 = neg(x)")) == 1 {
            assert_eq!(functions(&text("div")), 1, "{ty} in 256 bits");
        }
        // Of uniform operands, in general registers.
        let uniform = map(
            ty,
            &format!(
                "loop (sum: {ty} = x) for k: i64 < 3i64 {{
                   load a: {ty} = from[k] let q: {ty} = div(a, 3{ty}) let r: {ty} = rem(a, 3{ty})
                   let b: {ty} = xor(sum, q) let c: {ty} = add(b, r) yield c
                 }} -> (y: {ty})"
            ),
        );
        same(&uniform, &[vector(number(ty))]);
    }
}

/// Factors whose upper half is zero, and factors that only look so.
#[test]
fn products_of_halves_are_the_same_in_lanes() {
    let factors = [
        "let p: i64 = and(x, 4294967295i64)",
        "let p: i64 = and(x, 4294967296i64)",
        "let h: u32 = u32(x) let p: i64 = i64(h)",
        "let h: i32 = i32(x) let p: i64 = i64(h)",
        "let h: i32 = i32(x) let u: u64 = u64(h) let p: i64 = i64(u)",
        "let p: i64 = lshr(x, 32i64)",
        "let p: i64 = lshr(x, 31i64)",
        "let p: i64 = shr(x, 32i64)",
        "let u: u64 = u64(x) let s: u64 = shr(u, 32u64) let p: i64 = i64(s)",
        "let u: u64 = u64(x) let s: u64 = shr(u, 31u64) let p: i64 = i64(s)",
        "let s: i64 = lshr(x, 40i64) let p: i64 = or(s, x)",
        "let p: i64 = add(x, 4294967295i64)",
    ];
    let numbers = i64s((0..60).map(|at: i64| at.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ at << 31));
    for first in factors {
        for second in ["q", "4294967295i64", "4294967296i64", "-3i64"] {
            let code = format!("{first} let q: i64 = and(x, 4294967295i64) let y: i64 = mul(p, {second})");
            let text = map("i64", &code);
            assert_eq!(functions(&text), 1, "{text}");
            same(&text, std::slice::from_ref(&numbers));
        }
    }
}
