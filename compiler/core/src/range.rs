//! Range analysis: bounds on integer values, used to remove checks that always hold.
//!
//! Every integer has an interval of constants, and bounds that name other values: `x <= y + c` and `x >= y + c`, in
//! unbounded arithmetic. The bounds come from
//!
//! * definitions: arithmetic that cannot overflow, minima, remainders, …;
//! * products (`product.rs`);
//! * binders: a counter is below the loop's bound, a point of a Screma below its width, and a chunk
//!   of a stream is not empty;
//! * checks: the values that an [`Exp::Assert`] returns satisfy its condition. Its operands need not, because a use of
//!   an operand does not depend on the check;
//! * control flow: the condition of a branch holds in its body, and a loop's bound or a construct's width is positive
//!   inside the loop's body or the construct's lambda;
//! * parameters: arrays from outside have sizes that are not negative.
//!
//! ## Dependence on checks
//!
//! A check is removed if its results are unused, and a rewrite may remove their last use. For example, let `j` be the
//! result of a check of `i`. A rewrite may turn `a <= j` into `a <= i`, `min a j` into `a`, and `j - j` into 0. So there
//! are two layers (`layer.rs`):
//!
//! * The first layer ignores the conditions of checks. All queries but [`Ranges::proof`] and [`Ranges::at_most_for`] use
//!   it, so their answers hold whether or not any check is made.
//! * The second layer also knows the conditions, and records the checks that each fact depends on. [`Ranges::proof`]
//!   returns these checks. A pass that uses a proof must make the guarded code depend on them, by passing its operands
//!   through them. [`Ranges::at_most_for`] answers for operands that already depend on them.
//!
//! A size in a binder's type does not prove that the size is not negative. This holds for parameters of loops and lambdas
//! too: the check of the size may come later, or be removed with the parameter.
//!
//! The client calls [`Ranges::define`] for each statement, and [`Ranges::enter`] and [`Ranges::leave`] around each body.
//!
//! ## Not handled
//!
//! * facts that need induction over iterations, such as the two ends of a binary search;
//! * results of loops and calls;
//! * quotients and products such as `k / (m * l)` and `i * (m * l)`, because `m * l` may overflow. The check that it does
//!   not is a separate statement, and an index computed from the product does not depend on that statement;
//! * facts about the result of a branch that come from a check inside the branch;
//! * facts that need a chain of more than a few bounds.

mod define;
mod layer;
mod product;
mod visitor;

pub use visitor::VisitWithFacts;

use ravel_prim::{CmpOp, PrimType, PrimValue, convert};
use rustc_hash::FxHashMap;

use crate::builder::atom_type;
use crate::syntax::*;
use layer::Layer;

/// The integers from `least` to `greatest`, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub least: i128,
    /// The upper end.
    pub greatest: i128,
}

impl Interval {
    /// All values of a type; `None` if it is not an integer type.
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

    /// A single number.
    fn point(value: i128) -> Interval {
        Interval { least: value, greatest: value }
    }

    /// Whether the interval is contained in the other.
    pub fn is_within(self, other: Interval) -> bool {
        other.least <= self.least && self.greatest <= other.greatest
    }
}

/// The bounds of the integers in scope.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// Facts that hold without any check.
    sure: Layer,
    /// Facts that may depend on checks: the results of a check satisfy its condition.
    checked: Layer,
    /// For each result of a check: the check, named by its first binder, and the operand.
    returned: FxHashMap<Var, (Var, Atom)>,
}

impl Default for Ranges {
    fn default() -> Ranges {
        Ranges { sure: Layer::new(false), checked: Layer::new(true), returned: FxHashMap::default() }
    }
}

/// The state when a body was entered.
#[derive(Debug)]
pub struct Mark([layer::Mark; 2]);

impl Ranges {
    fn layers(&mut self) -> [&mut Layer; 2] {
        [&mut self.sure, &mut self.checked]
    }

    /// Enters a body. At its end, pass the mark to [`Ranges::leave`].
    pub fn enter(&self) -> Mark {
        Mark([self.sure.enter(), self.checked.enter()])
    }

    /// Removes the facts that hold only in the body.
    pub fn leave(&mut self, mark: Mark) {
        self.layers().into_iter().zip(mark.0).for_each(|(layer, mark)| layer.leave(mark));
    }

    /// Removes the facts about a variable, because its statement has moved to a place where fewer facts hold.
    pub fn forget(&mut self, var: Var) {
        self.layers().into_iter().for_each(|layer| layer.forget(var));
        self.returned.remove(&var);
    }

    /// Records the facts that a statement defines.
    pub fn define(&mut self, vars: &VarTable, stm: &Stm) {
        self.layers().into_iter().for_each(|layer| layer.define(vars, stm));
        self.checked.fall_back(&self.sure, &stm.binders);
        if let Exp::Assert { values, .. } = &stm.exp {
            let returned = stm.binders.iter().zip(values);
            self.returned.extend(returned.map(|(&binder, &value)| (binder, (stm.binders[0], value))));
        }
    }

    /// The interval of an atom; `None` if it is not an integer.
    pub fn interval(&self, vars: &VarTable, atom: Atom) -> Option<Interval> {
        self.sure.interval(vars, atom)
    }

    /// Whether the value of this integer fits an i32.
    pub fn fits_32_bits(&self, vars: &VarTable, atom: Atom) -> bool {
        let narrow = Interval::of(PrimType::I32);
        narrow.is_some_and(|narrow| self.interval(vars, atom).is_some_and(|range| range.is_within(narrow)))
    }

    /// Whether `a <= b + more` certainly holds.
    pub fn at_most(&self, vars: &VarTable, a: Atom, b: Atom, more: i128) -> bool {
        self.sure.at_most(vars, a, b, more)
    }

    /// As [`Ranges::at_most`], but may also rely on the checks whose results these operands are.
    pub fn at_most_for(&self, vars: &VarTable, operands: &[Atom], a: Atom, b: Atom, more: i128) -> bool {
        let is_dependency = |check: &Var| operands.iter().any(|&operand| self.depends_on(operand, *check));
        let with_checks = || self.checked.with_dependencies(|layer| layer.at_most(vars, a, b, more));
        self.at_most(vars, a, b, more)
            || matches!(with_checks(), (true, checks) if checks.iter().all(is_dependency))
    }

    /// The result of a comparison of integers, if it is certain.
    pub fn compare(&self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom) -> Option<bool> {
        self.sure.compare(vars, op, a, b)
    }

    /// The value of a condition, if it is certain.
    pub fn truth(&self, vars: &VarTable, cond: Atom) -> Option<bool> {
        self.sure.truth(vars, cond)
    }

    /// The checks that together imply the condition, each named by its first binder. The list is empty if the condition
    /// holds without any check; `None` if it is not known to hold. The results of these checks are in scope.
    pub fn proof(&self, vars: &VarTable, cond: Atom) -> Option<Vec<Var>> {
        if self.truth(vars, cond) == Some(true) {
            return Some(Vec::new());
        }
        let (truth, checks) = self.checked.with_dependencies(|layer| layer.truth(vars, cond));
        (truth == Some(true)).then_some(checks)
    }

    /// Whether this atom is a result of the check, directly or through later checks.
    pub fn depends_on(&self, atom: Atom, check: Var) -> bool {
        self.checks_of(atom).any(|other| other == check)
    }

    /// The checks through which this value passed, the latest first.
    pub fn checks_of(&self, atom: Atom) -> impl Iterator<Item = Var> {
        self.passed(atom).map(|(check, _)| check)
    }

    /// Whether the later atom is the earlier one, or what checks return of it.
    pub fn is_passed_on(&self, earlier: Atom, later: Atom) -> bool {
        later == earlier || self.passed(later).any(|(_, value)| value == earlier)
    }

    /// The value as it was before the first check that it passed through; the atom itself if there is no check.
    pub fn before_checks(&self, atom: Atom) -> Atom {
        self.passed(atom).last().map_or(atom, |(_, value)| value)
    }

    /// The checks through which this value passed, the latest first, each with the value before it.
    fn passed(&self, atom: Atom) -> impl Iterator<Item = (Var, Atom)> {
        let returned = |atom: Atom| self.returned.get(&atom.var()?).copied();
        std::iter::successors(returned(atom), move |&(_, value)| returned(value))
    }

    /// Assumes that the condition has this value until the end of the body.
    pub fn assume(&mut self, vars: &VarTable, cond: Atom, truth: bool) {
        self.layers().into_iter().for_each(|layer| layer.assume(vars, cond, truth));
    }

    /// Assumes that the sizes of a function's array parameters are not negative, because callers pass existing arrays.
    pub fn params(&mut self, vars: &VarTable, params: impl IntoIterator<Item = Var>) {
        for size in params.into_iter().flat_map(|param| &vars[param].ty.shape) {
            self.narrow(vars, Atom::i64(0), *size, 0);
        }
    }

    /// Assumes the facts of a loop body: the bound is positive, and the counter is below it.
    pub fn loop_exp(&mut self, vars: &VarTable, looped: &Loop) {
        if let LoopForm::For { index, bound } = looped.form {
            let ty = vars[index].ty.elem;
            let zero = Atom::Const(PrimValue::zero(ty));
            self.narrow(vars, zero, bound, -1);
            self.narrow(vars, zero, Atom::Var(index), 0);
            self.narrow(vars, Atom::Var(index), bound, -1);
        }
    }

    /// Assumes the facts of a Screma's map lambda: the width is positive, and an iota from 0 by 1 is below it.
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

    /// Assumes the facts of a segment's map lambda: every size is positive, and every counter is below its size.
    pub fn point_of(&mut self, vars: &VarTable, segment: &Segment) {
        for (counter, size) in segment.space() {
            self.narrow(vars, Atom::i64(0), size, -1);
            self.narrow(vars, Atom::i64(0), Atom::Var(counter), 0);
            self.narrow(vars, Atom::Var(counter), size, -1);
        }
        self.point(vars, &segment.screma);
    }

    /// Assumes the facts of a stream's chunk function: the chunk lies within the width. It is not empty, unless
    /// [`Stream::has_empty_chunk`] holds.
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

/// The value of an integer constant.
fn constant(value: PrimValue) -> Option<i128> {
    match value {
        PrimValue::U64(value) => Some(i128::from(value)),
        _ if value.ty().is_integer() => convert(value, PrimType::I64).as_i64().map(i128::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
