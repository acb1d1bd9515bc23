//! Tests of the command line: exit codes, standard output, standard error, and no panics.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests start processes"
)]

mod address_space;
mod bench;
mod build;
mod clauses;
mod dev;
mod devices;
mod explain;
mod failures;
mod growth;
mod guide;
mod input;
mod manual;
mod materialisation;
mod npy;
mod output;
mod profile;
mod programs;
mod refusal_places;
mod repl;
mod server;
mod terminal;
mod tests;
mod transcripts;
mod tuning;
mod usage;
mod versions;

mod support;
