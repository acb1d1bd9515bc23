//! # bench: how fast programs are compiled, checked and run
//!
//! Times the release build of `ravel` as its users call it. Without arguments it prints rows for the table of
//! `docs/measurements.md`, with `starting` or `comparing` some of them; with `programs` the pages of `docs/benchmarks`, where the programs are held against
//! [`sequential`] ones. `cargo xtask measure` and `cargo xtask bench` build what is needed and run this.
#![forbid(unsafe_code)]

mod building;
mod comparing;
mod measurements;
mod passes;
mod programs;
mod sequential;
mod starting;
mod times;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measurements::print(),
        ["starting"] => starting::print(),
        ["comparing"] => comparing::print(),
        ["programs", backend, word] => programs::print(backend, word),
        _ => Err("usage: ravel-bench [starting | comparing | programs BACKEND WORD]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
