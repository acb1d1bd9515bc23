//! `ravel explain`, and the firings that `ravel dev` shows.

use serde_json::json;

use crate::support::Folder;

const STEP: &str = "\
entry main [n] (updating: *[n]bool) (visited: *[n]bool): ([n]bool, [n]bool) =
  let found = map (\\i -> if updating[i] then i else -1) (iota n)
  let visited = scatter visited found (replicate n true)
  let updating = scatter UPDATING found (replicate n false)
  in (visited, updating)
";

#[test]
fn a_target_that_is_read_stops_fusion_and_a_copy_does_not() {
    let folder = Folder::new("explain")
        .with("separate.dsl", STEP.replace("UPDATING", "updating"))
        .with("copied.dsl", STEP.replace("UPDATING", "(copy updating)"));
    let separate = folder.ravel(&["explain", "separate.dsl"], "");
    assert_eq!((separate.code, separate.err.as_str()), (Some(0), ""));
    let report = separate.text();
    assert!(
        report.starts_with("3 parallel operators in the source, 2 constructs in the optimised program.\n"),
        "{report}"
    );
    assert!(report.contains("^ `updating` is consumed here\n"), "{report}");
    assert!(report.contains("map-write did not fire with the scatter at 3:17"), "{report}");
    assert!(report.contains("requires target-not-read: "), "{report}");
    assert_eq!(report.matches("= scatter-construct fired\n").count(), 2, "{report}");
    assert!(report.contains("materialises `found`, because construct 2 reads it"), "{report}");
    assert!(report.is_ascii() && !report.contains('\u{1b}'), "{report}");
    for machine in ["cpu", "gpu"] {
        let copied = folder.ravel(&["explain", "--backend", machine, "copied.dsl"], "");
        let report = copied.text();
        assert!(
            report.starts_with("3 parallel operators in the source, 1 construct in the optimised program.\n"),
            "{report}"
        );
        assert!(!report.contains("did not fire"), "{report}");
    }
}

#[test]
fn the_report_is_also_json() {
    let folder = Folder::new("explain_json").with("a.dsl", STEP.replace("UPDATING", "updating"));
    let report = folder.ravel(&["explain", "--json", "a.dsl"], "");
    let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
    let names = report["operators"].as_array().expect("operators").iter().map(|operator| &operator["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["map", "scatter", "scatter"]);
    let [map, visited, updating] = [0, 1, 2].map(|at| &report["operators"][at]);
    assert!(visited["at"].as_str().is_some_and(|at| at.starts_with("a.dsl:3:17-")), "{visited:#}");
    assert_eq!((&map["constructs"], &updating["constructs"]), (&json!([1]), &json!([2])), "{report:#}");
    let refused = &updating["refused"][0];
    assert_eq!(refused["premise"], "target-not-read", "{updating:#}");
    assert_eq!(refused["because"], "`updating` is consumed here", "{updating:#}");
    assert_eq!(report["constructs"][0]["form"], "screma { write map }", "{report:#}");
}

#[test]
fn an_unknown_entry_point_is_refused() {
    let folder =
        Folder::new("explain_entry").with("a.dsl", "entry one = i64.sum (iota 9)\nentry two = 2i32\n");
    let explain = |entry| folder.ravel(&["explain", "--entry", entry, "a.dsl"], "");
    assert!(explain("two").text().starts_with("0 parallel operators"), "{}", explain("two").text());
    explain("three")
        .fails_with(1, "error: there is no entry point `three`\n  The entry points are: `one`, `two`\n");
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

/// The rules that move constructs into a branch are reported, and each side has its own segments.
#[test]
fn a_construct_moved_into_a_branch_has_segments_in_each_side() {
    let folder = Folder::new("explain_branch")
        .with("into.dsl", "entry main [n] (xs: [n]i64) (c: bool) =\n  let ys = map (+ 1) xs in if c then i64.sum ys else i64.maximum ys")
        .with("after.dsl", "entry main [n] (xs: [n]i64) (c: bool) =\n  let zs = if c then map (+ 1) xs else map (* 2) xs in i64.sum zs");
    for (file, rule, operator) in [("into.dsl", "map-branch", "map"), ("after.dsl", "branch-map", "i64.sum")]
    {
        let report = folder.ravel(&["explain", file], "");
        let head = format!("\n{operator}: part of constructs 1 and 2\n");
        let (_, operator) = report.text().split_once(&head).expect("the operator is in both sides");
        let (operator, _) = operator.split_once("\n\n").expect("the next operator");
        assert!(operator.contains(&format!("= {rule} fired\n")), "{}", report.text());
        assert_eq!(report.text().matches("runs as one segment: reduce (").count(), 2, "{}", report.text());
    }
    let partition = "entry main [n] (xs: [n]i64) = let (a, b) = partition (> 2) xs in (i64.sum a, i64.sum b)";
    let report = folder.with("a.dsl", partition).ravel(&["explain", "--json", "a.dsl"], "");
    let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
    let segments =
        report["constructs"].as_array().expect("constructs").iter().map(|construct| &construct["segments"]);
    let in_lanes = |name: &str| format!("{name} (outer, 8 lanes of i64 in 256 bits)");
    let wanted = [json!([in_lanes("scan"), in_lanes("reduce")]), json!([in_lanes("reduce")])];
    assert!(segments.eq(&wanted), "{report:#}");
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
            "map (\\x -> let ys = map (+ x) xs in ys[x % n]) xs",
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

/// The operator that reads the array repeats the reason, also if it reads a concatenation.
#[test]
fn the_reader_of_a_materialised_array_repeats_the_reason() {
    let again =
        "= `ys` of construct 1 is materialised, because construct 2 reads it in every iteration of a loop";
    let cases = [
        ("let ys = map (+ 1) xs in loop s = 0 for _i < k do s + i64.sum (map (* s) ys)", again, 1),
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

/// A nested map that was fused through a view is part of the construct that absorbed it.
#[test]
fn a_nested_map_fused_through_a_view_is_not_eliminated() {
    let program = "\
entry flat [n][m] (a: [n][m]f64): f64 = f64.sum (flatten (map (\\r -> map (\\x -> x * x) r) a))
entry turned [n][m] (a: [n][m]f64): [m]f64 = map f64.sum (transpose (map (\\r -> map (\\x -> x * x) r) a))
";
    let folder = Folder::new("explain_views").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    let report = report.text();
    assert!(report.contains("a.dsl:1:70") && report.contains("a.dsl:2:81"), "{report}");
    assert!(!report.contains("eliminated"), "{report}");
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

/// Remarks on statements inside an operator are reported with it, once per rule, with a caret for each place.
#[test]
fn checks_and_invariant_statements_are_reported_at_the_enclosing_operator() {
    let program = "\
entry main [n] (xs: [n]i32) (k: i64): [n]i32 =
  map (\\i -> xs[i] + xs[i + k] + xs[i * k] + xs[k]) (iota n)
";
    let folder = Folder::new("explain_checks").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    let report = report.text();
    assert_eq!(report.matches("assert-true did not fire\n    it requires proved: ").count(), 1, "{report}");
    assert_eq!(report.matches("the check stays, since it is not known to hold").count(), 3, "{report}");
    assert_eq!(
        report.matches("hoist-scalar did not fire\n    it requires speculatable: ").count(),
        1,
        "{report}"
    );
}

#[test]
fn library_operators_are_reported_at_the_call_and_nested_ones_inside() {
    let program = "\
def rows [n] [m] (xss: [n][m]i32): [n]i32 = map i32.sum xss
entry main (xss: [][]i32): []i32 = xss |> rows |> filter (> 0)
entry idle [n] (xs: [n]i32): i64 = length (map (+ 1) xs)
";
    let folder = Folder::new("explain_calls").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl", "-e", "main"], "");
    let report = report.text();
    assert!(report.contains("\nfilter: part of construct"), "{report}");
    assert!(report.contains("\nmap: part of construct"), "{report}");
    assert!(report.contains("runs as a loop in each point of construct 1\n"), "{report}");
    let report = folder.ravel(&["explain", "a.dsl", "-e", "idle"], "");
    let report = report.text();
    assert!(
        report.starts_with(
            "1 parallel operator in the source, 0 constructs in the optimised program.\n\nmap: eliminated\n"
        ),
        "{report}"
    );
}

/// The constructs of a workgroup's body are its segments, a perfect nest is one segment, and any other construct is a loop.
#[test]
fn the_report_says_how_constructs_run() {
    let program = "\
entry blocks [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\\xs ->
    let sums = scan (+) 0 xs
    in map (\\sum -> i32.minimum (map (i32.max sum) sums)) sums) xss
entry nest [n] [m] (xss: [n][m]i32): [n][m]i32 = map (map (+ 1)) xss
entry loops [n] [m] (xss: [n][m]i32): [n]i32 = map i32.sum xss
";
    let folder = Folder::new("explain_execution").with("a.dsl", program);
    let runs = |backend: &str, entry: &str, more: &[&str]| -> Vec<String> {
        let args = [&["explain", "a.dsl", "--backend", backend, "-e", entry], more].concat();
        let report = folder.ravel(&args, "");
        let lines = report.text().lines().filter_map(|line| line.strip_prefix("  runs as "));
        lines.map(str::to_owned).collect()
    };
    let inner = |what: &str| format!("one segment of the workgroup at each point of construct 1: {what}");
    for (backend, outer) in
        [("gpu", "its points are workgroups"), ("cpu", "scalar: its points are workgroups")]
    {
        assert_eq!(
            runs(backend, "blocks", &[]),
            [
                format!("one segment: blocks ({outer})"),
                inner("scan"),
                inner("reduce"),
                "a dimension of the segment of construct 3".to_owned(),
            ]
        );
    }
    assert_eq!(runs("gpu", "nest", &[]), ["one segment: map", "a dimension of the segment of construct 1"]);
    let alone = ["one segment: map", "a loop in each point of construct 1"];
    assert_eq!(runs("model", "nest", &["--without", "nest"]), alone);
    assert_eq!(runs("gpu", "loops", &[]), alone);
    let report = folder.ravel(&["explain", "--backend", "gpu", "--json", "-e", "blocks", "a.dsl"], "");
    let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
    let constructs = report["constructs"].as_array().expect("a list");
    assert_eq!(constructs[1]["segments"], json!(["scan"]));
    assert_eq!(constructs[3]["is_dimension"], json!(true));
}

/// An operator is reported once, by its name, where the program writes it, even if another function applies it.
#[test]
fn operators_are_reported_where_they_are_written() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("map (reduce (+) 0) xss", &[("map", "map (reduce (+) 0) xss"), ("reduce", "(reduce (+) 0)")]),
        (
            "map (\\r -> reduce (+) 0 r) xss",
            &[("map", "map (\\r -> reduce (+) 0 r) xss"), ("reduce", "reduce (+) 0 r")],
        ),
        ("map f64.sum xss", &[("map", "map f64.sum xss"), ("f64.sum", "f64.sum")]),
        ("map (map f64.sqrt) xss", &[("map", "map (map f64.sqrt) xss"), ("map", "(map f64.sqrt)")]),
        ("map (f64.sqrt >-> f64.abs) xs", &[("map", "map (f64.sqrt >-> f64.abs) xs")]),
        (
            "(map (+ 1) >-> scan (+) 0 >-> map (* 2)) xs",
            &[("map", "map (+ 1)"), ("scan", "scan (+) 0"), ("map", "map (* 2)")],
        ),
        ("xs |> (map (+ 1) >-> f64.sum)", &[("map", "map (+ 1)"), ("f64.sum", "f64.sum")]),
        ("rows xss", &[("map", "map (reduce (+) 0f64)"), ("reduce", "(reduce (+) 0f64)")]),
        ("let up = map (+ 1) in up (up xs)", &[("map", "map (+ 1)")]),
        ("map (scaled 2) xss", &[("map", "map (* k) r"), ("map", "map (scaled 2) xss")]),
        (
            "reduce (map2 (+)) (replicate m 0) xss",
            &[("reduce", "reduce (map2 (+)) (replicate m 0) xss"), ("map2", "(map2 (+))")],
        ),
        ("iterate 3 (map (+ 1)) xs", &[("map", "(map (+ 1))")]),
        ("flip map xs f64.sqrt", &[("map", "map")]),
        (
            "(each f64.sum xss, each f64.sum xss[1:])",
            &[("map", "map f yss"), ("f64.sum", "f64.sum"), ("f64.sum", "f64.sum")],
        ),
        ("xs |> map (+ 1) |> (scan (+) 0)", &[("map", "map (+ 1)"), ("scan", "(scan (+) 0)")]),
        (
            "map (/ 2) <| scan (+) 0 <| xs",
            &[("map", "map (/ 2) <| scan (+) 0 <| xs"), ("scan", "scan (+) 0 <| xs")],
        ),
        ("(xs |> map (+ 1)) |> map f64.abs", &[("map", "map (+ 1)"), ("map", "map f64.abs")]),
        ("((reduce (+) 0) xs)", &[("reduce", "((reduce (+) 0) xs)")]),
        ("(let f = f64.sum in f) xs", &[("f", "(let f = f64.sum in f) xs")]),
        ("f64.sqrt `map` xs", &[("map", "f64.sqrt `map` xs")]),
        ("(map) (+ 1) -- == it |> is\n  xs", &[("map", "(map) (+ 1) -- == it |> is\n  xs")]),
        ("xs == copy xs && n != m", &[("==", "xs == copy xs")]),
    ];
    for (at, (exp, operators)) in cases.iter().enumerate() {
        let program = format!(
            "def rows = map (reduce (+) 0f64)\n\
             def scaled [m] (k: f64) (r: [m]f64) = map (* k) r\n\
             def each [m] (f: [m]f64 -> f64) (yss: [][m]f64) = map f yss\n\
             entry main [n] [m] (xs: [n]f64) (xss: [n][m]f64) =\n  {exp}\n"
        );
        let folder = Folder::new(&format!("operators_{at}")).with("a.dsl", &program);
        let report = folder.ravel(&["explain", "--json", "a.dsl"], "");
        let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
        let report = report["operators"].as_array().expect("operators").iter().map(|operator| {
            let name = operator["name"].as_str().expect("a name");
            (name, text_at(&program, operator["at"].as_str().expect("a place")))
        });
        assert_eq!(report.collect::<Vec<_>>(), *operators, "{exp}");
    }
}

/// The operators of a function that two callers share belong to the constructs of both calls, and to nothing else.
#[test]
fn operators_of_a_shared_function_belong_to_the_constructs_of_each_call() {
    let program = "\
def sum_of_squares = map (\\x -> x * x) >-> f64.sum
entry main [n] [m] (xss: [n][m]f64): ([n]f64, f64) =
  let sums = map sum_of_squares xss
  in (sums, sum_of_squares sums)
";
    let folder = Folder::new("explain_shared").with("a.dsl", program);
    let report = folder.ravel(&["explain", "--json", "a.dsl"], "");
    let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
    let operators = report["operators"].as_array().expect("operators").iter();
    let parts: Vec<_> = operators.map(|operator| &operator["constructs"]).collect();
    assert_eq!(parts, [&json!([1, 2]), &json!([1, 2]), &json!([1])], "{report:#}");
}

/// The text at a place as diagnostics print it: `a.dsl:1:2-3`, or `a.dsl:1:2-3:4`.
fn text_at<'p>(program: &'p str, place: &str) -> &'p str {
    let numbers = place.split([':', '-']).skip(1).map(|number| number.parse().expect("a number"));
    let starts: Vec<usize> = program
        .split_inclusive('\n')
        .scan(0, |end, line| {
            *end += line.len();
            Some(*end - line.len())
        })
        .collect();
    match numbers.collect::<Vec<usize>>()[..] {
        [line, from, to] => &program[starts[line - 1] + from - 1..starts[line - 1] + to],
        [line, from, last, to] => &program[starts[line - 1] + from - 1..starts[last - 1] + to],
        _ => panic!("{place}"),
    }
}

#[test]
fn wrong_programs_and_unknown_rules_are_errors() {
    let folder = Folder::new("explain_wrong").with("a.dsl", "entry main = x").with("b.dsl", "entry main = 1");
    folder.ravel(&["explain", "a.dsl"], "").fails_with(1, "Unknown name \"x\"");
    folder.ravel(&["explain", "none.dsl"], "").fails_with(1, "cannot read none.dsl");
    folder
        .ravel(&["explain", "b.dsl"], "")
        .gives("0 parallel operators in the source, 0 constructs in the optimised program.\n");
    folder.ravel(&["dev", "--trace", "F9", "b.dsl"], "").fails_with(2, "there is no rule `F9`");
    for rule in ["scatter-construct", "map-write"] {
        folder.ravel(&["dev", "--trace", rule, "b.dsl"], "").gives(&format!("{rule} did not fire\n"));
    }
}

/// Options of `ravel dev` that would be ignored in combination are refused.
#[test]
fn conflicting_options_of_dev_are_refused() {
    let folder = Folder::new("dev_twice").with("a.dsl", "entry main (xs: []i32): i32 = i32.sum xs");
    for asked in [
        &["--dump-after", "reuse", "--emit", "core", "a.dsl"][..],
        &["--dump-after", "simplify", "--emit", "kernel", "a.dsl"],
        &["--trace", "map-map", "--emit", "core", "a.dsl"],
        &["--list-passes", "--trace", "x"],
        &["--list-passes", "a.dsl"],
    ] {
        folder.ravel(&[&["dev"], asked].concat(), "").fails_with(2, "cannot be used with");
    }
}

#[test]
fn each_firing_is_shown_with_the_lines_that_it_removed_and_added() {
    let program = "entry main (xs: []i32): i32 = i32.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("trace").with("a.dsl", program);
    let trace = folder.ravel(&["dev", "--trace", "map-reduce", "a.dsl"], "");
    let text = trace.text();
    folder
        .ravel(&["dev", "--trace", "map-reduce", "--dump-after", "sink", "a.dsl"], "")
        .fails_with(2, "cannot be used with");
    let [spaced, compact] = ["inline, simplify ,fuse-vertical", "inline,simplify,fuse-vertical"]
        .map(|passes| folder.ravel(&["dev", "--passes", passes, "a.dsl"], "").text().to_owned());
    assert_eq!(spaced, compact);
    let head = "map-reduce 1, in 05-fuse-vertical, at a.dsl:1:31-60 and a.dsl:1:39-60\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("\n  -   to map\n  - }\n  - let v9: i32 = screma v0 {\n"), "{text}");
    assert!(text.contains("\n  + let v9: i32 = screma v0 {\n      from xs_1\n"), "{text}");
    assert_eq!(text.matches("map-reduce ").count(), 1, "{text}");
}

#[test]
fn a_dump_lists_firings_and_resumes_from_any_pass() {
    let program = "entry main (xs: []i32): i32 = i32.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("dump").with("a.dsl", program);
    let dumped = folder.ravel(&["dev", "--dump-all", "out", "a.dsl"], "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    assert!(dumped.err.contains("05-fuse-vertical.core: changed\n"), "{}", dumped.err);
    assert!(dumped.err.contains("-fuse-views.core: unchanged\n"), "{}", dumped.err);
    let written = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let names = written.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    assert!(names.into_iter().all(|name| !name.contains("fuse-views")), "unchanged passes leave a file");
    let dump = folder.read("out/05-fuse-vertical.core").expect("the pass has changed it");
    assert!(dump.starts_with("-- a.dsl after fuse-vertical\n-- map-reduce fired (1)\n"), "{dump}");
    assert_replays(&folder, &dump, folder.ravel(&["dev", "a.dsl"], "").text());
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
fn the_rules_of_lowering_are_counted_before_the_first_pass() {
    let program =
        "entry main (xs: *[]i32) (is: []i64) = scatter (scatter xs is (map i32.i64 is)) is (map i32.i64 is)";
    let folder = Folder::new("lowering").with("a.dsl", program);
    let dumped = folder.ravel(&["dev", "--dump-all", "out", "--time-passes", "a.dsl"], "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    assert!(dumped.err.contains("scatter-construct fired (2)\ninline "), "{}", dumped.err);
    let trace = folder.ravel(&["dev", "--trace", "scatter-construct", "a.dsl"], "");
    assert!(
        trace.text().starts_with("scatter-construct 1, in lowering, at a.dsl:1:47-78\n  + let v"),
        "{}",
        trace.text()
    );
    assert_eq!(
        trace.text().matches("\nscatter-construct 2, in lowering, at a.dsl:1:").count(),
        1,
        "{}",
        trace.text()
    );
    let first = folder.read("out/00-before.core").expect("the input of the passes");
    assert!(first.starts_with("-- a.dsl before inline\n-- scatter-construct fired (2)\n"), "{first}");
}

/// Asserts that the shell commands in the header of a dump reproduce the dump and the whole output.
fn assert_replays(folder: &Folder, dump: &str, whole: &str) {
    let commands: Vec<&str> = dump.lines().filter_map(|line| line.strip_prefix("-- to ")).collect();
    assert_eq!(commands.len(), 2, "{dump}");
    for line in commands {
        let (what, command) = line.split_once(": ravel ").expect("a command");
        let arguments = arguments(command);
        let output = folder.ravel(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        if what == "reproduce" {
            let body: Vec<&str> = dump.lines().filter(|line| !line.starts_with("--")).collect();
            assert_eq!(output.text().trim_end(), body.join("\n"));
        } else {
            output.gives(whole);
        }
    }
}

/// The arguments of a command as a shell reads them.
fn arguments(command: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {command}");
    let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    String::from_utf8_lossy(&shell.stdout).lines().map(str::to_owned).collect()
}

/// The commands keep the remaining fuel, the machine and the passes, and quote the folder.
#[test]
fn the_commands_of_a_dump_keep_all_options() {
    let program =
        "entry main [m][n] (xs: [m][n]i64): i64 = i64.sum (flatten (map (map (\\x -> x * x + 1)) xs))";
    let folder = Folder::new("dump_all").with("a.dsl", program);
    let names = "inline,simplify,fuse-vertical,simplify,fuse-views,fuse-vertical,reuse";
    for (at, options) in [
        vec!["--fuel", "3"],
        vec!["--without", "map-reduce,map-reshape"],
        vec!["--backend", "gpu"],
        vec!["--passes", names],
        vec!["--passes", names, "--backend", "gpu", "--fuel", "5"],
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("it's out {at}");
        let with = |more: &[&str]| folder.ravel(&[&["dev"], &options[..], more, &["a.dsl"]].concat(), "");
        let dumped = with(&["--dump-all", &out]);
        assert_eq!(dumped.code, Some(0), "{}", dumped.err);
        let whole = with(&[]);
        let files = std::fs::read_dir(folder.path(&out)).expect("the folder was made");
        let mut dumps = 0;
        for file in files {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let dump = folder.read(&format!("{out}/{name}")).expect("a dump");
            if dump.lines().filter(|line| line.starts_with("-- to ")).count() == 2 && name.ends_with(".core")
            {
                assert_replays(&folder, &dump, whole.text());
                dumps += 1;
            }
        }
        assert!(dumps > 0, "{options:?} changed nothing");
    }
}

/// With its rule switched off, a construct stays, and the program gives the same results on every backend.
#[test]
fn a_rule_that_is_switched_off_does_not_fire() {
    let program = "entry main (xs: []i64): i64 = i64.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("without").with("a.dsl", program);
    let constructs = |options: &[&str]| {
        let core = folder.ravel(&[&["dev", "a.dsl"], options].concat(), "");
        core.text().matches("= screma").count()
    };
    assert_eq!(constructs(&[]), 1);
    assert_eq!(constructs(&["--without", "map-map,map-reduce"]), 2);
    let launches = |options: &[&str]| {
        let output =
            folder.ravel(&[&["run", "--stats", "a.dsl", "--backend", "gpu"], options].concat(), "[1, 2, 3]");
        assert_eq!(output.text(), "14i64\n", "{}", output.err);
        output.err.lines().find_map(|line| line.strip_prefix("launches: ")?.parse::<u32>().ok())
    };
    assert!(launches(&["--without", "map-reduce"]) > launches(&[]));
    // The structure test that relies on a rule fails without it.
    let tested = format!(
        "{program}\n-- ==\n-- input {{ [1i64, 2i64] }}\n-- output {{ 5i64 }}\n-- structure {{ screma 1 }}\n"
    );
    let folder = Folder::new("without_structure").with("a.dsl", &tested);
    folder.ravel(&["test", "a.dsl"], "").gives("2 passed, 0 failed, 0 skipped, 0 limited\n");
    let failed = folder.ravel(&["test", "a.dsl", "--without", "map-reduce"], "");
    assert_eq!(failed.code, Some(1));
    assert!(failed.text().contains("2 `screma`, but there should be 1"), "{}", failed.text());
    let swap = "entry main (k: i64) (xs: *[]f64): *[]f64 = loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("without_swap").with("a.dsl", swap);
    let off = ["--without", "swap-allocated"];
    let run = |options: &[&str]| folder.ravel(&[&["run", "a.dsl"], options].concat(), "9i64 [1.0, 2.0]");
    assert_eq!(run(&[]).text(), run(&off).text());
    let kernel = |options: &[&str]| {
        let emitted = folder.ravel(&[&["dev", "--emit", "kernel", "a.dsl"], options].concat(), "");
        emitted.text().to_owned()
    };
    assert_ne!(kernel(&[]), kernel(&off));
}

/// Passes over kernel IR are replayed, traced and limited by fuel, as those over core IR are.
#[test]
fn memory_passes_are_replayed_traced_and_limited() {
    let program =
        "entry main [n] (k: i64) (xs: *[n]f64): *[n]f64 =\n  loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("memory_passes").with("a.dsl", program);
    let whole = folder.ravel(&["dev", "--emit", "kernel", "a.dsl"], "");
    assert_eq!(folder.ravel(&["dev", "--dump-all", "out", "a.dsl"], "").code, Some(0));
    let files = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let name = names
        .into_iter()
        .find(|name| name.ends_with("-double-buffer.kernel"))
        .expect("the pass has changed it");
    let dump = folder.read(&format!("out/{name}")).expect("a dump");
    assert!(dump.starts_with("-- a.dsl after double-buffer\n-- swap-allocated fired (1)\n"), "{dump}");
    assert_replays(&folder, &dump, whole.text());
    let trace = folder.ravel(&["dev", "--trace", "swap-allocated", "a.dsl"], "");
    let number = name.trim_end_matches("-double-buffer.kernel");
    let head = format!("swap-allocated 1, in {number}-double-buffer, at a.dsl:2:");
    assert!(trace.text().starts_with(&head), "{}", trace.text());
    assert!(trace.text().contains("\n  -   alloc "), "{}", trace.text());
    // The fuel that core IR takes, and one firing more.
    let emitted = |form: &str, fuel: &str| {
        folder.ravel(&["dev", "--fuel", fuel, "--emit", form, "a.dsl"], "").text().to_owned()
    };
    let enough =
        (0..).find(|fuel| emitted("core", &fuel.to_string()) == emitted("core", "1000")).expect("a number");
    let [none, one] = [enough, enough + 1].map(|fuel: u32| emitted("kernel", &fuel.to_string()));
    assert!(none != one, "a firing more changes nothing:\n{one}");
    let named = folder.ravel(
        &["dev", "--passes", "inline,simplify,hoist,flatten,double-buffer", "--emit", "kernel", "a.dsl"],
        "",
    );
    named.gives(whole.text());
    let alone = folder.ravel(&["dev", "--passes", "reuse", "a.dsl"], "");
    assert!(alone.text().contains("entry \"main\" ["), "{}", alone.text());
    folder.ravel(&["dev", "--dump-after", "double-buffer", "a.dsl"], "").gives(
        &dump
            .lines()
            .filter(|line| !line.starts_with("--"))
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
}

#[test]
fn invalid_kernel_text_is_an_error_and_has_no_core_ir() {
    let lawful = "entry \"main\" [] (k: i64) -> (i64) {\n  yield k\n}\n";
    let folder = Folder::new("kernel_text").with("a.kernel", lawful).with("b.kernel", "entry main [");
    let folder = folder.with("c.kernel", lawful.replace("yield k", "yield 1.0f64"));
    assert_eq!(folder.ravel(&["dev", "--from", "reuse", "a.kernel"], "").code, Some(0));
    folder.ravel(&["dev", "--from", "reuse", "b.kernel"], "").fails_with(1, "--> b.kernel:1:");
    folder.ravel(&["dev", "--from", "reuse", "c.kernel"], "").fails_with(1, "invalid kernel IR");
    let core = ["dev", "--from", "reuse", "--emit", "core", "a.kernel"];
    folder.ravel(&core, "").fails_with(2, "kernel IR cannot be turned back into core IR");
}

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

#[test]
fn copies_of_one_operator_report_each_other() {
    let fused = "def f [n] (xs: [n]i64) = map (+ 1) xs entry main [n] (xs: [n]i64) = f (f xs)";
    let separate = "def f [n] (xs: [n]i64) = map (\\i -> xs[(i + 1) % n]) (iota n) entry main [n] (xs: [n]i64) = f (f xs)";
    let folder = Folder::new("explain_copies").with("fused.dsl", fused).with("separate.dsl", separate);
    let report = folder.ravel(&["explain", "fused.dsl"], "");
    assert!(report.text().contains("= map-map fired, with another copy of it\n"), "{}", report.text());
    let report = folder.ravel(&["explain", "separate.dsl"], "");
    assert!(
        report.text().contains("= horizontal did not fire with another copy of it\n"),
        "{}",
        report.text()
    );
}
