//! # kernel: the kernel IR
//!
//! A host program and parallel segments, with memory explicit from the first line: what backends
//! compile. Syntax, printer, parser and verifier.
//!
//! This room knows nothing of core IR (passes translate), of WGSL or of Cranelift.
#![forbid(unsafe_code)]

pub mod syntax;
pub mod target;

pub use syntax::*;
pub use target::Target;
