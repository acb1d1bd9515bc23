//! `ravel check`: is the program right? And what does an error code mean?

use crate::args::Check;
use crate::exit::{self, Exit};

/// Explains a code, or checks the program; silent when it is right.
pub fn check(args: &Check) -> Result<(), Exit> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let Some(file) = &args.file else { return Err(exit::usage("which file?")) };
    let source = super::read_source(file)?;
    let warnings = ravel_driver::check(&source).map_err(|problems| exit::problems(&problems))?;
    crate::terminal::error(&ravel_driver::render(source.sources(), &warnings, crate::terminal::style()));
    Ok(())
}

/// Prints the page about a code.
fn explain(code: &str) -> Result<(), Exit> {
    match ravel_driver::explain(code) {
        Some(page) => crate::terminal::output(page.as_bytes()),
        None => Err(exit::usage(format!("there is no error code `{code}`; codes look like `E0201`"))),
    }
}
