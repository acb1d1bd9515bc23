//! The tests that cross rooms, in one binary: a module for each folder beside this file.
#![forbid(unsafe_code)]

mod books;
mod errors;
mod fuzz;
mod passes;
mod programs;
mod stages;
