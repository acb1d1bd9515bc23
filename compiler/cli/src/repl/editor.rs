//! The line editor of a terminal: history, completion of names, commands and files, colours, multi-line inputs, and pasted
//! text with several inputs.
//!
//! It uses the crate `rustyline`, which reads a line on request without an event loop, restores the terminal while programs
//! run, and has few dependencies.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::PathBuf;

use ravel_driver::session::{Class, Session, classes};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, Config, Context, EditMode, Editor as Rustyline, Helper, KeyEvent};

use super::input::{inputs, is_finished};
use super::{Event, commands};

/// Longer inputs, in bytes, are not coloured, so that key strokes stay fast.
const LONG: usize = 4000;

/// The line editor.
pub struct Editor {
    line: Rustyline<Assistant, FileHistory>,
    history: Option<PathBuf>,
    /// Pasted inputs that are not yet processed.
    pasted: VecDeque<String>,
}

impl Editor {
    /// Opens the editor with the history of earlier sessions.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub fn open(coloured: bool) -> Result<Editor, String> {
        let config = Config::builder()
            .edit_mode(EditMode::Emacs)
            .history_ignore_dups(true)
            .map_err(|trouble| trouble.to_string())?
            .history_ignore_space(true)
            .completion_type(rustyline::CompletionType::List)
            .build();
        let entries = FileHistory::with_config(&config);
        let mut line = Rustyline::with_history(config, entries).map_err(|trouble| trouble.to_string())?;
        line.set_helper(Some(Assistant {
            session: Session::default(),
            files: FilenameCompleter::new(),
            coloured,
        }));
        // Alt-Enter always starts a new line.
        line.bind_sequence(KeyEvent::alt('\r'), Cmd::Newline);
        let history = history_file();
        if let Some(file) = &history {
            // Before the first session there is no file.
            let _ = line.load_history(file);
        }
        Ok(Editor { line, history, pasted: VecDeque::new() })
    }

    /// Reads the next input; names of this session are completed.
    pub fn next(&mut self, session: &Session) -> Event {
        if let Some(input) = self.pasted.pop_front() {
            return Event::Text(input);
        }
        if let Some(assistant) = self.line.helper_mut() {
            assistant.session = session.clone();
        }
        match self.line.readline("> ") {
            Ok(text) => {
                if !text.trim().is_empty() {
                    self.remember(&text);
                }
                self.pasted.extend(inputs(&text));
                Event::Text(self.pasted.pop_front().unwrap_or_default())
            }
            Err(ReadlineError::Eof) => Event::End,
            Err(ReadlineError::Interrupted) => Event::Interrupted,
            Err(ReadlineError::Io(trouble)) if trouble.kind() == std::io::ErrorKind::InvalidData => {
                Event::Broken("this line is not UTF-8 text".to_owned(), false)
            }
            Err(trouble) => Event::Broken(format!("cannot read from the terminal: {trouble}"), true),
        }
    }

    /// Adds an input to the history. A history file that cannot be written is ignored.
    fn remember(&mut self, text: &str) {
        let is_new = self.line.add_history_entry(text).unwrap_or(false);
        if let (true, Some(file)) = (is_new, &self.history) {
            let _ = self.line.append_history(file);
        }
    }
}

/// The history file, according to the XDG Base Directory Specification.
fn history_file() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")))?;
    let folder = state.join("ravel");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// The language-specific parts of the editor: completion, colours, and the end of an input.
struct Assistant {
    session: Session,
    files: FilenameCompleter,
    coloured: bool,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {
    /// Enter ends a complete input; an empty line ends any input.
    fn validate(&self, cx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = cx.input();
        let ends_with_blank = text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty());
        let finished = ends_with_blank || inputs(text).last().is_some_and(|last| is_finished(last));
        Ok(if finished { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.coloured || line.len() > LONG || line.starts_with(':') {
            return Cow::Borrowed(line);
        }
        let mut out = String::new();
        let mut from = 0;
        for (range, class) in classes(line) {
            out.push_str(&line[from..range.start]);
            out.push_str(&format!("\x1b[{}m{}\x1b[0m", colour(class), &line[range.clone()]));
            from = range.end;
        }
        out.push_str(&line[from..]);
        Cow::Owned(out)
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.coloured && line.len() <= LONG && kind != CmdKind::MoveCursor
    }
}

fn colour(class: Class) -> &'static str {
    match class {
        Class::Keyword => "1;34",
        Class::Type => "36",
        Class::Literal => "32",
        Class::Constructor => "35",
        Class::Comment => "2",
        Class::Wrong => "31",
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, cx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..at];
        let pairs = |words: Vec<String>| {
            let pair = |word: String| Pair { display: word.trim_end().to_owned(), replacement: word };
            words.into_iter().map(pair).collect()
        };
        let argument = |command: &str| before.strip_prefix(command).and_then(|rest| rest.strip_prefix(' '));
        if argument(":load").is_some() {
            return self.files.complete(line, at, cx);
        }
        let begins =
            |all: Vec<String>, word: &str| all.into_iter().filter(|one| one.starts_with(word)).collect();
        if let Some(word) = argument(":backend") {
            let names = ravel_engine::Backend::ALL.map(|backend| backend.name().to_owned());
            return Ok((at - word.len(), pairs(begins(names.into(), word))));
        }
        if let Some(word) = argument(":set") {
            return Ok((at - word.len(), pairs(begins(super::settings::names(), word))));
        }
        if before.starts_with(':') && !before.contains(' ') {
            return Ok((0, pairs(begins(commands::names(), before))));
        }
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '.');
        let start = before
            .rfind(|letter| !is_part(letter))
            .map_or(0, |last| last + before[last..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        Ok((start, pairs(if word.is_empty() { Vec::new() } else { self.session.names(word) })))
    }
}
