//! # fuse-vertical: one traversal instead of two
//!
//! ## Rules (map-map, map-reduce, map-scan, F1, map-combine, scan-map, scan-scan)
//!
//! ```text
//!   let xs, os = screma n { P to map to … }          the producer
//!   stms, and behind: those of them that depend on xs or os
//!   let ys = screma n { from xs, … C }               the consumer
//!   ------------------------------------------------
//!   stms
//!   let ys, xs, os = screma n { C ∘ P }              xs only if somebody else uses it
//!   behind
//! ```
//!
//! The rule is named after what the consumer does with what the producer maps: F1 is the case of a
//! consumer that writes. scan-map has a producer that scans, behind which the consumer's map goes
//! into the post lambda; in scan-scan both scan, side by side. What is scanned lies in memory before anybody goes on with
//! it: in that of `xs`, if somebody else uses it, so that nothing is kept twice. How the two are put together stands in
//! [`super::compose`]. The widths are one because a source has the width as its outer size. F0, which makes a `scatter` a Screma with
//! a written sink, is done by lowering, which names it in the origin: there it is counted.
//!
//! ## Requires
//!
//! * *map-result*: `xs` is what a map sink made, not a reduced or a written array.
//! * *only-as-source*: the consumer uses `xs` only as sources, element by element.
//! * *one-scan*, of scan-scan: what the second scans, the first has not scanned: `xs` passes by its scans.
//! * *few-arrays*: together they read and make few, with two for each value that is reduced ([`super::arrays`]), or no
//!   more than one of them. A device binds only so many at a time.
//! * *independent*: the consumer uses no other result of the producer, directly or through what is
//!   between: those are not there before the whole traversal is over.
//! * *target-not-read*: the consumer writes into nothing that the producer reads, under any name.
//!   Apart, all reads come before all writes; together, they take turns.
//! * *no-consumption-between*: nothing has to stay between for the sake of what is consumed.
//!
//! ## Ensures, leaves alone, costs
//!
//! Nothing is computed twice. The array `xs` is not made, or at least not read again by the
//! consumer. Of several consumers the first takes the producer in and goes on mapping `xs`, and the others fuse with
//! that in their turn: none has a copy of its own. Linear in the function once a round, and
//! for every pair in what is near or depends on the first ([`super::graph`]). A firing writes the lambda of the consumer
//! anew and appends it to the producer's.
//!
//! ## Papers
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming
//! with Nested Parallelism and In-Place Array Updates" (PLDI 2017), whose rules for each pair of
//! operators are here one composition, since sources and sinks are data. Their fusion, too, works
//! on a dependence graph. F1 with its premise is that of figure 2 of Henriksen et al., "Modular
//! Acceleration: Tricky Cases of Functional High-Performance Computing" (FHPC 2018).

use std::collections::BTreeSet;

use ravel_core::{Body, Exp, Screma, Sink, Source, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::compose::{Fused, before_scans};
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Graph, Node, place_of_first};
use super::{INDEPENDENT, MAP_RESULT, NO_CONSUMPTION_BETWEEN, ONLY_AS_SOURCE, TARGET_NOT_READ};
use crate::{Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-vertical",
    about: "Fuses a parallel construct with the one that reads what it maps.",
    rules: &["map-map", "map-reduce", "map-scan", "F1", "map-combine", "scan-map", "scan-scan"],
    premises: &[
        MAP_RESULT,
        ONLY_AS_SOURCE,
        ONE_SCAN,
        FEW_ARRAYS,
        INDEPENDENT,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { wanted, partners, pair, compose: scremas }),
};

const ONE_SCAN: Premise = Premise {
    name: "one-scan",
    about: "not both scan the same values",
    otherwise: "{} is scanned again here",
};

/// Can the construct at a position be fused with one that it reads?
pub fn can_fuse(vars: &VarTable, graph: &Graph, consumer: usize) -> bool {
    let fuses = |pair: Pair| pair.missing.is_none();
    let mut producers = partners(vars, graph, consumer).into_iter();
    producers.any(|producer| pair(vars, graph, (producer, consumer)).is_some_and(fuses))
}

/// A construct that reads what another one made.
fn wanted(body: &Body) -> bool {
    let mut made = FxHashSet::default();
    body.stms.iter().any(|stm| {
        let Exp::Screma(screma) = &stm.exp else { return false };
        let mut sources = screma.sources.iter().filter_map(Source::array);
        let reads = sources.any(|array| made.contains(&array));
        made.extend(stm.binders.iter().copied());
        reads
    })
}

/// The producers of the consumer at a position, the nearest first.
fn partners(_: &VarTable, graph: &Graph, consumer: usize) -> Vec<usize> {
    let Some(screma) = graph.node(consumer).and_then(Node::screma) else { return Vec::new() };
    graph.makers(screma.sources.iter().filter_map(Source::array))
}

fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    let (producer, consumer) = (graph.node(first)?, graph.node(second)?);
    let (above, below) = (producer.screma()?, consumer.screma()?);
    let is_source = |binder: &&Var| below.sources.contains(&Source::Array(**binder));
    let fused: Vec<Var> = producer.stm.binders.iter().filter(is_source).copied().collect();
    let gone: Vec<Var> = fused.iter().copied().filter(|&array| graph.users(array) == 1).collect();
    let one_scan = || {
        let both = !above.scans.is_empty() && !below.scans.is_empty();
        let binders = &producer.stm.binders;
        let array = fused.iter().find(|&&array| both && before_scans(binders, above, array).is_none())?;
        let place = place_of_first(below.scans.first().map(|scan| &scan.op)).or(consumer.span());
        Some(Refusal::of(ONE_SCAN).blame(vars[*array].hint, place))
    };
    let missing = (not_mapped(vars, producer, above, &fused))
        .or_else(|| used_whole(vars, consumer, &fused))
        .or_else(one_scan)
        .or_else(|| too_many(producer, consumer, gone.len()))
        .or_else(|| {
            let others = producer.stm.binders.iter().filter(|var| !fused.contains(var));
            consumer.used(vars, others)
        })
        .or_else(|| consumer.overwrites(vars, &producer.reads));
    let fused = Fused { arrays: fused, gone };
    Pair::of(vars, graph, rule(above, below), (first, second), missing, fused)
}

/// The rule that this pair is a case of.
fn rule(above: &Screma, below: &Screma) -> &'static str {
    let has = |test: fn(&Sink) -> bool| below.sinks.iter().any(test);
    if !above.scans.is_empty() && !below.scans.is_empty() {
        "scan-scan"
    } else if !above.scans.is_empty() {
        "scan-map"
    } else if !below.scans.is_empty() {
        "map-scan"
    } else if has(|sink| matches!(sink, Sink::Write { .. })) {
        "F1"
    } else if has(|sink| matches!(sink, Sink::Combine { .. })) {
        "map-combine"
    } else if has(|sink| matches!(sink, Sink::Reduce { .. })) {
        "map-reduce"
    } else {
        "map-map"
    }
}

/// The first of these results of the producer that no map sink made.
fn not_mapped(vars: &VarTable, producer: &Node, screma: &Screma, fused: &[Var]) -> Option<Refusal> {
    let maps = screma.dealt().filter(|(sink, ..)| **sink == Sink::Map);
    let mapped: BTreeSet<Var> =
        maps.flat_map(|(_, results, _)| &producer.stm.binders[results]).copied().collect();
    let array = fused.iter().find(|array| !mapped.contains(array))?;
    Some(Refusal::of(MAP_RESULT).blame(vars[*array].hint, None))
}

/// The first of these arrays that the construct uses elsewhere than among its sources.
fn used_whole(vars: &VarTable, consumer: &Node, fused: &[Var]) -> Option<Refusal> {
    let array = fused.iter().find(|&&array| consumer.uses_whole(array))?;
    Some(Refusal::of(ONLY_AS_SOURCE).blame(vars[*array].hint, consumer.place_of_use(*array)))
}

#[cfg(test)]
mod tests;
