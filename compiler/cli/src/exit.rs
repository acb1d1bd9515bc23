//! The exit codes of diagnostics. `ravel_program::exit` has the exit codes of all other failures.

use ravel_driver::{Diagnostic, Kind, Problems, pages, render};
use ravel_engine::Error;

pub use ravel_program::exit::*;

use crate::terminal;

/// Prints diagnostics, names the pages of their codes, and returns the exit code.
pub fn problems(problems: &Problems) -> Exit {
    let exit = problems_at_prompt(problems);
    terminal::error(&pages(&problems.diagnostics));
    exit
}

/// Prints diagnostics alone and returns the exit code. At the prompt, a command for the shell would be of no use.
pub fn problems_at_prompt(problems: &Problems) -> Exit {
    terminal::error(&render(&problems.sources, &problems.diagnostics, terminal::style()));
    of_diagnostics(&problems.diagnostics)
}

/// Prints the error of a program that could not be compiled or loaded, and returns the exit code.
pub fn error(error: &Error) -> Exit {
    match error {
        Error::Compile(problems) => self::problems(problems),
        Error::Load(failure) => self::failure(failure),
    }
}

/// The exit code of a failed compilation, which the most severe diagnostic determines.
pub fn of_diagnostics(diagnostics: &[Diagnostic]) -> Exit {
    let any = |wanted: fn(&Kind) -> bool| diagnostics.iter().any(|diagnostic| wanted(&diagnostic.kind));
    if any(|kind| matches!(kind, Kind::Bug)) {
        Exit::Bug
    } else if any(|kind| matches!(kind, Kind::Error(_))) {
        Exit::User
    } else {
        Exit::Limitation
    }
}
