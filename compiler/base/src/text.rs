//! What the parsers and verifiers of intermediate representations say about a text.
//!
//! A verifier knows a statement by its origin, and a variable by its hint and number. Both are properties of the program and
//! not of the text from which it was read. So if a text is invalid, its parser reads it once more, with [`Names::Written`]:
//! each statement has its place in the text as its origin, and each variable has its whole name in the text as its hint.

use std::fmt;

use crate::Span;

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

/// The violation of a rule in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// The first line of the innermost statement to blame, or the name of the function or the entry point.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
}
