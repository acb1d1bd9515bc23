//! The crates, and which may import which.

use std::path::Path;

use cargo_metadata::Metadata;

/// A crate of this project: its package, and the packages of this project that it may import.
pub struct Crate {
    /// The package.
    pub package: &'static str,
    /// The crates that it may import.
    pub imports: &'static [&'static str],
}

const fn may_import(package: &'static str, imports: &'static [&'static str]) -> Crate {
    Crate { package, imports }
}

/// The table of allowed imports. Two crates are interfaces: `ravel-kernel` between the passes and the backends,
/// and `ravel-abi` between the backends and the runtimes.
pub const CRATES: &[Crate] = &[
    may_import("ravel-base", &[]),
    may_import("ravel-prim", &[]),
    may_import("ravel-abi", &["ravel-prim"]),
    may_import("ravel-syntax", &["ravel-base", "ravel-prim"]),
    may_import("ravel-types", &["ravel-base", "ravel-prim", "ravel-syntax"]),
    may_import("ravel-core", &["ravel-base", "ravel-prim"]),
    may_import("ravel-lower", &["ravel-base", "ravel-prim", "ravel-types", "ravel-core"]),
    may_import("ravel-kernel", &["ravel-abi", "ravel-base", "ravel-prim"]),
    may_import("ravel-passes", &["ravel-base", "ravel-prim", "ravel-core", "ravel-kernel"]),
    may_import("ravel-interp", &["ravel-core", "ravel-abi", "ravel-base", "ravel-prim"]),
    may_import("ravel-model", &["ravel-kernel", "ravel-abi", "ravel-base", "ravel-prim"]),
    may_import("ravel-vector", &["ravel-kernel", "ravel-base", "ravel-prim"]),
    may_import("ravel-wgsl", &["ravel-kernel", "ravel-abi", "ravel-base", "ravel-prim"]),
    may_import("ravel-x86", &["ravel-vector", "ravel-base", "ravel-prim"]),
    may_import(
        "ravel-native",
        &["ravel-kernel", "ravel-vector", "ravel-x86", "ravel-abi", "ravel-base", "ravel-prim"],
    ),
    may_import("ravel-gpu", &["ravel-abi", "ravel-prim"]),
    may_import("ravel-cpu", &["ravel-abi", "ravel-prim"]),
    may_import("ravel-program", &["ravel-gpu", "ravel-cpu", "ravel-abi", "ravel-prim"]),
    may_import(
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
    may_import(
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
    may_import("ravel", &["ravel-engine", "ravel-driver", "ravel-program", "ravel-abi", "ravel-prim"]),
];

/// Prints every crate with its lines of Rust and the first line of its documentation.
pub fn list(metadata: &Metadata) {
    for package in &metadata.packages {
        if !CRATES.iter().any(|known| known.package == package.name.as_str()) {
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
