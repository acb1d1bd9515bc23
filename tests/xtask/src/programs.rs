//! Runs the programs at all sizes and compares their results with the references.

use std::time::Duration;

use ravel_support::cases::{Case, cases};
use ravel_support::command::{self, Call, CallError, CallStatistics};

use crate::ci::run;

/// `programs [BACKEND [WORD]]`: runs the cases whose names contain the word.
pub fn programs(args: &[String]) -> Result<(), String> {
    let backend = args.first().map_or("cpu", String::as_str);
    let word = args.get(1).map_or("", String::as_str);
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let wanted: Vec<Case> = cases().into_iter().filter(|case| case.name().contains(word)).collect();
    if wanted.is_empty() {
        return Err(format!(
            "no case has `{word}` in its name; an example of a name is `hullwhite/flat main random-100`"
        ));
    }
    let limit = if backend == "gpu" { command::gpu()?.1 } else { Duration::MAX };
    let [mut right, mut too_long, mut limitations, mut wrong] = [0; 4];
    for case in wanted {
        let name = case.name();
        let (count, outcome) = match run_case(&case, backend, limit) {
            Ok(statistics) => (&mut right, statistics),
            Err(trouble @ CallError::TooLong(_)) => (&mut too_long, format!("not run to its end: {trouble}")),
            Err(trouble @ CallError::Limitation(_)) => {
                (&mut limitations, format!("not run to its end: {trouble}"))
            }
            Err(trouble @ CallError::Wrong(_)) => (&mut wrong, format!("WRONG: {trouble}")),
        };
        *count += 1;
        println!("{name:60} {outcome}");
    }
    println!(
        "{right} cases are right, {too_long} take too long, {limitations} are limitations, {wrong} are wrong"
    );
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} cases gave wrong results")) }
}

/// Runs a case; returns its statistics in one line.
fn run_case(case: &Case, backend: &str, limit: Duration) -> Result<String, CallError> {
    let input = command::input(case.folder(), case.entry, case.size)?;
    let call = Call { backend, threads: None, runs: 1, limit };
    let CallStatistics { compile, run, peak, .. } = call.of(case, &input)?;
    let [compile, run] = [compile, run].map(|time| time.as_secs_f64() * 1e3);
    let peak = peak as f64 / f64::from(1 << 20);
    Ok(format!("compile {compile:5.0} ms, run {run:9.1} ms, peak {peak:7.1} MiB"))
}
