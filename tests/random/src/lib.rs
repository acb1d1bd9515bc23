//! # random: programs made by chance, and what holds of all of them
//!
//! Random core programs that are lawful by construction ([`case`]), the property that passes refine
//! the interpreter ([`property`]), the search for a case of which it does not ([`search`]), which is then made small
//! ([`shrink`]), and for the firing that is guilty of it ([`bisect`]). The chores
//! `cargo xtask fuzz` and `cargo xtask bisect` are the binary of this room; a few hundred cases are run
//! with the other tests.
#![forbid(unsafe_code)]

pub mod bisect;
pub mod case;
mod choices;
pub mod generate;
pub mod property;
pub mod search;
pub mod shrink;
pub mod stated;

pub use case::Case;
pub use generate::Wishes;
