//! Writes the programs' data to files.

use ravel_support::command;

use crate::ci::run;

/// `data PROGRAM SIZE FILE`.
pub fn data(args: &[String]) -> Result<(), String> {
    let [program, size, file] = args else {
        return Err("three arguments are needed: PROGRAM SIZE FILE, such as locvol small small.in".to_owned());
    };
    // What is drawn from a distribution, a program makes.
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let values = command::record(program, "main", size)?;
    std::fs::write(file, ravel_abi::write_binary(&values))
        .map_err(|trouble| format!("cannot write {file}: {trouble}"))
}
