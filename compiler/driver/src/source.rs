//! A source text, with all files that compiling it reads.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "sources are files")]

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ravel_base::{Diagnostic, FileId, SourceMap};

use crate::files::{self, Files};
use crate::library::{self, PROGRAM};

/// A program with its imports, the prelude and the library.
#[derive(Clone, Debug)]
pub struct Source {
    named: SourceMap,
    form: Form,
    /// The earlier texts of the session.
    history: Arc<History>,
    /// The parsed files, loaded on first use.
    files: Arc<OnceLock<Files>>,
}

/// The syntactic form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Declarations.
    Program,
    /// Declarations of a session: their imports stay in scope.
    Input,
    /// An expression, as the body of a definition or entry point of this name.
    Expression { name: &'static str, entry: bool },
}

/// The earlier texts of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// The texts; each sees the definitions of those before it.
    pub(crate) texts: Vec<Text>,
    /// The contents of files when the session loaded them. Other files are read when they are imported.
    pub(crate) snapshots: HashMap<PathBuf, String>,
}

/// A text of a session.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Its name in diagnostics.
    pub(crate) name: String,
    /// Its content.
    pub(crate) text: String,
    /// Its form.
    pub(crate) form: Form,
}

/// The maximum size of a source file in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a source file. Pipes and devices are refused before they are opened, since they may block or be endless.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is too large.
pub fn read_program(path: &Path) -> io::Result<Vec<u8>> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "a program has at most 64 MiB")),
        false => Ok(bytes),
    }
}

/// The diagnostics that ended a compilation.
#[derive(Clone, Debug)]
pub struct Problems {
    /// The files of the spans.
    pub sources: SourceMap,
    /// The diagnostics; never empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl Source {
    /// The program `text`, called `name` in messages. Imports are relative to the file of that name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source::after(Arc::default(), name, text, Form::Program)
    }

    /// A text that sees the definitions of earlier texts.
    pub(crate) fn after(
        history: Arc<History>,
        name: impl Into<String>,
        text: impl Into<String>,
        form: Form,
    ) -> Source {
        Source { named: library::sources(name.into(), text.into()), form, history, files: Arc::default() }
    }

    /// The file of the program itself.
    pub fn file(&self) -> FileId {
        PROGRAM
    }

    /// The program's name in diagnostics.
    pub fn name(&self) -> &str {
        &self.named.file(PROGRAM).name
    }

    /// The text of the program.
    pub fn text(&self) -> &str {
        &self.named.file(PROGRAM).text
    }

    /// All files to which a span may refer.
    pub fn sources(&self) -> &SourceMap {
        self.files.get().map_or(&self.named, |files| &files.sources)
    }

    /// The syntax trees of the program and its imports.
    pub(crate) fn files(&self) -> &Files {
        self.files.get_or_init(|| files::load(self.named.clone(), PROGRAM, self.form, &self.history))
    }

    /// These diagnostics with the files of their spans.
    pub(crate) fn problems(&self, diagnostics: Vec<Diagnostic>) -> Problems {
        Problems { sources: self.sources().clone(), diagnostics }
    }
}
