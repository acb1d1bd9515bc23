//! `ravel explain`: why an array is materialised. The producer lists the uses of the array, and the reader repeats the reason.

use serde_json::json;

use crate::support::Folder;

/// The paragraphs of the report on a program: one for each operator and construct.
fn paragraphs(text: &str) -> Vec<String> {
    let folder = Folder::new("explain_paragraphs").with("a.dsl", text);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    report.text().split("\n\n").map(str::to_owned).collect()
}

fn at_place<'t>(report: &'t [String], place: &str) -> &'t str {
    let place = format!("--> a.dsl:{place}\n");
    report.iter().find(|operator| operator.contains(&place)).expect("the operator is reported")
}

/// Each case has the premise that prevents fusion through a view, and the operator that reads the view.
#[test]
fn a_view_that_prevents_fusion_is_reported_at_its_reader() {
    let cases = [
        ("no-repeat", "i64.sum", "let ys = map (* 2) xs in i64.sum ys[::k]"),
        ("one-map", "i64.sum", "i64.sum (reverse (scan (+) 0 xs))"),
        ("perfect-nest", "map", "map i64.sum (transpose (map (\\x -> scan (+) x xs) xs))"),
        ("used-once", "map2", "let ys = map (+ 1) xs in map2 (-) (tail ys) (init ys)"),
        ("one-map", "i64.sum", "let (a, b) = partition (> 2) xs in (i64.sum a, i64.sum b)"),
        ("one-map", "stream_red", "stream_red (+) (\\m (ys: [m]i64) -> i64.sum ys) (filter (> 3) xs)"),
    ];
    for (at, (premise, operator, program)) in cases.into_iter().enumerate() {
        let program = format!("entry main [n] (k: i64) (xs: [n]i64) = {program}");
        let folder = Folder::new(&format!("view_{at}")).with("a.dsl", program);
        let report = folder.ravel(&["explain", "--json", "a.dsl"], "");
        let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
        let operators = report["operators"].as_array().expect("operators").iter();
        for reader in operators.filter(|each| each["name"] == operator && each["constructs"] != json!([1])) {
            let refused = reader["refused"].as_array().expect("refusals").iter();
            let between: Vec<_> = refused.filter(|refused| !refused["with"].is_null()).collect();
            let premises = between.iter().map(|refused| &refused["premise"]);
            assert!(
                !between.is_empty() && premises.into_iter().all(|failed| failed == premise),
                "{report:#}"
            );
        }
    }
}

/// The producer of an array lists its uses, and says where fusion would recompute it or no rule applies.
#[test]
fn the_producer_of_a_materialised_array_lists_its_uses() {
    let cases = [
        (
            "let ys = map (+ 1) xs in loop s = 0 for _i < k do s + i64.sum (map (* s) ys)",
            "reads it in every iteration of a loop, where fusion would recompute it",
        ),
        (
            "let ys = map (+ 1) xs in map (\\x -> i64.sum (map (* x) ys)) xs",
            "reads it at every point of construct 2, where fusion would recompute it",
        ),
        (
            "i64.sum (concat (map (* 2) xs) (map (* 3) xs))",
            "concatenates it, and no rule fuses through a concat",
        ),
        ("loop s = 0 for _i < k do s + i64.sum (scan (+) s xs)[1:]", "reads it through a view\n"),
        ("(map (+ 1) xs, k)", "because it is a result\n"),
        (
            "map (\\x -> let ys = map (** x) xs in ys[x % n]) xs",
            "= `ys` of construct 2 is materialised, because construct 1 reads it at computed indices",
        ),
    ];
    for (at, (program, why)) in cases.into_iter().enumerate() {
        let program = format!("entry main [n] (k: i64) (xs: [n]i64) = {program}");
        let folder = Folder::new(&format!("uses_{at}")).with("a.dsl", program);
        let report = folder.ravel(&["explain", "a.dsl"], "");
        assert!(report.text().contains(why), "{}", report.text());
        assert_eq!(report.text().contains("recompute"), why.contains("recompute"), "{}", report.text());
    }
}

/// The elements of such an array are computed where they are read, and no construct is left.
#[test]
fn an_array_whose_elements_are_computed_where_they_are_read_is_eliminated() {
    let program = "entry main [n] (xs: [n]i64) = map (\\x -> let ys = map (+ x) xs in ys[x % n]) xs";
    let report = Folder::new("map_index").with("a.dsl", program).ravel(&["explain", "a.dsl"], "");
    let inner = report.text().split("\n\n").find(|part| part.starts_with("map: eliminated\n"));
    assert!(inner.is_some_and(|inner| inner.ends_with("= map-index fired")), "{}", report.text());
}

/// The operator that reads the array repeats the reason, also if it reads a concatenation.
#[test]
fn the_reader_of_a_materialised_array_repeats_the_reason() {
    let in_a_loop =
        "= `ys` of construct 1 is materialised, because construct 2 reads it in every iteration of a loop";
    let cases = [
        ("let ys = map (+ 1) xs in loop s = 0 for _i < k do s + i64.sum (map (* s) ys)", in_a_loop, 1),
        (
            "i64.sum (concat (map (* 2) xs) (map (* 3) xs))",
            "of construct 1 is materialised, because the expression at ",
            1,
        ),
        ("i64.sum (scan (+) 0 xs)", "is materialised, because", 0),
    ];
    for (at, (program, why, times)) in cases.into_iter().enumerate() {
        let program = format!("entry main [n] (k: i64) (xs: [n]i64) = {program}");
        let folder = Folder::new(&format!("materialised_{at}")).with("a.dsl", program);
        let report = folder.ravel(&["explain", "a.dsl"], "");
        let (_, reader) = report.text().split_once("\ni64.sum: ").expect("it is an operator");
        let (reader, _) = reader.split_once("\n\n").expect("something follows");
        assert_eq!(reader.matches(why).count(), times, "{}", report.text());
    }
}

/// If two rules have reasons in one excerpt, each names its rule; of several constructs at a place, none is named.
#[test]
fn reasons_of_several_rules_name_their_rules() {
    let program =
        "entry main [n] (xs: [n]i64) = let (a, b) = partition (> 2) xs in (i64.sum a[:n/3], i64.sum b)";
    let folder = Folder::new("explain_several").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    let report = report.text();
    assert!(report.contains("assert-true: the check stays, since it is not known to hold"), "{report}");
    assert!(report.contains("; map-slice: it is not produced by a map alone"), "{report}");
    assert!(report.contains("map-slice did not fire with the partition at 1:44\n"), "{report}");
}

/// Memory rules about the arrays of a loop are reported at the producers of these arrays.
#[test]
fn a_loop_that_allocates_in_each_iteration_says_why() {
    let program = "\
entry main [n] (u: [n]f64) (k: i64) =
  loop (v, w) = (u, FIRST) for _i < k do
    let x = map (\\j -> 0.5 * v[j] + 0.25 * (v[i64.max 0 (j - 1)] + w[i64.min (n - 1) (j + 1)])) (iota n)
    in (x, NEXT)
";
    let folder = Folder::new("explain_memory")
        .with("twice.dsl", program.replace("FIRST", "u").replace("NEXT", "x"))
        .with("kept.dsl", program.replace("FIRST", "u").replace("NEXT", "v"))
        .with("own.dsl", program.replace("(u, FIRST)", "(copy u, copy u)").replace("NEXT", "v"));
    let report = folder.ravel(&["explain", "twice.dsl"], "");
    let report = report.text();
    assert!(report.contains("= copy-initial did not fire\n    it requires produced-by-loop: "), "{report}");
    assert!(
        report.contains(" copy-initial: `v` is not produced by the loop alone, or yielded twice\n"),
        "{report}"
    );
    for (file, copied) in [("kept.dsl", true), ("own.dsl", false)] {
        let report = folder.ravel(&["explain", file], "");
        let report = report.text();
        assert!(
            report.contains("= swap-allocated fired\n") && !report.contains("swap-allocated did not"),
            "{report}"
        );
        assert_eq!(report.contains("= copy-initial fired\n"), copied, "{report}");
    }
    // That the array of a map has its own memory is expected, and not reported.
    let folder = folder.with("map.dsl", "entry main [n] (xs: [n]f64) = map (+ 1) xs");
    let report = folder.ravel(&["explain", "map.dsl"], "");
    assert!(!report.text().contains("did not fire"), "{}", report.text());
    let trace = folder.ravel(&["dev", "--trace", "map-in-place", "map.dsl"], "");
    assert!(
        trace.text().starts_with("map-in-place did not fire\nmap-in-place refused, in "),
        "{}",
        trace.text()
    );
}

/// A view without a name is reported by the name of its array.
#[test]
fn the_array_of_an_unnamed_view_is_named() {
    let program = "\
entry main [n] (xs: [n]i32): []i32 =
  let ys = map (* 2) xs
  in map2 (+) ys (reverse ys)
";
    let folder = Folder::new("explain_reversed").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    let report = report.text();
    assert!(
        report.contains(" `ys` is complete only after the first\n")
            && report.contains("it requires independent"),
        "{report}"
    );
}

/// A view is not an operator, so its reader reports why it was not fused.
#[test]
fn a_stencil_reports_that_its_input_has_several_uses() {
    let program = "\
entry main [n] (xs: [n]i32): [n]i32 =
  let ys = map (\\x -> x * x + 1) xs
  in map2 (+) (rotate 1 ys) (reverse ys)
";
    let folder = Folder::new("stencil").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    assert_eq!(report.code, Some(0), "{}", report.err);
    let text = report.text();
    let (map, reader) = text.split_once("\nmap2: ").expect("the map comes first");
    assert!(!map.contains("is read through a view"), "{text}");
    assert_eq!(reader.matches("`ys` is read through a view here, and has another use").count(), 1, "{text}");
    assert!(reader.contains("= map-slice did not fire with the map at 2:12"), "{text}");
    assert!(reader.contains("it requires used-once: "), "{text}");
}

#[test]
fn a_view_that_prevents_fusion_is_reported_at_its_reader_by_its_array() {
    let report = paragraphs(
        "entry main [n] (xs: [n]i64) (ys: [n]i64) =
  let grid = map (\\x -> map (* x) ys) xs
  let rows = map i64.sum grid
  let columns = map i64.sum (transpose grid)
  let others = map (+ 1) ys
  in (rows, columns, others, grid)
",
    );
    let columns = at_place(&report, "4:17");
    assert!(columns.contains("`grid` is read through a view here"), "{columns}");
    for place in ["2:14", "3:14", "5:16"] {
        assert!(!at_place(&report, place).contains("is read through a view"), "{}", at_place(&report, place));
    }
}

#[test]
fn a_materialised_array_is_reported_at_the_reader_and_not_at_operators_fused_with_it() {
    let report = paragraphs(
        "entry main [n] (xs: [n]i64) =
  let s = scan (+) 0 xs
  let w = map (\\i -> if i > 0 then s[i - 1] else 0) (iota n)
  let u = map (* 2) xs
  in (s, w, u)
",
    );
    let reason = "is materialised, because construct 2 reads it at computed indices";
    assert!(at_place(&report, "3:11").contains(reason), "{}", at_place(&report, "3:11"));
    assert!(!at_place(&report, "4:11").contains(reason), "{}", at_place(&report, "4:11"));
}

#[test]
fn the_result_of_a_filter_is_a_materialised_array() {
    let report =
        paragraphs("entry main (xs: []i64) = let kept = filter (> 3) xs in (kept, i64.maximum kept)\n");
    let construct = report.last().expect("constructs");
    assert!(
        construct.contains(", because it is a result") || construct.contains("because the expression"),
        "{construct}"
    );
}
