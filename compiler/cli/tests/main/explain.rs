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
        .with("apart.dsl", STEP.replace("UPDATING", "updating"))
        .with("copied.dsl", STEP.replace("UPDATING", "(copy updating)"));
    let apart = folder.ravel(&["explain", "apart.dsl"], "");
    assert_eq!((apart.code, apart.err.as_str()), (Some(0), ""));
    let told = apart.text();
    assert!(told.starts_with("3 parallel operators became 2 constructs.\n"), "{told}");
    assert!(told.contains("^ `updating` is consumed here\n"), "{told}");
    assert!(told.contains("F1 did not fire with the scatter at 3:17"), "{told}");
    assert!(told.contains("requires target-not-read: "), "{told}");
    assert_eq!(told.matches("= F0 fired\n").count(), 2, "{told}");
    assert!(told.contains("makes `found`, since construct 2 reads it"), "{told}");
    assert!(told.is_ascii() && !told.contains('\u{1b}'), "{told}");
    for machine in ["cpu", "gpu"] {
        let copied = folder.ravel(&["explain", "--backend", machine, "copied.dsl"], "");
        let told = copied.text();
        assert!(told.starts_with("3 parallel operators became 1 construct.\n"), "{told}");
        assert!(!told.contains("did not fire"), "{told}");
    }
}

#[test]
fn programs_are_told_in_json() {
    let folder = Folder::new("explain_json").with("a.dsl", STEP.replace("UPDATING", "updating"));
    let told = folder.ravel(&["explain", "--json", "a.dsl"], "");
    let told: serde_json::Value = serde_json::from_str(told.text()).expect("it is JSON");
    let names = told["operators"].as_array().expect("operators").iter().map(|operator| &operator["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["map", "scatter", "scatter"]);
    let [map, visited, updating] = [0, 1, 2].map(|at| &told["operators"][at]);
    assert!(visited["at"].as_str().is_some_and(|at| at.starts_with("a.dsl:3:17-")), "{visited:#}");
    assert_eq!((&map["constructs"], &updating["constructs"]), (&json!([1]), &json!([2])), "{told:#}");
    let refused = &updating["refused"][0];
    assert_eq!(refused["premise"], "target-not-read", "{updating:#}");
    assert_eq!(refused["because"], "`updating` is consumed here", "{updating:#}");
    assert_eq!(told["constructs"][0]["form"], "screma { write map }", "{told:#}");
}

#[test]
fn an_entry_point_that_is_asked_for_is_there() {
    let folder =
        Folder::new("explain_entry").with("a.dsl", "entry one = i64.sum (iota 9)\nentry two = 2i32\n");
    let explain = |entry| folder.ravel(&["explain", "--entry", entry, "a.dsl"], "");
    assert!(explain("two").text().starts_with("0 parallel operators"), "{}", explain("two").text());
    explain("three").fails_with(1, "error: there is no entry point `three`; there is `one`, `two`");
}

/// Why one operator that reads what another one makes, as it is seen, is not one with it: each program has a premise
/// that does not hold, and what the operator that reads is called.
#[test]
fn a_view_that_stops_fusion_is_told_where_it_is_read() {
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
        let folder = Folder::new(&format!("seen_{at}")).with("a.dsl", program);
        let told = folder.ravel(&["explain", "--json", "a.dsl"], "");
        let told: serde_json::Value = serde_json::from_str(told.text()).expect("it is JSON");
        let operators = told["operators"].as_array().expect("operators").iter();
        for reader in operators.filter(|found| found["name"] == operator && found["constructs"] != json!([1]))
        {
            let refused = reader["refused"].as_array().expect("refusals").iter();
            let between: Vec<_> = refused.filter(|refused| !refused["with"].is_null()).collect();
            let premises = between.iter().map(|refused| &refused["premise"]);
            assert!(!between.is_empty() && premises.into_iter().all(|told| told == premise), "{told:#}");
        }
    }
}

/// The rules of branches stand on the branch, and each side has segments of its own.
#[test]
fn what_moved_into_a_branch_is_told_with_the_segments_of_each_side() {
    let folder = Folder::new("explain_branch")
        .with("into.dsl", "entry main [n] (xs: [n]i64) (c: bool) =\n  let ys = map (+ 1) xs in if c then i64.sum ys else i64.maximum ys")
        .with("behind.dsl", "entry main [n] (xs: [n]i64) (c: bool) =\n  let zs = if c then map (+ 1) xs else map (* 2) xs in i64.sum zs");
    for (file, rule, operator) in [("into.dsl", "map-branch", "map"), ("behind.dsl", "branch-map", "i64.sum")]
    {
        let told = folder.ravel(&["explain", file], "");
        let head = format!("\n{operator}: part of constructs 1 and 2\n");
        let (_, operator) = told.text().split_once(&head).expect("it is in both sides");
        let (operator, _) = operator.split_once("\n\n").expect("the next operator");
        assert!(operator.contains(&format!("= {rule} fired\n")), "{}", told.text());
        assert_eq!(told.text().matches("runs as one segment: reduce\n").count(), 2, "{}", told.text());
    }
    let partition = "entry main [n] (xs: [n]i64) = let (a, b) = partition (> 2) xs in (i64.sum a, i64.sum b)";
    let told = folder.with("a.dsl", partition).ravel(&["explain", "--json", "a.dsl"], "");
    let told: serde_json::Value = serde_json::from_str(told.text()).expect("it is JSON");
    let segments = told["constructs"].as_array().expect("constructs").iter().map(|found| &found["segments"]);
    let wanted = [json!(["scan", "reduce"]), json!(["reduce"])];
    assert!(segments.eq(&wanted), "{told:#}");
}

/// What would be made again, and what no rule goes through, is said where an array is made.
#[test]
fn what_needs_an_array_says_why_it_does_not_make_it_itself() {
    let cases = [
        (
            "let ys = map (+ 1) xs in loop s = 0 for _i < k do s + i64.sum (map (* s) ys)",
            "reads it in every round of a loop, where it would be made again",
        ),
        (
            "let ys = map (+ 1) xs in map (\\x -> i64.sum (map (* x) ys)) xs",
            "reads it at every point of construct 2, where it would be made again",
        ),
        (
            "i64.sum (concat (map (* 2) xs) (map (* 3) xs))",
            "joins it with others, and no rule goes through that",
        ),
        ("loop s = 0 for _i < k do s + i64.sum (scan (+) s xs)[1:]", "sees it in another form\n"),
        ("(map (+ 1) xs, k)", "since it is a result\n"),
        (
            "map (\\x -> let ys = map (+ x) xs in ys[x % n]) xs",
            "= `ys` of construct 2 is made, since construct 1 reads it at places of its own",
        ),
    ];
    for (at, (program, why)) in cases.into_iter().enumerate() {
        let program = format!("entry main [n] (k: i64) (xs: [n]i64) = {program}");
        let folder = Folder::new(&format!("needed_{at}")).with("a.dsl", program);
        let told = folder.ravel(&["explain", "a.dsl"], "");
        assert!(told.text().contains(why), "{}", told.text());
        assert_eq!(told.text().contains("made again"), why.contains("made again"), "{}", told.text());
    }
}

/// The operator that reads says so too, also of what is joined on the way.
#[test]
fn what_reads_an_array_that_is_made_says_why_it_does_not_make_it_itself() {
    let again = "= `ys` of construct 1 is made, since construct 2 reads it in every round of a loop";
    let cases = [
        ("let ys = map (+ 1) xs in loop s = 0 for _i < k do s + i64.sum (map (* s) ys)", again, 1),
        (
            "i64.sum (concat (map (* 2) xs) (map (* 3) xs))",
            "of construct 1 is made, since what stands at ",
            1,
        ),
        ("i64.sum (scan (+) 0 xs)", "is made, since", 0),
    ];
    for (at, (program, why, times)) in cases.into_iter().enumerate() {
        let program = format!("entry main [n] (k: i64) (xs: [n]i64) = {program}");
        let folder = Folder::new(&format!("kept_{at}")).with("a.dsl", program);
        let told = folder.ravel(&["explain", "a.dsl"], "");
        let (_, reader) = told.text().split_once("\ni64.sum: ").expect("it is an operator");
        let (reader, _) = reader.split_once("\n\n").expect("something follows");
        assert_eq!(reader.matches(why).count(), times, "{}", told.text());
    }
}

/// Where two rules draw on one picture, each says what is its own; and of several constructs at a place, none is named.
#[test]
fn reasons_of_several_rules_say_which_they_are_of() {
    let program =
        "entry main [n] (xs: [n]i64) = let (a, b) = partition (> 2) xs in (i64.sum a[:n/3], i64.sum b)";
    let folder = Folder::new("explain_several").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    let told = told.text();
    assert!(told.contains("assert-true: the check stays, since it is not known to hold"), "{told}");
    assert!(told.contains("; map-slice: it is not produced by a map alone"), "{told}");
    assert!(told.contains("map-slice did not fire with the partition at 1:44\n"), "{told}");
}

/// What loops do with the memory of the arrays of a round is told at what makes these.
#[test]
fn a_time_loop_that_makes_an_array_in_each_round_says_why() {
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
    let told = folder.ravel(&["explain", "twice.dsl"], "");
    let told = told.text();
    assert!(told.contains("= start-copied did not fire\n    it requires later: "), "{told}");
    assert!(
        told.contains(" start-copied: `v` is not produced by the loop alone, or yielded twice\n"),
        "{told}"
    );
    for (file, copied) in [("kept.dsl", true), ("own.dsl", false)] {
        let told = folder.ravel(&["explain", file], "");
        let told = told.text();
        assert!(told.contains("= swap-made fired\n") && !told.contains("swap-made did not"), "{told}");
        assert_eq!(told.contains("= start-copied fired\n"), copied, "{told}");
    }
    // That the array of a map has memory of its own is what everybody expects.
    let folder = folder.with("map.dsl", "entry main [n] (xs: [n]f64) = map (+ 1) xs");
    let told = folder.ravel(&["explain", "map.dsl"], "");
    assert!(!told.text().contains("did not fire"), "{}", told.text());
    let trace = folder.ravel(&["dev", "--trace", "map-in-place", "map.dsl"], "");
    assert!(
        trace.text().starts_with("map-in-place did not fire\nmap-in-place refused, in "),
        "{}",
        trace.text()
    );
}

/// A map that goes on as a part of another construct is told of with that, whatever view it was seen through.
#[test]
fn a_map_inside_of_what_is_seen_otherwise_is_left() {
    let program = "\
entry flat [n][m] (a: [n][m]f64): f64 = f64.sum (flatten (map (\\r -> map (\\x -> x * x) r) a))
entry turned [n][m] (a: [n][m]f64): [m]f64 = map f64.sum (transpose (map (\\r -> map (\\x -> x * x) r) a))
";
    let folder = Folder::new("explain_views").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    let told = told.text();
    assert!(told.contains("a.dsl:1:70") && told.contains("a.dsl:2:81"), "{told}");
    assert!(!told.contains("nothing is left of it"), "{told}");
}

/// What has no name is called what it is made of.
#[test]
fn an_array_that_is_also_seen_otherwise_is_named() {
    let program = "\
entry main [n] (xs: [n]i32): []i32 =
  let ys = map (* 2) xs
  in map2 (+) ys (reverse ys)
";
    let folder = Folder::new("explain_reversed").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    let told = told.text();
    assert!(
        told.contains(" `ys` is complete only after the first\n") && told.contains("it requires independent"),
        "{told}"
    );
}

/// What stays inside of an operator is told with it, once for each rule, with a caret for each place.
#[test]
fn checks_and_what_is_the_same_in_every_round_are_told_with_the_operator_around() {
    let program = "\
entry main [n] (xs: [n]i32) (k: i64): [n]i32 =
  map (\\i -> xs[i] + xs[i + k] + xs[i * k] + xs[k]) (iota n)
";
    let folder = Folder::new("explain_checks").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    let told = told.text();
    assert_eq!(told.matches("assert-true did not fire\n    it requires proved: ").count(), 1, "{told}");
    assert_eq!(told.matches("the check stays, since it is not known to hold").count(), 3, "{told}");
    assert_eq!(told.matches("hoist-scalar did not fire\n    it requires harmless: ").count(), 1, "{told}");
}

#[test]
fn operators_of_the_library_are_told_at_the_call_and_nested_ones_inside() {
    let program = "\
def rows [n] [m] (xss: [n][m]i32): [n]i32 = map i32.sum xss
entry main (xss: [][]i32): []i32 = xss |> rows |> filter (> 0)
entry idle [n] (xs: [n]i32): i64 = length (map (+ 1) xs)
";
    let folder = Folder::new("explain_calls").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl", "-e", "main"], "");
    let told = told.text();
    assert!(told.contains("\nfilter: part of construct"), "{told}");
    assert!(told.contains("\nmap: part of construct"), "{told}");
    assert!(told.contains("runs as part of construct 1,"), "{told}");
    let told = folder.ravel(&["explain", "a.dsl", "-e", "idle"], "");
    let told = told.text();
    assert!(
        told.starts_with("1 parallel operator became 0 constructs.\n\nmap: nothing is left of it\n"),
        "{told}"
    );
}

/// An operator is told by its name where it is written, once, also if another function gives it its last arguments.
#[test]
fn operators_are_told_where_they_are_written() {
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
        let folder = Folder::new(&format!("written_{at}")).with("a.dsl", &program);
        let told = folder.ravel(&["explain", "--json", "a.dsl"], "");
        let told: serde_json::Value = serde_json::from_str(told.text()).expect("it is JSON");
        let told = told["operators"].as_array().expect("operators").iter().map(|operator| {
            let name = operator["name"].as_str().expect("a name");
            (name, written_at(&program, operator["at"].as_str().expect("a place")))
        });
        assert_eq!(told.collect::<Vec<_>>(), *operators, "{exp}");
    }
}

/// What a function does, whose name an operator has, is no part of that, also where it is fused with it elsewhere.
#[test]
fn what_a_function_does_is_told_wherever_that_is() {
    let program = "\
def sum_of_squares = map (\\x -> x * x) >-> f64.sum
entry main [n] [m] (xss: [n][m]f64): ([n]f64, f64) =
  let sums = map sum_of_squares xss
  in (sums, sum_of_squares sums)
";
    let folder = Folder::new("explain_shared").with("a.dsl", program);
    let told = folder.ravel(&["explain", "--json", "a.dsl"], "");
    let told: serde_json::Value = serde_json::from_str(told.text()).expect("it is JSON");
    let operators = told["operators"].as_array().expect("operators").iter();
    let parts: Vec<_> = operators.map(|operator| &operator["constructs"]).collect();
    assert_eq!(parts, [&json!([1, 2]), &json!([1, 2]), &json!([1])], "{told:#}");
}

/// What stands at a place as messages have it: `a.dsl:1:2-3`, or `a.dsl:1:2-3:4`.
fn written_at<'p>(program: &'p str, place: &str) -> &'p str {
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
fn wrong_programs_and_unknown_rules_are_told_as_everywhere() {
    let folder = Folder::new("explain_wrong").with("a.dsl", "entry main = x").with("b.dsl", "entry main = 1");
    folder.ravel(&["explain", "a.dsl"], "").fails_with(1, "Unknown name \"x\"");
    folder.ravel(&["explain", "none.dsl"], "").fails_with(1, "cannot read none.dsl");
    folder.ravel(&["explain", "b.dsl"], "").gives("0 parallel operators became 0 constructs.\n");
    folder.ravel(&["dev", "--trace", "F9", "b.dsl"], "").fails_with(2, "there is no rule `F9`");
    for rule in ["F0", "F1"] {
        folder.ravel(&["dev", "--trace", rule, "b.dsl"], "").gives(&format!("{rule} did not fire\n"));
    }
}

/// Options of `ravel dev` that would be ignored beside others are refused.
#[test]
fn what_dev_is_asked_for_twice_is_refused() {
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
fn each_firing_is_shown_with_the_lines_that_it_took_and_put() {
    let program = "entry main (xs: []i32): i32 = i32.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("trace").with("a.dsl", program);
    let trace = folder.ravel(&["dev", "--trace", "map-reduce", "a.dsl"], "");
    let text = trace.text();
    folder
        .ravel(&["dev", "--trace", "map-reduce", "--dump-after", "sink", "a.dsl"], "")
        .fails_with(2, "cannot be used with");
    let [blank, close] = ["inline, simplify ,fuse-vertical", "inline,simplify,fuse-vertical"]
        .map(|passes| folder.ravel(&["dev", "--passes", passes, "a.dsl"], "").text().to_owned());
    assert_eq!(blank, close);
    let head = "map-reduce 1, in 05-fuse-vertical, at a.dsl:1:31-60 and a.dsl:1:39-60\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("\n  -   to map\n  - }\n  - let v9: i32 = screma v0 {\n"), "{text}");
    assert!(text.contains("\n  + let v9: i32 = screma v0 {\n      from xs_1\n"), "{text}");
    assert_eq!(text.matches("map-reduce ").count(), 1, "{text}");
}

#[test]
fn a_dump_says_what_fired_and_goes_on_from_any_pass() {
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
    assert!(dump.starts_with("-- a.dsl behind fuse-vertical\n-- map-reduce fired (1)\n"), "{dump}");
    replays(&folder, &dump, folder.ravel(&["dev", "a.dsl"], "").text());
}

/// A view is no operator: who reads it tells of it.
#[test]
fn a_stencil_is_told_that_its_elements_would_be_made_several_times() {
    let program = "\
entry main [n] (xs: [n]i32): [n]i32 =
  let ys = map (\\x -> x * x + 1) xs
  in map2 (+) (rotate 1 ys) (reverse ys)
";
    let folder = Folder::new("stencil").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    assert_eq!(told.code, Some(0), "{}", told.err);
    let text = told.text();
    let (map, reader) = text.split_once("\nmap2: ").expect("the map comes first");
    assert!(!map.contains("is read through a view"), "{text}");
    assert_eq!(reader.matches("`ys` is read through a view here, and has another use").count(), 2, "{text}");
    assert!(reader.contains("= map-slice did not fire with the map at 2:12"), "{text}");
    assert!(reader.contains("it requires used-once: "), "{text}");
}

#[test]
fn what_lowering_did_is_counted_before_the_first_pass() {
    let program =
        "entry main (xs: *[]i32) (is: []i64) = scatter (scatter xs is (map i32.i64 is)) is (map i32.i64 is)";
    let folder = Folder::new("lowering").with("a.dsl", program);
    let dumped = folder.ravel(&["dev", "--dump-all", "out", "--time-passes", "a.dsl"], "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    assert!(dumped.err.contains("F0 fired (2)\ninline "), "{}", dumped.err);
    let trace = folder.ravel(&["dev", "--trace", "F0", "a.dsl"], "");
    assert!(trace.text().starts_with("F0 1, in lowering, at a.dsl:1:47-78\n  + let v"), "{}", trace.text());
    assert_eq!(trace.text().matches("\nF0 2, in lowering, at a.dsl:1:").count(), 1, "{}", trace.text());
    let first = folder.read("out/00-before.core").expect("what the passes were given");
    assert!(first.starts_with("-- a.dsl before inline\n-- F0 fired (2)\n"), "{first}");
}

/// Holds that the commands in the header of a dump give what they say: the dump, and the whole.
/// They are commands of a shell.
fn replays(folder: &Folder, dump: &str, whole: &str) {
    let commands: Vec<&str> = dump.lines().filter_map(|line| line.strip_prefix("-- to ")).collect();
    assert_eq!(commands.len(), 2, "{dump}");
    for line in commands {
        let (what, command) = line.split_once(": ravel ").expect("a command");
        let arguments = arguments(command);
        let again = folder.ravel(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        if what == "see it again" {
            let body: Vec<&str> = dump.lines().filter(|line| !line.starts_with("--")).collect();
            assert_eq!(again.text().trim_end(), body.join("\n"));
        } else {
            again.gives(whole);
        }
    }
}

/// The arguments of a command as a shell reads them.
fn arguments(command: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {command}");
    let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    String::from_utf8_lossy(&shell.stdout).lines().map(str::to_owned).collect()
}

/// With the fuel that is left, for the same machine, the passes that were wanted, whatever the folder is called.
#[test]
fn a_dump_says_all_that_it_takes_to_see_it_again() {
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
        let mut seen = 0;
        for file in files {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let dump = folder.read(&format!("{out}/{name}")).expect("a dump");
            if dump.lines().filter(|line| line.starts_with("-- to ")).count() == 2 && name.ends_with(".core")
            {
                replays(&folder, &dump, whole.text());
                seen += 1;
            }
        }
        assert!(seen > 0, "{options:?} changed nothing");
    }
}

/// Without its rule, a construct stays; the program gives the same on every backend.
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
        let ran =
            folder.ravel(&[&["run", "--stats", "a.dsl", "--backend", "gpu"], options].concat(), "[1, 2, 3]");
        assert_eq!(ran.text(), "14i64\n", "{}", ran.err);
        ran.err.lines().find_map(|line| line.strip_prefix("launches: ")?.parse::<u32>().ok())
    };
    assert!(launches(&["--without", "map-reduce"]) > launches(&[]));
    let swap = "entry main (k: i64) (xs: *[]f64): *[]f64 = loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("without_swap").with("a.dsl", swap);
    let off = ["--without", "swap-made"];
    let run = |options: &[&str]| folder.ravel(&[&["run", "a.dsl"], options].concat(), "9i64 [1.0, 2.0]");
    assert_eq!(run(&[]).text(), run(&off).text());
    let kernel = |options: &[&str]| {
        let emitted = folder.ravel(&[&["dev", "--emit", "kernel", "a.dsl"], options].concat(), "");
        emitted.text().to_owned()
    };
    assert_ne!(kernel(&[]), kernel(&off));
}

/// Passes over kernel IR are run, watched and stopped as those over core IR are.
#[test]
fn passes_over_memory_are_replayed_traced_and_stopped_too() {
    let program =
        "entry main [n] (k: i64) (xs: *[n]f64): *[n]f64 =\n  loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("memory_passes").with("a.dsl", program);
    let whole = folder.ravel(&["dev", "--emit", "kernel", "a.dsl"], "");
    assert_eq!(folder.ravel(&["dev", "--dump-all", "out", "a.dsl"], "").code, Some(0));
    let files = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let name =
        names.into_iter().find(|name| name.ends_with("-swap.kernel")).expect("the pass has changed it");
    let dump = folder.read(&format!("out/{name}")).expect("a dump");
    assert!(dump.starts_with("-- a.dsl behind swap\n-- swap-made fired (1)\n"), "{dump}");
    replays(&folder, &dump, whole.text());
    let trace = folder.ravel(&["dev", "--trace", "swap-made", "a.dsl"], "");
    let number = name.trim_end_matches("-swap.kernel");
    let head = format!("swap-made 1, in {number}-swap, at a.dsl:2:");
    assert!(trace.text().starts_with(&head), "{}", trace.text());
    assert!(trace.text().contains("\n  -   alloc "), "{}", trace.text());
    // All that core IR takes and one firing more.
    let fired = |form: &str, fuel: &str| {
        folder.ravel(&["dev", "--fuel", fuel, "--emit", form, "a.dsl"], "").text().to_owned()
    };
    let enough =
        (0..).find(|fuel| fired("core", &fuel.to_string()) == fired("core", "1000")).expect("a number");
    let [none, one] = [enough, enough + 1].map(|fuel: u32| fired("kernel", &fuel.to_string()));
    assert!(none != one, "a firing more changes nothing:\n{one}");
    let named =
        folder.ravel(&["dev", "--passes", "inline,simplify,hoist,swap", "--emit", "kernel", "a.dsl"], "");
    named.gives(whole.text());
    let alone = folder.ravel(&["dev", "--passes", "reuse", "a.dsl"], "");
    assert!(alone.text().starts_with("entry \"main\" ["), "{}", alone.text());
    folder.ravel(&["dev", "--dump-after", "swap", "a.dsl"], "").gives(
        &dump
            .lines()
            .filter(|line| !line.starts_with("--"))
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
}

#[test]
fn kernel_text_that_is_not_lawful_is_an_error_and_makes_no_core_ir() {
    let lawful = "entry \"main\" [] (k: i64) -> (i64) {\n  yield k\n}\n";
    let folder = Folder::new("kernel_text").with("a.kernel", lawful).with("b.kernel", "entry main [");
    let folder = folder.with("c.kernel", lawful.replace("yield k", "yield 1.0f64"));
    assert_eq!(folder.ravel(&["dev", "--from", "reuse", "a.kernel"], "").code, Some(0));
    folder.ravel(&["dev", "--from", "reuse", "b.kernel"], "").fails_with(1, "--> b.kernel:1:");
    folder.ravel(&["dev", "--from", "reuse", "c.kernel"], "").fails_with(1, "this is no lawful kernel IR");
    let core = ["dev", "--from", "reuse", "--emit", "core", "a.kernel"];
    folder.ravel(&core, "").fails_with(2, "no core IR is made of kernel IR");
}

/// What the operators of a program with horizontal fusion say, each on its own.
fn told_apart(text: &str) -> Vec<String> {
    let folder = Folder::new("explain_apart").with("a.dsl", text);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    told.text().split("\n\n").map(str::to_owned).collect()
}

fn of<'t>(told: &'t [String], place: &str) -> &'t str {
    let place = format!("--> a.dsl:{place}\n");
    told.iter().find(|operator| operator.contains(&place)).expect("the operator is told")
}

#[test]
fn why_a_view_does_not_fuse_is_told_where_it_is_read_and_names_what_is_seen() {
    let told = told_apart(
        "entry main [n] (xs: [n]i64) (ys: [n]i64) =
  let grid = map (\\x -> map (* x) ys) xs
  let rows = map i64.sum grid
  let columns = map i64.sum (transpose grid)
  let others = map (+ 1) ys
  in (rows, columns, others, grid)
",
    );
    let columns = of(&told, "4:17");
    assert!(columns.contains("`grid` is read through a view here"), "{columns}");
    for place in ["2:14", "3:14", "5:16"] {
        assert!(!of(&told, place).contains("is read through a view"), "{}", of(&told, place));
    }
}

#[test]
fn an_array_is_needed_by_the_operator_that_reads_it_and_not_by_what_is_fused_with_that() {
    let told = told_apart(
        "entry main [n] (xs: [n]i64) =
  let s = scan (+) 0 xs
  let w = map (\\i -> if i > 0 then s[i - 1] else 0) (iota n)
  let u = map (* 2) xs
  in (s, w, u)
",
    );
    let reason = "is made, since construct 2 reads it at places of its own";
    assert!(of(&told, "3:11").contains(reason), "{}", of(&told, "3:11"));
    assert!(!of(&told, "4:11").contains(reason), "{}", of(&told, "4:11"));
}

#[test]
fn what_a_filter_keeps_is_an_array_that_is_made() {
    let told =
        told_apart("entry main (xs: []i64) = let kept = filter (> 3) xs in (kept, i64.maximum kept)\n");
    let construct = told.last().expect("constructs");
    assert!(
        construct.contains(", since it is a result") || construct.contains("since what stands"),
        "{construct}"
    );
}

#[test]
fn two_copies_of_one_operator_are_told_of_each_other() {
    let fused = "def f [n] (xs: [n]i64) = map (+ 1) xs entry main [n] (xs: [n]i64) = f (f xs)";
    let apart = "def f [n] (xs: [n]i64) = map (\\i -> xs[(i + 1) % n]) (iota n) entry main [n] (xs: [n]i64) = f (f xs)";
    let folder = Folder::new("explain_copies").with("fused.dsl", fused).with("apart.dsl", apart);
    let told = folder.ravel(&["explain", "fused.dsl"], "");
    assert!(told.text().contains("= map-map fired, with another copy of it\n"), "{}", told.text());
    let told = folder.ravel(&["explain", "apart.dsl"], "");
    assert!(told.text().contains("= horizontal did not fire with another copy of it\n"), "{}", told.text());
}
