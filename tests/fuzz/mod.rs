//! Hostile input: any bytes get a result or an error. The modules below test properties of all valid programs.

mod laws;
mod meaning;
mod nests;
mod roundtrip;
mod text;

use proptest::prelude::*;
use ravel_driver::{Code, Kind, Source};

/// The words from which random programs are built.
const WORDS: &[&str] = &[
    "def", "entry", "let", "in", "if", "then", "else", "loop", "for", "while", "do", "with", "map", "reduce",
    "scan", "iota", "x", "y", "f", "n", "[n]", "'a", "i32", "f64", "bool", "0", "1", "2.5", "3u32", "true",
    "(", ")", "[", "]", "{", "}", ",", ":", "->", "\\", "=", "+", "-", "*", "/", "<", ">", "|>", "#", "@",
    ".", "\n", "-- ==", "module", "type", "match", "case", "import", "open", "``", "'", "\"", "!", "???",
    "*[]i32",
];

/// Compiles a text as far as possible; a bug in the compiler fails the test.
fn compile(text: String) {
    ravel_driver::on_large_stack(move || {
        let source = Source::new("fuzz.dsl", text);
        if let Err(problems) = ravel_driver::dev::optimised_core(
            &source,
            &Default::default(),
            ravel_abi::Machine::Cpu,
            &mut |_| {},
        ) {
            for diagnostic in &problems.diagnostics {
                assert!(
                    diagnostic.kind != Kind::Bug,
                    "{}\n--- of the program\n{}",
                    diagnostic.message,
                    source.text()
                );
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_is_answered(text in "\\PC{0,200}") {
        compile(text);
    }

    #[test]
    fn random_words_are_answered(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        compile(words.join(" "));
    }

    #[test]
    fn a_damaged_program_is_answered(
        cut in 0usize..2500,
        length in 0usize..40,
        word in prop::sample::select(WORDS),
    ) {
        let text = include_str!("../../programs/bfs/padded.dsl");
        let at = |wanted: usize| (0..=wanted.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        compile(format!("{}{word}{}", &text[..at(cut)], &text[at(cut + length)..]));
    }
}

#[test]
fn deep_nesting_is_an_error_with_a_place() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("(\\x -> ", ")"), ("-(", ")"), ("if true then (", ") else 0")]
    {
        let text = format!("def x = {}0{}\n", open.repeat(600), close.repeat(600));
        ravel_driver::on_large_stack(move || {
            let problems = ravel_driver::check(&Source::new("deep.dsl", text)).expect_err("it is too deep");
            assert!(problems.diagnostics.iter().all(|diagnostic| diagnostic.span.is_some()));
            assert_eq!(problems.diagnostics[0].kind, Kind::Error(Code::TooDeep));
        });
    }
}

#[test]
fn long_programs_are_not_deep() {
    let lets: String = (0..5_000).map(|i| format!("  let x{} = x{i} + 1\n", i + 1)).collect();
    compile(format!("entry main (x0: i32): i32 =\n{lets}  in x5000\n"));
    compile(format!("def x: i32 = 0{}\n", " + 1".repeat(5_000)));
}
