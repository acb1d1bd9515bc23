//! Measures `docs/accuracy.md`: the accuracy of the functions of `f64` and `f32`.
//!
//! The reference is MPFR, through the package `gmpy2` from PyPI, installed into a virtual environment below `target`.
//! `accuracy.py` has the functions and points. The tests hold every function to the same bounds on a few points.

use std::process::{Command, Stdio};

use crate::ci::run;

const RAVEL: &str = "target/release/ravel";
const FOLDER: &str = "target/accuracy";
const PAGE: &str = "docs/accuracy.md";

/// The types, each with the number of points at which its functions are measured.
const TYPES: [(&str, &str); 2] = [("f64", "1000000"), ("f32", "250000")];

/// The text above the tables.
const HEAD: &str = "\
# The accuracy of the functions of f64 and f32

The tables have the largest error of each function of the modules `f64` and `f32` on a million points in f64 and 250,000 in f32, and a point where it occurs. `power` is the operator `**`. Errors are in units in the last place, relative to the correctly rounded result of MPFR. The smallest possible maximum is
0.5.

Elementary functions have definitions of Ravel's own (`compiler/prim/src/elementary`), from which the interpreter, native code, vector code and the code of GPUs are made. On processors all give the same bits. So does a GPU that rounds every operation as IEEE 754 requires, except that far angles in f64 may differ in the last place. Vulkan lets a GPU
be less exact: it may divide f32 with an error of 2.5 units, take square roots with more than one rounding, and replace subnormal numbers by 0. The runtime forbids it to contract a product and a sum in an elementary function into one operation, which would change the rounding errors that the functions compute. In functions of the library it may contract; there each contraction
may add half a unit. The functions of the table that are not elementary, such as `sinpi` and `erf`, are written in the library.

The points are drawn from intervals in which a function is typically used, and from all floating-point numbers for which its result is finite (for `sinpi`, `cospi` and `tanpi` only up to 1e5). Each interval between two neighbouring powers of two contains equally many points. The points include subnormal arguments and results. For `sin`, `cos` and `tan` they include the neighbours of
the first million multiples of a quarter turn, and, between each two neighbouring powers of two, the numbers closest to such a multiple. Negative arguments of `lgamma` are not measured: near its zeros there, the absolute error stays small, but the relative error does not. Special values are tests (`compiler/prim/src/elementary/tests`).

Measured by `cargo xtask accuracy`. The GPU columns are from a software implementation of a GPU, whose arithmetic rounds as IEEE 754 requires.
";

/// The text above the table of a type.
fn table(ty: &str) -> String {
    let about = match ty {
        "f64" => {
            "All errors are at most 2, except those of `tanpi` and `atan2pi`, which start from a rounded result of another function."
        }
        _ => {
            "250,000 points are one in 17,000 of the 2^32 numbers of the type. All errors are at most 2, except those of `tanpi`, `atanpi` and `atan2pi`, which start from a rounded result of another function."
        }
    };
    format!(
        "\n## {ty}\n\n{about}\n\n| function | CPU | where | GPU | where |\n| --- | ---: | --- | ---: | --- |\n"
    )
}

/// `accuracy [WORD]`.
pub fn accuracy(args: &[String]) -> Result<(), String> {
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let python = format!("{FOLDER}/venv/bin/python");
    run("python3", &["-m", "venv", &format!("{FOLDER}/venv")], &[])?;
    run(&python, &["-m", "pip", "install", "--quiet", "gmpy2==2.3.2", "numpy==2.4.6"], &[])?;
    let word = args.first().map_or("", String::as_str);
    let mut page = HEAD.to_owned();
    let mut all = String::new();
    for (ty, points) in TYPES {
        let measured = Command::new(&python)
            .args(["tests/xtask/src/accuracy.py", RAVEL, FOLDER, ty, points, word])
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
        page += &table(ty);
        page += &rows;
        all += &rows;
    }
    if !args.is_empty() {
        print!("{all}");
        return Ok(());
    }
    std::fs::write(PAGE, page).map_err(|trouble| format!("cannot write {PAGE}: {trouble}"))
}
