//! A program's text on its way through the stages.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ravel_base::{Diagnostic, FileId, SourceMap};

use crate::files::{self, Files};
use crate::library::{self, PROGRAM};

/// A program, with prelude and library beside it.
#[derive(Clone, Debug)]
pub struct Source {
    named: SourceMap,
    form: Form,
    /// What was said before it.
    before: Arc<Before>,
    /// With the files that it imports, once a stage has asked for them.
    files: Arc<OnceLock<Files>>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Declarations.
    Program,
    /// Declarations typed in a session: what they import stays in scope.
    Input,
    /// An expression: what a definition, or an entry point, of this name gives.
    Expression { name: &'static str, entry: bool },
}

/// What was said before a text in a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// Texts, each of which sees what those before it define.
    pub(crate) texts: Vec<Text>,
    /// Files as they were when they were read; other files are read when they are imported.
    pub(crate) kept: HashMap<PathBuf, String>,
}

/// A text of a session.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// What it is called in messages.
    pub(crate) name: String,
    /// What it says.
    pub(crate) text: String,
    /// What it is.
    pub(crate) form: Form,
}

/// The most bytes of a file of a program.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a file of a program, up to a size that no program has: so a device or a pipe without end is an error.
///
/// # Errors
/// Why it cannot be read.
pub fn read_program(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "a program has at most 64 MiB")),
        false => Ok(bytes),
    }
}

/// Why there is no result: what to tell the user.
#[derive(Clone, Debug)]
pub struct Problems {
    /// The files that the spans point into.
    pub sources: SourceMap,
    /// What is wrong; never empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl Source {
    /// The program `text`, called `name` in messages. What it imports is found beside the file of
    /// that name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source::behind(Arc::default(), name, text, Form::Program)
    }

    /// A text that sees what was said before it.
    pub(crate) fn behind(
        before: Arc<Before>,
        name: impl Into<String>,
        text: impl Into<String>,
        form: Form,
    ) -> Source {
        Source { named: library::sources(name.into(), text.into()), form, before, files: Arc::default() }
    }

    /// The file of the program itself.
    pub fn file(&self) -> FileId {
        PROGRAM
    }

    /// What the program is called in messages.
    pub fn name(&self) -> &str {
        &self.named.file(PROGRAM).name
    }

    /// The text of the program.
    pub fn text(&self) -> &str {
        &self.named.file(PROGRAM).text
    }

    /// All files that a span may point into.
    pub fn sources(&self) -> &SourceMap {
        self.files.get().map_or(&self.named, |files| &files.sources)
    }

    /// The syntax trees of the program and of all that it imports.
    pub(crate) fn files(&self) -> &Files {
        self.files.get_or_init(|| files::load(self.named.clone(), PROGRAM, self.form, &self.before))
    }

    /// These diagnostics as the end of the way.
    pub(crate) fn problems(&self, diagnostics: Vec<Diagnostic>) -> Problems {
        Problems { sources: self.sources().clone(), diagnostics }
    }
}
