//! # driver: the stages in their order
//!
//! From a [`Source`] to core IR, kernel IR, native code or a launch plan; runs the passes,
//! verifies between them, catches the compiler's own faults, and draws diagnostics.
//!
//! This room knows every stage of the compiler, and no runtime.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the driver reads sources, measures stages and saves what replays a bug"
)]

mod at_once;
mod census;
pub mod dev;
pub mod explain;
mod files;
mod guard;
mod image;
mod interface;
mod library;
mod pages;
mod pipeline;
mod promises;
mod property;
mod render;
mod replay;
pub mod session;
mod source;
pub mod spec;
mod stages;
mod strict;
mod trace;

pub use census::Census;
pub use explain::{Explanation, explain};
pub use guard::{guarded, on_large_stack};
pub use interface::interface;
pub use pages::page;
pub use pipeline::{Ir, Options, PassReport, Passes, memory as run_memory_passes, run as run_passes};
pub use promises::{Promise, Promises, promises};
pub use property::{Property, property};
pub use ravel_lower::RULES as RULES_OF_LOWERING;
pub use render::{Style, render};
pub use replay::Replay;
pub use source::{Problems, Source, read_program};
pub use stages::{
    Front, check, core, entries, front, gpu, kernel, lowered, native, optimised, tuning_parameters, typed,
    unoptimised,
};
pub use strict::additions;
pub use trace::{by_lowering, trace};

pub use ravel_base::{Code, Diagnostic, Kind, Limitation};
pub use ravel_core::Program as CoreProgram;
pub use ravel_kernel::{MemProgram, Program as KernelProgram};
