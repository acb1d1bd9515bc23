//! `fuzz`: runs random programs and counts the firings of each rule.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use ravel_driver::Passes;
use ravel_random::property::{Counts, MAX_STEPS};
use ravel_random::search::{Statistics, numbered, reading, search};

/// The file to which a wrong case is written.
const FOUND: &str = "target/found.core";

/// Generate random programs, and check that optimised programs have the interpreter's results
#[derive(clap::Args)]
pub struct Options {
    /// The number of programs
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    programs: u64,
    /// The seed: each gives other programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The number of the first program, to continue a run
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Generate programs that may read out of bounds, and check that optimised ones fail too
    #[arg(long)]
    reads: bool,
    /// Show a wrong program without shrinking it
    #[arg(long)]
    whole: bool,
}

pub fn fuzz(options: &Options) -> Result<(), String> {
    let &Options { programs, seed, first, reads, whole } = options;
    let start = Instant::now();
    let mut shown = start;
    let at_terminal = std::io::stderr().is_terminal();
    let pause = if at_terminal { Duration::from_millis(500) } else { Duration::from_secs(60) };
    let made = if reads { reading } else { numbered };
    let seen = search(made, seed, first..first.saturating_add(programs), !whole, &mut |seen| {
        if shown.elapsed() > pause {
            shown = Instant::now();
            progress(seen, programs, at_terminal);
        }
    });
    if at_terminal {
        eprintln!();
    }
    let seen = seen.map_err(|found| {
        let kept = std::fs::write(FOUND, ravel_core::print(&found.case.program()));
        let hint = match kept {
            Ok(()) => format!(
                "to see which firing over core IR is guilty: cargo xtask bisect {FOUND} --seed {}\n\
                 if the fault is in kernel IR or in a backend, none is; to see it again: \
                 cargo xtask fuzz --programs 1 --first {} --seed {seed}{}",
                found.case.seed,
                found.index,
                if reads { " --reads" } else { "" }
            ),
            Err(trouble) => format!("it cannot be kept in {FOUND}: {trouble}"),
        };
        format!("{found}\n{hint}")
    })?;
    let time = start.elapsed().as_secs();
    print!("{}", report(&seen, time));
    Ok(())
}

/// The number of firings of each rule, in the order of the passes.
fn rules(counts: &Counts) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    let Passes { core, kernel } = Passes::all();
    let of_core = core.into_iter().map(|pass| (pass.name, pass.rules));
    let of_kernel = kernel.into_iter().map(|pass| (pass.name, pass.rules));
    of_core.chain(of_kernel).flat_map(move |(pass, rules)| {
        rules.iter().map(move |rule| (pass, *rule, counts.get(rule).copied().unwrap_or(0)))
    })
}

/// Shows the progress of the search: at a terminal on one line that changes, otherwise on a new line each time.
fn progress(Statistics { programs: done, counts, .. }: &Statistics, programs: u64, at_terminal: bool) {
    let fired: u64 = counts.values().sum();
    let least = rules(counts).min_by_key(|&(_, _, count)| count);
    let (rule, count) = least.map_or(("no rule", 0), |(_, rule, count)| (rule, count));
    let line =
        format!("{done} of {programs} programs, rules fired {fired} times, least often {rule}: {count}");
    match at_terminal {
        true => eprint!("\r{line}      "),
        false => eprintln!("{line}"),
    }
    let _ = std::io::stderr().flush();
}

/// The outcome of a search that found no wrong program, with a table of the rules.
fn report(Statistics { programs, left_out, counts }: &Statistics, seconds: u64) -> String {
    let left_out = match left_out {
        0 => String::new(),
        1 => format!(" One program was left out: it takes more than {MAX_STEPS} steps."),
        count => format!(" {count} programs were left out: they take more than {MAX_STEPS} steps."),
    };
    let head = format!(
        "{programs} programs, none wrong, in {} min {} s.{left_out}\n\n\
         | pass | rule | fired |\n| --- | --- | ---: |\n",
        seconds / 60,
        seconds % 60
    );
    let rows = rules(counts).map(|(pass, rule, count)| format!("| {pass} | {rule} | {count} |\n"));
    head + &rows.collect::<String>()
}
