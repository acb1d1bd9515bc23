//! # fuse-streams: fuse producers and consumers into the chunks of a stream
//!
//! ## Rule
//!
//! ```text
//!   let xs, os = P                                   one of P and C is a stream, the other
//!   stms; after                                      a stream or a screma; C reads xs;
//!   let ys = C                                       those in after depend on xs or os
//!   ------------------------------------------------
//!   stms
//!   let ys, xs, os = stream n { C ∘ P }              xs only if it has other uses
//!   after
//! ```
//!
//! * *map-stream*: a construct whose result a stream reads moves into the chunks.
//! * *stream-map*: a construct that maps the result of a stream moves into the chunks.
//! * *stream-reduce*: a construct that reduces the result of a stream moves into the chunks. So a `stream_map` and
//!   a `reduce` become a `stream_red`.
//! * *stream-stream*: a stream that reads the result of another one is computed chunk by chunk with it.
//!
//! [`super::chunks`] defines `C ∘ P`.
//!
//! ## Requires
//!
//! * *map-result*: the second reads the result of a map sink of the first.
//! * *pointwise*: the second reads the array element by element, each at its own point.
//! * *in-chunks*: the construct fused with the stream only maps or reduces, so that it can run chunk by chunk.
//!   A scan of a chunk depends on the chunks before it, and chunks that write would have to run in order.
//! * *no-empty-chunk*: a function of a stream that could not receive an empty chunk before fusion cannot
//!   receive one after it. A stream that only maps does not call its function for width zero, so that function
//!   may fail on an empty chunk.
//! * *few-arrays*: the fused construct reads and produces at most 24 arrays, or no more than the larger of the
//!   two did alone; a reduced value counts as two arrays. A device binds a limited number of arrays.
//! * *independent*: the second uses no other result of the first, directly or through the statements between.
//!   The other results are complete only after the whole stream.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//!
//! ## Ensures
//!
//! Nothing is computed twice. Only one chunk of `xs` exists at a time, and fusion inside the chunk may remove
//! that too.
//!
//! ## Leaves alone
//!
//! Streams of different widths, and consumers that read the array through a view.
//!
//! ## Costs
//!
//! The fused construct has the parallelism of the chunks. Linear in the neighbourhood ([`super::graph`]).
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), whose streaming operators these are and which fuses
//! them chunk by chunk.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, ys: [n]i32) -> (out1: [n]i32, out2: i32) = {
//!   let as: [n]i32 = screma n { from ys map \(a: i32) -> { let b: i32 = mul a a in b } to map }
//!   let ss: [n]i32 = stream n {
//!     from as
//!     chunk \(k: i64, at: i64, e: [k]i32) -> {
//!       let f: [k]i32 = screma k { from e map \(g: i32) -> { let h: i32 = add g 1i32 in h } to map }
//!       in f
//!     }
//!     to map
//!   }
//!   let ts: [n]i32 = stream n {
//!     from ss
//!     chunk \(l: i64, start: i64, i: [l]i32) -> {
//!       let j: [l]i32 = screma l { from i map \(m: i32) -> { let o: i32 = neg m in o } to map }
//!       in j
//!     }
//!     to map
//!   }
//!   let bs: [n]i32 = screma n { from ts map \(p: i32) -> { let q: i32 = mul p 2i32 in q } to map }
//!   let s: i32 = screma n {
//!     from ts
//!     map \(r: i32) -> r
//!     to reduce \(t: i32, v: i32) -> { let w: i32 = add t v in w } (0i32)
//!   }
//!   in (bs, s)
//! }
//! entry main = main (ys) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ys_1: [n_0]i32) -> (out1_2: [n_0]i32, out2_3: i32) = {
//!   let (s_4: i32, bs_5: [n_0]i32) = stream n_0 {
//!     from ys_1
//!     chunk \(k_6: i64, at_7: i64, ys_8: [k_6]i32) -> {
//!       let as_9: [k_6]i32 = screma k_6 {
//!         from ys_8
//!         map \(a_10: i32) -> {
//!           let b_11: i32 = mul a_10 a_10
//!           in b_11
//!         }
//!         to map
//!       }
//!       let f_12: [k_6]i32 = screma k_6 {
//!         from as_9
//!         map \(g_13: i32) -> {
//!           let h_14: i32 = add g_13 1i32
//!           in h_14
//!         }
//!         to map
//!       }
//!       let j_15: [k_6]i32 = screma k_6 {
//!         from f_12
//!         map \(m_16: i32) -> {
//!           let o_17: i32 = neg m_16
//!           in o_17
//!         }
//!         to map
//!       }
//!       let bs_18: [k_6]i32 = screma k_6 {
//!         from j_15
//!         map \(p_19: i32) -> {
//!           let q_20: i32 = mul p_19 2i32
//!           in q_20
//!         }
//!         to map
//!       }
//!       let s_21: i32 = screma k_6 {
//!         from j_15
//!         map \(r_22: i32) -> r_22
//!         to reduce \(t_23: i32, v_24: i32) -> {
//!           let w_25: i32 = add t_23 v_24
//!           in w_25
//!         } (0i32)
//!       }
//!       in (s_21, bs_18)
//!     }
//!     to reduce \(t_26: i32, v_27: i32) -> {
//!       let w_28: i32 = add t_26 v_27
//!       in w_28
//!     } (0i32)
//!     to map
//!   }
//!   in (bs_5, s_4)
//! }
//! entry main = main (ys_1) -> (out1_2, out2_3)
//! ```

use std::collections::BTreeSet;

use ravel_core::{Body, Exp, Sink, Source, Stm, StreamSink, Var, VarTable};

use super::arrays::{FEW_ARRAYS, too_many};
use super::chunks::{NO_EMPTY_CHUNK, chunked, compose, empty_chunk, is_chunkable};
use super::compose::FusedArrays;
use super::engine::{Fusion, Pair, fuse_all, has};
use super::graph::{Graph, Node};
use super::{INDEPENDENT, MAP_RESULT, NO_CONSUMPTION_BETWEEN, POINTWISE};
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-streams`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-streams",
    about: "Fuses a stream with producers of its sources and consumers of its results.",
    rules: &["map-stream", "stream-map", "stream-reduce", "stream-stream"],
    premises: &[
        MAP_RESULT,
        POINTWISE,
        IN_CHUNKS,
        NO_EMPTY_CHUNK,
        FEW_ARRAYS,
        INDEPENDENT,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { has_candidates, partners, pair, compose: fuse_pair }),
};

const IN_CHUNKS: Premise = Premise {
    name: "in-chunks",
    about: "the construct fused with the stream only maps or reduces, so that it can run chunk by chunk",
    otherwise: "{} cannot be computed in chunks",
};

/// Whether the body has a stream and another construct.
fn has_candidates(body: &Body) -> bool {
    let is_stream = |exp: &Exp| matches!(exp, Exp::Stream(_));
    has(body, 1, is_stream) && has(body, 2, |exp| is_stream(exp) || matches!(exp, Exp::Screma(_)))
}

/// Fuses two streams, or a stream and a screma.
pub fn fuse_pair(
    vars: &mut VarTable,
    first: Stm,
    second: Stm,
    fused: &FusedArrays,
) -> Option<(Vec<Var>, Exp)> {
    let (producer, consumer) = (chunked(vars, first)?, chunked(vars, second)?);
    Some(compose(vars, producer, consumer, fused))
}

/// The producers of the sources of the construct at a position, the nearest first.
fn partners(_: &VarTable, graph: &Graph, consumer: usize) -> Vec<usize> {
    graph.producers(graph.node(consumer).map(sources).unwrap_or_default())
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
    let mapped = mapped_results(producer);
    let blamed = |array: &Var| vars[*array].hint;
    let is_whole = |node: &&Node| node.screma().is_some_and(|screma| !is_chunkable(screma));
    let whole = [producer, consumer].into_iter().find(is_whole);
    let missing = (arrays.iter().find(|array| !mapped.contains(array)))
        .map(|array| Refusal::of(MAP_RESULT).blame(blamed(array), None))
        .or_else(|| {
            let array = arrays.iter().find(|&&array| consumer.uses_whole(array))?;
            Some(Refusal::of(POINTWISE).blame(blamed(array), consumer.place_of_use(*array)))
        })
        .or_else(|| {
            let whole = whole?;
            Some(Refusal::of(IN_CHUNKS).blame(whole.hint(vars), whole.span()))
        })
        .or_else(|| empty_chunk(vars, [producer, consumer]))
        .or_else(|| too_many(producer, consumer, gone.len()))
        .or_else(|| consumer.used(vars, producer.stm.binders.iter().filter(|var| !arrays.contains(var))));
    Pair::of(vars, graph, rule, (first, second), missing, FusedArrays { arrays, gone })
}

/// The rule for this pair, if one of the two is a stream.
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

/// The results of the map sinks of a construct.
fn mapped_results(node: &Node) -> BTreeSet<Var> {
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
