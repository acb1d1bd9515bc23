//! Measures the pages of `docs/benchmarks`.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::ci::run;

/// The folder of the pages.
const FOLDER: &str = "docs/benchmarks";

/// Sequential Rust is compiled for this machine's processor, as programs are. It has a separate build folder, because the
/// flag would rebuild everything else.
const NATIVE: (&str, &str) = ("RUSTFLAGS", "-C target-cpu=native");

/// The text above the table.
const CPU: &str = "\
# The programs on the CPU

The programs of `programs/` on their data, in f64 and, by their entry points `_f32`, in f32, compared with sequential Rust versions of the same algorithms in f64 (`tests/bench/src/sequential`, release build for
this machine's processor). The result of every run is checked. Runs with one thread, with two threads and of sequential Rust alternate, in up to three rounds, or fewer if a run takes seconds. The table shows the minimum of the rounds' medians.
Compile time is from the file's text to loaded code of one entry point; all definitions of the file are checked. Reading and writing of data is not included in any time. Peak memory is that of all arrays, including arguments and results; the pages of the programs explain it.
";
const GPU: &str = "\
# The programs on the GPU

Every case of every program that this device finishes within 60 s, if it is a software driver, or within 300 s. Each runs once, and its result is checked. Of the sizes that take longer, only the first of each kind is tried, unless the time of the previous size and the ratio of both sizes
show that it would take far longer. If the device is a software driver, the times only show that the programs end; the purpose is to check the results.
";

const CLASSICS: &str = "\
# Primitives and classics on the CPU

The programs of `tests/run/classics` compared with Rust versions that one would write by hand (`tests/bench/src/classics`, release build for this machine's processor): sequential loops over iterators, and rayon's parallel iterators
around the same loops. There are no intrinsics in them. Every result is compared with sequential Rust's. The four runs alternate, in three rounds, and the table shows the minimum of the rounds' medians. All times include memory for the results, which is new in Rust and kept from run to run in Ravel.
Compile time is from the file's text to loaded code of one entry point.

![Times divided by those of sequential Rust](classics.svg)
";

/// `bench [PAGE [WORD]]`.
pub fn bench(args: &[String]) -> Result<(), String> {
    let name = args.first().map_or("cpu", String::as_str);
    if name == "model" {
        // The counts are the same on every machine, so a test compares the page, and writes it if asked to.
        let test = ["test", "--package", "ravel-tests", "--test", "all", "--", "counts::"];
        return run("cargo", &test, &[("INSTA_UPDATE", "always")]);
    }
    let word = args.get(1).map(String::as_str);
    let head = match name {
        "cpu" => CPU,
        "gpu" => GPU,
        "classics" => CLASSICS,
        _ => return Err(format!("there is no page {name}; the pages are cpu, gpu, classics and model")),
    };
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let build = ["build", "--release", "--package", "ravel-bench", "--target-dir", "target/native"];
    run("cargo", &build, &[NATIVE])?;
    let file = format!("{FOLDER}/{name}.md");
    let measured = match word {
        Some(word) => measure(name, word, &mut std::io::stdout()),
        None => std::fs::create_dir_all(FOLDER).and_then(|()| File::create(&file)).and_then(|mut page| {
            write!(page, "{head}\nMeasured by `cargo xtask bench {name}`.\n\n")?;
            measure(name, "", &mut page)
        }),
    };
    match measured {
        Ok(true) if word.is_none() => plot(name, &file),
        Ok(true) => Ok(()),
        Ok(false) => Err("the measurement ended early, or a result was wrong".to_owned()),
        Err(trouble) => Err(format!("cannot write the rows: {trouble}")),
    }
}

/// Draws the plot of a page, if it has one, in the same folder.
fn plot(page: &str, file: &str) -> Result<(), String> {
    let draw = match page {
        "cpu" => ravel_support::plot::ratios,
        "classics" => ravel_support::plot::bars,
        _ => return Ok(()),
    };
    let written = std::fs::read_to_string(file)
        .and_then(|table| std::fs::write(format!("{FOLDER}/{page}.svg"), draw(&table)));
    written.map_err(|trouble| format!("cannot draw the plot: {trouble}"))
}

/// Writes each row when it is measured, so that an interrupted measurement keeps its rows. False if it failed.
fn measure(name: &str, word: &str, page: &mut dyn Write) -> std::io::Result<bool> {
    let args = if name == "classics" { vec!["classics", word] } else { vec!["programs", name, word] };
    let mut child =
        Command::new("target/native/release/ravel-bench").args(args).stdout(Stdio::piped()).spawn()?;
    if let Some(rows) = child.stdout.take() {
        for row in BufReader::new(rows).lines() {
            writeln!(page, "{}", row?)?;
        }
    }
    Ok(child.wait()?.success())
}
