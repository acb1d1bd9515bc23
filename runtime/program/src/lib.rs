//! # program: a compiled program, in memory and as an executable
//!
//! ```text
//! CompiledProgram       a program as data: code, interface, source
//! LoadedProgram::new    loads it, so that it can be called on CPU or GPU
//! executable::build     writes an executable: a copy of the running binary with the program as its payload
//! executable::own       the payload of the running binary, if it has one
//! standalone            the main function of such an executable: options, input and output, or the server
//! ```
//!
//! * `compiled_program`, `loaded_program`: a program as data and in memory; `devices`: the devices
//! * `stats`, `profile`: the cost of calls, in total and for each parallel segment
//! * `executable`, `locator`, `truncation`: a program as the payload of a binary, and the detection of damage
//! * `job`: input, runs, timing, output; `files`, `terminal`, `exit`: the rest of a process
//! * `options`, `standalone`: the command line of an executable; `server`: its protocol
//!
//! This crate contains all that an executable needs, and does not depend on the compiler.
#![forbid(unsafe_code)]
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an executable reads files, measures time and prints"
)]

mod compiled_program;
mod devices;
pub mod executable;
pub mod exit;
pub mod files;
pub mod job;
mod loaded_program;
mod locator;
mod options;
pub mod profile;
mod server;
mod standalone;
mod stats;
pub mod terminal;
mod truncation;

pub use compiled_program::{Code, CompiledProgram};
pub use devices::{Device, DeviceDescription, device_list, devices, processor, processors};
pub use executable::of_this_binary;
pub use exit::Exit;
pub use loaded_program::{LoadedProgram, Outcome, Place};
pub use options::{TuningOptions, memory_size, output, tuning_file};
pub use profile::format_time;
pub use ravel_cpu::Allocator;
pub use ravel_gpu::{DRIVER, spirv};
pub use server::{COMMANDS, Command};
pub use standalone::standalone;
pub use stats::Stats;
