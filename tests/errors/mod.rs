//! Errors: each `NAME.dsl` is refused, or gets a warning, and its snapshot holds the diagnostic; beside
//! it is `NAME.ok.dsl`, one edit away, which is accepted. `cargo xtask tidy` checks that every code
//! has such a program. Those in `strict` are checked as by `ravel check --strict-futhark`.

mod newcomer;
mod vocabulary;

use std::path::{Path, PathBuf};

use ravel_driver::{Diagnostic, Kind, Limitation, Source, Style, render};

use crate::snapshots;

/// The diagnostics of compiling a program.
fn diagnostics(case: &Path) -> (Source, Vec<Diagnostic>) {
    let source = Source::new(snapshots::name(case), snapshots::text(case));
    let is_strict = case.parent().is_some_and(|folder| folder.ends_with("strict"));
    let diagnostics = match (ravel_driver::lowered_core(&source, &Default::default()), is_strict) {
        (Ok(_), false) => ravel_driver::check(&source).unwrap_or_default(),
        (Ok(_), true) => ravel_driver::extension_warnings(&source).unwrap_or_default(),
        (Err(problems), _) => problems.diagnostics,
    };
    (source, diagnostics)
}

/// The wrong programs.
fn cases() -> impl Iterator<Item = PathBuf> {
    let twin = |case: &PathBuf| case.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".ok"));
    snapshots::cases("errors", "dsl").into_iter().filter(move |case| !twin(case))
}

/// Whether a message is a headline: one line that is read at a glance.
fn is_short(message: &str) -> bool {
    const LONGEST: usize = 70;
    !message.contains('\n') && message.chars().count() <= LONGEST
}

#[test]
fn every_error_reads_as_it_should() {
    ravel_driver::on_large_stack(|| {
        for case in cases() {
            let (source, diagnostics) = diagnostics(&case);
            assert!(!diagnostics.is_empty(), "{} is accepted", snapshots::name(&case));
            for Diagnostic { message, .. } in &diagnostics {
                assert!(is_short(message), "this headline is too long: {message}");
            }
            snapshots::check(&case, &render(source.sources(), &diagnostics, Style::Plain));
        }
    });
}

#[test]
fn every_error_has_an_accepted_twin() {
    ravel_driver::on_large_stack(|| {
        let diagnostics: String = cases()
            .map(|case| diagnostics(&case.with_extension("ok.dsl")))
            .map(|(source, diagnostics)| render(source.sources(), &diagnostics, Style::Plain))
            .collect();
        assert!(diagnostics.is_empty(), "rejected:\n{diagnostics}");
    });
}

/// The kinds of diagnostics of all wrong programs.
fn kinds() -> Vec<Kind> {
    cases().flat_map(|case| diagnostics(&case).1).map(|diagnostic| diagnostic.kind).collect()
}

#[test]
fn every_limitation_of_the_language_has_a_case() {
    /// The limitations that arise after the front end, or that the front end reports only as a safeguard.
    const ELSEWHERE: &[Limitation] = &[
        Limitation::Attributes,
        Limitation::IrregularArray,
        Limitation::Calls,
        Limitation::ThreadArray,
        Limitation::DeviceNesting,
        Limitation::Segments,
        Limitation::BlockArrays,
    ];
    ravel_driver::on_large_stack(|| {
        let diagnostics = kinds();
        let has = |limitation: &Limitation| diagnostics.contains(&Kind::Limitation(*limitation));
        let language = Limitation::ALL.iter().filter(|limitation| !ELSEWHERE.contains(limitation));
        let missing: Vec<_> = language.filter(|limitation| !has(limitation)).collect();
        assert!(missing.is_empty(), "no case in tests/errors for {missing:?}");
    });
}
