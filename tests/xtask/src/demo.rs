//! The demonstration: a program compiled and run on real input.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::ci::run;

/// The number of points.
const POINTS: &str = "1000000";

/// Builds Ravel, runs `pi` on the CPU, and on the GPU if an adapter passes the check.
pub fn demo() -> Result<(), String> {
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    pi("cpu")?;
    let devices =
        Command::new(RAVEL).args(["devices", "--gpu"]).output().map_err(|trouble| trouble.to_string())?;
    if devices.status.success() {
        pi("gpu")?;
        eprintln!("demo: pi was computed on the CPU and on the GPU");
    } else {
        eprintln!("demo: pi was computed on the CPU; no graphics adapter of this machine can be used");
    }
    Ok(())
}

const RAVEL: &str = "target/release/ravel";

fn pi(backend: &str) -> Result<(), String> {
    eprintln!("==> echo {POINTS} | {RAVEL} run --stats --backend {backend} programs/sobol/pi.dsl");
    let failed = |trouble: std::io::Error| trouble.to_string();
    let mut child = Command::new(RAVEL)
        .args(["run", "--stats", "--backend", backend, "programs/sobol/pi.dsl"])
        .stdin(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(POINTS.as_bytes()).map_err(failed)?;
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("pi on {backend} failed")) }
}
