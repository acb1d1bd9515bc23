//! Which versions of a nest ran, and how full its bins were: `run --stats` and `explain --ran`.

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

#[test]
fn bins_are_counted() {
    let order = include_str!("../../../../tests/run/bins/order.dsl");
    let folder = Folder::new("versions_bin_counts").with("choose.dsl", BINS).with("order.dsl", order);
    let folder = folder.with("limits", BINS_LIMITS);
    let bins = |backend: &str, file: &str, entry: &str, input: &str| {
        let args = ["run", file, "--backend", backend, "--stats", "-e", entry, "--tuning", "limits"];
        let args = if file == "choose.dsl" { &args[..] } else { &args[..7] };
        let run = folder.ravel(args, input);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let lines = run.err.lines().filter_map(|line| line.strip_prefix("bins of "));
        lines.map(|line| line.split(" (order.dsl").next().unwrap_or(line).to_owned()).collect::<Vec<_>>()
    };
    let sizes = "[3i64, 0, 5, 200, 100, 56, 1, 9, 0, 600, 300] [1i64, 2, 3, 4, 5, 6, 7, 0, 3, 1, 2]";
    for backend in ["gpu", "model"] {
        let of = |file: &str, entry: &str, input: &str| bins(backend, file, entry, input);
        // 374 lanes of 7 rounds; then 300 of 2 rounds. The widest point has a bin of its own, which does not count.
        let in_order = "bins 2, lanes 674 of 1024 (65.8 %), idle lane rounds 2347 of 4608 (50.9 %)";
        assert_eq!(
            of("order.dsl", "in_order", sizes),
            [format!("in_order.bins0: {in_order}, points in no bin 1")]
        );
        // The widest ones first: 300 and 200 lanes, 4 rounds; then 174 lanes, 7 rounds.
        let by_width = "bins 2, lanes 674 of 1024 (65.8 %), idle lane rounds 3371 of 5632 (59.9 %)";
        assert_eq!(
            of("order.dsl", "by_width", sizes),
            [format!("by_width.bins0: {by_width}, points in no bin 1")]
        );
        // The tallest ones first: 362 lanes, 7 rounds; 303 lanes, 2 rounds; and after the widest point, 9 lanes without rounds.
        let by_height = "bins 3, lanes 674 of 1536 (43.9 %), idle lane rounds 2347 of 4608 (50.9 %)";
        assert_eq!(
            of("order.dsl", "by_height", sizes),
            [format!("by_height.bins0: {by_height}, points in no bin 1")]
        );
        assert_eq!(of("choose.dsl", "chosen", "[3i64, 3] [3i64, 2]"), [""; 0], "the version outer runs");
    }
    assert_eq!(bins("cpu", "order.dsl", "in_order", sizes), [""; 0], "a CPU has no bins");
}
