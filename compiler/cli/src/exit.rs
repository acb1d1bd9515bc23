//! How trouble with a program becomes an exit code; trouble of every other kind is the runtime's.

use ravel_driver::{Diagnostic, Kind, Problems, render};
use ravel_engine::Error;

pub use ravel_program::exit::*;

use crate::terminal;

/// Says what is wrong with the program and gives the exit code.
pub fn problems(problems: &Problems) -> Exit {
    terminal::error(&render(&problems.sources, &problems.diagnostics, terminal::style()));
    of_diagnostics(&problems.diagnostics)
}

/// Says why a program could not be compiled and loaded, and gives the exit code.
pub fn uncompiled(error: &Error) -> Exit {
    match error {
        Error::Compile(problems) => self::problems(problems),
        Error::Load(failure) => self::failure(failure),
    }
}

/// The exit code of a failed compilation: the gravest kind counts.
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
