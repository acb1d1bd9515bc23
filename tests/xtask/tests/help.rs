//! `--help` describes a task, and builds and runs nothing. The tests give the tasks an empty `PATH`, so that none can
//! start Cargo.

#![allow(clippy::disallowed_types, reason = "the tests run the binary of xtask")]

use std::process::{Command, Output};

fn xtask(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(args).env("PATH", "").output().expect("the binary of xtask starts")
}

#[test]
fn help_describes_a_task_without_a_build() {
    for args in [["fuzz", "--help"], ["bisect", "-h"], ["test", "--help"]] {
        let output = xtask(&args);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert!(text.starts_with(&format!("cargo xtask {} ", args[0])), "{args:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    }
}

#[test]
fn help_without_a_task_lists_them() {
    let asked = xtask(&["--help"]);
    assert!(asked.status.success(), "{asked:?}");
    let unknown = xtask(&["no-such-task"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(asked.stdout, unknown.stderr);
}

#[test]
fn what_a_task_lacks_is_an_error_with_a_hint() {
    for (args, hints) in [
        (&["aarch64"][..], &["apt-get install gcc-aarch64-linux-gnu ", "rustup target add aarch64"][..]),
        (&["fuzz", "--lanes", "few"], &["`few` is not a number of programs"]),
    ] {
        let output = xtask(args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {output:?}");
        assert!(hints.iter().all(|hint| text.contains(hint)), "{args:?}: {text}");
        assert!(!text.contains("panicked"), "{args:?}: {text}");
    }
}
