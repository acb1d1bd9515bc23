//! `ravel test`: the summary, and what counts as a failure.

use crate::support::{BACKENDS, Folder};

#[test]
fn every_outcome_is_counted() {
    let folder = Folder::new("outcomes")
        .with(
            "a.dsl",
            "-- ==\n-- input { 1 }\n-- output { 2 }\n-- input { 2 }\n-- output { 4 }\n\
             -- input { 0 }\n-- error: division by zero\nentry main (x: i32): i32 = x + 1 / x\n",
        )
        .with("b.dsl", "-- ==\n-- input { }\n-- output { 1 }\nentry main = {x = 1}\n")
        .with("c.dsl", "-- ==\n-- error: Unknown variable `y`\nentry main (x: i32): i32 = y\n")
        .with("d.dsl", "entry main (x: i32): i32 = x\n");
    let all = folder.ravel(&["test", "."], "");
    let (last, before) = {
        let mut lines: Vec<_> = all.text().lines().collect();
        (lines.pop(), lines.join("\n"))
    };
    assert_eq!(
        (all.code, last),
        (Some(1), Some("3 passed, 1 failed, 1 skipped")),
        "{}{}",
        all.text(),
        all.err
    );
    assert!(before.contains("FAILED ./a.dsl:4 main on cpu"), "{before}");
    assert!(before.contains("skipped ./b.dsl on cpu"), "{before}");
    folder.ravel(&["test", "c.dsl"], "").gives("1 passed, 0 failed, 0 skipped\n");
}

#[test]
fn skipped_tests_fail_only_on_demand() {
    let folder = Folder::new("skipped").with("a.dsl", "-- ==\n-- input { }\nentry main = {x = 1}\n");
    assert_eq!(folder.ravel(&["test", "a.dsl"], "").code, Some(0));
    assert_eq!(folder.ravel(&["test", "--no-skips", "a.dsl"], "").code, Some(1));
}

#[test]
fn tests_run_on_every_wanted_backend() {
    let text =
        "-- ==\n-- input { 3i64 }\n-- output { 3i64 }\nentry main (n: i64): i64 = reduce (+) 0 (iota n)\n";
    let folder = Folder::new("backends").with("a.dsl", text);
    let backends = BACKENDS.join(",");
    folder.ravel(&["test", "--backend", &backends, "a.dsl"], "").gives("3 passed, 0 failed, 0 skipped\n");
}

#[test]
fn what_cannot_be_tested_is_an_error() {
    let folder = Folder::new("untestable")
        .with_folder("nothing")
        .with("bytes.dsl", b"\xff")
        .with("clause.dsl", "-- ==\n-- inptu { 1 }\nentry main (x: i32): i32 = x\n")
        .with("entry.dsl", "-- ==\n-- entry: other\n-- input { 1 }\nentry main (x: i32): i32 = x\n")
        .with("file.dsl", "-- ==\n-- input @ missing.in\nentry main (x: i32): i32 = x\n")
        .with("regex.dsl", "-- ==\n-- input { 0 }\n-- error: (\nentry main (x: i32): i32 = 1 / x\n");
    folder.ravel(&["test", "missing.dsl"], "").fails_with(1, "error: cannot read missing.dsl: ");
    folder.ravel(&["test", "bytes.dsl"], "").fails_with(1, "not UTF-8 text");
    let nothing = folder.ravel(&["test", "nothing"], "");
    assert_eq!(nothing.err, "error: there is no test block in these files\n");
    assert_eq!(nothing.code, Some(1));
    for (file, reason) in [
        ("clause.dsl", "`inptu` begins no clause"),
        ("entry.dsl", "no entry point `other`"),
        ("file.dsl", "cannot read missing.in"),
        ("regex.dsl", "is no regular expression"),
    ] {
        let told = folder.ravel(&["test", file], "");
        assert_eq!((told.code, told.err.as_str()), (Some(1), ""));
        assert!(told.text().contains(reason), "{}", told.text());
        assert!(told.text().ends_with("0 passed, 1 failed, 0 skipped\n"), "{}", told.text());
    }
}
