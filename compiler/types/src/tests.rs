//! Tests of the rules: for each rule, programs that keep it and programs that break it.

mod applications;
mod attributes;
mod consumption;
mod data;
mod lifting;
mod limitations;
mod modules;
mod names;
mod overloading;
mod programs;
mod recursion;
mod sizes;
mod tree;
mod types;

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use ravel_base::{Code, Diagnostic, FileId, Kind, Limitation, SourceMap};

use crate::{Checked, Env, File, Import, Mode, check, program_text};

const PRELUDE: &str = include_str!("../../../stdlib/prelude.dsl");

/// A file without imports.
fn file_of<'a>(program: &'a ravel_syntax::ast::Program, text: &'a str) -> File<'a> {
    static NONE: LazyLock<HashMap<String, Import>> = LazyLock::new(HashMap::new);
    File { program, text, imports: &NONE }
}

/// The definitions of the prelude.
fn prelude() -> &'static Env {
    static ENV: OnceLock<Env> = OnceLock::new();
    ENV.get_or_init(|| {
        let mut map = SourceMap::new();
        let file = map.add("prelude", PRELUDE);
        let parsed = ravel_syntax::parse(file, PRELUDE);
        assert_eq!(parsed.diagnostics, []);
        let checked = check(&[file_of(&parsed.program, PRELUDE)], &Env::default(), Mode::Prelude);
        assert_eq!(checked.diagnostics, []);
        Env::of_prelude(&checked)
    })
}

/// Checks a program that has no syntax errors.
fn check_text(text: &str) -> Checked {
    let parsed = ravel_syntax::parse(FileId(7), text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    check(&[file_of(&parsed.program, text)], prelude(), Mode::Program)
}

/// The typed tree of a correct program.
#[track_caller]
fn accept(text: &str) -> Checked {
    let checked = check_text(text);
    assert_eq!(checked.diagnostics, [], "{text}");
    checked
}

/// The types of the definitions of a correct program.
#[track_caller]
fn types(text: &str) -> String {
    program_text(&accept(text).program)
}

/// Asserts that the definitions of a correct program print as expected.
#[track_caller]
fn has_types(text: &str, expected: &[&str]) {
    assert_eq!(types(text).lines().collect::<Vec<_>>(), expected, "{text}");
}

fn place(text: &str, diagnostic: &Diagnostic) -> String {
    diagnostic.span.map_or(String::new(), |span| text[span.start as usize..span.end as usize].to_owned())
}

/// Asserts that a program has exactly one error: with this code, this text at the caret, and a
/// text that contains `says`.
#[track_caller]
fn reject(text: &str, code: Code, at: &str, says: &str) {
    let checked = check_text(text);
    let [diagnostic] = &checked.diagnostics[..] else {
        panic!("one error expected in {text}\nfound {:#?}", checked.diagnostics);
    };
    assert_eq!(diagnostic.kind, Kind::Error(code), "{text}\n{diagnostic:#?}");
    assert_eq!(place(text, diagnostic), at, "{text}\n{diagnostic:#?}");
    // Diagnostics put names in double quotes; the expected texts have backquotes.
    let all = diagnostic.texts().replace('"', "`");
    assert!(all.contains(says), "{text}\n{all}");
}

/// Asserts that a program meets exactly this limitation, with this text at the caret.
#[track_caller]
fn limited(text: &str, limitation: Limitation, at: &str) {
    let checked = check_text(text);
    let kinds: Vec<_> = checked.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [Kind::Limitation(limitation)], "{text}");
    assert_eq!(place(text, &checked.diagnostics[0]), at, "{text}");
}
