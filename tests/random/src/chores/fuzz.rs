//! `fuzz [--programs N] [--seed S] [--first N] [--whole] [--record]`: random programs, and how often every rule
//! fired on them. A program that is wrong is made small, but not with `--whole`. With `--record` the counts are put into `docs/fuzzing.md`.

use std::io::Write;
use std::time::{Duration, Instant};

use ravel_driver::Passes;
use ravel_random::property::Counts;
use ravel_random::search::search;
use ravel_support::pages::with_part;

/// How many programs there are if nothing is said.
const PROGRAMS: u64 = 1_000;

/// The page that tells the counts.
const PAGE: &str = "docs/fuzzing.md";

/// Where a case that is wrong is kept.
const FOUND: &str = "target/found.core";

pub fn fuzz(args: &[String]) -> Result<(), String> {
    let programs = super::number(args, "--programs")?.unwrap_or(PROGRAMS);
    let seed = super::number(args, "--seed")?.unwrap_or(1);
    let first = super::number(args, "--first")?.unwrap_or(0);
    let small = args.iter().all(|arg| arg != "--whole");
    let start = Instant::now();
    let mut shown = start;
    let counts = search(seed, first..first + programs, small, &mut |done, counts| {
        if shown.elapsed() > Duration::from_millis(500) {
            shown = Instant::now();
            progress(done - first, programs, counts);
        }
    });
    eprintln!();
    let counts = counts.map_err(|found| {
        let kept = std::fs::write(FOUND, ravel_core::print(&found.case.program()));
        let hint = match kept {
            Ok(()) => format!(
                "to see which firing is guilty: cargo xtask bisect {FOUND} --seed {}",
                found.case.seed
            ),
            Err(trouble) => format!("it cannot be kept in {FOUND}: {trouble}"),
        };
        format!("{found}\n{hint}")
    })?;
    let time = start.elapsed().as_secs();
    let report = report(programs, seed, time, &counts);
    print!("{report}");
    if args.iter().any(|arg| arg == "--record") { record(&report) } else { Ok(()) }
}

/// How often each rule fired, those of all passes in their order.
fn rules(counts: &Counts) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    let Passes { core, memory } = Passes::all();
    let of_core = core.into_iter().map(|pass| (pass.name, pass.rules));
    let of_kernel = memory.into_iter().map(|pass| (pass.name, pass.rules));
    of_core.chain(of_kernel).flat_map(move |(pass, rules)| {
        rules.iter().map(move |rule| (pass, *rule, counts.get(rule).copied().unwrap_or(0)))
    })
}

fn progress(done: u64, programs: u64, counts: &Counts) {
    let fired: u64 = counts.values().sum();
    let least = rules(counts).min_by_key(|&(_, _, count)| count);
    let (rule, count) = least.map_or(("no rule", 0), |(_, rule, count)| (rule, count));
    eprint!("\r{done} of {programs} programs, rules fired {fired} times, least often {rule}: {count}      ");
    let _ = std::io::stderr().flush();
}

fn report(programs: u64, seed: u64, seconds: u64, counts: &Counts) -> String {
    let head = format!(
        "`cargo xtask fuzz --programs {programs} --seed {seed}` found nothing wrong in {} min {} s.\n\n\
         | pass | rule | fired |\n| --- | --- | ---: |\n",
        seconds / 60,
        seconds % 60
    );
    let rows = rules(counts).map(|(pass, rule, count)| format!("| {pass} | {rule} | {count} |\n"));
    head + &rows.collect::<String>()
}

fn record(report: &str) -> Result<(), String> {
    let trouble = |trouble: std::io::Error| format!("{PAGE}: {trouble}");
    let page = std::fs::read_to_string(PAGE).map_err(trouble)?;
    let page = with_part(&page, "counts", report).ok_or(format!("{PAGE} has no place for the counts"))?;
    std::fs::write(PAGE, page).map_err(trouble)
}
