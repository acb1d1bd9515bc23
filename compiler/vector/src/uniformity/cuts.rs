//! Cuts: where conditions on the innermost counter change along a row.
//!
//! A *cut* is a comparison, minimum or maximum of `k + c` and `v`. Here `k` is the innermost counter, `c` a small
//! constant, and `v` a scalar that is known before the first strip of a row. A strip is in the *interior* if no cut of
//! the thread lies in it:
//!
//! | cut | a strip is in the interior if | there the expression is |
//! | --- | --- | --- |
//! | `k + c = v`, `k + c ≠ v` | no lane has `k + c = v` | false, true |
//! | `k + c < v`, `≤`, or the other way round | no lane has `k + c = v` | the same in all lanes |
//! | `min(k + c, v)` | no lane has `v < k + c` | `k + c` |
//! | `max(k + c, v)` | no lane has `k + c < v` | `k + c` |
//!
//! In the second row, the values of `k + c` in the lanes are consecutive numbers, so they are on one side of `v`.
//! They do not wrap around, because no segment reaches its point 2^63 - [`MAX_OFFSET`].

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::{Atom, ScalarExp, Var};
use ravel_prim::{BinOp, CmpOp};

use super::UniformityAnalysis;

/// The largest `c`.
const MAX_OFFSET: u64 = 1 << 32;

/// A cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The scalar `k + c`.
    pub point: Atom,
    /// The constant `c`.
    pub offset: i64,
    /// The scalar `v`.
    pub fixed: Atom,
    /// The operator.
    pub kind: CutKind,
}

/// The operator of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutKind {
    /// A comparison.
    Compare(CmpOp),
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

/// The scalars of a thread that cuts compare.
pub(super) struct Offsets {
    /// The constant `c` of each scalar `k + c`.
    offsets: BTreeMap<Var, i64>,
    /// The scalars of the body that are known before the first strip of a row.
    fixed: BTreeSet<Var>,
    /// The comparisons at cuts that have this outcome in the interior.
    outcomes: BTreeMap<Var, bool>,
    /// Whether there is a cut.
    has_cuts: bool,
}

impl Offsets {
    /// Those of a body before its first statement.
    pub fn of(counter: Var) -> Offsets {
        let offsets = BTreeMap::from([(counter, 0)]);
        Offsets { offsets, fixed: BTreeSet::new(), outcomes: BTreeMap::new(), has_cuts: false }
    }
}

impl UniformityAnalysis<'_> {
    /// Whether the analysis is about strips in the interior.
    pub fn is_interior(&self) -> bool {
        self.interior
    }

    /// Whether the thread has cuts.
    pub fn has_cuts(&self) -> bool {
        self.offsets.has_cuts
    }

    /// If strips are in the interior, and this scalar therefore has one outcome: the outcome.
    pub fn outcome(&self, cond: Atom) -> Option<bool> {
        cond.var().and_then(|var| self.offsets.outcomes.get(&var).copied())
    }

    /// If strips are in the interior, and the expression therefore equals an atom: the atom.
    pub fn interior_value(&self, exp: &ScalarExp) -> Option<Atom> {
        if let ScalarExp::Select(cond, yes, no) = *exp {
            return self.outcome(cond).map(|outcome| if outcome { yes } else { no });
        }
        let cut = self.cut(exp).filter(|_| self.interior)?;
        (!matches!(cut.kind, CutKind::Compare(_))).then_some(cut.point)
    }

    /// The cut that an expression is.
    pub fn cut(&self, exp: &ScalarExp) -> Option<Cut> {
        if self.speculation(exp).is_some() {
            return None;
        }
        let (kind, a, b) = match *exp {
            ScalarExp::Compare(op, a, b) => (CutKind::Compare(op), a, b),
            ScalarExp::Binary(BinOp::Min, a, b) => (CutKind::Min, a, b),
            ScalarExp::Binary(BinOp::Max, a, b) => (CutKind::Max, a, b),
            _ => return None,
        };
        [(a, b), (b, a)].into_iter().find_map(|(point, fixed)| {
            let offset = *self.offsets.offsets.get(&point.var()?)?;
            self.is_fixed(fixed).then_some(Cut { point, offset, fixed, kind })
        })
    }

    /// Whether an atom is known before the first strip of a row.
    fn is_fixed(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.offsets.fixed.contains(&var) || !self.known.contains_key(&var))
    }

    /// Notes what a scalar is that has just been bound to an expression.
    pub(super) fn note_offset(&mut self, var: Var, exp: &ScalarExp) {
        if let Some(cut) = self.cut(exp) {
            self.offsets.has_cuts = true;
            let outcome = match cut.kind {
                CutKind::Compare(CmpOp::Eq) => Some(false),
                CutKind::Compare(CmpOp::Ne) => Some(true),
                _ => None,
            };
            if let Some(outcome) = outcome.filter(|_| self.interior) {
                self.offsets.outcomes.insert(var, outcome);
            }
        }
        if exp.operands().into_iter().all(|operand| self.is_fixed(operand)) {
            self.offsets.fixed.insert(var);
        }
        if let Some(offset) = self.offset(exp) {
            self.offsets.offsets.insert(var, offset);
        }
    }

    /// The constant `c` of an expression that equals `k + c`.
    fn offset(&self, exp: &ScalarExp) -> Option<i64> {
        let of = |atom: Atom| self.offsets.offsets.get(&atom.var()?).copied();
        let constant = |atom: Atom| match atom {
            Atom::Const(constant) => constant.as_i64(),
            Atom::Var(_) => None,
        };
        let sum = match *exp {
            ScalarExp::Atom(atom) => of(atom),
            ScalarExp::Binary(BinOp::Add, a, b) => match constant(a) {
                Some(a) => of(b)?.checked_add(a),
                None => of(a)?.checked_add(constant(b)?),
            },
            ScalarExp::Binary(BinOp::Sub, a, b) => of(a)?.checked_sub(constant(b)?),
            _ => self.interior_value(exp).and_then(of),
        };
        sum.filter(|sum| sum.unsigned_abs() <= MAX_OFFSET)
    }
}
