//! Errors: each `NAME.dsl` is wrong, and its snapshot is what the user sees; beside it stands
//! `NAME.ok.dsl`, one edit away, which is accepted.

use std::path::{Path, PathBuf};

use ravel_driver::{Code, Diagnostic, Kind, Source, Style, render};

use crate::books;

/// What compiling a program tells.
fn diagnostics(case: &Path) -> (Source, Vec<Diagnostic>) {
    let source = Source::new(books::name(case), books::text(case));
    let diagnostics = match ravel_driver::lowered(&source) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.diagnostics,
    };
    (source, diagnostics)
}

/// The wrong programs.
fn cases() -> impl Iterator<Item = PathBuf> {
    let twin = |case: &PathBuf| case.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".ok"));
    books::cases("errors", "dsl").into_iter().filter(move |case| !twin(case))
}

#[test]
fn every_error_reads_as_it_should() {
    ravel_driver::on_large_stack(|| {
        for case in cases() {
            let (source, diagnostics) = diagnostics(&case);
            assert!(!diagnostics.is_empty(), "{} is accepted", books::name(&case));
            books::check(&case, &render(&source.sources, &diagnostics, Style::Plain));
        }
    });
}

#[test]
fn every_error_has_an_accepted_twin() {
    ravel_driver::on_large_stack(|| {
        for case in cases() {
            let twin = case.with_extension("ok.dsl");
            let (source, diagnostics) = diagnostics(&twin);
            let told = render(&source.sources, &diagnostics, Style::Plain);
            assert!(diagnostics.is_empty(), "{} is rejected:\n{told}", books::name(&twin));
        }
    });
}

#[test]
fn every_code_has_a_case() {
    ravel_driver::on_large_stack(|| {
        let told: Vec<Diagnostic> = cases().flat_map(|case| diagnostics(&case).1).collect();
        let has = |code: &Code| told.iter().any(|diagnostic| diagnostic.kind == Kind::Error(*code));
        let missing: Vec<_> = Code::ALL.iter().filter(|code| !has(code)).map(|code| code.number()).collect();
        assert!(missing.is_empty(), "no case in tests/errors for {missing:?}");
    });
}
