//! # fuse-horizontal: one traversal instead of two, side by side
//!
//! ## Rules (horizontal, F2)
//!
//! ```text
//!   let xs = screma n { A }
//!   stms, and behind: those of them that depend on xs
//!   let ys = screma n { B }
//!   -------------------------------------------------
//!   stms
//!   let ys, xs = screma n { B, A }
//!   behind
//! ```
//!
//! It is the composition of [`super::compose`] in which nothing passes from one to the other; what
//! both read is read once. F2 is the case in which both write.
//!
//! ## Requires
//!
//! * *no-scan*: neither scans. A scan takes several passes over its elements, and what stands
//!   beside it would be kept for the last of them.
//! * *both-in-turn*: both or neither take their points in turn, as what combines into arrays or
//!   reduces arrays does: the other would no longer be parallel.
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

use ravel_core::{Atom, Screma, Sink, VarTable};

use super::arrays::{FEW_ARRAYS, too_many};
use super::compose::Fused;
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Between, Graph};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, TARGET_NOT_READ};
use crate::{Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-horizontal",
    about: "Fuses parallel constructs of one width side by side.",
    rules: &[BESIDE, F2],
    premises: &[NO_SCAN, BOTH_IN_TURN, FEW_ARRAYS, INDEPENDENT, TARGET_NOT_READ, NO_CONSUMPTION_BETWEEN],
    run: |program, cx| fuse_all(program, cx, Fusion { partners, pair, compose: scremas }),
};

const BESIDE: &str = "horizontal";
const F2: &str = "F2";

const NO_SCAN: Premise = Premise { name: "no-scan", about: "neither scans", otherwise: "one scans" };

const BOTH_IN_TURN: Premise = Premise {
    name: "both-in-turn",
    about: "both or neither take their points one after the other",
    otherwise: "one takes its points in turn",
};

/// How many constructs one is held against, and how far before it they may stand.
const NEAREST: usize = 4;
const REACH: usize = 64;

/// The constructs with which the one at a position may go side by side, the nearest first.
fn partners(_: &VarTable, graph: &Graph, second: usize) -> Vec<usize> {
    let Some(later) = graph.node(second).and_then(|node| node.screma()) else { return Vec::new() };
    let of_its_width = |&at: &usize| {
        graph.node(at).and_then(|node| node.screma()).is_some_and(|earlier| earlier.width == later.width)
    };
    (second.saturating_sub(REACH)..second).rev().filter(of_its_width).take(NEAREST).collect()
}

fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    let (earlier, later) = (graph.node(first)?, graph.node(second)?);
    let (above, below) = (earlier.screma()?, later.screma()?);
    let no_scan = above.scans.is_empty() && below.scans.is_empty();
    let both_in_turn = in_turn(vars, above) == in_turn(vars, below);
    let missing = (!no_scan)
        .then(|| Refusal::of(NO_SCAN))
        .or_else(|| (!both_in_turn).then(|| Refusal::of(BOTH_IN_TURN)))
        .or_else(|| too_many(earlier, later, 0))
        .or_else(|| later.used(vars, &earlier.stm.binders));
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
    let rule = if writes(above) && writes(below) { F2 } else { BESIDE };
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
