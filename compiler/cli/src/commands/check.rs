//! `ravel check`: is the program right?

use crate::args::Check;
use crate::exit::{self, Exit};

/// Checks the program; silent when it is right.
pub fn check(args: &Check) -> Result<(), Exit> {
    let source = super::read_source(&args.file)?;
    let warnings = ravel_driver::check(&source).map_err(|problems| exit::problems(&problems))?;
    crate::terminal::error(&ravel_driver::render(source.sources(), &warnings, crate::terminal::style()));
    Ok(())
}
