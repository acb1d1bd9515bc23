//! `ravel explain` reports a reason at the operator where a reader looks for it. That is the consumer that was not fused,
//! even if other operators were fused into the construct later. The caret is on the cause.

use serde_json::Value;

use crate::support::Folder;

/// The report on a program, as JSON.
fn report(name: &str, program: &str) -> Value {
    let folder = Folder::new(&format!("refusal_places_{name}")).with("a.dsl", program);
    let report = folder.ravel(&["explain", "--json", "a.dsl"], "");
    serde_json::from_str(report.text()).expect("it is JSON")
}

/// The operator that begins at a place.
fn operator<'t>(report: &'t Value, place: &str) -> &'t Value {
    let place = format!("a.dsl:{place}-");
    let mut operators = report["operators"].as_array().expect("operators").iter();
    let is_there = |operator: &&Value| operator["at"].as_str().is_some_and(|at| at.starts_with(&place));
    operators.find(is_there).unwrap_or_else(|| panic!("nothing at {place}: {report:#}"))
}

/// The refusals between an operator and the one that begins at another place.
fn between<'t>(operator: &'t Value, with: &str) -> Vec<&'t Value> {
    let with = format!("a.dsl:{with}-");
    let refused = operator["refused"].as_array().expect("refusals").iter();
    refused.filter(|refused| refused["with"].as_str().is_some_and(|at| at.starts_with(&with))).collect()
}

/// A program in which two operators are not fused, and the reason.
struct SeparateOperators {
    name: &'static str,
    program: &'static str,
    /// The operator that reports it, and the other one.
    reader: &'static str,
    producer: &'static str,
    /// The premise, the reason, and its place.
    premise: &'static str,
    because: &'static str,
    at: &'static str,
    /// An operator of the same construct that does not report it.
    silent: Option<&'static str>,
}

const SEPARATE: &[SeparateOperators] = &[
    SeparateOperators {
        name: "consumed",
        program: "\
entry main [n] (v: *[n]i64) (xs: [n]i64) =
  let ys = map (+ 1) v
  let v = scatter v xs xs
  let zs = map2 (+) ys v
  in i64.sum zs",
        reader: "4:12",
        producer: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-25",
        silent: Some("5:6"),
    },
    SeparateOperators {
        name: "updated",
        program: "\
entry main [n] (v: *[n]f64) (i: i64) =
  let ys = map (+ 1) v
  let v = v with [i] = 0
  in f64.sum (map2 (*) ys v)",
        reader: "4:14",
        producer: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-24",
        silent: Some("4:6"),
    },
    SeparateOperators {
        name: "filtered",
        program: "\
entry main [n] (v: *[n]i64) (xs: [n]i64) =
  let ys = map (+ 1) v
  let v = scatter v xs xs
  let zs = map2 (+) ys v
  in filter (> 3) zs",
        reader: "4:12",
        producer: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-25",
        silent: Some("5:6"),
    },
    SeparateOperators {
        name: "mean",
        program: "\
entry main [n] (xs: [n]f64) =
  let ys = map f64.log xs
  let mean = f64.sum ys / f64.i64 n
  in f64.sum (map (\\y -> (y - mean) ** 2) ys)",
        reader: "4:14",
        producer: "3:14",
        premise: "independent",
        because: "`mean` is complete only after the first",
        at: "3:14-35",
        silent: Some("4:6"),
    },
    SeparateOperators {
        name: "scanned",
        program: "\
entry main [n] (xs: [n]f64) =
  let walk = scan (+) 0 xs
  let top = scan f64.max f64.lowest walk
  in f64.maximum (map2 (-) top walk)",
        reader: "3:13",
        producer: "2:14",
        premise: "one-scan",
        because: "`walk` is used before a second scan here",
        at: "3:18-24",
        silent: Some("4:6"),
    },
    SeparateOperators {
        name: "beside_scan",
        program: "\
entry main [n] (xs: [n]i64) =
  let total = i64.sum xs
  let walk = scan (+) 0 xs
  in (total, walk)",
        reader: "3:14",
        producer: "2:15",
        premise: "no-scan",
        because: "`walk` is the result of a scan",
        at: "3:14-26",
        silent: None,
    },
    SeparateOperators {
        name: "beside_histogram",
        program: "\
entry main [n] (xs: [n]i64) =
  let total = i64.sum xs
  let counts = hist (+) 0 10 xs xs
  in (total, counts)",
        reader: "3:16",
        producer: "2:15",
        premise: "same-parallelism",
        because: "`counts` is combined in the order of the points",
        at: "3:16-34",
        silent: None,
    },
    SeparateOperators {
        name: "chunks",
        program: "\
entry main [n] (xs: [n]i64) =
  let ys = stream_map (\\m (c: [m]i64) -> map (+ c[0]) c) xs
  let zs = scan (+) 0 ys
  in zs",
        reader: "3:12",
        producer: "2:12",
        premise: "in-chunks",
        because: "`zs` cannot be computed in chunks",
        at: "3:12-24",
        silent: None,
    },
    SeparateOperators {
        name: "empty_chunk",
        program: "\
entry main [n] (xs: [n]i64) =
  let ys = stream_map (\\m (c: [m]i64) -> map (+ c[0]) c) xs
  let total = stream_red (+) (\\m (c: [m]i64) -> i64.sum c) ys
  in total",
        reader: "3:15",
        producer: "2:12",
        premise: "no-empty-chunk",
        because: "the chunks of `ys` are never empty",
        at: "2:12-59",
        silent: None,
    },
    SeparateOperators {
        name: "whole",
        program: "\
entry main [n] (r: f64) (xs: [n]f64) =
  let grid = map (* r) xs
  let smooth = map (\\j -> (grid[i64.max 0 (j - 1)] + grid[j]) / 2) (iota n)
  in f64.sum smooth",
        reader: "3:16",
        producer: "2:14",
        premise: "pointwise",
        because: "`grid` is not read element by element here",
        at: "3:28-50",
        silent: Some("4:6"),
    },
    SeparateOperators {
        name: "branch",
        program: "\
entry main [n] (xs: [n]i64): (i64, i64) =
  let squares = map (\\x -> x * x) xs
  let total = if n > 3 then i64.sum squares else 0
  in (total, squares[0])",
        reader: "3:29",
        producer: "2:17",
        premise: "one-side",
        because: "`squares` is needed elsewhere",
        at: "4:14-23",
        silent: None,
    },
    SeparateOperators {
        name: "beside",
        program: "\
entry main [n] (a: [n]i64) (f: i64) =
  let (g, h) = unzip (map (\\x -> (x, x * f)) a)
  in (scatter (copy g) h a, map (\\i -> h[i / 2]) (iota n))",
        reader: "3:7",
        producer: "2:22",
        premise: "independent",
        because: "`g` is complete only after the first",
        at: "3:15-22",
        silent: Some("3:29"),
    },
    SeparateOperators {
        name: "kept",
        program: "\
entry main (xs: []i64) =
  let big = filter (> 100) xs
  in (stream_red (+) (\\m (c: [m]i64) -> reduce (+) 0 (map (\\x -> x * x) c)) big, length big)",
        reader: "3:7",
        producer: "2:13",
        premise: "one-map",
        because: "`big` is not produced by a map alone",
        at: "2:13-29",
        silent: Some("3:41"),
    },
    SeparateOperators {
        name: "view",
        program: "\
entry main [n] (xs: [n][n]i64) =
  let ys = map (scan (+) 0) xs
  in map (\\row -> i64.sum (map (+ 1) row)) (transpose ys)",
        reader: "3:6",
        producer: "2:12",
        premise: "perfect-nest",
        because: "`ys` is read through a view here that has more dimensions than its maps",
        at: "3:44-57",
        silent: Some("3:19"),
    },
];

#[test]
fn a_reason_is_at_the_consumer_with_the_caret_on_the_cause() {
    for case in SEPARATE {
        let report = report(case.name, case.program);
        let refused = between(operator(&report, case.reader), case.producer);
        let [refused] = refused[..] else { panic!("{}: {refused:#?} of {report:#}", case.name) };
        assert_eq!(refused["premise"], case.premise, "{}: {report:#}", case.name);
        assert_eq!(refused["because"], case.because, "{}: {report:#}", case.name);
        assert_eq!(refused["at"], format!("a.dsl:{}", case.at), "{}: {report:#}", case.name);
        if let Some(silent) = case.silent {
            let wrong = between(operator(&report, silent), case.producer);
            assert!(wrong.is_empty(), "{}: {wrong:#?} of {report:#}", case.name);
        }
    }
}

/// Reasons that concern a single operator: the premise, the reason and its place.
#[test]
fn a_reason_of_one_operator_has_its_caret_on_the_cause() {
    let cases = [
        (
            "branch",
            "entry main [n] (a: [n]i64) (c: bool) =
  let d = map (\\x -> x - 1) a
  in if c then map2 (+) d a else d",
            "2:11",
            ("pointwise", "`d` is not read element by element here", "3:6-34"),
        ),
        (
            "branch_index",
            "entry main [n] (a: [n]i64) (c: bool) =
  let d = map (\\x -> x - 1) a
  in if c then map2 (+) d a else map (\\x -> x + d[0]) d",
            "2:11",
            ("pointwise", "`d` is not read element by element here", "3:49-52"),
        ),
        (
            "branches",
            "entry main [n] (xs: [n]f64) (m: i32) =
  let ys = map f64.exp xs
  in match m case 0 -> f64.sum ys case 1 -> f64.maximum ys case _ -> ys[0]",
            "2:12",
            ("pointwise", "`ys` is not read element by element here", "3:70-74"),
        ),
        (
            "view",
            "entry main [n] (k: i64) (xs: [n]i64) = (map (+ 1) xs)[::k]",
            "1:40",
            ("no-repeat", "it is sliced here", "1:40-58"),
        ),
        (
            "loop",
            "entry main [n] (u: [n]f64) (k: i64) =
  loop u for _i < k do map2 (+) u (reverse u)",
            "2:24",
            (
                "pointwise",
                "an iteration uses `u` other than element by element, or the loop also carries something else",
                "2:35-45",
            ),
        ),
    ];
    for (name, program, place, (premise, because, at)) in cases {
        let report = report(name, program);
        let refused = operator(&report, place)["refused"].as_array().expect("refusals");
        let found = refused.iter().find(|refused| refused["premise"] == premise).expect("it is reported");
        assert_eq!(found["because"], because, "{report:#}");
        assert_eq!(found["at"], format!("a.dsl:{at}"), "{report:#}");
    }
}

/// Only arrays are materialised, not scalars, and every array has a use.
#[test]
fn materialised_arrays_have_uses() {
    let cases = [
        (
            "stream_scalar",
            "let f = stream_red (+) (\\k (ys: [k]i64) -> i64.sum ys) xs in map (* f) xs",
            vec!["it is a result"],
        ),
        ("written", "let ys = map (+ 1) xs in scatter ys is xs", vec!["construct 2 writes into it"]),
        (
            "combined",
            "let ys = map (+ 1) xs in reduce_by_index ys (+) 0 is xs",
            vec!["construct 2 combines into it"],
        ),
        (
            "streamed",
            "let ys = scan (+) 0 xs in stream_red (+) (\\k (c: [k]i64) -> i64.sum c) ys",
            vec!["construct 2 reads it"],
        ),
        ("filtered", "let ys = filter (> 0) xs in (ys, length ys)", vec!["it is a result"]),
        (
            "parts",
            "let (a, b) = partition (> 0) xs in (i64.maximum b, a)",
            vec!["construct 2 reads it", "construct 2 reads it", "it is a result", "construct 3 reads it"],
        ),
        (
            "looped",
            "let ys = map (+ 1) xs in loop ys for i < n do ys with [i] = 0",
            vec!["the expression at a.dsl:1:69-104 takes it as initial value"],
        ),
        (
            "copied",
            "let ys = map (+ 1) xs in (scatter (copy ys) is xs, ys)",
            vec!["the expression at a.dsl:1:78-86 copies it, it is a result"],
        ),
    ];
    for (name, program, wanted) in cases {
        let report = report(name, &format!("entry main [n] (xs: [n]i64) (is: [n]i64) = {program}"));
        let constructs = report["constructs"].as_array().expect("constructs").iter();
        let arrays = constructs.flat_map(|construct| construct["arrays"].as_array().expect("arrays"));
        let uses = arrays.map(|array| {
            let reasons = array["because"].as_array().expect("reasons").iter();
            reasons.map(|reason| reason.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(uses.collect::<Vec<_>>(), wanted, "{name}: {report:#}");
    }
}

/// Several constructs of one library operator are not reported as copies of it. A construct of a single operator is not
/// reported with a rest. A consumer that uses an array twice is named once.
#[test]
fn operators_and_constructs_are_named_precisely() {
    let folder = Folder::new("refusal_places_named")
        .with("filter.dsl", "entry main (xs: []i64) = filter (> 3) (map (+ 1) xs)")
        .with("partition.dsl", "entry main (xs: []i64) = partition (> 3) xs")
        .with(
            "alone.dsl",
            "entry main [n] (v: *[n]i64) (xs: [n]i64) = let ys = map (+ 1) v let v = scatter v xs xs in map2 (+) ys v",
        )
        .with(
            "twice.dsl",
            "entry main [n] (xs: [n]i64) =\n  let ys = scan (+) 0 xs in map2 (\\y i -> y + ys[i / 2]) ys (iota n)",
        )
        .with("lib.dsl", "def sums [n] (xs: [n]i64) = i64.sum xs")
        .with("files.dsl", "import \"lib\"\nentry main [n] (xs: [n]i64) = sums (map (+ 1) xs)");
    let report = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    for file in ["filter.dsl", "partition.dsl"] {
        assert!(!report(file).contains("another copy"), "{}", report(file));
    }
    let alone = report("alone.dsl");
    assert!(alone.contains(" did not fire with the map at 1:53\n"), "{alone}");
    assert!(!alone.contains("the rest of"), "{alone}");
    let twice = report("twice.dsl");
    assert!(twice.contains("because construct 2 reads it and reads it at computed indices\n"), "{twice}");
    let files = report("files.dsl");
    assert!(files.contains("= map-reduce fired, with the i64.sum at lib.dsl:1:29\n"), "{files}");
    assert!(files.contains("= map-reduce fired, with the map at files.dsl:2:36\n"), "{files}");
}

/// Names generated by the compiler or the library are not reported, nor are views inside library operators.
#[test]
fn names_and_reasons_are_those_of_the_program() {
    let folder = Folder::new("refusal_places_names")
        .with(
            "section.dsl",
            "entry main [n] (xs: [n]f64) = let ys = map (+ 1) xs in map (/ f64.sqrt (f64.sum ys)) ys",
        )
        .with(
            "flatmap.dsl",
            "entry main [n] (ks: [n]i64) = i64.sum (flatmap' (\\k -> map (* k) (iota k)) ks).3",
        )
        .with(
            "filter.dsl",
            "entry main (xs: []i64) = let ys = map (* 3) (filter (> 0) xs) in (i64.sum ys, ys)",
        );
    let report = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    let section = report("section.dsl");
    assert!(section.contains(" it is complete only after the first\n"), "{section}");
    for file in ["flatmap.dsl", "filter.dsl"] {
        assert!(
            !report(file).contains("map-check did not") && !report(file).contains("map-slice did not"),
            "{}",
            report(file)
        );
    }
}

/// The function is called in both maps, and not inlined by lowering.
const CALLED: &str = "\
def relax [n] (k: f64) (xs: [n]f64): [n]f64 =
  let sums = scan (+) 0 xs
  let lag = map (\\i -> if i > 1 then sums[i - 2] * k + xs[i / 2] * 0.5 else sums[i] - k * xs[n - 1 - i]) (iota n)
  let top = scan f64.max 0 (map2 (\\a b -> a * b + f64.sqrt (f64.abs (a - b)) + f64.exp (-a) * f64.log (1 + b)) lag sums)
  in map3 (\\a b c -> if a > b then (a - c) * (b - c) / (a + b + 1) else (a + b) * (a - b) * c - b / (c + 1)) top lag sums
entry main [m] [n] (xss: [m][n]f64) (yss: [m][n]f64) =
  (map (relax 1) xss, map (relax 2) yss)
";

/// The operators of a called function are inside the caller's construct, and not fused with it. An operator fused into the
/// chunks of a stream is part of the stream's construct.
#[test]
fn operators_inside_a_construct_are_not_fused_with_it() {
    let called = report("called", CALLED);
    for place in ["7:4", "7:23"] {
        let map = operator(&called, place);
        assert_eq!(map["constructs"], serde_json::json!([1]), "{map:#}");
        let fired: Vec<_> =
            map["fired"].as_array().into_iter().flatten().map(|fired| &fired["rule"]).collect();
        assert_eq!(fired, ["horizontal", "segment-map", "split-index"], "{map:#}");
    }
    for place in ["2:14", "3:13", "4:13", "4:28", "5:6"] {
        let text = operator(&called, place).to_string();
        assert!(!text.contains("a.dsl:7:"), "{text}");
    }
    let kept = operator(&called, "3:13")["materialised"].as_array().expect("reasons");
    assert_eq!(kept.len(), 1, "a reason of both calls is reported once: {kept:#?}");
    let streamed = report(
        "chunks",
        "entry main [n] (xs: [n]f64) =\n  let ys = stream_map (\\m (c: [m]f64) -> map (/ f64.i64 m) (scan (+) 0 c)) xs\n  in f64.sum (map (* 2) ys)",
    );
    for place in ["3:6", "3:14"] {
        let reader = operator(&streamed, place);
        assert_eq!(reader["constructs"], serde_json::json!([1, 2]), "{streamed:#}");
    }
}

/// The place of an operator in a pipe does not include the steps before it.
#[test]
fn each_step_of_a_pipe_has_its_own_place() {
    let report = report(
        "pipeline",
        "entry main [n] (xs: [n]f64) =\n  (xs\n   |> map (* 2)\n   |> scan (+) 0\n   |> map (\\x -> x |> f64.sqrt)\n   |> f64.sum,\n   n)",
    );
    let names = ["3:7-15", "4:7-16", "5:7-31", "6:7-13"].map(|place| {
        let step = operator(&report, place.split_once('-').expect("a range").0);
        assert_eq!(step["at"], format!("a.dsl:{place}"), "{report:#}");
        step["name"].as_str().unwrap_or_default().to_owned()
    });
    assert_eq!(names, ["map", "scan", "map", "f64.sum"]);
    let fired = operator(&report, "4:7")["fired"].to_string();
    assert!(fired.contains("a.dsl:3:7-15") && fired.contains("a.dsl:5:7-31"), "{fired}");
}

/// An infix operator is reported by its own name, not by its first operand; names in imported files are reported.
#[test]
fn infix_operators_and_names_of_imported_files_are_reported() {
    let folder = Folder::new("refusal_places_infix")
        .with("infix.dsl", "entry main [n] (xs: [n]i32) (ys: [n]i32) = map (+ 1) xs == ys")
        .with("section.dsl", "entry main [n] (xs: [n]i32) = tabulate n \\i -> xs[i] + 1")
        .with(
            "lib.dsl",
            "def twice [n] (xs: [n]i64) = let doubled = map (* 2) xs in (scan (+) 0 doubled, doubled)",
        )
        .with("main.dsl", "import \"lib\"\nentry main [n] (xs: [n]i64) = twice xs");
    let report = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    let infix = report("infix.dsl");
    assert!(infix.contains("\n==: part of construct 1\n"), "{infix}");
    assert!(infix.contains("\nmap: part of construct 1\n"), "{infix}");
    assert!(report("section.dsl").contains("\ntabulate: part of construct 1\n"), "{}", report("section.dsl"));
    assert!(
        report("main.dsl").contains("materialises `doubled`, because it is a result"),
        "{}",
        report("main.dsl")
    );
}

/// Of many partners of a firing, some are named.
#[test]
fn of_many_partners_some_are_named() {
    let maps = (0..20).map(|at| format!("  let x{at} = map (+ {at}) xs\n")).collect::<String>();
    let names = (0..20).map(|at| format!("x{at}")).collect::<Vec<_>>().join(", ");
    let program = format!("entry main [n] (xs: [n]i64) =\n{maps}  in ({names})");
    let folder = Folder::new("refusal_places_many").with("a.dsl", program);
    let report = folder.ravel(&["explain", "a.dsl"], "");
    assert_eq!(report.text().matches(", and 11 more\n").count(), 20, "{}", report.text());
}

/// The reader of a concatenation reports why its parts are materialised, also if it reads through a view.
#[test]
fn the_reader_of_a_concatenation_reports_its_parts() {
    let report = report(
        "joined",
        "entry main [n] (xs: [n]i64) = i64.sum (reverse (concat (map (+ 1) xs) (map (* 2) xs)))",
    );
    let kept = operator(&report, "1:31")["materialised"].as_array().expect("reasons");
    let is_joined = |why: &Value| why.as_str().is_some_and(|why| why.contains("concatenates it"));
    assert!(kept.iter().any(is_joined), "{report:#}");
}

#[test]
fn a_program_without_entry_points_has_nothing_to_explain() {
    let folder =
        Folder::new("refusal_places_library").with("lib.dsl", "def twice [n] (xs: [n]i64) = map (* 2) xs");
    folder.ravel(&["explain", "lib.dsl"], "").fails_with(1, "the program has no entry point: write `entry");
}
