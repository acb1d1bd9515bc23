//! # support: data and references of the programs
//!
//! The programs' inputs and expected results, calls of the command line, and generated parts of pages.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests read the programs and their data, and run commands"
)]

pub mod cases;
pub mod command;
pub mod digest;
pub mod heston;
pub mod inputs;
pub mod locvol;
pub mod long;
pub mod pages;
pub mod plot;
pub mod pricing;
pub mod sobol;
pub mod sums;
pub mod values;
