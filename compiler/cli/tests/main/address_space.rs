//! Runs with little address space, as batch systems and containers limit it.

use std::process::Command;

use crate::support::Folder;

const PROGRAM: &str = "entry main (xs: []i32): i32 = i32.sum xs";

/// Runs a command with each limit, in MiB. It prints what is expected or ends in an error, and succeeds with
/// the last limit.
#[track_caller]
fn succeeds_or_fails(
    folder: &Folder,
    arguments: &str,
    limits: impl IntoIterator<Item = u32>,
    expected: &str,
) {
    let mut last = None;
    for limit in limits {
        let script = format!("ulimit -v {}; exec \"$0\" {arguments}", limit * 1024);
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ravel")]).current_dir(folder.path(""));
        let output = command.output().expect("sh starts");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        last = output.status.code();
        match last {
            Some(0) => assert_eq!(out, expected, "{limit}: {err}"),
            code => assert!(code == Some(1) && err.starts_with("error: "), "{limit}: {code:?} {err}"),
        }
    }
    assert_eq!(last, Some(0));
}

/// The limits begin above what the program and its libraries take in any build.
#[test]
fn stacks_leave_memory_for_the_rest_of_the_compiler() {
    let folder = Folder::new("stack_of_the_compiler").with("a.dsl", PROGRAM);
    succeeds_or_fails(&folder, "check a.dsl", (100..=148).step_by(2), "");
}

#[test]
fn stacks_of_a_backend_shrink_with_the_address_space() {
    let folder = Folder::new("stacks_of_backends").with("a.dsl", PROGRAM).with("in", "[1, 2, 3]");
    for backend in ["interp", "cpu"] {
        let arguments = format!("run a.dsl --backend {backend} --threads 2 --input in");
        succeeds_or_fails(&folder, &arguments, (120..=480).step_by(24), "6i32\n");
    }
}

#[test]
fn lack_of_memory_in_a_recursion_names_a_place() {
    let program = "def down [k] (xs: [k]i64) (n: i64): []i64 =\n  \
                   if n == 0 then xs else map (+ 1) (down (map (+ n) xs) (n - 1))\n\
                   entry main (n: i64): []i64 = down [1, 2] n\n";
    let folder = Folder::new("recursion_in_a_small_address_space").with("a.dsl", program);
    let folder = folder.with("in", "150000i64");
    let mut places = 0;
    for limit in (200..=400).step_by(40) {
        let arguments = "run a.dsl --backend cpu --threads 2 --input in";
        let script = format!("ulimit -v {}; exec \"$0\" {arguments}", limit * 1024);
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ravel")]).current_dir(folder.path(""));
        let output = command.output().expect("sh starts");
        let err = String::from_utf8_lossy(&output.stderr);
        let has_no_room = err.starts_with("error: cannot start 2 threads");
        let names_a_place = err.starts_with("Error: not enough memory for") && err.contains("#0  a.dsl:2:");
        assert!(output.status.success() || names_a_place || has_no_room, "{limit}: {err}");
        places += usize::from(names_a_place);
    }
    assert!(places > 0);
}

#[test]
fn a_session_at_the_prompt_ends_without_an_abort() {
    let folder = Folder::new("session_in_a_small_address_space").with("in", "1 + 1");
    succeeds_or_fails(&folder, "repl < in", (100..=488).step_by(4), "2i32\n");
}

#[test]
fn builds_fail_without_an_abort() {
    let folder = Folder::new("builds_in_a_small_address_space").with("a.dsl", PROGRAM);
    succeeds_or_fails(&folder, "build a.dsl", (100..=600).step_by(20), "");
}

#[test]
fn tests_fail_without_an_abort() {
    let mut folder = Folder::new("tests_in_a_small_address_space");
    for number in 0..4 {
        let case = format!("-- ==\n-- input {{ [1, {number}] }} output {{ {} }}\n{PROGRAM}", number + 1);
        folder = folder.with(&format!("{number}.dsl"), &case);
    }
    let mut last = None;
    for limit in (120..=480).step_by(24) {
        let script = format!("ulimit -v {}; exec \"$0\" test . --backend cpu --jobs 2", limit * 1024);
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ravel")]).current_dir(folder.path(""));
        let output = command.output().expect("sh starts");
        last = output.status.code();
        assert!(matches!(last, Some(0 | 1)), "{limit}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(last, Some(0));
}
