//! The pages of `docs/benchmarks`: the programs at their real sizes, each run checked against what it must give.
//!
//! On the CPU one thread, two threads and the sequential version run in turns, each as often in a round, and the least
//! median of a round counts: what else the machine does can only add to it. On the GPU one run each says that the
//! results are right, and how long it took where the device is a real one.

use std::collections::BTreeSet;
use std::time::Duration;

use ravel_support::cases::{Case, cases};
use ravel_support::command::{self, Call, Ran, Trouble};

use crate::sequential;
use crate::times::{median, millis, timed};

/// What is measured on the CPU: the programs, and the sizes of each.
const MEASURED: &[(&str, &[&str])] = &[
    ("pricing", &["simple-8388608", "medium-1048576", "complex-131072"]),
    (
        "hullwhite",
        &[
            "uniform-1000",
            "random-1000",
            "random-constant-height-1000",
            "random-constant-width-1000",
            "skewed-1000",
            "skewed-constant-height-1000",
            "skewed-constant-width-1000",
            "uniform-65536",
        ],
    ),
    ("heston", &["1062", "10000", "100000"]),
    ("locvol", &["small", "medium", "large"]),
    ("bfs", &["d1", "d2", "d3", "d4", "d5", "d6"]),
    ("sobol", &["8000000", "30000000", "1111x20000"]),
];

/// How often the three ways to compute something are run in turns.
const ROUNDS: usize = 3;

/// How long the runs of one call of `ravel` shall take together, at least, where they are short.
const ENOUGH: Duration = Duration::from_millis(500);

/// What takes longer is run once.
const LONG: Duration = Duration::from_secs(30);

/// How long a run on the GPU may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Prints the page of a backend, with the cases whose names contain the word.
pub fn print(backend: &str, word: &str) -> Result<(), String> {
    match backend {
        "cpu" => on_cpu(word),
        "gpu" => on_gpu(word),
        _ => Err(format!("there is no page for {backend}, only for cpu and gpu")),
    }
}

fn on_cpu(word: &str) -> Result<(), String> {
    println!(
        "| program | data | compile | one thread | two threads | speed-up | sequential Rust | one thread / Rust | peak memory |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for &(folder, sizes) in MEASURED {
        for size in sizes {
            let here = |case: &Case| case.folder() == folder && case.size == *size;
            for case in cases().iter().filter(|case| here(case) && case.name().contains(word)) {
                println!("{}", compared(case)?);
            }
        }
    }
    Ok(())
}

/// A row: a case on one thread, on two, and in sequential Rust.
fn compared(case: &Case) -> Result<String, String> {
    let record = command::record(case.folder(), case.entry, case.size)?;
    let call = |threads, runs| {
        let call = Call { backend: "cpu", threads: Some(threads), runs, limit: Duration::MAX };
        call.of(case, &record).map_err(|trouble| format!("{}: {trouble}", case.name()))
    };
    // How long it takes says how often to run it.
    let first = call(1, 1)?;
    let runs = (ENOUGH.as_micros() / first.run.as_micros().max(1)).clamp(1, 9) as usize;
    let rounds = if first.run > LONG { 1 } else { ROUNDS };
    let (mut compile, mut peak) = (first.compile, first.peak);
    let mut times = [Duration::MAX; 2];
    let mut sequential = sequential::prepare(case.program, case.entry, &record);
    let mut rust = Duration::MAX;
    for _ in 0..rounds {
        for (time, threads) in times.iter_mut().zip([1, 2]) {
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
                let checked = case.check(result.as_slice());
                checked.map_err(|wrong| format!("{} in Rust: {wrong}", case.name()))?;
            }
            rust = rust.min(median(round));
        }
    }
    let [one, two] = times;
    let ratio = |a: Duration, b: Duration| format!("{:.2}", a.as_secs_f64() / b.as_secs_f64());
    let (rust, over_rust) = match sequential {
        Some(_) => (millis(rust), ratio(one, rust)),
        None => (String::new(), String::new()),
    };
    Ok(format!(
        "| {} | {} | {} | {} | {} | {} | {rust} | {over_rust} | {} |",
        shown(case),
        case.size,
        millis(compile),
        millis(one),
        millis(two),
        ratio(one, two),
        mebibytes(peak)
    ))
}

fn on_gpu(word: &str) -> Result<(), String> {
    let devices = command::ravel(&["devices"], b"")?;
    let devices = String::from_utf8_lossy(&devices.stdout).into_owned();
    let device = devices.lines().find(|line| line.starts_with("gpu")).ok_or("there is no GPU")?;
    println!("The device: {device}.\n");
    println!("| program | data | compile | run, with the driver's pipelines | launches | peak memory |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let mut too_long = BTreeSet::new();
    for case in cases().iter().filter(|case| case.name().contains(word)) {
        let kind = (case.program, case.entry, case.kind());
        if too_long.contains(&kind) {
            continue;
        }
        let record = command::record(case.folder(), case.entry, case.size)?;
        let call = Call { backend: "gpu", threads: None, runs: 1, limit: LIMIT };
        let row = match call.of(case, &record) {
            Ok(Ran { compile, run, peak, launches }) => {
                format!("{} | {} | {launches} | {}", millis(compile), millis(run), mebibytes(peak))
            }
            Err(trouble @ Trouble::TooLong(_)) => {
                too_long.insert(kind);
                format!("{trouble} | | |")
            }
            Err(Trouble::Wrong(text)) => match text.split_once("limitation: ") {
                Some((_, limitation)) => format!("{} | | |", limitation.lines().next().unwrap_or_default()),
                None => return Err(format!("{}: {text}", case.name())),
            },
        };
        println!("| {} | {} | {row} |", shown(case), case.size);
    }
    Ok(())
}

/// The program and its entry point, as the page names them.
fn shown(case: &Case) -> String {
    match case.entry {
        "main" => format!("`{}`", case.program),
        entry => format!("`{}`, `{entry}`", case.program),
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
