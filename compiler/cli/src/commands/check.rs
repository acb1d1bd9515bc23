//! `ravel check`: checks a program, or prints the page of an error code.

use ravel_driver::{Diagnostic, Options, Problems, Source, Target};
use ravel_engine::Backend;

use crate::args::Check;
use crate::exit::{self, Exit};

/// Prints the page of an error code, or checks a program and prints its warnings. A program without errors and warnings
/// gives no output.
pub fn check(args: &Check) -> Result<(), Exit> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let Some(file) = &args.file else { return Err(exit::usage("no file is named")) };
    let source = super::read_source(file)?;
    let warnings = check_program(&source, args).map_err(|problems| exit::problems(&problems))?;
    let messages = ravel_driver::render(source.sources(), &warnings, crate::terminal::style());
    crate::terminal::error(&(messages + &ravel_driver::pages(&warnings)));
    Ok(())
}

/// Checks a program. If a backend is named, also compiles the program for it, to find errors that only this backend has.
/// Returns the warnings.
fn check_program(source: &Source, args: &Check) -> Result<Vec<Diagnostic>, Problems> {
    let mut warnings = ravel_driver::check(source)?;
    if args.strict_futhark {
        warnings.extend(ravel_driver::extension_warnings(source)?);
    }
    let options = Options::default();
    let lowered = || ravel_driver::lowered_core(source, &options);
    match args.backend {
        Some(Backend::Cpu) => drop(ravel_driver::compile_to_native(source, lowered()?, &options)?),
        Some(Backend::Gpu) => drop(ravel_driver::compile_to_plan(source, lowered()?, &options)?),
        Some(Backend::Model) => {
            drop(ravel_driver::compile_to_kernel(source, lowered()?, &options, &Target::GPU)?)
        }
        Some(Backend::Interp) | None => {}
    }
    Ok(warnings)
}

/// Prints the page of an error code.
fn explain(code: &str) -> Result<(), Exit> {
    match ravel_driver::page(code) {
        Some(page) => crate::terminal::output(page.as_bytes()),
        None => Err(exit::usage(format!("there is no error code `{code}`; an example of a code is `E0201`"))),
    }
}
