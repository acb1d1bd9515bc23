//! # interp: the reference interpreter of core IR
//!
//! It is deliberately simple: it evaluates indices and statements in order, every array is row-major, and every view is
//! a copy. It defines the semantics of programs, and tests compare every backend with it. It has only two
//! optimisations, and neither changes a result: variables are slots of a vector, and an array with a single reference
//! is updated in place (`lifetimes` computes the last uses).
//!
//! A program that the verifier would reject ends with [`Failure::Bug`], without a panic.
//!
//! This crate does not depend on source syntax, passes or any backend.
#![forbid(unsafe_code)]

mod array;
mod entry;
mod expression;
mod frame;
mod lifetimes;
mod machine;
mod promise;
mod screma;
mod stack;
mod statement;
mod stream;

use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Tuning, Value, memory};
use ravel_base::{CallPath, Span, Symbol};
use ravel_core::Program;

pub use entry::signature;
pub use promise::{BrokenPromise, CallOutcome, broken_promise, makes_promises};
pub use stream::Chunks;

/// Values that the program traces (`#[trace]`).
#[derive(Debug)]
pub struct Trace<'a> {
    /// The label in the program.
    pub label: &'a str,
    /// The place.
    pub span: Option<Span>,
    /// The components of the value, from left to right.
    pub values: Vec<Value>,
}

/// The options of a run.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Setting this ends the run soon, with [`Failure::stopped`].
    pub stop: Option<&'a AtomicBool>,
    /// The maximum number of steps, after which the run ends: calls, iterations of loops, points of constructs, chunks
    /// of streams, and elements of new arrays whose elements are equal or evenly spaced (the optimiser may compute such an
    /// array by a construct, whose points count).
    pub max_steps: Option<u64>,
    /// The chunk sizes of streams.
    pub chunks: Chunks,
    /// The settings of tuning parameters.
    pub tuning: Option<&'a Tuning>,
    /// Receives the traced values, in order of evaluation.
    pub trace: Option<&'a (dyn Fn(&Trace<'_>) + Sync)>,
}

/// Calls an entry point. `describe` turns a place in the source into the text that failures show.
pub fn run(
    program: &Program,
    entry: Symbol,
    args: &[Value],
    options: Options<'_>,
    describe: &dyn Fn(Span) -> String,
) -> Result<Vec<Value>, Failure> {
    std::thread::scope(|scope| {
        let started = |size: usize| {
            memory::check_room_for_stacks(1, size)?;
            let builder = std::thread::Builder::new().name("interpreter".to_owned()).stack_size(size);
            builder.spawn_scoped(scope, move || {
                stack::begin(size);
                entry::call(program, entry, args, options)
            })
        };
        let [most, less @ ..] = stack::SIZES;
        let thread = less
            .into_iter()
            .fold(started(most), |thread, size| thread.or_else(|_| started(size)))
            .map_err(|error| Failure::System(format!("no thread for the interpreter: {error}")))?;
        let halted = match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        halted.map_err(|halt| {
            let mut failure = halt.failure;
            failure.add_places(halt.paths.into_iter().flat_map(CallPath::spans), describe);
            failure
        })
    })
}

#[cfg(test)]
mod tests;
