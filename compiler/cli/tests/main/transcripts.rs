//! The transcripts in the documentation are what the tools say.
//!
//! `INSTA_UPDATE=always cargo test --workspace transcripts` writes them anew.

use std::path::{Path, PathBuf};

use crate::support::Folder;
use crate::terminal::Terminal;

const PAGE: &str = "docs/tools.md";

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE)
}

/// The page before, in and behind the part of this name.
fn part(text: &str, name: &str) -> (String, String, String) {
    let (start, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let parts = text.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
    let Some((before, (inside, after))) = parts else { panic!("{PAGE} has no part `{name}`") };
    (before.to_owned() + &start, inside.to_owned(), end + after)
}

/// Holds a part of the page against a transcript, as far as `essence` keeps of both.
fn check(name: &str, transcript: &str, essence: impl Fn(&str) -> String) {
    // Tests run at once, and write one file.
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = std::fs::read_to_string(page()).expect("the page can be read");
    let (before, known, after) = part(&text, name);
    let transcript = format!("```\n{transcript}```\n");
    if essence(&known) == essence(&transcript) {
        return;
    }
    assert!(
        std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always"),
        "{PAGE}: the part `{name}` is out of date; it should be\n{transcript}"
    );
    std::fs::write(page(), before + &transcript + &after).expect("the page can be written");
}

#[test]
fn the_session_goes_as_the_page_says() {
    let text = std::fs::read_to_string(page()).expect("the page can be read");
    let (_, known, _) = part(&text, "repl");
    let inputs: Vec<&str> = known.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    assert!(inputs.len() > 8, "the session has lost its inputs");
    // A terminal that cannot move its cursor shows what was typed and what was said, and nothing else.
    let variables = [("TERM", "dumb"), ("NO_COLOR", "1")];
    let mut terminal = Terminal::start(&Folder::new("transcript"), &["repl"], &variables);
    terminal.sees("\n> ");
    let mut transcript = "$ ravel repl\n".to_owned();
    for input in inputs {
        terminal.types(format!("{input}\n"));
        let (said, _) = terminal.sees("\n> ");
        transcript += &format!("> {}\n", said.replace('\r', ""));
    }
    check("repl", &transcript, str::to_owned);
}

#[test]
fn the_help_of_a_session_is_on_the_page() {
    let help = Folder::new("transcript_help").ravel(&["repl"], ":help\n");
    check("repl-help", &format!("> :help\n{}", help.text()), str::to_owned);
}

#[test]
fn the_doctor_says_what_the_page_says() {
    let told = Folder::new("transcript_doctor").ravel(&["doctor"], "");
    // What follows tells of the machine.
    let backends = |text: &str| text.lines().filter(|line| line.ends_with(": works")).collect();
    check("doctor", &format!("$ ravel doctor\n{}", told.text()), backends);
}
