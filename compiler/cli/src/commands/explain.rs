//! `ravel explain`: reports which parallel operators were fused, and what prevented other fusions.

use ravel_driver::Options;
use ravel_program::job;

use crate::args::Explain;
use crate::exit::{self, Exit};
use crate::terminal;

/// Compiles the program to kernel IR and prints the report on its operators.
pub fn explain(args: &Explain) -> Result<(), Exit> {
    let source = super::read_source(&args.file)?;
    let known = ravel_driver::entry_names(&source).map_err(|problems| exit::problems(&problems))?;
    match &args.entry {
        None if known.is_empty() => return Err(super::no_entries()),
        Some(wanted) if !known.contains(wanted) => return Err(exit::user(job::no_entry(wanted, &known))),
        _ => {}
    }
    let without = args.without.rules.clone();
    let options = Options { entry: args.entry.clone(), without, ..Options::default() };
    let explanation = ravel_driver::explain(&source, &options, args.backend.machine())
        .map_err(|problems| exit::problems(&problems))?;
    let report = match args.json {
        true => explanation.json(&source),
        false => explanation.text(&source, terminal::output_style()),
    };
    terminal::output(report.as_bytes())
}
