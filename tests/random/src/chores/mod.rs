//! The chores of this crate.

pub mod bisect;
pub mod fuzz;
