//! The search for what a loop computes slowly and alike for all points.

use std::collections::BTreeSet;

use ravel_core::{Atom, DimSlice, Exp, Loop, LoopForm, Stm, Var, VarTable, free_in_stm};
use ravel_prim::{BinOp, PrimType};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Point, Rewriter, is_long};
use crate::hoist::redefine;

/// What a loop computes slowly that is the same for all points.
pub struct Recurrence {
    /// The parameters of the loop, and the variables of its body.
    pub slow: FxHashSet<Var>,
    /// Those that the rest of the loop reads.
    pub passed: Vec<Var>,
    /// The number of iterations, as a value from outside the point. At the loop, the checks of it have been made.
    pub bound: Atom,
    /// Whether there is an array with an element for each iteration.
    pub is_amortised: bool,
}

/// The parameters of a loop, a bit for each position.
type Params = u64;

impl Recurrence {
    /// The recurrence in a counted loop of a point, if there is one.
    pub fn of(rewriter: &mut Rewriter, point: &Point, looped: &Loop) -> Option<Recurrence> {
        let LoopForm::For { index: counter, bound } = looped.form else { return None };
        let is_i64 = rewriter.vars[counter].ty.elem == PrimType::I64;
        let bound = point.before_checks(bound);
        if !is_i64 || looped.params.len() > Params::BITS as usize || !point.is_outside(bound) {
            return None;
        }
        let needs = Needs::of(rewriter, point, looped, counter);
        let shared = needs.shared(rewriter.vars, point, looped);
        let slow = needs.slow(rewriter.vars, looped, shared);
        let is_kept = |stm: &Stm| !stm.binders.iter().any(|binder| slow.contains(binder));
        let kept =
            || looped.params.iter().zip(&looped.body.result).filter(|((param, _), _)| !slow.contains(param));
        let stms = looped.body.stms.iter().filter(|stm| is_kept(stm));
        let used = stms.flat_map(|stm| free_in_stm(rewriter.vars, stm));
        let used = used.chain(kept().filter_map(|(_, result)| result.var()));
        let passed: BTreeSet<Var> = used.filter(|var| slow.contains(var)).collect();
        // If nothing is left for the loop to return, it must not be left for its checks either.
        let may_end = || {
            let mut rest = looped.body.stms.iter().zip(&needs.stms).filter(|(stm, _)| is_kept(stm));
            rest.all(|(_, needed)| needed.is_some())
        };
        let splits = !slow.is_empty() && (kept().next().is_some() || may_end());
        let is_amortised =
            || looped.body.stms.iter().any(|stm| has_element_for_each(counter, looped, &stm.exp));
        splits.then(|| Recurrence {
            is_amortised: is_amortised(),
            slow,
            passed: passed.into_iter().collect(),
            bound,
        })
    }
}

/// The parameters of a loop that a value depends on; `None` if it may differ from point to point, or if computing it early
/// may fail.
struct Needs {
    of: FxHashMap<Var, Option<Params>>,
    /// The needs of each statement.
    stms: Vec<Option<Params>>,
}

impl Needs {
    fn of(rewriter: &mut Rewriter, point: &Point, looped: &Loop, counter: Var) -> Needs {
        let params = looped.params.iter().enumerate().map(|(at, &(param, _))| (param, Some(1 << at)));
        let mut needs = Needs { of: params.chain([(counter, Some(0))]).collect(), stms: Vec::new() };
        let mark = rewriter.ranges.enter();
        rewriter.ranges.loop_exp(rewriter.vars, looped);
        for stm in &looped.body.stms {
            let mut free = free_in_stm(rewriter.vars, stm).into_iter().map(Atom::Var);
            let needed = free.try_fold(0, |all, atom| Some(all | needs.atom(point, atom)?));
            let needed = needed.filter(|_| rewriter.is_safe_in(point, stm));
            needs.of.extend(stm.binders.iter().map(|&binder| (binder, needed)));
            needs.stms.push(needed);
            redefine(&mut rewriter.ranges, rewriter.vars, stm);
        }
        rewriter.ranges.leave(mark);
        needs
    }

    fn atom(&self, point: &Point, atom: Atom) -> Option<Params> {
        match atom.var().and_then(|var| self.of.get(&var)) {
            Some(&needed) => needed,
            None => point.is_shared(atom).then_some(0),
        }
    }

    /// The greatest set of parameters that begin alike for all points and depend on no others.
    fn shared(&self, vars: &VarTable, point: &Point, looped: &Loop) -> Params {
        let results: Vec<_> = looped.body.result.iter().map(|&result| self.atom(point, result)).collect();
        let is_fixed =
            |&size: &Atom| size.var().is_none_or(|var| !self.of.contains_key(&var)) && point.is_outside(size);
        let begins_alike = |&at: &usize| {
            let (param, init) = looped.params[at];
            point.is_shared(init) && vars[param].ty.shape.iter().all(is_fixed)
        };
        let mut shared = (0..results.len()).filter(begins_alike).fold(0, |all, at| all | 1 << at);
        let differs = |shared: Params, at: usize| {
            shared & 1 << at != 0 && results[at].is_none_or(|needed| needed & !shared != 0)
        };
        while let Some(at) = (0..results.len()).find(|&at| differs(shared, at)) {
            shared &= !(1 << at);
        }
        shared
    }

    /// The variables whose values take long to compute, and all that depend on them, if they need only these parameters.
    fn slow(&self, vars: &VarTable, looped: &Loop, shared: Params) -> FxHashSet<Var> {
        let alike = looped
            .body
            .stms
            .iter()
            .zip(&self.stms)
            .filter(|(_, needed)| needed.is_some_and(|needed| needed & !shared == 0));
        let alike: Vec<(&Stm, BTreeSet<Var>)> = alike.map(|(stm, _)| (stm, free_in_stm(vars, stm))).collect();
        let mut slow = FxHashSet::default();
        loop {
            let before = slow.len();
            for (stm, free) in &alike {
                if is_long(&stm.exp) || free.iter().any(|var| slow.contains(var)) {
                    slow.extend(&stm.binders);
                }
            }
            for (at, (&(param, _), result)) in looped.params.iter().zip(&looped.body.result).enumerate() {
                if shared & 1 << at != 0 && result.var().is_some_and(|result| slow.contains(&result)) {
                    slow.insert(param);
                }
            }
            if slow.len() == before {
                return slow;
            }
        }
    }
}

/// Whether the expression accesses the element of an array at the counter, or at a fixed distance from it.
fn has_element_for_each(counter: Var, looped: &Loop, exp: &Exp) -> bool {
    let first = match exp {
        Exp::Index(_, indices) => indices.first().copied(),
        Exp::Update { slice, .. } => match slice[..] {
            [DimSlice::Fix(index), ..] => Some(index),
            _ => None,
        },
        _ => None,
    };
    let counter = Atom::Var(counter);
    let definition = |atom: Atom| {
        let var = atom.var()?;
        looped.body.stms.iter().find(|stm| stm.binders.contains(&var))
    };
    let returned = |&atom: &Atom| match &definition(atom)?.exp {
        Exp::Assert { values, .. } => values.first().copied(),
        _ => None,
    };
    let is_param = |atom: Atom| looped.params.iter().any(|&(param, _)| Atom::Var(param) == atom);
    let is_fixed = |atom: Atom| atom != counter && !is_param(atom) && definition(atom).is_none();
    let Some(first) = std::iter::successors(first, returned).last() else { return false };
    first == counter
        || definition(first).is_some_and(|stm| match stm.exp {
            Exp::Binary(BinOp::Add, a, b) => a == counter && is_fixed(b) || b == counter && is_fixed(a),
            _ => false,
        })
}
