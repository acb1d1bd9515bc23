//! What the parsers and verifiers of intermediate representations say about a text.
//!
//! A verifier knows a statement by its origin, and a variable by its hint and number. Both are properties of the program and
//! not of the text from which it was read. So if a text is invalid, its parser reads it once more, with [`Names::Written`]:
//! each statement has its place in the text as its origin, and each variable has its whole name in the text as its hint.

use std::collections::BTreeMap;
use std::fmt;

use crate::{FileId, Span};

/// A syntax error in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The offset in bytes.
    pub at: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl ParseError {
    /// An error at this offset of the text.
    pub fn new(text: &str, at: usize, message: impl Into<String>) -> ParseError {
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        ParseError {
            at,
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// How messages name the variables of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// By hint and number, as the program is printed.
    Printed,
    /// By the hint alone, which is the whole name in the text.
    Written,
}

/// The places of the results of bodies. A body has no origin, so it is known by the place of the statement or function that
/// has it, and by its number among the bodies there, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct ResultPlaces {
    /// The statements and functions around the current token: where each begins, and the number of its bodies so far.
    around: Vec<(u32, usize)>,
    places: BTreeMap<(u32, usize), Span>,
}

impl ResultPlaces {
    /// Begins a statement or a function at this offset.
    pub fn enter(&mut self, start: usize) {
        self.around.push((start as u32, 0));
    }

    /// Ends it.
    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// Begins a body. Returns its key.
    pub fn body(&mut self) -> Option<(u32, usize)> {
        let (start, bodies) = self.around.last_mut()?;
        *bodies += 1;
        Some((*start, *bodies - 1))
    }

    /// Ends the body with this key, whose results are there in the text.
    pub fn record(&mut self, body: Option<(u32, usize)>, file: FileId, results: std::ops::Range<usize>) {
        self.places.extend(body.map(|body| (body, Span::new(file, results.start, results.end))));
    }

    /// The place of the results of a body, if it is known, otherwise the place of the statement or function.
    pub fn place(&self, owner: Option<Span>, body: Option<usize>) -> Option<Span> {
        let results = body.and_then(|body| self.places.get(&(owner?.start, body)));
        results.copied().or(owner)
    }
}

/// The violation of a rule in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// The first line of the innermost statement to blame, the results of one of its bodies, or the name of the function or
    /// the entry point.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
}
