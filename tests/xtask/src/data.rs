//! Writes the programs' data to files.

use ravel_support::bfs;

/// The seed of all data that is referred to by a digest.
const SEED: u64 = 1;

/// `data bfs FAMILY FILE`.
pub fn data(args: &[String]) -> Result<(), String> {
    let [program, family, file] = args else {
        return Err("three arguments are needed: bfs FAMILY FILE".to_owned());
    };
    if program != "bfs" {
        return Err(format!("no data is made for `{program}`, only for bfs"));
    }
    let graph = bfs::graph(family, SEED).ok_or_else(|| {
        format!("no family `{family}`; there are {}", bfs::families().collect::<Vec<_>>().join(" "))
    })?;
    std::fs::write(file, ravel_abi::write_binary(&graph.values()))
        .map_err(|trouble| format!("cannot write {file}: {trouble}"))
}
