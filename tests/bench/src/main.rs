//! # bench: how fast programs are compiled, checked and run
//!
//! Times the release build of `ravel` through its command line. Without arguments it prints all rows for the table of
//! `docs/measurements.md`; with `startup`, `runtime` or `comparison` it prints some of them. With `programs` it prints the pages
//! of `docs/benchmarks` that compare the programs with [`sequential`] ones, and with `classics` the page that compares
//! [`classics`] with the same in Rust. `cargo xtask measure` and `cargo xtask
//! bench` build what is needed and run this.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "benchmarks run commands, measure time and print"
)]

mod build_time;
mod classics;
mod comparison;
mod measurements;
mod passes;
mod programs;
mod runtime;
mod sequential;
mod startup;
mod times;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measurements::print(),
        ["startup"] => startup::print(),
        ["runtime"] => runtime::print(),
        ["comparison"] => comparison::print(),
        ["classics", word] => classics::table::print(word),
        ["programs", backend, word] => programs::print(backend, word),
        _ => {
            Err("usage: ravel-bench [startup | runtime | comparison | classics WORD | programs BACKEND WORD]"
                .to_owned())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
