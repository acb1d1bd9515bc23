//! Wrong usage exits with 2, help with 0.

use std::time::{Duration, Instant};

use crate::support::Folder;

#[test]
fn wrong_usage_ends_with_2() {
    let folder = Folder::new("wrong_usage").with("a.dsl", "entry main (x: i32): i32 = x\n");
    let cases: [(&[&str], &str); 18] = [
        (&[], "Usage: ravel <COMMAND>"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["run"], "required arguments were not provided"),
        (&["run", "a.dsl", "--backend", "cuda"], "invalid value 'cuda'"),
        (&["run", "a.dsl", "--runs", "0"], "0 is not in 1.."),
        (&["run", "a.dsl", "--threads", "0"], "0 is not in 1.."),
        (&["run", "a.dsl", "--threads", "1025"], "1025 is not in 1..=1024"),
        (&["run", "a.dsl", "--max-memory", "12 MB"], "a number of bytes, such as 4096, 64K, 512M or 2G"),
        (&["bench", "a.dsl", "--max-memory", "0"], "a number of bytes, such as 4096, 64K, 512M or 2G"),
        (&["test", "a.dsl", "--jobs", "0"], "0 is not in 1.."),
        (&["test", "a.dsl", "--jobs", "1025"], "1025 is not in 1..=1024"),
        (&["run", "a.dsl", "--timing", "times"], "--timing needs --runs"),
        (&["dev", "a.dsl", "--dump-after", "frobnicate"], "there is no pass `frobnicate`"),
        (
            &["run", "a.dsl", "--without", "rule-nine"],
            "there is no rule `rule-nine`; `ravel dev --list-passes` lists them",
        ),
        (&["run", "a.dsl", "--without", "map-map, map_write"], "did you mean `map-write`?"),
        (&["run", "a.dsl", "--without", "fuse-vertical"], "is a pass; its rules are map-map,"),
        (&["dev", "a.dsl", "--without", "map-write,inline"], "the rule `inline` cannot be switched off"),
        (&["dev"], "required arguments were not provided"),
    ];
    for (args, message) in cases {
        folder.ravel(args, "1").fails_with(2, message);
    }
    assert_eq!(folder.read("times"), None);
}

#[test]
fn checks_can_be_strict_and_for_a_backend() {
    let text = "def f (n: i64): i64 = if n < 2 then 1 else n * f (n - 1)\nentry main (n: i64): i64 = f n\n\
                entry total (xs: []f64): f64 = stream_red (+) (\\k (ys: [k]f64) -> f64.sum ys) xs\n";
    let folder = Folder::new("checks").with("a.dsl", text);
    for args in [&["check", "a.dsl"][..], &["check", "a.dsl", "--backend", "cpu"]] {
        folder.ravel(args, "").gives("");
    }
    folder
        .ravel(&["check", "a.dsl", "--backend", "gpu"], "")
        .fails_with(3, "limitation: functions that cannot be inlined");
    let strict = folder.ravel(&["check", "a.dsl", "--strict-futhark"], "");
    assert_eq!(strict.code, Some(0));
    assert!(
        strict.err.starts_with("warning[W0003]: \"stream_red\" is an addition to Futhark"),
        "{}",
        strict.err
    );
}

/// The check takes a minute if each arrow checks the rest of the chain.
#[test]
fn function_types_are_checked_in_linear_time() {
    let text = format!("def f (g: {} i32) = 1i32\nentry main = 1i32\n", "i32 -> ".repeat(9_900));
    let folder = Folder::new("long_function_type").with("a.dsl", &text);
    let begin = Instant::now();
    folder.ravel(&["check", "a.dsl"], "").gives("");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

/// Thousands of errors take minutes if each is compared with all names, or reads the whole file.
#[test]
fn many_errors_are_reported_in_linear_time() {
    let text: String = (0..16_000).map(|number| format!("def name{number} = nome{number}\n")).collect();
    let folder = Folder::new("many_errors").with("a.dsl", &text);
    let begin = Instant::now();
    folder.ravel(&["check", "a.dsl"], "").fails_with(1, "Unknown name \"nome15999\"");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

/// Each duplicate names the place of the definition before it. Counting every place from the beginning of the file takes
/// quadratic time: more than a minute here, in a debug build.
#[test]
fn many_duplicates_are_reported_in_linear_time() {
    let text: String = (0..40_000).map(|number| format!("def name: i32 = {number}\n")).collect();
    let folder = Folder::new("many_duplicates").with("a.dsl", &text);
    let begin = Instant::now();
    let previous = "Duplicate definition of name name. Previously defined at 199:5";
    folder.ravel(&["check", "a.dsl"], "").fails_with(1, previous);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn help_goes_to_standard_output() {
    let folder = Folder::new("help");
    for args in [&["--help"][..], &["run", "--help"], &["help", "test"]] {
        let help = folder.ravel(args, "");
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(help.text().contains("Usage: ravel"), "{}", help.text());
    }
}
