//! Compile time grows linearly with a program, or nearly so. A limit on processor time stops what takes quadratic time, on
//! a busy machine too. Each limit is several times what a debug build takes on an idle machine, since other work on the same core
//! doubles processor time.

use std::process::Command;

use crate::support::Folder;

/// Runs a command with at most so many seconds of processor time. It must succeed and print this.
#[track_caller]
fn takes_at_most(seconds: u32, name: &str, program: &str, arguments: &str, expected: &str) {
    let folder = Folder::new(name).with("a.dsl", program).with("in", "3i64");
    let script = format!("ulimit -t {seconds}; exec \"$0\" {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_ravel")]).current_dir(folder.path(""));
    let output = command.output().expect("sh starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out == expected, "{:?}: {out} {err}", output.status);
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn types_of_thousands_of_branches() {
    let program = format!(
        "def main (x: i64): i64 =\n{}  0\n",
        lines(12_000, |at| format!("  if x < {at} then {} else\n", at % 97))
    );
    takes_at_most(8, "types_of_branches", &program, "check a.dsl", "");
}

#[test]
fn thousands_of_cases_in_a_map() {
    let program = format!(
        "def main (n: i64): []i64 = map (\\x -> match x\n{}  case _ -> 0) (iota n)\n",
        lines(6_000, |at| format!("  case {at} -> {}\n", 2 * at + 1))
    );
    takes_at_most(25, "cases_in_a_map", &program, "run a.dsl --input in", "[1i64, 3i64, 5i64]\n");
}

#[test]
fn hundreds_of_cases_with_arrays() {
    let program = format!(
        "def main (x: i64): []i64 = match x\n{}  case _ -> [0, 0]\n",
        lines(400, |at| format!("  case {at} -> [{at}, {}]\n", at + 1))
    );
    takes_at_most(8, "cases_with_arrays", &program, "run a.dsl --input in", "[3i64, 4i64]\n");
}

#[test]
fn a_thousand_conditions() {
    let program = format!(
        "def main (x: i64): bool =\n{}  false\n",
        lines(1_000, |at| format!("  x == {} ||\n", 3 * at))
    );
    takes_at_most(4, "conditions", &program, "run a.dsl --input in", "true\n");
}
