//! The promise of streams: results do not depend on the chunk sizes.
//!
//! The compiler cannot prove it, but running a program again with other chunk sizes can refute it.

use std::sync::atomic::AtomicBool;

use ravel_abi::{Failure, Value};
use ravel_base::{Span, Symbol};
use ravel_core::visit::Visit;
use ravel_core::{Exp, Program, Stm, Var};

use crate::{Chunks, Options, run};

/// The chunk sizes to try: one element, a few, and the whole array.
const SIZES: [usize; 3] = [1, 3, usize::MAX];

/// The outcome of a call.
pub type CallOutcome = Result<Vec<Value>, Failure>;

/// A stream whose result depends on the chunk size.
#[derive(Debug)]
pub struct BrokenPromise {
    /// The place of the stream.
    pub place: String,
    /// The maximum number of elements of its chunks.
    pub size: usize,
    /// The outcome of the call.
    pub outcome: CallOutcome,
}

/// Whether a program makes promises that a run can refute.
pub fn makes_promises(program: &Program) -> bool {
    !Streams::of(program).is_empty()
}

/// The stream that breaks its promise, if an outcome of the call depends on the chunk size: one for which `agrees` is
/// false.
///
/// Each size is tried for all streams together. If the outcome is wrong, each stream alone gets the size, to find the one
/// at fault. If none alone is at fault, the first stream is named.
pub fn broken_promise(
    program: &Program,
    entry: Symbol,
    args: &[Value],
    stop: Option<&AtomicBool>,
    describe: &dyn Fn(Span) -> String,
    agrees: &dyn Fn(&CallOutcome) -> bool,
) -> Option<BrokenPromise> {
    let streams = Streams::of(program);
    let &first = streams.first()?;
    let call = |chunks| run(program, entry, args, Options { stop, chunks, ..Options::default() }, describe);
    SIZES.into_iter().find_map(|size| {
        let together = call(Chunks { usual: size, at: None });
        if agrees(&together) {
            return None;
        }
        let alone = streams.iter().find_map(|&span| {
            let outcome = call(Chunks { at: Some((span, size)), ..Chunks::default() });
            (!agrees(&outcome)).then_some((span, outcome))
        });
        let (span, outcome) = alone.unwrap_or((first, together));
        Some(BrokenPromise { place: describe(span), size, outcome })
    })
}

/// Collects the places of the streams of a program, each once, in the order of its functions and statements.
struct Streams(Vec<Span>);

impl Streams {
    fn of(program: &Program) -> Vec<Span> {
        let mut streams = Streams(Vec::new());
        program.functions.iter().for_each(|function| streams.function(function));
        streams.0
    }
}

impl Visit for Streams {
    fn var(&mut self, _: &Var) {}

    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        if let (Exp::Stream(_), Some(span)) = (&stm.exp, stm.origin.place())
            && !self.0.contains(&span)
        {
            self.0.push(span);
        }
        self.exp(&stm.exp);
    }
}
