//! `ravel run`: compiles a program, reads the arguments, calls an entry point and prints the results.

use std::time::{Duration, Instant};

use ravel_abi::tuning;
use ravel_driver::{Options, Source};
use ravel_engine::{Engine, Executable};
use ravel_program::job::{self, Input, Job, JobCost, Output};

use crate::args::Run;
use crate::exit::{self, Exit};
use crate::terminal;

/// Runs the program. Standard output stays empty unless everything succeeds.
pub fn run(args: &Run) -> Result<(), Exit> {
    if args.timing.is_some() && args.runs.is_none() {
        return Err(exit::usage("--timing needs --runs, the number of timed runs"));
    }
    let source = super::read_source(&args.file)?;
    let engine = Engine::open(args.backend, args.threads.count()).map_err(|no| exit::failure(&no))?;
    let engine = engine.with_max_memory(args.memory.most());
    let mut tuning = args.tuning.read()?;
    let before = Instant::now();
    let without = args.without.rules.clone();
    let (entry, vector_bits) = (Some(args.entry.clone()), args.vector_bits.bits());
    let options = Options { entry, without, vector_bits, ..Options::default() };
    let executable = engine.compile(&source, &options).map_err(|error| exit::error(&error))?;
    let mut executable = executable.with_trace_listener(terminal::error);
    let unknown = tuning.forget_unknown(executable.signatures());
    check_other_entries(&source, &unknown)?;
    executable.tune(&tuning).map_err(exit::user)?;
    let compiling = before.elapsed();
    let signature = job::entry(executable.signatures(), &args.entry)?;
    let done = job(args).run(signature, &|values| executable.call(&args.entry, values))?;
    if args.stats {
        terminal::error(&report(&executable, &done, compiling));
    }
    Ok(())
}

/// Checks that each of these tuning parameters exists in some entry point, or may be a limit of one: a tuning file serves all
/// of them.
fn check_other_entries(source: &Source, names: &[String]) -> Result<(), Exit> {
    if names.is_empty() {
        return Ok(());
    }
    let entries = ravel_driver::tuning_parameters(source).map_err(|wrong| exit::problems(&wrong))?;
    let known = entries.values().flatten().map(String::as_str).collect();
    let is_limit = |name: &str| tuning::is_limit(name, entries.keys().map(String::as_str));
    let mut names = names.iter().filter(|name| !is_limit(name));
    names.try_for_each(|name| tuning::check_known_among(name, &known)).map_err(exit::user)
}

/// The source of the arguments, and the destination of the results.
fn job(args: &Run) -> Job {
    let input = match &args.input {
        Some(file) => Input::File(file.clone()),
        None if args.npy_in.is_empty() => Input::Standard,
        None => Input::Npy(args.npy_in.clone()),
    };
    let output = match args {
        Run { no_print_result: true, .. } => Output::Nowhere,
        Run { binary: true, .. } => Output::Binary,
        Run { npy_out, .. } if !npy_out.is_empty() => Output::Npy(npy_out.clone()),
        _ => Output::Text,
    };
    Job { input, output, runs: args.runs, timing: args.timing.clone() }
}

/// The report of `--stats`, one `name: value` per line.
fn report(executable: &Executable, done: &JobCost, compiling: Duration) -> String {
    let micros = |time: Duration| format!("{} us", time.as_micros());
    let mut lines = vec![("backend", executable.backend().name().to_owned())];
    lines.extend(done.stats.lines().map(|(name, count)| (name, count.to_string())));
    lines.push(("compile", micros(compiling)));
    lines.push(("run (median)", micros(done.median())));
    lines.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}
