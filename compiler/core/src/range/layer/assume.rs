//! Assumptions: facts that hold until the end of a body.

use ravel_prim::CmpOp;

use super::super::Interval;
use super::{Fact, LONGEST_PATH, Layer, MAX_BOUNDS, MAX_CHECKS, Range, unite};
use crate::syntax::*;

/// The greatest depth of `and`, `or` and `not` to which an assumed condition is taken apart. In a chain of a thousand
/// conditions each one is assumed to hold or to fail, together with all those before it.
const DEEPEST_ASSUMPTION: usize = 64;

impl Layer {
    /// Assumes until the end of the body that a condition has this value.
    pub fn assume(&mut self, vars: &VarTable, cond: Atom, truth: bool) {
        self.assume_parts(vars, cond, truth, DEEPEST_ASSUMPTION);
    }

    fn assume_parts(&mut self, vars: &VarTable, cond: Atom, truth: bool, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let Some(fact) = self.value(cond).var().and_then(|var| self.facts.get(&var).copied()) else { return };
        match (fact, truth) {
            (Fact::Both(a, b), true) | (Fact::Either(a, b), false) => {
                self.assume_parts(vars, a, truth, depth);
                self.assume_parts(vars, b, truth, depth);
            }
            (Fact::Not(a), _) => self.assume_parts(vars, a, !truth, depth),
            (Fact::Compare(op, a, b), _) => self.assume_comparison(vars, op, a, b, truth),
            _ => {}
        }
    }

    fn assume_comparison(&mut self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom, truth: bool) {
        match (op, truth) {
            (CmpOp::Lt, true) => self.narrow(vars, a, b, -1),
            (CmpOp::Lt, false) => self.narrow(vars, b, a, 0),
            (CmpOp::Le, true) => self.narrow(vars, a, b, 0),
            (CmpOp::Le, false) => self.narrow(vars, b, a, -1),
            (CmpOp::Eq, true) | (CmpOp::Ne, false) => {
                self.narrow(vars, a, b, 0);
                self.narrow(vars, b, a, 0);
            }
            (CmpOp::Eq, false) | (CmpOp::Ne, true) => {
                let (below, checks) = self.with_dependencies(|layer| layer.at_most(vars, a, b, 0));
                if below {
                    return self.narrow_after(vars, a, b, -1, &checks);
                }
                let (above, checks) = self.with_dependencies(|layer| layer.at_most(vars, b, a, 0));
                if above {
                    self.narrow_after(vars, b, a, -1, &checks);
                }
            }
        }
    }

    /// Assumes `a <= b + more` until the end of the body.
    pub fn narrow(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128) {
        self.narrow_after(vars, a, b, more, &[]);
    }

    /// As [`Layer::narrow`], for a fact that depends on these checks.
    fn narrow_after(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128, checks: &[Var]) {
        let (from, from_checks) = self.with_dependencies(|layer| layer.interval(vars, a));
        let (to, to_checks) = self.with_dependencies(|layer| layer.interval(vars, b));
        let (Some(from), Some(to)) = (from, to) else { return };
        let top = Interval { greatest: from.greatest.min(to.greatest + more), ..from };
        let from_other = if top == from { &[][..] } else { &to_checks };
        self.refine(a, top, &[checks, from_other], |range| {
            (range.at_most.len() < MAX_BOUNDS).then(|| range.at_most.push((b, more)))
        });
        let bottom = Interval { least: to.least.max(from.least - more), ..to };
        let from_other = if bottom == to { &[][..] } else { &from_checks };
        self.refine(b, bottom, &[checks, from_other], |range| {
            (range.at_least.len() < MAX_BOUNDS).then(|| range.at_least.push((a, -more)))
        });
        if bottom.least >= 1 {
            self.assume_nonzero_factors(vars, b, LONGEST_PATH);
        }
    }

    /// Assumes until the end of the body that a value lies in this interval, and adds bounds to its range with `add`.
    /// If this depends on too many checks, assumes nothing.
    pub fn refine(
        &mut self,
        atom: Atom,
        interval: Interval,
        checks: &[&[Var]],
        add: impl FnOnce(&mut Range) -> Option<()>,
    ) {
        let Atom::Var(var) = atom else { return };
        let before = self.ranges.get(&var).cloned();
        let mut range = before.clone().unwrap_or_else(|| Range::of(interval));
        checks.iter().for_each(|checks| unite(&mut range.checks, checks));
        if range.checks.len() > MAX_CHECKS {
            return;
        }
        self.undo_log.push((var, before));
        range.interval = interval;
        let _ = add(&mut range);
        self.ranges.insert(var, range);
    }
}
