//! # support: data and references of the programs
//!
//! Generators of the programs' data (the same bytes everywhere, from a seed), sequential
//! implementations written without regard to the compiler, digests of results, and parts of pages.
#![forbid(unsafe_code)]

pub mod bfs;
pub mod cases;
pub mod command;
pub mod digest;
pub mod hullwhite;
pub mod locvol;
pub mod pages;
pub mod pricing;
pub mod records;
pub mod sobol;
pub mod values;
