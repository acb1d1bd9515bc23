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
//! * *used-once*, of filter-combine: if the second combines the kept elements into arrays, they have no other
//!   use: otherwise they would be stored and then combined from memory.
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
//! fun main (n: i64, ys: [n]i32, *ts: [n]i32) -> (k1: i64, out1: i32, out2: [k1]i32, out3: [k1]i32, out4: [n]i32, k3: i64, out5: [k3]i32) = {
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
//!   in (k, s, ms, ss, ws, k2, vs2)
//! }
//! entry main = main (ys, *ts) -> (k1, out1, out2, out3, out4, k3, out5)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ys_1: [n_0]i32, *ts_2: [n_0]i32) -> (k1_3: i64, out1_4: i32, out2_5: [k1_3]i32, out3_6: [k1_3]i32, out4_7: [n_0]i32, k3_8: i64, out5_9: [k3_8]i32) = {
//!   let xs_10: [n_0]i32 = scratch
//!   let ms_11: [n_0]i32 = scratch
//!   let ss_12: [n_0]i32 = scratch
//!   let zs2_13: [n_0]i32 = scratch
//!   let (zs2_14: [n_0]i32, k2_15: i64, ws_16: [n_0]i32, ss_17: [n_0]i32, ms_18: [n_0]i32, s_19: i32, zs_20: [n_0]i32, k_21: i64) = screma n_0 {
//!     from ys_1
//!     map \(e_22: i32) -> {
//!       let mark_23: bool = lt 0i32 e_22
//!       let one_24: i64 = convert i64 mark_23
//!       let e_25: i32 = if mark_23 then e_22 else 0i32
//!       let r_26: i32 = if mark_23 then {
//!         let r_27: i32 = mul e_22 e_22
//!         in r_27
//!       } else 0i32
//!       let e_28: i32 = if mark_23 then e_22 else 0i32
//!       let y_29: i64 = if mark_23 then {
//!         let y_30: i64 = convert i64 e_22
//!         in y_30
//!       } else -1i64
//!       let (one2_31: i64, mark2_32: bool) = if mark_23 then {
//!         let mark2_33: bool = lt e_22 9i32
//!         let one2_34: i64 = convert i64 mark2_33
//!         in (one2_34, mark2_33)
//!       } else (0i64, false)
//!       in (one_24, e_28, one2_31, mark_23, e_22, e_25, r_26, y_29, e_22, mark2_32, e_22)
//!     }
//!     scan \(a_35: i64, b_36: i64) -> {
//!       let d_37: i64 = add a_35 b_36
//!       in d_37
//!     } (0i64)
//!     scan \(u_38: i32, v_39: i32) -> {
//!       let w_40: i32 = add u_38 v_39
//!       in w_40
//!     } (0i32)
//!     scan \(a2_41: i64, b2_42: i64) -> {
//!       let d2_43: i64 = add a2_41 b2_42
//!       in d2_43
//!     } (0i64)
//!     post \(count_44: i64, v45: i32, count2_46: i64, chosen_47: bool, f_48: i32, v49: i32, v50: i32, v51: i64, v52: i32, chosen2_53: bool, f2_54: i32) -> {
//!       let same_55: i64 = convert i64 chosen_47
//!       let at_56: i64 = if chosen_47 then {
//!         let g_57: i64 = sub count_44 1i64
//!         in g_57
//!       } else -1i64
//!       let same2_58: i64 = convert i64 chosen2_53
//!       let at2_59: i64 = if chosen2_53 then {
//!         let g2_60: i64 = sub count2_46 1i64
//!         in g2_60
//!       } else -1i64
//!       in (at2_59, f2_54, same2_58, v51, v52, at_56, v45, at_56, v50, v49, at_56, f_48, same_55)
//!     }
//!     to write zs2_13 rank 1
//!     to reduce \(h2_61: i64, i2_62: i64) -> {
//!       let j2_63: i64 = add h2_61 i2_62
//!       in j2_63
//!     } (0i64)
//!     to write ts_2 rank 1
//!     to write ss_12 rank 1
//!     to write ms_11 rank 1
//!     to reduce \(m_64: i32, o_65: i32) -> {
//!       let p_66: i32 = add m_64 o_65
//!       in p_66
//!     } (0i32)
//!     to write xs_10 rank 1
//!     to reduce \(h_67: i64, i_68: i64) -> {
//!       let j_69: i64 = add h_67 i_68
//!       in j_69
//!     } (0i64)
//!   }
//!   let zs2_70: [k_21]i32 = slice zs2_14[0i64 : k_21 : 1i64]
//!   let ss_71: [k_21]i32 = slice ss_17[0i64 : k_21 : 1i64]
//!   let ms_72: [k_21]i32 = slice ms_18[0i64 : k_21 : 1i64]
//!   let vs_73: [k_21]i32 = slice zs_20[0i64 : k_21 : 1i64]
//!   let xs2_74: [k_21]i32 = scratch
//!   let vs2_75: [k2_15]i32 = slice zs2_70[0i64 : k2_15 : 1i64]
//!   in (k_21, s_19, ms_72, ss_71, ws_16, k2_15, vs2_75)
//! }
//! entry main = main (ys_1, *ts_2) -> (k1_3, out1_4, out2_5, out3_6, out4_7, k3_8, out5_9)
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
use super::engine::{Round, bound, has, in_rounds};
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
    about: "if the second combines the kept elements into arrays, they have no other use: otherwise they would be stored and then combined from memory",
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
    in_rounds(program, cx, has_candidates, |function, facts, cx, round| {
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
            sliced(self.vars, &stm.exp, kept).filter(|array| binders.contains(array))
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
            produced(&consumer.stm.binders, below, &makes).all(|array| self.vars[array].ty.rank() == 1);
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
        let made = produced(&consumer.binders, &consumer.screma, &pair.makes);
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
fn sliced(vars: &VarTable, exp: &Exp, count: Var) -> Option<Var> {
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
fn produced(binders: &[Var], screma: &Screma, makes: &[bool]) -> impl Iterator<Item = Var> {
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
