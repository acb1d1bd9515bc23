//! Ranges: what integers can be, so that checks need not ask.
//!
//! Of every integer there is an interval of constants, and there are bounds that name other
//! values: `x <= y + c`, `x >= y + c`, in numbers without end. They come from
//!
//! * what a value is defined as: arithmetic that cannot wrap around, minima, remainders, …;
//! * what products of others are at most (`product.rs`);
//! * where it is bound: a counter is below its bound, a point of a Screma below its width, a chunk
//!   of a stream is not empty;
//! * what was checked: what an [`Exp::Assert`] hands through satisfies its condition. The condition
//!   says nothing of other values, since whoever does not use the result does not wait for it;
//! * where the code stands: inside of a branch its condition holds, inside of a loop or a lambda
//!   there is at least one round, and arrays that come from outside have sizes.
//!
//! ## What rests on a check
//!
//! A check is there only as long as somebody uses what it hands through, and a use may vanish: where `j` is what a
//! check hands through for `i`, `a <= j` is `a <= i`, `min a j` may be `a`, and `j - j` is 0. So what is known only
//! because something was checked is told apart, in a layer of its own (`layer.rs`), with the checks that it rests on:
//! [`Ranges::proof`] names them, and who takes a proof for granted makes what he guards by it wait for these checks,
//! by handing it through them. All other answers are of the first layer, which takes what a check hands through for
//! what it was. So they would be right if no check were ever made, and whatever is rewritten for their
//! sake is the same whether or not a check that it depended on stays.
//!
//! A size in the type of a binder counts as nothing, in parameters of loops and lambdas too: the check that it is not
//! negative may be yet to come, or go with the parameter. Whoever walks a function tells the analysis what he
//! meets ([`Ranges::define`]), and leaves bodies as he enters them.
//!
//! Leaves alone what only an induction over the rounds of a loop shows, as of the two ends of a binary
//! search; what a loop or a call gives; quotients and positions by a product, as `k / (m * l)` and
//! `i * (m * l)`, which may have wrapped around, as positions by a product may that is no size too large only
//! because that was checked, for they need not wait for the check; that the product of two sizes is no size too large,
//! which is checked once, before it is one; what a side of a branch gives that was checked there; and whatever is more than a few bounds away.

mod define;
mod layer;
mod nested;
mod product;

pub use nested::Ranged;

use ravel_prim::{CmpOp, PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use crate::builder::atom_type;
use crate::syntax::*;
use layer::Layer;

/// The integers from a least to a greatest one, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least one.
    pub least: i128,
    /// The greatest one.
    pub greatest: i128,
}

impl Interval {
    /// All numbers of a type; `None` if it is no type of integers.
    pub fn of(ty: PrimType) -> Option<Interval> {
        let bits = ty.bits();
        if !ty.is_integer() {
            None
        } else if ty.is_signed() {
            Some(Interval { least: -(1 << (bits - 1)), greatest: (1 << (bits - 1)) - 1 })
        } else {
            Some(Interval { least: 0, greatest: (1 << bits) - 1 })
        }
    }

    /// One number.
    fn point(value: i128) -> Interval {
        Interval { least: value, greatest: value }
    }

    /// Are all these numbers in the other interval?
    pub fn is_within(self, other: Interval) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }
}

/// What is known of the integers in scope.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// What holds whatever is checked.
    sure: Layer,
    /// What also holds behind checks, of what waits for them.
    checked: Layer,
    /// What checks hand through: the check, called as what it binds first, and the value.
    handed: FxHashMap<Var, (Var, Atom)>,
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges { sure: Layer::new(false), checked: Layer::new(true), handed: FxHashMap::default() }
    }
}

/// Where a body was entered.
#[derive(Debug)]
pub struct Mark([layer::Mark; 2]);

impl Ranges {
    fn layers(&mut self) -> [&mut Layer; 2] {
        [&mut self.sure, &mut self.checked]
    }

    /// Begins a body; hand the answer to [`Ranges::leave`] at its end.
    pub fn enter(&self) -> Mark {
        Mark([self.sure.enter(), self.checked.enter()])
    }

    /// Forgets what holds only in the body.
    pub fn leave(&mut self, mark: Mark) {
        self.layers().into_iter().zip(mark.0).for_each(|(layer, mark)| layer.leave(mark));
    }

    /// Forgets what is known of a variable, whose statement has moved to where less is known.
    pub fn forget(&mut self, var: Var) {
        self.layers().into_iter().for_each(|layer| layer.forget(var));
        self.handed.remove(&var);
    }

    /// A statement that has been gone over.
    pub fn define(&mut self, vars: &VarTable, stm: &Stm) {
        self.layers().into_iter().for_each(|layer| layer.define(vars, stm));
        self.checked.fall_back(&self.sure, &stm.binders);
        if let Exp::Assert { values, .. } = &stm.exp {
            let handed = stm.binders.iter().zip(values);
            self.handed.extend(handed.map(|(&binder, &value)| (binder, (stm.binders[0], value))));
        }
    }

    /// The interval of an atom; `None` if it is no integer.
    pub fn interval(&self, vars: &VarTable, atom: Atom) -> Option<Interval> {
        self.sure.interval(vars, atom)
    }

    /// Is the value of this integer the same in 32 bits with a sign?
    pub fn fits_32_bits(&self, vars: &VarTable, atom: Atom) -> bool {
        let narrow = Interval::of(PrimType::I32);
        narrow.is_some_and(|narrow| self.interval(vars, atom).is_some_and(|range| range.is_within(narrow)))
    }

    /// Is certainly `a <= b + more`?
    pub fn at_most(&self, vars: &VarTable, a: Atom, b: Atom, more: i128) -> bool {
        self.sure.at_most(vars, a, b, more)
    }

    /// The same where one of these operands is what the checks hand through that it rests on.
    pub fn at_most_for(&self, vars: &VarTable, operands: &[Atom], a: Atom, b: Atom, more: i128) -> bool {
        let waited_for = |check: &Var| operands.iter().any(|&operand| self.waits_for(operand, *check));
        let behind = || self.checked.resting(|layer| layer.at_most(vars, a, b, more));
        self.at_most(vars, a, b, more) || matches!(behind(), (true, checks) if checks.iter().all(waited_for))
    }

    /// What a comparison of integers certainly gives.
    pub fn compare(&self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom) -> Option<bool> {
        self.sure.compare(vars, op, a, b)
    }

    /// What a condition certainly is here.
    pub fn truth(&self, vars: &VarTable, cond: Atom) -> Option<bool> {
        self.sure.truth(vars, cond)
    }

    /// If a condition certainly holds behind some checks, whose results are in scope: these checks, each called as what
    /// it binds first. None if it holds anyway.
    pub fn proof(&self, vars: &VarTable, cond: Atom) -> Option<Vec<Var>> {
        if self.truth(vars, cond) == Some(true) {
            return Some(Vec::new());
        }
        let (truth, checks) = self.checked.resting(|layer| layer.truth(vars, cond));
        (truth == Some(true)).then_some(checks)
    }

    /// Is this what the check hands through, maybe by way of others?
    pub fn waits_for(&self, atom: Atom, check: Var) -> bool {
        self.checks_of(atom).any(|other| other == check)
    }

    /// The checks that hand this through, one what another one does, the last one first.
    pub fn checks_of(&self, atom: Atom) -> impl Iterator<Item = Var> {
        let handed = |atom: Atom| self.handed.get(&atom.var()?).copied();
        std::iter::successors(handed(atom), move |&(_, value)| handed(value)).map(|(check, _)| check)
    }

    /// What the first of the checks that hand this through is given.
    pub fn before_checks(&self, atom: Atom) -> Atom {
        let handed = |atom: Atom| self.handed.get(&atom.var()?).map(|&(_, value)| value);
        std::iter::successors(Some(atom), |&atom| handed(atom)).last().unwrap_or(atom)
    }

    /// From here to the end of the body, the condition is this.
    pub fn assume(&mut self, vars: &VarTable, cond: Atom, truth: bool) {
        self.layers().into_iter().for_each(|layer| layer.assume(vars, cond, truth));
    }

    /// The parameters of a function whose arrays come from outside, and have sizes therefore.
    pub fn params(&mut self, vars: &VarTable, params: impl IntoIterator<Item = Var>) {
        for size in params.into_iter().flat_map(|param| &vars[param].ty.shape) {
            self.narrow(vars, Atom::i64(0), *size, 0);
        }
    }

    /// Inside of the loop: there is a round, and the counter is below the bound.
    pub fn looped(&mut self, vars: &VarTable, looped: &Loop) {
        if let LoopForm::For { index, bound } = looped.form {
            let ty = vars[index].ty.elem;
            let zero = Atom::Const(PrimValue::zero(ty));
            self.narrow(vars, zero, bound, -1);
            self.narrow(vars, zero, Atom::Var(index), 0);
            self.narrow(vars, Atom::Var(index), bound, -1);
        }
    }

    /// Inside of the map lambda of a Screma: there is a point, and an iota from 0 counts it.
    pub fn point(&mut self, vars: &VarTable, screma: &Screma) {
        self.narrow(vars, Atom::i64(0), screma.width, -1);
        for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
            let Source::Iota { start, stride } = *source else { continue };
            let from = self.interval(vars, start);
            let is_point = atom_type(vars, start).elem == PrimType::I64
                && from == Some(Interval::point(0))
                && stride == Atom::i64(1);
            if is_point {
                self.narrow(vars, Atom::i64(0), Atom::Var(param), 0);
                self.narrow(vars, Atom::Var(param), screma.width, -1);
            }
        }
    }

    /// Inside of the map lambda of a segment: there is a point, and every counter is below its size.
    pub fn point_of(&mut self, vars: &VarTable, segment: &Segment) {
        for (counter, size) in segment.space() {
            self.narrow(vars, Atom::i64(0), size, -1);
            self.narrow(vars, Atom::i64(0), Atom::Var(counter), 0);
            self.narrow(vars, Atom::Var(counter), size, -1);
        }
        self.point(vars, &segment.screma);
    }

    /// Inside of the function of a stream: a chunk lies within the width, and has an element unless
    /// there is one even of none.
    pub fn chunk(&mut self, vars: &VarTable, stream: &Stream) {
        let [size, start, ..] = stream.chunk.params[..] else { return };
        let elements = if stream.has_empty_chunk() { 0 } else { 1 };
        self.narrow(vars, Atom::i64(elements), Atom::Var(size), 0);
        self.narrow(vars, Atom::Var(size), stream.width, 0);
        self.narrow(vars, Atom::i64(0), Atom::Var(start), 0);
        self.narrow(vars, Atom::Var(start), stream.width, -i128::from(elements));
    }

    fn narrow(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128) {
        self.layers().into_iter().for_each(|layer| layer.narrow(vars, a, b, more));
    }
}

/// The value of a constant that is an integer.
fn constant(value: PrimValue) -> Option<i128> {
    match value {
        PrimValue::U64(value) => Some(i128::from(value)),
        _ if value.ty().is_integer() => convert(value, PrimType::I64).as_i64().map(i128::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
