//! The pages of `docs/benchmarks`, measured anew.

use std::process::{Command, Stdio};

use crate::ci::run;

/// Where the pages lie.
const FOLDER: &str = "docs/benchmarks";

/// Sequential Rust is built for the machine it runs on, as compiled programs are; apart from everything else, which
/// would be built again.
const NATIVE: (&str, &str) = ("RUSTFLAGS", "-C target-cpu=native");

/// What stands above the table.
const CPU: &str = "\
# The programs on the CPU

Programs of `programs/` on their data, in f64 and, as their entry points `_f32`, in f32; against sequential Rust versions of the same algorithms in f64 (`tests/bench/src/sequential`, release build for
this machine's processor). Every run is checked against what it must give. One thread, two threads and sequential Rust run in turns; the least of the medians of three rounds is shown, for each. Compile time is that
of the whole file with all its entry points, from text to loaded code; reading and writing of data is in no time. Peak memory is that of all arrays together, arguments and results included.
";
const GPU: &str = "\
# The programs on the GPU

Every case of every program that this device finishes within 60 s, run once and checked against what it must give; of sizes that take longer, the first of each kind. Where the device is a
software driver on the processor's cores, the times say only that things end: what is shown is that the results are right.
";

/// `bench [BACKEND [WORD]]`.
pub fn bench(args: &[String]) -> Result<(), String> {
    let backend = args.first().map_or("cpu", String::as_str);
    let word = args.get(1).map(String::as_str);
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let build = ["build", "--release", "--package", "ravel-bench", "--target-dir", "target/native"];
    run("cargo", &build, &[NATIVE])?;
    let measured = Command::new("target/native/release/ravel-bench")
        .args(["programs", backend, word.unwrap_or_default()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|trouble| format!("cannot run ravel-bench: {trouble}"))?;
    let rows = String::from_utf8_lossy(&measured.stdout);
    if !measured.status.success() {
        return Err(format!("the measurement ended early:\n{rows}"));
    }
    if word.is_some() {
        print!("{rows}");
        return Ok(());
    }
    let head = if backend == "gpu" { GPU } else { CPU };
    let file = format!("{FOLDER}/{backend}.md");
    let page = format!("{head}\nMeasured by `cargo xtask bench {backend}`.\n\n{rows}");
    std::fs::create_dir_all(FOLDER)
        .and_then(|()| std::fs::write(&file, page))
        .map_err(|trouble| format!("cannot write {file}: {trouble}"))
}
