//! The tasks of this crate.

pub mod bisect;
pub mod fuzz;
