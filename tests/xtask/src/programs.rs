//! The programs at all sizes, against what they must give.

use std::path::Path;
use std::process::Command;

use ravel_support::cases::{Case, cases};
use ravel_support::records;

use crate::ci::run;

/// The program under test, as the chore builds it.
const RAVEL: &str = "target/release/ravel";

/// Where the records lie while they are used.
const FOLDER: &str = "target/programs";

/// `programs [BACKEND [WORD]]`: runs the cases whose names contain the word.
pub fn programs(args: &[String]) -> Result<(), String> {
    let backend = args.first().map_or("cpu", String::as_str);
    let word = args.get(1).map_or("", String::as_str);
    run("cargo", &["build", "--release", "--package", "ravel"], &[])?;
    std::fs::create_dir_all(FOLDER).map_err(|trouble| format!("cannot make {FOLDER}: {trouble}"))?;
    let mut wrong = 0;
    for case in cases() {
        let name = format!("{} {} {}", case.program, case.entry, case.size);
        if !name.contains(word) {
            continue;
        }
        let outcome = run_case(&case, backend).unwrap_or_else(|trouble| {
            wrong += 1;
            format!("WRONG: {trouble}")
        });
        println!("{name:60} {outcome}");
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} cases gave something else than they must")) }
}

/// Runs a case; gives its statistics in one line.
fn run_case(case: &Case, backend: &str) -> Result<String, String> {
    let values = records::record_for(case.entry, case.folder(), case.size)
        .ok_or_else(|| "there is no data of this size".to_owned())?;
    let input = Path::new(FOLDER).join(format!("{}-{}.in", case.folder(), case.size));
    std::fs::write(&input, ravel_abi::write_binary(&values)).map_err(|trouble| trouble.to_string())?;
    let output = Command::new(RAVEL)
        .args(["run", "--binary", "--stats", "--backend", backend, "--entry", case.entry, "--input"])
        .arg(&input)
        .arg(format!("programs/{}.dsl", case.program))
        .output()
        .map_err(|trouble| format!("cannot run {RAVEL}: {trouble}"))?;
    std::fs::remove_file(&input).map_err(|trouble| trouble.to_string())?;
    let statistics = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(statistics.into_owned());
    }
    let results = ravel_abi::read_any(&output.stdout).map_err(|trouble| trouble.to_string())?;
    case.check(&results)?;
    let shown = ["peak bytes", "compile", "run"];
    let lines = statistics.lines().filter(|line| shown.iter().any(|word| line.starts_with(word)));
    Ok(lines.collect::<Vec<_>>().join(", "))
}
