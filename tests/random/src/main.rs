//! The tasks `cargo xtask fuzz` and `cargo xtask bisect`.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tasks measure time and print"
)]

mod tasks;

use std::process::ExitCode;

use clap::Parser;

use tasks::{bisect, fuzz};

/// Tests the compiler on random core programs, whose results must be those of the interpreter
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Task {
    Fuzz(fuzz::Options),
    Bisect(bisect::Options),
}

fn main() -> ExitCode {
    let task = Task::parse();
    let done = ravel_driver::on_large_stack(move || match task {
        Task::Fuzz(options) => fuzz::fuzz(&options),
        Task::Bisect(options) => bisect::bisect(&options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
