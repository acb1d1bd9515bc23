//! Every check and test of the workspace, the cheapest first; and the test of a crate outside the workspace, which
//! builds the engine again.
//!
//! All steps build with `--workspace`: cargo unites the features of the packages that it builds, so a step for
//! one package would compile half of the dependencies a second time.

use std::process::Command;

use crate::verdict::Report;

/// The tests that the quick run skips: the slowest ones, and those on a GPU.
const SLOW: &[&str] = &["fuzz::", "counts::", "programs::", "heston::", "gpu"];

/// Runs every step, or with `--quick` the fast ones that find most faults. Stops at the first failing step, and prints
/// a table of results at the end.
pub fn test(args: &[String]) -> Result<(), String> {
    let steps = match args {
        [] => all,
        [flag] if flag == "--quick" => quick,
        _ => return Err("it takes no argument but `--quick`".to_owned()),
    };
    let mut report = Report::default();
    let outcome = steps(&mut report);
    print!("{report}");
    outcome
}

fn all(report: &mut Report) -> Result<(), String> {
    checks(report)?;
    report.step("build", || cargo(&["test", "--workspace", "--no-run"], &[]))?;
    report.step("adapter", || run("tests/setup-lavapipe.sh", &[RAVEL, "devices", "--gpu"], &[]))?;
    report.tests("tests", cargo_test(&[], &[]))?;
    report.tests("test blocks", test_blocks("interp,cpu,gpu", &["programs", "tests/run"]))?;
    report.tests("machine model", test_blocks("model", &["programs", "tests/run"]))?;
    let page = ["--short", "--ravel", RAVEL, "--page", "target/card.md"];
    report.step("card page", || run("tests/gpu", &page, &[]))?;
    let environment = [("RUSTDOCFLAGS", "--deny warnings")];
    report.step("docs", || cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &environment))
}

fn quick(report: &mut Report) -> Result<(), String> {
    checks(report)?;
    let skipped: Vec<&str> = SLOW.iter().flat_map(|name| ["--skip", name]).collect();
    report.tests("tests", cargo_test(&["--lib", "--bins", "--test", "all"], &skipped))?;
    // The tests do not build the binary that runs the blocks.
    report.step("build", || cargo(&["build", "--quiet", "--bin", "ravel"], &[]))?;
    report.tests("test blocks", test_blocks("interp,cpu", &["tests/run"]))
}

/// The static checks.
fn checks(report: &mut Report) -> Result<(), String> {
    report.step("tidy", crate::tidy::tidy)?;
    report.step("format", || cargo(&["fmt", "--all", "--check"], &[]))?;
    report.step("clippy", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"], &[])
    })
}

/// The tests of these targets of the workspace, each with these arguments.
fn cargo_test(targets: &[&str], args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["test", "--workspace", "--no-fail-fast"]).args(targets).arg("--").args(args);
    command.envs([("INSTA_UPDATE", "no"), ("CI", "true"), ("PROPTEST_RNG_SEED", "1")]);
    command
}

/// The test blocks in files and folders. A limitation counts as a failure.
fn test_blocks(backends: &str, paths: &[&str]) -> Command {
    let mut command = Command::new(RAVEL);
    command.args(["test", "--no-limitations", "--backend", backends]).args(paths);
    command
}

const RAVEL: &str = "target/debug/ravel";

/// Tests the crate that uses the engine from outside, with the versions of the workspace; its build has a
/// folder of its own.
pub fn outside() -> Result<(), String> {
    std::fs::copy("Cargo.lock", "tests/outside/Cargo.lock").map_err(|trouble| trouble.to_string())?;
    let folder = [("CARGO_TARGET_DIR", "target/outside")];
    cargo(&["test", "--manifest-path", "tests/outside/Cargo.toml"], &folder)
}

fn cargo(args: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    run("cargo", args, environment)
}

/// Prints a command and runs it at the root of the workspace.
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
