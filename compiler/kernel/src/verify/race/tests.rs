//! Inner segments whose threads race, and the same ones without the race.

use ravel_base::FileId;

use crate::parse;
use crate::target::Target;
use crate::verify::fault_in_text;

/// An entry point with this segment of a workgroup, whose views are of 64 elements in workgroup memory: `row`, the same
/// elements as `rows` of 8 rows and as `cols` of 8 columns, `back` in reverse order, `half` of every second one, `same`
/// with stride 0 and `windows` of 8 overlapping rows. `total` is a scalar, `counts` has 8 integers, `n` and `m` are numbers.
fn program(segment: &str) -> String {
    format!(
        r#"entry "main" [n, m] (xs: block f32 [n, m]) -> () {{
          segment blocks (g < n) chunk 1i64 {{
            alloc w: workgroup f32 = 64i64
            alloc s: workgroup f32 = 1i64
            view row: f32 [64i64] = w + 0i64 * [1i64]
            view rows: f32 [8i64, 8i64] = w + 0i64 * [8i64, 1i64]
            view cols: f32 [8i64, 8i64] = w + 0i64 * [1i64, 8i64]
            view back: f32 [64i64] = w + 63i64 * [-1i64]
            view half: f32 [32i64] = w + 0i64 * [2i64]
            view varying: f32 [8i64, m] = w + 0i64 * [m, 1i64]
            view unknown: f32 [8i64] = w + 0i64 * [m]
            view same: f32 [64i64] = w + 0i64 * [0i64]
            view windows: f32 [8i64, 8i64] = w + 0i64 * [4i64, 1i64]
            view total: f32 [] = s + 0i64 * []
            alloc cells: workgroup i32 = 8i64
            view counts: i32 [8i64] = cells + 0i64 * [1i64]
            {segment}
          }}
        }}"#
    )
}

/// The error of the verifier for a segment.
fn fault(segment: &str) -> Option<String> {
    fault_in_program(&program(segment), &Target::GPU)
}

fn fault_in_program(text: &str, target: &Target) -> Option<String> {
    parse(text).unwrap_or_else(|error| panic!("{error}"));
    fault_in_text(text, FileId(0), target).map(|fault| fault.message)
}

/// The error for a map over `k`, a number below 64, with this code.
fn fault_in_map(code: &str) -> Option<String> {
    fault(&format!("segment map (k < 64i64) {{ {code} }}"))
}

/// The error for a map over `i` and `j`, numbers below 8, with this code.
fn fault_in_map_2d(code: &str) -> Option<String> {
    fault(&format!("segment map (i < 8i64, j < 8i64) {{ {code} }}"))
}

fn race(array: &str) -> Option<String> {
    Some(format!("{array} is read where another thread of the segment may store"))
}

/// The error for a reduction over `k`, a number below 64, whose points run this code.
fn fault_in_reduction(code: &str) -> Option<String> {
    fault(&format!(
        "segment reduce (k < 64i64) {{ {code} yield 1.0f32 }} combine (a: f32) (b: f32) neutral (0.0f32) into (total) {{
           let c: f32 = add(a, b) yield c }}"
    ))
}

#[test]
fn a_thread_of_a_reduction_reads_only_what_it_has_stored() {
    let own = "store row[k] = 0.0f32";
    let load = "load y: f32 = row[k]";
    assert_eq!(fault_in_reduction(&format!("{own} {load}")), None);
    assert_eq!(fault_in_reduction(&format!("{load} {own}")), race("row"));
    // Stores in branches and loops.
    let branches = |then: &str, otherwise: &str| {
        let branch = format!("if low {{ {then} }} else {{ {otherwise} }}");
        fault_in_reduction(&format!("let low: bool = lt(k, 3i64) {branch} {load}"))
    };
    assert_eq!(branches(own, "store row[k] = 1.0f32"), None);
    assert_eq!(branches(own, ""), race("row"));
    assert_eq!(branches("", own), race("row"));
    assert_eq!(fault_in_reduction(&format!("loop () for j: i64 < n {{ {own} {load} }}")), None);
    assert_eq!(fault_in_reduction(&format!("loop () for j: i64 < n {{ {own} }} {load}")), race("row"));
    assert_eq!(fault_in_reduction(&format!("loop () for j: i64 < n {{ {load} {own} }}")), race("row"));
}

#[test]
fn a_thread_of_a_map_reads_its_own_elements() {
    let own = "store row[k] = 0.0f32";
    let load = "load y: f32 = row[k]";
    // Before its store and after it: an earlier segment may have stored the element.
    assert_eq!(fault_in_map(&format!("{own} {load}")), None);
    assert_eq!(fault_in_map(&format!("{load} {own}")), None);
    assert_eq!(fault_in_map(&format!("{load} if true {{ {own} }} else {{ }}")), None);
    assert_eq!(fault_in_map(&format!("loop () for j: i64 < n {{ {load} {own} }}")), None);
    // Another element, and the same memory through another view.
    assert_eq!(fault_in_map("load y: f32 = row[0i64] store row[k] = y"), race("row"));
    assert_eq!(fault_in_map(&format!("{own} let j: i64 = sub(k, 1i64) load y: f32 = row[j]")), race("row"));
    assert_eq!(fault_in_map(&format!("{own} load y: f32 = rows[0i64, k]")), race("rows"));
    assert_eq!(fault_in_map(&format!("{own} load y: f32 = back[k]")), race("back"));
    assert_eq!(fault_in_map_2d("load y: f32 = rows[j, i] store rows[i, j] = y"), race("rows"));
    assert_eq!(fault_in_map_2d("load y: f32 = rows[i, 0i64] store rows[i, j] = y"), race("rows"));
    // An index that two threads share.
    let half = "let q: i64 = quot(k, 2i64)";
    assert_eq!(fault_in_map(&format!("{half} load y: f32 = row[q] store row[k] = y")), race("row"));
    assert_eq!(fault_in_map(&format!("{half} load y: f32 = row[k] store row[q] = y")), race("row"));
    assert_eq!(fault_in_map(&format!("{half} load y: f32 = row[q] store row[q] = y")), race("row"));
    let round =
        |index: &str| fault_in_map(&format!("loop () for j: i64 < n {{ {load} store row[{index}] = y }}"));
    assert_eq!(["k", "j"].map(round), [None, race("row")]);
    // Elements of different indices that are one element.
    assert_eq!(fault_in_map("load y: f32 = same[k] store same[k] = y"), race("same"));
    assert_eq!(fault_in_map_2d("load y: f32 = windows[i, j] store windows[i, j] = y"), race("windows"));
    let own = |offset: &str| {
        let view = format!("view own: f32 [64i64] = w + {offset} * [1i64]");
        fault_in_map(&format!("{view} load y: f32 = own[k] store own[k] = y"))
    };
    assert_eq!(["g", "k"].map(own), [None, race("own")]);
    // A thread with a row of its own may read all its elements.
    let rows = |index: &str| {
        let code = format!("load y: f32 = rows[{index}, 7i64] store rows[i, 0i64] = y");
        fault(&format!("segment map (i < 8i64) {{ {code} }}"))
    };
    assert_eq!(["i", "0i64"].map(rows), [None, race("rows")]);
    let own = "store row[k] = 0.0f32";
    // A copy reads the elements of all threads.
    assert_eq!(fault_in_map("copy row = row"), race("row"));
    assert_eq!(fault_in_map(&format!("{own} copy same = row")), race("row"));
}

#[test]
fn no_other_thread_stores_what_a_thread_reads() {
    // Each thread stores to its own element and to another one, before or after the load, or in a branch.
    let mirror = "let r: i64 = sub(63i64, k)";
    let [own, other] = ["store row[k] = 0.0f32", "store row[r] = 1.0f32"];
    assert_eq!(fault_in_map(&format!("{mirror} {own} {other} load y: f32 = row[r]")), race("row"));
    assert_eq!(fault_in_map(&format!("{mirror} {own} {other} load y: f32 = row[k]")), race("row"));
    assert_eq!(fault_in_map(&format!("{mirror} {own} load y: f32 = row[k] {other}")), race("row"));
    let branch = format!("if true {{ {other} }} else {{ }}");
    assert_eq!(fault_in_map(&format!("{mirror} {own} load y: f32 = row[k] {branch}")), race("row"));
    let round = format!("loop () for j: i64 < n {{ {other} }}");
    assert_eq!(fault_in_map(&format!("{mirror} {own} load y: f32 = row[k] {round}")), race("row"));
    assert_eq!(fault_in_map(&format!("{own} load y: f32 = row[k] copy rows = cols")), race("row"));
    assert_eq!(fault_in_map(&format!("{own} load y: f32 = row[k] store back[k] = y")), race("row"));
    // All stores are alike, but not at the counter of the thread.
    assert_eq!(fault_in_map("store row[0i64] = 0.0f32 load y: f32 = row[0i64]"), race("row"));
    assert_eq!(fault_in_map("store row[g] = 0.0f32 load y: f32 = row[g]"), race("row"));
    assert_eq!(fault_in_map("store total[] = 0.0f32 load y: f32 = total[]"), race("total"));
    let half = "let q: i64 = quot(k, 2i64) store row[q] = 0.0f32 load y: f32 = row[q]";
    assert_eq!(fault_in_map(half), race("row"));
    // Stores that nobody reads may be at any indices.
    assert_eq!(fault_in_map("store row[0i64] = 0.0f32"), None);
    assert_eq!(fault_in_map(&format!("{mirror} {own} {other}")), None);
}

#[test]
fn every_counter_is_an_index_of_each_store() {
    let at = |array: &str, indices: &str| {
        fault_in_map_2d(&format!("store {array}[{indices}] = 0.0f32 load y: f32 = {array}[{indices}]"))
    };
    assert_eq!(at("rows", "i, j"), None);
    assert_eq!(at("rows", "j, i"), None);
    assert_eq!(at("rows", "i, i"), race("rows"));
    assert_eq!(at("rows", "0i64, j"), race("rows"));
    assert_eq!(at("row", "j"), race("row"));
    // The counters are in other dimensions in another store.
    let twice = "store rows[i, j] = 0.0f32 store rows[j, i] = 1.0f32 load y: f32 = rows[i, j]";
    assert_eq!(fault_in_map_2d(twice), race("rows"));
    // A thread has a row of its own, and stores to several elements of it.
    let row = |first: &str| {
        let code = format!(
            "store rows[i, 0i64] = 0.0f32 store rows[{first}, 1i64] = 1.0f32 load y: f32 = rows[i, 0i64]"
        );
        fault(&format!("segment map (i < 8i64) {{ {code} }}"))
    };
    assert_eq!(row("i"), None);
    assert_eq!(row("7i64"), race("rows"));
    // A dimension with one point has one counter.
    let thin = "segment map (i < 1i64, j < 8i64) { store row[j] = 0.0f32 load y: f32 = row[j] }";
    assert_eq!(fault(thin), None);
    assert_eq!(fault(&thin.replace("1i64", "m")), race("row"));
}

#[test]
fn different_indices_are_different_elements() {
    let one = |array: &str| fault_in_map(&format!("store {array}[k] = 0.0f32 load y: f32 = {array}[k]"));
    assert_eq!(["row", "back", "half"].map(one), [None, None, None]);
    assert_eq!(one("same"), race("same"));
    assert_eq!(one("unknown"), race("unknown"));
    let two =
        |array: &str| fault_in_map_2d(&format!("store {array}[i, j] = 0.0f32 load y: f32 = {array}[i, j]"));
    assert_eq!(["rows", "cols", "varying"].map(two), [None, None, None]);
    assert_eq!(two("windows"), race("windows"));
    // The view of a thread may differ from those of others.
    let own = |offset: &str| {
        let view = format!("view own: f32 [64i64] = w + {offset} * [1i64]");
        fault_in_map(&format!("{view} store own[k] = 0.0f32 load y: f32 = own[k]"))
    };
    assert_eq!(own("0i64"), None);
    assert_eq!(own("g"), None);
    assert_eq!(own("k"), race("own"));
    // Two names of one view, and two views of one block.
    let other = |strides: &str| {
        let view = format!("view other: f32 [64i64] = w + 0i64 * [{strides}]");
        fault_in_map(&format!("{view} store other[k] = 1.0f32 store row[k] = 0.0f32 load y: f32 = row[k]"))
    };
    assert_eq!(other("1i64"), None);
    assert_eq!(other("2i64"), race("row"));
}

#[test]
fn results_are_stored_by_some_thread() {
    let scan = |code: &str, operator: &str| {
        fault(&format!(
            "segment scan (i < 8i64, j < 8i64) {{ {code} }}
             combine (a: f32) (b: f32) neutral (0.0f32) into (rows) {{ {operator} yield a }}"
        ))
    };
    assert_eq!(scan("load x: f32 = rows[i, j] yield x", ""), race("rows"));
    let own = "store rows[i, j] = 0.0f32 load x: f32 = rows[i, j] yield x";
    assert_eq!(scan(own, ""), None);
    assert_eq!(scan(&own.replace("i, j", "j, i"), ""), race("rows"));
    // Results of another rank than the space are an error of their own.
    let rank = "segment scan (k < 64i64) { store rows[0i64, k] = 0.0f32 load x: f32 = rows[0i64, k] yield x }
        combine (a: f32) (b: f32) neutral (0.0f32) into (rows) { yield a }";
    assert!(fault(rank).expect("a fault").contains("has not the type or the dimensions"));
    // An operator does not know which points it combines.
    assert_eq!(scan("yield 0.0f32", "load x: f32 = rows[0i64, 0i64]"), race("rows"));
    assert_eq!(scan("yield 0.0f32", "store total[] = a load x: f32 = total[]"), race("total"));
    // The results of a reduction have no index for the points that are combined.
    let reduce =
        "segment reduce (i < 8i64, j < 64i64) { store half[i] = 0.0f32 load x: f32 = half[i] yield x }
        combine (a: f32) (b: f32) neutral (0.0f32) into (half) { yield a }";
    assert_eq!(fault(reduce), race("half"));
}

#[test]
fn a_segment_of_one_point_does_not_race() {
    let code = "load y: f32 = row[0i64] store row[0i64] = y";
    assert_eq!(fault(&format!("segment map (k < 1i64) {{ {code} }}")), None);
    assert_eq!(fault(&format!("segment map (k < 2i64) {{ {code} }}")), race("row"));
}

#[test]
fn blocks_that_pass_through_branches_and_loops_do_not_race() {
    // Each thread chooses one of two blocks of device memory, or exchanges them in a loop.
    let fault = |code: &str| {
        let text = format!(
            r#"entry "main" [n] (*xs: block f32 [n], *ys: block f32 [n], b: bool) -> () {{
              segment blocks (g < 1i64) chunk 1i64 {{
                segment map (k < n) {{
                  if b {{ yield xs }} else {{ yield ys }} -> (z: block f32)
                  view x1: f32 [n] = xs + 0i64 * [1i64]
                  view z1: f32 [n] = z + 0i64 * [1i64]
                  {code}
                }}
              }}
            }}"#
        );
        fault_in_program(&text, &Target::CPU)
    };
    assert_eq!(fault("store z1[k] = 0.0f32 load y: f32 = z1[k]"), None);
    assert_eq!(fault("store z1[k] = 0.0f32 store x1[k] = 0.0f32 load y: f32 = z1[k]"), None);
    assert_eq!(fault("store z1[k] = 0.0f32 store x1[0i64] = 0.0f32 load y: f32 = z1[k]"), race("z1"));
    assert_eq!(fault("store z1[k] = 0.0f32 load y: f32 = z1[0i64]"), race("z1"));
    assert_eq!(fault("store x1[k] = 0.0f32 load y: f32 = z1[k]"), race("z1"));
    let exchange = |code: &str| {
        let view = "view p1: f32 [n] = p + 0i64 * [1i64]";
        fault(&format!(
            "loop (p: block f32 = xs, q: block f32 = ys) for j: i64 < n {{ {view} {code} yield q, p }}
             -> (r: block f32, s: block f32)"
        ))
    };
    assert_eq!(exchange("store p1[k] = 0.0f32 load y: f32 = p1[k]"), None);
    assert_eq!(exchange("load y: f32 = p1[k] store p1[k] = y"), race("p1"));
    // Workgroup memory does not pass through branches.
    let branch = "if true { yield w } else { yield w } -> (z: workgroup f32)";
    let refused = "z: a branch, loop or call cannot return workgroup memory".to_owned();
    assert_eq!(fault_in_map(branch), Some(refused));
}

#[test]
fn threads_combine_into_a_block_in_one_way() {
    let combine = "let j: i64 = mod(k, 8i64) combine add counts[j] = 1i32";
    assert_eq!(fault_in_map(combine), None);
    assert_eq!(fault_in_map(&format!("{combine} combine add counts[0i64] = 2i32")), None);
    let wrong = |what: &str| Some(format!("threads combine into cells in a segment {what}"));
    let other = |code: &str| fault_in_map(&format!("{combine} {code}"));
    assert_eq!(other("combine max counts[j] = 2i32"), wrong("by several operators"));
    let accesses = wrong("which also loads or stores its elements");
    assert_eq!(other("load x: i32 = counts[j]"), accesses);
    assert_eq!(other("store counts[j] = 1i32"), accesses);
    assert_eq!(other("view all: i32 [2i64] = cells + 0i64 * [1i64] store all[0i64] = 1i32"), accesses);
    // Points of a reduction may run twice.
    let reduce = format!(
        "segment reduce (k < 64i64) {{ {combine} yield 0.0f32 }}
         combine (a: f32) (b: f32) neutral (0.0f32) into (total) {{ let d: f32 = add(a, b) yield d }}"
    );
    assert_eq!(fault(&reduce), wrong("whose points may run twice"));
    // Another segment may read the elements; the workgroup may not.
    let map = format!("segment map (k < 64i64) {{ {combine} }}");
    assert_eq!(fault(&format!("{map} segment map (l < 8i64) {{ load x: i32 = counts[l] }}")), None);
    let uniform = "a workgroup loads from counts, into which its threads combine";
    assert_eq!(fault(&format!("{map} load x: i32 = counts[0i64]")), Some(uniform.to_owned()));
}

#[test]
fn threads_combine_integers_in_workgroup_memory() {
    let combine = |op: &str| fault_in_map(&format!("combine {op} counts[0i64] = 1i32"));
    for op in ["add", "min", "max", "and", "or", "xor"] {
        assert_eq!(combine(op), None, "{op}");
    }
    let operator = "threads do not combine by this operator in one step";
    assert_eq!(combine("sub"), Some(format!("counts: {operator}")));
    assert_eq!(fault_in_map("combine add row[k] = 1.0f32"), Some(format!("row: {operator}")));
    let wide = |op: &str| {
        let block = "alloc d: workgroup i64 = 8i64 view wide: i64 [8i64] = d + 0i64 * [1i64]";
        fault(&format!("{block} segment map (k < 64i64) {{ combine {op} wide[0i64] = k }}"))
    };
    assert_eq!(["add", "and", "or", "xor"].map(wide), [const { None }; 4]);
    assert_eq!(["min", "max"].map(wide), ["wide"; 2].map(|wide| Some(format!("{wide}: {operator}"))));
    let value = "a combined value is u32, not i32".to_owned();
    assert_eq!(fault_in_map("combine add counts[0i64] = 1u32"), Some(value));
    let private =
        "alloc p: private i32 = 1i64 view q: i32 [1i64] = p + 0i64 * [1i64] combine add q[0i64] = 1i32";
    let space = "q: threads combine only in workgroup memory".to_owned();
    assert_eq!(fault_in_map(private), Some(space));
    let text = program("segment map (k < 64i64) { combine add counts[0i64] = 1i32 }");
    let target = "counts: the threads of the target combine nothing".to_owned();
    assert_eq!(fault_in_program(&text, &Target::CPU), Some(target));
}
