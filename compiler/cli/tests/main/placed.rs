//! That `ravel explain` tells a reason where a reader would ask for it: at the operator that reads what was not fused,
//! with the caret on what is to blame, whatever else has become part of the construct since.

use serde_json::Value;

use crate::support::Folder;

/// What is told of a program, as JSON.
fn told(name: &str, program: &str) -> Value {
    let folder = Folder::new(&format!("placed_{name}")).with("a.dsl", program);
    let told = folder.ravel(&["explain", "--json", "a.dsl"], "");
    serde_json::from_str(told.text()).expect("it is JSON")
}

/// The operator that begins at a place.
fn operator<'t>(told: &'t Value, place: &str) -> &'t Value {
    let place = format!("a.dsl:{place}-");
    let mut operators = told["operators"].as_array().expect("operators").iter();
    let is_there = |operator: &&Value| operator["at"].as_str().is_some_and(|at| at.starts_with(&place));
    operators.find(is_there).unwrap_or_else(|| panic!("nothing at {place}: {told:#}"))
}

/// The refusals between an operator and the one that begins at another place.
fn between<'t>(operator: &'t Value, with: &str) -> Vec<&'t Value> {
    let with = format!("a.dsl:{with}-");
    let refused = operator["refused"].as_array().expect("refusals").iter();
    refused.filter(|refused| refused["with"].as_str().is_some_and(|at| at.starts_with(&with))).collect()
}

/// A program in which one operator does not fuse with another one, and why.
struct Apart {
    name: &'static str,
    program: &'static str,
    /// The operator that is told of it, and the other one.
    reader: &'static str,
    maker: &'static str,
    /// The premise, the reason, and where to see it.
    premise: &'static str,
    because: &'static str,
    at: &'static str,
    /// An operator of the same construct that is not told of it.
    silent: Option<&'static str>,
}

const APART: &[Apart] = &[
    Apart {
        name: "consumed",
        program: "\
entry main [n] (v: *[n]i64) (xs: [n]i64) =
  let ys = map (+ 1) v
  let v = scatter v xs xs
  let zs = map2 (+) ys v
  in i64.sum zs",
        reader: "4:12",
        maker: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-25",
        silent: Some("5:6"),
    },
    Apart {
        name: "updated",
        program: "\
entry main [n] (v: *[n]f64) (i: i64) =
  let ys = map (+ 1) v
  let v = v with [i] = 0
  in f64.sum (map2 (*) ys v)",
        reader: "4:14",
        maker: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-24",
        silent: Some("4:6"),
    },
    Apart {
        name: "filtered",
        program: "\
entry main [n] (v: *[n]i64) (xs: [n]i64) =
  let ys = map (+ 1) v
  let v = scatter v xs xs
  let zs = map2 (+) ys v
  in filter (> 3) zs",
        reader: "4:12",
        maker: "2:12",
        premise: "no-consumption-between",
        because: "`v` is consumed here",
        at: "3:11-25",
        silent: Some("5:6"),
    },
    Apart {
        name: "mean",
        program: "\
entry main [n] (xs: [n]f64) =
  let ys = map f64.log xs
  let mean = f64.sum ys / f64.i64 n
  in f64.sum (map (\\y -> (y - mean) ** 2) ys)",
        reader: "4:14",
        maker: "3:14",
        premise: "independent",
        because: "`mean` is complete only after the first",
        at: "3:14-35",
        silent: Some("4:6"),
    },
    Apart {
        name: "scanned",
        program: "\
entry main [n] (xs: [n]f64) =
  let walk = scan (+) 0 xs
  let top = scan f64.max f64.lowest walk
  in f64.maximum (map2 (-) top walk)",
        reader: "3:13",
        maker: "2:14",
        premise: "one-scan",
        because: "`walk` is scanned again here",
        at: "3:18-24",
        silent: Some("4:6"),
    },
    Apart {
        name: "beside_scan",
        program: "\
entry main [n] (xs: [n]i64) =
  let total = i64.sum xs
  let walk = scan (+) 0 xs
  in (total, walk)",
        reader: "3:14",
        maker: "2:15",
        premise: "no-scan",
        because: "`walk` is the result of a scan",
        at: "3:14-26",
        silent: None,
    },
    Apart {
        name: "beside_histogram",
        program: "\
entry main [n] (xs: [n]i64) =
  let total = i64.sum xs
  let counts = hist (+) 0 10 xs xs
  in (total, counts)",
        reader: "3:16",
        maker: "2:15",
        premise: "both-sequential",
        because: "`counts` is combined in the order of the points",
        at: "3:16-34",
        silent: None,
    },
    Apart {
        name: "chunks",
        program: "\
entry main [n] (xs: [n]i64) =
  let ys = stream_map (\\m (c: [m]i64) -> map (+ c[0]) c) xs
  let zs = scan (+) 0 ys
  in zs",
        reader: "3:12",
        maker: "2:12",
        premise: "in-chunks",
        because: "`zs` cannot be computed in chunks",
        at: "3:12-24",
        silent: None,
    },
    Apart {
        name: "empty_chunk",
        program: "\
entry main [n] (xs: [n]i64) =
  let ys = stream_map (\\m (c: [m]i64) -> map (+ c[0]) c) xs
  let total = stream_red (+) (\\m (c: [m]i64) -> i64.sum c) ys
  in total",
        reader: "3:15",
        maker: "2:12",
        premise: "no-empty-chunk",
        because: "the chunks of `ys` are never empty",
        at: "2:12-59",
        silent: None,
    },
    Apart {
        name: "whole",
        program: "\
entry main [n] (r: f64) (xs: [n]f64) =
  let grid = map (* r) xs
  let smooth = map (\\j -> (grid[i64.max 0 (j - 1)] + grid[j]) / 2) (iota n)
  in f64.sum smooth",
        reader: "3:16",
        maker: "2:14",
        premise: "only-as-source",
        because: "`grid` is needed here as a whole",
        at: "3:28-50",
        silent: Some("4:6"),
    },
    Apart {
        name: "branch",
        program: "\
entry main [n] (xs: [n]i64): (i64, i64) =
  let squares = map (\\x -> x * x) xs
  let total = if n > 3 then i64.sum squares else 0
  in (total, squares[0])",
        reader: "3:29",
        maker: "2:17",
        premise: "one-side",
        because: "`squares` is needed elsewhere",
        at: "4:14-23",
        silent: None,
    },
    Apart {
        name: "beside",
        program: "\
entry main [n] (a: [n]i64) (f: i64) =
  let (g, h) = unzip (map (\\x -> (x, x * f)) a)
  in (scatter (copy g) h a, map (\\i -> h[i / 2]) (iota n))",
        reader: "3:7",
        maker: "2:22",
        premise: "independent",
        because: "`g` is complete only after the first",
        at: "3:15-22",
        silent: Some("3:29"),
    },
    Apart {
        name: "kept",
        program: "\
entry main (xs: []i64) =
  let big = filter (> 100) xs
  in (stream_red (+) (\\m (c: [m]i64) -> reduce (+) 0 (map (\\x -> x * x) c)) big, length big)",
        reader: "3:7",
        maker: "2:13",
        premise: "one-map",
        because: "`big` is not produced by a map alone",
        at: "2:13-29",
        silent: Some("3:41"),
    },
    Apart {
        name: "view",
        program: "\
entry main [n] (xs: [n][n]i64) =
  let ys = map (scan (+) 0) xs
  in map (\\row -> i64.sum (map (+ 1) row)) (transpose ys)",
        reader: "3:6",
        maker: "2:12",
        premise: "perfect-nest",
        because: "`ys` is read through a view here that has more dimensions than its maps",
        at: "3:44-57",
        silent: Some("3:19"),
    },
];

#[test]
fn a_reason_stands_at_the_operator_that_reads_and_the_caret_on_what_is_to_blame() {
    for case in APART {
        let told = told(case.name, case.program);
        let refused = between(operator(&told, case.reader), case.maker);
        let [refused] = refused[..] else { panic!("{}: {refused:#?} of {told:#}", case.name) };
        assert_eq!(refused["premise"], case.premise, "{}: {told:#}", case.name);
        assert_eq!(refused["because"], case.because, "{}: {told:#}", case.name);
        assert_eq!(refused["at"], format!("a.dsl:{}", case.at), "{}: {told:#}", case.name);
        if let Some(silent) = case.silent {
            let wrong = between(operator(&told, silent), case.maker);
            assert!(wrong.is_empty(), "{}: {wrong:#?} of {told:#}", case.name);
        }
    }
}

/// Reasons about no other operator: which premise, where to see it, and what is said there.
#[test]
fn a_reason_of_one_operator_has_its_caret_on_what_is_to_blame() {
    let cases = [
        (
            "branch",
            "entry main [n] (a: [n]i64) (c: bool) =
  let d = map (\\x -> x - 1) a
  in if c then map2 (+) d a else d",
            "2:11",
            ("only-as-source", "`d` is needed here as a whole", "3:6-34"),
        ),
        (
            "branch_index",
            "entry main [n] (a: [n]i64) (c: bool) =
  let d = map (\\x -> x - 1) a
  in if c then map2 (+) d a else map (\\x -> x + d[0]) d",
            "2:11",
            ("only-as-source", "`d` is needed here as a whole", "3:49-52"),
        ),
        (
            "branches",
            "entry main [n] (xs: [n]f64) (m: i32) =
  let ys = map f64.exp xs
  in match m case 0 -> f64.sum ys case 1 -> f64.maximum ys case _ -> ys[0]",
            "2:12",
            ("only-as-source", "`ys` is needed here as a whole", "3:70-74"),
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
            ("elementwise", "`u` is carried by the loop, or needed as a whole", "2:35-45"),
        ),
    ];
    for (name, program, place, (premise, because, at)) in cases {
        let told = told(name, program);
        let refused = operator(&told, place)["refused"].as_array().expect("refusals");
        let found = refused.iter().find(|refused| refused["premise"] == premise).expect("it is told");
        assert_eq!(found["because"], because, "{told:#}");
        assert_eq!(found["at"], format!("a.dsl:{at}"), "{told:#}");
    }
}

/// What is made and what it is for: scalars are no arrays, and every array has somebody who needs it.
#[test]
fn what_is_made_is_an_array_and_is_needed() {
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
            vec!["what stands at a.dsl:1:69-104 begins with it"],
        ),
        (
            "copied",
            "let ys = map (+ 1) xs in (scatter (copy ys) is xs, ys)",
            vec!["what stands at a.dsl:1:78-86 copies it, it is a result"],
        ),
    ];
    for (name, program, wanted) in cases {
        let told = told(name, &format!("entry main [n] (xs: [n]i64) (is: [n]i64) = {program}"));
        let constructs = told["constructs"].as_array().expect("constructs").iter();
        let arrays = constructs.flat_map(|construct| construct["arrays"].as_array().expect("arrays"));
        let since = arrays.map(|array| {
            let reasons = array["since"].as_array().expect("reasons").iter();
            reasons.map(|reason| reason.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(since.collect::<Vec<_>>(), wanted, "{name}: {told:#}");
    }
}

/// The parts of one operator of the library are no copies of it, what is alone in its construct has nothing beside it, and
/// one that does two things with an array is named once.
#[test]
fn operators_are_named_for_what_they_are() {
    let folder = Folder::new("placed_named")
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
    let told = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    for file in ["filter.dsl", "partition.dsl"] {
        assert!(!told(file).contains("another copy"), "{}", told(file));
    }
    let alone = told("alone.dsl");
    assert!(alone.contains(" did not fire with the map at 1:53\n"), "{alone}");
    assert!(!alone.contains("what else is in"), "{alone}");
    let twice = told("twice.dsl");
    assert!(twice.contains("since construct 2 reads it and reads it at places of its own\n"), "{twice}");
    let files = told("files.dsl");
    assert!(files.contains("= map-reduce fired, with the i64.sum at lib.dsl:1:29\n"), "{files}");
    assert!(files.contains("= map-reduce fired, with the map at files.dsl:2:36\n"), "{files}");
}

/// The compiler and the library have names of their own, which are no news to a reader; nor is what the library sees of
/// what it makes.
#[test]
fn names_and_reasons_are_those_of_the_program() {
    let folder = Folder::new("placed_names")
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
    let told = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    let section = told("section.dsl");
    assert!(section.contains(" it is complete only after the first\n"), "{section}");
    for file in ["flatmap.dsl", "filter.dsl"] {
        assert!(
            !told(file).contains("map-check did not") && !told(file).contains("map-slice did not"),
            "{}",
            told(file)
        );
    }
}

/// The function is called in both maps, and not put in place by lowering.
const CALLED: &str = "\
def relax [n] (k: f64) (xs: [n]f64): [n]f64 =
  let sums = scan (+) 0 xs
  let lag = map (\\i -> if i > 1 then sums[i - 2] * k + xs[i / 2] * 0.5 else sums[i] - k * xs[n - 1 - i]) (iota n)
  let top = scan f64.max 0 (map2 (\\a b -> a * b + f64.sqrt (f64.abs (a - b)) + f64.exp (-a) * f64.log (1 + b)) lag sums)
  in map3 (\\a b c -> if a > b then (a - c) * (b - c) / (a + b + 1) else (a + b) * (a - b) * c - b / (c + 1)) top lag sums
entry main [m] [n] (xss: [m][n]f64) (yss: [m][n]f64) =
  (map (relax 1) xss, map (relax 2) yss)
";

/// What a function does that an operator calls is inside of the operator's construct, and not fused with it; and what
/// went into the chunks of a stream is part of what stands there.
#[test]
fn what_stands_inside_of_an_operator_is_no_part_of_it() {
    let called = told("called", CALLED);
    for place in ["7:4", "7:23"] {
        let map = operator(&called, place);
        assert_eq!(map["constructs"], serde_json::json!([1]), "{map:#}");
        assert_eq!(map["fired"].as_array().map(Vec::len), Some(1), "{map:#}");
    }
    for place in ["2:14", "3:13", "4:13", "4:28", "5:6"] {
        let text = operator(&called, place).to_string();
        assert!(!text.contains("a.dsl:7:"), "{text}");
    }
    let kept = operator(&called, "3:13")["kept"].as_array().expect("reasons");
    assert_eq!(kept.len(), 1, "what is so in both calls is told once: {kept:#?}");
    let streamed = told(
        "chunks",
        "entry main [n] (xs: [n]f64) =\n  let ys = stream_map (\\m (c: [m]f64) -> map (/ f64.i64 m) (scan (+) 0 c)) xs\n  in f64.sum (map (* 2) ys)",
    );
    for place in ["3:6", "3:14"] {
        let reader = operator(&streamed, place);
        assert_eq!(reader["constructs"], serde_json::json!([1, 2]), "{streamed:#}");
    }
}

/// What goes into an operator by `|>` is not its own part of the place.
#[test]
fn the_steps_of_a_pipeline_are_told_apart() {
    let told = told(
        "pipeline",
        "entry main [n] (xs: [n]f64) =\n  (xs\n   |> map (* 2)\n   |> scan (+) 0\n   |> map (\\x -> x |> f64.sqrt)\n   |> f64.sum,\n   n)",
    );
    let names = ["3:7-15", "4:7-16", "5:7-31", "6:7-13"].map(|place| {
        let step = operator(&told, place.split_once('-').expect("a stretch").0);
        assert_eq!(step["at"], format!("a.dsl:{place}"), "{told:#}");
        step["name"].as_str().unwrap_or_default().to_owned()
    });
    assert_eq!(names, ["map", "scan", "map", "f64.sum"]);
    let fired = operator(&told, "4:7")["fired"].to_string();
    assert!(fired.contains("a.dsl:3:7-15") && fired.contains("a.dsl:5:7-31"), "{fired}");
}

/// What stands between its operands has its own name, and not the first operand's; and what an imported file calls things
/// is news.
#[test]
fn operators_between_operands_and_names_of_imported_files_are_told() {
    let folder = Folder::new("placed_infix")
        .with("infix.dsl", "entry main [n] (xs: [n]i32) (ys: [n]i32) = map (+ 1) xs == ys")
        .with("section.dsl", "entry main [n] (xs: [n]i32) = tabulate n \\i -> xs[i] + 1")
        .with(
            "lib.dsl",
            "def twice [n] (xs: [n]i64) = let doubled = map (* 2) xs in (scan (+) 0 doubled, doubled)",
        )
        .with("main.dsl", "import \"lib\"\nentry main [n] (xs: [n]i64) = twice xs");
    let told = |file: &str| folder.ravel(&["explain", file], "").text().to_owned();
    let infix = told("infix.dsl");
    assert!(infix.contains("\n==: part of construct 1\n"), "{infix}");
    assert!(infix.contains("\nmap: part of construct 1\n"), "{infix}");
    assert!(told("section.dsl").contains("\ntabulate: part of construct 1\n"), "{}", told("section.dsl"));
    assert!(told("main.dsl").contains("makes `doubled`, since it is a result"), "{}", told("main.dsl"));
}

/// A rule that makes one of very many names a few.
#[test]
fn of_many_operators_some_are_named() {
    let maps = (0..20).map(|at| format!("  let x{at} = map (+ {at}) xs\n")).collect::<String>();
    let names = (0..20).map(|at| format!("x{at}")).collect::<Vec<_>>().join(", ");
    let program = format!("entry main [n] (xs: [n]i64) =\n{maps}  in ({names})");
    let folder = Folder::new("placed_many").with("a.dsl", program);
    let told = folder.ravel(&["explain", "a.dsl"], "");
    assert_eq!(told.text().matches(", and 11 more\n").count(), 20, "{}", told.text());
}

/// What is joined is needed by who reads the whole of it, also through a view.
#[test]
fn who_reads_a_part_of_what_is_joined_is_told_of_it() {
    let told = told(
        "joined",
        "entry main [n] (xs: [n]i64) = i64.sum (reverse (concat (map (+ 1) xs) (map (* 2) xs)))",
    );
    let kept = operator(&told, "1:31")["kept"].as_array().expect("reasons");
    let is_joined = |why: &Value| why.as_str().is_some_and(|why| why.contains("joins it with others"));
    assert!(kept.iter().any(is_joined), "{told:#}");
}

#[test]
fn a_program_without_entry_points_has_nothing_to_explain() {
    let folder = Folder::new("placed_library").with("lib.dsl", "def twice [n] (xs: [n]i64) = map (* 2) xs");
    folder.ravel(&["explain", "lib.dsl"], "").fails_with(1, "the program has no entry point: write `entry");
}
