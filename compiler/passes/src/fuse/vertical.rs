//! # fuse-vertical: fuse a producer with a consumer
//!
//! ## Rules (map-map, map-reduce, map-scan, map-write, map-combine, scan-map, scan-scan)
//!
//! ```text
//!   let xs, os = screma n { P to map to … }          the producer
//!   stms                                             between them, without use of xs or os
//!   after                                            between them, and depends on xs or os
//!   let ys = screma n { from xs, … C }               the consumer
//!   ------------------------------------------------
//!   stms
//!   let ys, xs, os = screma n { C ∘ P }              xs only if it has other uses
//!   after
//! ```
//!
//! The name of a rule states the consumer's sink: in map-write it is a write sink. In scan-map the producer scans, and the
//! consumer's map goes into the post lambda. In scan-scan both scan, and the consumer's scans join the producer's.
//! Scanned values are stored before the consumer runs. If `xs` has other uses they are stored in `xs`, so nothing is
//! stored twice. [`super::compose`] defines `C ∘ P`. Both constructs have the same width, because the width of a
//! construct is the outer size of its sources. scatter-construct, which turns a `scatter` into a screma with a write sink,
//! is applied by lowering, and recorded in the origin of the statement.
//!
//! ## Requires
//!
//! * *map-result*: `xs` is the result of a map sink.
//! * *only-as-source*: the consumer uses `xs` only as a source, element by element.
//! * *one-scan*, of scan-scan: `xs` does not depend on the producer's scans.
//! * *few-arrays*: the fused construct reads and produces few arrays ([`super::arrays`]), or no more than the producer
//!   or the consumer alone. A reduced value counts as two arrays. A device binds a limited number of arrays.
//! * *independent*: the consumer uses no other result of the producer, directly or through the statements
//!   between. The other results are complete only after the whole traversal.
//! * *target-not-read*: the consumer writes into nothing that the producer may read, under any alias.
//!   Unfused, all reads come before all writes; fused, they alternate.
//! * *no-consumption-between*: no consumption forces a statement to stay between the two. A statement must stay if it
//!   consumes an array that the producer reads and the consumer uses its result, or if it reads an array that the
//!   consumer consumes.
//!
//! ## Ensures, leaves alone, costs
//!
//! Nothing is computed twice. The consumer does not load `xs`, and without other uses `xs` is not stored. If several
//! constructs consume `xs`, the first is fused with the producer, and the fused construct still produces `xs`. The others
//! then fuse with that construct, so none has a copy of the producer.
//!
//! Each round takes time linear in the size of the function. Each pair takes time linear in the number of statements that
//! are examined between the two ([`super::graph`]). A firing rebuilds the consumer's lambda and appends it to the producer's.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: i32) = {
//!   let as: [n]i32 = screma n {
//!     from xs
//!     map \(e: i32) -> { let f: i32 = mul e e in f }
//!     to map
//!   }
//!   let s: i32 = screma n {
//!     from as
//!     map \(a: i32) -> a
//!     to reduce \(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32)
//!   }
//!   in s
//! }
//! entry main = main (xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: i32) = {
//!   let s_3: i32 = screma n_0 {
//!     from xs_1
//!     map \(e_4: i32) -> {
//!       let f_5: i32 = mul e_4 e_4
//!       in f_5
//!     }
//!     to reduce \(p_6: i32, q_7: i32) -> {
//!       let o_8: i32 = add p_6 q_7
//!       in o_8
//!     } (0i32)
//!   }
//!   in s_3
//! }
//! entry main = main (xs_1) -> (out_2)
//! ```
//!
//! ## Papers
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming
//! with Nested Parallelism and In-Place Array Updates" (PLDI 2017). That paper has one rule for each pair
//! of operators. Here one composition replaces them, since sources and sinks are data. Its fusion works
//! on a dependence graph too. scatter-construct, map-write and its premise *target-not-read* are from figure 2 of
//! Henriksen et al., "Modular Acceleration: Tricky Cases of Functional High-Performance Computing" (FHPC 2018), which calls
//! the rules F0 and F1.

use std::collections::BTreeSet;

use ravel_core::{Body, Exp, Screma, Sink, Source, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::compose::{Fused, before_scans};
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Graph, Node, place_of_first};
use super::{INDEPENDENT, MAP_RESULT, NO_CONSUMPTION_BETWEEN, ONLY_AS_SOURCE, TARGET_NOT_READ};
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-vertical`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-vertical",
    about: "Fuses a parallel construct with a consumer of its mapped results.",
    rules: &["map-map", "map-reduce", "map-scan", "map-write", "map-combine", "scan-map", "scan-scan"],
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
    about: "the second does not scan a result of the first's scan",
    otherwise: "{} is scanned again here",
};

/// Whether the construct at a position can fuse with a producer of its sources.
pub fn can_fuse(vars: &VarTable, graph: &Graph, consumer: usize) -> bool {
    let fuses = |pair: Pair| pair.missing.is_none();
    let mut producers = partners(vars, graph, consumer).into_iter();
    producers.any(|producer| pair(vars, graph, (producer, consumer)).is_some_and(fuses))
}

/// Whether a construct reads the result of another one.
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

/// The producers of the sources of the consumer at a position, the nearest first.
fn partners(_: &VarTable, graph: &Graph, consumer: usize) -> Vec<usize> {
    let Some(screma) = graph.node(consumer).and_then(Node::screma) else { return Vec::new() };
    graph.producers(screma.sources.iter().filter_map(Source::array))
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

/// The rule for this pair.
fn rule(above: &Screma, below: &Screma) -> &'static str {
    let has = |test: fn(&Sink) -> bool| below.sinks.iter().any(test);
    if !above.scans.is_empty() && !below.scans.is_empty() {
        "scan-scan"
    } else if !above.scans.is_empty() {
        "scan-map"
    } else if !below.scans.is_empty() {
        "map-scan"
    } else if has(|sink| matches!(sink, Sink::Write { .. })) {
        "map-write"
    } else if has(|sink| matches!(sink, Sink::Combine { .. })) {
        "map-combine"
    } else if has(|sink| matches!(sink, Sink::Reduce { .. })) {
        "map-reduce"
    } else {
        "map-map"
    }
}

/// Refuses if a map sink of the producer did not produce one of these results.
fn not_mapped(vars: &VarTable, producer: &Node, screma: &Screma, fused: &[Var]) -> Option<Refusal> {
    let maps = screma.sink_ranges().filter(|(sink, ..)| **sink == Sink::Map);
    let mapped: BTreeSet<Var> =
        maps.flat_map(|(_, results, _)| &producer.stm.binders[results]).copied().collect();
    let array = fused.iter().find(|array| !mapped.contains(array))?;
    Some(Refusal::of(MAP_RESULT).blame(vars[*array].hint, None))
}

/// Refuses if the construct uses one of these arrays other than as a source.
fn used_whole(vars: &VarTable, consumer: &Node, fused: &[Var]) -> Option<Refusal> {
    let array = fused.iter().find(|&&array| consumer.uses_whole(array))?;
    Some(Refusal::of(ONLY_AS_SOURCE).blame(vars[*array].hint, consumer.place_of_use(*array)))
}

#[cfg(test)]
mod tests;
