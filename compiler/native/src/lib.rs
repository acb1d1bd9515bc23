//! # native: kernel IR to machine code
//!
//! Cranelift turns each entry point of a verified kernel program into a host function, each of its
//! functions into one, and each segment into functions over a chunk of points; they end up in one
//! position-independent [`Blob`] without imports, whose layout `ravel_abi::native` states.
//!
//! The rooms inside follow the constructs: `emitter` holds the function under construction, `exit` its way out;
//! `scalar`, `memory` and `control` emit statements; `segment`, `walk`, `combine` and `block` emit
//! the parallel ones; `host` makes the entry points, `function` the functions; `stack` finds
//! the blocks that need no memory of the runtime, `borrow` those that loops pass on without owning them; `code`
//! compiles, `blob` lays out.
//!
//! ## Laws of generated code
//!
//! * It never traps and never unwinds: whoever fails returns a status, and all callers follow.
//! * Floating-point arithmetic is IEEE, operation by operation; nothing is contracted.
//! * A function that has more than one end looks at the stop word when it begins; one that is called, whether the stack has
//!   room for it as well.
//! * What a segment computes depends on the sizes of its chunks, never on the threads that run them.
//!
//! This room knows nothing of core IR and links no runtime.

#![forbid(unsafe_code)]

mod blob;
mod block;
mod borrow;
mod code;
mod combine;
mod control;
mod emitter;
mod exit;
mod float;
mod function;
mod half;
mod host;
mod integer;
mod memory;
mod scalar;
mod segment;
mod stack;
mod stop;
mod walk;

use ravel_abi::{Blob, Machine};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::MemProgram;

/// The program as native code for this machine. `describe` words a place for failure messages.
///
/// # Errors
/// A bug: a program for another machine, or one that Cranelift refuses.
pub fn compile(program: &MemProgram, describe: &dyn Fn(Span) -> String) -> Result<Blob, Diagnostic> {
    program.for_machine(Machine::Cpu, "native")?;
    blob::compile(program, describe)
}

/// The functions of the program as Cranelift's text, before Cranelift optimises them.
///
/// # Errors
/// As [`compile`].
pub fn clif(program: &MemProgram) -> Result<String, Diagnostic> {
    program.for_machine(Machine::Cpu, "native")?;
    blob::clif(program)
}
