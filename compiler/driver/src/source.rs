//! A program's text on its way through the stages.

use ravel_base::{Diagnostic, FileId, SourceMap};

use crate::prelude;

/// A program, with the prelude beside it.
#[derive(Clone, Debug)]
pub struct Source {
    /// All files that a span may point into.
    pub sources: SourceMap,
    file: FileId,
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
    /// The program `text`, called `name` in messages.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let mut sources = SourceMap::new();
        let prelude = sources.add("<prelude>", prelude::TEXT);
        debug_assert_eq!(prelude, prelude::FILE);
        let file = sources.add(name, text);
        Source { sources, file }
    }

    /// The file of the program itself.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The text of the program.
    pub fn text(&self) -> &str {
        &self.sources.file(self.file).text
    }

    /// These diagnostics as the end of the way.
    pub(crate) fn problems(&self, diagnostics: Vec<Diagnostic>) -> Problems {
        Problems { sources: self.sources.clone(), diagnostics }
    }
}
