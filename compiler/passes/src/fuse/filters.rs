//! # fuse-filters: fuse a filter with the consumers of the elements it keeps
//!
//! ## Rule
//!
//! ```text
//!   let xs, k, os = screma n { P to write (at, x) to reduce + c … }    the filter
//!   stms; after                                      those in after depend on the filter
//!   let ys = slice xs[0 : k : 1]
//!   let rs, zs = screma k { from ys map f scan ⊗ g to reduce ⊕ e to map }
//!   -------------------------------------------------------------------------
//!   stms
//!   let z = scratch n
//!   let rs, zs', xs, k, os = screma n {
//!     P, then if mark then f x else (neutral g, …, e)
//!     to reduce ⊕ e  to write z at  …
//!   }
//!   let zs = slice zs'[0 : k : 1]
//!   after
//! ```
//!
//! * *filter-map*: a map of the kept elements is computed in the filter, and written where the filter writes.
//! * *filter-reduce*: the kept elements are reduced in the filter.
//! * *filter-scan*: the kept elements are scanned in the filter.
//! * *filter-filter*: a filter of the kept elements is computed in the filter, and writes into memory of its own.
//! * *filter-write*: the kept elements are written into another array in the filter.
//! * *filter-combine*: the kept elements are combined into another array (a histogram) in the filter.
//!
//! A filter (`kept`) counts the marked elements and writes each to the position given by its running count
//! minus one. The consumer is applied where the mark holds (`under`); elsewhere its scans and reductions
//! receive the neutral element and its writes are dropped.
//!
//! ## Requires
//!
//! * *kept-in-order*: the first writes the marked elements in order and counts them; the second reads exactly
//!   these. Marks and elements are known before the filter scans.
//! * *one-filter*: all sources of the second were kept by the same marks.
//! * *pointwise*: the second reads the array element by element, each at its own point.
//! * *used-once*, of filter-combine: if the second combines the kept elements into arrays, nothing else uses them:
//!   otherwise they would be stored anyway, and combined from memory.
//! * *independent*: the second uses no other result of the first, directly or through the statements between.
//!   The other results are complete only after the whole traversal. (A `scratch` of `k` elements with no other
//!   use does not count; one of `n` elements replaces it.)
//! * *speculatable*: the second's computation after its scans cannot fail. It runs for all points.
//! * *scalars*: the second computes scalars from an element. For arrays, there is no value to represent the
//!   result of an element that is not kept.
//! * *few-arrays*: the fused construct reads and produces at most 24 arrays, or no more than the larger of the
//!   two did alone; a reduced value counts as two arrays. A device binds a limited number of arrays.
//! * *target-not-read*: the second does not write into an array that the first reads; a `copy` of the target
//!   would help. Reads under any alias count.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//!
//! ## Ensures
//!
//! Nothing is computed twice, and nothing for an element that is not kept. If `xs` has no other use, it is dead
//! afterwards, and so are the positions of its elements and their scan.
//!
//! ## Leaves alone
//!
//! Consumers that read the kept elements through a view, and streams.
//!
//! ## Costs
//!
//! The block of a mapped array is as large as the filter's input. Each round takes time linear in the size of
//! the function, and each pair takes time linear in its neighbourhood ([`super::graph`]). A chain of filters
//! takes one round for each filter.
//!
//! ## Source
//!
//! Henriksen et al., "Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place Array
//! Updates" (PLDI 2017) also represents a filter as a scan and a scatter, which end the traversal there.
//! Keeping the elements in place under a condition until their positions are needed is an idea of stream
//! fusion: Coutts, Leshchinskiy and Stewart, "Stream Fusion: From Lists to Streams to Nothing at All" (ICFP
//! 2007), in which a step may skip its element.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, ys: [n]i32, *ts: [n]i32, *us: [n]i32) -> (k1: i64, out1: i32, out2: [k1]i32, out3: [k1]i32, out4: [n]i32, k3: i64, out5: [k3]i32, out6: [n]i32) = {
//!   let xs: [n]i32 = scratch
//!   let (zs: [n]i32, k: i64) = screma n {
//!     from ys
//!     map \(e: i32) -> { let mark: bool = lt 0i32 e let one: i64 = convert i64 mark in (one, mark, e) }
//!     scan \(a: i64, b: i64) -> { let d: i64 = add a b in d } (0)
//!     post \(count: i64, chosen: bool, f: i32) -> {
//!       let same: i64 = convert i64 chosen
//!       let at: i64 = if chosen then { let g: i64 = sub count 1 in g } else -1
//!       in (at, f, same)
//!     }
//!     to write xs rank 1
//!     to reduce \(h: i64, i: i64) -> { let j: i64 = add h i in j } (0)
//!   }
//!   let vs: [k]i32 = slice zs[0 : k : 1]
//!   let s: i32 = screma k { from vs map \(l: i32) -> l to reduce \(m: i32, o: i32) -> { let p: i32 = add m o in p } (0i32) }
//!   let ms: [k]i32 = screma k { from vs map \(q: i32) -> { let r: i32 = mul q q in r } to map }
//!   let ss: [k]i32 = screma k { from vs map \(t: i32) -> t scan \(u: i32, v: i32) -> { let w: i32 = add u v in w } (0i32) to map }
//!   let ws: [n]i32 = screma k { from vs map \(x: i32) -> { let y: i64 = convert i64 x in (y, x) } to write ts rank 1 }
//!   let xs2: [k]i32 = scratch
//!   let (zs2: [k]i32, k2: i64) = screma k {
//!     from vs
//!     map \(e2: i32) -> { let mark2: bool = lt e2 9i32 let one2: i64 = convert i64 mark2 in (one2, mark2, e2) }
//!     scan \(a2: i64, b2: i64) -> { let d2: i64 = add a2 b2 in d2 } (0)
//!     post \(count2: i64, chosen2: bool, f2: i32) -> {
//!       let same2: i64 = convert i64 chosen2
//!       let at2: i64 = if chosen2 then { let g2: i64 = sub count2 1 in g2 } else -1
//!       in (at2, f2, same2)
//!     }
//!     to write xs2 rank 1
//!     to reduce \(h2: i64, i2: i64) -> { let j2: i64 = add h2 i2 in j2 } (0)
//!   }
//!   let vs2: [k2]i32 = slice zs2[0 : k2 : 1]
//!   let xs3: [n]i32 = scratch
//!   let (zs3: [n]i32, k4: i64) = screma n {
//!     from ys
//!     map \(e3: i32) -> { let mark3: bool = lt e3 5i32 let one3: i64 = convert i64 mark3 in (one3, mark3, e3) }
//!     scan \(a3: i64, b3: i64) -> { let d3: i64 = add a3 b3 in d3 } (0)
//!     post \(count3: i64, chosen3: bool, f3: i32) -> {
//!       let same3: i64 = convert i64 chosen3
//!       let at3: i64 = if chosen3 then { let g3: i64 = sub count3 1 in g3 } else -1
//!       in (at3, f3, same3)
//!     }
//!     to write xs3 rank 1
//!     to reduce \(h3: i64, i3: i64) -> { let j3: i64 = add h3 i3 in j3 } (0)
//!   }
//!   let vs3: [k4]i32 = slice zs3[0 : k4 : 1]
//!   let bins: [n]i32 = screma k4 {
//!     from vs3
//!     map \(x3: i32) -> { let bin: i64 = convert i64 x3 in (bin, x3) }
//!     to combine (us) \(l3: i32, m3: i32) -> { let o3: i32 = add l3 m3 in o3 } (0i32)
//!   }
//!   in (k, s, ms, ss, ws, k2, vs2, bins)
//! }
//! entry main = main (ys, *ts, *us) -> (k1, out1, out2, out3, out4, k3, out5, out6)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ys_1: [n_0]i32, *ts_2: [n_0]i32, *us_3: [n_0]i32) -> (k1_4: i64, out1_5: i32, out2_6: [k1_4]i32, out3_7: [k1_4]i32, out4_8: [n_0]i32, k3_9: i64, out5_10: [k3_9]i32, out6_11: [n_0]i32) = {
//!   let xs_12: [n_0]i32 = scratch
//!   let ms_13: [n_0]i32 = scratch
//!   let ss_14: [n_0]i32 = scratch
//!   let zs2_15: [n_0]i32 = scratch
//!   let (zs2_16: [n_0]i32, k2_17: i64, ws_18: [n_0]i32, ss_19: [n_0]i32, ms_20: [n_0]i32, s_21: i32, zs_22: [n_0]i32, k_23: i64) = screma n_0 {
//!     from ys_1
//!     map \(e_24: i32) -> {
//!       let mark_25: bool = lt 0i32 e_24
//!       let one_26: i64 = convert i64 mark_25
//!       let e_27: i32 = if mark_25 then e_24 else 0i32
//!       let r_28: i32 = if mark_25 then {
//!         let r_29: i32 = mul e_24 e_24
//!         in r_29
//!       } else 0i32
//!       let e_30: i32 = if mark_25 then e_24 else 0i32
//!       let y_31: i64 = if mark_25 then {
//!         let y_32: i64 = convert i64 e_24
//!         in y_32
//!       } else -1i64
//!       let (one2_33: i64, mark2_34: bool) = if mark_25 then {
//!         let mark2_35: bool = lt e_24 9i32
//!         let one2_36: i64 = convert i64 mark2_35
//!         in (one2_36, mark2_35)
//!       } else (0i64, false)
//!       in (one_26, e_30, one2_33, mark_25, e_24, e_27, r_28, y_31, e_24, mark2_34, e_24)
//!     }
//!     scan \(a_37: i64, b_38: i64) -> {
//!       let d_39: i64 = add a_37 b_38
//!       in d_39
//!     } (0i64)
//!     scan \(u_40: i32, v_41: i32) -> {
//!       let w_42: i32 = add u_40 v_41
//!       in w_42
//!     } (0i32)
//!     scan \(a2_43: i64, b2_44: i64) -> {
//!       let d2_45: i64 = add a2_43 b2_44
//!       in d2_45
//!     } (0i64)
//!     post \(count_46: i64, v47: i32, count2_48: i64, chosen_49: bool, f_50: i32, v51: i32, v52: i32, v53: i64, v54: i32, chosen2_55: bool, f2_56: i32) -> {
//!       let same_57: i64 = convert i64 chosen_49
//!       let at_58: i64 = if chosen_49 then {
//!         let g_59: i64 = sub count_46 1i64
//!         in g_59
//!       } else -1i64
//!       let same2_60: i64 = convert i64 chosen2_55
//!       let at2_61: i64 = if chosen2_55 then {
//!         let g2_62: i64 = sub count2_48 1i64
//!         in g2_62
//!       } else -1i64
//!       in (at2_61, f2_56, same2_60, v53, v54, at_58, v47, at_58, v52, v51, at_58, f_50, same_57)
//!     }
//!     to write zs2_15 rank 1
//!     to reduce \(h2_63: i64, i2_64: i64) -> {
//!       let j2_65: i64 = add h2_63 i2_64
//!       in j2_65
//!     } (0i64)
//!     to write ts_2 rank 1
//!     to write ss_14 rank 1
//!     to write ms_13 rank 1
//!     to reduce \(m_66: i32, o_67: i32) -> {
//!       let p_68: i32 = add m_66 o_67
//!       in p_68
//!     } (0i32)
//!     to write xs_12 rank 1
//!     to reduce \(h_69: i64, i_70: i64) -> {
//!       let j_71: i64 = add h_69 i_70
//!       in j_71
//!     } (0i64)
//!   }
//!   let zs2_72: [k_23]i32 = slice zs2_16[0i64 : k_23 : 1i64]
//!   let ss_73: [k_23]i32 = slice ss_19[0i64 : k_23 : 1i64]
//!   let ms_74: [k_23]i32 = slice ms_20[0i64 : k_23 : 1i64]
//!   let vs_75: [k_23]i32 = slice zs_22[0i64 : k_23 : 1i64]
//!   let xs2_76: [k_23]i32 = scratch
//!   let vs2_77: [k2_17]i32 = slice zs2_72[0i64 : k2_17 : 1i64]
//!   let xs3_78: [n_0]i32 = scratch
//!   let (bins_79: [n_0]i32, zs3_80: [n_0]i32, k4_81: i64) = screma n_0 {
//!     from ys_1
//!     map \(e3_82: i32) -> {
//!       let mark3_83: bool = lt e3_82 5i32
//!       let one3_84: i64 = convert i64 mark3_83
//!       let bin_85: i64 = if mark3_83 then {
//!         let bin_86: i64 = convert i64 e3_82
//!         in bin_86
//!       } else -1i64
//!       in (one3_84, mark3_83, e3_82, bin_85, e3_82)
//!     }
//!     scan \(a3_87: i64, b3_88: i64) -> {
//!       let d3_89: i64 = add a3_87 b3_88
//!       in d3_89
//!     } (0i64)
//!     post \(count3_90: i64, chosen3_91: bool, f3_92: i32, v93: i64, v94: i32) -> {
//!       let same3_95: i64 = convert i64 chosen3_91
//!       let at3_96: i64 = if chosen3_91 then {
//!         let g3_97: i64 = sub count3_90 1i64
//!         in g3_97
//!       } else -1i64
//!       in (v93, v94, at3_96, f3_92, same3_95)
//!     }
//!     to combine (us_3) \(l3_98: i32, m3_99: i32) -> {
//!       let o3_100: i32 = add l3_98 m3_99
//!       in o3_100
//!     } (0i32)
//!     to write xs3_78 rank 1
//!     to reduce \(h3_101: i64, i3_102: i64) -> {
//!       let j3_103: i64 = add h3_101 i3_102
//!       in j3_103
//!     } (0i64)
//!   }
//!   let vs3_104: [k4_81]i32 = slice zs3_80[0i64 : k4_81 : 1i64]
//!   in (k_23, s_21, ms_74, ss_73, ws_18, k2_17, vs2_77, bins_79)
//! }
//! entry main = main (ys_1, *ts_2, *us_3) -> (k1_4, out1_5, out2_6, out3_7, out4_8, k3_9, out5_10, out6_11)
//! ```

mod mask;
mod pattern;

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, DimSlice, Exp, Function, Origin, Program, Screma, Sink, Source, Stm, Uses, Var, VarInfo,
    VarTable, free_in_exp,
};

use super::arrays::{FEW_ARRAYS, too_many};
use super::compose::Bound;
use super::engine::{Round, bound, has, repeat_rounds};
use super::graph::{Facts, Graph, Node};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, POINTWISE, TARGET_NOT_READ};
use crate::hoist::is_speculatable;
use crate::{Cx, Pass, Premise, Refusal};
use mask::{Plan, compose};
use pattern::{Filter, filter};

/// The pass `fuse-filters`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-filters",
    about: "Fuses a filter with a consumer of the elements that it keeps.",
    rules: &["filter-map", "filter-reduce", "filter-scan", "filter-filter", "filter-write", "filter-combine"],
    premises: &[
        KEPT_IN_ORDER,
        ONE_FILTER,
        POINTWISE,
        USED_ONCE,
        INDEPENDENT,
        SPECULATABLE,
        SCALARS,
        FEW_ARRAYS,
        TARGET_NOT_READ,
        NO_CONSUMPTION_BETWEEN,
    ],
    run,
};

const KEPT_IN_ORDER: Premise = Premise {
    name: "kept-in-order",
    about: "the first writes the marked elements in order and counts them; the second reads exactly these",
    otherwise: "{} is not the result of a filter",
};

const ONE_FILTER: Premise = Premise {
    name: "one-filter",
    about: "all sources of the second were kept by the same marks",
    otherwise: "another source here was not kept by the same marks",
};

const USED_ONCE: Premise = Premise {
    name: "used-once",
    about: "if the second combines the kept elements into arrays, nothing else uses them: otherwise they would be stored anyway, and combined from memory",
    otherwise: "{} has another use",
};

const SPECULATABLE: Premise = Premise {
    name: "speculatable",
    about: "the second's computation after its scans cannot fail",
    otherwise: "the computation after the scan of {} may fail for elements that are not kept",
};

const SCALARS: Premise = Premise {
    name: "scalars",
    about: "the second computes scalars from an element",
    otherwise: "an array is computed from each element of {} here",
};

fn run(program: &mut Program, cx: &mut Cx) {
    repeat_rounds(program, cx, has_candidates, |function, facts, cx, round| {
        let uses = Uses::of(function);
        let Function { vars, body, .. } = function;
        Fuser { vars, facts, uses: &uses, cx, round }.body(body);
    });
}

/// Whether the body has a construct that counts, as filters do.
fn has_candidates(body: &Body) -> bool {
    has(body, 1, counts)
}

struct Fuser<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    uses: &'a Uses,
    cx: &'a mut Cx,
    round: &'a mut Round,
}

impl VisitMut for Fuser<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        if has_candidates(body) {
            self.cx.count_visits(body.stms.len());
            let mut graph = Graph::of(self.vars, self.facts, body);
            for at in 0..graph.positions() {
                if let Some(pair) = self.pair(&graph, at) {
                    self.fuse(&mut graph, &pair);
                }
            }
            body.stms = graph.finish();
        }
        for stm in &mut body.stms {
            if !self.round.is_new(stm) {
                self.stm(stm);
            }
        }
    }
}

/// A filter and a consumer of its elements.
struct Pair {
    /// The rule.
    rule: &'static str,
    positions: (usize, usize),
    /// The arrays that the filter writes, by source of the consumer.
    arrays: Vec<Var>,
    filter: Filter,
    plan: Plan,
    /// Which sinks of the consumer produce an array, or write one that is created for it.
    makes: Vec<bool>,
}

impl Fuser<'_> {
    /// The filter that the construct at a position reads from, if all premises hold but those about the statements
    /// between.
    fn pair(&mut self, graph: &Graph, second: usize) -> Option<Pair> {
        let consumer = graph.node(second)?;
        let below = consumer.screma()?;
        let kept = below.width.var()?;
        let first = graph.position(kept)?;
        let producer = graph.node(first).filter(|node| counts(&node.stm.exp))?;
        let (binders, above) = (&producer.stm.binders, producer.screma()?);
        if self.round.is_new(&producer.stm) {
            return None;
        }
        let maker = |array: Var| graph.node(graph.position(array)?).map(|node| &node.stm);
        let prefix = |source: &Source| {
            let stm = maker(source.array()?)?;
            prefix_slice_of(self.vars, &stm.exp, kept).filter(|array| binders.contains(array))
        };
        let arrays: Vec<Option<Var>> = below.sources.iter().map(prefix).collect();
        if arrays.iter().all(Option::is_none) {
            return None;
        }
        let known: Vec<Var> = arrays.iter().copied().flatten().collect();
        let is_own = |target: Var| {
            maker(target).is_some_and(|stm| stm.exp == Exp::Scratch)
                && self.vars[target].ty.shape == [below.width]
                && self.uses.count(target) == 1
        };
        let makes = below.sinks.iter().map(|sink| match sink {
            Sink::Map => true,
            Sink::Write { target, rank } => *rank == 1 && is_own(*target),
            Sink::Concat { .. } | Sink::Reduce { .. } | Sink::Combine { .. } => false,
        });
        let makes: Vec<bool> = makes.collect();
        let combines = below.sinks.iter().any(|sink| matches!(sink, Sink::Combine { .. }));
        let kept_elsewhere =
            written_arrays(binders, above).chain(below.sources.iter().filter_map(Source::array));
        let kept_elsewhere = kept_elsewhere.into_iter().find(|&array| combines && self.uses.count(array) > 1);
        let inside = Screma { width: above.width, sources: Vec::new(), ..below.clone() };
        let uses = free_in_exp(self.vars, &Exp::Screma(Box::new(inside)));
        let is_speculatable = |stm: &Stm| is_speculatable(self.vars, &stm.exp);
        let plan = Plan::of(self.vars, below);
        let found = filter(binders, above, kept, &known);
        let scalar_rows =
            fresh_results(&consumer.stm.binders, below, &makes).all(|array| self.vars[array].ty.rank() == 1);
        let view = |at: usize| below.sources.get(at)?.array();
        let other_use = (0..below.sources.len()).filter_map(view).find(|view| uses.contains(view));
        let other = arrays.iter().position(Option::is_none);
        let result = binders.iter().copied().find(|binder| uses.contains(binder));
        let speculatable = below.post.iter().all(|post| post.body.stms.iter().all(is_speculatable));
        let premises = [
            (KEPT_IN_ORDER, found.is_some(), view(0)),
            (ONE_FILTER, other.is_none(), other.and_then(view)),
            (POINTWISE, other_use.is_none(), other_use),
            (USED_ONCE, kept_elsewhere.is_none(), kept_elsewhere),
            (INDEPENDENT, result.is_none(), result),
            (SPECULATABLE, speculatable, view(0)),
            (SCALARS, scalar_rows && plan.is_scalar(self.vars, below), view(0)),
        ];
        let rule = rule(below, &makes);
        let missing = premises.into_iter().find(|(_, holds, _)| !holds).map(|(premise, _, blamed)| {
            let name = blamed.and_then(|var| self.vars[var].hint);
            Refusal::of(premise).blame(name, consumer.span())
        });
        if let Some(refusal) = missing.or_else(|| too_many(producer, consumer, 0)) {
            let at = below.sources.iter().find_map(|source| consumer.place_of_element(source.array()?));
            self.round.refuse(rule, Refusal { other: producer.span(), at, ..refusal }, &consumer.stm.origin);
            return None;
        }
        Some(Pair { rule, positions: (first, second), arrays: known, filter: found?, plan, makes })
    }

    /// Fuses the two, if the statements between permit it.
    fn fuse(&mut self, graph: &mut Graph, pair: &Pair) -> Option<()> {
        let (first, second) = pair.positions;
        let (producer, consumer) = (graph.node(first)?, graph.node(second)?);
        let (width, other) = (producer.screma()?.width, producer.span());
        let mut origin = consumer.stm.origin.union(&producer.stm.origin);
        // The fused construct reads the arrays that the filter writes, and writes fresh memory. The dependences on the
        // statements between are computed for a consumer in this form.
        let mut rewritten = consumer.screma()?.clone();
        rewritten.sources = pair.arrays.iter().copied().map(Source::Array).collect();
        let makes = rewritten.sinks.iter_mut().zip(&pair.makes).filter(|(_, makes)| **makes);
        makes.for_each(|(sink, _)| *sink = Sink::Map);
        let rewritten = Stm { exp: Exp::Screma(Box::new(rewritten)), ..consumer.stm.clone() };
        let unfused = graph.replace(second, Node::of(self.vars, self.facts, rewritten))?;
        let Some(between) = graph.statements_between(first, second) else {
            graph.replace(second, unfused);
            return None;
        };
        self.cx.count_visits(between.examined);
        let overwrites = || graph.node(second)?.overwrites(self.vars, &graph.node(first)?.reads);
        let missing = overwrites().or_else(|| graph.obstacle(self.vars, &between, (first, second)));
        if let Some(refusal) = missing {
            let at = pair.arrays.iter().find_map(|&array| graph.node(second)?.place_of_element(array));
            self.round.refuse(pair.rule, Refusal { other, at, ..refusal }, &unfused.stm.origin);
        }
        if missing.is_some() || !self.cx.fire_with(pair.rule, &graph.node(first)?.stm.origin, &origin) {
            graph.replace(second, unfused);
            return None;
        }
        origin.add_rule(pair.rule);
        graph.take(second);
        let (producer, consumer) = (bound(graph.take(first)?)?, bound(unfused.stm)?);
        let count = consumer.screma.width;
        let made = fresh_results(&consumer.binders, &consumer.screma, &pair.makes);
        let storage: Vec<Storage> = made.map(|array| Storage::of(self.vars, array, width)).collect();
        let scratches = storage.iter().map(|array| array.scratch(&origin)).collect();
        let views = storage.iter().map(|array| array.view(count, &origin)).collect();
        let parts = (&pair.filter, &pair.plan, &pair.makes[..], &storage[..]);
        let Bound { binders, screma } = compose(self.vars, (producer, consumer), parts, &origin);
        let stm = Stm { binders, exp: Exp::Screma(Box::new(screma)), origin };
        let node =
            Node::of(self.vars, self.facts, stm).with_attached(self.vars, self.facts, scratches, views);
        self.round.record(&node);
        graph.join((first, second), &between, node);
        Some(())
    }
}

/// Whether this may be a filter.
fn counts(exp: &Exp) -> bool {
    match exp {
        Exp::Screma(screma) => {
            screma.post.is_some() && screma.sinks.iter().any(|sink| matches!(sink, Sink::Write { .. }))
        }
        _ => false,
    }
}

/// The array of which this is the slice of the first `count` elements.
fn prefix_slice_of(vars: &VarTable, exp: &Exp, count: Var) -> Option<Var> {
    let Exp::Slice(array, dims) = exp else { return None };
    let sizes = std::iter::once(Atom::Var(count)).chain(vars[*array].ty.shape.iter().skip(1).copied());
    dims.iter().copied().eq(sizes.map(DimSlice::whole)).then_some(*array)
}

/// The rule for this consumer.
fn rule(below: &Screma, makes: &[bool]) -> &'static str {
    let has = |test: fn(&Sink) -> bool| below.sinks.iter().any(test);
    let writes = |(sink, _): &(&Sink, &bool)| matches!(sink, Sink::Write { .. });
    if has(|sink| matches!(sink, Sink::Combine { .. })) {
        "filter-combine"
    } else if below.sinks.iter().zip(makes).filter(writes).any(|(_, makes)| !makes) {
        "filter-write"
    } else if has(|sink| matches!(sink, Sink::Write { .. })) {
        "filter-filter"
    } else if !below.scans.is_empty() {
        "filter-scan"
    } else if has(|sink| matches!(sink, Sink::Reduce { .. })) {
        "filter-reduce"
    } else {
        "filter-map"
    }
}

/// The results of the sinks that produce an array or write a fresh one.
fn fresh_results(binders: &[Var], screma: &Screma, makes: &[bool]) -> impl Iterator<Item = Var> {
    let sinks = screma.sink_ranges().zip(makes).filter(|(_, makes)| **makes);
    sinks.flat_map(|((_, results, _), _)| &binders[results]).copied()
}

/// The results of the sinks that write.
fn written_arrays(binders: &[Var], screma: &Screma) -> impl Iterator<Item = Var> {
    let sinks = screma.sink_ranges().filter(|(sink, ..)| matches!(sink, Sink::Write { .. }));
    sinks.flat_map(|(_, results, _)| &binders[results]).copied()
}

/// The memory for an array of kept elements: as many elements as the filter reads.
struct Storage {
    /// The consumer's array.
    made: Var,
    /// The fresh memory.
    target: Var,
    /// The memory after the write.
    written: Var,
}

impl Storage {
    fn of(vars: &mut VarTable, made: Var, width: Atom) -> Storage {
        let info = VarInfo { ty: vars[made].ty.row().array_of(width), ..vars[made].clone() };
        Storage { made, target: vars.push(info.clone()), written: vars.push(info) }
    }

    fn scratch(&self, origin: &Origin) -> Stm {
        Stm { binders: vec![self.target], exp: Exp::Scratch, origin: origin.clone() }
    }

    /// The consumer's array, as a slice of the written memory.
    fn view(&self, count: Atom, origin: &Origin) -> Stm {
        let exp = Exp::Slice(self.written, vec![DimSlice::whole(count)]);
        Stm { binders: vec![self.made], exp, origin: origin.clone() }
    }
}

#[cfg(test)]
mod tests;
