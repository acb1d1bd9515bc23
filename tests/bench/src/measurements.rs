//! The rows of `docs/measurements.md` on compiling and running the smallest program and checking the longest one.

use std::hint::black_box;
use std::process::Output;
use std::time::{Duration, Instant};

use ravel_support::{command, sobol};

use crate::times::{median, millis, timed};

const PI: &str = "programs/sobol/pi.dsl";

/// The points of `pi`.
const POINTS: u32 = 1_000_000;

/// The number of timed compilations and checks.
pub const TIMES: usize = 20;

/// The number of timed runs; runs to compare alternate.
pub const ROUNDS: usize = 7;

/// Prints the rows.
pub fn print() -> Result<(), String> {
    compiling()?;
    crate::passes::print()?;
    running()?;
    checking()?;
    crate::startup::print()?;
    crate::runtime::print()?;
    crate::comparison::print()
}

/// The compile time of `pi` from text to loaded code, without the driver's pipelines.
fn compiling() -> Result<(), String> {
    let has_gpu = command::ravel(&["devices", "--gpu"], b"").is_ok();
    for backend in ["cpu", "gpu"] {
        let args = ["run", "--stats", "--backend", backend, PI];
        let measured = if backend == "cpu" || has_gpu {
            let times: Result<Vec<_>, _> =
                (0..TIMES).map(|_| command::time(&points(&args)?, "compile")).collect();
            millis(median(times?))
        } else {
            "no adapter passes the check".to_owned()
        };
        let what = format!("compile time of `pi` for the {}, median of {TIMES} runs", backend.to_uppercase());
        row(&what, &on_points(&args), &measured, "under 20 ms");
    }
    Ok(())
}

/// The run time of `pi`, compared with sequential Rust.
fn running() -> Result<(), String> {
    let call = |threads| ["run", "--stats", "-r", "5", "--threads", threads, PI];
    let run = |threads| command::time(&points(&call(threads))?, "run (median)");
    let (mut one, mut two, mut rust) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(run("1")?);
        two.push(run("2")?);
        rust.push(timed(|| {
            black_box(sobol::hits_point_by_point(black_box(POINTS)));
        }));
    }
    let (one, two, rust) = (median(one), median(two), median(rust));
    row(
        &format!("run time of `pi` at {POINTS} points on one thread, median of {ROUNDS} runs"),
        &on_points(&call("1")),
        &millis(one),
        "",
    );
    row("the same on two threads", &on_points(&call("2")), &millis(two), "");
    row(
        "the same in sequential Rust that also computes each Sobol number from its index",
        "`hits_point_by_point` in `tests/support`",
        &millis(rust),
        "",
    );
    let ratio = |time: Duration| format!("{:.2}", time.as_secs_f64() / rust.as_secs_f64());
    let ratios = format!("{} on one thread, {} on two", ratio(one), ratio(two));
    row(
        "time of `pi` divided by the time of sequential Rust",
        "the three rows above, run alternately",
        &ratios,
        "",
    );
    Ok(())
}

/// The time of `ravel check` on a long program, from the start of the process to its end.
fn checking() -> Result<(), String> {
    let text = ravel_support::long::program();
    let path = std::env::temp_dir().join("ravel-bench-long.dsl");
    std::fs::write(&path, &text).map_err(|trouble| format!("cannot write {}: {trouble}", path.display()))?;
    let args = ["check", &path.display().to_string()];
    command::ravel(&args, b"")?;
    let times: Result<Vec<_>, String> = (0..TIMES)
        .map(|_| {
            let before = Instant::now();
            command::ravel(&args, b"").map(|_| before.elapsed())
        })
        .collect();
    let _ = std::fs::remove_file(&path);
    let what =
        format!("`ravel check` of a program of {} lines, median of {TIMES} runs", text.lines().count());
    row(
        &what,
        "`ravel check` of a program with the modules of `tests/run`",
        &millis(median(times?)),
        "under 100 ms",
    );
    Ok(())
}

/// Runs `pi`.
fn points(args: &[&str]) -> Result<Output, String> {
    command::ravel(args, POINTS.to_string().as_bytes())
}

/// The command that runs `pi`, as the table shows it.
fn on_points(args: &[&str]) -> String {
    format!("`echo {POINTS} \\| ravel {}`", args.join(" "))
}

/// A row of the table.
pub fn row(what: &str, source: &str, measured: &str, aim: &str) {
    println!("| {what} | {source} | {measured} | {aim} |");
}
