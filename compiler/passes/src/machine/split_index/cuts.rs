//! The cuts of a counted loop.
//!
//! A cut is a limit, a value of the counter, at which a condition on the counter changes its outcome. The iterations from
//! the greatest lower cut to before the least upper cut are the *interior* of the loop. All these conditions have one
//! outcome each in the interior, so its code needs none of them.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimValue};

use super::super::copy::folded;
use super::super::invariants::Invariants;

/// The largest magnitude of a constant that is added to a counter.
const MAX_ADDEND: i64 = 1 << 31;

/// A constant limit is a cut only if it is at most this far from the first or last iteration, or if an assertion compares
/// the counter with the limit.
const NEAR: i64 = 8;

/// A value that the loop does not change, plus a constant.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The value.
    pub value: Atom,
    /// The constant, at most `MAX_ADDEND + 1` in magnitude.
    pub add: i64,
}

/// Maps a scalar to its *base*, if the scalar is the base plus constants. The sums may wrap around, so this serves only to
/// guess which cuts are near an end.
#[derive(Default)]
pub struct ConstantSums(BTreeMap<Var, Var>);

impl ConstantSums {
    /// Records the definition of a scalar.
    pub fn note(&mut self, var: Var, exp: &ScalarExp) {
        if let ScalarExp::Binary(BinOp::Add | BinOp::Sub, Atom::Var(of), Atom::Const(_))
        | ScalarExp::Binary(BinOp::Add, Atom::Const(_), Atom::Var(of)) = *exp
        {
            self.0.insert(var, self.base(of));
        }
    }

    fn base(&self, var: Var) -> Var {
        self.0.get(&var).copied().unwrap_or(var)
    }

    /// Whether two atoms likely lie close to each other.
    fn are_close(&self, a: Atom, b: Atom) -> bool {
        match (a, b) {
            (Atom::Var(a), Atom::Var(b)) => self.base(a) == self.base(b),
            (Atom::Const(a), Atom::Const(b)) => {
                let distance = a.as_i64().zip(b.as_i64()).and_then(|(a, b)| a.checked_sub(b));
                distance.is_some_and(|distance| distance.unsigned_abs() <= NEAR.unsigned_abs())
            }
            _ => false,
        }
    }
}

/// The cuts of a loop, and the values of the conditions in the interior.
pub struct Cuts {
    /// The interior begins at the greatest of these.
    pub lower: Vec<Limit>,
    /// The interior ends before the least of these.
    pub upper: Vec<Limit>,
    /// For scalars that are decided in the interior, the atoms that they equal there.
    pub known: BTreeMap<Var, Atom>,
    /// How much the interior saves: 1 for a comparison or clamp, 2 for a check or branch.
    gain: u64,
}

impl Cuts {
    /// The cuts of a loop with this counter, bound and body.
    pub fn of<L: Level>(
        index: Var,
        bound: Atom,
        body: &Body<L>,
        invariants: &Invariants,
        constant_sums: &ConstantSums,
    ) -> Cuts {
        let mut finder = Finder {
            bound,
            invariants,
            constant_sums,
            sums: BTreeMap::from([(index, 0)]),
            asserted: BTreeSet::new(),
            cuts: Cuts { lower: Vec::new(), upper: Vec::new(), known: BTreeMap::new(), gain: 0 },
        };
        finder.asserted(body);
        finder.body(body);
        finder.cuts
    }

    /// Whether the interior saves more than one clamp or comparison.
    pub fn save_enough(&self) -> bool {
        self.gain > 1
    }
}

struct Finder<'a> {
    bound: Atom,
    invariants: &'a Invariants,
    constant_sums: &'a ConstantSums,
    /// The scalars that equal the counter plus a constant in the interior.
    sums: BTreeMap<Var, i64>,
    /// The conditions that must hold for an assertion to hold.
    asserted: BTreeSet<Var>,
    cuts: Cuts,
}

impl Finder<'_> {
    /// Finds the conditions that must hold for the assertions of a body to hold.
    fn asserted<L: Level>(&mut self, body: &Body<L>) {
        for step in body.stms.iter().rev() {
            match &step.stm {
                Stm::Assert { cond: Atom::Var(cond), .. } => _ = self.asserted.insert(*cond),
                Stm::Let { var, exp } if self.asserted.contains(var) => {
                    if let ScalarExp::Binary(BinOp::And, a, b) = *exp {
                        self.asserted.extend([a, b].map(Atom::var).iter().flatten());
                    }
                }
                Stm::If { then, otherwise, .. } => {
                    self.asserted(then);
                    self.asserted(otherwise);
                }
                Stm::Loop { .. } | Stm::Segment(_) | stm_without_bodies!() => (),
            }
        }
    }

    fn body<L: Level>(&mut self, body: &Body<L>) {
        for step in &body.stms {
            match &step.stm {
                Stm::Let { var, exp } => self.scalar(*var, exp),
                Stm::Assert { cond, .. } if self.interior_value(*cond) == Atom::bool(true) => {
                    self.cuts.gain += 2
                }
                Stm::If { binders, cond, then, otherwise } => match self.interior_value(*cond) {
                    Atom::Const(PrimValue::Bool(cond)) => {
                        self.cuts.gain += 2;
                        let side = if cond { then } else { otherwise };
                        self.body(side);
                        binders.iter().zip(&side.result).for_each(|(&var, &value)| self.bind(var, value));
                    }
                    _ => {
                        self.body(then);
                        self.body(otherwise);
                    }
                },
                Stm::Loop { .. } | Stm::Segment(_) | stm_without_bodies!() => (),
            }
        }
    }

    /// The atom that a given one equals in the interior, or the given one if no other is known.
    fn interior_value(&self, atom: Atom) -> Atom {
        atom.var().and_then(|var| self.cuts.known.get(&var)).copied().unwrap_or(atom)
    }

    /// The constant that is added to the counter to get this atom.
    fn sum(&self, atom: Atom) -> Option<i64> {
        self.sums.get(&atom.var()?).copied()
    }

    /// Records that a scalar equals this atom in the interior.
    fn bind(&mut self, var: Var, value: Atom) {
        let value = self.interior_value(value);
        self.cuts.known.insert(var, value);
        if let Some(sum) = self.sum(value) {
            self.sums.insert(var, sum);
        }
    }

    fn scalar(&mut self, var: Var, exp: &ScalarExp) {
        let mut exp = exp.clone();
        exp.operands_mut().into_iter().for_each(|operand| *operand = self.interior_value(*operand));
        if let Some(value) = folded(&exp) {
            return self.bind(var, value);
        }
        match exp {
            ScalarExp::Binary(BinOp::Add, a, Atom::Const(add))
            | ScalarExp::Binary(BinOp::Add, Atom::Const(add), a) => {
                self.add(var, a, add.as_i64());
            }
            ScalarExp::Binary(BinOp::Sub, a, Atom::Const(subtract)) => {
                self.add(var, a, subtract.as_i64().and_then(i64::checked_neg));
            }
            ScalarExp::Binary(BinOp::Sub, a, b) => {
                if let (Some(a), Some(b)) = (self.sum(a), self.sum(b)) {
                    self.bind(var, Atom::i64(a - b));
                }
            }
            ScalarExp::Binary(op @ (BinOp::Min | BinOp::Max), a, b) => {
                if let Some(a_is_less) = self.compare(CmpOp::Le, a, b, None) {
                    self.cuts.gain += 1;
                    self.bind(var, if a_is_less == (op == BinOp::Min) { a } else { b });
                }
            }
            ScalarExp::Compare(op, a, b) => {
                let needed = self.asserted.contains(&var).then_some(true);
                if let Some(outcome) = self.compare(op, a, b, needed) {
                    self.cuts.gain += 1;
                    self.bind(var, Atom::bool(outcome));
                }
            }
            _ => (),
        }
    }

    fn add(&mut self, var: Var, a: Atom, add: Option<i64>) {
        let sum = self.sum(a).zip(add).and_then(|(sum, add)| sum.checked_add(add));
        if let Some(sum) = sum.filter(|sum| sum.abs() <= MAX_ADDEND) {
            self.sums.insert(var, sum);
        }
    }

    /// Decides the outcome of a comparison in the interior, and records the cut that makes it so. `None` if the comparison is
    /// not worth a cut. If an assertion requires an outcome, `needed`, no cut is recorded for the other one.
    fn compare(&mut self, op: CmpOp, a: Atom, b: Atom, needed: Option<bool>) -> Option<bool> {
        match (self.sum(a), self.sum(b)) {
            (Some(a), Some(b)) => ravel_prim::compare(op, PrimValue::I64(a), PrimValue::I64(b)),
            // With the counter k: k + a < b unless k >= b - a.
            (Some(a), None) if self.invariants.contain(b) => match op {
                CmpOp::Lt => self.reaches(b, -a, needed.map(|needed| !needed)).map(|reaches| !reaches),
                CmpOp::Le => self.reaches(b, 1 - a, needed.map(|needed| !needed)).map(|reaches| !reaches),
                CmpOp::Eq | CmpOp::Ne => self.misses(b, -a, op, needed),
            },
            // a < k + b exactly if k >= a - b + 1.
            (None, Some(b)) if self.invariants.contain(a) => match op {
                CmpOp::Lt => self.reaches(a, 1 - b, needed),
                CmpOp::Le => self.reaches(a, -b, needed),
                CmpOp::Eq | CmpOp::Ne => self.misses(a, -b, op, needed),
            },
            _ => None,
        }
    }

    /// Decides whether the counter is at least `value + add` in the interior, and records the cut that makes it so. `None` if
    /// the limit is not worth a cut. A limit of at most 0 needs no cut, because the counter is never negative.
    fn reaches(&mut self, value: Atom, add: i64, needed: Option<bool>) -> Option<bool> {
        let constant = constant(value, add);
        if constant.is_some_and(|least| least <= 0) {
            return Some(true);
        }
        let outcome = needed.or_else(|| match constant {
            Some(least) if least <= NEAR => Some(true),
            _ => self.constant_sums.are_close(value, self.bound).then_some(false),
        })?;
        let limits = if outcome { &mut self.cuts.lower } else { &mut self.cuts.upper };
        match limits.iter_mut().find(|limit| limit.value == value) {
            Some(limit) if outcome => limit.add = limit.add.max(add),
            Some(limit) => limit.add = limit.add.min(add),
            None => limits.push(Limit { value, add }),
        }
        Some(outcome)
    }

    /// Decides that the counter differs from `value + add` in the interior, and records the cut that makes it so. Returns the
    /// outcome of `op`, which is `==` or `!=`. `None` if the limit is not worth a cut, or an assertion requires them to be
    /// equal.
    fn misses(&mut self, value: Atom, add: i64, op: CmpOp, needed: Option<bool>) -> Option<bool> {
        let differ = op == CmpOp::Ne;
        if needed.is_some_and(|needed| needed != differ) {
            return None;
        }
        match constant(value, add) {
            Some(at) if at <= NEAR => self.reaches(value, add + 1, Some(true)),
            _ if self.constant_sums.are_close(value, self.bound) => self.reaches(value, add, Some(false)),
            _ => None,
        }
        .map(|_| differ)
    }
}

/// The sum of a constant atom and a constant, saturated to an i64; `None` for a variable.
fn constant(value: Atom, add: i64) -> Option<i64> {
    match value {
        Atom::Const(value) => Some(value.as_i64()?.saturating_add(add)),
        Atom::Var(_) => None,
    }
}
