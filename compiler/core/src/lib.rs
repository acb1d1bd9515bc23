//! # core: the core IR
//!
//! Syntax, builder, printer, parser, verifier and analyses of Ravel's first-order array IR.
//!
//! This crate does not depend on source syntax, source types, memory or any backend.
#![forbid(unsafe_code)]

pub mod alias;
mod builder;
mod free;
mod parameters;
mod parse;
mod print;
pub mod range;
mod rename;
mod renumber;
pub mod syntax;
mod verify;
pub mod visit;

pub use builder::{Builder, atom_type, screma_types, segment_types, sink_value_types, slice_shape};
pub use free::{Uses, any_statement, free_in_body, free_in_exp, free_in_lambda, free_in_stm, statements};
pub use parameters::{parameters_in, parameters_of};
pub use parse::{parse, parse_with_places};
pub use print::{print, print_stm, print_with_origins};
pub use rename::{Substitution, copy_body, copy_lambda};
pub use renumber::renumber;
pub use syntax::*;
pub use verify::{Conflict, VerifyError, conflict, fault_in_text, verify};
