//! `ravel run`: compiles a program, reads the arguments, calls an entry point and prints the results.

use std::time::{Duration, Instant};

use ravel_driver::Options;
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
    let tuning = args.tuning.read()?;
    let before = Instant::now();
    let without = args.without.rules.clone();
    let (entry, vector_bits) = (Some(args.entry.clone()), args.vector_bits.bits());
    let options = Options { entry, without, vector_bits, counts_bins: args.stats, ..Options::default() };
    let executable = engine.compile(&source, &options).map_err(|error| exit::error(&error))?;
    let mut executable = executable.with_trace_listener(terminal::error);
    super::tune(&mut executable, tuning, &source)?;
    let compiling = before.elapsed();
    let signature = job::entry(executable.signatures(), &args.entry)?;
    let done = job(args).run(signature, &|values| executable.call(&args.entry, values))?;
    if args.stats {
        terminal::error(&report(&executable, &done, compiling));
    }
    Ok(())
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
    let mut lines = vec![("backend".to_owned(), executable.backend().name().to_owned())];
    lines.extend(done.stats.lines());
    lines.push(("compile".to_owned(), micros(compiling)));
    lines.push(("run (median)".to_owned(), micros(done.median())));
    lines.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}
