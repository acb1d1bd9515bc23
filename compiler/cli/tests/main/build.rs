//! `ravel build` and its executables: their dependencies and options, and the refusal to run a damaged one.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Folder, Outcome, finish};

const PROGRAM: &str = "\
entry main [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry twice [n] (xs: [n]i32): ([n]i32, i64) = (map (* 2) xs, n)
entry third (xs: []i32): i32 = xs[2]
";

/// A folder with this program, built for a backend as `program`.
pub fn built(test: &str, program: &str, backend: &str) -> Folder {
    let folder = Folder::new(test).with("program.dsl", program);
    folder.ravel(&["build", "program.dsl", "--backend", backend], "").gives("");
    folder
}

/// Starts an executable. Retries while another process has it open for writing: a process forked by a parallel test may
/// inherit the file for a moment.
fn spawn(command: &mut Command) -> io::Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    loop {
        match command.spawn() {
            Err(busy) if busy.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            started => return started,
        }
    }
}

/// Runs an executable in the root folder with an empty environment.
pub fn execute(file: &Path, args: &[&str], input: &str) -> Outcome {
    let mut command = Command::new(file);
    command.args(args).env_clear().current_dir("/");
    finish(spawn(&mut command).expect("the executable starts"), input.as_bytes())
}

#[test]
fn an_executable_needs_no_environment() {
    for backend in ["cpu", "gpu"] {
        let folder = built(&format!("build_{backend}"), PROGRAM, backend);
        std::fs::remove_file(folder.path("program.dsl")).expect("the source is no longer needed");
        let run = |args: &[&str], input| execute(&folder.path("program"), args, input);
        run(&[], "[1, 2, 3] [4, 5, 6]").gives("32.0f64\n");
        run(&["-e", "twice"], "[1, 2]").gives("[2i32, 4i32]\n2i64\n");
        run(&["--entry-point", "twice", "-n"], "[1, 2]").gives("");
        run(&["--entry-point", "twice", "-b", "-n"], "[1, 2]").gives("");
        let binary = run(&["-b", "-e", "third"], "[1, 2, 3]");
        assert_eq!((binary.code, binary.out.as_slice()), (Some(0), &b"b\x02\x00 i32\x03\x00\x00\x00"[..]));
    }
}

/// Each point has an array of a size that varies between threads.
const TREES: &str = "\
-- ==
-- input { [3i64, 1i64, 100i64] }
-- output { [3i64, 0i64, 4950i64] }
entry main (ns: []i64): []i64 =
  map (\\n -> let xs = loop xs = replicate n 0 for i < n - 1 do xs with [i + 1] = xs[i] + 1 in reduce (+) 0 xs) ns
";

#[test]
fn the_memory_of_threads_is_bounded_in_every_command() {
    let folder = built("max_memory", TREES, "gpu");
    let (input, output) = ("[3, 1, 100]", "[3i64, 0i64, 4950i64]\n");
    let enough = ["--max-memory", "4K"];
    let little = ["--max-memory", "100"];
    let message = "bytes, more than --max-memory allows";
    execute(&folder.path("program"), &enough, input).gives(output);
    execute(&folder.path("program"), &little, input).fails_with(1, message);
    for command in
        [&["run", "program.dsl", "--backend", "gpu"][..], &["test", "program.dsl", "--backend", "gpu"]]
    {
        let run = |options: &[&str]| folder.ravel(&[command, options].concat(), input);
        assert_eq!(run(&enough).code, Some(0));
        let failed = run(&little);
        assert_eq!(failed.code, Some(1));
        assert!([failed.text(), &failed.err].concat().contains(message), "{command:?}");
    }
    // On the CPU threads allocate dynamically, so there is no bound to set.
    folder.ravel(&["run", "program.dsl", "--max-memory", "100"], input).gives(output);
    let native = built("max_memory_native", TREES, "cpu");
    execute(&native.path("program"), &little, input).fails_with(2, "that were built with `--backend gpu`");
}

#[test]
fn an_executable_fails_as_ravel_does() {
    let folder = built("build_failures", PROGRAM, "cpu");
    let run = |args: &[&str], input| execute(&folder.path("program"), args, input);
    let out_of_bounds = "\n\nBacktrace:\n-> #0  program.dsl:3:32-36\n";
    run(&["-e", "third"], "[1]").fails_with(1, out_of_bounds);
    folder.ravel(&["run", "program.dsl", "-e", "third"], "[1]").fails_with(1, out_of_bounds);
    run(&[], "[1] [2, 3]").fails_with(
        1,
        "argument 2 (`ys`) has the wrong size\n  Expected: [n]f64 with n = 1\n  Actual:   [2]f64",
    );
    run(&[], "[1] what").fails_with(1, "standard input: 1:5: value 2 (`ys`)");
    run(&["-e", "none"], "")
        .fails_with(1, "no entry point `none`\n  The entry points are: `main`, `twice`, `third`\n");
    run(&["--frobnicate"], "").fails_with(2, "unexpected argument '--frobnicate'");
    run(&["-r", "0"], "").fails_with(2, "0 is not in 1..");
    run(&["run", "program.dsl"], "").fails_with(2, "unexpected argument 'run'");
    run(&["--device", "x"], "").fails_with(2, "--device is for executables that were built with");
    run(&["--param", "tile=3"], "")
        .fails_with(1, "there is no tuning parameter `tile`: the program has none");
    run(&["--param", "tile"], "").fails_with(2, "a tuning parameter is set by NAME=INT, not `tile`");
    run(&["--tuning", "/none"], "").fails_with(1, "cannot read /none");
    run(&["--print-params"], "").gives("");
    run(&["--version"], "").gives(concat!("made by ravel ", env!("CARGO_PKG_VERSION"), "\n"));
    std::os::unix::fs::symlink("program", folder.path("link")).expect("a link can be made");
    for option in ["-t", "--npy-out"] {
        for program in ["program.dsl", "program", "link"] {
            run(&[option, &folder.path(program).display().to_string()], "[1] [2]")
                .fails_with(2, &format!("{program} is a program, and would be overwritten"));
        }
    }
    run(&[], "[1] [2]").gives("2.0f64\n");
}

#[test]
fn an_executable_for_a_gpu_has_no_threads_to_count() {
    let folder = built("build_threads", "entry main = 1i32\n", "gpu");
    execute(&folder.path("program"), &["--num-threads", "2"], "")
        .fails_with(2, "--num-threads is for executables that were built with `--backend cpu`");
}

#[test]
fn runs_are_timed_logged_and_profiled() {
    let folder = built("build_timing", PROGRAM, "cpu");
    let times = folder.path("times").display().to_string();
    let run = |args: &[&str]| execute(&folder.path("program"), args, "[1, 2] [3, 4]");
    run(&["-t", &times]).gives("11.0f64\n");
    assert_eq!(folder.read("times").map(|text| text.lines().count()), Some(1));
    run(&["-t", &times, "-r", "5"]).gives("11.0f64\n");
    let text = folder.read("times").expect("times are written");
    assert_eq!(text.lines().filter(|line| line.parse::<u64>().is_ok()).count(), 5, "{text}");
    let logged = run(&["-L", "-P", "-r", "2"]);
    assert_eq!((logged.code, logged.text()), (Some(0), "11.0f64\n"));
    assert_eq!(logged.err.matches("main: ").count(), 3, "a warm-up and two runs: {}", logged.err);
    assert!(
        logged.err.contains("\nlaunches: 1\n") && logged.err.contains("run (median): "),
        "{}",
        logged.err
    );
    let debugged = run(&["-D", "--num-threads", "2"]);
    assert!(debugged.err.starts_with("program.dsl is loaded on 2 threads in "), "{}", debugged.err);
}

#[test]
fn a_wrong_program_leaves_no_files() {
    let folder = Folder::new("build_wrong")
        .with("wrong.dsl", "entry main = x\n")
        .with("none.dsl", "def f = 1i32\n")
        .with("right.dsl", "entry main = 1i32\n")
        .with("old", "what was there")
        .with_folder("folder");
    folder.ravel(&["build", "wrong.dsl", "-o", "old"], "").fails_with(1, "Unknown name \"x\"");
    folder.ravel(&["build", "wrong.dsl", "-o", "right.dsl"], "").fails_with(2, "right.dsl is a program, and");
    folder.ravel(&["build", "wrong.dsl", "-o", "none/out"], "").fails_with(1, "cannot write none/out: ");
    folder.ravel(&["build", "none.dsl", "-o", "old"], "").fails_with(1, "the program has no entry point");
    folder
        .ravel(&["build", "right.dsl", "-o", "old", "--backend", "interp"], "")
        .fails_with(2, "invalid value 'interp' for '--backend <BACKEND>'");
    folder.ravel(&["build", "right.dsl", "-o", "folder"], "").fails_with(1, "cannot write folder: ");
    folder.ravel(&["build", "right.dsl", "-o", "none/out"], "").fails_with(1, "cannot write none/out: ");
    // A file size limit of a megabyte simulates a full disk.
    let mut full = Command::new("sh");
    full.args([
        "-c",
        "trap '' XFSZ; ulimit -f 1024; exec \"$0\" build right.dsl -o old",
        env!("CARGO_BIN_EXE_ravel"),
    ]);
    full.current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(full.spawn().expect("a shell starts"), b"").fails_with(1, "cannot write old: ");
    assert_eq!(folder.read("old").as_deref(), Some("what was there"));
    let left = std::fs::read_dir(folder.path("")).expect("the folder can be read");
    assert_eq!(left.count(), 5, "a part of an executable is left");
    folder.ravel(&["build", "right.dsl", "-o", "old"], "").gives("");
    execute(&folder.path("old"), &[], "").gives("1i32\n");
    // An executable has none of the compiler's commands.
    execute(&folder.path("old"), &["build", "right.dsl"], "").fails_with(2, "unexpected argument 'build'");
}

/// Asserts that an executable is refused with this reason.
#[track_caller]
fn is_refused(file: &Path, how: &str) {
    let outcome = execute(file, &[], "[1] [2]");
    let (code, text, err) = (outcome.code, outcome.text(), &outcome.err);
    assert_eq!((code, text), (Some(1), ""), "{how}: {err}");
    assert!(err.starts_with("error: this executable is damaged: "), "{how}: {err}");
    assert!(err.ends_with("; build it again with `ravel build`\n"), "{how}: {err}");
}

/// The offset of the payload locator in an executable.
fn locator(bytes: &[u8]) -> usize {
    let mark = b"\x07ravel payload locator";
    bytes.windows(mark.len()).position(|part| part == mark).expect("it has a locator")
}

/// An executable that can be damaged and repaired in place.
struct TestExecutable {
    file: PathBuf,
    /// The offset of its payload.
    start: u64,
    payload: Vec<u8>,
}

impl TestExecutable {
    fn new(test: &str, backend: &str) -> TestExecutable {
        let file = built(test, PROGRAM, backend).path("program");
        let bytes = std::fs::read(&file).expect("the executable can be read");
        let field = &bytes[locator(&bytes) + 32..][..8];
        let start = u64::from_le_bytes(field.try_into().expect("eight bytes"));
        let payload = bytes[start as usize..].to_vec();
        assert!(payload.len() > 200, "the payload is {} bytes", payload.len());
        TestExecutable { file, start, payload }
    }

    /// Replaces the payload.
    fn carries(&self, payload: &[u8]) {
        let mut file =
            OpenOptions::new().write(true).open(&self.file).expect("the executable can be written");
        file.set_len(self.start).expect("it can be cut");
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).expect("its end can be found");
        file.write_all(payload).expect("it can be written");
    }
}

#[test]
fn a_damaged_executable_refuses_to_run() {
    for backend in ["cpu", "gpu"] {
        let patient = TestExecutable::new(&format!("damage_{backend}"), backend);
        let TestExecutable { file, payload, .. } = &patient;
        for part in 0..20 {
            let length = payload.len() * part / 20;
            patient.carries(&payload[..length]);
            is_refused(file, &format!("{backend}, cut to {length}"));
        }
        let bits = 8 * payload.len();
        for flip in 0..100 {
            // Flips are spread over the payload and over the bits of a byte.
            let bit = flip * (bits / 100) + flip % 8;
            let mut flipped = payload.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            patient.carries(&flipped);
            is_refused(file, &format!("{backend}, bit {bit} of {bits} flipped"));
        }
        patient.carries(&[payload.as_slice(), b"\0"].concat());
        is_refused(file, "a byte after it");
        patient.carries(payload);
    }
    let whole = TestExecutable::new("damage_none", "cpu");
    whole.carries(&whole.payload);
    execute(&whole.file, &[], "[1] [2]").gives("2.0f64\n");
}

/// An executable that is truncated in its program reports the damage. One that is truncated in its binary is refused by the
/// system with an error code. Neither ends by a signal.
#[test]
#[cfg(target_os = "linux")]
fn a_truncated_executable_refuses_to_run() {
    let patient = TestExecutable::new("damage_cut", "cpu");
    let whole = patient.start + patient.payload.len() as u64;
    let twentieths = (1..20).rev().map(|part| whole * part / 20);
    let around_the_interpreter_name =
        [patient.start, patient.start - 1, patient.start - 28, patient.start - 29, 4096];
    for length in around_the_interpreter_name.into_iter().chain(twentieths) {
        let cut = patient.file.with_file_name("cut");
        std::fs::copy(&patient.file, &cut).expect("it can be copied");
        let file = OpenOptions::new().write(true).open(&cut).expect("the copy can be written");
        file.set_len(length).expect("it can be cut");
        drop(file);
        match spawn(&mut Command::new(&cut)) {
            Ok(process) if length >= patient.start => {
                finish(process, b"[1] [2]").fails_with(1, "error: this executable is damaged: it has ");
            }
            Ok(process) => panic!("cut to {length} it starts: {:?}", finish(process, b"[1] [2]")),
            Err(message) => assert_eq!(message.raw_os_error(), Some(5), "cut to {length}: {message}"),
        }
    }
}

/// `-o` must not overwrite the program itself.
#[test]
fn an_executable_overwrites_no_program_and_follows_links() {
    let folder = Folder::new("build_places").with("a.dsl", "entry main = 1i32\n").with("b.fut", "");
    for name in ["a.dsl", "b.fut", "./a.dsl"] {
        folder
            .ravel(&["build", "a.dsl", "-o", name], "")
            .fails_with(2, "is a program, and would be overwritten");
    }
    folder.ravel(&["build", "a.dsl", "-o", "-"], "").fails_with(2, "`-` is not a name for a file here");
    assert!(!folder.path("-").exists());
    std::os::unix::fs::symlink("a.dsl", folder.path("link")).expect("a link can be made");
    folder
        .ravel(&["build", "a.dsl", "-o", "link"], "")
        .fails_with(2, "link is a program, and would be overwritten");
    assert_eq!(folder.read("a.dsl").as_deref(), Some("entry main = 1i32\n"));
    std::os::unix::fs::symlink("target", folder.path("other")).expect("a link can be made");
    folder.ravel(&["build", "a.dsl", "-o", "other"], "").gives("");
    execute(&folder.path("target"), &[], "").gives("1i32\n");
    assert!(folder.path("other").is_symlink());
    folder.ravel(&["build", "a.dsl", "-o", "/dev/null"], "").gives("");
    assert!(!Path::new("/dev/null").metadata().expect("it is still there").is_file());
}

/// The running binary is then the dynamic linker; neither it nor the executable is damaged.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
fn an_executable_started_by_the_linker_is_not_reported_as_damaged() {
    let file = built("linker", PROGRAM, "cpu").path("program");
    let file = file.to_str().expect("its name is text");
    execute(Path::new("/lib64/ld-linux-x86-64.so.2"), &[file], "[1] [2]")
        .fails_with(1, "error: this executable cannot find its program: the system takes another file");
}

#[test]
fn a_damaged_fuse_is_noticed() {
    let file = built("damage_fuse", PROGRAM, "cpu").path("program");
    let mut bytes = std::fs::read(&file).expect("the executable can be read");
    let at = locator(&bytes);
    for byte in [24, 28, 32, 40, 48] {
        bytes[at + byte] ^= 4;
        std::fs::write(&file, &bytes).expect("the executable can be written");
        is_refused(&file, &format!("byte {byte} after the mark"));
        bytes[at + byte] ^= 4;
    }
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_parts_of_a_gpu_program_are_written() {
    let folder = Folder::new("emit_gpu").with("program.dsl", PROGRAM);
    folder.ravel(&["build", "program.dsl", "--emit", "wgsl,spirv,manifest", "-o", "parts"], "").gives("");
    let parts = files(&folder.path("parts"));
    let of = |extension: &str| parts.iter().filter(|name| name.ends_with(extension)).count();
    assert!(of(".wgsl") >= 3 && of(".wgsl") == of(".spv") && parts.len() == 2 * of(".spv") + 1, "{parts:?}");
    let text = folder.read("parts/manifest.json").expect("there is a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(manifest["entry_points"][1]["output"]["type"], "([]i32, i64)");
    assert_eq!(manifest["entry_points"][1]["leaves"]["params"][0], "[n]i32");
    assert_eq!(manifest["types"]["[]f64"]["kind"], "array");
    let kernels = manifest["code"]["kernels"].as_array().expect("there are kernels");
    assert_eq!(kernels.len(), of(".wgsl"));
    for kernel in kernels {
        let name = kernel["spirv"].as_str().expect("a file");
        let words = std::fs::read(folder.path("parts").join(name)).expect("the file is there");
        assert!(
            words.starts_with(&0x0723_0203u32.to_le_bytes()) && words.len().is_multiple_of(4),
            "{name} is no SPIR-V"
        );
        let name = kernel["wgsl"].as_str().expect("a file");
        let text = folder.read(&format!("parts/{name}")).expect("the file is there");
        assert!(text.contains("@compute"), "{text}");
    }
}

#[test]
fn parts_of_another_program_are_removed_with_its_manifest() {
    let one = "entry one (xs: []i64): i64 = i64.sum (map (* 2) xs)\nentry main (xs: []i64) = map (+ 1) xs\n";
    let folder = Folder::new("emit_again").with("a.dsl", one).with("b.dsl", "entry main (x: i64) = x\n");
    let emit = |program: &str, parts: &str| {
        folder.ravel(&["build", program, "--emit", parts, "-o", "parts"], "").gives("");
        files(&folder.path("parts"))
    };
    let kernels = emit("a.dsl", "wgsl,manifest");
    assert!(kernels.len() > 2, "{kernels:?}");
    std::fs::write(folder.path("parts/9-mine.wgsl"), "").expect("it can be written");
    // For the same program, or without a manifest, nothing is removed.
    let with_mine = emit("a.dsl", "manifest,wgsl");
    assert_eq!(with_mine.len(), kernels.len() + 1);
    assert_eq!(emit("b.dsl", "clif").len(), kernels.len() + 2);
    assert_eq!(
        emit("b.dsl", "object,manifest"),
        ["9-mine.wgsl", "manifest.json", "program.clif", "program.o"]
    );
    assert_eq!(emit("a.dsl", "wgsl,manifest"), with_mine);
}

const CALLER: &str = "\
#include <stdio.h>
/* An entry point that allocates nothing, starts nothing and cannot fail asks nothing of its context. */
extern unsigned ravel_entry_main(const void *, unsigned long, long, const unsigned long *, unsigned long *);
int main(void) {
  unsigned long context[64] = {0}, args[1] = {7}, results[1] = {0};
  unsigned status = ravel_entry_main(context, 0, 1, args, results);
  printf(\"%u %lu\\n\", status, results[0]);
  return 0;
}
";

#[test]
fn an_object_file_links_into_a_program_of_another_language() {
    let folder = Folder::new("emit_cpu")
        .with(
            "program.dsl",
            "entry main (x: i64): i64 = x * x + 1\nentry sum (xs: []i64): i64 = i64.sum xs\n",
        )
        .with("caller.c", CALLER);
    folder.ravel(&["build", "program.dsl", "--emit", "clif,object,manifest", "-o", "parts"], "").gives("");
    assert_eq!(files(&folder.path("parts")), ["manifest.json", "program.clif", "program.o"]);
    let clif = folder.read("parts/program.clif").expect("there is the code");
    assert!(clif.contains("function %main(") && clif.contains("imul"), "{clif}");
    let manifest = folder.read("parts/manifest.json").expect("there is a manifest");
    assert!(
        manifest.contains("\"ravel_entry_sum\"") && manifest.contains("\"backend\": \"cpu\""),
        "{manifest}"
    );
    let mut linker = Command::new("cc");
    linker
        .args(["-z", "noexecstack", "-o", "caller", "caller.c", "parts/program.o"])
        .current_dir(folder.path(""));
    let linked = linker.output().expect("the C compiler that Rust links with starts");
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    execute(&folder.path("caller"), &[], "").gives("0 50\n");
}

#[test]
fn parts_for_different_machines_are_refused() {
    let folder = Folder::new("emit_refused").with("program.dsl", PROGRAM).with("file", "");
    let build = |args: &[&str]| folder.ravel(&[&["build", "program.dsl"], args].concat(), "");
    build(&["--emit", "wgsl,object"])
        .fails_with(2, "--emit cannot combine parts for the GPU with parts for the CPU");
    build(&["--emit", "ptx"]).fails_with(2, "invalid value 'ptx'");
    build(&["--emit", "manifest", "--server"]).fails_with(2, "cannot be used with");
    build(&["--emit", "manifest", "-o", "file"])
        .fails_with(1, "cannot write file: it is not a folder, and parts go into a folder; name one with -o");
    for (part, backend) in [("wgsl", "cpu"), ("spirv,manifest", "cpu"), ("clif", "gpu"), ("object", "gpu")] {
        build(&["--emit", part, "--backend", backend]).fails_with(2, "--backend names another machine");
    }
    assert_eq!(files(&folder.path("")), ["file", "program.dsl"]);
}
