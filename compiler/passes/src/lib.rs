//! # passes: rewrites of core IR, and the translation to kernel IR
//!
//! One rewrite or one tightly bound family a file. `pipeline.rs` is the table of contents.
//!
//! This room knows nothing of source syntax or types, and of a machine only its
//! [`Target`](ravel_kernel::Target).
#![forbid(unsafe_code)]

pub mod kernelise;
pub mod pass;

pub use pass::{Cx, Event, Pass};
