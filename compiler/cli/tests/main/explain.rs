//! `ravel explain`: the places of operators, and the constructs and segments that they become.

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

/// A loop without a construct, and a loop in the code of a point, are no loops of the host that run segments.
#[test]
fn a_loop_of_the_host_is_listed_with_the_constructs_in_it() {
    let program = "\
entry main [n] (k: i64) (xs: [n]f64): (f64, i64) =
  let ys = map (\\x -> loop y = x for i < k do y * y + f64.i64 i) xs
  let zs = loop zs = ys for i < k do
    let most = f64.maximum zs
    in map (\\z -> z / most + f64.i64 i) zs
  let count = loop s = 0 for i < k do s * 3 + i
  in (reduce (+) 0 zs, count)
";
    let folder = Folder::new("explain_loop").with("a.dsl", program);
    for machine in ["cpu", "gpu"] {
        let report = folder.ravel(&["explain", "--backend", machine, "a.dsl"], "");
        let listed = report.text().find("\nloop on the host").map(|at| &report.text()[at..]);
        let only = "\nloop on the host, in main\n  runs constructs 2 and 3 in each iteration\n  at a.dsl:3:12-5:42\n";
        assert_eq!(listed, Some(only), "{}", report.text());
        let report = folder.ravel(&["explain", "--json", "--backend", machine, "a.dsl"], "");
        let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
        let loops = json!([{ "function": "main", "at": "a.dsl:3:12-5:42", "constructs": [2, 3] }]);
        assert_eq!(report["loops"], loops, "{report:#}");
    }
}

#[test]
fn a_product_of_matrices_runs_in_tiles_or_the_report_says_why_not() {
    let program = |bound: &str| {
        format!(
            "entry main [n] [m] [k] (a: [n][m]i32) (b: [m][k]i32): [n][k]i32 =
  tabulate_2d n k (\\i j -> #[unsafe] loop sum = 0 for l < {bound} do sum + a[i, l] * b[l, j])
"
        )
    };
    let folder =
        Folder::new("explain_tile").with("product.dsl", program("m")).with("triangle.dsl", program("i"));
    let product = folder.ravel(&["explain", "product.dsl"], "");
    assert!(product.text().contains("= tile fired\n"), "{}", product.text());
    assert!(product.text().contains("  runs as 5 segments: 5 times map (outer, "), "{}", product.text());
    let triangle = folder.ravel(&["explain", "triangle.dsl"], "");
    assert!(triangle.text().contains("it requires same-bound: "), "{}", triangle.text());
    assert!(triangle.text().contains("  runs as one segment: map (outer, "), "{}", triangle.text());
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
    let in_lanes = |name: &str| format!("{name} (outer, 8 lanes of i64 in 512 bits)");
    let wanted = [json!([in_lanes("scan"), in_lanes("reduce")]), json!([in_lanes("reduce")])];
    assert!(segments.eq(&wanted), "{report:#}");
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
    let rules = "nest,choose,coalesce-reads,coalesce-results";
    assert_eq!(runs("model", "nest", &["--without", rules]), alone);
    assert_eq!(runs("gpu", "loops", &["--without", rules]), alone);
    let versions = "over all points of construct 1, or a loop in each of them (the sizes decide)";
    let inner = format!("one segment {versions}: reduce (its points are workgroups)");
    assert_eq!(
        runs("gpu", "loops", &["--without", "coalesce-reads"]),
        ["one segment: map".to_owned(), inner]
    );
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
fn wrong_programs_are_errors() {
    let folder = Folder::new("explain_wrong").with("a.dsl", "entry main = x").with("b.dsl", "entry main = 1");
    folder.ravel(&["explain", "a.dsl"], "").fails_with(1, "Unknown name \"x\"");
    folder.ravel(&["explain", "none.dsl"], "").fails_with(1, "cannot read none.dsl");
    folder
        .ravel(&["explain", "b.dsl"], "")
        .gives("0 parallel operators in the source, 0 constructs in the optimised program.\n");
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
