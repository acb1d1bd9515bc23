//! The table of `docs/benchmarks/classics.md`: Ravel on one and two threads, sequential Rust and rayon.
//!
//! The four runs alternate. The table shows the minimum of the rounds' medians for each, since other load on the machine
//! can only add time. Every result is compared with sequential Rust's. Rows are printed as soon as they are known.

use std::time::{Duration, Instant};

use ravel_abi::{Value, approx_equal};
use ravel_support::command::{Call, CallError, LONGEST};

use super::{Classic, Run, all};
use crate::times::{median, millis, processor, ratio, timed};

/// The rounds of the four.
const ROUNDS: usize = 3;

/// The total time that the runs of one version in one round should take, and their greatest number.
const ENOUGH: Duration = Duration::from_millis(300);
const RUNS: u128 = 25;

/// Prints the page, with the rows whose entry point or data contain the word.
///
/// # Errors
/// No row contains the word, or a result was wrong.
pub fn print(word: &str) -> Result<(), String> {
    let begin = Instant::now();
    let rows: Vec<(&str, Classic)> = all()
        .into_iter()
        .filter(|(_, classic)| [classic.entry, classic.data].iter().any(|text| text.contains(word)))
        .collect();
    if rows.is_empty() {
        return Err(format!("no row has `{word}` in its name; an example of a name: `prefix_sum`"));
    }
    println!("The machine: {}; rayon has {} threads.\n", processor(), rayon::current_num_threads());
    println!(
        "| entry point | data | Ravel, one thread | sequential Rust | ratio | Ravel, two threads | rayon | ratio | compile |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut wrong = 0;
    for (file, classic) in rows {
        let row = row(file, &classic).unwrap_or_else(|trouble| {
            wrong += 1;
            format!("**{}** | | | | | | |", trouble.lines().next().unwrap_or_default())
        });
        println!("| `{}` | {} | {row}", classic.entry, classic.data);
    }
    println!("\nAll of this took {:.0} min.", begin.elapsed().as_secs_f64() / 60.0);
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} rows went wrong")) }
}

/// A row after its first two columns.
///
/// # Errors
/// A run failed, or its result differs from that of sequential Rust.
fn row(file: &str, classic: &Classic) -> Result<String, String> {
    let input = (classic.input)(classic.size);
    let prepared = |prepare: super::Prepare| prepare(&input).ok_or("the version in Rust takes other input");
    let (mut sequential, mut parallel) = (prepared(classic.sequential)?, prepared(classic.parallel)?);
    let expected = sequential();
    let check = |results: &[Value], of: &str| {
        if results.len() != expected.len() {
            return Err(format!("{of}: {} results, not {}", results.len(), expected.len()));
        }
        let mut pairs = expected.iter().zip(results);
        pairs.try_for_each(|(expected, result)| {
            approx_equal(expected, result, classic.error).map_err(|mismatch| format!("{of}: {mismatch}"))
        })
    };
    let runs = (ENOUGH.as_micros() / timed(|| drop(sequential())).as_micros().max(1)).clamp(1, RUNS) as usize;
    let program = format!("tests/run/classics/{file}");
    let mut compile = Duration::MAX;
    let mut ravel = |threads| -> Result<Duration, String> {
        let call = Call { backend: "cpu", threads: Some(threads), runs: runs + 1, limit: LONGEST };
        let (ran, results) =
            call.run(&program, classic.entry, &input).map_err(|trouble: CallError| trouble.to_string())?;
        check(&results, "Ravel")?;
        compile = compile.min(ran.compile);
        Ok(ran.run)
    };
    let rust = |run: &mut Run, of: &str| -> Result<Duration, String> {
        let mut results = Vec::new();
        let times = (0..runs).map(|_| timed(|| results = run())).collect();
        check(&results, of)?;
        Ok(median(times))
    };
    let mut least = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        let round =
            [ravel(1)?, rust(&mut sequential, "sequential Rust")?, ravel(2)?, rust(&mut parallel, "rayon")?];
        for (least, time) in least.iter_mut().zip(round) {
            *least = time.min(*least);
        }
    }
    let [one, alone, two, rayon] = least;
    Ok(format!(
        "{} | {} | {} | {} | {} | {} | {} |",
        millis(one),
        millis(alone),
        ratio(one, alone),
        millis(two),
        millis(rayon),
        ratio(two, rayon),
        millis(compile)
    ))
}
