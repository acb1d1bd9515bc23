//! Wrong input values: each is an error with a place.

use std::io::Write;
use std::process::Stdio;

use crate::support::Folder;

const PROGRAM: &str = "\
entry main [n] (xs: [n]i32): i32 = reduce (+) 0 xs
entry table [n] [m] (xss: [n][m]f64): i64 = n * m
entry two (x: i64) (y: f32): (f32, i64) = (y, x)
";

#[track_caller]
fn refused(folder: &Folder, entry: &str, input: &[u8], message: &str) {
    let message = format!("error: standard input: {message}\n");
    folder.ravel(&["run", "a.dsl", "-e", entry], input).fails(1, &message);
}

#[test]
fn wrong_text_is_refused() {
    let folder = Folder::new("wrong_text").with("a.dsl", PROGRAM);
    let refused = |entry, input: &str, message| refused(&folder, entry, input.as_bytes(), message);
    refused(
        "main",
        "",
        "1:1: value 1 (`xs`): unexpected input\n  Expected: []i32\n  Actual:   the end of the input",
    );
    refused("main", "[1,2", "1:5: value 1 (`xs`): expected `,` or `]`, found the end of the input");
    refused("main", "[1,,2]", "1:4: value 1 (`xs`): unexpected input\n  Expected: i32\n  Actual:   `,`");
    refused("main", "[1, 2.5]", "1:5: value 1 (`xs`): unexpected input\n  Expected: i32\n  Actual:   `2.5`");
    refused("main", "[1i64]", "1:2: value 1 (`xs`): unexpected input\n  Expected: i32\n  Actual:   `1i64`");
    refused("main", "[9999999999]", "1:2: value 1 (`xs`): `9999999999` does not fit in i32");
    refused("main", "7", "1:1: value 1 (`xs`): unexpected input\n  Expected: []i32\n  Actual:   i32");
    refused(
        "main",
        "[[1]]",
        "1:1: value 1 (`xs`): unexpected input\n  Expected: []i32\n  Actual:   [1][1]i32",
    );
    refused("main", "[]", "1:2: value 1 (`xs`): an array without elements is written empty([0]i32)");
    refused("main", "[1]\n[2]", "2:1: expected the end of the input, found `[2`");
    refused(
        "two",
        "1",
        "1:2: value 2 (`y`): unexpected input\n  Expected: f32\n  Actual:   the end of the input",
    );
    folder.ravel(&["run", "a.dsl", "-e", "table"], "[[1.0], [2.0, 3.0]]").fails_with(1, "value 1 (`xss`)");
}

#[test]
fn wrong_binary_values_are_refused() {
    let folder = Folder::new("wrong_binary").with("a.dsl", PROGRAM);
    let value = |elem: &[u8; 4], shape: &[i64], data: &[u8]| {
        let header = [b'b', 2, shape.len() as u8].into_iter().chain(*elem);
        let sizes = shape.iter().flat_map(|size| size.to_le_bytes());
        header.chain(sizes).chain(data.iter().copied()).collect::<Vec<u8>>()
    };
    let one = 1i32.to_le_bytes();
    let refused = |entry, input: &[u8], message| refused(&folder, entry, input, message);
    refused(
        "main",
        &value(b" i32", &[3], &one),
        "byte 15: value 1 (`xs`): the header says [3]i32, but only 4 bytes of elements follow",
    );
    refused(
        "main",
        &value(b" i32", &[1 << 60], &one),
        "byte 15: value 1 (`xs`): the header says [1152921504606846976]i32, but this many elements do not fit in the memory",
    );
    refused(
        "table",
        &value(b" f64", &[1 << 40, 1 << 40], &[]),
        "byte 23: value 1 (`xss`): the header says [1099511627776][1099511627776]f64, but this many elements do not fit in the memory",
    );
    refused("main", &value(b" i32", &[-1], &[]), "byte 7: value 1 (`xs`): a size is negative or too large");
    refused("main", b"b\x02\x01", "byte 3: value 1 (`xs`): the binary value ends in its header");
    for wrong in [value(b" i64", &[1], &[0; 8]), value(b" i32", &[1, 1], &one), value(b" xyz", &[1], &one)] {
        folder.ravel(&["run", "a.dsl"], wrong).fails_with(1, "value 1 (`xs`)");
    }
    folder.ravel(&["run", "a.dsl"], value(b" i32", &[1], &one)).gives("1i32\n");
}

#[test]
fn an_endless_input_is_refused_immediately() {
    let folder = Folder::new("endless").with("a.dsl", PROGRAM);
    let mut process = folder.command(&["run", "a.dsl", "-e", "two"]).spawn().expect("ravel starts");
    let mut stdin = process.stdin.take().expect("standard input is a pipe");
    // The writer ends when the reader has closed the pipe.
    while stdin.write_all(b"1\n").is_ok() {}
    let output = process.wait_with_output().expect("ravel ends");
    assert_eq!(output.status.code(), Some(1));
    let message = "error: standard input: 3:1: expected the end of the input, found `1`\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), message);
}

#[test]
fn a_trailing_comma_is_accepted() {
    let folder = Folder::new("trailing_comma").with("a.dsl", PROGRAM);
    folder.ravel(&["run", "a.dsl"], "[1, 2,]").gives("3i32\n");
    folder.ravel(&["run", "a.dsl", "-e", "table"], "[[1.0, 2.0, ], [3.0, 4.0],]").gives("4i64\n");
}

/// A limit of the shell simulates the end of the address space.
#[test]
fn an_input_beyond_the_address_space_is_an_error() {
    let folder = Folder::new("address_space").with("a.dsl", PROGRAM);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\" run a.dsl --threads 1", env!("CARGO_BIN_EXE_ravel")]);
    command.current_dir(folder.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("sh starts");
    let mut stdin = process.stdin.take().expect("standard input is a pipe");
    let comment = [b"--", &[b' '; 1 << 16][..]].concat();
    while stdin.write_all(&comment).is_ok() {}
    drop(stdin);
    let output = process.wait_with_output().expect("ravel ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{err}");
    assert!(err.starts_with("error: standard input: ") && err.lines().count() == 1, "{err}");
}

#[test]
fn unreadable_input_files_are_errors() {
    let folder = Folder::new("input_files").with("a.dsl", PROGRAM).with("in", "[1, x]");
    let run = |file: &str| folder.ravel(&["run", "a.dsl", "--input", file], "");
    run("missing").fails_with(1, "error: cannot read missing: ");
    run(".").fails_with(1, "error: cannot read .: ");
    run("in")
        .fails(1, "error: in: 1:5: value 1 (`xs`): unexpected input\n  Expected: i32\n  Actual:   `x`\n");
}
