//! `ravel check`: is the program right? And what does an error code mean?

use ravel_driver::{Diagnostic, Options, Problems, Source};

use crate::args::{Backend, Check};
use crate::exit::{self, Exit};

/// Explains a code, or checks the program; silent when it is right.
pub fn check(args: &Check) -> Result<(), Exit> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let Some(file) = &args.file else { return Err(exit::usage("which file?")) };
    let source = super::read_source(file)?;
    let found = warnings(&source, args).map_err(|problems| exit::problems(&problems))?;
    crate::terminal::error(&ravel_driver::render(source.sources(), &found, crate::terminal::style()));
    Ok(())
}

/// What the program is warned of, once nothing else is wrong with it.
fn warnings(source: &Source, args: &Check) -> Result<Vec<Diagnostic>, Problems> {
    let mut warnings = ravel_driver::check(source)?;
    if args.strict_futhark {
        warnings.extend(ravel_driver::additions(source)?);
    }
    let options = Options::default();
    let lowered = || ravel_driver::lowered_core(source, &options);
    match args.backend {
        Some(Backend::Cpu) => drop(ravel_driver::native_code(source, lowered()?, &options)?),
        Some(Backend::Gpu) => drop(ravel_driver::gpu_plan(source, lowered()?, &options)?),
        Some(Backend::Interp) | None => {}
    }
    Ok(warnings)
}

/// Prints the page about a code.
fn explain(code: &str) -> Result<(), Exit> {
    match ravel_driver::page(code) {
        Some(page) => crate::terminal::output(page.as_bytes()),
        None => Err(exit::usage(format!("there is no error code `{code}`; codes look like `E0201`"))),
    }
}
