//! The tests that involve several crates, in one binary: a module for each folder or file beside this one.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests read cases and pages, and run commands"
)]

mod counts;
mod docs;
mod errors;
mod explain_operators;
mod fuzz;
mod handwritten;
mod heston;
mod hullwhite;
mod library;
mod machine_code;
mod passes;
mod programs;
mod published;
mod snapshots;
mod stages;
mod structure;
