//! The limit on the arrays that a fused construct accesses.

use ravel_core::{Exp, Sink, StreamSink};

use super::graph::Node;
use crate::{Premise, Refusal};

/// The premise of rules whose fused construct has the results of both.
pub const FEW_ARRAYS: Premise = Premise {
    name: "few-arrays",
    about: "the fused construct reads and produces at most 24 arrays, or no more than the larger of the two did alone; a reduced value counts as two arrays",
    otherwise: "together they access too many arrays",
};

/// The maximum number of arrays that a fused construct reads and produces. Metal binds 31 buffers, the lowest limit of
/// today's GPU interfaces, and a kernel needs some for other data.
const MAX_ARRAYS: usize = 24;

/// Refuses if the fused construct accesses too many arrays, and more than either construct alone. `gone` is the number
/// of results of the first construct that fusion removes.
pub fn too_many(first: &Node, second: &Node, gone: usize) -> Option<Refusal> {
    let read = first.reads.union(&second.reads).filter(|place| !first.stm.binders.contains(place));
    let together = read.count() + bound_results(first) + bound_results(second) - gone;
    let alone = |node: &Node| node.reads.len() + bound_results(node);
    let most = MAX_ARRAYS.max(alone(first)).max(alone(second));
    (together > most).then(|| Refusal::of(FEW_ARRAYS))
}

/// The number of arrays that the kernels of a construct bind for its results. A reduction binds two: partial results and
/// total. A histogram binds one, besides its target, which counts as read.
fn bound_results(node: &Node) -> usize {
    let of_sink = |sink: &Sink| match sink {
        Sink::Map | Sink::Concat { .. } => 1,
        Sink::Write { .. } => 0,
        Sink::Combine { .. } => sink.results(),
        Sink::Reduce { .. } => 2 * sink.results(),
    };
    let of_chunks = |sink: &StreamSink| match sink {
        StreamSink::Map => 1,
        StreamSink::Reduce { .. } => 2 * sink.arity(),
    };
    match &node.stm.exp {
        Exp::Screma(screma) => screma.sinks.iter().map(of_sink).sum(),
        Exp::Stream(stream) => stream.sinks.iter().map(of_chunks).sum(),
        _ => 0,
    }
}
