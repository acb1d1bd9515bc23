//! Wrong programs, and files that are not programs.

use crate::support::{BACKENDS, Folder};

#[test]
fn wrong_programs_end_with_1_and_a_place() {
    let folder = Folder::new("wrong_programs").with("a.dsl", "entry main (x: i32): i32 = y\n");
    let message = "\
error[E0101]: Unknown name \"y\"
  --> a.dsl:1:28
  |
1 | entry main (x: i32): i32 = y
  |                            ^
  |
  = help: define it before, with `def` or `let`, or make it a parameter

More about E0101: `ravel check --explain E0101`
";
    folder.ravel(&["check", "a.dsl"], "").fails(1, message);
    folder.ravel(&["dev", "a.dsl"], "").fails(1, message);
    for backend in BACKENDS {
        folder.ravel(&["run", "a.dsl", "--backend", backend], "1").fails(1, message);
    }
}

#[test]
fn limitations_end_with_3_unless_there_are_errors() {
    let tripled = |number: i32| format!("def f{} = f{number} >-> f{number} >-> f{number}\n", number + 1);
    let too_large: String = (0..20).map(tripled).collect();
    let folder = Folder::new("limitations")
        .with(
            "lowering.dsl",
            format!("def f0 (x: i64): i64 = x + 1\n{too_large}entry main (n: i64): i64 = f20 n\n"),
        )
        .with("limitation.dsl", "def p = jvp (+ 1) 1f64 1\n")
        .with("both.dsl", "def p = jvp (+ 1) 1f64 1\ndef q: i32 = true\n");
    folder.ravel(&["check", "limitation.dsl"], "").fails_with(3, "limitation: automatic differentiation");
    folder.ravel(&["run", "limitation.dsl"], "").fails_with(3, "= help: write the derivative by hand");
    folder.ravel(&["check", "lowering.dsl"], "").fails_with(3, "limitation: this function becomes too large");
    let both = folder.ravel(&["check", "both.dsl"], "");
    both.fails_with(1, "limitation: automatic differentiation");
    both.fails_with(1, "error[E0201]: ");
}

#[test]
fn correct_programs_are_checked_without_output() {
    let folder = Folder::new("right_programs")
        .with("a.dsl", "def twice (x: i32) = 2 * x\n")
        .with("empty.dsl", "")
        .with("a.fut", "entry main (x: i32) = x\n");
    for file in ["a.dsl", "empty.dsl", "a.fut"] {
        folder.ravel(&["check", file], "").gives("");
    }
    folder.ravel(&["run", "a.fut"], "7").gives("7i32\n");
}

#[test]
fn unknown_entry_points_are_named_with_the_known_ones() {
    let folder = Folder::new("unknown_entry")
        .with("a.dsl", "entry main (x: i32): i32 = x\nentry other (x: i32): i32 = x\n")
        .with("none.dsl", "def helper (x: i32): i32 = x\n");
    let known = "error: there is no entry point `nosuch`\n  The entry points are: `main`, `other`\n";
    folder.ravel(&["run", "a.dsl", "-e", "nosuch"], "1").fails(1, known);
    folder.ravel(&["run", "none.dsl"], "1").fails_with(1, "write `entry main … = …` to make one");
    folder.ravel(&["run", "a.dsl", "-e", "other"], "1").gives("1i32\n");
}

#[test]
fn files_without_a_program_are_errors() {
    let folder = Folder::new("no_program")
        .with_folder("folder.dsl")
        .with("bytes.dsl", b"def x = 1\n\xff\xfe\n")
        .with("notes.txt", "def x = 1\n");
    for command in ["run", "check"] {
        let run = |file: &str| folder.ravel(&[command, file], "");
        run("missing.dsl").fails_with(1, "error: cannot read missing.dsl: ");
        run("folder.dsl").fails_with(1, "error: cannot read folder.dsl: ");
        run(".").fails_with(1, "its name must end in .dsl or .fut");
        run("notes.txt").fails_with(1, "its name must end in .dsl or .fut");
        run("bytes.dsl").fails(1, "error: bytes.dsl:2: not UTF-8 text (byte 10)\n");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn only_regular_files_are_programs() {
    let folder = Folder::new("no_regular_file")
        .with("a.dsl", "import \"zero\"\nentry main = 1\n")
        .with("b.dsl", "import \"pipe\"\nentry main = 1\n");
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.fut")).expect("a link can be made");
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.dsl")).status();
    assert!(made.expect("mkfifo starts").success());
    for (importer, name, file) in [("a.dsl", "zero", "zero.fut"), ("b.dsl", "pipe", "pipe.dsl")] {
        let message = format!("Could not read import \"{name}\": {file}: it is not a regular file");
        folder.ravel(&["check", importer], "").fails_with(1, &message);
        let message = format!("error: cannot read {file}: it is not a regular file\n");
        folder.ravel(&["check", file], "").fails(1, &message);
    }
}

#[test]
fn a_program_file_has_a_limit() {
    let folder = Folder::new("large_program").with("a.dsl", "import \"b\"\nentry main = 1\n");
    let file = std::fs::File::create(folder.path("b.dsl")).expect("the folder allows files");
    file.set_len((64 << 20) + 1).expect("the disk has room for an empty file");
    let imported = folder.ravel(&["check", "a.dsl"], "");
    imported.fails_with(1, "Could not read import \"b\": b.dsl: a program has at most 64 MiB");
    folder
        .ravel(&["check", "b.dsl"], "")
        .fails(1, "error: cannot read b.dsl: a program has at most 64 MiB\n");
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("entry main (x: i32): i32 =\n{}x{}\n", "(\n".repeat(600), ")\n".repeat(600));
    let folder = Folder::new("deep_nesting").with("a.dsl", text);
    folder.ravel(&["run", "a.dsl"], "1").fails_with(1, "error[E0004]: More than 500 levels of nesting");
}

#[test]
fn invalid_core_text_is_an_error() {
    let folder = Folder::new("core_text").with("a.dsl", "entry main (x: i32): i32 = x + 1\n");
    let core = folder.ravel(&["dev", "a.dsl", "--emit", "core"], "");
    assert_eq!(core.code, Some(0), "{}", core.err);
    let folder = folder.with("good.core", &core.out).with("bad.core", "entry main [");
    let resumed = folder.ravel(&["dev", "good.core", "--from", "simplify"], "");
    assert_eq!(resumed, core);
    folder.ravel(&["dev", "bad.core", "--from", "simplify"], "").fails_with(1, "--> bad.core:1:");
}
