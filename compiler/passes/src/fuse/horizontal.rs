//! # fuse-horizontal: fuse independent constructs of equal width
//!
//! ## Rule
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
//! * *horizontal*: two independent constructs become one.
//! * *horizontal-writes*: two independent constructs that both write become one.
//! * *horizontal-streams*: two independent streams become one.
//!
//! `stms` and `after` are the statements between the constructs; those in `after` depend on `xs`. `A; B` is the code of
//! `A` followed by the code of `B`. Its results are the results of `B`, followed by the results of `A`. Scremas are
//! composed as in [`super::compose`], and streams as in [`super::chunks`], but no value passes from one construct to
//! the other.
//!
//! ## Requires
//!
//! * *no-scan*, of horizontal and horizontal-writes: neither scans. A scan takes several passes over its
//!   elements, so the results of the other construct would have to be stored until the last pass.
//! * *same-parallelism*, of horizontal and horizontal-writes: both or neither process their points in order. A
//!   construct does so if it combines into an array or reduces arrays. Otherwise the parallel one would become
//!   sequential.
//! * *no-empty-chunk*, of horizontal-streams: a function of a stream that could not receive an empty chunk
//!   before fusion cannot receive one after it. A stream that reduces without a neutral element calls its
//!   function with an empty chunk if there are no elements. Other streams do not call theirs, which may fail on
//!   an empty chunk.
//! * *few-arrays*: the fused construct reads and produces at most 24 arrays, or no more than the larger of the
//!   two did alone; a reduced value counts as two arrays. A device binds a limited number of arrays, and a
//!   processor prefetches only from a limited number of arrays at a time.
//! * *independent*: the second uses no other result of the first, directly or through the statements between.
//! * *target-not-read*: the second does not write into an array that the first reads; a `copy` of the target
//!   would help. Reads under any alias count. (The first writes into nothing that the second reads, since a
//!   consumed array is not read again.)
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//!
//! ## Ensures
//!
//! Nothing is computed twice, and common sources are read once. Two widths are equal if they are the same atom.
//!
//! ## Leaves alone
//!
//! A screma and a stream, and constructs that are far apart.
//!
//! ## Costs
//!
//! A construct is compared with the nearest few constructs of its width within a bounded distance, so the
//! number of pairs is linear in the number of statements. A firing rewrites the lambda of the second construct
//! and appends it to the lambda of the first.
//!
//! ## Source
//!
//! Henriksen et al., "Modular Acceleration: Tricky Cases of Functional High-Performance Computing" (FHPC 2018),
//! figure 2, rule F2, is horizontal-writes. The paper requires equal outer sizes only. It omits a condition:
//! neither construct may read or alias the array that the other one writes. Otherwise the reads of one would
//! race with the writes of the other.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32, *ts: [n]i32, *us: [n]i32) -> (out1: i32, out2: [n]i32, out3: [n]i32, out4: [n]i32, out5: i32, out6: i32) = {
//!   let s: i32 = screma n { from xs map \(a: i32) -> a to reduce \(b: i32, c: i32) -> { let d: i32 = add b c in d } (0i32) }
//!   let as: [n]i32 = screma n { from xs map \(e: i32) -> { let f: i32 = mul e e in f } to map }
//!   let ws: [n]i32 = screma n { from xs map \(g: i32) -> { let h: i64 = convert i64 g in (h, g) } to write ts rank 1 }
//!   let vs: [n]i32 = screma n { from xs map \(i: i32) -> { let j: i64 = convert i64 i in (j, 1i32) } to write us rank 1 }
//!   let p: i32 = stream n {
//!     from xs
//!     chunk \(k: i64, at: i64, l: [k]i32) -> { let m: i32 = l[0] in m }
//!     to reduce \(o: i32, q: i32) -> { let r: i32 = add o q in r }
//!   }
//!   let t: i32 = stream n {
//!     from xs
//!     chunk \(k2: i64, at2: i64, v: [k2]i32) -> { let w: i32 = v[0] in w }
//!     to reduce \(x: i32, y: i32) -> { let z: i32 = max x y in z }
//!   }
//!   in (s, as, ws, vs, p, t)
//! }
//! entry main = main (xs, *ts, *us) -> (out1, *out2, out3, out4, out5, out6)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, *ts_2: [n_0]i32, *us_3: [n_0]i32) -> (out1_4: i32, out2_5: [n_0]i32, out3_6: [n_0]i32, out4_7: [n_0]i32, out5_8: i32, out6_9: i32) = {
//!   let (vs_10: [n_0]i32, ws_11: [n_0]i32, as_12: [n_0]i32, s_13: i32) = screma n_0 {
//!     from xs_1
//!     map \(a_14: i32) -> {
//!       let f_15: i32 = mul a_14 a_14
//!       let h_16: i64 = convert i64 a_14
//!       let j_17: i64 = convert i64 a_14
//!       in (j_17, 1i32, h_16, a_14, f_15, a_14)
//!     }
//!     to write us_3 rank 1
//!     to write ts_2 rank 1
//!     to map
//!     to reduce \(b_18: i32, c_19: i32) -> {
//!       let d_20: i32 = add b_18 c_19
//!       in d_20
//!     } (0i32)
//!   }
//!   let (t_21: i32, p_22: i32) = stream n_0 {
//!     from xs_1
//!     chunk \(k_23: i64, at_24: i64, l_25: [k_23]i32) -> {
//!       let m_26: i32 = l_25[0i64]
//!       let w_27: i32 = l_25[0i64]
//!       in (w_27, m_26)
//!     }
//!     to reduce \(x_28: i32, y_29: i32) -> {
//!       let z_30: i32 = max x_28 y_29
//!       in z_30
//!     }
//!     to reduce \(o_31: i32, q_32: i32) -> {
//!       let r_33: i32 = add o_31 q_32
//!       in r_33
//!     }
//!   }
//!   in (s_13, as_12, ws_11, vs_10, p_22, t_21)
//! }
//! entry main = main (xs_1, *ts_2, *us_3) -> (out1_4, *out2_5, out3_6, out4_7, out5_8, out6_9)
//! ```

use ravel_core::{Atom, Body, Exp, Screma, Sink, Stm, Var, VarTable};
use rustc_hash::FxHashSet;

use super::arrays::{FEW_ARRAYS, too_many};
use super::chunks::{NO_EMPTY_CHUNK, empty_chunk};
use super::compose::FusedArrays;
use super::engine::{Fusion, Pair, fuse_all, scremas};
use super::graph::{Graph, Node, StatementsBetween};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, TARGET_NOT_READ, streams};
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-horizontal`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-horizontal",
    about: "Fuses independent parallel constructs of equal width.",
    rules: &[SCREMAS, WRITES, STREAMS],
    premises: &[
        NO_SCAN,
        SAME_PARALLELISM,
        NO_EMPTY_CHUNK,
        FEW_ARRAYS,
        INDEPENDENT,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { has_candidates, partners, pair, compose: fuse_pair }),
};

const SCREMAS: &str = "horizontal";
const WRITES: &str = "horizontal-writes";
const STREAMS: &str = "horizontal-streams";

const NO_SCAN: Premise =
    Premise { name: "no-scan", about: "neither scans", otherwise: "{} is the result of a scan" };

const SAME_PARALLELISM: Premise = Premise {
    name: "same-parallelism",
    about: "both or neither process their points in order",
    otherwise: "{} is combined in the order of the points",
};

/// Whether the body has two constructs of the same width.
fn has_candidates(body: &Body) -> bool {
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
    let of_same_width = |&at: &usize| width_at(at) == Some(width);
    (second.saturating_sub(MAX_DISTANCE)..second).rev().filter(of_same_width).take(NEAREST).collect()
}

/// The width of a construct, and whether it is a stream: a stream fuses only with a stream.
fn width(exp: &Exp) -> Option<(Atom, bool)> {
    match exp {
        Exp::Screma(screma) => Some((screma.width, false)),
        Exp::Stream(stream) => Some((stream.width, true)),
        _ => None,
    }
}

fn fuse_pair(vars: &mut VarTable, first: Stm, second: Stm, fused: &FusedArrays) -> Option<(Vec<Var>, Exp)> {
    match &first.exp {
        Exp::Stream(_) => streams::fuse_pair(vars, first, second, fused),
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
        .or_else(|| refuse_if_either(SAME_PARALLELISM, &sequential).filter(|_| !both_sequential))
        .or_else(|| empty_chunk(vars, both))
        .or_else(|| too_many(earlier, later, 0));
    let between = match missing {
        None => graph.statements_between(first, second)?,
        Some(_) => StatementsBetween::default(),
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
    Some(Pair { rule, missing, between, fused: FusedArrays::default() })
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
        Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => false,
    })
}

#[cfg(test)]
mod tests;
