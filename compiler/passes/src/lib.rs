//! # passes: rewrites of core IR, the translation to kernel IR, and rewrites of that
//!
//! A pass is a value ([`Pass`]); [`pipeline`] is the table of contents. One rewrite or one tightly
//! bound family a file, and the file explains itself: rule, premises, before and after.
//!
//! This room knows nothing of source syntax or types, and of a machine only its
//! [`Target`](ravel_kernel::Target).
#![forbid(unsafe_code)]

pub mod fuse;
pub mod hoist;
pub mod inline;
pub mod kernelise;
pub mod memory;
pub mod once;
pub mod parts;
pub mod pass;
pub mod pipeline;
pub mod simplify;
pub mod sink;
#[cfg(test)]
mod testing;

pub use memory::{MEMORY, MemoryPass};
pub use pass::{Cx, Event, Pass, Premise, Refusal};
pub use pipeline::{LAST, PIPELINE, Schedule};
