//! # fuse-vertical: fuse a producer with a consumer
//!
//! ## Rule
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
//! * *map-map*: a map of a mapped array is computed in the same traversal.
//! * *map-reduce*: a mapped array is reduced in the same traversal.
//! * *map-scan*: a mapped array is scanned in the same traversal.
//! * *map-write*: a mapped array is written into another one in the same traversal.
//! * *map-combine*: a mapped array is combined into another one (a histogram) in the same traversal.
//! * *scan-map*: a map of a scanned array moves into the code after the scan (its post lambda).
//! * *scan-scan*: if a construct scans and maps, a scan of a mapped array joins its scans. What the code after the second
//!   scan reads of the first one passes from post lambda to post lambda.
//!
//! [`super::compose`] defines `C ∘ P`. Both constructs have the same width, because the width of a construct is
//! the outer size of its sources. scatter-construct, which turns a `scatter` into a screma with a write sink,
//! is applied by lowering, and recorded in the origin of the statement.
//!
//! ## Requires
//!
//! * *map-result*: the second reads the result of a map sink of the first.
//! * *pointwise*: the second reads the array element by element, each at its own point.
//! * *one-scan*, of scan-scan: a result of the first's scan is used only after the second's scan.
//! * *few-arrays*: the fused construct reads and produces at most 24 arrays, or no more than the larger of the
//!   two did alone; a reduced value counts as two arrays. A device binds a limited number of arrays.
//! * *independent*: the second uses no other result of the first, directly or through the statements between.
//!   The other results are complete only after the whole traversal.
//! * *target-not-read*: the second does not write into an array that the first reads; a `copy` of the target
//!   would help. Unfused, all reads come before all writes; fused, they alternate. Reads under any alias count.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that. A statement must stay if it consumes an array that the producer reads and the consumer uses its
//!   result, or if it reads an array that the consumer consumes.
//!
//! ## Ensures
//!
//! Nothing is computed twice. The consumer does not load `xs`, and without other uses `xs` is not stored.
//! Scanned values are stored before the consumer runs. If `xs` has other uses they are stored in `xs`, so
//! nothing is stored twice. If several constructs consume `xs`, the first is fused with the producer, and the
//! fused construct still produces `xs`. The others then fuse with that construct, so none has a copy of the
//! producer.
//!
//! ## Leaves alone
//!
//! Constructs of different widths, consumers that read the array through a view, and streams.
//!
//! ## Costs
//!
//! Each round takes time linear in the size of the function. Each pair takes time linear in the number of
//! statements that are examined between the two ([`super::graph`]). A firing rebuilds the consumer's lambda and
//! appends it to the producer's.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017). That paper has one rule for each pair of operators.
//! Here one composition replaces them, since sources and sinks are data. Its fusion works on a dependence graph
//! too. scatter-construct, map-write and its premise *target-not-read* are from figure 2 of Henriksen et al.,
//! "Modular Acceleration: Tricky Cases of Functional High-Performance Computing" (FHPC 2018), which calls the
//! rules F0 and F1.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32, *ts: [n]i32, *hs: [n]i32) -> (o1: i32, o2: [n]i32, o3: [n]i32, o4: [n]i32, o5: [n]i32) = {
//!   let as: [n]i32 = screma n { from xs map \(a: i32) -> { let b: i32 = mul a a in b } to map }
//!   let cs: [n]i32 = screma n { from as map \(c: i32) -> { let d: i32 = add c 1i32 in d } to map }
//!   let most: i32 = screma n { from cs map \(e: i32) -> e to reduce \(f: i32, g: i32) -> { let h: i32 = max f g in h } (0i32) }
//!   let ws: [n]i32 = screma n { from cs map \(i: i32) -> { let j: i64 = convert i64 i in (j, i) } to write ts rank 1 }
//!   let bins: [n]i32 = screma n { from cs map \(k: i32) -> { let l: i64 = convert i64 k in (l, 1i32) } to combine (hs) \(o: i32, p: i32) -> { let q: i32 = add o p in q } (0i32) }
//!   let sums: [n]i32 = screma n { from cs map \(r: i32) -> r scan \(s: i32, t: i32) -> { let u: i32 = add s t in u } (0i32) to map }
//!   let vs: [n]i32 = screma n { from sums map \(v: i32) -> { let w: i32 = neg v in w } to map }
//!   let ms: [n]i32 = screma n { from cs map \(x: i32) -> x scan \(y: i32, z: i32) -> { let y1: i32 = max y z in y1 } (0i32) to map }
//!   in (most, ws, bins, vs, ms)
//! }
//! entry main = main (xs, *ts, *hs) -> (o1, o2, o3, o4, o5)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, *ts_2: [n_0]i32, *hs_3: [n_0]i32) -> (o1_4: i32, o2_5: [n_0]i32, o3_6: [n_0]i32, o4_7: [n_0]i32, o5_8: [n_0]i32) = {
//!   let (ms_9: [n_0]i32, vs_10: [n_0]i32, bins_11: [n_0]i32, ws_12: [n_0]i32, most_13: i32) = screma n_0 {
//!     from xs_1
//!     map \(a_14: i32) -> {
//!       let b_15: i32 = mul a_14 a_14
//!       let d_16: i32 = add b_15 1i32
//!       let j_17: i64 = convert i64 d_16
//!       let l_18: i64 = convert i64 d_16
//!       in (d_16, d_16, l_18, 1i32, j_17, d_16, d_16, d_16)
//!     }
//!     scan \(s_19: i32, t_20: i32) -> {
//!       let u_21: i32 = add s_19 t_20
//!       in u_21
//!     } (0i32)
//!     scan \(y_22: i32, z_23: i32) -> {
//!       let y1_24: i32 = max y_22 z_23
//!       in y1_24
//!     } (0i32)
//!     post \(v25: i32, v26: i32, v27: i64, v28: i32, v29: i64, v30: i32, v31: i32, v32: i32) -> {
//!       let w_33: i32 = neg v25
//!       in (v26, w_33, v27, v28, v29, v30, v31)
//!     }
//!     to map
//!     to map
//!     to combine (hs_3) \(o_34: i32, p_35: i32) -> {
//!       let q_36: i32 = add o_34 p_35
//!       in q_36
//!     } (0i32)
//!     to write ts_2 rank 1
//!     to reduce \(f_37: i32, g_38: i32) -> {
//!       let h_39: i32 = max f_37 g_38
//!       in h_39
//!     } (0i32)
//!   }
//!   in (most_13, ws_12, bins_11, vs_10, ms_9)
//! }
//! entry main = main (xs_1, *ts_2, *hs_3) -> (o1_4, o2_5, o3_6, o4_7, o5_8)
//! ```

use std::collections::BTreeSet;

use ravel_core::{Body, Exp, Screma, Sink, Source, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::compose::{FusedArrays, before_scans, only_after_scans};
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Graph, Node, place_of_first};
use super::{INDEPENDENT, MAP_RESULT, NO_CONSUMPTION_BETWEEN, POINTWISE, TARGET_NOT_READ};
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-vertical`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-vertical",
    about: "Fuses a parallel construct with a consumer of its mapped results.",
    rules: &["map-map", "map-reduce", "map-scan", "map-write", "map-combine", "scan-map", "scan-scan"],
    premises: &[
        MAP_RESULT,
        POINTWISE,
        ONE_SCAN,
        FEW_ARRAYS,
        INDEPENDENT,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { has_candidates, partners, pair, compose: scremas }),
};

const ONE_SCAN: Premise = Premise {
    name: "one-scan",
    about: "a result of the first's scan is used only after the second's scan",
    otherwise: "{} is used before a second scan here",
};

/// Whether the construct at a position can fuse with a producer of its sources.
pub fn can_fuse(vars: &VarTable, graph: &Graph, consumer: usize) -> bool {
    let fuses = |pair: Pair| pair.missing.is_none();
    let mut producers = partners(vars, graph, consumer).into_iter();
    producers.any(|producer| pair(vars, graph, (producer, consumer)).is_some_and(fuses))
}

/// Whether a construct reads the result of another one.
fn has_candidates(body: &Body) -> bool {
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
        let joins =
            |array| before_scans(binders, above, array).is_some() || only_after_scans(vars, below, array);
        let array = fused.iter().find(|&&array| both && !joins(array))?;
        let place = place_of_first(below.scans.first().map(|scan| &scan.op)).or(consumer.span());
        Some(Refusal::of(ONE_SCAN).blame(vars[*array].hint, place))
    };
    let missing = (refuse_other_sinks(vars, producer, above, &fused))
        .or_else(|| used_whole(vars, consumer, &fused))
        .or_else(one_scan)
        .or_else(|| too_many(producer, consumer, gone.len()))
        .or_else(|| {
            let others = producer.stm.binders.iter().filter(|var| !fused.contains(var));
            consumer.used(vars, others)
        })
        .or_else(|| consumer.overwrites(vars, &producer.reads));
    let fused = FusedArrays { arrays: fused, gone };
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
fn refuse_other_sinks(vars: &VarTable, producer: &Node, screma: &Screma, fused: &[Var]) -> Option<Refusal> {
    let maps = screma.sink_ranges().filter(|(sink, ..)| **sink == Sink::Map);
    let mapped: BTreeSet<Var> =
        maps.flat_map(|(_, results, _)| &producer.stm.binders[results]).copied().collect();
    let array = fused.iter().find(|array| !mapped.contains(array))?;
    Some(Refusal::of(MAP_RESULT).blame(vars[*array].hint, None))
}

/// Refuses if the construct uses one of these arrays other than as a source.
fn used_whole(vars: &VarTable, consumer: &Node, fused: &[Var]) -> Option<Refusal> {
    let array = fused.iter().find(|&&array| consumer.uses_whole(array))?;
    Some(Refusal::of(POINTWISE).blame(vars[*array].hint, consumer.place_of_use(*array)))
}

#[cfg(test)]
mod tests;
