//! # support: data and references of the programs
//!
//! The programs' data, what they must give, how to call them as a user does, and parts of pages.
#![forbid(unsafe_code)]

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
