//! Writes the programs' data to files.

use ravel_support::command;

use crate::ci::run;

/// `data PROGRAM SIZE FILE [ENTRY]`.
pub fn data(args: &[String]) -> Result<(), String> {
    let (program, size, file, entry) = match args {
        [program, size, file] => (program, size, file, "main"),
        [program, size, file, entry] => (program, size, file, entry.as_str()),
        _ => {
            return Err("three arguments are needed, or four: PROGRAM SIZE FILE [ENTRY], such as \
                        locvol small small.in or locvol small small.in main_f32"
                .to_owned());
        }
    };
    // Programs in `programs/` generate the random data.
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    let values = command::input(program, entry, size)?;
    std::fs::write(file, ravel_abi::write_binary(&values))
        .map_err(|trouble| format!("cannot write {file}: {trouble}"))
}
