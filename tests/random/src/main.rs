//! The chores `cargo xtask fuzz` and `cargo xtask bisect`.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "chores measure time and print"
)]

mod chores;

use std::process::ExitCode;

use clap::Parser;

use chores::{bisect, fuzz};

/// Tests the compiler on random core programs, whose results must be those of the interpreter
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Chore {
    Fuzz(fuzz::Options),
    Bisect(bisect::Options),
}

fn main() -> ExitCode {
    let chore = Chore::parse();
    let done = ravel_driver::on_large_stack(move || match chore {
        Chore::Fuzz(options) => fuzz::fuzz(&options),
        Chore::Bisect(options) => bisect::bisect(&options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
