//! Tests on reductions and scans of workgroups: the order of combination, and counts that were determined by hand from the
//! shader.

use ravel_abi::Value;
use ravel_kernel::Target;

use crate::Counts;
use crate::device::{DEVICES, Device};
use crate::tests::outcome;

/// A device with workgroups of 256 threads, in subgroups of 32.
const DEVICE: Device = DEVICES[2];

/// The same, where threads exchange values in workgroup memory only.
const WITHOUT_SHUFFLES: Device = Device { shuffles: false, ..DEVICE };

/// The operator `3 a + b`, which is not associative, so results show the order of combination.
const ORDERED: &str = "{ let s: i32 = mul(a, 3i32) let c: i32 = add(s, b) yield c }";
const SUM: &str = "{ let c: i32 = add(a, b) yield c }";

/// A program in which one workgroup combines the rows of `xs` and stores the results to `ys`.
fn combine(kind: &str, operator: &str) -> String {
    let (out, size) = if kind == "reduce" { ("[n]", "[1i64]") } else { ("[n, m]", "[m, 1i64]") };
    format!(
        "message0 at 0:3..7 = \"no \", i64
entry \"main\" [n, m] (\"xs\" xs_: block i32 [n, m]) -> ([]i32) {{
  view xs: i32 [n, m] = xs_ + 0i64 * [m, 1i64]
  let nm: i64 = mul(n, m)
  let count: i64 = max(nm, n)
  alloc ys_: block i32 = count
  view ys: i32 {out} = ys_ + 0i64 * {size}
  segment blocks (g < 1i64) chunk 1i64 {{
    segment {kind} (i < n, k < m) {{
      load x: i32 = xs[i, k]
      yield x
    }} combine (a: i32) (b: i32) neutral (0i32) into (ys) {operator}
  }}
  yield {results}, ys_
}}",
        results = if kind == "reduce" { "n" } else { "nm" }
    )
    .replace("= count", if kind == "reduce" { "= n" } else { "= nm" })
}

/// The program for rows of one size, so that threads hold their values if they take few points.
fn of_size(text: &str, n: usize, m: usize) -> String {
    text.replace("(i < n, k < m)", &format!("(i < {n}i64, k < {m}i64)"))
}

fn run(text: &str, n: usize, m: usize, device: &Device) -> (Vec<i32>, Counts) {
    let xs: Vec<i32> = (0..n * m).map(|x| (x * 37 % 199) as i32 - 80).collect();
    let xs = Value::array(&[n, m], xs).expect("as many elements");
    let outcome = outcome(text, &[n as i64, m as i64], &[xs], device).expect("it runs");
    let results = outcome.results[0].elements::<i32>().expect("numbers").to_vec();
    (results, outcome.segments[0].inner[0].counts)
}

fn apply(a: i32, b: i32) -> i32 {
    a.wrapping_mul(3).wrapping_add(b)
}

/// The values of neighbours, then those of neighbouring pairs, and so on.
fn tree(mut values: Vec<i32>) -> i32 {
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| pair.iter().copied().reduce(apply).expect("a pair")).collect();
    }
    values.first().copied().unwrap_or(0)
}

/// The number of threads of a workgroup of 256 that combine a row.
fn team(rows: usize, n: usize) -> usize {
    let mut team = 1;
    while team < 256 && team < n && rows * 2 * team <= 256 {
        team *= 2;
    }
    team
}

const SIZES: [(usize, usize); 16] = [
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 31),
    (1, 255),
    (1, 257),
    (1, 2048),
    (1, 512),
    (1, 700),
    (1, 1000),
    (7, 40),
    (128, 7),
    (3, 100),
    (16, 100),
    (300, 5),
    (129, 40),
];

#[test]
fn teams_combine_rows_in_the_order_of_the_shader() {
    for device in [DEVICE, WITHOUT_SHUFFLES] {
        for (rows, n) in SIZES {
            let xs: Vec<i32> = (0..rows * n).map(|x| (x * 37 % 199) as i32 - 80).collect();
            let team = team(rows, n);
            let chunk = n.div_ceil(team).max(1);
            let fold = |xs: &mut dyn Iterator<Item = i32>| xs.fold(0, apply);
            let rows_of = |combine: &dyn Fn(&[i32]) -> Vec<i32>| -> Vec<i32> {
                (0..rows).flat_map(|row| combine(&xs[row * n..(row + 1) * n])).collect()
            };
            let ordered = rows_of(&|row| {
                vec![tree(row.chunks(chunk).map(|own| fold(&mut own.iter().copied())).collect())]
            });
            assert_eq!(run(&combine("reduce", ORDERED), rows, n, &device).0, ordered, "{rows} x {n}");
            let strided = rows_of(&|row| {
                let own = |member: usize| fold(&mut row.iter().skip(member).step_by(team).copied());
                vec![tree((0..team.min(n)).map(own).collect())]
            });
            let text = combine("reduce", &format!("commutative {ORDERED}"));
            assert_eq!(run(&text, rows, n, &device).0, strided, "{rows} x {n}");
            let scanned = rows_of(&|row| {
                let sums: Vec<i32> = row.chunks(chunk).map(|own| fold(&mut own.iter().copied())).collect();
                let scan = |(member, own): (usize, &[i32])| -> Vec<i32> {
                    let start = if member > 0 { prefix(&sums[..member]) } else { 0 };
                    own.iter()
                        .scan(start, |sum, &x| {
                            Some({
                                *sum = apply(*sum, x);
                                *sum
                            })
                        })
                        .collect()
                };
                row.chunks(chunk).enumerate().flat_map(scan).collect()
            });
            assert_eq!(run(&combine("scan", ORDERED), rows, n, &device).0, scanned, "{rows} x {n}");
            let held = |kind: &str| run(&of_size(&combine(kind, ORDERED), rows, n), rows, n, &device).0;
            assert_eq!((held("reduce"), held("scan")), (ordered, scanned), "{rows} x {n}");
        }
    }
}

/// The combined value of threads in a scan: that of the largest aligned group of 2, 4, 8, … threads, then that of the rest.
fn prefix(sums: &[i32]) -> i32 {
    let group = 1 << sums.len().ilog2();
    match &sums[group..] {
        [] => tree(sums.to_vec()),
        rest => apply(tree(sums[..group].to_vec()), prefix(rest)),
    }
}

/// 256 threads take 8 neighbouring elements each, so each lane of a subgroup touches a sector of its own.
#[test]
fn a_scan_of_a_row_runs_its_points_twice() {
    let (_, counts) = run(&combine("scan", SUM), 1, 2048, &DEVICE);
    // In each of two walks, 8 subgroups load 8 times. In the second one they also store. The operations of a subgroup are a load
    // and an addition for each point, and in the second walk a store; then a shuffle and an addition in each of five steps;
    // a store of the sum, and a load of the sum before. In each of three steps, half of the subgroups load a sum, add it and
    // store their own.
    let [walks, shuffles, stored, steps, starts] = [8 * 2 + 8 * 3, 5 * 2, 1, 3, 1];
    let expected = Counts {
        launches: 1,
        points: 2048,
        issued: 32 * (8 * (walks + shuffles + stored + starts) + 3 * 4 * steps),
        // In a step, half of the lanes add. The first thread has no sum before it.
        useful: 256 * (walks + stored + starts) - 1 + 5 * (256 + 128) + 3 * 128 * steps,
        slots: 32 * (8 * (walks + shuffles + stored + starts) + 3 * 4 * steps),
        longest: walks + shuffles + stored + 3 * steps + starts,
        bytes: 3 * 4 * 2048,
        sectors: 3 * 8 * 8 * 32,
        needed_sectors: 3 * 8 * 8 * 4,
        workgroup_words: 256 + 3 * 2 * 128 + 255,
        // In each of three steps, and before the sums are loaded.
        barriers: 3 + 1,
        ..Counts::default()
    };
    assert_eq!(counts, expected);
    // Without shuffles, all eight steps go through workgroup memory. In the first five, half of the lanes of each subgroup add.
    let (_, counts) = run(&combine("scan", SUM), 1, 2048, &WITHOUT_SHUFFLES);
    let expected = Counts {
        issued: 32 * (8 * (walks + stored + starts + 5 * steps) + 3 * 4 * steps),
        useful: 256 * (walks + stored + starts) - 1 + 8 * 128 * steps,
        slots: 32 * (8 * (walks + stored + starts + 5 * steps) + 3 * 4 * steps),
        longest: walks + stored + 8 * steps + starts,
        workgroup_words: 256 + 8 * 2 * 128 + 255,
        barriers: 8 + 1,
        ..expected
    };
    assert_eq!(counts, expected);
}

/// Each thread takes two elements. The threads of a subgroup load 32 neighbouring ones at a time.
#[test]
fn a_scan_of_a_row_of_constant_size_runs_its_points_once() {
    let text = of_size(&combine("scan", SUM), 1, 512);
    let (_, counts) = run(&text, 1, 512, &DEVICE);
    // 8 subgroups load twice, shuffle four times and add twice; then the steps as above; then they add twice, shuffle four times
    // and store twice.
    let [hold, shuffles, stored, steps, starts, finish] = [2 + 4 + 2, 5 * 2, 1, 3, 1, 2 + 4 + 2];
    let expected = Counts {
        launches: 1,
        points: 512,
        issued: 32 * (8 * (hold + shuffles + stored + starts + finish) + 3 * 4 * steps),
        useful: 256 * (hold + stored + starts + finish) - 1 + 5 * (256 + 128) + 3 * 128 * steps,
        slots: 32 * (8 * (hold + shuffles + stored + starts + finish) + 3 * 4 * steps),
        longest: hold + shuffles + stored + 3 * steps + starts + finish,
        bytes: 2 * 4 * 512,
        sectors: 2 * 8 * 2 * 4,
        needed_sectors: 2 * 8 * 2 * 4,
        workgroup_words: 256 + 3 * 2 * 128 + 255,
        barriers: 3 + 1,
        ..Counts::default()
    };
    assert_eq!(counts, expected);
    // Without shuffles, each thread loads its own elements, one after the other.
    let (_, counts) = run(&text, 1, 512, &WITHOUT_SHUFFLES);
    assert_eq!(
        (counts.bytes, counts.sectors, counts.needed_sectors),
        (2 * 4 * 512, 2 * 8 * 2 * 8, 2 * 8 * 2 * 4)
    );
}

#[test]
fn a_reduction_takes_neighbouring_points_only_if_it_must() {
    let counts = |operator: &str| run(&combine("reduce", operator), 1, 2048, &DEVICE).1;
    let (ordered, strided) = (counts(SUM), counts(&format!("commutative {SUM}")));
    // One thread stores the result.
    assert_eq!((ordered.bytes, ordered.sectors, ordered.needed_sectors), (4 * 2049, 8 * 8 * 32 + 1, 257));
    assert_eq!((strided.bytes, strided.sectors, strided.needed_sectors), (4 * 2049, 257, 257));
    for counts in [ordered, strided] {
        // Each thread stores its sum. In three steps, 4, 2 and 1 threads load a sum and store their own.
        assert_eq!((counts.workgroup_words, counts.bank_conflicts, counts.barriers), (256 + 2 * 7, 0, 3));
        // Each subgroup loads and adds 8 times, shuffles and adds five times, and stores its sum. Then 4, 2 and 1 subgroups load,
        // add and store.
        assert_eq!(counts.issued, 32 * (8 * (8 * 2 + 5 * 2 + 1) + 7 * 3 + 1));
        assert_eq!(counts.longest, 8 * 2 + 5 * 2 + 1 + 3 * 3 + 1);
    }
}

#[test]
fn rows_for_all_threads_need_no_barriers() {
    // Each thread scans a row of 8 elements.
    let (_, counts) = run(&combine("scan", SUM), 256, 8, &DEVICE);
    let expected = Counts {
        launches: 1,
        points: 2048,
        issued: 2048 * 3,
        useful: 2048 * 3,
        slots: 2048 * 3,
        longest: 8 * 3,
        bytes: 2 * 4 * 2048,
        sectors: 2 * 8 * 8 * 32,
        needed_sectors: 2 * 8 * 8 * 4,
        ..Counts::default()
    };
    assert_eq!(counts, expected);
    // 44 threads reduce a second row each.
    let (_, counts) = run(&combine("reduce", SUM), 300, 5, &DEVICE);
    assert_eq!((counts.issued, counts.useful), (32 * (8 + 2) * (5 * 2 + 1), 300 * (5 * 2 + 1)));
    assert_eq!((counts.barriers, counts.workgroup_words), (0, 0));
}

/// Teams of 16 threads take 7 elements each, except for the last two.
#[test]
fn teams_share_a_subgroup() {
    let (_, counts) = run(&combine("scan", SUM), 16, 100, &DEVICE);
    // A load and an addition for each point, twice, and a store. In four steps, all threads shuffle, and half of the team add,
    // but the last thread has no points.
    assert_eq!(counts.useful, 1600 * 5 + 4 * 256 + 16 * (8 + 8 + 8 + 8 - 4) + 256 + 240);
    assert_eq!((counts.barriers, counts.workgroup_words), (1, 256 + 240));
}

/// Elements of a row that lie in workgroup memory: the threads of a subgroup access every eighth, which four banks hold.
#[test]
fn neighbouring_points_of_a_thread_conflict_in_workgroup_memory() {
    let text = combine("scan", SUM).replace("into (ys)", "into (as)").replace(
        "segment scan",
        "alloc as_: workgroup i32 = 2048i64 view as: i32 [n, m] = as_ + 0i64 * [m, 1i64] segment scan",
    );
    let text = text.replace(
        "  }\n  yield",
        "    segment map \"map\" (j < n, l < m) { load y: i32 = as[j, l] store ys[j, l] = y } }\n  yield",
    );
    let (_, counts) = run(&text, 1, 2048, &DEVICE);
    assert_eq!((counts.sectors, counts.bytes, counts.bank_conflicts), (4096, 16384, 8 * 8 * 7));
}

/// The values that the threads exchange must fit into the memory of a workgroup.
#[test]
fn a_workgroup_has_as_many_threads_as_its_memory_allows() {
    let target = Target { combined_bytes: Some(1024), ..Target::A100 };
    let device = Device { target: Box::leak(Box::new(target)), ..DEVICE };
    // 256 threads keep four bytes each.
    assert_eq!(run(&combine("scan", SUM), 1, 2048, &device).1.sectors, 3 * 2048);
    let target = Target { combined_bytes: Some(512), ..Target::A100 };
    let device = Device { target: Box::leak(Box::new(target)), ..DEVICE };
    // 128 threads take 16 elements each.
    let (_, counts) = run(&combine("scan", SUM), 1, 2048, &device);
    assert_eq!((counts.barriers, counts.workgroup_words), (2 + 1, 128 + 2 * 2 * 64 + 127));
}

/// After the points, and after each step, the threads test whether one has failed: a barrier before and after a load.
#[test]
fn tests_for_failures_are_barriers() {
    let failing =
        "{ let c: i32 = add(a, b) let some: bool = lt(c, 100000i32) assert some message0(1i64) yield c }";
    let barriers = |kind: &str, n, m| run(&combine(kind, failing), n, m, &DEVICE).1.barriers;
    assert_eq!(barriers("scan", 1, 2048), 2 + 5 * 2 + 3 * (1 + 2) + 1 + 2);
    assert_eq!(barriers("reduce", 1, 2048), 2 + 5 * 2 + 3 * (1 + 2));
    assert_eq!(barriers("scan", 300, 5), 2);
    // After the points, in the steps, before the sums are loaded, and before the scanned values are stored.
    let held = |kind: &str| run(&of_size(&combine(kind, failing), 1, 512), 1, 512, &DEVICE).1.barriers;
    assert_eq!(held("scan"), 2 + 5 * 2 + 3 * (1 + 2) + 1 + 2);
    assert_eq!(held("reduce"), 2 + 5 * 2 + 3 * (1 + 2));
}
