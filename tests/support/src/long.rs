//! A long program made of the programs of `tests/run`, on which `ravel check` is timed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The minimum number of lines of the program.
const LINES: usize = 2000;

/// The programs of `tests/run`, sorted by name, each as a module without comments, until there are `LINES` lines.
/// Programs that import files are skipped.
///
/// # Panics
/// Where a file below `tests/run` cannot be read.
pub fn program() -> String {
    let mut paths = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../run"), &mut paths);
    paths.sort();
    let mut program = String::new();
    for path in paths {
        if program.lines().count() >= LINES {
            break;
        }
        let text = std::fs::read_to_string(&path).expect("a program of tests/run is text");
        if !text.contains("import ") {
            let _ = writeln!(program, "module {} = {{\n{}}}\n", name(&path), body(&text));
        }
    }
    program
}

/// The declarations of a program inside a module: no comments, entry points as definitions, indented.
fn body(text: &str) -> String {
    let mut body = String::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("--")) {
        let line = line.strip_prefix("entry ").map_or(line.to_owned(), |rest| format!("def {rest}"));
        let indented = format!("  {line}");
        let _ = writeln!(body, "{}", indented.trim_end());
    }
    body
}

/// The module's name: the file's folder and stem.
fn name(path: &Path) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().replace('-', "_");
    format!("{}_{}", part(path.parent().and_then(Path::file_name)), part(path.file_stem()))
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("tests/run is a folder") {
        let path = entry.expect("an entry of tests/run").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "dsl") {
            paths.push(path);
        }
    }
}
