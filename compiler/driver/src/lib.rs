//! # driver: the compiler's stages in order
//!
//! Compiles a [`Source`] to core IR, kernel IR, native code or a launch plan. Runs and verifies the passes, turns panics of the
//! compiler into diagnostics, and renders diagnostics.
//!
//! This crate depends on every stage of the compiler, and on no runtime.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the driver reads sources, measures stages and saves what replays a bug"
)]

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
mod runner;
pub mod session;
mod source;
pub mod spec;
mod stages;
mod strict_futhark;
mod structure;
mod trace;

pub use explain::{Explanation, explain};
pub use guard::{guarded, on_large_stack};
pub use interface::interface;
pub use pages::page;
pub use pipeline::{Ir, Options, PassReport, Passes, kernel as run_kernel_passes, run as run_passes};
pub use promises::{Promise, Promises, promises};
pub use property::{Property, property};
pub use ravel_lower::RULES as RULES_OF_LOWERING;
pub use structure::FormCounts;

/// The name of the pass that decides what runs in parallel.
pub const FLATTEN: &str = ravel_passes::flatten::PASS.name;
pub use render::{Style, render};
pub use replay::Replay;
pub use source::{Problems, Source, read_program};
pub use stages::{
    FrontEnd, check, entries, front_end, gpu_plan, kernel_program, lowered_core, native_code, optimised_core,
    program_for, tuning_parameters, typed_program,
};
pub use strict_futhark::extension_warnings;
pub use trace::{by_lowering, trace};

pub use ravel_base::{Code, Diagnostic, Kind, Limitation};
pub use ravel_core::Program as CoreProgram;
pub use ravel_kernel::{MemProgram, Program as KernelProgram, SettingValue, Target};
