//! # fuse-horizontal: fuse independent constructs of equal width
//!
//! ## Rules (horizontal, horizontal-writes, horizontal-streams)
//!
//! ```text
//!   let xs = screma n { A }            let xs = stream n { A }
//!   stms; after                        stms; after
//!   let ys = screma n { B }            let ys = stream n { B }
//!   ---------------------------------  ---------------------------------
//!   stms                               stms
//!   let ys, xs = screma n { A; B }     let ys, xs = stream n { A; B }
//!   after                              after
//! ```
//!
//! `stms` and `after` are the statements between the constructs; those in `after` depend on `xs`. `A; B` is the code of
//! `A` followed by the code of `B`. Its results are the results of `B`, followed by the results of `A`.
//!
//! Scremas are composed as in [`super::compose`], and streams as in [`super::chunks`], but no value passes from one
//! construct to the other. Common sources are read once. horizontal-writes is the case in which both constructs have a
//! write sink.
//!
//! ## Requires
//!
//! * *no-scan*, of scremas: neither scans. A scan takes several passes over its elements, so the results
//!   of the other construct would have to be stored until the last pass.
//! * *both-sequential*, of scremas: both or neither process their points in order. A construct does so if it combines
//!   into an array or reduces arrays. Otherwise the parallel one would become sequential.
//! * *no-empty-chunk*, of streams: if there are no elements, both streams call their chunk functions, or neither does.
//!   A stream that reduces without a neutral element then calls its function with an empty chunk. Other streams do not
//!   call theirs, which may fail on an empty chunk.
//! * *few-arrays*: the fused construct reads and produces few arrays, or no more than the larger of the two constructs
//!   alone. A reduced value counts as two arrays. A device binds a limited number of arrays, and a processor prefetches
//!   only from a limited number of arrays at a time.
//! * *independent*: the second uses no result of the first, directly or through the statements between.
//! * *target-not-read*: the second writes into nothing that the first may read, under any alias. (The
//!   first writes into nothing that the second reads, since a consumed array is not read again.)
//! * *no-consumption-between*: no two statements are reordered if one of them consumes an array that the other one
//!   uses.
//!
//! ## Ensures, leaves alone, costs
//!
//! Nothing is computed twice. Two widths are equal if they are the same atom. A construct is compared with the
//! nearest few constructs of its width within a bounded distance, so the number of pairs is linear in the number of
//! statements. A firing rewrites the lambda of the second construct and appends it to the lambda of the first.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out1: i32, out2: [n]i32) = {
//!   let s: i32 = screma n {
//!     from xs
//!     map \(e: i32) -> e
//!     to reduce \(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)
//!   }
//!   let as: [n]i32 = screma n {
//!     from xs
//!     map \(f: i32) -> { let g: i32 = mul f f in g }
//!     to map
//!   }
//!   in (s, as)
//! }
//! entry main = main (xs) -> (out1, *out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out1_2: i32, out2_3: [n_0]i32) = {
//!   let (as_4: [n_0]i32, s_5: i32) = screma n_0 {
//!     from xs_1
//!     map \(e_6: i32) -> {
//!       let g_7: i32 = mul e_6 e_6
//!       in (g_7, e_6)
//!     }
//!     to map
//!     to reduce \(p_8: i32, q_9: i32) -> {
//!       let o_10: i32 = add p_8 q_9
//!       in o_10
//!     } (0i32)
//!   }
//!   in (s_5, as_4)
//! }
//! entry main = main (xs_1) -> (out1_2, *out2_3)
//! ```
//!
//! ## Paper
//!
//! Henriksen et al., "Modular Acceleration: Tricky Cases of Functional High-Performance Computing" (FHPC 2018),
//! figure 2, rule F2, is horizontal-writes. The paper requires equal outer sizes only. It omits a condition: neither
//! construct may read or alias the array that the other one writes. Otherwise the reads of one would race with the writes
//! of the other.

use ravel_core::{Atom, Body, Exp, Screma, Sink, Stm, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::chunks::{NO_EMPTY_CHUNK, empty_chunk};
use super::compose::Fused;
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Between, Graph, Node};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, TARGET_NOT_READ, streams};
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-horizontal`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-horizontal",
    about: "Fuses independent parallel constructs of equal width.",
    rules: &[SCREMAS, WRITES, STREAMS],
    premises: &[
        NO_SCAN,
        BOTH_SEQUENTIAL,
        NO_EMPTY_CHUNK,
        FEW_ARRAYS,
        INDEPENDENT,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { wanted, partners, pair, compose: composed }),
};

const SCREMAS: &str = "horizontal";
const WRITES: &str = "horizontal-writes";
const STREAMS: &str = "horizontal-streams";

const NO_SCAN: Premise =
    Premise { name: "no-scan", about: "neither scans", otherwise: "{} is the result of a scan" };

const BOTH_SEQUENTIAL: Premise = Premise {
    name: "both-sequential",
    about: "both or neither process their points in order",
    otherwise: "{} is combined in the order of the points",
};

/// Whether the body has two constructs of the same width.
fn wanted(body: &Body) -> bool {
    let mut widths = FxHashSet::default();
    body.stms.iter().filter_map(|stm| width(&stm.exp)).any(|width| !widths.insert(width))
}

/// The maximum number of earlier constructs with which a construct is compared.
const NEAREST: usize = 4;
/// The maximum distance of two constructs that fuse, in statements.
const MAX_DISTANCE: usize = 64;

/// The earlier constructs that may fuse with the construct at position `second`, the nearest first.
fn partners(_: &VarTable, graph: &Graph, second: usize) -> Vec<usize> {
    let width_at = |at: usize| graph.node(at).and_then(|node| width(&node.stm.exp));
    let Some(width) = width_at(second) else { return Vec::new() };
    let alike = |&at: &usize| width_at(at) == Some(width);
    (second.saturating_sub(MAX_DISTANCE)..second).rev().filter(alike).take(NEAREST).collect()
}

/// The width of a construct, and whether it is a stream: a stream fuses only with a stream.
fn width(exp: &Exp) -> Option<(Atom, bool)> {
    match exp {
        Exp::Screma(screma) => Some((screma.width, false)),
        Exp::Stream(stream) => Some((stream.width, true)),
        _ => None,
    }
}

fn composed(vars: &mut VarTable, first: Stm, second: Stm, fused: &Fused) -> Option<(Vec<Var>, Exp)> {
    match &first.exp {
        Exp::Stream(_) => streams::composed(vars, first, second, fused),
        _ => scremas(vars, first, second, fused),
    }
}

/// The pair of constructs, with the first premise that does not hold.
fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    let (earlier, later) = (graph.node(first)?, graph.node(second)?);
    let both = [earlier, later];
    let refuse_if_either = |premise, is_one: &dyn Fn(&Screma) -> bool| {
        let one = both.into_iter().find(|node| node.screma().is_some_and(is_one))?;
        Some(Refusal::of(premise).blame(one.hint(vars), one.span()))
    };
    let sequential = |screma: &Screma| is_sequential(vars, screma);
    let both_sequential = both.into_iter().all(|node| node.screma().is_some_and(sequential));
    let missing = (later.used(vars, &earlier.stm.binders))
        .or_else(|| refuse_if_either(NO_SCAN, &|screma| !screma.scans.is_empty()))
        .or_else(|| refuse_if_either(BOTH_SEQUENTIAL, &sequential).filter(|_| !both_sequential))
        .or_else(|| empty_chunk(vars, both))
        .or_else(|| too_many(earlier, later, 0));
    let between = match missing {
        None => graph.between(first, second)?,
        Some(_) => Between::default(),
    };
    let missing = missing
        .or_else(|| {
            graph.obstacle(vars, &between, (first, second)).filter(|refusal| refusal.premise == INDEPENDENT)
        })
        .or_else(|| later.overwrites(vars, &earlier.reads))
        .or_else(|| graph.obstacle(vars, &between, (first, second)));
    let rule = match both.map(Node::screma) {
        [Some(above), Some(below)] if writes(above) && writes(below) => WRITES,
        [Some(_), Some(_)] => SCREMAS,
        _ => STREAMS,
    };
    Some(Pair { rule, missing, between, fused: Fused::default() })
}

fn writes(screma: &Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, Sink::Write { .. }))
}

/// Whether the construct processes its points in order.
fn is_sequential(vars: &VarTable, screma: &Screma) -> bool {
    let is_array = |atom: &Atom| atom.var().is_some_and(|var| !vars[var].ty.is_scalar());
    screma.sinks.iter().any(|sink| match sink {
        Sink::Combine { .. } => true,
        Sink::Reduce { neutral, .. } => neutral.iter().any(is_array),
        Sink::Map | Sink::Write { .. } => false,
    })
}

#[cfg(test)]
mod tests;
