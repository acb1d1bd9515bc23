//! # fuse-horizontal: one traversal instead of two, side by side
//!
//! ## Rules (horizontal, F2, horizontal-streams)
//!
//! ```text
//!   let xs = screma n { A }                            let xs = stream n { A }
//!   stms, and behind: those of them that depend on xs  stms, and behind: those of them that depend on xs
//!   let ys = screma n { B }                            let ys = stream n { B }
//!   -------------------------------------------------  -------------------------------------------------
//!   stms                                               stms
//!   let ys, xs = screma n { B, A }                     let ys, xs = stream n { A; B }
//!   behind                                             behind
//! ```
//!
//! It is the composition of [`super::compose`], and of [`super::chunks`] for streams, in which nothing passes from
//! one to the other; what both read is read once. F2 is the case in which both write.
//!
//! ## Requires
//!
//! * *no-scan*, of what is no stream: neither scans. A scan takes several passes over its elements, and what stands
//!   beside it would be kept for the last of them.
//! * *both-in-turn*, of what is no stream: both or neither take their points in turn, as what combines into arrays or
//!   reduces arrays does: the other would no longer be parallel.
//! * *no-empty-chunk*, of streams: no function of a stream comes to see a chunk without elements that saw none
//!   before, as that of one that is only mapped, which may fail there.
//! * *few-arrays*: together they read and make few, with two for each value that is reduced, or no more than one of
//!   them. A device binds only so many at a time, and a processor follows only so many streams of memory.
//! * *independent*: the second uses no result of the first, directly or through what is between.
//! * *target-not-read*: the second writes into nothing that the first reads, under any name. (The
//!   first writes into nothing that the second reads, since what was consumed is not read.)
//! * *no-consumption-between*: nothing has to stay between for the sake of what is consumed.
//!
//! ## Ensures, leaves alone, costs
//!
//! Nothing is computed twice. Widths are one if their atoms are. A construct is held against the
//! nearest few of its width that stand not too far before it, so that the pairs are linear in the
//! number of statements; a firing writes the lambda of the second anew and appends it to the first one's.
//!
//! ## Paper
//!
//! Henriksen et al., "Modular Acceleration: Tricky Cases of Functional High-Performance
//! Computing" (FHPC 2018), figure 2, rule F2, asks for one outer size only. That neither side may
//! read or alias the other's target it leaves out; without that, the reads of one would race with
//! the writes of the other.

use ravel_core::{Atom, Body, Exp, Screma, Sink, Stm, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::chunks::{NO_EMPTY_CHUNK, empty_chunk};
use super::compose::Fused;
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Between, Graph, Node};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, TARGET_NOT_READ, streams};
use crate::{Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-horizontal",
    about: "Fuses parallel constructs of one width side by side.",
    rules: &[BESIDE, F2, STREAMS],
    premises: &[
        NO_SCAN,
        BOTH_IN_TURN,
        NO_EMPTY_CHUNK,
        FEW_ARRAYS,
        INDEPENDENT,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { wanted, partners, pair, compose: composed }),
};

const BESIDE: &str = "horizontal";
const F2: &str = "F2";
const STREAMS: &str = "horizontal-streams";

const NO_SCAN: Premise = Premise { name: "no-scan", about: "neither scans", otherwise: "{} comes of a scan" };

const BOTH_IN_TURN: Premise = Premise {
    name: "both-in-turn",
    about: "both or neither take their points one after the other",
    otherwise: "{} is combined point by point",
};

/// Two constructs of one width.
fn wanted(body: &Body) -> bool {
    let mut widths = FxHashSet::default();
    body.stms.iter().filter_map(|stm| width(&stm.exp)).any(|width| !widths.insert(width))
}

/// How many constructs one is held against, and how far before it they may stand.
const NEAREST: usize = 4;
const REACH: usize = 64;

/// The constructs with which the one at a position may go side by side, the nearest first.
fn partners(_: &VarTable, graph: &Graph, second: usize) -> Vec<usize> {
    let width_at = |at: usize| graph.node(at).and_then(|node| width(&node.stm.exp));
    let Some(width) = width_at(second) else { return Vec::new() };
    let alike = |&at: &usize| width_at(at) == Some(width);
    (second.saturating_sub(REACH)..second).rev().filter(alike).take(NEAREST).collect()
}

/// How wide a construct is, and whether it is a stream: only its like may stand beside it.
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

fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    let (earlier, later) = (graph.node(first)?, graph.node(second)?);
    let both = [earlier, later];
    let of_one = |premise, is_one: &dyn Fn(&Screma) -> bool| {
        let one = both.into_iter().find(|node| node.screma().is_some_and(is_one))?;
        Some(Refusal::of(premise).blame(one.hint(vars), one.span()))
    };
    let takes_turns = |screma: &Screma| in_turn(vars, screma);
    let both_in_turn = both.into_iter().all(|node| node.screma().is_some_and(takes_turns));
    let missing = (later.used(vars, &earlier.stm.binders))
        .or_else(|| of_one(NO_SCAN, &|screma| !screma.scans.is_empty()))
        .or_else(|| of_one(BOTH_IN_TURN, &takes_turns).filter(|_| !both_in_turn))
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
        [Some(above), Some(below)] if writes(above) && writes(below) => F2,
        [Some(_), Some(_)] => BESIDE,
        _ => STREAMS,
    };
    Some(Pair { rule, missing, between, fused: Fused::default() })
}

fn writes(screma: &Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, Sink::Write { .. }))
}

/// Does the construct take its points one after the other?
fn in_turn(vars: &VarTable, screma: &Screma) -> bool {
    let is_array = |atom: &Atom| atom.var().is_some_and(|var| !vars[var].ty.is_scalar());
    screma.sinks.iter().any(|sink| match sink {
        Sink::Combine { .. } => true,
        Sink::Reduce { neutral, .. } => neutral.iter().any(is_array),
        Sink::Map | Sink::Write { .. } => false,
    })
}

#[cfg(test)]
mod tests;
