//! Which versions of a nest ran: `run --stats` and `explain --ran`.

use serde_json::json;

use crate::support::Folder;

/// The test program of the rule `choose`, and the limits that its tests set: 4 points and 3 inner points.
const PROGRAM: &str = include_str!("../../../../tests/run/nests/choose.dsl");
const LIMITS: &str = include_str!("../../../../tests/run/nests/choose.dsl.tuning");

fn folder(name: &str) -> Folder {
    Folder::new(name).with("choose.dsl", PROGRAM).with("limits", LIMITS)
}

/// The lines of `--stats` about versions, without the places.
fn versions(folder: &Folder, backend: &str, entry: &str, input: &str, more: &[&str]) -> Vec<String> {
    let args = ["run", "choose.dsl", "--backend", backend, "--stats", "--tuning", "limits", "-e", entry];
    let run = folder.ravel(&[&args, more].concat(), input);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = run.err.lines().filter_map(|line| line.strip_prefix("versions of "));
    lines.map(|line| line.split(" (").next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn small_and_large_sizes_report_different_versions() {
    let folder = folder("versions");
    let rows = |n: usize, m: usize| format!("{:?}", vec![vec![1_i32; m]; n]);
    for backend in ["gpu", "model"] {
        for entry in ["sums", "greatest", "large"] {
            let nest = |n, m| {
                versions(
                    &folder,
                    backend,
                    entry,
                    &rows(n, m),
                    &["--without", "coalesce-reads,coalesce-results"],
                )
            };
            let [full, outer] =
                ["full 1, outer 0", "full 0, outer 1"].map(|ran| [format!("{entry}.0: {ran}")]);
            assert_eq!(nest(3, 3), full, "few points, and many inside");
            assert_eq!(nest(3, 2), outer, "few points, and few inside");
            assert_eq!(nest(4, 3), outer, "many points");
        }
        let rounds = |rounds| {
            let input = format!("[[1i64, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]] {rounds}i64");
            versions(&folder, backend, "rounds", &input, &["--without", "coalesce-reads,coalesce-results"])
        };
        assert_eq!(rounds(2), ["rounds.0: full 2, outer 0"], "a loop of the host counts each iteration");
        assert_eq!(rounds(0), [""; 0], "no version ran");
    }
    // The CPU has no versions.
    assert_eq!(versions(&folder, "cpu", "sums", &rows(3, 3), &[]), [""; 0]);
}

#[test]
fn a_transposition_is_reported_too() {
    let folder = folder("versions_layout");
    let sums = |bytes: &str| {
        let more = ["--without", "choose", "--param", bytes];
        versions(&folder, "model", "sums", "[[1i32, 2], [3, 4], [5, 6]]", &more)
    };
    let ran = |ran: &str| [format!("sums.transposed_bytes: {ran}")];
    assert_eq!(sums("sums.transposed_bytes=24"), ran("transposed 1, row-major 0"));
    assert_eq!(sums("sums.transposed_bytes=25"), ran("transposed 0, row-major 1"));
}

#[test]
fn an_explanation_says_which_versions_ran() {
    let folder = folder("versions_explain");
    let explain = |more: &[&str], input: &str| {
        let args = [
            "explain",
            "choose.dsl",
            "--backend",
            "model",
            "-e",
            "sums",
            "--without",
            "coalesce-reads,coalesce-results",
        ];
        folder.ravel(&[&args, more].concat(), input)
    };
    let ran = |input: &str| {
        let report = explain(&["--ran", "--tuning", "limits"], input);
        let lines = report.text().lines().filter(|line| line.contains("that ran")).map(str::to_owned);
        lines.collect::<Vec<String>>()
    };
    assert_eq!(ran("[[1i32, 2, 3]]"), ["  versions of sums.0 that ran: full 1, outer 0"]);
    assert_eq!(ran("[[1i32, 2]]"), ["  versions of sums.0 that ran: full 0, outer 1"]);
    assert!(!explain(&[], "").text().contains("that ran"));
    let versions = |more: &[&str]| {
        let report = explain(&[&["--json"], more].concat(), "[[1i32, 2]]");
        let report: serde_json::Value = serde_json::from_str(report.text()).expect("it is JSON");
        let versions = &report["constructs"][0]["versions"][0];
        (versions["versions"].clone(), versions["ran"].clone())
    };
    assert_eq!(versions(&["--ran"]), (json!(["full", "outer"]), json!([0, 1])));
    assert_eq!(versions(&[]), (json!(["full", "outer"]), json!(null)));
    explain(&["--param", "sums.0.inner=1"], "").fails_with(2, "--param and --tuning need --ran");
    explain(&["--ran"], "true").fails_with(1, "standard input");
}

/// The test program of the choice of bins, and its limits.
const BINS: &str = include_str!("../../../../tests/run/bins/choose.dsl");
const BINS_LIMITS: &str = include_str!("../../../../tests/run/bins/choose.dsl.tuning");

#[test]
fn totals_of_sizes_choose_bins() {
    let folder = Folder::new("versions_bins").with("choose.dsl", BINS).with("limits", BINS_LIMITS);
    let (bins, outer) = (["chosen.bins0: bins 1, outer 0"], ["chosen.bins0: bins 0, outer 1"]);
    let ran = |input| {
        versions(&folder, "model", "chosen", input, &["--without", "coalesce-reads,coalesce-results"])
    };
    assert_eq!(ran("[4i64, 2] [3i64, 2]"), bins, "few points");
    assert_eq!(ran("[3i64, 3] [3i64, 2]"), outer, "narrow points");
    assert_eq!(ran("[4i64, 4, 4] [3i64, 2, 9]"), outer, "many lanes");
    assert_eq!(ran("[5i64, 2] [1i64, 1]"), outer, "little work");
    assert_eq!(ran("[600i64, 4] [3i64, 3]"), bins, "the other point is too wide");
    assert_eq!(ran("[600i64, 2] [3i64, 3]"), outer, "the wide point does not count");
    let many = "[1i64, 1, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1] [1i64, 2, 3, 4, 5, 6, 7, 0, 3, 1, 2, 3]";
    assert_eq!(ran(many), bins, "more points than threads, of which one is wide");
}
