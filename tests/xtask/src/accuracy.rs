//! Measures `docs/accuracy.md`: the accuracy of the functions of `f64`.
//!
//! The reference is MPFR, through the package `gmpy2` from PyPI, installed into a virtual environment below `target`.
//! `accuracy.py` has the functions and points. The tests hold every function to the same bounds on a few points.

use std::process::{Command, Stdio};

use crate::ci::run;

const RAVEL: &str = "target/release/ravel";
const FOLDER: &str = "target/accuracy";
const PAGE: &str = "docs/accuracy.md";

/// The number of points at which each function is measured.
const POINTS: &str = "1000000";

/// The text above the table.
const HEAD: &str = "\
# How exact the functions of f64 are

The largest error of each function of the module `f64` (of `power`, that of the operator `**`) on a million points, in units in the last place of the correctly rounded result, which is MPFR's; half a unit is as
exact as can be. It is at most 2 on both backends. On the CPU what is elementary is the system's library's, where that is exact enough, on GPUs all but the square root is part of the generated text; the rest is
written in the library. Points are dense where functions are used, and as dense in every power of two, as far as results are finite (of `sinpi`, `cospi` and `tanpi` as far as 1e5); subnormal arguments and results are among them. Of `sin`, `cos` and `tan`
so are numbers next to the first million multiples of a quarter turn, and of every power of two those that come closest to one. Of negative numbers `lgamma` is not listed: near its zeros there, as many places behind the point are exact as elsewhere, but not as many digits.

Measured by `cargo xtask accuracy`; the GPU is a software driver, which computes with f64 as any device does.

| function | CPU | where | GPU | where |
| --- | ---: | --- | ---: | --- |
";

/// `accuracy [WORD]`.
pub fn accuracy(args: &[String]) -> Result<(), String> {
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let python = format!("{FOLDER}/venv/bin/python");
    run("python3", &["-m", "venv", &format!("{FOLDER}/venv")], &[])?;
    run(&python, &["-m", "pip", "install", "--quiet", "gmpy2==2.3.2", "numpy==2.4.6"], &[])?;
    let word = args.first().map_or("", String::as_str);
    let measured = Command::new(&python)
        .args(["tests/xtask/src/accuracy.py", RAVEL, FOLDER, POINTS, word])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|trouble| format!("cannot run {python}: {trouble}"))?;
    let rows = String::from_utf8_lossy(&measured.stdout);
    if !measured.status.success() {
        return Err(format!("the comparison ended early:\n{rows}"));
    }
    if rows.is_empty() {
        return Err(format!("no function has `{word}` in its name"));
    }
    if !args.is_empty() {
        print!("{rows}");
        return Ok(());
    }
    std::fs::write(PAGE, format!("{HEAD}{rows}")).map_err(|trouble| format!("cannot write {PAGE}: {trouble}"))
}
