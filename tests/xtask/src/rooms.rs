//! The rooms: the crates, and which may import which.

use std::path::Path;

use cargo_metadata::Metadata;

/// A room: its package, and the packages of ours that it may import.
pub struct Room {
    /// The package.
    pub package: &'static str,
    /// The crates that it may import.
    pub imports: &'static [&'static str],
}

const fn room(package: &'static str, imports: &'static [&'static str]) -> Room {
    Room { package, imports }
}

/// The table of allowed imports. Two crates are the interfaces: `kernel` between passes and backends, and
/// `abi` between backends and runtimes.
pub const ROOMS: &[Room] = &[
    room("ravel-base", &[]),
    room("ravel-prim", &[]),
    room("ravel-abi", &["ravel-prim"]),
    room("ravel-syntax", &["ravel-base", "ravel-prim"]),
    room("ravel-types", &["ravel-base", "ravel-prim", "ravel-syntax"]),
    room("ravel-core", &["ravel-base", "ravel-prim"]),
    room("ravel-lower", &["ravel-base", "ravel-prim", "ravel-types", "ravel-core"]),
    room("ravel-kernel", &["ravel-abi", "ravel-base", "ravel-prim"]),
    room("ravel-passes", &["ravel-base", "ravel-prim", "ravel-core", "ravel-kernel"]),
    room("ravel-interp", &["ravel-core", "ravel-abi", "ravel-base", "ravel-prim"]),
    room("ravel-model", &["ravel-kernel", "ravel-abi", "ravel-base", "ravel-prim"]),
    room("ravel-vector", &["ravel-kernel", "ravel-base", "ravel-prim"]),
    room("ravel-wgsl", &["ravel-kernel", "ravel-abi", "ravel-base", "ravel-prim"]),
    room("ravel-native", &["ravel-kernel", "ravel-vector", "ravel-abi", "ravel-base", "ravel-prim"]),
    room("ravel-gpu", &["ravel-abi", "ravel-prim"]),
    room("ravel-cpu", &["ravel-abi", "ravel-prim"]),
    room("ravel-program", &["ravel-gpu", "ravel-cpu", "ravel-abi", "ravel-prim"]),
    room(
        "ravel-driver",
        &[
            "ravel-base",
            "ravel-prim",
            "ravel-abi",
            "ravel-syntax",
            "ravel-types",
            "ravel-core",
            "ravel-lower",
            "ravel-kernel",
            "ravel-passes",
            "ravel-interp",
            "ravel-wgsl",
            "ravel-native",
        ],
    ),
    room(
        "ravel-engine",
        &[
            "ravel-driver",
            "ravel-interp",
            "ravel-model",
            "ravel-program",
            "ravel-gpu",
            "ravel-abi",
            "ravel-prim",
        ],
    ),
    room("ravel", &["ravel-engine", "ravel-driver", "ravel-program", "ravel-abi", "ravel-prim"]),
];

/// Prints every room with its lines of Rust and the first line of its documentation.
pub fn list(metadata: &Metadata) {
    for package in &metadata.packages {
        if !ROOMS.iter().any(|room| room.package == package.name.as_str()) {
            continue;
        }
        let Some(folder) = package.manifest_path.parent() else { continue };
        let files = crate::tidy::files(folder.as_std_path(), "rs");
        let lines: usize = files.iter().map(|file| crate::tidy::read(file).lines().count()).sum();
        println!("{:13} {lines:6} lines  {}", package.name, about(folder.as_std_path()));
    }
}

/// The title of the crate documentation.
fn about(folder: &Path) -> String {
    ["src/lib.rs", "src/main.rs"]
        .iter()
        .filter_map(|root| std::fs::read_to_string(folder.join(root)).ok())
        .filter_map(|text| text.lines().next().map(|line| line.trim_start_matches("//! # ").to_owned()))
        .next()
        .unwrap_or_default()
}
