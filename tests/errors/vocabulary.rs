//! The words of the reference: whoever knows its messages finds in ours what sets each of them apart, in
//! the order and the case that it has there, on one line.
//!
//! `vocabulary.txt` holds them: a line with words (`…` stands for others between them), and below it,
//! indented, a program that is told so.

use ravel_driver::{Source, Style, render};

use crate::books;

#[test]
fn messages_have_the_words_of_the_reference() {
    ravel_driver::on_large_stack(|| {
        let text = books::text(&books::root().join("errors/vocabulary.txt"));
        let mut lacking = Vec::new();
        for case in text.split("\n\n") {
            let (words, program) = case.split_once('\n').expect("a program stands below the words");
            let source = Source::new("a program", program);
            let told = match ravel_driver::lowered(&source) {
                Ok(_) => String::new(),
                Err(problems) => render(source.sources(), &problems.diagnostics, Style::Plain),
            };
            if !told.lines().any(|line| has(line, words)) {
                lacking.push(format!("{words}\n{told}"));
            }
        }
        assert!(lacking.is_empty(), "{} messages lack words:\n{}", lacking.len(), lacking.join("\n"));
    });
}

/// Does the line have the words in their order?
fn has(line: &str, words: &str) -> bool {
    let mut rest = Some(line);
    for word in words.split(" … ") {
        rest = rest.and_then(|rest| rest.split_once(word)).map(|(_, behind)| behind);
    }
    rest.is_some()
}
