//! # random: random programs, and the property that holds of all of them
//!
//! Generates random core programs that are valid by construction ([`case`]). The property ([`property`]) is that passes
//! refine the interpreter. The search ([`search`]) finds a case that violates it, shrinks the case ([`shrink`]) and
//! finds the guilty firing ([`bisect`]). The tasks `cargo xtask fuzz` and `cargo xtask bisect` are this crate's
//! binary. The tests run a few hundred cases.
#![forbid(unsafe_code)]

pub mod bisect;
pub mod case;
mod choices;
pub mod generate;
pub mod property;
pub mod search;
pub mod shrink;
pub mod test_calls;

pub use case::Case;
pub use generate::ProgramOptions;
