//! # fuse-streams: what stands before or behind a stream goes into its chunks
//!
//! ## Rules (map-stream, stream-map, stream-reduce, stream-stream)
//!
//! ```text
//!   let xs, os = P                                   P or C a stream, the other one
//!   stms, and behind: those that depend on xs, os    a stream or a screma
//!   let ys = C                                       C reads xs
//!   ------------------------------------------------
//!   stms
//!   let ys, xs, os = stream n { C ∘ P }              xs only if somebody else uses it
//!   behind
//! ```
//!
//! How the two are put together stands in [`super::chunks`]. map-stream is the case of a producer
//! that is a Screma. In stream-reduce and stream-map the consumer is one, which reduces or does not:
//! by stream-reduce a `stream_map` with a `reduce` becomes a `stream_red`.
//!
//! ## Requires
//!
//! * *map-result*: `xs` is what a map sink made.
//! * *only-as-source*: the consumer uses `xs` only as a source.
//! * *in-chunks*: what is no stream neither scans nor writes or combines into arrays. A stretch of a
//!   scan hangs on those before it, and chunks that write would have to take turns.
//! * *no-empty-chunk*: no function of a stream comes to see a chunk without elements that saw none
//!   before: one that is only mapped is not called where the width is zero, and may fail there.
//! * *few-arrays*: together they read and make few, with two for each value that is reduced, or no more than one of
//!   them. A device binds only so many at a time.
//! * *independent*: the consumer uses no other result of the producer, directly or through what is
//!   between: those are not there before the whole stream is over.
//! * *no-consumption-between*: nothing has to stay between for the sake of what is consumed.
//!
//! ## Ensures, leaves alone, costs
//!
//! Nothing is computed twice. `xs` is there for one chunk at a time; what is left of that is for
//! the fusions inside of the chunk. What stood apart from the stream is no more parallel than its
//! chunks are. Linear in what is near or depends on the first ([`super::graph`]).
//!
//! ## Paper
//!
//! Henriksen et al., "Modular Acceleration: Tricky Cases of Functional High-Performance
//! Computing" (FHPC 2018), section 3, where a reduction fuses with the `stream_map` before it. What
//! an empty array comes to is left open there: here the neutral element of the reduction goes
//! along, so that no chunk is made up for it.

use std::collections::BTreeSet;

use ravel_core::{Body, Exp, Sink, Source, Stm, StreamSink, Var, VarTable};

use super::arrays::{FEW_ARRAYS, too_many};
use super::chunks::{NO_EMPTY_CHUNK, can_be_cut, chunked, compose, empty_chunk};
use super::compose::Fused;
use super::engine::{Fusion, Pair, fuse_all, has};
use super::graph::{Graph, Node};
use super::{INDEPENDENT, MAP_RESULT, NO_CONSUMPTION_BETWEEN, ONLY_AS_SOURCE};
use crate::{Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-streams",
    about: "Fuses a stream with what makes its sources and with what reads what it maps.",
    rules: &["map-stream", "stream-map", "stream-reduce", "stream-stream"],
    premises: &[
        MAP_RESULT,
        ONLY_AS_SOURCE,
        IN_CHUNKS,
        NO_EMPTY_CHUNK,
        FEW_ARRAYS,
        INDEPENDENT,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { wanted, partners, pair, compose: composed }),
};

const IN_CHUNKS: Premise = Premise {
    name: "in-chunks",
    about: "what is no stream maps or reduces, so that it can be done chunk by chunk",
    otherwise: "{} cannot be made in chunks",
};

/// A stream, and another construct.
fn wanted(body: &Body) -> bool {
    let is_stream = |exp: &Exp| matches!(exp, Exp::Stream(_));
    has(body, 1, is_stream) && has(body, 2, |exp| is_stream(exp) || matches!(exp, Exp::Screma(_)))
}

/// Two streams, or a stream and a Screma that can be cut, become one stream.
pub fn composed(vars: &mut VarTable, first: Stm, second: Stm, fused: &Fused) -> Option<(Vec<Var>, Exp)> {
    let (producer, consumer) = (chunked(vars, first)?, chunked(vars, second)?);
    Some(compose(vars, producer, consumer, fused))
}

/// The producers of the construct at a position, the nearest first.
fn partners(_: &VarTable, graph: &Graph, consumer: usize) -> Vec<usize> {
    graph.makers(graph.node(consumer).map(sources).unwrap_or_default())
}

/// The arrays that a construct reads element by element.
fn sources(node: &Node) -> Vec<Var> {
    match &node.stm.exp {
        Exp::Stream(stream) => stream.sources.clone(),
        Exp::Screma(screma) => screma.sources.iter().filter_map(Source::array).collect(),
        _ => Vec::new(),
    }
}

fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    let (producer, consumer) = (graph.node(first)?, graph.node(second)?);
    let sources = sources(consumer);
    let rule = rule(&producer.stm.exp, &consumer.stm.exp)?;
    let is_source = |binder: &&Var| sources.contains(binder);
    let arrays: Vec<Var> = producer.stm.binders.iter().filter(is_source).copied().collect();
    let gone: Vec<Var> = arrays.iter().copied().filter(|&array| graph.users(array) == 1).collect();
    let mapped = mapped(producer);
    let blamed = |array: &Var| vars[*array].hint;
    let is_whole = |node: &&Node| node.screma().is_some_and(|screma| !can_be_cut(screma));
    let whole = [producer, consumer].into_iter().find(is_whole);
    let missing = (arrays.iter().find(|array| !mapped.contains(array)))
        .map(|array| Refusal::of(MAP_RESULT).blame(blamed(array), None))
        .or_else(|| {
            let array = arrays.iter().find(|&&array| consumer.uses_whole(array))?;
            Some(Refusal::of(ONLY_AS_SOURCE).blame(blamed(array), consumer.place_of_use(*array)))
        })
        .or_else(|| {
            let whole = whole?;
            Some(Refusal::of(IN_CHUNKS).blame(whole.hint(vars), whole.span()))
        })
        .or_else(|| empty_chunk(vars, [producer, consumer]))
        .or_else(|| too_many(producer, consumer, gone.len()))
        .or_else(|| consumer.used(vars, producer.stm.binders.iter().filter(|var| !arrays.contains(var))));
    Pair::of(vars, graph, rule, (first, second), missing, Fused { arrays, gone })
}

/// The rule that this pair is a case of, if one of the two is a stream.
fn rule(above: &Exp, below: &Exp) -> Option<&'static str> {
    match (above, below) {
        (Exp::Stream(_), Exp::Stream(_)) => Some("stream-stream"),
        (Exp::Screma(_), Exp::Stream(_)) => Some("map-stream"),
        (Exp::Stream(_), Exp::Screma(screma)) => {
            let reduces = screma.sinks.iter().any(|sink| matches!(sink, Sink::Reduce { .. }));
            Some(if reduces { "stream-reduce" } else { "stream-map" })
        }
        _ => None,
    }
}

/// The results of a construct that map sinks made.
fn mapped(node: &Node) -> BTreeSet<Var> {
    let results: Vec<(bool, usize)> = match &node.stm.exp {
        Exp::Stream(stream) => {
            stream.sinks.iter().map(|sink| (*sink == StreamSink::Map, sink.arity())).collect()
        }
        Exp::Screma(screma) => screma.sinks.iter().map(|sink| (*sink == Sink::Map, sink.results())).collect(),
        _ => Vec::new(),
    };
    let is_mapped = results.into_iter().flat_map(|(is_mapped, count)| std::iter::repeat_n(is_mapped, count));
    node.stm.binders.iter().zip(is_mapped).filter(|(_, is_mapped)| *is_mapped).map(|(&var, _)| var).collect()
}

#[cfg(test)]
mod tests;
