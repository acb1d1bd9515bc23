//! Tests on kernel programs written by hand: the counts, and the errors that the model detects.

use ravel_abi::{Failure, Value};
use ravel_kernel::{MemProgram, Target, parse};

use super::*;

/// A device whose subgroups are small enough to count by hand.
pub const SMALL: Device =
    Device { target: &Target { subgroup: 4, workgroup: 8, ..Target::A100 }, ..DEVICES[2] };

/// A device whose workgroups have several rakers: 9, 9, 9 and 5 threads have one each.
const RAKING: Device =
    Device { target: &Target { subgroup: 4, workgroup: 32, ..Target::A100 }, ..DEVICES[2] };

pub fn outcome(text: &str, sizes: &[i64], args: &[Value], device: &Device) -> Result<Outcome, Failure> {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let program = MemProgram::verify(program, &Target::GPU).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = Options { device, tuning: &Tuning::default(), stop: None, private_limit: 1 << 20 };
    let name = program.entries[0].name;
    run(&program, name, sizes, args, options, &|_| "here".to_owned())
}

/// A program that maps this body over `i < n`. The body may read `xs` and store into `ys`, both of size n.
fn map(body: &str) -> String {
    format!(
        "message0 at 0:3..7 = \"no \", i64
entry \"main\" [n] (\"xs\" xs_: block f32 [n]) -> ([]f32) {{
  view xs: f32 [n] = xs_ + 0i64 * [1i64]
  alloc ys_: block f32 = n
  view ys: f32 [n] = ys_ + 0i64 * [1i64]
  segment map \"map\" (i < n) chunk 1i64 {{
    {body}
  }}
  yield n, ys_
}}"
    )
}

fn run_map(body: &str, n: i64) -> Result<Outcome, Failure> {
    let xs: Vec<f32> = (0..n).map(|x| x as f32).collect();
    outcome(&map(body), &[n], &[xs.into()], &SMALL)
}

fn bug(body: &str) -> String {
    match run_map(body, 8) {
        Err(Failure::Bug(message)) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn neighbouring_lanes_share_sectors() {
    let outcome =
        run_map("load x: f32 = xs[i]  let y: f32 = add(x, x)  store ys[i] = y", 16).expect("it runs");
    assert_eq!(outcome.results[0].elements::<f32>().map(|ys| ys[15]), Some(30.0));
    let counts = outcome.segments[0].counts;
    // Four subgroups; each loads and stores 16 bytes, which lie in one sector, shared by two subgroups.
    let expected = Counts {
        launches: 1,
        points: 16,
        issued: 48,
        useful: 48,
        slots: 48,
        longest: 3,
        bytes: 128,
        sectors: 8,
        needed_sectors: 8,
        distinct_sectors: 4,
        ..Counts::default()
    };
    assert_eq!(counts, expected);
    assert_eq!((counts.occupancy(), counts.coalescing()), (1.0, 1.0));
}

/// Lanes that load the same element need one sector; lanes that are a sector apart need fewer sectors than they move.
#[test]
fn the_sectors_needed_hold_the_distinct_elements_of_an_access() {
    let device = Device { target: &Target { subgroup: 32, workgroup: 32, ..Target::A100 }, ..DEVICES[2] };
    let counts = |index: &str, stride: i64| {
        let text = map(&format!(
            "let k: i64 = mul(i, {stride}i64) let j: i64 = mod(k, n) load x: f32 = xs[{index}] store ys[i] = x"
        ));
        let xs = vec![1f32; 1024];
        let outcome = outcome(&text, &[1024], &[xs.into()], &device).expect("it runs");
        let counts = outcome.segments[0].counts;
        (counts.sectors, counts.needed_sectors)
    };
    // Each of the 32 subgroups stores 4 sectors, and needs all of them.
    assert_eq!(counts("0i64", 1), (32 * (1 + 4), 32 * (1 + 4)));
    assert_eq!(counts("j", 1), (32 * (4 + 4), 32 * (4 + 4)));
    assert_eq!(counts("j", 2), (32 * (8 + 4), 32 * (4 + 4)));
    assert_eq!(counts("j", 8), (32 * (32 + 4), 32 * (4 + 4)));
    // Neighbouring pairs of lanes load the same element.
    let text = map("let k: i64 = quot(i, 2i64) load x: f32 = xs[k] store ys[i] = x");
    let outcome = outcome(&text, &[1024], &[vec![1f32; 1024].into()], &device).expect("it runs");
    let counts = outcome.segments[0].counts;
    assert_eq!((counts.bytes, counts.sectors, counts.needed_sectors), (8 * 1024, 32 * 6, 32 * 6));
}

#[test]
fn lanes_beyond_the_last_point_are_idle() {
    let counts = run_map("store ys[i] = 1f32", 5).expect("it runs").segments[0].counts;
    assert_eq!((counts.issued, counts.useful, counts.points), (8, 5, 5));
}

#[test]
fn both_sides_of_a_divergent_branch_are_issued() {
    let body = |cond: &str| {
        format!(
            "let odd: bool = {cond}
             if odd {{ let a: f32 = add(1f32, 2f32)  yield a }} else {{ let b: f32 = mul(2f32, 2f32)  yield b }} -> (c: f32)
             store ys[i] = c"
        )
    };
    let counts = |cond: &str| run_map(&body(cond), 4).expect("it runs").segments[0].counts;
    // A comparison, the branch, a side, the store.
    assert_eq!((counts("lt(i, 9i64)").issued, counts("lt(i, 9i64)").useful), (16, 16));
    assert_eq!((counts("lt(i, 1i64)").issued, counts("lt(i, 1i64)").useful), (20, 16));
}

#[test]
fn a_loop_runs_until_its_last_lane_is_done() {
    let body = "loop (s: f32 = 0f32) for j: i64 < i { let t: f32 = add(s, 1f32)  yield t } -> (r: f32)  store ys[i] = r";
    let outcome = run_map(body, 4).expect("it runs");
    assert_eq!(outcome.results[0].elements::<f32>(), Some(&[0.0, 1.0, 2.0, 3.0][..]));
    let counts = outcome.segments[0].counts;
    // Three iterations, four tests and the store are issued; of the iterations' lanes 3 + 2 + 1 are active.
    assert_eq!((counts.issued, counts.useful), (32, 4 + 3 + 2 + 1 + 6 + 4));
}

#[test]
fn races_are_found() {
    let reads = "store ys[i] = 1f32  load y: f32 = ys[7i64]  store ys[i] = y";
    assert!(bug(reads).contains("another point of its segment has"), "{}", bug(reads));
}

#[test]
fn a_point_may_not_read_what_another_point_has_written() {
    // The subgroup of the last point runs first.
    let reads = "let last: bool = eq(i, 7i64)
        if last { store ys[7i64] = 1f32 } else { }
        load y: f32 = ys[7i64]
        if last { } else { store ys[i] = y }";
    assert!(bug(reads).contains("another point of its segment has written"), "{}", bug(reads));
}

#[test]
fn elements_that_were_never_written_cannot_be_read() {
    assert!(bug("load y: f32 = ys[i]  store ys[i] = y").contains("never written"));
    let private = "alloc p_: private f32 = 2i64  view p: f32 [2i64] = p_ + 0i64 * [1i64]
        store p[0i64] = 1f32  load y: f32 = p[1i64]  store ys[i] = y";
    assert!(bug(private).contains("never written"));
}

#[test]
fn accesses_out_of_bounds_are_found() {
    assert!(bug("let j: i64 = add(i, 1i64)  load x: f32 = xs[j]  store ys[i] = x").contains("out of bounds"));
}

#[test]
fn the_failure_of_the_least_point_is_reported() {
    let body = "let fine: bool = lt(i, 2i64)  assert fine message0(i)  store ys[i] = 1f32";
    let failure = run_map(body, 16).expect_err("it fails");
    assert!(failure.to_string().contains("no 2"), "{failure}");
}

/// A scan with an operator that is associative but does not commute: the digits `xs` become the numbers that they form
/// from the left.
const DIGITS: &str = "entry \"main\" [n] (\"xs\" xs_: block i64 [n]) -> ([]i64) {
  view xs: i64 [n] = xs_ + 0i64 * [1i64]
  alloc ys_: block i64 = n
  view ys: i64 [n] = ys_ + 0i64 * [1i64]
  alloc ps_: block i64 = n
  view ps: i64 [n] = ps_ + 0i64 * [1i64]
  segment scan (i < n) chunk 3i64 {
    load x: i64 = xs[i]
    yield x, 10i64
  } combine (a: i64, p: i64) (b: i64, q: i64) neutral (0i64, 1i64) into (ys, ps) {
    let s: i64 = mul(a, q)
    let c: i64 = add(s, b)
    let r: i64 = mul(p, q)
    yield c, r
  }
  yield n, ys_
}";

#[test]
fn scans_combine_in_order() {
    let xs: Vec<i64> = (0..14).map(|x| x % 10).collect();
    let outcome = outcome(DIGITS, &[14], &[xs.into()], &SMALL).expect("it runs");
    let prefixes: Vec<i64> = (1..=14).map(|n| (0..n).fold(0, |value, x| value * 10 + x % 10)).collect();
    assert_eq!(outcome.results[0].elements::<i64>(), Some(&prefixes[..]));
    let counts = outcome.segments[0].counts;
    // One workgroup loads each element once, and stores two.
    assert_eq!((counts.launches, counts.bytes), (1, 8 * 3 * 14));
    // The 14 pairs are stored to the tile, loaded twice, stored scanned, and loaded again. Each of the eight threads stores its
    // sum, and loads the last pair at the end. Five threads have pairs. One raker loads their sums and stores the total, then
    // loads the first sum, and loads and stores three others; then four threads load the sum before theirs.
    assert_eq!(counts.workgroup_words, 4 * (5 * 14 + 2 * 8 + 5 + 1 + 1 + 2 * 3 + 4));
    // After the pairs are loaded, before and after the raker combines the sums, and after it scans them; then after the tile
    // is scanned, and after it is loaded.
    assert_eq!(counts.barriers, 1 + 2 + 1 + 1 + 1);
}

#[test]
fn rakers_scan_in_order() {
    for n in [27, 28, 60, 95, 96, 97, 500] {
        let xs: Vec<i64> = (0..n).map(|x| x % 10).collect();
        let outcome = outcome(DIGITS, &[n], &[xs.into()], &RAKING).expect("it runs");
        let digit = |value: i64, x: i64| value.wrapping_mul(10).wrapping_add(x % 10);
        let prefixes: Vec<i64> = (1..=n).map(|n| (0..n).fold(0, digit)).collect();
        assert_eq!(outcome.results[0].elements::<i64>(), Some(&prefixes[..]), "{n}");
    }
}

#[test]
fn code_after_a_scan_takes_the_prefixes() {
    let finish = "finish (u: i64, v: i64) { store ys[i] = u store ps[i] = v }\n  yield n, ys_";
    let text = DIGITS.replace("into (ys, ps)", "into ()").replace("yield n, ys_", finish);
    for n in [0, 1, 14, 60] {
        let xs: Vec<i64> = (0..n).map(|x| x % 3).collect();
        let [stored, finished] = [DIGITS, &text].map(|text| {
            let outcome = outcome(text, &[n], &[xs.clone().into()], &SMALL).expect("it runs");
            let numbers = outcome.results[0].elements::<i64>().expect("numbers").to_vec();
            (numbers, outcome.segments[0].counts.bytes)
        });
        assert_eq!(stored, finished, "{n}");
        assert_eq!(stored.0.len() as i64, n);
    }
}

#[test]
fn several_workgroups_pass_their_values_on() {
    let xs: Vec<i64> = vec![0; 60];
    let scan = outcome(DIGITS, &[60], &[xs.into()], &SMALL).expect("it runs").segments[0].counts;
    // Each point runs twice, with two loads and two stores in all. Each of 3 workgroups stores its sum. A second launch loads
    // each sum, and stores an offset for each workgroup. At last, the 16 threads of the later workgroups load the offset of the
    // workgroup before.
    let passed = 3 + 3 + 3 + 16;
    assert_eq!((scan.launches, scan.bytes), (3, 8 * 4 * 60 + 16 * passed));
    let text = "entry \"main\" [n] (\"xs\" xs_: block f32 [n]) -> (f32) {
  view xs: f32 [n] = xs_ + 0i64 * [1i64]
  alloc y_: block f32 = 1i64
  view y: f32 [] = y_ + 0i64 * []
  segment reduce (i < n) chunk 3i64 {
    load x: f32 = xs[i]
    yield x
  } combine (a: f32) (b: f32) neutral (0f32) into (y) {
    let c: f32 = add(a, b)
    yield c
  }
  load total: f32 = y[]
  yield total
}";
    let reduction = |n: i64| {
        let xs = vec![1f32; n as usize];
        let outcome = outcome(text, &[n], &[xs.into()], &SMALL).expect("it runs");
        assert_eq!(outcome.results, [Value::Scalar((n as f32).into())]);
        let counts = outcome.segments[0].counts;
        (counts.launches, counts.bytes, counts.distinct_sectors)
    };
    // The result is stored in any case.
    assert_eq!((reduction(0), reduction(24)), ((1, 4, 1), (1, 4 * 24 + 4, 3 + 1)));
    // Three sums are stored and loaded. They lie in one sector.
    assert_eq!(reduction(60), (2, 4 * 60 + 4 * (3 + 3) + 4, 8 + 1 + 1 + 1));
}

/// The counts of a reduction that adds the elements of one workgroup, determined by hand from the shader.
#[test]
fn the_tree_of_a_workgroup_counts() {
    let text = |kind: &str, out: &str, flags: &str| {
        format!(
            "message0 at 0:3..7 = \"no \", i64
entry \"main\" [n] (\"xs\" xs_: block i32 [n]) -> ([]i32) {{
  view xs: i32 [n] = xs_ + 0i64 * [1i64]
  alloc ys_: block i32 = n
  view ys: i32 {out} = ys_ + 0i64 * {strides}
  segment {kind} (i < n) chunk 3i64 {{
    load x: i32 = xs[i]
    yield x
  }} combine (a: i32) (b: i32) neutral (0i32) into (ys) {flags} {{
    let c: i32 = add(a, b)
    yield c
  }}
}}",
            strides = if out == "[]" { "[]" } else { "[1i64]" },
        )
        .replace("-> ([]i32)", "-> ()")
    };
    let counts = |text: &str, n: i64| {
        let xs: Vec<i32> = (0..n as i32).collect();
        outcome(text, &[n], &[xs.into()], &RAKING).expect("it runs").segments[0].counts
    };
    // Eight subgroups of four lanes. Each loads and adds three times, and stores its sums. The rakers are the first subgroup:
    // they load 9, 9, 9 and 5 sums, add them and store the results. In two steps, 2 and 1 of them load a result, add it and
    // store their own. Then one thread stores the result.
    let striped = text("reduce", "[]", "commutative");
    let (rake, raked, raked_words) = (9 + 8 + 1, 32 + 28 + 4, 32 + 4);
    let expected = Counts {
        launches: 1,
        points: 96,
        issued: 4 * (8 * (3 * 2 + 1) + rake + 2 * 3 + 1),
        useful: 96 * 2 + 32 + raked + 3 * (2 + 1) + 1,
        slots: 4 * (8 * (3 * 2 + 1) + rake + 2 * 3 + 1),
        longest: 3 * 2 + 1 + rake + 2 * 3 + 1,
        bytes: 4 * 97,
        sectors: 24 + 1,
        needed_sectors: 24 + 1,
        distinct_sectors: 12 + 1,
        workgroup_words: 32 + raked_words + 2 * (2 + 1),
        bank_conflicts: 0,
        barriers: 3,
    };
    assert_eq!(counts(&striped, 96), expected);
    // The threads store their elements to a tile, and load three neighbours each, of which they add two. The first thread adds
    // the sum of the tile to the neutral element.
    let tiled = text("reduce", "[]", "");
    let operations = 8 * (3 * 2 + 3 + 2 + 1) + rake + 2 * 3 + 1 + 1;
    let expected = Counts {
        issued: 4 * operations,
        useful: 96 * 2 + 96 + 64 + 32 + raked + 3 * (2 + 1) + 1 + 1,
        slots: 4 * operations,
        longest: 3 * 2 + 3 + 2 + 1 + rake + 2 * 3 + 1 + 1,
        workgroup_words: 96 + 96 + 32 + raked_words + 2 * (2 + 1),
        // After the tile is loaded, before the rakers load sums, and in each step.
        barriers: 1 + 1 + 2,
        ..expected
    };
    assert_eq!(counts(&tiled, 96), expected);
    // In a scan, 2 and 2 rakers add a result. Then each raker loads a sum to begin with, and loads, adds and stores up to eight
    // others. The threads load the sum before their own, all but the first one, and add it. They load their elements
    // again, add and store them; then all threads load the last element, and each loads and stores its results.
    let scan = text("scan", "[n]", "");
    let scanned = 7 + 8 + 8 + 4;
    let operations = 8 * (3 * 2 + 3 + 2 + 1) + rake + 2 * 3 + 1 + 3 * 8 + 8 * (2 + 3 * 3 + 1 + 3 * 2);
    let expected = Counts {
        issued: 4 * operations,
        useful: 96 * 2 + 96 + 64 + 32 + raked + 3 * 4 + 4 + 3 * scanned + 2 * 31 + 3 * 96 + 32 + 2 * 96,
        slots: 4 * operations,
        longest: 3 * 2 + 3 + 2 + 1 + rake + 2 * 3 + 1 + 3 * 8 + 2 + 3 * 3 + 1 + 3 * 2,
        bytes: 4 * 192,
        sectors: 48,
        needed_sectors: 48,
        distinct_sectors: 24,
        workgroup_words: 96 + 96 + 32 + raked_words + 2 * 4 + 4 + 2 * scanned + 31 + 2 * 96 + 32 + 96,
        // After the tile is loaded, before the rakers load sums, in each step, before and after the rakers go through the sums
        // again, after the tile is scanned, and after it is loaded.
        barriers: 1 + 1 + 2 + 2 + 1 + 1,
        ..expected
    };
    assert_eq!(counts(&scan, 96), expected);
    // Three workgroups. The last one has 48 elements. A launch of one workgroup adds their sums, which three threads load. One
    // raker adds two of them.
    let partials = counts(&striped, 240);
    assert_eq!((partials.launches, partials.barriers, partials.bytes), (2, 4 * 3, 4 * (240 + 3 + 3 + 1)));
    let after = 32 + raked + 3 * 3 + 1;
    assert_eq!(partials.useful, 2 * (96 * 2 + after) + (48 * 2 + after) + (3 * 2 + 32 + 3 + 2 + 1 + 1));
}

/// Points are combined in the order of the backend. The result shows the order, because the operator is not associative.
#[test]
fn threads_take_stripes_and_combine_their_values_as_a_tree() {
    let text = |commutative: &str| {
        format!(
            "entry \"main\" [n] (\"xs\" xs_: block i64 [n]) -> (i64) {{
  view xs: i64 [n] = xs_ + 0i64 * [1i64]
  alloc y_: block i64 = 1i64
  view y: i64 [] = y_ + 0i64 * []
  segment reduce (i < n) chunk 3i64 {{
    load x: i64 = xs[i]
    yield x
  }} combine (a: i64) (b: i64) neutral (0i64) into (y) {commutative} {{
    let s: i64 = mul(a, 3i64)
    let c: i64 = add(s, b)
    yield c
  }}
  load total: i64 = y[]
  yield total
}}"
        )
    };
    let op = |a: i64, b: i64| a.wrapping_mul(3).wrapping_add(b);
    let tree = |values: Vec<i64>| {
        let raked = values.chunks(9).map(|members| members.iter().copied().reduce(op).expect("a member"));
        let mut values: Vec<i64> = raked.collect();
        while values.len() > 1 {
            values = values.chunks(2).map(|pair| pair.iter().copied().reduce(op).expect("a pair")).collect();
        }
        values[0]
    };
    let total = |text: &str, xs: &[i64]| {
        let args = [Value::from(xs.to_vec())];
        let outcome = outcome(text, &[xs.len() as i64], &args, &RAKING).expect("it runs");
        outcome.results[0].clone()
    };
    let xs: Vec<i64> = (1..=4700).collect();
    // 32 threads with three points each make 49 stretches of up to 96 points.
    let striped = |xs: &[i64]| {
        let threads = xs.len().min(32);
        tree((0..threads).map(|t| xs.iter().skip(t).step_by(32).fold(0, |a, &b| op(a, b))).collect())
    };
    let stretches: Vec<i64> = xs.chunks(96).map(striped).collect();
    assert_eq!(total(&text("commutative"), &xs), Value::Scalar(striped(&stretches).into()));
    // Each thread takes three neighbours from a tile of 96 values, and two from one of the 49 values of the stretches.
    let in_tiles = |xs: &[i64], own: usize| {
        let threads = xs.chunks(own).map(|own| own.iter().copied().reduce(op).expect("a value"));
        op(0, tree(threads.collect()))
    };
    let stretches: Vec<i64> = xs.chunks(96).map(|stretch| in_tiles(stretch, 3)).collect();
    assert_eq!(total(&text(""), &xs), Value::Scalar(in_tiles(&stretches, 2).into()));
}

/// Sums of the rows of a matrix, one thread a row, where the matrix is row-major or column-major.
fn row_sums(strides: &str) -> Counts {
    let text = format!(
        "entry \"main\" [n, m] (\"xs\" xs_: block f32 [n, m]) -> ([]f32) {{
  view xs: f32 [n, m] = xs_ + 0i64 * [{strides}]
  alloc ys_: block f32 = n
  view ys: f32 [n] = ys_ + 0i64 * [1i64]
  segment map \"map\" (i < n) chunk 1i64 {{
    loop (s: f32 = 0f32) for j: i64 < m {{ load x: f32 = xs[i, j]  let t: f32 = add(s, x)  yield t }} -> (r: f32)
    store ys[i] = r
  }}
  yield n, ys_
}}"
    );
    let (n, m) = (64, 64);
    let xs = Value::array(&[n, m], vec![1f32; n * m]).expect("as many elements");
    let outcome = outcome(&text, &[n as i64, m as i64], &[xs], &DEVICES[2]).expect("it runs");
    assert_eq!(outcome.results[0].elements::<f32>(), Some(&[64f32; 64][..]));
    outcome.segments[0].counts
}

/// One thread a row of a row-major matrix moves a 32-byte sector for each 4-byte element. Measured gains from a
/// transposed layout are 5 to 28 times (Oancea et al., "Financial Software on GPUs: Between Haskell and Fortran",
/// FHPC 2012). They also depend on caches and on larger units of transfer, which the model omits.
#[test]
fn coalesced_rows_move_an_eighth_of_the_sectors() {
    let (rows, columns) = (row_sums("m, 1i64"), row_sums("1i64, n"));
    assert_eq!(rows.distinct_sectors, columns.distinct_sectors);
    assert_eq!((rows.bytes, rows.sectors), (64 * 65 * 4, 64 * 64 + 8));
    assert_eq!((columns.bytes, columns.sectors), (rows.bytes, 64 * 64 / 8 + 8));
}

#[test]
fn a_bound_names_its_dominant_term() {
    let a100 = Device::named("a100").expect("it is known");
    let limit = |counts: Counts| a100.bound(&counts).limit;
    let launches = Counts { launches: 1, ..Counts::default() };
    assert_eq!(limit(launches), Limit::Launch);
    assert_eq!(limit(Counts { slots: 1 << 40, ..launches }), Limit::Lanes);
    assert_eq!(limit(Counts { longest: 1 << 30, slots: 1 << 35, ..launches }), Limit::Thread);
    let memory = Counts { distinct_sectors: 1 << 30, sectors: 1 << 33, ..launches };
    assert_eq!(limit(memory), Limit::Memory);
    let bound = a100.bound(&memory);
    assert!(bound.without_cache > 7.9 * bound.seconds, "{bound:?}");
}

#[test]
fn operations_on_f64_take_more_slots_or_are_refused() {
    let text = "entry \"main\" [n] () -> ([]f64) {
  alloc ys_: block f64 = n
  view ys: f64 [n] = ys_ + 0i64 * [1i64]
  segment map (i < n) chunk 1i64 {
    let y: f64 = add(1f64, 2f64)
    store ys[i] = y
  }
  yield n, ys_
}";
    let run = |device: &str| outcome(text, &[32], &[], Device::named(device).expect("it is known"));
    let counts = |device: &str| run(device).expect("it runs").segments[0].counts;
    assert_eq!((counts("a100").issued, counts("a100").slots), (64, 32 * 3));
    assert_eq!((counts("rtx3080").issued, counts("rtx3080").slots), (64, 32 * 65));
    assert_eq!(run("iris-xe"), Err(ravel_abi::DeviceLimitation::NoF64.failure()));
}

#[test]
fn a_launch_with_too_many_points_is_refused() {
    let text = "entry \"main\" [n, m] () -> (i64) {
  segment map (i < n, j < m) chunk 1i64 {
  }
  yield n
}";
    let run =
        |n: i64, m: i64| outcome(text, &[n, m], &[], &SMALL).map(|outcome| outcome.segments[0].counts.points);
    let too_large = Err(ravel_abi::DeviceLimitation::LargeOperation.failure());
    assert_eq!(run(1 << 62, 8), too_large);
    assert_eq!(run(1 << 40, 1), too_large);
    assert_eq!(run(1 << 62, 0), Ok(0));
    assert_eq!(run(3, 5), Ok(15));
}

#[test]
fn copies_of_arrays_without_elements_may_have_huge_sizes() {
    let text = "entry \"main\" [n, m] () -> (i64) {
  alloc xs_: block i32 = 0i64
  view xs: i32 [n, n, m] = xs_ + 0i64 * [0i64, 0i64, 0i64]
  alloc ys_: block i32 = 0i64
  view ys: i32 [n, n, m] = ys_ + 0i64 * [0i64, 0i64, 0i64]
  segment map (i < 1i64) chunk 1i64 {
    copy ys = xs
  }
  yield n
}";
    assert!(outcome(text, &[1 << 62, 0], &[], &SMALL).is_ok());
}

#[test]
fn copies_of_the_host_are_launches() {
    let text = "entry \"main\" [n] (\"xs\" xs_: block f32 [n]) -> ([]f32) {
  view xs: f32 [n] = xs_ + 0i64 * [1i64]
  alloc ys_: block f32 = n
  view ys: f32 [n] = ys_ + 0i64 * [1i64]
  loop () for k: i64 < 2i64 {
    copy ys = xs
  } -> ()
  yield n, ys_
}";
    let copies = |n: i64| {
        let xs = vec![1f32; n as usize];
        let segments = outcome(text, &[n], &[xs.into()], &SMALL).expect("it runs").segments;
        assert_eq!((segments.len(), segments[0].name.as_str()), (1, "copy"));
        segments[0].counts
    };
    assert_eq!(copies(0), Counts::default());
    let (bytes, sectors) = (2 * 16 * 8, 2 * 8);
    let expected = Counts {
        launches: 2,
        points: 32,
        bytes,
        sectors,
        needed_sectors: sectors,
        distinct_sectors: 8,
        ..Counts::default()
    };
    assert_eq!(copies(16), expected);
}

#[test]
fn versions_count_how_often_each_was_chosen() {
    let text = "entry \"main\" [n] () -> (i64) {
  loop () for k: i64 < n {
    let few: bool = lt(k, 2i64)
    choose \"main.0\" \"full\" if few else \"outer\"
  } -> ()
  yield n
}";
    let versions = outcome(text, &[5], &[], &SMALL).expect("it runs").versions;
    assert_eq!(versions.iter().map(|chosen| chosen.counts).collect::<Vec<_>>(), [[2, 3]]);
}

#[test]
fn every_device_states_the_figures_of_its_bounds() {
    for device in DEVICES {
        let hardware = &device.target.hardware;
        let figures = [hardware.cores, hardware.lanes, hardware.memory_bytes];
        assert!(
            figures.iter().all(|figure| figure.is_some_and(|figure| figure > 0)),
            "{}",
            device.target.name
        );
        assert_eq!(Device::named(device.target.name), Some(device));
    }
}
