//! # ravel: the command line
//!
//! Each command is one file in `commands/`, except `bench` and `repl`, which are modules of their own. This file passes the
//! arguments to the commands and turns their outcomes into exit codes. `args.rs` has the help text. A copy of this binary with
//! an appended program, as `ravel build` writes it, runs that program instead.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the command line is where files, terminal and clock are used"
)]

mod args;
mod bench;
mod commands;
mod exit;
mod junit;
mod measure;
mod repl;
mod runner;
mod script;
mod terminal;
mod xml;

use args::{Arguments, Command};

#[global_allocator]
static ALLOCATOR: ravel_program::Allocator = ravel_program::Allocator(exit::out_of_memory);

fn main() -> std::process::ExitCode {
    let program = match ravel_program::of_this_binary() {
        Ok(None) => return compiler(),
        Ok(Some(program)) => program,
        Err(damaged) => return exit::user(damaged).into(),
    };
    finish(ravel_driver::guarded("the program", || ravel_program::standalone(program)))
}

fn compiler() -> std::process::ExitCode {
    let arguments: Arguments = match terminal::arguments() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    finish(ravel_driver::on_large_stack(move || {
        ravel_driver::guarded("the command", || match arguments.command {
            Command::Run(run) => commands::run::run(&run),
            Command::Build(build) => commands::build::build(&build),
            Command::Check(check) => commands::check::check(&check),
            Command::Explain(explain) => commands::explain::explain(&explain),
            Command::Test(test) => commands::test::test(&test),
            Command::Bench(bench) => bench::run(&bench),
            Command::Profile(profile) => commands::profile::profile(&profile),
            Command::Dataset(dataset) => commands::dataset::dataset(&dataset),
            Command::Dev(dev) => commands::dev::dev(&dev),
            Command::Repl(repl) => repl::run(&repl),
            Command::Devices(devices) => commands::devices::devices(&devices),
            Command::Doctor(doctor) => commands::doctor::doctor(&doctor),
            Command::Completions(completions) => commands::completions::completions(&completions),
            Command::Man => commands::completions::man(),
        })
    }))
}

fn finish(outcome: Result<Result<(), exit::Exit>, ravel_driver::Problems>) -> std::process::ExitCode {
    match outcome {
        Ok(Ok(())) => exit::Exit::Fine.into(),
        Ok(Err(exit)) => exit.into(),
        Err(problems) => exit::problems(&problems).into(),
    }
}
