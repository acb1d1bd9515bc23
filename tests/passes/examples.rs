//! The examples in the headers of passes and of their rules: the pass must turn the program under `## Before` into
//! the program under `## After`.
//!
//! `INSTA_UPDATE=always cargo test -p ravel-tests examples` updates the results.

use std::collections::BTreeSet;
use std::path::Path;

use ravel_driver::Source;

use super::headers::{self, Header};
use super::{AnyPass, passes, run_on};
use crate::snapshots;

#[test]
fn the_examples_in_the_headers_agree_with_the_passes() {
    ravel_driver::on_large_stack(|| {
        for AnyPass { name, is_core, .. } in passes() {
            headers::of_pass(name).iter().for_each(|header| check(header, name, is_core));
        }
    });
}

/// Runs the example of a header. All rules that the header describes must fire in it. If it describes none, because
/// the rules have files of their own, at least one must fire.
fn check(header: &Header, pass: &str, is_core: bool) {
    let name = header.file.display().to_string();
    let done = run_on(pass, is_core, &Source::new(&name, header.code("Before")));
    let fired: BTreeSet<&str> =
        done.events.iter().filter(|event| event.refused.is_none()).map(|event| event.rule).collect();
    assert!(!fired.is_empty(), "nothing fires in the example of {name}: {}", done.report);
    for rule in header.rules() {
        assert!(fired.contains(&*rule.name), "{} does not fire in {name}: {fired:?}", rule.name);
    }
    if done.text.trim_end() == header.code("After").trim_end() {
        return;
    }
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        write(&header.file, &done.text);
    } else {
        panic!("the example in {name} should end in\n{}", done.text);
    }
}

/// Replaces the block of `## After` in a file.
fn write(file: &Path, after: &str) {
    let text = snapshots::text(file);
    let (head, rest) = text.split_once("//! ## After\n//!\n//! ```text\n").expect("the file has the block");
    let (_, tail) = rest.split_once("//! ```\n").expect("the block ends");
    let block: String =
        after.trim_end().lines().map(|line| format!("{}\n", format!("//! {line}").trim_end())).collect();
    let text = format!("{head}//! ## After\n//!\n//! ```text\n{block}//! ```\n{tail}");
    std::fs::write(file, text).expect("the file can be written");
}
