//! # bench: how fast programs are compiled, checked and run
//!
//! Times the release build of `ravel` as its users call it, and prints rows for the table of
//! `docs/measurements.md`. `cargo xtask measure` builds what is needed and runs this.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use ravel_support::sobol;

const RAVEL: &str = "target/release/ravel";
const PI: &str = "programs/sobol/pi.dsl";
const LONG: &str = "tests/bench/long.dsl";

/// The points of `pi`.
const POINTS: u32 = 1_000_000;

/// How often compilations and checks are timed.
const TIMES: usize = 20;

/// How often runs are timed, those that are compared one behind the other.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    match compiling().and_then(|()| running()).and_then(|()| checking()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}

/// How long `pi` takes from text to loaded code, without the driver's pipelines.
fn compiling() -> Result<(), String> {
    let has_gpu = ravel(&["devices"], "").is_ok();
    for backend in ["cpu", "gpu"] {
        let args = ["run", "--stats", "--backend", backend, PI];
        let measured = if backend == "cpu" || has_gpu {
            let times: Result<Vec<_>, _> =
                (0..TIMES).map(|_| stat(&ravel(&args, &POINTS.to_string())?, "compile")).collect();
            millis(median(times?))
        } else {
            "no adapter passes the check".to_owned()
        };
        let what = format!("compile time of `pi`, {}, median of {TIMES}", backend.to_uppercase());
        row(&what, &on_points(&args), &measured, "under 20 ms");
    }
    Ok(())
}

/// How long `pi` runs, against sequential Rust.
fn running() -> Result<(), String> {
    let command = |threads| ["run", "--stats", "-r", "5", "--threads", threads, PI];
    let run = |threads| stat(&ravel(&command(threads), &POINTS.to_string())?, "run (median)");
    let (mut one, mut two, mut rust) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(run("1")?);
        two.push(run("2")?);
        rust.push(timed(|| {
            black_box(sobol::hits_point_by_point(black_box(POINTS)));
        }));
    }
    let (one, two, rust) = (median(one), median(two), median(rust));
    row(&format!("`pi` at {POINTS} points, one thread"), &on_points(&command("1")), &millis(one), "");
    row("the same, two threads", &on_points(&command("2")), &millis(two), "");
    row("the same formula in sequential Rust", "`hits_point_by_point` in `tests/support`", &millis(rust), "");
    let ratio = |time: Duration| format!("{:.2}", time.as_secs_f64() / rust.as_secs_f64());
    let ratios = format!("{} on one thread, {} on two", ratio(one), ratio(two));
    row("time of `pi` over that of sequential Rust", "the three rows above, in turns", &ratios, "");
    Ok(())
}

/// How long `ravel check` takes on a long program, from the start of the process to its end.
fn checking() -> Result<(), String> {
    let text = std::fs::read_to_string(LONG).map_err(|trouble| format!("cannot read {LONG}: {trouble}"))?;
    let args = ["check", LONG];
    ravel(&args, "")?;
    let times: Result<Vec<_>, String> = (0..TIMES)
        .map(|_| {
            let before = Instant::now();
            ravel(&args, "").map(|_| before.elapsed())
        })
        .collect();
    let what = format!("check of a program of {} lines, median of {TIMES}", text.lines().count());
    row(&what, &format!("`ravel {}`", args.join(" ")), &millis(median(times?)), "under 100 ms");
    Ok(())
}

/// Runs `ravel`; the output of a run that went well.
fn ravel(args: &[&str], input: &str) -> Result<Output, String> {
    let failed = |trouble: std::io::Error| format!("cannot run {RAVEL}: {trouble}");
    let mut child = Command::new(RAVEL)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("ravel {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr)))
    }
}

/// A time that `--stats` reported.
fn stat(output: &Output, name: &str) -> Result<Duration, String> {
    let report = String::from_utf8_lossy(&output.stderr);
    let micros = report
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(" us")?.parse().ok());
    micros.map(Duration::from_micros).ok_or_else(|| format!("no `{name}` in {report}"))
}

fn timed(work: impl FnOnce()) -> Duration {
    let before = Instant::now();
    work();
    before.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// The command that runs `pi`, as the table shows it.
fn on_points(args: &[&str]) -> String {
    format!("`echo {POINTS} \\| ravel {}`", args.join(" "))
}

/// A row of the table.
fn row(what: &str, source: &str, measured: &str, aim: &str) {
    println!("| {what} | {source} | {measured} | {aim} |");
}
