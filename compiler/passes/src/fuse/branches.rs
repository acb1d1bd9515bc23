//! # fuse-branches: move producers and consumers into the sides of a branch
//!
//! ## Rule
//!
//! ```text
//!   let xs = P                                             both sides read xs
//!   stms
//!   let zs = if c then { A } else { B }
//!   -------------------------------------------------------------------------
//!   stms
//!   let zs = if c then { let xs = P A } else { let xs = P B }
//!
//!   let (xs, zs) = if c then { A in (as, us) } else { B in (bs, vs) }      C reads xs
//!   stms; after                                      those in after depend on zs
//!   let ys = C
//!   -------------------------------------------------------------------------
//!   stms
//!   let (zs, ys) = if c then { A let ys = C[as/xs] in (us, ys) } else { B let ys = C[bs/xs] in (vs, ys) }
//!   after
//! ```
//!
//! * *map-branch*: a producer whose array both sides of a branch read moves into both sides.
//! * *branch-map*: a consumer of an array that a branch returns moves into both sides.
//!
//! Producer and consumer are then in one body, where the other rules can fuse them.
//!
//! ## Requires
//!
//! * *pointwise*: the second reads the array element by element, each at its own point. In map-branch, a
//!   construct in each side reads the array.
//! * *used-once*: the construct that would be duplicated has no other use.
//! * *consumes-nothing*: the statement that moves into a side consumes no array. A construct that writes or
//!   combines into arrays consumes them.
//! * *produced-in-branch*, of branch-map: one side of the branch produces the array that is read after it. A view
//!   of an array that the side produces counts. Otherwise nothing would fuse.
//! * *independent*, of branch-map: the second uses no other result of the first, directly or through the
//!   statements between.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//!
//! ## Ensures
//!
//! Nothing is computed twice, since only one side runs.
//!
//! ## Leaves alone
//!
//! Producers that only one side needs, which `sink` handles. Loops: a producer before a loop would run in every
//! iteration, and a consumer after it needs the last iteration only.
//!
//! ## Costs
//!
//! The code of the construct is duplicated. Linear in the neighbourhood ([`super::graph`]).
//!
//! ## Source
//!
//! Case-of-case, as in Peyton Jones and Santos, "A transformation-based optimiser for Haskell" (Science of
//! Computer Programming 32, 1998), applied to parallel constructs.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, c: bool, x: i32, xs: [n]i32) -> (out1: i32, out2: i32) = {
//!   let as: [n]i32 = screma n { from xs map \(a: i32) -> { let b: i32 = mul a a in b } to map }
//!   let (r: i32, vs: [n]i32) = if c then {
//!     let d: i32 = screma n { from as map \(e: i32) -> e to reduce \(f: i32, g: i32) -> { let h: i32 = add f g in h } (0i32) }
//!     let bs: [n]i32 = screma n { from xs map \(i: i32) -> { let j: i32 = add i x in j } to map }
//!     in (d, bs)
//!   } else {
//!     let k: i32 = screma n { from as map \(l: i32) -> l to reduce \(m: i32, o: i32) -> { let p: i32 = max m o in p } (0i32) }
//!     in (k, xs)
//!   }
//!   let s: i32 = screma n { from vs map \(q: i32) -> q to reduce \(t: i32, u: i32) -> { let v: i32 = add t u in v } (0i32) }
//!   in (r, s)
//! }
//! entry main = main (c, x, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, c_1: bool, x_2: i32, xs_3: [n_0]i32) -> (out1_4: i32, out2_5: i32) = {
//!   let (r_6: i32, s_7: i32) = if c_1 then {
//!     let as_8: [n_0]i32 = screma n_0 {
//!       from xs_3
//!       map \(a_9: i32) -> {
//!         let b_10: i32 = mul a_9 a_9
//!         in b_10
//!       }
//!       to map
//!     }
//!     let d_11: i32 = screma n_0 {
//!       from as_8
//!       map \(e_12: i32) -> e_12
//!       to reduce \(f_13: i32, g_14: i32) -> {
//!         let h_15: i32 = add f_13 g_14
//!         in h_15
//!       } (0i32)
//!     }
//!     let bs_16: [n_0]i32 = screma n_0 {
//!       from xs_3
//!       map \(i_17: i32) -> {
//!         let j_18: i32 = add i_17 x_2
//!         in j_18
//!       }
//!       to map
//!     }
//!     let s_19: i32 = screma n_0 {
//!       from bs_16
//!       map \(q_20: i32) -> q_20
//!       to reduce \(t_21: i32, u_22: i32) -> {
//!         let v_23: i32 = add t_21 u_22
//!         in v_23
//!       } (0i32)
//!     }
//!     in (d_11, s_19)
//!   } else {
//!     let as_24: [n_0]i32 = screma n_0 {
//!       from xs_3
//!       map \(a_25: i32) -> {
//!         let b_26: i32 = mul a_25 a_25
//!         in b_26
//!       }
//!       to map
//!     }
//!     let k_27: i32 = screma n_0 {
//!       from as_24
//!       map \(l_28: i32) -> l_28
//!       to reduce \(m_29: i32, o_30: i32) -> {
//!         let p_31: i32 = max m_29 o_30
//!         in p_31
//!       } (0i32)
//!     }
//!     let s_32: i32 = screma n_0 {
//!       from xs_3
//!       map \(q_33: i32) -> q_33
//!       to reduce \(t_34: i32, u_35: i32) -> {
//!         let v_36: i32 = add t_34 u_35
//!         in v_36
//!       } (0i32)
//!     }
//!     in (k_27, s_32)
//!   }
//!   in (r_6, s_7)
//! }
//! entry main = main (c_1, x_2, xs_3) -> (out1_4, out2_5)
//! ```

use ravel_base::Span;
use ravel_core::{Atom, Body, Exp, Source, Stm, Substitution, Var, VarTable, copy_body, free_in_body};

use super::compose::FusedArrays;
use super::engine::{Fusion, Pair, fuse_all, has};
use super::graph::{Graph, place_of_use, times_used, uses_whole};
use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, POINTWISE};
use crate::sink::CONSUMES_NOTHING;
use crate::{Pass, Premise, Refusal};

/// The pass `fuse-branches`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-branches",
    about: "Moves a producer or a consumer of a branch into both of its sides.",
    rules: &[INTO, AFTER],
    premises: &[
        POINTWISE,
        USED_ONCE,
        CONSUMES_NOTHING,
        PRODUCED_IN_BRANCH,
        INDEPENDENT,
        NO_CONSUMPTION_BETWEEN,
    ],
    run: |program, cx| fuse_all(program, cx, Fusion { has_candidates, partners, pair, compose }),
};

const INTO: &str = "map-branch";
const AFTER: &str = "branch-map";

const USED_ONCE: Premise = Premise {
    name: "used-once",
    about: "the construct that would be duplicated has no other use",
    otherwise: "{} has another use",
};

const PRODUCED_IN_BRANCH: Premise = Premise {
    name: "produced-in-branch",
    about: "one side of the branch produces the array that is read after it",
    otherwise: "neither side of the branch produces {}",
};

/// Whether the body has a branch and a construct.
fn has_candidates(body: &Body) -> bool {
    has(body, 1, |exp| matches!(exp, Exp::If { .. })) && has(body, 1, |exp| matches!(exp, Exp::Screma(_)))
}

/// The producers that a branch reads, or the branches that a construct reads.
fn partners(vars: &VarTable, graph: &Graph, second: usize) -> Vec<usize> {
    match graph.node(second).map(|node| &node.stm.exp) {
        Some(Exp::If { then, otherwise, .. }) => {
            graph.producers(&free_in_body(vars, then) & &free_in_body(vars, otherwise))
        }
        Some(Exp::Screma(screma)) => graph.producers(screma.sources.iter().filter_map(Source::array)),
        _ => Vec::new(),
    }
}

fn pair(vars: &VarTable, graph: &Graph, (first, second): (usize, usize)) -> Option<Pair> {
    match graph.node(second)?.stm.exp {
        Exp::If { .. } => producer_and_branch(vars, graph, first, second),
        _ => branch_and_consumer(vars, graph, first, second),
    }
}

/// A producer and a branch that reads its result in both sides.
fn producer_and_branch(vars: &VarTable, graph: &Graph, first: usize, second: usize) -> Option<Pair> {
    let (producer, branch) = (graph.node(first)?, graph.node(second)?);
    producer.screma()?;
    let Exp::If { then, otherwise, .. } = &branch.stm.exp else { return None };
    let made = &producer.stm.binders;
    let whole = |array: &&Var| {
        let read = [then, otherwise].map(|side| times_read(side, **array));
        let used = times_used(&branch.stm.exp, **array);
        used > 0 && (read.contains(&0) || used != read.iter().sum::<usize>())
    };
    let elsewhere = |array: &&Var| graph.users(**array) > usize::from(branch.uses.contains(*array));
    let refuse = |premise, array: &Var, place| Refusal::of(premise).blame(vars[*array].hint, place);
    let place_of_other_use = |array| place_of_other_use([then, otherwise], array).or(branch.span());
    let missing = (made.iter().find(whole))
        .map(|array| refuse(POINTWISE, array, place_of_other_use(*array)))
        .or_else(|| {
            let array = made.iter().find(elsewhere)?;
            Some(refuse(USED_ONCE, array, None))
        })
        .or_else(|| {
            let place = producer.consumes.first()?;
            Some(refuse(CONSUMES_NOTHING, place, producer.span()))
        });
    let fused = FusedArrays { arrays: made.clone(), gone: made.clone() };
    Pair::of(vars, graph, INTO, (first, second), missing, fused)
}

/// A branch and a consumer of its result.
fn branch_and_consumer(vars: &VarTable, graph: &Graph, first: usize, second: usize) -> Option<Pair> {
    let (branch, consumer) = (graph.node(first)?, graph.node(second)?);
    let screma = consumer.screma()?;
    let Exp::If { then, otherwise, .. } = &branch.stm.exp else { return None };
    let is_source = |binder: &&Var| screma.sources.contains(&Source::Array(**binder));
    let given: Vec<Var> = branch.stm.binders.iter().filter(is_source).copied().collect();
    let refuse = |premise, array: Var, place| Refusal::of(premise).blame(vars[array].hint, place);
    let is_made = |array: &Var| {
        let at = branch.stm.binders.iter().position(|binder| binder == array);
        at.is_some_and(|at| [then, otherwise].into_iter().any(|side| makes(side, side.result[at])))
    };
    let missing = (given.iter().find(|&&array| consumer.uses_whole(array)))
        .map(|&array| refuse(POINTWISE, array, consumer.place_of_use(array)))
        .or_else(|| {
            let array = given.iter().find(|&&array| graph.users(array) > 1)?;
            Some(refuse(USED_ONCE, *array, None))
        })
        .or_else(|| {
            let place = consumer.consumes.first()?;
            Some(refuse(CONSUMES_NOTHING, *place, consumer.span()))
        })
        .or_else(|| {
            let array = given.first().filter(|_| !given.iter().any(is_made))?;
            Some(refuse(PRODUCED_IN_BRANCH, *array, branch.span()))
        });
    let fused = FusedArrays { arrays: given.clone(), gone: given };
    Pair::of(vars, graph, AFTER, (first, second), missing, fused)
}

/// The place of the first use of an array in the sides that does not read it as a source. A nested branch is searched
/// too; if the use has no place there, it is the place of the nested branch.
fn place_of_other_use(sides: [&Body; 2], array: Var) -> Option<Span> {
    let mut statements = sides.into_iter().flat_map(|side| &side.stms);
    let whole = statements.find(|stm| uses_whole(stm, array))?;
    match &whole.exp {
        Exp::If { then, otherwise, .. } => {
            place_of_other_use([then, otherwise], array).or(whole.origin.place())
        }
        _ => place_of_use(whole, array),
    }
}

/// The number of constructs of a body that have the array as a source.
fn times_read(body: &Body, array: Var) -> usize {
    let scremas = body.stms.iter().filter_map(|stm| match &stm.exp {
        Exp::Screma(screma) => Some(&screma.sources),
        _ => None,
    });
    scremas.flatten().filter(|source| **source == Source::Array(array)).count()
}

/// Whether the body binds this value to something that fusion can rewrite.
fn makes(body: &Body, value: Atom) -> bool {
    let Some(var) = value.var() else { return false };
    let made = body.stms.iter().find(|stm| stm.binders.contains(&var));
    made.is_some_and(|stm| {
        matches!(
            stm.exp,
            Exp::Screma(_)
                | Exp::Stream(_)
                | Exp::If { .. }
                | Exp::Iota { .. }
                | Exp::Replicate { .. }
                | Exp::Slice(..)
                | Exp::Rearrange(..)
                | Exp::Reshape(_)
        )
    })
}

/// The fused branch.
fn compose(vars: &mut VarTable, first: Stm, second: Stm, fused: &FusedArrays) -> Option<(Vec<Var>, Exp)> {
    match (first, second) {
        (producer, Stm { binders, exp: Exp::If { cond, mut then, mut otherwise }, .. }) => {
            let (copied, names) = copy(vars, &producer, Substitution::new());
            let names: Substitution = producer.binders.iter().copied().zip(names).collect();
            names.body(vars, &mut otherwise);
            then.stms.insert(0, producer);
            otherwise.stms.insert(0, copied);
            Some((binders, Exp::If { cond, then, otherwise }))
        }
        (Stm { binders, exp: Exp::If { cond, then, otherwise }, .. }, consumer) => {
            let mut sides = [then, otherwise].map(|mut side| {
                let given = binders.iter().copied().zip(side.result.iter().copied()).collect();
                let (copied, results) = copy(vars, &consumer, given);
                side.stms.push(copied);
                let kept = binders.iter().zip(side.result).filter(|(binder, _)| !fused.gone.contains(binder));
                side.result = kept.map(|(_, atom)| atom).chain(results).collect();
                side
            });
            let [then, otherwise] = sides.each_mut().map(std::mem::take);
            let kept = binders.into_iter().filter(|binder| !fused.gone.contains(binder));
            let binders = kept.chain(consumer.binders).collect();
            Some((binders, Exp::If { cond, then, otherwise }))
        }
        _ => None,
    }
}

/// A copy of a statement with fresh variables, and the copies of its results.
fn copy(vars: &mut VarTable, stm: &Stm, substitution: Substitution) -> (Stm, Vec<Atom>) {
    let result = stm.binders.iter().copied().map(Atom::Var).collect();
    let body = Body { stms: vec![stm.clone()], result };
    let mut copied = copy_body(vars, None, substitution, &body);
    let stm = copied.stms.pop().unwrap_or_else(|| stm.clone());
    (stm, copied.result)
}

#[cfg(test)]
mod tests;
