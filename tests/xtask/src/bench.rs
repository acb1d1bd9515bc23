//! Measures the pages of `docs/benchmarks`.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::ci::run;

/// The folder of the pages.
const FOLDER: &str = "docs/benchmarks";

/// Sequential Rust is built for the machine at hand, as compiled programs are. It has its own build folder, since the
/// flag would rebuild everything else.
const NATIVE: (&str, &str) = ("RUSTFLAGS", "-C target-cpu=native");

/// The text above the table.
const CPU: &str = "\
# The programs on the CPU

Programs of `programs/` on their data, in f64 and, as their entry points `_f32`, in f32; against sequential Rust versions of the same algorithms in f64 (`tests/bench/src/sequential`, release build for
this machine's processor). Every run is checked against what it must give. One thread, two threads and sequential Rust run in turns, up to three rounds, fewer of what takes seconds; the least of the medians of
the rounds is shown, for each. Compile time is from the file's text to loaded code of the entry point that is run, all other definitions being checked; reading and writing of data is in no time. Peak memory is that of all arrays together,
arguments and results included; why it is what it is, the pages of the programs say.
";
const GPU: &str = "\
# The programs on the GPU

Every case of every program that this device finishes within 60 s, if it is a software driver, or within 300 s, run once and checked against what it must give; of sizes that take longer, the first of each kind. What is sure to take longer, by the time of
the size before and the ratio of both, is not tried. Where the device is a software driver on the processor's cores, the times say only that things end: what is shown is that the results are right.
";

/// `bench [BACKEND [WORD]]`.
pub fn bench(args: &[String]) -> Result<(), String> {
    let backend = args.first().map_or("cpu", String::as_str);
    let word = args.get(1).map(String::as_str);
    if !["cpu", "gpu"].contains(&backend) {
        return Err(format!("there is no page for {backend}, only for cpu and gpu"));
    }
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let build = ["build", "--release", "--package", "ravel-bench", "--target-dir", "target/native"];
    run("cargo", &build, &[NATIVE])?;
    let file = format!("{FOLDER}/{backend}.md");
    let measured = match word {
        Some(word) => measure(backend, word, &mut std::io::stdout()),
        None => std::fs::create_dir_all(FOLDER).and_then(|()| File::create(&file)).and_then(|mut page| {
            let head = if backend == "gpu" { GPU } else { CPU };
            write!(page, "{head}\nMeasured by `cargo xtask bench {backend}`.\n\n")?;
            measure(backend, "", &mut page)
        }),
    };
    match measured {
        Ok(true) if backend == "cpu" && word.is_none() => plot(&file),
        Ok(true) => Ok(()),
        Ok(false) => {
            Err("the measurement ended early, or something gave another result than it must".to_owned())
        }
        Err(trouble) => Err(format!("cannot write the rows: {trouble}")),
    }
}

/// Draws the plot of a page beside it.
fn plot(page: &str) -> Result<(), String> {
    let written = std::fs::read_to_string(page)
        .and_then(|table| std::fs::write(format!("{FOLDER}/cpu.svg"), ravel_support::plot::ratios(&table)));
    written.map_err(|trouble| format!("cannot draw the plot: {trouble}"))
}

/// Writes rows as they come, so that an interrupted measurement keeps its rows. False if it failed.
fn measure(backend: &str, word: &str, page: &mut dyn Write) -> std::io::Result<bool> {
    let mut child = Command::new("target/native/release/ravel-bench")
        .args(["programs", backend, word])
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(rows) = child.stdout.take() {
        for row in BufReader::new(rows).lines() {
            writeln!(page, "{}", row?)?;
        }
    }
    Ok(child.wait()?.success())
}
