//! A program's text on its way through the stages.

use std::sync::{Arc, OnceLock};

use ravel_base::{Diagnostic, FileId, SourceMap};

use crate::files::{self, Files};
use crate::library::{self, PROGRAM};

/// A program, with prelude and library beside it.
#[derive(Clone, Debug)]
pub struct Source {
    named: SourceMap,
    /// With the files that it imports, once a stage has asked for them.
    files: Arc<OnceLock<Files>>,
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
        let named = library::sources(name.into(), text.into());
        Source { named, files: Arc::default() }
    }

    /// The file of the program itself.
    pub fn file(&self) -> FileId {
        PROGRAM
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
        self.files.get_or_init(|| files::load(self.named.clone(), PROGRAM))
    }

    /// These diagnostics as the end of the way.
    pub(crate) fn problems(&self, diagnostics: Vec<Diagnostic>) -> Problems {
        Problems { sources: self.sources().clone(), diagnostics }
    }
}
