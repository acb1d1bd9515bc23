//! `ravel bench`: datasets, tables, files and comparisons. Times themselves are not tested.

use std::io::{BufRead, BufReader};
use std::process::Command;

use crate::support::{Folder, finish};

const PROGRAM: &str = "\
-- ==
-- entry: total
-- \"small\" input { 1000i64 } output { 499500i64 }
-- input { 5i64 } output { 10i64 }
-- nobench input { 7i64 }
-- no_interp input { 8i64 }
-- input { -1i64 } error: .
entry total (n: i64): i64 = i64.sum (iota n)
-- ==
-- entry: twice
-- random input { [100]i64 }
entry twice (xs: []i64): []i64 = map (* 2) xs
";

fn names(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().filter(|line| line.starts_with("  "));
    rows.map(|row| row.split_whitespace().take(3).collect()).collect()
}

#[test]
fn every_dataset_is_measured_on_every_backend() {
    let folder = Folder::new("bench").with("a.dsl", PROGRAM);
    let run = folder.ravel(&["bench", "--limit", "0.1", "--backend", "cpu,gpu,cpu,interp", "a.dsl"], "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.text().starts_with("a.dsl: compiled in "), "{}", run.text());
    let wanted = [
        vec!["total", "\"small\"", "cpu"],
        vec!["gpu", "", ""],
        vec!["interp", "", ""],
        vec!["total", "#1", "cpu"],
        vec!["gpu", "", ""],
        vec!["interp", "", ""],
        vec!["total", "#3", "cpu"],
        vec!["gpu", "", ""],
        vec!["twice", "#0", "cpu"],
        vec!["gpu", "", ""],
        vec!["interp", "", ""],
    ];
    let found = names(run.text());
    assert_eq!(found.len(), wanted.len(), "{}", run.text());
    for (found, wanted) in found.iter().zip(&wanted) {
        let words = wanted.iter().filter(|word| !word.is_empty()).count();
        assert_eq!(found[..words], wanted[..words], "{}", run.text());
    }
    assert_eq!(run.text().matches(" x cpu").count(), 7);
    assert!(run.text().contains("moved 1.6 KiB"), "{}", run.text());
}

#[test]
fn a_profile_names_the_parts_with_their_lines() {
    let folder = Folder::new("bench_profile").with("a.dsl", PROGRAM);
    for (backend, name) in
        [("cpu", "  1 x  reduce at a.dsl:8:29-"), ("gpu", "  1 x  reduce_0 at a.dsl:8:29-")]
    {
        let json = ["--json", "times.json"];
        let only = ["bench", "-P", "--only", "small", "--limit", "0.1", "--backend", backend, "a.dsl"];
        let run = folder.ravel(&[&only[..], &json].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        let (_, profile) = run.text().split_once("\n  profile of total \"small\" on ").expect("there is one");
        assert!(profile.contains(name), "{backend}: {profile}");
        assert!(profile.contains("| entry total (n: i64): i64 = i64.sum (iota n)\n"), "{profile}");
        assert!(profile.contains("  outside of these\n"), "{profile}");
        let times = folder.read("times.json").expect("times were written");
        let times: serde_json::Value = serde_json::from_str(&times).expect("JSON");
        let segment = &times["cases"][0]["segments"][0];
        assert!(segment["place"].as_str().is_some_and(|place| place.starts_with("a.dsl:8:29-")), "{segment}");
        assert!(
            segment["launches"] == 1 && segment["seconds"].as_f64().is_some_and(|time| time > 0.0),
            "{segment}"
        );
    }
    let run = folder.ravel(&["bench", "-P", "--limit", "0", "--backend", "interp", "a.dsl"], "");
    assert_eq!((run.code, run.text().matches("100.0 %").count()), (Some(0), 3), "{}", run.text());
    assert!(!run.text().contains("  0 runs"), "{}", run.text());
}

#[test]
fn measurements_are_written_plotted_and_compared() {
    let folder = Folder::new("bench_files").with("a.dsl", PROGRAM);
    let only = ["bench", "--only", "twice", "--limit", "0.5", "a.dsl"];
    let run = |more: &[&str]| folder.ravel(&[&only[..], more].concat(), "");
    assert_eq!(run(&["--json", "old.json", "--plot", "times.svg"]).code, Some(0));
    let svg = folder.read("times.svg").expect("a picture was drawn");
    assert!(svg.starts_with("<svg ") && svg.contains("a.dsl twice #0 on cpu: "), "{svg}");
    let old = folder.read("old.json").expect("times were written");
    let compared = run(&["--compare", "old.json"]);
    assert_eq!(compared.err, "");
    assert!(compared.text().contains("\na.dsl twice #0 on cpu: "), "{}", compared.text());
    // A dataset that took almost no time before is slower now; one that took an hour is faster.
    let with_times = |seconds: &str| {
        let field = |text: &str, name: &str| {
            let (before, rest) = text.split_once(&format!("\"{name}\": [")).expect("it is there");
            let (_, after) = rest.split_once(']').expect("it ends");
            format!("{before}\"{name}\": [{seconds}]{after}")
        };
        field(&field(&old, "run_seconds"), "work_seconds")
    };
    for (seconds, word, code) in [("1e-9", "SLOWER", 1), ("3600", "faster", 0)] {
        std::fs::write(folder.path("changed.json"), with_times(seconds)).expect("it can be written");
        let compared = run(&["--compare", "changed.json"]);
        assert_eq!((compared.code, compared.err.as_str()), (Some(code), ""));
        assert!(compared.text().contains(&format!("on cpu: {word}, ")), "{}", compared.text());
    }
    for (text, part) in [
        ("", "EOF"),
        ("[]", "invalid"),
        (&old.replace("\"format\": 2", "\"format\": 3")[..], "its format is 3, not 2"),
        (&with_times("-1"), "a time is not a positive number"),
        (&with_times("\"a\""), "invalid type"),
        (&with_times("0"), "a time is not a positive number"),
        (&with_times(""), "the times of a.dsl twice #0 on cpu are incomplete"),
        (&old.replacen("\"run_seconds\": [", "\"run_seconds\": [1,", 1), "are incomplete"),
        (&old[..old.len() / 2], "EOF"),
    ] {
        std::fs::write(folder.path("wrong.json"), text).expect("it can be written");
        let refused = run(&["--compare", "wrong.json"]);
        refused.fails_with(1, "error: wrong.json was not written by `ravel bench --json`: ");
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
    run(&["--compare", "none.json"]).fails_with(1, "error: cannot read none.json: ");
    run(&["--json", "a.dsl"]).fails_with(2, "a.dsl is a program, and would be overwritten");
    assert_eq!(folder.read("a.dsl").as_deref(), Some(PROGRAM));
    run(&["--json", "both", "--plot", "./both"]).fails_with(2, "error: ./both would be written twice\n");
    run(&["--plot", "times.png"]).fails_with(2, "the plot is an SVG file: its name must end in .svg");
    assert!(folder.read("both").is_none() && folder.read("times.png").is_none());
    for option in ["--json", "--plot"] {
        run(&[option, "no/such/folder"]).fails_with(1, "error: cannot write no/such/folder: ");
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_reports_the_files_that_are_not_written() {
    let long = "-- ==\n-- input { 100000000i64 }\nentry main (n: i64) = loop x = 1i64 for _i < n do (x * 3) % 1001\n";
    let folder = Folder::new("bench_interrupted").with("a.dsl", long);
    let mut bench = folder.command(&["bench", "--limit", "600", "--json", "new.json", "a.dsl"]);
    let mut bench = bench.spawn().expect("ravel starts");
    let mut first = String::new();
    let mut out = BufReader::new(bench.stdout.take().expect("standard output is a pipe"));
    out.read_line(&mut first).expect("it is text");
    assert!(first.starts_with("a.dsl: compiled in "), "{first}");
    let kill = Command::new("kill").args(["-INT", &bench.id().to_string()]).status();
    assert!(kill.expect("there is such a command").success());
    let ended = finish(bench, b"");
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert_eq!(ended.err, "\nerror: interrupted; the measurements are not written to new.json\n");
    assert!(folder.read("new.json").is_none());
}

#[test]
fn errors_are_reported_and_the_rest_is_measured() {
    let wrong = "-- ==\n-- input { 1 } output { 3 }\nentry main (x: i32): i32 = x + 1\n";
    let right = "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32): i32 = x + 1\n";
    let folder = Folder::new("bench_wrong")
        .with("a.dsl", wrong)
        .with("b.dsl", right)
        .with("c.dsl", "-- ==\n-- input { 1 }\nentry main = missing\n")
        .with("d.dsl", "-- ==\n-- input @ none.in\nentry main (x: i32) = x\n")
        .with("none.dsl", "entry main (x: i32) = x\n")
        .with("e.dsl", "-- ==\n-- frobnicate\nentry main (x: i32) = x\n");
    let run = folder.ravel(&["bench", "--limit", "0.1", "."], "");
    assert_eq!(run.code, Some(1));
    assert_eq!(names(run.text()), [["main", "#0", "cpu"]], "{}", run.text());
    for part in [
        "FAILED ./a.dsl:2 main #0 on cpu\n    result 1: ",
        "Unknown name \"missing\"",
        "none.in",
        "e.dsl:2: ",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    let folder = folder.with("old.json", "old").with("old.svg", "old");
    let files = ["--json", "old.json", "--plot", "old.svg"];
    let nothing = folder.ravel(&[&["bench", "c.dsl"][..], &files].concat(), "");
    nothing.fails_with(1, "Unknown name \"missing\"");
    assert!(
        nothing
            .err
            .ends_with("error: nothing was measured, and nothing is written to old.json and old.svg\n"),
        "{}",
        nothing.err
    );
    for file in ["old.json", "old.svg"] {
        assert_eq!(folder.read(file).as_deref(), Some("old"));
    }
    folder.ravel(&["bench", "none.dsl"], "").fails_with(1, "error: these files have no dataset");
    folder
        .ravel(&["bench", "b.dsl", "--only", "frobnicate"], "")
        .fails_with(1, "error: no dataset of these files has the text `frobnicate` of --only in its name\n");
    folder.ravel(&["bench", "missing.dsl"], "").fails_with(1, "error: cannot read missing.dsl: ");
    for (args, part) in [
        (&["bench"][..], "required arguments were not provided"),
        (&["bench", "b.dsl", "--limit=-1"], "a number of seconds"),
        (&["bench", "b.dsl", "--limit=NaN"], "a number of seconds"),
        (&["bench", "b.dsl", "--backend", "cuda"], "invalid value 'cuda'"),
    ] {
        folder.ravel(args, "").fails_with(2, part);
    }
}
