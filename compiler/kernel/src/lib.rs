//! # kernel: the kernel IR
//!
//! A host program and parallel segments, with memory explicit from the first line: what backends
//! compile. Syntax, printer, parser, verifier, and the analyses that backends share.
//!
//! This room knows nothing of core IR (passes translate), of WGSL or of Cranelift. What a caller sees of a program, its
//! signatures, messages and traces, is stated in the terms of `abi`, once for all backends (`interface`).
#![forbid(unsafe_code)]

mod interface;
mod literal;
mod parameters;
pub mod parse;
pub mod print;
mod products;
mod renumber;
#[cfg(test)]
mod sample;
pub mod syntax;
pub mod target;
pub mod uses;
pub mod verify;
pub mod visit;

pub use parse::{ParseError, parse};
pub use print::name_of;
pub use products::Products;
pub use syntax::*;
pub use target::{Setting, SettingValue, Target};
pub use uses::{BlockUse, Uses};
pub use verify::{MemProgram, VerifyError, check};
pub use visit::{Visit, VisitMut};
