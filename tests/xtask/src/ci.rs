//! Every check and every test of the workspace, in the order in which a fault is cheapest to find, and the
//! test of a crate outside of it, which builds the engine once more.

use std::process::Command;

/// Runs all of it; stops at the first step that fails.
pub fn test() -> Result<(), String> {
    step("tidy", crate::tidy::tidy)?;
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"], &[])?;
    cargo(&["build", "--package", "ravel"], &[])?;
    run("tests/setup-lavapipe.sh", &["target/debug/ravel", "devices", "--gpu"], &[])?;
    cargo(&["test", "--workspace"], &[("INSTA_UPDATE", "no"), ("CI", "true"), ("PROPTEST_RNG_SEED", "1")])?;
    test_blocks("interp,cpu,gpu", &["programs", "tests/run"])?;
    cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "--deny warnings")])
}

/// Tests the crate that uses the engine from outside, with the versions of the workspace; its build has a
/// folder of its own.
pub fn outside() -> Result<(), String> {
    std::fs::copy("Cargo.lock", "tests/outside/Cargo.lock").map_err(|trouble| trouble.to_string())?;
    let folder = [("CARGO_TARGET_DIR", "target/outside")];
    cargo(&["test", "--manifest-path", "tests/outside/Cargo.toml"], &folder)
}

/// Runs the test blocks in files and folders; one that a limitation stops is a failure.
fn test_blocks(backends: &str, paths: &[&str]) -> Result<(), String> {
    run("target/debug/ravel", &[&["test", "--no-limitations", "--backend", backends], paths].concat(), &[])
}

fn step(name: &str, chore: fn() -> Result<(), String>) -> Result<(), String> {
    eprintln!("==> {name}");
    chore()
}

fn cargo(args: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    run("cargo", args, environment)
}

/// Runs a command at the root of the workspace, saying which.
pub fn run(program: &str, args: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let line = format!("{program} {}", args.join(" "));
    eprintln!("==> {line}");
    let status = Command::new(program)
        .args(args)
        .envs(environment.iter().copied())
        .status()
        .map_err(|trouble| format!("cannot run `{line}`: {trouble}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed")) }
}
