//! # driver: the compiler's stages in order
//!
//! Compiles a [`Source`] to core IR, kernel IR, native code or a launch plan. Runs and verifies the passes, turns panics of the
//! compiler into diagnostics, and renders diagnostics.
//!
//! This crate depends on every stage of the compiler, and on no runtime.
#![forbid(unsafe_code)]

pub mod dev;
pub mod explain;
mod files;
mod guard;
mod image;
mod interface;
mod ir;
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
pub use guard::{guarded, has_room_for_stacks, on_large_stack};
pub use interface::interface;
pub use ir::Ir;
pub use pages::page;
pub use pipeline::{Options, PassReport, Passes, run_core_passes, run_kernel_passes};
pub use promises::{Promise, Promises, promises};
pub use property::{Property, property};
pub use ravel_lower::RULES as RULES_OF_LOWERING;
pub use structure::FormCounts;

/// Whether this is the name of a pass over core IR with segments, or of the pass that makes them.
pub fn is_flattening(pass: &str) -> bool {
    ravel_passes::passes(ravel_passes::FLATTEN).iter().any(|known| known.name == pass)
}

pub use render::{Style, pages, render};
pub use replay::Replay;
pub use source::{Problems, Source, read_program};
pub use stages::{
    FrontEnd, add_tuning_parameters, check, compile_optimised, compile_to_kernel, compile_to_native,
    compile_to_plan, entry_names, flatten, front_end, lowered_core, optimised_core, tuning_parameters,
    typed_program,
};
pub use strict_futhark::extension_warnings;
pub use trace::{by_lowering, trace};

pub use ravel_base::{Code, Diagnostic, Kind, Limitation};
pub use ravel_core::Program as CoreProgram;
pub use ravel_kernel::{MemProgram, Program as KernelProgram, SettingValue, Target};
pub use ravel_native::Processors;
