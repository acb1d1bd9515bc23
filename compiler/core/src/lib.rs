//! # core: the core IR
//!
//! Syntax, builder, printer, parser, verifier and analyses of Ravel's first-order array IR.
//!
//! This room knows nothing of source syntax, of source types, of memory or of any backend.
#![forbid(unsafe_code)]

mod builder;
mod parse;
mod print;
mod renumber;
pub mod syntax;
pub mod visit;

pub use builder::{Builder, atom_type, screma_types, slice_shape, stream_types};
pub use parse::{ParseError, parse};
pub use print::{print, print_atom, print_function, print_stm, print_type, print_with_origins};
pub use renumber::renumber;
pub use syntax::*;
