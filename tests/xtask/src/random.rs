//! The tasks about random programs. They need the compiler, which this crate does not link.

use std::process::Command;

use crate::ci::run;
use crate::verdict::Report;

/// The tests of random programs whose nests run in parallel: the flag, the test, and its name in the report.
const NESTS: [(&str, &str, &str); 3] = [
    ("--blocks", "random_workgroups", "random programs with workgroups"),
    ("--full", "random_distributed_nests", "random programs with distributed nests"),
    ("--bins", "random_nests_in_bins", "random programs with points in bins"),
];

/// `fuzz`: random programs with nested parallelism if the first argument is `--blocks`, `--full` or `--bins`, otherwise random programs
/// of all kinds.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    let Some((flag, test, about)) =
        NESTS.into_iter().find(|(flag, ..)| args.first().is_some_and(|arg| arg == flag))
    else {
        return task("fuzz", args);
    };
    match args {
        [_, number] => nests(number, None, test, about),
        [_, number, option, seed] if option == "--seed" => nests(number, Some(seed), test, about),
        _ => Err(format!("`{flag}` takes the number of programs; only `--seed` and a number may follow")),
    }
}

/// Runs a test of random programs on this many programs, of this seed if one is given. It needs a GPU, or Mesa's software
/// driver.
fn nests(number: &str, seed: Option<&str>, name: &str, about: &'static str) -> Result<(), String> {
    number.parse::<u64>().map_err(|_| format!("`{number}` is not a number of programs"))?;
    let mut test = Command::new("cargo");
    test.args(["test", "--workspace", "--test", "all", "--", name, "--nocapture"]);
    test.env("RAVEL_NESTS", number);
    if let Some(seed) = seed {
        seed.parse::<u64>().map_err(|_| format!("`{seed}` is not a seed"))?;
        test.env("RAVEL_NESTS_SEED", seed);
    }
    Report::default().tests(about, test)
}

/// Runs a task of `tests/random`, compiled with optimisation because it runs many programs.
pub fn task(name: &str, args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let cargo = ["run", "--quiet", "--release", "--package", "ravel-random", "--", name];
    run("cargo", &[&cargo[..], &args].concat(), &[])
}
