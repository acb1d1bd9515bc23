//! # passes: rewrites of core IR, the translation to kernel IR, and rewrites of kernel IR
//!
//! A pass is a value ([`Pass`]); [`pipeline`] is the table of contents. A file has one rule or one family of rules, and
//! its header states them: rule, premises, before and after.
//!
//! This crate knows no source syntax and no source types, and of a machine only its
//! [`Target`].
#![forbid(unsafe_code)]

mod arithmetic;
pub mod bins;
mod checked;
pub mod components;
mod fit;
pub mod flatten;
pub mod fuse;
pub mod hoist;
pub mod inline;
mod kernelise;
pub mod layout;
pub mod loop_fission;
pub mod low_bits;
pub mod machine;
pub mod memory;
pub mod partial_copy;
pub mod pass;
pub mod pipeline;
pub mod redundant_checks;
pub mod simplify;
pub mod sink;
pub mod sort_points;
mod steps;
#[cfg(test)]
mod testing;

use ravel_base::Diagnostic;
use ravel_core as core;
use ravel_kernel::{Program, Target};

pub use pass::{Cx, Event, KernelPass, Pass, Premise, Refusal};
pub use pipeline::{FLATTEN, KERNEL, LAST, PIPELINE, Step, in_order, passes, run_steps};

/// Translates core IR with segments, as `flatten` leaves it, to kernel IR for a target.
///
/// # Errors
/// A limitation of this compiler.
pub fn to_kernel(program: &core::Program, target: &Target) -> Result<Program, Diagnostic> {
    fit::fit(kernelise::kernelise(program, target)?, target)
}
