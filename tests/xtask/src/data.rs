//! Writes the programs' data to files.

use ravel_support::records;

/// `data PROGRAM SIZE FILE`.
pub fn data(args: &[String]) -> Result<(), String> {
    let [program, size, file] = args else {
        return Err("three arguments are needed: PROGRAM SIZE FILE, such as bfs d5 d5.in".to_owned());
    };
    let values =
        records::record(program, size).ok_or_else(|| format!("no data is known for {program} at {size}"))?;
    std::fs::write(file, ravel_abi::write_binary(&values))
        .map_err(|trouble| format!("cannot write {file}: {trouble}"))
}
