//! The chores `cargo xtask fuzz` and `cargo xtask bisect`.
#![forbid(unsafe_code)]

mod chores;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = ravel_driver::on_large_stack(move || match args.split_first() {
        Some((chore, args)) if chore == "fuzz" => chores::fuzz::fuzz(args),
        Some((chore, args)) if chore == "bisect" => chores::bisect::bisect(args),
        _ => Err("the chores are fuzz and bisect".to_owned()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::FAILURE
        }
    }
}
