//! `ravel test`: the summary, and which outcomes count as failures.

use crate::support::{BACKENDS, Folder};

#[test]
fn every_outcome_is_counted() {
    let folder = Folder::new("outcomes")
        .with(
            "a.dsl",
            "-- ==\n-- input { 1 }\n-- output { 2 }\n-- input { 2 }\n-- output { 4 }\n\
             -- input { 0 }\n-- error: division by zero\nentry main (x: i32): i32 = x + 1 / x\n",
        )
        .with("b.dsl", "-- ==\n-- input { }\n-- output { 1 }\nentry main = jvp (+ 1) 1f64 1\n")
        .with("c.dsl", "-- ==\n-- error: Unknown name \"y\"\nentry main (x: i32): i32 = y\n")
        .with("d.dsl", "entry main (x: i32): i32 = x\n");
    let all = folder.ravel(&["test", "."], "");
    let (last, before) = {
        let mut lines: Vec<_> = all.text().lines().collect();
        (lines.pop(), lines.join("\n"))
    };
    assert_eq!(
        (all.code, last),
        (Some(1), Some("3 passed, 1 failed, 0 skipped, 1 limited")),
        "{}{}",
        all.text(),
        all.err
    );
    assert!(before.contains("FAILED ./a.dsl:4 main #1 on cpu"), "{before}");
    assert!(before.contains("limited ./b.dsl on cpu"), "{before}");
    folder.ravel(&["test", "c.dsl"], "").gives("1 passed, 0 failed, 0 skipped, 0 limited\n");
}

#[test]
fn a_test_that_takes_too_long_is_stopped_and_named() {
    // An endless property, endless cases and an endless script, among tests that end.
    let program = "\
-- ==
-- property: endless
-- entry: host kernel
-- input { 1000000000000000i64 }
-- input { 3i64 }
-- entry: host
-- script input { host 1000000000000000i64 }
def rounds (n: i64) (x: i64): i64 = loop x = x for i < n do (x * -3) ^ i
#[prop] entry endless (x: bool): bool = rounds 1000000000000000 1 == 1 || x
entry host (n: i64): i64 = rounds n 1
entry kernel (n: i64): i64 = i64.sum (map (rounds n) [1, n])
";
    let folder = Folder::new("timeout").with("a.dsl", program);
    for backend in BACKENDS {
        let output = folder.ravel(&["test", "--timeout", "3", "--backend", backend, "a.dsl"], "");
        let failed: Vec<&str> = output.text().lines().filter(|line| line.starts_with("FAILED")).collect();
        let named = ["2 endless", "4 host #0", "4 kernel #0", "7 host #0"];
        let named = named.map(|test| format!("FAILED a.dsl:{test} on {backend}"));
        assert_eq!(failed, named, "{}{}", output.text(), output.err);
        assert_eq!(output.text().matches("it was stopped after 3 s").count(), 4, "{}", output.text());
        assert!(output.text().ends_with("2 passed, 4 failed, 0 skipped, 0 limited\n"), "{}", output.text());
    }
}

#[test]
fn limitations_fail_only_on_request() {
    let folder = Folder::new("limited").with("a.dsl", "-- ==\n-- input { }\nentry main = jvp (+ 1) 1f64 1\n");
    assert_eq!(folder.ravel(&["test", "a.dsl"], "").code, Some(0));
    assert_eq!(folder.ravel(&["test", "--no-limitations", "a.dsl"], "").code, Some(1));
}

#[test]
fn a_recurrence_that_does_not_hold_fails_with_a_counter_example() {
    let text = "-- ==\n-- input { 3i64 }\n-- output { 9i64 }\n\
         module type number = { type t val zero: t val add: t -> t -> t val of: i64 -> t }\n\
         module squares (n: number) = {\n\
         \x20 def next (x: n.t) (i: i64): n.t = n.add x (n.of (2 * i + 1))\n\
         \x20 #[recurrence(next)]\n\
         \x20 def square (i: i64): n.t = n.add n.zero (n.of (i * i))\n}\n\
         module longs = squares { type t = i64 def zero = 0i64 def add (x: i64) y = x + y def of (i: i64) = i }\n\
         module narrow = squares { type t = i64 def zero = 0i64 def add (x: i64) y = i64.min 40 (x + y) def of (i: i64) = i }\n\
         entry main (i: i64): i64 = longs.square i\n";
    let folder = Folder::new("recurrences").with("a.dsl", text);
    let output = folder.ravel(&["test", "a.dsl"], "");
    folder.ravel(&["test", "a.dsl"], "").gives("2 passed, 0 failed, 0 skipped, 0 limited\n");
    assert_eq!(output.code, Some(0));
    let broken = text.replace("2 * i + 1", "2 * i + i64.bool (i != 2)");
    let output = folder.with("b.dsl", broken.as_str()).ravel(&["test", "b.dsl"], "");
    assert_eq!(output.code, Some(1));
    let said = "b.dsl:7:3-8:56: `longs.square` does not satisfy its recurrence: with the arguments 2i64, expected 9i64, got 8i64";
    assert!(output.text().contains(said), "{}", output.text());
}

#[test]
fn every_promise_is_tested_or_reported_as_untested() {
    let folder = Folder::new("all_promises");
    let case = |definitions: &str, code: i32, said: &[&str]| {
        let text = format!("-- ==\n-- input {{ 3i64 }}\n{definitions}entry main (i: i64): i64 = i\n");
        std::fs::write(folder.path("a.dsl"), text).expect("a file can be written");
        let output = folder.ravel(&["test", "a.dsl"], "");
        assert_eq!(output.code, Some(code), "{}", output.text());
        said.iter().for_each(|said| assert!(output.text().contains(said), "{}", output.text()));
    };
    let next = "def next 't (a: t) (b: t) (x: t) (i: i64): t = if i % 2 == 0 then b else a\n";
    let of = |test: &str| {
        format!(
            "{next}#[recurrence(next)]\ndef turn 't (a: t) (b: t) (i: i64): t = if {test} then a else b\n"
        )
    };
    case(&of("i % 2 == 0"), 0, &["2 passed"]);
    case(
        &of("i % 3 == 0"),
        1,
        &["`turn` for i32 does not", "`turn` for f64 does not", "`turn` for bool does not"],
    );
    let twice = "def n0 (x: i64) (_: i64): i64 = x + 1\ndef n1 (x: i64) (_: i64): i64 = x + 2\n\
                 #[recurrence(n0)]\n#[recurrence(n1)]\ndef same (i: i64): i64 = i\n";
    case(
        twice,
        1,
        &["`same` does not satisfy its recurrence: with the arguments 0i64, expected 1i64, got 2i64"],
    );
    let shadowed = "#[recurrence(n0)]\ndef f (i: i64): i64 = i\nmodule m = {\n#[recurrence(n0)]\ndef f (i: i64): i64 = 2 * i\n}\n";
    case(&format!("def n0 (x: i64) (_: i64): i64 = x + 1\n{shadowed}"), 1, &["`m.f` does not satisfy"]);
    let higher = "def next 't (f: t -> t) (_: t) (x: t) (_: i64): t = f x\n\
                  #[recurrence(next)]\ndef power 't (f: t -> t) (x: t) (i: i64): t = loop x for _j < i do f x\n";
    case(
        higher,
        0,
        &[
            "limited a.dsl keeps its promises",
            "a.dsl:4:1-5:70: the recurrence of `power` takes functions, so it was not tested",
        ],
    );
}

#[test]
fn a_stream_that_depends_on_its_chunks_fails_at_its_place() {
    let text = "-- ==\n-- input { [1, 2, 3] }\n\
         entry main [n] (xs: [n]i32): [n]i64 =\n\
         \x20 let ys = stream_map (\\k (zs: [k]i32) -> zs) xs\n\
         \x20 in stream_map (\\k (zs: [k]i32) -> replicate k k) ys\n";
    let folder = Folder::new("promises").with("a.dsl", text);
    let output = folder.ravel(&["test", "a.dsl"], "");
    assert_eq!(output.code, Some(1));
    assert!(output.text().contains("FAILED a.dsl keeps its promises"), "{}", output.text());
    let said = "a.dsl:5:6-53: the result depends on the chunk size: with chunks of 1 element, result 1: at [0]: expected 3i64, got 1i64";
    assert!(output.text().contains(said), "{}", output.text());
    let kept = text.replace("replicate k k", "map i64.i32 zs");
    folder
        .with("b.dsl", kept.as_str())
        .ravel(&["test", "b.dsl"], "")
        .gives("2 passed, 0 failed, 0 skipped, 0 limited\n");
}

#[test]
fn tests_run_on_every_selected_backend() {
    let text =
        "-- ==\n-- input { 3i64 }\n-- output { 3i64 }\nentry main (n: i64): i64 = reduce (+) 0 (iota n)\n";
    let folder = Folder::new("backends").with("a.dsl", text);
    let backends = BACKENDS.join(",");
    folder
        .ravel(&["test", "--backend", &backends, "a.dsl"], "")
        .gives("3 passed, 0 failed, 0 skipped, 0 limited\n");
}

#[test]
fn untestable_files_are_errors() {
    let folder = Folder::new("untestable")
        .with_folder("nothing")
        .with("bytes.dsl", b"\xff")
        .with("blockless.dsl", "entry main (x: i32): i32 = (x\n")
        .with("clause.dsl", "-- ==\n-- inptu { 1 }\nentry main (x: i32): i32 = x\n")
        .with("entry.dsl", "-- ==\n-- entry: other\n-- input { 1 }\nentry main (x: i32): i32 = x\n")
        .with("file.dsl", "-- ==\n-- input @ missing.in\nentry main (x: i32): i32 = x\n")
        .with("regex.dsl", "-- ==\n-- input { 0 }\n-- error: (\nentry main (x: i32): i32 = 1 / x\n");
    folder.ravel(&["test", "missing.dsl"], "").fails_with(1, "error: cannot read missing.dsl: ");
    folder.ravel(&["test", "bytes.dsl"], "").fails_with(1, "not UTF-8 text");
    let nothing = folder.ravel(&["test", "nothing"], "");
    assert_eq!(nothing.err, "error: these files have no test block: a comment that begins with `-- ==`\n");
    assert_eq!(nothing.code, Some(1));
    let unnamed = folder.ravel(&["test", "regex.dsl", "--only", "other"], "");
    assert_eq!(
        (unnamed.code, unnamed.err.as_str()),
        (Some(1), "error: no test in these files has the text of --only in its name\n")
    );
    for (file, reason) in [
        ("blockless.dsl", "error[E0003]"),
        ("clause.dsl", "`inptu` does not begin a clause"),
        ("entry.dsl", "no entry point `other`"),
        ("file.dsl", "cannot read missing.in"),
        ("regex.dsl", "is not a regular expression"),
    ] {
        let output = folder.ravel(&["test", file], "");
        assert_eq!((output.code, output.err.as_str()), (Some(1), ""));
        assert!(output.text().contains(reason), "{}", output.text());
        assert!(output.text().ends_with("0 passed, 1 failed, 0 skipped, 0 limited\n"), "{}", output.text());
    }
}

const SUM: &str = "entry main [n] (k: i64) (xs: [n]i64): i64 = k + reduce (+) 0 xs\n\
                   entry make (n: i64): (i64, [n]i64) = (n, iota n)\n";

#[test]
fn input_may_be_random_scripted_or_compressed() {
    let gz = [
        31u8, 139, 8, 0, 0, 0, 0, 0, 2, 3, 51, 206, 52, 51, 81, 136, 54, 4, 146, 58, 10, 70, 177, 92, 0, 215,
        89, 195, 145, 15, 0, 0, 0,
    ];
    let blocks = "-- ==\n-- random input { i64 [100]i64 }\n-- auto output\n-- script input { make 5i64 }\n\
                  -- output { 15i64 }\n-- script input @ in.script\n-- output { 3i64 }\n\
                  -- script input { $loaddata \"in\" }\n-- output { 6i64 }\n-- input @ in.gz\n-- output { 6i64 }\n\
                  -- script input { make }\n-- error: takes 1 argument\n";
    let folder = Folder::new("inputs")
        .with("a.dsl", format!("{blocks}{SUM}"))
        .with("in.script", "let (n, xs) = make 2i64 in (n, xs)")
        .with("in", "3i64 [1i64, 2]\n")
        .with("in.gz", gz);
    for backend in BACKENDS {
        let tested = folder.ravel(&["test", "--backend", backend, "a.dsl"], "");
        tested.gives("6 passed, 0 failed, 0 skipped, 0 limited\n");
    }
}

#[test]
fn tags_and_names_select_tests() {
    let blocks = "-- ==\n-- no_gpu slow input { 1i64 [1i64] } output { 2i64 }\n\
                  -- \"the other\" compiled input { 2i64 [1i64] } output { 3i64 }\n\
                  -- notest input { 2i64 [1i64] } output { 4i64 }\n";
    let folder = Folder::new("tags")
        .with("a.dsl", format!("{blocks}{SUM}"))
        .with("b.dsl", format!("-- ==\n-- tags {{ disable }}\n-- input {{ 1i64 [1i64] }}\n{SUM}"));
    let summary = |args: &[&str]| {
        let output = folder.ravel(&[&["test"], args].concat(), "");
        output.text().lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(summary(&["a.dsl", "b.dsl"]), "2 passed, 0 failed, 2 skipped, 0 limited");
    assert_eq!(summary(&["--backend", "interp,gpu", "a.dsl"]), "2 passed, 0 failed, 4 skipped, 0 limited");
    assert_eq!(summary(&["--exclude", "slow", "a.dsl"]), "1 passed, 0 failed, 2 skipped, 0 limited");
    assert_eq!(
        summary(&["--only", "the other", "a.dsl", "b.dsl"]),
        "1 passed, 0 failed, 0 skipped, 0 limited"
    );
    assert_eq!(summary(&["--only", "#9", "a.dsl"]), "0 passed, 0 failed, 0 skipped, 0 limited");
}

#[test]
fn warnings_are_tested() {
    let program =
        |regex: &str| format!("-- ==\n-- warning: {regex}\n#[strange] entry main (x: i32): i32 = x\n");
    let folder = Folder::new("warnings")
        .with("right.dsl", program("strange"))
        .with("wrong.dsl", program("usual"))
        .with("none.dsl", program("strange").replace("#[strange] ", ""));
    folder.ravel(&["test", "right.dsl"], "").gives("1 passed, 0 failed, 0 skipped, 0 limited\n");
    let wrong = folder.ravel(&["test", "wrong.dsl"], "");
    assert!(wrong.text().contains("the warning should be like `usual`, but is:"), "{}", wrong.text());
    let none = folder.ravel(&["test", "none.dsl"], "");
    assert!(none.text().contains("there should be a warning like `strange`"), "{}", none.text());
}

#[test]
fn outcomes_are_printed_in_file_order_and_in_the_report() {
    let names: Vec<String> = (0..20).map(|number| format!("f{number:02}.dsl")).collect();
    let folder = names.iter().fold(Folder::new("report"), |folder, name| {
        folder.with(name, "-- ==\n-- input { 1 }\n-- output { 2 }\n-- input { 2 }\n-- output { 2 }\nentry main (x: i32): i32 = x\n")
    });
    folder
        .ravel(&["test", "--junit", "none/report.xml", "."], "")
        .fails_with(1, "cannot write none/report.xml: ");
    let tested = folder.ravel(&["test", "--jobs", "4", "--junit", "report.xml", "."], "");
    let failed: Vec<&str> = tested.text().lines().filter(|line| line.starts_with("FAILED")).collect();
    let expected: Vec<String> =
        names.iter().map(|name| format!("FAILED ./{name}:2 main #0 on cpu")).collect();
    assert_eq!(failed, expected);
    let report = folder.read("report.xml").expect("a report");
    assert_eq!(report.matches("<failure>result 1: expected 2i32, got 1i32</failure>").count(), 20);
    assert_eq!(report.matches("<testsuite ").count(), 20);
    assert!(
        report.contains("<testcase name=\"./f07.dsl:4 main #1 on cpu\" classname=\"./f07.dsl\""),
        "{report}"
    );
}

#[test]
fn values_are_generated_and_converted() {
    let folder = Folder::new("dataset");
    let generate = |args: &[&str]| folder.ravel(&[&["dataset"], args].concat(), "").out;
    let text = generate(&["--i32-bounds=-2:2", "-g", "[50]i32", "-g", "7i64"]);
    assert_eq!(folder.ravel(&["dataset", "-t"], &text).text(), "[50]i32\ni64\n");
    let binary = generate(&["-b", "--i32-bounds=-2:2", "-g", "[50]i32", "-g", "7i64"]);
    assert_eq!(folder.ravel(&["dataset"], &binary).out, text);
    assert_ne!(generate(&["-g", "i64", "-s", "2"]), generate(&["-g", "i64"]));
    folder.ravel(&["dataset", "-g", "what"], "").fails_with(2, "expected a type, such as `i32` or");
    folder.ravel(&["dataset", "--u8-bounds=0:300", "-g", "u8"], "").fails_with(2, "`300` does not fit in u8");
    folder
        .ravel(&["dataset", "--f32-bounds=0:1e39", "-g", "f32"], "")
        .fails_with(2, "f32.inf is not a bound");
    assert_eq!(folder.ravel(&["dataset"], "[255i8, -1i8] 1e39f32").text(), "[-1i8, -1i8]\nf32.inf\n");
}
