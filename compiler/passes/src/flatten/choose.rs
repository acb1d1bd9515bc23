//! # choose: the sizes of a nest decide how much of it runs in parallel
//!
//! ## Rule
//!
//! ```text
//!   ys = screma n { from xss map \xs -> { … screma m { … } … } … }
//!   ---------------------------------------------------------------------------------
//!   few = n < param NEST.points                    too few points for the machine
//!   large = m ≥ param NEST.inner                   enough points inside of each
//!   ys = if few ∧ large then FULL else OUTER
//! ```
//!
//! * *choose*: a nest gets two versions, and a branch of the host chooses one when the program runs.
//!
//! In the version OUTER, each point is a thread, and inner constructs are loops of the threads. In the version FULL, inner
//! constructs run in parallel too, as `distribute` and its sisters make them. OUTER stores nothing in between, so it is the better
//! one if there are enough points for the machine.
//!
//! The two limits are tuning parameters. Their names begin with the name of the function and the number of the nest in it.
//! Their defaults are settings of the target (`outer_points`, `inner_points`). The points are those of OUTER's first segment:
//! perfectly nested maps count together. The inner points are those of any segment of FULL, in the dimensions after those of OUTER.
//!
//! ## Requires
//!
//! `distribute` can fire. If it cannot, it reports its own premise.
//!
//! * *large-inside*: the number of inner points is known before the nest, and may reach the default limit.
//!
//! ## Ensures
//!
//! Every element is computed as before, with one exception: the two versions may combine the values of a reduction in another
//! order. The choice depends on sizes and parameters only, so results do not depend on the number of threads.
//!
//! ## Leaves alone
//!
//! All nests if the target's `outer_points` is 0. Constructs with an attribute that asks for a version (`attributes.rs`).
//!
//! ## Costs
//!
//! The code of a nest is compiled twice, never more often: neither version chooses again. The branch takes no time on the device.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019), whose
//! thresholds compare the parallelism of a version with what the machine can use.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, m: i64, xss: [n][m]f32) -> (out: [n]f32) = {
//!   let sums: [n]f32 = screma n {
//!     from xss
//!     map \(xs: [m]f32) -> {
//!       let sum: f32 = screma m {
//!         from xs
//!         map \(x: f32) -> x
//!         to reduce \(a: f32, b: f32) -> { let c: f32 = add a b in c } (0f32)
//!       }
//!       let root: f32 = sqrt sum
//!       in root
//!     }
//!     to map
//!   }
//!   in sums
//! }
//! entry main = main (n, m, xss) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xss_2: [n_0][m_1]f32) -> (out_3: [n_0]f32) = {
//!   let v4: i64 = param "main.0.points" 16384
//!   let v5: i64 = param "main.0.inner" 512
//!   let v6: i64 = min n_0 v4
//!   let v7: bool = lt v6 v4
//!   let v8: i64 = min m_1 v5
//!   let v9: bool = lt v8 v5
//!   let v10: bool = not v9
//!   let v11: bool = and v7 v10
//!   let sums_12: [n_0]f32 = #[versions(main.0)] if v11 then {
//!     let sum_13: [n_0]f32 = segment grid (v14 < n_0, v15 < m_1) {
//!       map \() -> {
//!         let x_16: f32 = xss_2[v14, v15]
//!         in x_16
//!       }
//!       to reduce \(a_17: f32, b_18: f32) -> {
//!         let c_19: f32 = add a_17 b_18
//!         in c_19
//!       } (0.0f32)
//!     }
//!     let sums_20: [n_0]f32 = #[flattening(full)] segment grid (v21 < n_0) {
//!       map \() -> {
//!         let sum_22: f32 = sum_13[v21]
//!         let root_23: f32 = sqrt sum_22
//!         in root_23
//!       }
//!       to map
//!     }
//!     in sums_20
//!   } else {
//!     let sums_24: [n_0]f32 = segment grid (v25 < n_0) {
//!       map \() -> {
//!         let xs_26: [m_1]f32 = slice xss_2[v25, 0i64 : m_1 : 1i64]
//!         let sum_27: f32 = screma m_1 {
//!           from xs_26
//!           map \(x_28: f32) -> x_28
//!           to reduce \(a_29: f32, b_30: f32) -> {
//!             let c_31: f32 = add a_29 b_30
//!             in c_31
//!           } (0.0f32)
//!         }
//!         let root_32: f32 = sqrt sum_27
//!         in root_32
//!       }
//!       to map
//!     }
//!     in sums_24
//!   }
//!   in sums_12
//! }
//! entry main = main (n_0, m_1, xss_2) -> (out_3)
//! ```

use std::collections::BTreeSet;

use ravel_base::Symbol;
use ravel_core::{
    Atom, Body, Builder, Exp, Stm, Substitution, Var, VarTable, copy_body, free_in_body, versions_attribute,
};
use ravel_kernel::Target;
use ravel_prim::{BinOp, PrimValue, UnOp};

use super::distribute::{DISTRIBUTE, has_constructs};
use super::limits::{constant_product, is_less, limit};
use super::{Flattener, attributes};
use crate::{Cx, Event, Premise, Refusal};

/// The rule.
pub(super) const CHOOSE: &str = "choose";

pub(super) const LARGE_INSIDE: Premise = Premise {
    name: "large-inside",
    about: "the number of inner points is known before the nest, and may reach the default limit",
    otherwise: "the constructs inside are small, or their widths are not known before the nest",
};

/// Whether the rule may apply to this construct of host code.
pub(super) fn may_choose(target: &Target, stm: &Stm) -> bool {
    target.outer_points > 0 && attributes::version(stm).is_none()
}

impl Flattener<'_> {
    /// A branch between two versions of a construct: the given one, in which only the outer construct runs in parallel, and one
    /// in which its inner constructs do too. If the rule does not apply, the given version alone.
    pub(super) fn choose(&mut self, stm: Stm, outer: Vec<Stm>) -> Vec<Stm> {
        let Some(space) = space_of(&outer) else { return outer };
        let Some((full, trial)) = self.worthwhile(&stm, space.len()) else { return outer };
        if !self.cx.fire(CHOOSE, &stm.origin) {
            return outer;
        }
        let then = if self.cx.adopt(trial) { full } else { self.full(&stm) };
        let otherwise =
            Body { stms: outer, result: stm.binders.iter().map(|&binder| Atom::Var(binder)).collect() };
        self.branch(stm, &space, then, otherwise)
    }

    /// The version whose inner constructs run in parallel, if it exists and may pay, with the events of its rules. It has more
    /// than `outer` dimensions.
    fn worthwhile(&mut self, stm: &Stm, outer: usize) -> Option<(Body, Cx)> {
        let mut trial = self.cx.trial();
        let Flattener { vars, summaries, function, nests, .. } = self;
        let (function, nests) = (*function, *nests);
        let mut flattener = Flattener { vars, cx: &mut trial, summaries, function, nests };
        let full = flattener.full(stm);
        let is_distributed = |event: &Event| event.rule == DISTRIBUTE && event.refused.is_none();
        if !trial.events().iter().any(is_distributed) {
            for event in trial.take_events().into_iter().filter(|event| event.rule == DISTRIBUTE) {
                event
                    .refused
                    .into_iter()
                    .for_each(|refusal| self.cx.refuse(DISTRIBUTE, refusal, &event.origin));
            }
            return None;
        }
        let may_be_large = inner_spaces(self.vars, &full, outer)
            .iter()
            .any(|space| constant_product(space).is_none_or(|points| points >= self.cx.target.inner_points));
        if !may_be_large {
            self.cx.refuse(CHOOSE, Refusal::of(LARGE_INSIDE).blame(None, stm.origin.place()), &stm.origin);
        }
        may_be_large.then_some((full, trial))
    }

    /// The version whose inner constructs run in parallel too. It has names of its own.
    fn full(&mut self, stm: &Stm) -> Body {
        let mut stm = stm.clone();
        stm.origin.attributes.push(Symbol::new(attributes::FULL));
        let result = stm.binders.iter().map(|&binder| Atom::Var(binder)).collect();
        let mut copy = copy_body(self.vars, None, Substitution::new(), &Body { stms: vec![stm], result });
        copy.stms = copy.stms.into_iter().flat_map(|stm| self.place(stm)).collect();
        copy
    }

    /// The statements that choose one of the two versions, whose first one is FULL.
    fn branch(&mut self, stm: Stm, space: &[Atom], mut then: Body, otherwise: Body) -> Vec<Stm> {
        let inner = inner_spaces(self.vars, &then, space.len());
        let otherwise = copy_body(self.vars, None, Substitution::new(), &otherwise);
        let before: Vec<Stm> = then.stms.drain(..leading_scalars(&then)).collect();
        let [then, otherwise] = [then, otherwise].map(|version| {
            let mut body = Body { stms: Vec::new(), result: version.result };
            self.push_all(&mut body, version.stms);
            body
        });
        let mut builder = Builder::resume(std::mem::take(self.vars));
        builder.set_origin(stm.origin.inside());
        before.into_iter().for_each(|stm| builder.push(stm));
        let target = &self.cx.target;
        let nest = format!("{}.{}", self.function, self.nests);
        let most = limit(&mut builder, &nest, "points", target.outer_points);
        let least = limit(&mut builder, &nest, "inner", target.inner_points);
        let few = is_less(&mut builder, space, most);
        let small = inner.iter().map(|space| is_less(&mut builder, space, least)).collect::<Vec<Atom>>();
        let all_small = small.into_iter().reduce(|all, one| builder.binary(BinOp::And, all, one));
        let large = builder.unary(UnOp::Not, all_small.unwrap_or(Atom::Const(PrimValue::Bool(true))));
        let cond = builder.binary(BinOp::And, few, large);
        let (vars, mut stms) = builder.finish();
        *self.vars = vars;
        self.nests += 1;
        let mut origin = stm.origin.clone();
        origin.add_rule(CHOOSE);
        origin.attributes.push(versions_attribute(&nest));
        stms.push(Stm { exp: Exp::If { cond, then, otherwise }, origin, ..stm });
        stms
    }
}

/// The space of the first segment whose points have constructs inside, if its sizes are known before the statements.
fn space_of(stms: &[Stm]) -> Option<Vec<Atom>> {
    let bound: BTreeSet<Var> = stms.iter().flat_map(|stm| &stm.binders).copied().collect();
    let mut segments = stms.iter().filter_map(|stm| match &stm.exp {
        Exp::Segment(segment) if has_constructs(&segment.screma.map.body) => Some(segment),
        _ => None,
    });
    let sizes: Vec<Atom> = segments.next()?.space().map(|(_, size)| size).collect();
    let is_bound = |size: &Atom| size.var().is_some_and(|var| bound.contains(&var));
    (!sizes.iter().any(is_bound)).then_some(sizes)
}

/// The sizes of the segments of a version in the dimensions after the first `outer`, each space once: those that are known
/// before the version, or are among the scalars with which it begins.
fn inner_spaces(vars: &VarTable, version: &Body, outer: usize) -> Vec<Vec<Atom>> {
    fn collect(body: &Body, outer: usize, spaces: &mut Vec<Vec<Atom>>) {
        for stm in &body.stms {
            match &stm.exp {
                Exp::Segment(segment) => {
                    spaces.push(segment.space().map(|(_, size)| size).skip(outer).collect())
                }
                Exp::Loop(looped) => collect(&looped.body, outer, spaces),
                Exp::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|side| collect(side, outer, spaces));
                }
                _ => {}
            }
        }
    }
    let rest = Body { stms: version.stms[leading_scalars(version)..].to_vec(), result: Vec::new() };
    let known = free_in_body(vars, &rest);
    let is_known = |size: &Atom| size.var().is_none_or(|var| known.contains(&var));
    let (mut all, mut spaces) = (Vec::new(), Vec::new());
    collect(&rest, outer, &mut all);
    for space in all {
        if !space.is_empty() && space.iter().all(is_known) && !spaces.contains(&space) {
            spaces.push(space);
        }
    }
    spaces
}

/// The number of statements of scalars with which a version begins: `distribute` computes these for all points.
fn leading_scalars(version: &Body) -> usize {
    let is_scalar = |stm: &&Stm| {
        matches!(
            stm.exp,
            Exp::Atom(_)
                | Exp::Param(..)
                | Exp::Unary(..)
                | Exp::Binary(..)
                | Exp::Compare(..)
                | Exp::Convert(..)
        )
    };
    version.stms.iter().take_while(is_scalar).count()
}
