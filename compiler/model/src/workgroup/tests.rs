//! Tests on kernel programs with workgroups written by hand: results, counts, and the errors that the model detects.

use ravel_abi::{Failure, Value};
use ravel_kernel::{MemProgram, Target, parse};

use crate::device::{DEVICES, Device};
use crate::tests::{SMALL, outcome};
use crate::{Counts, Outcome};

/// A program with a workgroup for each row of `xs`, of type `[n][m]i64`; the workgroup stores into the row of `ys`. Its
/// workgroup memory is `a` and `b`, of 16 elements each, with the views `as` and `bs` of size m, and `s` of one
/// element.
fn blocks(stms: &str) -> String {
    format!(
        "message0 at 0:3..7 = \"uniform \", i64
message1 at 0:3..7 = \"no \", i64
entry \"main\" [n, m] (\"xs\" xs_: block i64 [n, m]) -> ([][]i64) {{
  view xs: i64 [n, m] = xs_ + 0i64 * [m, 1i64]
  let nm: i64 = mul(n, m)
  alloc ys_: block i64 = nm
  view ys: i64 [n, m] = ys_ + 0i64 * [m, 1i64]
  segment blocks \"map\" (i < n) chunk 1i64 {{
    alloc a: workgroup i64 = 16i64
    view as: i64 [m] = a + 0i64 * [1i64]
    alloc b: workgroup i64 = 16i64
    view bs: i64 [m] = b + 0i64 * [1i64]
    alloc s_: workgroup i64 = 1i64
    view s: i64 [] = s_ + 0i64 * []
    {stms}
  }}
  yield n, m, ys_
}}"
    )
}

/// Runs the program of [`blocks`] on a matrix of the numbers 1, 2, 3, ….
fn run_blocks(stms: &str, n: usize, m: usize) -> Result<Outcome, Failure> {
    let xs = Value::array(&[n, m], (1..=(n * m) as i64).collect()).expect("as many elements");
    outcome(&blocks(stms), &[n as i64, m as i64], &[xs], &SMALL)
}

fn ys(stms: &str, n: usize, m: usize) -> Vec<i64> {
    let outcome = run_blocks(stms, n, m).unwrap_or_else(|failure| panic!("{failure}\n{stms}"));
    outcome.results[0].elements::<i64>().expect("numbers").to_vec()
}

fn bug(stms: &str) -> String {
    match run_blocks(stms, 2, 8) {
        Err(Failure::Bug(message)) => message,
        other => panic!("{other:?}"),
    }
}

/// Why the verifier refuses the program of [`blocks`].
fn refused(stms: &str) -> String {
    let program = parse(&blocks(stms)).unwrap_or_else(|error| panic!("{error}\n{stms}"));
    MemProgram::verify(program, &Target::GPU).expect_err("a race").to_string()
}

/// Copies the row to `as`.
const FETCH: &str = "segment map (k < m) { load x: i64 = xs[i, k]  store as[k] = x }";

/// An operator that does not commute: it writes the digits of the second number after those of the first. An operand is a
/// pair of a number and 10 to the power of its number of digits.
const DIGITS: &str = "combine (d: i64, p: i64) (e: i64, q: i64) neutral (0i64, 1i64)";
const DIGITS_BODY: &str =
    "{ let f: i64 = mul(d, q) let g: i64 = add(f, e) let r: i64 = mul(p, q) yield g, r }";

#[test]
fn rows_are_reduced_and_scanned_in_order() {
    let stms = format!(
        "{FETCH}
         alloc t_: workgroup i64 = 1i64
         view t: i64 [] = t_ + 0i64 * []
         segment reduce (k1 < m) {{ load y: i64 = as[k1] let z: i64 = mod(y, 10i64) yield z, 10i64 }} {DIGITS} into (s, t) {DIGITS_BODY}
         load last: i64 = s[]
         segment scan (k2 < m) {{ load y2: i64 = as[k2] yield y2 }} combine (u: i64) (v: i64) neutral (0i64) into (bs) {{ let w: i64 = add(u, v) yield w }}
         segment map (k3 < m) {{ load y3: i64 = bs[k3] let z3: i64 = add(y3, last) store ys[i, k3] = z3 }}"
    );
    for m in [0, 1, 7, 8, 9, 15, 16] {
        let mut expected = Vec::new();
        for row in 0..3i64 {
            let xs: Vec<i64> = (1..=m).map(|k| row * m + k).collect();
            let last = xs.iter().fold(0, |digits, x| digits * 10 + x % 10);
            expected.extend(xs.iter().scan(0, |sum, x| {
                *sum += x;
                Some(*sum + last)
            }));
        }
        assert_eq!(ys(&stms, 3, m as usize), expected, "{m} elements");
    }
}

#[test]
fn reductions_go_along_the_innermost_dimension() {
    let program = |inner: &str| {
        format!(
            "view rows: i64 [m, {inner}] = a + 0i64 * [{inner}, 1i64]
             segment map (o < m, p < {inner}) {{ let x: i64 = add(o, p) store rows[o, p] = x }}
             segment reduce (o1 < m, p1 < {inner}) {{ load y: i64 = rows[o1, p1] yield y }}
             combine (u: i64) (v: i64) neutral (100i64) into (bs) {{ let w: i64 = add(u, v) yield w }}
             segment scan (o2 < m, p2 < {inner}) {{ load y2: i64 = rows[o2, p2] yield y2 }}
             combine (u2: i64) (v2: i64) neutral (0i64) into (rows2) {{ let w2: i64 = add(u2, v2) yield w2 }}
             segment map (k < m) {{ load z: i64 = bs[k] store ys[i, k] = z }}"
        )
        .replace("segment scan", &format!("alloc c: workgroup i64 = 16i64 view rows2: i64 [m, {inner}] = c + 0i64 * [{inner}, 1i64] segment scan"))
    };
    assert_eq!(ys(&program("3i64"), 2, 5), [103, 106, 109, 112, 115, 103, 106, 109, 112, 115]);
    assert_eq!(ys(&program("0i64"), 1, 5), [100; 5]);
}

#[test]
fn loops_and_branches_of_blocks_are_uniform() {
    // Each iteration adds the left neighbour. The first element of the row is the number of iterations.
    let stms = format!(
        "{FETCH}
         load rounds: i64 = as[0i64]
         loop () for r: i64 < rounds {{
           segment map (k1 < m) {{
             let l: i64 = sub(k1, 1i64) let j: i64 = max(l, 0i64)
             load x1: i64 = as[j] load y1: i64 = as[k1] let z1: i64 = add(x1, y1) store bs[k1] = z1
           }}
           segment map (k2 < m) {{ load x2: i64 = bs[k2] store as[k2] = x2 }}
         }}
         let first: bool = eq(i, 0i64)
         if first {{ segment map (k3 < m) {{ load x3: i64 = as[k3] store ys[i, k3] = x3 }} }}
         else {{ segment map (k4 < m) {{ store ys[i, k4] = rounds }} }}"
    );
    assert_eq!(ys(&stms, 2, 3), [2, 3, 5, 4, 4, 4]);
    let barriers = |n| run_blocks(&stms, n, 3).expect("it runs").segments[0].counts.barriers;
    // Before and after the load, and before every later segment.
    assert_eq!([barriers(1), barriers(2)], [2 + 2 + 1, (2 + 2 + 1) + (2 + 2 * 4 + 1)]);
}

/// The verifier refuses a read of an element that the thread has not stored, or that two threads store.
#[test]
fn threads_without_a_barrier_between_race() {
    let reverse = |meet: &str, own: &str, k: &str| {
        format!(
            "segment map (k < m) {{
               store as[k] = k
               {meet}
               let l: i64 = sub(m, {k}) let r: i64 = sub(l, 1i64)
               {own}
               load x: i64 = as[r] store ys[i, {k}] = x
             }}"
        )
    };
    assert_eq!(ys(&reverse("} segment map (k1 < m) {", "", "k1"), 1, 8), [7, 6, 5, 4, 3, 2, 1, 0]);
    let race = refused(&reverse("", "store as[r] = r", "k"));
    assert!(race.contains("read where another thread of the segment may store"), "{race}");
}

/// As in a `scatter` with equal indices.
#[test]
fn threads_may_store_different_values_to_an_element() {
    let stored = |value: &str, read: &str| {
        format!(
            "segment map (k < m) {{ store s[] = {value} {read} }}
             segment map (k1 < m) {{ load z: i64 = s[] store ys[i, k1] = z }}"
        )
    };
    assert_eq!(ys(&stored("5i64", ""), 1, 2), [5, 5]);
    let kept = ys(&stored("k", ""), 1, 9);
    assert!((0..9).any(|value| kept == [value; 9]), "{kept:?}");
    // A thread that reads the element may get the value of another thread.
    let race = refused(&stored("k", "load x: i64 = s[] store as[k] = x"));
    assert!(race.contains("read where another thread of the segment may store"), "{race}");
}

#[test]
fn a_block_may_not_read_stores_of_other_blocks() {
    let stms = "segment map (k < m) { store ys[i, k] = k }
        let next: i64 = sub(1i64, i)
        segment map (k1 < m) { load x: i64 = ys[next, k1] store as[k1] = x }";
    assert!(
        bug(stms).contains("another point of its segment has written") || bug(stms).contains("never written")
    );
    let other = "let next: i64 = sub(1i64, i) segment map (k < m) { store ys[i, k] = k store ys[next, k] = k load x: i64 = ys[next, k] store as[k] = x }";
    assert!(bug(other).contains("that another point of its segment"), "{}", bug(other));
}

#[test]
fn workgroup_memory_is_fresh_for_each_block() {
    let read = "segment map (k < m) { load x: i64 = as[k] store ys[i, k] = x }";
    assert!(bug(read).contains("never written"));
    let uniform = format!("load x: i64 = s[] {read}")
        .replace("load x: i64 = as[k]", "let x1: i64 = 1i64")
        .replace("= x }", "= x1 }");
    assert!(bug(&uniform).contains("never written"));
    // The last workgroup runs first.
    let once = format!(
        "let last: bool = eq(i, 1i64) if last {{ segment map (j < m) {{ store as[j] = j }} }} else {{ }} {read}"
    );
    assert!(bug(&once).contains("never written"));
    let beyond = "segment map (k < m) { let j: i64 = add(k, 1i64) store as[j] = j }";
    assert!(bug(beyond).contains("out of bounds"));
}

#[test]
fn a_block_stops_after_the_segment_that_fails_first() {
    let stms = "segment map (k < m) {
          load x: i64 = xs[i, k] let fine: bool = lt(x, 6i64) assert fine message1(x) store as[k] = x
        }
        segment map (k1 < m) { load y: i64 = as[k1] let no: bool = lt(y, 0i64) assert no message1(y) store ys[i, k1] = y }";
    let failure = |stms: &str, n, m| run_blocks(stms, n, m).expect_err("it fails").to_string();
    // The second workgroup fails at 6; the first one only in its second segment, at 1.
    assert!(failure(stms, 2, 4).contains("no 1"), "{}", failure(stms, 2, 4));
    // In one workgroup the failure of the first segment is reported, although the second one would fail at a smaller index.
    assert!(failure(stms, 1, 9).contains("no 6"), "{}", failure(stms, 1, 9));
    let uniform =
        "let fine: bool = lt(i, 1i64) assert fine message0(i) segment map (k < m) { store ys[i, k] = k }";
    assert!(failure(uniform, 3, 2).contains("uniform 1"), "{}", failure(uniform, 3, 2));
    let operator = "segment reduce (k < m) { yield k } combine (u: i64) (v: i64) neutral (0i64) into (s) {
          let fine: bool = lt(v, 3i64) assert fine message1(v) yield v
        }
        load total: i64 = s[]
        segment map (k1 < m) { store ys[i, k1] = total }";
    assert!(failure(operator, 2, 8).contains("no 3"), "{}", failure(operator, 2, 8));
    assert_eq!(ys(operator, 1, 3), [2, 2, 2]);
}

/// The counts of a workgroup of 32 lanes in which each lane stores a word.
fn stores(elem: &str, stride: i64) -> Counts {
    let text = format!(
        "entry \"main\" [n] () -> () {{
  segment blocks (i < 1i64) chunk 1i64 {{
    alloc a: workgroup {elem} = 1024i64
    view as: {elem} [n] = a + 0i64 * [{stride}i64]
    segment map (k < n) {{ store as[k] = 1{elem} }}
  }}
}}"
    );
    let device = Device { target: &Target { workgroup: 32, ..Target::A100 }, ..DEVICES[2] };
    outcome(&text, &[32], &[], &device).expect("it runs").segments[0].counts
}

#[test]
fn words_from_one_bank_are_conflicts() {
    let conflicts = |elem: &str, stride: i64| {
        let counts = stores(elem, stride);
        (counts.workgroup_words, counts.bank_conflicts, counts.longest)
    };
    assert_eq!(conflicts("f32", 1), (32, 0, 1));
    assert_eq!(conflicts("f32", 2), (32, 1, 2));
    assert_eq!(conflicts("f32", 32), (32, 31, 32));
    assert_eq!(conflicts("f32", 0), (32, 0, 1));
    // Two words for each lane, so each bank gives two words, which is the minimum.
    assert_eq!(conflicts("f64", 1), (64, 0, 1));
    assert_eq!(conflicts("i8", 1), (32, 0, 1));
    let counts = stores("f32", 1);
    assert_eq!((counts.bytes, counts.sectors, counts.barriers, counts.points), (0, 0, 0, 1));
}

/// Each of the eight threads loads the element, those of a subgroup of four at the same time.
#[test]
fn all_threads_of_a_block_load_its_scalars() {
    let counts = |stms: &str| run_blocks(stms, 1, 8).expect("it runs").segments[0].counts;
    let difference = |with: &str, without: &str| {
        let (with, without) = (counts(with), counts(without));
        let [bytes, sectors, needed, words, barriers, issued] = [
            with.bytes - without.bytes,
            with.sectors - without.sectors,
            with.needed_sectors - without.needed_sectors,
            with.workgroup_words - without.workgroup_words,
            with.barriers - without.barriers,
            with.issued - without.issued,
        ];
        [bytes, sectors, needed, words, barriers, issued]
    };
    let fill = "segment map (k < m) { store ys[i, k] = 1i64 }";
    // From an array that the segment does not store to.
    assert_eq!(difference(&format!("load x: i64 = xs[i, 2i64] {fill}"), fill), [64, 2, 2, 0, 0, 8]);
    // From workgroup memory: a barrier before and after the load. The next segment needs none.
    let local = "segment map (k1 < m) { store as[k1] = k1 }";
    let load = format!("{local} load x: i64 = as[2i64] {fill}");
    assert_eq!(difference(&load, &format!("{local} {fill}")), [0, 0, 0, 16, 2 - 1, 8]);
    // From an array that the segment stores to: barriers for both kinds of memory. The first thread loads the element and
    // stores it to workgroup memory, from where all threads load it.
    let load = format!("{fill} load x: i64 = ys[i, 2i64]");
    assert_eq!(difference(&load, fill), [8, 1, 1, 2 + 16, 2 + 2, 4 + 4 + 8]);
}

#[test]
fn the_code_of_a_block_counts_for_all_its_threads() {
    let counts = |stms: &str| run_blocks(stms, 1, 8).expect("it runs").segments[0].counts;
    let empty = counts("segment map (k < m) { store ys[i, k] = 1i64 }");
    let more = counts("let j: i64 = add(i, 1i64) segment map (k < m) { store ys[i, k] = 1i64 }");
    assert_eq!(
        (more.issued - empty.issued, more.useful - empty.useful, more.longest - empty.longest),
        (8, 8, 1)
    );
}

/// A bank combines one value at a time: 4 lanes that combine into one element wait for each other.
#[test]
fn threads_combine_into_one_element_one_after_the_other() {
    let stms = |at: &str, op: &str| {
        format!(
            "alloc c: workgroup i32 = 16i64
             view cs: i32 [16i64] = c + 0i64 * [1i64]
             segment map (k < m) {{ store cs[k] = 5i32 }}
             segment map \"combine\" (k1 < m) {{
               let j: i64 = {at}(k1, 0i64) let x: i32 = i32(k1) combine {op} cs[j] = x
             }}
             segment map (k2 < m) {{ load y: i32 = cs[k2] let z: i64 = i64(y) store ys[i, k2] = z }}"
        )
    };
    let first = |op: &str| ys(&stms("mul", op), 1, 8)[..2].to_vec();
    assert_eq!(first("add"), [5 + 28, 5]);
    assert_eq!(first("min"), [0, 5]);
    assert_eq!(first("max"), [7, 5]);
    assert_eq!(first("and"), [0, 5]);
    assert_eq!(first("or"), [7, 5]);
    assert_eq!(first("xor"), [5, 5]);
    let counts = |at: &str| {
        let segment = run_blocks(&stms(at, "add"), 1, 8).expect("it runs").segments.remove(0);
        let combine = segment.inner.iter().find(|inner| inner.name == "combine").expect("the segment").counts;
        (combine.workgroup_words, combine.bank_conflicts, combine.slots)
    };
    // Three operations of two subgroups of 4 lanes each, and 4 lanes wait for 3 conflicts in each subgroup.
    assert_eq!(counts("add"), (8, 0, 3 * 8));
    assert_eq!(counts("mul"), (8, 6, 3 * 8 + 6 * 4));
    let wide = |text: String| {
        let text = text.replace("workgroup i32", "workgroup i64").replace("cs: i32", "cs: i64");
        let text = text.replace("5i32", "5i64").replace("x: i32 = i32(k1)", "x: i64 = mul(k1, 1i64)");
        text.replace("y: i32", "y: i64").replace("z: i64 = i64(y)", "z: i64 = mul(y, 1i64)")
    };
    assert_eq!(ys(&wide(stms("mul", "xor")), 1, 8)[..2], [5, 5]);
    let segment = run_blocks(&wide(stms("mul", "add")), 1, 8).expect("it runs").segments.remove(0);
    let combine = segment.inner.iter().find(|inner| inner.name == "combine").expect("the segment").counts;
    assert_eq!((combine.workgroup_words, combine.bank_conflicts), (2 * 8, 2 * 6));
    let unwritten = stms("add", "add").replace("store cs[k] = 5i32", "");
    assert!(
        bug(&unwritten).contains("combined into an element that was never written"),
        "{}",
        bug(&unwritten)
    );
}
