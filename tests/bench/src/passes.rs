//! How long the passes take: over the programs on which fusion has to prove itself, and for a
//! statement of programs that get longer.

use std::time::Duration;

use ravel_support::command;

use crate::measurements::{ROUNDS, TIMES, row};
use crate::times::{median, millis};

const PROOFS: &[&str] =
    &["breadth-first-second-half", "sobol-chunks", "pricing", "tridiagonal", "hull-white-step"];

/// The statements of core IR that programs of any length are made of.
const PART: &str = "tests/bench/part.core";

/// The file for such a program.
const LONG: &str = "target/long.core";

/// The lengths between which the time for a statement is compared.
const LENGTHS: [usize; 4] = [1_000, 2_000, 5_000, 10_000];

/// Prints the rows.
pub fn print() -> Result<(), String> {
    for name in PROOFS {
        let file = format!("tests/stages/fusion/{name}.dsl");
        let args = ["dev", "--time-passes", &file];
        let times: Result<Vec<_>, String> = (0..TIMES).map(|_| together(&args)).collect();
        let what = format!("all passes over `{name}`, median of {TIMES}");
        row(&what, &format!("`ravel {}`", args.join(" ")), &millis(median(times?)), "under 20 ms");
    }
    let args = ["dev", "--from", "inline", "--time-passes", LONG];
    let mut curve = Vec::new();
    for length in LENGTHS {
        std::fs::write(LONG, program(length)?)
            .map_err(|trouble| format!("cannot write {LONG}: {trouble}"))?;
        let times: Result<Vec<_>, String> = (0..ROUNDS).map(|_| together(&args)).collect();
        let least = times?.into_iter().min().unwrap_or_default();
        curve.push(least.as_secs_f64() * 1e6 / length as f64);
    }
    let shown: Vec<String> = curve.iter().map(|time| format!("{time:.1}")).collect();
    let what = format!("all passes, µs for a statement of {LENGTHS:?}, least of {ROUNDS}");
    row(&what, &format!("`ravel {}` on copies of `{PART}`", args.join(" ")), &shown.join(", "), "");
    let ratio = curve[LENGTHS.len() - 1] / curve[0];
    row("the last of these over the first", "the row above", &format!("{ratio:.2}"), "at most 2");
    Ok(())
}

/// What all passes take.
fn together(args: &[&str]) -> Result<Duration, String> {
    let output = command::ravel(args, b"")?;
    let report = String::from_utf8_lossy(&output.stderr);
    let times = report.lines().filter_map(|line| {
        let (_, time) = line.strip_suffix(" us")?.rsplit_once(' ')?;
        Some(Duration::from_micros(time.parse().ok()?))
    });
    let times: Vec<Duration> = times.collect();
    if times.is_empty() { Err(format!("no times in {report}")) } else { Ok(times.iter().sum()) }
}

/// Core IR of about so many statements, each part using what the last one gives.
fn program(statements: usize) -> Result<String, String> {
    let part = std::fs::read_to_string(PART).map_err(|trouble| format!("cannot read {PART}: {trouble}"))?;
    let (mut parts, mut last) = (String::new(), "x".to_owned());
    for k in 0..statements / part.matches("let ").count() {
        parts.push_str(&part.replace("{k}", &k.to_string()).replace("{last}", &last));
        last = format!("r{k}");
    }
    let head = "fun main (n: i64, x: i64, xs: [n]i64) -> (r: i64)";
    Ok(format!("{head} = {{\n{parts}in {last}\n}}\nentry main = main (x, xs) -> (r)\n"))
}
