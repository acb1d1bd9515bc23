//! # base: definitions shared by all crates
//!
//! Spans and source files, call paths, origins of statements, interned symbols, typed ids and maps with such keys,
//! diagnostics as plain data, errors in the text of an IR, and the shared tables: error codes, limitations and sections
//! of the error index. The crate also has the thread pool for parallel work of the compiler.
//!
//! This crate does not depend on the language, any IR, terminals or files: a [`Diagnostic`] is data, and the driver
//! renders it.
#![forbid(unsafe_code)]

pub mod call_path;
pub mod code;
pub mod diagnostic;
pub mod id;
pub mod limitation;
pub mod origin;
pub mod section;
pub mod similar;
pub mod source;
pub mod symbol;
pub mod text;
pub mod workers;

pub use call_path::CallPath;
pub use code::Code;
pub use diagnostic::{Diagnostic, Fact, Kind, Label};
pub use id::IdMap;
pub use limitation::Limitation;
pub use origin::{ConstructId, Origin, Spans};
pub use section::Section;
pub use similar::most_similar;
pub use source::{FileId, Position, Positions, SourceMap, Span};
pub use symbol::Symbol;
pub use text::{Names, ParseError, ResultPlaces, TextFault};
pub use workers::{LARGE_STACK, Workers};

#[doc(hidden)]
pub use serde;

/// The maximum nesting depth of brackets, branches and other nested forms in a source file.
///
/// Beyond it the parser reports an error instead of exhausting the stack.
pub const NESTING_LIMIT: usize = 500;
