//! The clauses `structure` and `property` of test blocks.

use std::path::Path;

use crate::support::Folder;

const SUM: &str = "entry main [n] (xs: [n]i32): i32 = i32.sum (map (* 2) xs)\n\
                   entry both [n] (xs: [n]i32): (i32, [n]i32) = (i32.sum xs, scan (+) 0 (scan (*) 1 xs))\n";

/// A program with this clause.
fn clause(clause: &str, program: &str) -> String {
    format!("-- ==\n-- {clause}\n{program}")
}

#[test]
fn forms_are_counted_in_the_optimised_program() {
    let folder = Folder::new("structures");
    let case = |clauses: &str, count: &str, reason: &str| {
        let text = clause(clauses, SUM);
        std::fs::write(folder.path("a.dsl"), text).expect("a file can be written");
        let output = folder.ravel(&["test", "--only", "structure", "a.dsl"], "");
        let (before, last) =
            output.text().trim_end().rsplit_once('\n').unwrap_or(("", output.text().trim_end()));
        assert_eq!(last, count, "{clauses}: {}{}", output.text(), output.err);
        assert!(before.contains(reason), "{clauses}: {before}");
    };
    let (passed, failed, skipped) = (
        "1 passed, 0 failed, 0 skipped, 0 limited",
        "0 passed, 1 failed, 0 skipped, 0 limited",
        "0 passed, 0 failed, 1 skipped, 0 limited",
    );
    case("entry: main\n-- structure { screma 1 reduce 1 map 0 }", passed, "");
    case(
        "entry: main\n-- structure { Screma 2 }",
        failed,
        "FAILED a.dsl:3 structure\n    `main`: 1 `Screma`, but there should be 2",
    );
    case("entry: main both\n-- structure { scan 0 }", failed, "`both`: 2 `scan`");
    case(
        "entry: main none\n-- structure { stream 0 }",
        failed,
        "there is no entry point `none`\n      The entry points are: `main`, `both`",
    );
    case("structure { screma 4 scan 2 }", passed, "");
    case("entry: main\n-- structure gpu { segred 1 segmap 0 }", passed, "");
    case("entry: main\n-- structure cpu { SegRed 0 }", failed, "`main`: 1 `SegRed`");
    case(
        "structure { /Screma 1 }",
        skipped,
        "there is no form `/Screma`; the forms are screma segment stream",
    );
    let unknown = "there is no form `/Screma`, `Redomap`; the forms are screma segment stream";
    case("entry: main\n-- structure { /Screma 1 screma 1 Redomap 2 }", skipped, unknown);
    for clauses in ["entry: main", "entry: main both"] {
        let clauses = format!("{clauses}\n-- structure {{ /Screma 1 reduce 2 Redomap 2 }}");
        case(&clauses, failed, "`main`: 1 `reduce`, but there should be 2\n");
        case(&clauses, failed, unknown);
    }
    case(
        "entry: main both\n-- structure { /Screma 1 scan 0 }",
        failed,
        "`both`: 2 `scan`, but there should be 0",
    );
    case(
        "structure mc-mem { screma 1 }",
        skipped,
        "there is no stage `mc-mem`; the stages are `flat`, `cpu` and `gpu`",
    );
}

/// The segments of the programs in `tests/run/segments` depend on the rules of the pass `flatten`.
#[test]
fn structures_of_segments_fail_without_the_rule() {
    let folder = Folder::new("structures_of_segments");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run/segments");
    for (name, rule, count) in [("nest", "nest", 2), ("workgroups", "block-level", 1)] {
        let file = programs.join(name).with_extension("dsl").display().to_string();
        let test = |more: &[&str]| {
            let output = folder.ravel(&[&["test", "--only", "structure", &file], more].concat(), "");
            let last = output.text().lines().last().map(str::to_owned);
            (output.code, last.unwrap_or_default())
        };
        let [passed, failed] = [(count, 0), (0, count)]
            .map(|(passed, failed)| format!("{passed} passed, {failed} failed, 0 skipped, 0 limited"));
        assert_eq!(test(&[]), (Some(0), passed));
        assert_eq!(test(&["--without", rule]), (Some(1), failed));
    }
}

const PROPERTIES: &str = "\
#[prop]
entry twice [n] (xs: [n]i32): bool = and (map2 (==) (reverse (reverse xs)) xs)
#[prop]
entry small [n] (xs: [n]i32): bool = and (map (< 5) xs) || n < 3
#[prop(gen(pair), shrink(closer), size(7))]
entry ordered (p: (i64, i64)): bool = p.0 < p.1
#[prop(size(4))]
entry short [n] [m] (_xs: [n][m]f32): bool = assert (n <= 4 && m <= 4) true
#[prop]
entry fails (x: i32): bool = 10 / x < 11
entry pair (size: i64) (seed: i64): (i64, i64) = (size, size + seed % 2)
entry closer (p: (i64, i64)) (_: i32): (i64, i64) = (p.0, p.1 - 1)
entry unmarked (x: i32): bool = x == x
#[prop]
entry number (x: i32): i32 = x
";

#[test]
fn properties_are_tested_with_random_arguments() {
    let folder = Folder::new("properties");
    let case = |name: &str, reason: Option<&str>| {
        std::fs::write(folder.path("a.dsl"), clause(&format!("property: {name}"), PROPERTIES))
            .expect("a file can be written");
        for backend in ["cpu", "interp"] {
            let output = folder.ravel(&["test", "--backend", backend, "a.dsl"], "");
            match reason {
                None => output.gives("1 passed, 0 failed, 0 skipped, 0 limited\n"),
                Some(reason) => {
                    assert_eq!(output.code, Some(1));
                    let start = format!("FAILED a.dsl:2 {name} on {backend}\n    ");
                    assert!(
                        output.text().starts_with(&start) && output.text().contains(reason),
                        "{}",
                        output.text()
                    );
                }
            }
        }
    };
    case("twice", None);
    case("short", None);
    case("small", Some("`small` is false\n    counterexample: [0i32, 0i32, 5i32]"));
    case("fails", Some("`fails` fails with: "));
    case("fails", Some("counterexample: 0i32"));
    case("ordered", Some("`ordered` is false\n    counterexample: 7i64 "));
    case("missing", Some("no entry point `missing`"));
    case("unmarked", Some("write `#[prop]` in front of `entry unmarked`"));
    case("number", Some("`number` is not a property: a property returns one bool"));
}

#[test]
fn the_seed_determines_the_arguments_of_properties() {
    let program = "\
#[prop(gen(drawn))]
entry even (seed: i64): bool = seed % 2 == 0
entry drawn (_size: i64) (seed: i64): i64 = seed
";
    let folder = Folder::new("seeds").with("a.dsl", clause("property: even", program));
    let said =
        |seed| folder.ravel(&["test", "--backend", "interp", "--seed", seed, "a.dsl"], "").text().to_owned();
    assert!(said("7").contains("counterexample: "), "{}", said("7"));
    assert_eq!(said("7"), said("7"));
    assert_ne!(said("7"), said("8"));
}
