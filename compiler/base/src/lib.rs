//! # base: definitions shared by all crates
//!
//! Spans and source files, call paths, interned symbols, typed ids and the maps keyed by them, diagnostics as
//! plain data, and the tables that must agree everywhere: error codes, limitations and sections of the error index. And the threads on
//! which rooms do what can be done side by side.
//!
//! This crate does not know the language, any IR, terminals or files: a [`Diagnostic`] is data, and
//! the driver renders it.
#![forbid(unsafe_code)]

pub mod call_path;
pub mod code;
pub mod diagnostic;
pub mod id;
pub mod limitation;
pub mod section;
pub mod source;
pub mod symbol;
pub mod workers;

pub use call_path::CallPath;
pub use code::Code;
pub use diagnostic::{Diagnostic, Kind, Label};
pub use id::IdMap;
pub use limitation::Limitation;
pub use section::Section;
pub use source::{FileId, Position, SourceMap, Span};
pub use symbol::Symbol;
pub use workers::{LARGE_STACK, Workers};

#[doc(hidden)]
pub use serde;

/// How deeply brackets, branches and other nested forms may nest in a source file.
///
/// Beyond it the parser answers with an error instead of exhausting the stack.
pub const NESTING_LIMIT: usize = 500;
