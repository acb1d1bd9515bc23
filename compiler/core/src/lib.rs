//! # core: the core IR
//!
//! Syntax, builder, printer, parser, verifier and analyses of Ravel's first-order array IR.
//!
//! This room knows nothing of source syntax, of source types, of memory or of any backend.
#![forbid(unsafe_code)]

pub mod syntax;

pub use syntax::*;
