//! Checks of structure: imports between crates, headers and sizes of files, pages and tests of error codes.

use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::imports::CRATES;

/// A longer file must say why it is long, in a line of its header with the word "long".
const MAX_LINES: usize = 800;

/// The only crates that may use `unsafe`.
const UNSAFE: &[&str] = &["runtime/cpu", "runtime/gpu"];

/// The packages that may import whatever they test.
const TESTS: &[&str] = &["ravel-bench", "ravel-random", "ravel-support", "ravel-tests", "xtask"];

/// Lists the crates and reports every offence.
pub fn tidy() -> Result<(), String> {
    let metadata = metadata()?;
    let root = metadata.workspace_root.as_std_path();
    let mut offences = forbidden_imports(&metadata);
    for folder in ["compiler", "runtime", "tests"] {
        for file in files(&root.join(folder), "rs") {
            offences.extend(file_offences(root, &file));
        }
    }
    offences.extend(top_level(root));
    offences.extend(crate::codes::offences(root));
    crate::imports::list(&metadata);
    for offence in &offences {
        eprintln!("{offence}");
    }
    println!("tidy: {} crates checked, {} offences", CRATES.len(), offences.len());
    if offences.is_empty() { Ok(()) } else { Err(format!("{} offences", offences.len())) }
}

/// The metadata of the workspace.
pub fn metadata() -> Result<Metadata, String> {
    MetadataCommand::new().no_deps().exec().map_err(|trouble| trouble.to_string())
}

/// Imports that the table of crates does not allow, and crates that it does not list.
fn forbidden_imports(metadata: &Metadata) -> Vec<String> {
    let mut offences = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        if TESTS.contains(&name) {
            continue;
        }
        let Some(known) = CRATES.iter().find(|known| known.package == name) else {
            offences.push(format!("{name}: not in the table of crates"));
            continue;
        };
        for dependency in &package.dependencies {
            let ours = dependency.path.is_some() && dependency.kind != DependencyKind::Development;
            if ours && !known.imports.contains(&dependency.name.as_str()) {
                offences.push(format!("{name}: may not import {}", dependency.name));
            }
        }
    }
    offences
}

/// What is wrong with a Rust file: no header, a crate root that does not forbid unsafe code, or too many lines without
/// a reason.
fn file_offences(root: &Path, file: &Path) -> Vec<String> {
    let text = read(file);
    let name = file.strip_prefix(root).unwrap_or(file).display();
    let mut offences = Vec::new();
    let unit_tests = file.components().any(|part| part.as_os_str() == "src")
        && (file.ends_with("tests.rs") || file.parent().is_some_and(|folder| folder.ends_with("tests")));
    if !text.starts_with("//!") && !unit_tests {
        offences.push(format!("{name}: does not begin with a header `//!` that says why it exists"));
    }
    let is_root = file.ends_with("src/lib.rs") || file.ends_with("src/main.rs");
    let may_be_unsafe = UNSAFE.iter().any(|folder| file.starts_with(root.join(folder)));
    if is_root && !may_be_unsafe && !text.contains("#![forbid(unsafe_code)]") {
        offences.push(format!("{name}: does not forbid unsafe code"));
    }
    let lines = text.lines().count();
    let excused = text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.contains("long"));
    if lines > MAX_LINES && !excused {
        offences.push(format!("{name}: {lines} lines; split it, or say in its header why it is long"));
    }
    offences
}

/// Files at the top level that do not belong there.
fn top_level(root: &Path) -> Vec<String> {
    const KNOWN: &[&str] = &[
        ".cargo",
        ".ci",
        ".git",
        ".gitignore",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "clippy.toml",
        "compiler",
        "docs",
        "programs",
        "runtime",
        "rustfmt.toml",
        "stdlib",
        "target",
        "tests",
    ];
    let Ok(entries) = std::fs::read_dir(root) else { return vec!["cannot read the top level".to_owned()] };
    entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !KNOWN.contains(&name.as_str()))
        .map(|name| format!("{name}: does not belong at the top level"))
        .collect()
}

/// All files with this extension below a folder, sorted; build output is left out.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// The text of a file; empty if it cannot be read.
pub fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}
