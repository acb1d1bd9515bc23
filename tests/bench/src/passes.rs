//! The time of the passes: on the programs that need fusion most, and for each statement as programs get longer.

use std::time::Duration;

use ravel_support::command;

use crate::measurements::{ROUNDS, TIMES, row};
use crate::times::{median, millis};

/// The programs that need fusion most, in `tests/stages/fusion`.
const FUSION_PROGRAMS: &[&str] =
    &["breadth-first-second-half", "sobol-chunks", "pricing", "tridiagonal", "hull-white-step"];

/// Core IR from which programs of any length are built by repetition.
struct Part {
    what: &'static str,
    file: &'static str,
    /// The variable that the first copy uses. Each later copy uses the first result of the copy before it.
    first: &'static str,
    /// The type of this variable.
    ty: &'static str,
}

/// A part with all kinds of statements, and parts whose copies belong together: in one construct, in one alias class, or in
/// one set of ranges.
const PARTS: &[Part] = &[
    Part { what: "all kinds of statements", file: "tests/bench/parts/mixed.core", first: "x", ty: "i64" },
    Part { what: "a chain of maps", file: "tests/bench/parts/maps.core", first: "xs", ty: "[n]i64" },
    Part { what: "independent sums", file: "tests/bench/parts/sums.core", first: "x", ty: "i64" },
    Part { what: "a chain of loops", file: "tests/bench/parts/loops.core", first: "xs", ty: "[n]i64" },
    Part {
        what: "a chain of loops that swap arrays",
        file: "tests/bench/parts/swaps.core",
        first: "xs",
        ty: "[n]i64",
    },
    Part {
        what: "a chain of maps, each read backwards",
        file: "tests/bench/parts/views.core",
        first: "xs",
        ty: "[n]i64",
    },
    Part {
        what: "a chain of sums of one mapped array, in which each sum uses the one before",
        file: "tests/bench/parts/readers.core",
        first: "x",
        ty: "i64",
    },
];

/// The file for the program.
const LONG: &str = "target/long.core";

/// The program lengths at which the time for a statement is compared.
const LENGTHS: [usize; 4] = [1_000, 2_000, 5_000, 10_000];

/// Prints the rows.
pub fn print() -> Result<(), String> {
    for name in FUSION_PROGRAMS {
        let file = format!("tests/stages/fusion/{name}.dsl");
        let args = ["dev", "--time-passes", &file];
        let times: Result<Vec<_>, String> = (0..TIMES).map(|_| together(&args)).collect();
        let what = format!("all passes over `{name}`, median of {TIMES} runs");
        row(&what, &format!("`ravel {}`", args.join(" ")), &millis(median(times?)), "under 20 ms");
    }
    PARTS.iter().try_for_each(curve)
}

/// Prints the time of the passes for each statement, as programs get longer.
fn curve(part: &Part) -> Result<(), String> {
    let args = ["dev", "--from", "inline", "--time-passes", LONG];
    let mut curve = Vec::new();
    for length in LENGTHS {
        std::fs::write(LONG, program(part, length)?)
            .map_err(|trouble| format!("cannot write {LONG}: {trouble}"))?;
        let times: Result<Vec<_>, String> = (0..ROUNDS).map(|_| together(&args)).collect();
        let least = times?.into_iter().min().unwrap_or_default();
        curve.push(least.as_secs_f64() * 1e6 / length as f64);
    }
    let shown: Vec<String> = curve.iter().map(|time| format!("{time:.1}")).collect();
    let what = format!(
        "all passes over {}: µs for each statement if there are {}, {}, {} and {}; shortest of {ROUNDS} runs",
        part.what, LENGTHS[0], LENGTHS[1], LENGTHS[2], LENGTHS[3]
    );
    row(&what, &format!("`ravel {}` on copies of `{}`", args.join(" "), part.file), &shown.join(", "), "");
    let ratio = curve[LENGTHS.len() - 1] / curve[0];
    row(
        "the last of these four times divided by the first",
        "the row above",
        &format!("{ratio:.2}"),
        "at most 2",
    );
    Ok(())
}

/// The total time of all passes.
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

/// Core IR of about this many statements; each copy of the part uses the result of the one before it.
fn program(part: &Part, statements: usize) -> Result<String, String> {
    let &Part { file, first, ty, .. } = part;
    let text = std::fs::read_to_string(file).map_err(|trouble| format!("cannot read {file}: {trouble}"))?;
    let (mut parts, mut last, mut other) = (String::new(), first.to_owned(), "ys".to_owned());
    for k in 0..statements / text.matches("let ").count() {
        parts.push_str(
            &text.replace("{k}", &k.to_string()).replace("{last}", &last).replace("{other}", &other),
        );
        (last, other) = (format!("r{k}"), format!("o{k}"));
    }
    let head = format!("fun main (n: i64, x: i64, xs: [n]i64, ys: [n]i64) -> (r: {ty})");
    Ok(format!("{head} = {{\n{parts}in {last}\n}}\nentry main = main (x, xs, ys) -> (r)\n"))
}
