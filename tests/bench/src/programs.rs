//! Prints the tables of `docs/benchmarks`: measures the programs on their large data sets, and checks each result.
//!
//! On the CPU, runs with one thread, runs with two threads and runs of the sequential version alternate. The tables show
//! the minimum of the rounds' medians, since other load on the machine can only add time. On a GPU, one run checks the results
//! and gives the time. Rows are printed as soon as they are known.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ravel_support::cases::{Case, cases};
use ravel_support::command::{self, Call, CallError, CallStatistics, LONGEST};

use crate::sequential;
use crate::times::{median, millis, processor, ratio, timed};

/// The cases of the page for the CPU: a prefix of their names, and the sizes of each. They cover every kind of data, and
/// one round of them takes a few minutes; a word selects others.
const SHOWN: &[(&str, &[&str])] = &[
    ("pricing/", &["simple-8388608", "medium-1048576", "complex-131072"]),
    ("hullwhite/", &["book", "uniform-1000", "random-1000", "skewed-1000"]),
    ("heston/heston main", &["100", "1062", "10000"]),
    ("locvol/", &["small", "medium"]),
    ("bfs/", &["d1", "d2", "d3", "d4", "d5", "d6"]),
    ("sobol/", &["8000000", "30000000", "1111x20000"]),
];

/// The cases that a word selects, or, without one, those of [`SHOWN`] in its order.
fn selected(word: &str) -> Vec<Case> {
    let (all, mut selected) = (cases(), Vec::new());
    if word.is_empty() {
        for &(program, sizes) in SHOWN {
            for size in sizes {
                selected
                    .extend(all.iter().filter(|case| case.name().starts_with(program) && case.size == *size));
            }
        }
    } else {
        selected.extend(all.iter().filter(|case| case.name().contains(word)));
    }
    selected
}

/// The maximum number of rounds of the three alternating runs.
const ROUNDS: usize = 3;

/// The total time that the runs in one call of `ravel` should take. A shorter run is repeated, but at most 9 times.
const ENOUGH: Duration = Duration::from_millis(300);

/// Divided by the time of the first run, this is the number of rounds of a case: at least one, at most [`ROUNDS`].
const BUDGET: Duration = Duration::from_secs(10);

/// The number at the end of a size's name, if there is one. It predicts the time of larger sizes, so that runs far
/// beyond the limit are not started.
fn extent(size: &str) -> Option<f64> {
    size.rsplit(['-', 'x']).next().and_then(|end| end.parse().ok())
}

/// Prints the page of a backend, with the cases whose names contain the word.
pub fn print(backend: &str, word: &str) -> Result<(), String> {
    if !cases().iter().any(|case| case.name().contains(word)) {
        return Err(format!(
            "no case has `{word}` in its name; an example of a name: `hullwhite/flat main random-100`"
        ));
    }
    match backend {
        "cpu" => on_cpu(word),
        "gpu" => on_gpu(word),
        _ => Err(format!("there is no page for {backend}, only for cpu and gpu")),
    }
}

fn on_cpu(word: &str) -> Result<(), String> {
    let begin = Instant::now();
    println!("The machine: {}.\n", processor());
    println!(
        "| program | data | compile | one thread | two threads | speed-up | sequential Rust | one thread / Rust | peak memory |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let (mut selected, mut wrong) = (selected(word), 0);
    // On a CPU, bins have no effect.
    selected.retain(|case| !case.entry.starts_with("in_bins"));
    for case in &selected {
        let row = cpu_row(case).unwrap_or_else(|trouble| match trouble {
            CallError::TooLong(_) | CallError::Limitation(_) => format!(" | {trouble} | | | | | |"),
            CallError::Wrong(text) => {
                wrong += 1;
                format!("**{}** | | | | | | |", text.lines().next().unwrap_or_default())
            }
        });
        println!("| {} | {} | {row}", shown(case), case.size);
    }
    println!(
        "\nCompile times of whole files with all their entry points: the median of a few calls of `ravel build --emit manifest`.\n"
    );
    crate::build_time::print(selected.iter().map(|case| case.program).collect::<BTreeSet<_>>())?;
    print_end(begin, wrong)
}

/// The last line of a page.
fn print_end(begin: Instant, wrong: usize) -> Result<(), String> {
    println!("\nAll of this took {:.0} min.", begin.elapsed().as_secs_f64() / 60.0);
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} cases went wrong")) }
}

/// A row: a case with one thread, with two, and in sequential Rust.
fn cpu_row(case: &Case) -> Result<String, CallError> {
    let input = command::input(case.folder(), case.entry, case.size)?;
    let call = |threads, runs| {
        let call = Call { backend: "cpu", threads: Some(threads), runs, limit: LONGEST };
        call.of(case, &input)
    };
    // The time of the first run decides the number of runs.
    let first = call(1, 1)?;
    let runs = (ENOUGH.as_micros() / first.run.as_micros().max(1)).clamp(1, 9) as usize;
    let rounds = (BUDGET.as_micros() / first.run.as_micros().max(1)).clamp(1, ROUNDS as u128) as usize;
    let (mut compile, mut peak) = (first.compile, first.peak);
    // The first run counts only if there is one run for each call.
    let mut times = [if runs == 1 { first.run } else { Duration::MAX }, Duration::MAX];
    let mut sequential = sequential::prepare(case.program, case.entry, &input);
    let mut rust = Duration::MAX;
    for round in 0..rounds {
        for (time, threads) in times.iter_mut().zip([1, 2]) {
            if threads == 1 && runs == 1 && round == 0 {
                continue;
            }
            let ran = call(threads, runs)?;
            compile = compile.min(ran.compile);
            *time = (*time).min(ran.run);
            peak = peak.max(ran.peak);
        }
        if let Some(run) = &mut sequential {
            let mut round = Vec::new();
            for _ in 0..runs {
                let mut result = None;
                round.push(timed(|| result = Some(run())));
                let checked = case.check(&input, result.as_slice());
                checked.map_err(|wrong| format!("in Rust: {wrong}"))?;
            }
            rust = rust.min(median(round));
        }
    }
    let [one, two] = times;
    let (rust, over_rust) = match sequential {
        Some(_) => (millis(rust), ratio(one, rust)),
        None => (String::new(), String::new()),
    };
    Ok(format!(
        "{} | {} | {} | {} | {rust} | {over_rust} | {} |",
        millis(compile),
        millis(one),
        millis(two),
        ratio(one, two),
        mebibytes(peak)
    ))
}

fn on_gpu(word: &str) -> Result<(), String> {
    let begin = Instant::now();
    let (device, longest) = command::gpu()?;
    println!("The device: {device}; {}.\n", processor());
    println!(
        "| program | data | compile | run, including the driver's compilation | launches | peak memory |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    // For each kind of case, the extent and the time of the previous size; no time if that run did not succeed or was
    // not tried.
    let mut before: BTreeMap<_, (Option<f64>, Option<Duration>)> = BTreeMap::new();
    let mut wrong = 0;
    for case in cases().iter().filter(|case| case.name().contains(word)) {
        let kind = (case.program, case.entry, case.kind());
        let extent = extent(case.size);
        if let Some(&(smaller, took)) = before.get(&kind) {
            let Some(took) = took else { continue };
            let ratio = smaller.zip(extent).map_or(1.0, |(smaller, extent)| extent / smaller);
            let expected = took.as_secs_f64() * ratio;
            if expected > 2.0 * longest.as_secs_f64() {
                before.insert(kind, (extent, None));
                println!("| {} | {} | not tried: about {expected:.0} s | | | |", shown(case), case.size);
                continue;
            }
        }
        let input = command::input(case.folder(), case.entry, case.size)?;
        let call = Call { backend: "gpu", threads: None, runs: 1, limit: longest };
        let mut took = None;
        let row = match call.of(case, &input) {
            Ok(CallStatistics { compile, run, peak, launches }) => {
                took = Some(run);
                format!("{} | {} | {launches} | {}", millis(compile), millis(run), mebibytes(peak))
            }
            Err(trouble @ (CallError::TooLong(_) | CallError::Limitation(_))) => format!("{trouble} | | |"),
            Err(CallError::Wrong(text)) => {
                wrong += 1;
                format!("**{}** | | |", text.lines().next().unwrap_or_default())
            }
        };
        before.insert(kind, (extent, took));
        println!("| {} | {} | {row} |", shown(case), case.size);
    }
    print_end(begin, wrong)
}

/// The program and its entry point, as shown on the page.
fn shown(case: &Case) -> String {
    match case.entry {
        "main" => format!("`{}`", case.program),
        entry => format!("`{}`, `{entry}`", case.program),
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
