//! Snapshot tests over files: every file of a folder is a case, with its snapshot beside it.

use std::path::{Path, PathBuf};

use ravel_driver::Source;

/// The folder of these tests.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `tests/FOLDER` with this extension, in order of their names; at least one.
pub fn cases(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    assert!(!found.is_empty(), "no .{extension} file below tests/{folder}");
    found
}

/// All programs of this repository that compile, with their paths.
pub fn programs() -> Vec<(PathBuf, Source)> {
    let paths = ["../programs", "run", "stages"].into_iter().flat_map(|folder| cases(folder, "dsl"));
    let sources = paths.map(|path| (path.clone(), Source::new(name(&path), text(&path))));
    sources.filter(|(_, source)| ravel_driver::lowered_core(source, &Default::default()).is_ok()).collect()
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of cases can be read");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// The name of a case in messages: its path below `tests`, the same on every machine.
pub fn name(case: &Path) -> String {
    case.strip_prefix(root()).expect("a case lies below tests").display().to_string()
}

/// The text of a case.
pub fn text(case: &Path) -> String {
    std::fs::read_to_string(case).expect("a case is text")
}

/// The source file of a pass, whose header explains it.
pub fn pass_file(pass: &str) -> PathBuf {
    let of_fusion = pass.strip_prefix("fuse-").map(|name| format!("fuse/{name}"));
    let name = of_fusion.unwrap_or_else(|| pass.strip_suffix("-blocks").unwrap_or(pass).replace('-', "_"));
    let is_kernel = ravel_passes::KERNEL.iter().any(|known| known.name == pass);
    let folders = if is_kernel { &["memory/", "machine/"][..] } else { &[""] };
    let mut files =
        folders.iter().map(|folder| root().join(format!("../compiler/passes/src/{folder}{name}.rs")));
    files.find(|file| file.exists()).unwrap_or_else(|| panic!("no file has the name of the pass {pass}"))
}

/// The header of a source file, without its comment signs.
pub fn header(file: &Path) -> String {
    let text = text(file);
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// Compares `actual` with the snapshot beside the case.
pub fn check(case: &Path, actual: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(case.parent().expect("a case lies in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_input_file(case);
    let stem = case.file_stem().expect("a case has a name").to_string_lossy().into_owned();
    settings.bind(|| insta::assert_snapshot!(stem, actual));
}
