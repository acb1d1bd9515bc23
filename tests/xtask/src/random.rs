//! The tasks about random programs. They need the compiler, which this crate does not link.

use std::process::Command;

use crate::ci::run;
use crate::verdict::Report;

/// `fuzz`: random programs with workgroups if the first argument is `--blocks`, otherwise random programs of all kinds.
pub fn fuzz(args: &[String]) -> Result<(), String> {
    match args {
        [flag, number] if flag == "--blocks" => blocks(number),
        [flag, ..] if flag == "--blocks" => {
            Err("`--blocks` takes the number of programs, and no other option".to_owned())
        }
        _ => task("fuzz", args),
    }
}

/// Runs the test of random programs with workgroups on this many programs. It needs a GPU, or Mesa's software driver.
fn blocks(number: &str) -> Result<(), String> {
    number.parse::<u64>().map_err(|_| format!("`{number}` is not a number of programs"))?;
    let mut test = Command::new("cargo");
    test.args(["test", "--workspace", "--test", "all", "--", "random_workgroups", "--nocapture"]);
    test.env("RAVEL_BLOCKS", number);
    Report::default().tests("random programs with workgroups", test)
}

/// Runs a task of `tests/random`, compiled with optimisation because it runs many programs.
pub fn task(name: &str, args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let cargo = ["run", "--quiet", "--release", "--package", "ravel-random", "--", name];
    run("cargo", &[&cargo[..], &args].concat(), &[])
}
