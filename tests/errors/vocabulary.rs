//! The vocabulary of Futhark's compiler: our messages contain the distinctive words of its messages for the same
//! errors, in the same order and case. The words may be spread over several lines of a message, so its line breaks do not
//! count.
//!
//! Each paragraph of `vocabulary.txt` begins with the words on one line, where `…` stands for any words between
//! them. Below it, indented, is a program whose diagnostic must contain the words.

use ravel_driver::{Source, Style, render};

use crate::snapshots;

#[test]
fn messages_have_the_words_of_futhark() {
    ravel_driver::on_large_stack(|| {
        let text = snapshots::text(&snapshots::root().join("errors/vocabulary.txt"));
        let mut lacking = Vec::new();
        for case in text.split("\n\n") {
            let (words, program) = case.split_once('\n').expect("a program stands below the words");
            let source = Source::new("a program", program);
            let messages = match ravel_driver::lowered_core(&source, &Default::default()) {
                Ok(_) => Vec::new(),
                Err(problems) => {
                    let message = |one| render(source.sources(), std::slice::from_ref(one), Style::Plain);
                    problems.diagnostics.iter().map(message).collect()
                }
            };
            if !messages.iter().any(|message| has(&joined(message), words)) {
                lacking.push(format!("{words}\n{}", messages.concat()));
            }
        }
        assert!(lacking.is_empty(), "{} messages lack words:\n{}", lacking.len(), lacking.join("\n"));
    });
}

/// Joins the lines of a rendered diagnostic into one, without the excerpts of the program.
fn joined(message: &str) -> String {
    let is_excerpt =
        |line: &&str| line.split_once(" | ").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
    let lines = message.lines().filter(|line| !is_excerpt(line)).map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}

/// Whether the line has the words in this order.
fn has(line: &str, words: &str) -> bool {
    let mut rest = Some(line);
    for word in words.split(" … ") {
        rest = rest.and_then(|rest| rest.split_once(word)).map(|(_, after)| after);
    }
    rest.is_some()
}
