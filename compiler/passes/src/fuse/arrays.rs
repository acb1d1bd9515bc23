//! How many arrays a kernel binds for what two constructs become.

use ravel_core::{Exp, Sink, StreamSink};

use super::graph::Node;
use crate::{Premise, Refusal};

/// A premise of the rules after which one construct makes what two have made.
pub const FEW_ARRAYS: Premise = Premise {
    name: "few-arrays",
    about: "the result reads and produces at most two dozen arrays, counting two for each reduced value, or no more than one of the two",
    otherwise: "together they access too many arrays",
};

/// The most arrays that a construct made of two reads and makes: fewer than any GPU binds by the interfaces of today
/// (Metal has 31), less what a kernel needs beside them.
const MOST_ARRAYS: usize = 24;

/// Refuses if the two have too many arrays together, and more than either has alone. So many of what the first makes
/// are not made any more.
pub fn too_many(first: &Node, second: &Node, gone: usize) -> Option<Refusal> {
    let read = first.reads.union(&second.reads).filter(|place| !first.stm.binders.contains(place));
    let together = read.count() + made(first) + made(second) - gone;
    let alone = |node: &Node| node.reads.len() + made(node);
    let most = MOST_ARRAYS.max(alone(first)).max(alone(second));
    (together > most).then(|| Refusal::of(FEW_ARRAYS))
}

/// How many arrays a construct makes, as a kernel binds them: what is reduced has one for what parts of the points
/// give and one for what comes of these, and what is combined one for the parts beside its target, which it reads.
fn made(node: &Node) -> usize {
    let of_sink = |sink: &Sink| match sink {
        Sink::Map => 1,
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
