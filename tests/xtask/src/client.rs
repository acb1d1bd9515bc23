//! A third-party client of the server protocol, run against our executables.
//!
//! The client is the package `futhark-server` from PyPI, installed into a virtual environment below
//! `target`; `client.py` drives it. The tests speak the protocol themselves and need neither.

use std::path::Path;

use crate::ci::run;

const RAVEL: &str = "target/debug/ravel";
const FOLDER: &str = "target/client";

/// The program that the client drives.
const PROGRAM: &str = "\
type point = {x: f64, y: f64}
entry main [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
entry points (n: i64): []point = map (\\i -> {x = f64.i64 i, y = 1}) (iota n)
entry norm (p: point): f64 = f64.sqrt (p.x * p.x + p.y * p.y)
entry both (n: i64): (i64, []f32) = (n, replicate n 1)
entry bump [n] (xs: *[n]i32): *[n]i32 = map (+ 1) xs
#[slow] entry fail (xs: []i32): i32 = xs[100]
type option = #none | #some f64
entry value (o: option): f64 = match o case #none -> 0 case #some x -> x
";

/// Builds an executable for each backend and drives it.
pub fn client() -> Result<(), String> {
    run("cargo", &["build", "--workspace", "--bin", "ravel"], &[])?;
    let written = std::fs::create_dir_all(FOLDER)
        .and_then(|()| std::fs::write(Path::new(FOLDER).join("program.dsl"), PROGRAM));
    written.map_err(|trouble| format!("cannot write below {FOLDER}: {trouble}"))?;
    let python = format!("{FOLDER}/venv/bin/python");
    run("python3", &["-m", "venv", &format!("{FOLDER}/venv")], &[])?;
    run(&python, &["-m", "pip", "install", "--quiet", "futhark-server==1.0.1", "futhark-data==1.0.3"], &[])?;
    for backend in ["cpu", "gpu"] {
        let (source, executable) = (format!("{FOLDER}/program.dsl"), format!("{FOLDER}/program-{backend}"));
        run(RAVEL, &["build", "--server", &source, "-o", &executable, "--backend", backend], &[])?;
        run(&python, &["tests/xtask/src/client.py", &executable], &[])?;
        println!(
            "client: every command of the protocol does what it should, sent by the package, on {backend}"
        );
    }
    Ok(())
}
