//! The chores about random programs. They need the compiler, which this crate does not link.

use crate::ci::run;

/// Runs a chore of `tests/random`, compiled with optimisation because it runs many programs.
pub fn chore(name: &str, args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let cargo = ["run", "--quiet", "--release", "--package", "ravel-random", "--", name];
    run("cargo", &[&cargo[..], &args].concat(), &[])
}
