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
# The accuracy of the functions of f64

The table has the largest error of each function of the module `f64` on a million points, and a point where it occurs. `power` is the operator `**`. Errors are in units in the last place, relative to the correctly rounded result of MPFR. The smallest possible maximum is
0.5. All errors are at most 2 on both backends, except those of `tanpi` and `atan2pi` on the CPU, which divide by a rounded number.

On the CPU, elementary functions have definitions of Ravel's own (`compiler/prim/src/elementary`), which the interpreter evaluates too: both give the same bits. On a GPU, all but the square root are part of the generated code. The functions of the table that are not elementary, such as `sinpi` and `erf`, are written in the library.

The points are drawn from intervals in which a function is typically used, and from all floating-point numbers for which its result is finite (for `sinpi`, `cospi` and `tanpi` only up to 1e5), equally many from each power of two. They include subnormal arguments and results. For `sin`, `cos` and `tan` they include the neighbours of
the first million multiples of a quarter turn, and in every power of two the numbers closest to a multiple. Negative arguments of `lgamma` are not measured: near its zeros there, the absolute error stays small, but the relative error does not.

Measured by `cargo xtask accuracy`. The GPU columns are from a software implementation of a GPU, whose f64 arithmetic rounds as IEEE 754 requires.

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
