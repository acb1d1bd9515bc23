//! # native: kernel IR to machine code
//!
//! Cranelift compiles a verified kernel program. An entry point becomes a host function, a function of the program a
//! function, and a segment one or two functions that run a chunk of its points. All of them form one
//! position-independent [`Blob`] without imports. `ravel_abi::native` describes its layout.
//!
//! * `emitter`: the function under construction; `exit`: its early exits; `stop`: its polls of the stop flag
//! * `scalar`, `integer`, `float`, `half`: scalar expressions; `memory`, `control`: the other statements
//! * `segment`, `walk`, `combine`, `finish`, `strands`, `rows`, `workgroup`: segments; `lanes`: several of their points at
//!   once; `iterations`: or several iterations of a loop
//! * `host`: entry points; `function`: functions and calls
//! * `stack`: the blocks that lie on the stack; `borrow`: the loop parameters that borrow their blocks
//! * `code`: machine code; `backlog`: the functions that wait for it; `blob`: the layout of the blob
//!
//! ## Invariants of generated code
//!
//! * It never traps and never unwinds. A function that fails returns a status, and its callers return it too.
//! * Floating-point arithmetic follows IEEE for each operation. A multiplication and an addition are never contracted.
//! * A function with an early exit polls the stop flag at its entry. A function of the program also checks that the stack
//!   has room.
//! * The result of a segment depends on the chunk size, never on the threads that run the chunks.
//!
//! This crate does not depend on core IR or on a runtime.

#![forbid(unsafe_code)]

mod backlog;
mod blob;
mod borrow;
mod carried;
mod code;
mod combine;
mod control;
mod elementary;
mod emitter;
mod exit;
mod finish;
mod float;
mod function;
mod half;
mod host;
mod integer;
mod iterations;
mod lanes;
mod memory;
mod rows;
mod scalar;
mod sections;
mod segment;
mod stack;
mod stop;
mod strands;
mod unroll;
mod walk;
mod workgroup;

use ravel_abi::{Blob, Machine};
use ravel_base::{Diagnostic, Origin, Span};
use ravel_kernel::{Distinct, GridSegment, MemProgram, Target, VarTable};
pub use ravel_vector::{REWRITES, Rewrite};

/// Which segments run in lanes, if the target has vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The segments for which the cost model expects a gain.
    #[default]
    ByCost,
    /// All segments that have a vector form, for tests.
    Always,
}

/// The processors for which code is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Processors {
    /// The one at hand: with all its instructions.
    #[default]
    This,
    /// Nearly all of its architecture: those of x86-64-v2 (2009 and later), or of the first version of the architecture
    /// on others. Strips have a version for each size of vectors, and the one that a processor has is chosen
    /// when the program is loaded.
    All,
}

/// How to compile a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Which segments run in lanes.
    pub choice: Choice,
    /// For which processors.
    pub processors: Processors,
}

impl From<Choice> for Settings {
    fn from(choice: Choice) -> Settings {
        Settings { choice, ..Settings::default() }
    }
}

/// Compiles the program to native code for this machine, or for others of its architecture. `describe` gives the text of a place
/// for failure messages.
///
/// # Errors
/// A bug: a program for another machine, or one that Cranelift refuses.
pub fn compile(
    program: &MemProgram,
    settings: impl Into<Settings>,
    describe: &dyn Fn(Span) -> String,
) -> Result<Blob, Diagnostic> {
    program.for_machine(Machine::Cpu, "native")?;
    blob::compile(program, settings.into(), describe)
}

/// How the points of a segment run on a target, in words: `outer, 4 lanes of f64 in 128 bits`, or `scalar: ` and
/// the reason.
pub fn describe_lanes(
    segment: &GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> String {
    lanes::describe(segment, distinct, vars, target)
}

/// The loops of a segment that run in lanes, with the place of each, in words: `inner, 8 lanes of f64 in 512 bits`.
pub fn describe_loops<'s>(
    segment: &'s GridSegment,
    distinct: &Distinct,
    vars: &VarTable,
    target: &Target,
) -> Vec<(&'s Origin, String)> {
    iterations::describe(segment, distinct, vars, target)
}

/// The functions of the program as text in Cranelift's format, before Cranelift optimises them.
///
/// # Errors
/// As [`compile`].
pub fn clif(program: &MemProgram) -> Result<String, Diagnostic> {
    program.for_machine(Machine::Cpu, "native")?;
    blob::clif(program)
}
