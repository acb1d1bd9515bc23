//! The command line as a process sees it: exit codes, what goes to standard output and what to
//! standard error, and that nothing makes it panic.
#![forbid(unsafe_code)]

mod clauses;
mod devices;
mod explain;
mod failures;
mod guide;
mod input;
mod manual;
mod output;
mod programs;
mod repl;
mod terminal;
mod tests;
mod transcripts;
mod usage;

mod support;
