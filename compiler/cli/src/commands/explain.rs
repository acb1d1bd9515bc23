//! `ravel explain`: reports which parallel operators were fused, and what prevented other fusions.

use ravel_abi::VersionCounts;
use ravel_driver::{Options, Source};
use ravel_engine::{Engine, Tuning};
use ravel_program::job::{self, Input};

use crate::args::Explain;
use crate::exit::{self, Exit};
use crate::terminal;

/// Compiles the program to kernel IR and prints the report on its operators.
pub fn explain(args: &Explain) -> Result<(), Exit> {
    let tuning = args.tuning.read()?;
    if !args.ran && tuning != Tuning::default() {
        return Err(exit::usage("--param and --tuning need --ran, which runs the program"));
    }
    let source = super::read_source(&args.file)?;
    let known = ravel_driver::entry_names(&source).map_err(|problems| exit::problems(&problems))?;
    match &args.entry {
        None if known.is_empty() => return Err(super::no_entries()),
        Some(wanted) if !known.contains(wanted) => return Err(exit::user(job::no_entry(wanted, &known))),
        _ => {}
    }
    let without = args.without.rules.clone();
    let entry = args.entry.clone().or_else(|| args.ran.then(|| "main".to_owned()));
    let options = Options { entry, without, ..Options::default() };
    let mut explanation = ravel_driver::explain(&source, &options, args.backend.machine())
        .map_err(|problems| exit::problems(&problems))?;
    if args.ran {
        explanation.ran = Some(ran(args, tuning, &source, &options)?);
    }
    let report = match args.json {
        true => explanation.json(&source),
        false => explanation.text(&source, terminal::output_style()),
    };
    terminal::output(report.as_bytes())
}

/// Runs the entry point, and returns which versions ran. The results are not printed.
fn ran(
    args: &Explain,
    tuning: Tuning,
    source: &Source,
    options: &Options,
) -> Result<Vec<VersionCounts>, Exit> {
    let engine = Engine::open(args.backend, None).map_err(|no| exit::failure(&no))?;
    let mut executable = engine.compile(source, options).map_err(|error| exit::error(&error))?;
    super::tune(&mut executable, tuning, source)?;
    let name = options.entry.as_deref().unwrap_or_default();
    let signature = job::entry(executable.signatures(), name)?;
    let values = args.input.clone().map_or(Input::Standard, Input::File).read(signature)?;
    let (_, stats) = executable.call(name, &values).map_err(|failure| exit::failure(&failure))?;
    Ok(stats.versions)
}
