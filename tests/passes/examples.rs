//! The examples in the headers of passes: the pass must turn the program under `## Before` into the program under
//! `## After`.
//!
//! `INSTA_UPDATE=always cargo test -p ravel-tests examples` updates the results.

use std::path::Path;

use ravel_driver::{Passes, Source};

use super::run_on;
use crate::snapshots;

const BEFORE: &str = "## Before\n\n```text\n";
const AFTER: &str = "## After\n\n```text\n";

#[test]
fn the_examples_in_the_headers_agree_with_the_passes() {
    ravel_driver::on_large_stack(|| {
        let Passes { core, kernel } = Passes::all();
        core.iter().for_each(|pass| check(&snapshots::pass_file(pass.name), pass.name, true));
        kernel.iter().for_each(|pass| check(&snapshots::pass_file(pass.name), pass.name, false));
    });
}

#[test]
fn the_examples_in_the_headers_of_rules_agree_with_the_passes() {
    ravel_driver::on_large_stack(|| {
        let mut examples = 0;
        for pass in Passes::all().core {
            let folder = snapshots::pass_file(pass.name).with_extension("");
            let Ok(files) = std::fs::read_dir(folder) else { continue };
            let files = files.map(|file| file.expect("a file of the folder").path());
            for file in files.filter(|file| file.is_file() && snapshots::header(file).contains(BEFORE)) {
                check(&file, pass.name, true);
                examples += 1;
            }
        }
        assert!(examples > 2, "{examples} rules have an example");
    });
}

fn check(file: &Path, pass: &str, is_core: bool) {
    let header = snapshots::header(file);
    let [before, after] = [BEFORE, AFTER].map(|start| block(&header, start, pass));
    let done = run_on(pass, is_core, &Source::new(format!("the example of {pass}"), before));
    assert!(done.report.contains(" fired"), "nothing fires in the example of {pass}: {}", done.report);
    if done.text.trim_end() == after.trim_end() {
        return;
    }
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        write(file, &done.text);
    } else {
        panic!("the example in the header of {pass} should end in\n{}", done.text);
    }
}

/// The text between this start and the end of the code block.
fn block<'a>(header: &'a str, start: &str, pass: &str) -> &'a str {
    let (_, rest) = header.split_once(start).unwrap_or_else(|| panic!("the header of {pass} lacks {start}"));
    rest.split_once("```").map_or(rest, |(block, _)| block)
}

/// Replaces the block of `## After` in a file.
fn write(file: &Path, after: &str) {
    let text = snapshots::text(file);
    let start: String = AFTER.lines().map(|line| format!("{}\n", format!("//! {line}").trim_end())).collect();
    let (head, rest) = text.split_once(&start).expect("the file has the block");
    let (_, tail) = rest.split_once("//! ```\n").expect("the block ends");
    let block: String =
        after.trim_end().lines().map(|line| format!("{}\n", format!("//! {line}").trim_end())).collect();
    std::fs::write(file, format!("{head}{start}{block}//! ```\n{tail}")).expect("the file can be written");
}
