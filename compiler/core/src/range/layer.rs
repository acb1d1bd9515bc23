//! A layer: the ranges of the integers in scope. There are two layers. One ignores checks; the other trusts them,
//! which means that the results of a check satisfy its condition.
//!
//! In the layer that trusts checks, every range lists the checks that it depends on. A query collects the checks of the
//! ranges that it reads ([`Layer::with_dependencies`]); a search that fails drops those it has collected. A range that
//! depends on more than [`MAX_CHECKS`] checks is not recorded.

mod assume;

use std::cell::RefCell;

use ravel_prim::{BinOp, CmpOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Interval, constant, product};
use crate::syntax::*;

/// A bound: this atom plus this number.
pub(super) type Bound = (Atom, i128);

/// The range of one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub interval: Interval,
    pub at_most: Vec<Bound>,
    pub at_least: Vec<Bound>,
    /// The checks that the range depends on.
    pub checks: Vec<Var>,
}

impl Range {
    pub fn of(interval: Interval) -> Range {
        Range { interval, at_most: Vec::new(), at_least: Vec::new(), checks: Vec::new() }
    }

    /// The same range with only the tightest bound for each atom, and at most [`MAX_BOUNDS`] of them.
    pub fn tidy(self) -> Range {
        Range {
            at_most: tightest(self.at_most, i128::min),
            at_least: tightest(self.at_least, i128::max),
            ..self
        }
    }

    /// Adds that the value equals this bound.
    pub fn equals(mut self, bound: Bound) -> Range {
        self.at_most.insert(0, bound);
        self.at_least.insert(0, bound);
        self
    }
}

/// The tightest bound for each atom, in the order of the atoms.
fn tightest(bounds: Vec<Bound>, tighter: fn(i128, i128) -> i128) -> Vec<Bound> {
    let mut kept: Vec<Bound> = Vec::new();
    for (atom, more) in bounds {
        match kept.iter().position(|&(other, _)| other == atom) {
            Some(at) => kept[at].1 = tighter(kept[at].1, more),
            None if kept.len() < MAX_BOUNDS => kept.push((atom, more)),
            None => {}
        }
    }
    kept
}

/// The definition of a truth value, which says what holds if it is true or false.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    Compare(CmpOp, Atom, Atom),
    Both(Atom, Atom),
    Either(Atom, Atom),
    Not(Atom),
}

/// The maximum length of a path of bounds from one value to another.
const LONGEST_PATH: usize = 4;
/// The greatest number of values visited in one search.
const MAX_STEPS: usize = 96;
/// The greatest depth of `and`, `or` and `not` to which a condition is examined.
const DEEPEST_CONDITION: usize = 8;
/// The greatest number of upper bounds, and of lower bounds, per value.
pub(super) const MAX_BOUNDS: usize = 8;
/// The greatest number of checks that a range depends on.
const MAX_CHECKS: usize = 4;

/// The facts about the integers in scope.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Whether the results of a check satisfy its condition.
    pub trusts_checks: bool,
    ranges: FxHashMap<Var, Range>,
    pub facts: FxHashMap<Var, Fact>,
    pub products: product::Products,
    /// The sums and products that may overflow.
    pub wrapping: FxHashMap<Var, (BinOp, Atom, Atom)>,
    /// For each result of a check: the value before any check.
    names: FxHashMap<Var, Atom>,
    /// The binders in the bodies of branches that are complete.
    pub inner: FxHashSet<Var>,
    /// The ranges before each narrowing, the latest last.
    undo_log: Vec<(Var, Option<Range>)>,
    /// The checks on which the facts read so far depend.
    dependencies: RefCell<Vec<Var>>,
}

/// The state when a body was entered.
#[derive(Debug)]
pub struct Mark {
    narrowed: usize,
    products: usize,
}

impl Layer {
    pub fn new(trusts_checks: bool) -> Layer {
        Layer {
            trusts_checks,
            ranges: FxHashMap::default(),
            facts: FxHashMap::default(),
            products: product::Products::default(),
            wrapping: FxHashMap::default(),
            names: FxHashMap::default(),
            inner: FxHashSet::default(),
            undo_log: Vec::new(),
            dependencies: RefCell::default(),
        }
    }

    /// Begins a body. [`Layer::leave`] ends it, and undoes what was assumed in it.
    pub fn enter(&self) -> Mark {
        Mark { narrowed: self.undo_log.len(), products: self.products.enter() }
    }

    pub fn leave(&mut self, mark: Mark) {
        self.products.leave(mark.products);
        for (var, range) in self.undo_log.drain(mark.narrowed..).rev() {
            match range {
                Some(range) => self.ranges.insert(var, range),
                None => self.ranges.remove(&var),
            };
        }
    }

    /// Drops all facts about a variable.
    pub fn forget(&mut self, var: Var) {
        self.ranges.remove(&var);
        self.facts.remove(&var);
        self.wrapping.remove(&var);
        self.names.remove(&var);
        self.products.forget(var);
    }

    /// Takes the ranges of these variables from another layer if this one has none.
    pub fn fall_back(&mut self, other: &Layer, vars: &[Var]) {
        for var in vars {
            if let (None, Some(range)) = (self.ranges.get(var), other.ranges.get(var)) {
                self.ranges.insert(*var, range.clone());
            }
        }
    }

    /// Records that `binder` is the result of a check whose operand is `value`.
    pub fn name(&mut self, binder: Var, value: Atom) {
        self.names.insert(binder, self.value(value));
    }

    /// The atom as it was before any check.
    pub fn value(&self, atom: Atom) -> Atom {
        atom.var().and_then(|var| self.names.get(&var)).copied().unwrap_or(atom)
    }

    /// The result of a query, and the checks that it depends on.
    pub fn with_dependencies<T>(&self, query: impl FnOnce(&Layer) -> T) -> (T, Vec<Var>) {
        let before = self.dependencies.take();
        let found = query(self);
        (found, self.dependencies.replace(before))
    }

    /// As [`Layer::with_dependencies`], for a query that makes assumptions.
    pub fn with_dependencies_mut<T>(&mut self, query: impl FnOnce(&mut Layer) -> T) -> (T, Vec<Var>) {
        let before = self.dependencies.take();
        let found = query(self);
        (found, self.dependencies.replace(before))
    }

    /// Records that the current query depends on these checks.
    pub fn depend_on(&self, checks: &[Var]) {
        if !checks.is_empty() {
            unite(&mut self.dependencies.borrow_mut(), checks);
        }
    }

    /// A mark of the dependencies so far, for [`Layer::reset`] if a search fails.
    fn mark(&self) -> usize {
        self.dependencies.borrow().len()
    }

    fn reset(&self, mark: usize) {
        self.dependencies.borrow_mut().truncate(mark);
    }

    /// The range of a variable; records its dependencies.
    pub fn range_of(&self, var: Var) -> Option<&Range> {
        let range = self.ranges.get(&var)?;
        self.depend_on(&range.checks);
        Some(range)
    }

    /// Records the range of a variable, unless it depends on too many checks.
    pub fn learn(&mut self, var: Var, range: Range) {
        if range.checks.len() <= MAX_CHECKS {
            self.ranges.insert(var, range);
        }
    }

    /// The interval of an integer; `None` for other types.
    pub fn interval(&self, vars: &VarTable, atom: Atom) -> Option<Interval> {
        match atom {
            Atom::Const(value) => constant(value).map(Interval::point),
            Atom::Var(var) => match self.range_of(var) {
                Some(range) => Some(range.interval),
                None => Interval::of(vars.get(var).filter(|info| info.ty.is_scalar())?.ty.elem),
            },
        }
    }

    /// Whether `a <= b + more` is known.
    pub fn at_most(&self, vars: &VarTable, a: Atom, b: Atom, more: i128) -> bool {
        self.reaches(vars, a, b, more, LONGEST_PATH)
    }

    /// Whether `a <= b + more` follows from a path of at most `longest` bounds. Shorter paths are searched first,
    /// because there may be more long ones than the search visits.
    pub fn reaches(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, longest: usize) -> bool {
        let mut steps = MAX_STEPS;
        (0..=longest).any(|length| self.search(vars, a, b, more, length, &mut steps))
    }

    fn search(
        &self,
        vars: &VarTable,
        a: Atom,
        b: Atom,
        more: i128,
        length: usize,
        steps: &mut usize,
    ) -> bool {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        let mark = self.mark();
        let (from, to) = (self.interval(vars, a), self.interval(vars, b));
        if let (Some(from), Some(to)) = (from, to)
            && a != b
            && from.greatest <= to.least + more
        {
            return true;
        }
        self.reset(mark);
        if a == b || length == 0 || from.is_none() || to.is_none() {
            return a == b && from.is_some() && more >= 0;
        }
        let upwards = self
            .upper_bounds(a)
            .skip(1)
            .any(|(c, less)| self.search(vars, c, b, more - less, length - 1, steps));
        if upwards {
            return true;
        }
        self.reset(mark);
        let downwards = self
            .lower_bounds(b)
            .skip(1)
            .any(|(c, less)| self.search(vars, a, c, more + less, length - 1, steps));
        if !downwards {
            self.reset(mark);
        }
        downwards
    }

    /// The upper bounds of an atom; the first one is the atom itself.
    pub fn upper_bounds(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.range_of(var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_most.iter().copied()))
    }

    /// The lower bounds of an atom; the first one is the atom itself.
    pub fn lower_bounds(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.range_of(var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_least.iter().copied()))
    }

    /// The result of a comparison of integers, if it is known.
    pub fn compare(&self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom) -> Option<bool> {
        is_integer(vars, a).then_some(())?;
        let at_most = |a, b, more| self.at_most(vars, a, b, more);
        let decide = |holds: bool, fails: bool| if holds { Some(true) } else { fails.then_some(false) };
        match op {
            CmpOp::Lt => decide(at_most(a, b, -1), at_most(b, a, 0)),
            CmpOp::Le => decide(at_most(a, b, 0), at_most(b, a, -1)),
            CmpOp::Eq => decide(at_most(a, b, 0) && at_most(b, a, 0), at_most(a, b, -1) || at_most(b, a, -1)),
            CmpOp::Ne => self.compare(vars, CmpOp::Eq, a, b).map(|equal| !equal),
        }
    }

    /// The value of a condition, if it is known.
    pub fn truth(&self, vars: &VarTable, cond: Atom) -> Option<bool> {
        self.truth_within(vars, cond, DEEPEST_CONDITION)
    }

    fn truth_within(&self, vars: &VarTable, cond: Atom, depth: usize) -> Option<bool> {
        let fact = match self.value(cond) {
            Atom::Const(value) => return value.as_bool(),
            Atom::Var(var) => *self.facts.get(&var)?,
        };
        let depth = depth.checked_sub(1)?;
        let mark = self.mark();
        let part = |atom| self.truth_within(vars, atom, depth);
        let truth = match fact {
            Fact::Compare(op, a, b) => self.compare(vars, op, a, b),
            Fact::Not(a) => part(a).map(|truth| !truth),
            Fact::Both(a, b) => match part(a) {
                Some(true) => part(b),
                Some(false) => Some(false),
                None => part(b).filter(|&truth| !truth),
            },
            Fact::Either(a, b) => match part(a) {
                Some(false) => part(b),
                Some(true) => Some(true),
                None => part(b).filter(|&truth| truth),
            },
        };
        if truth.is_none() {
            self.reset(mark);
        }
        truth
    }
}

/// Adds the checks of `others` that are not in `checks`.
pub(super) fn unite(checks: &mut Vec<Var>, others: &[Var]) {
    others.iter().for_each(|check| {
        if !checks.contains(check) {
            checks.push(*check);
        }
    });
}

fn is_integer(vars: &VarTable, atom: Atom) -> bool {
    match atom {
        Atom::Const(value) => constant(value).is_some(),
        Atom::Var(var) => vars.get(var).is_some_and(|info| info.ty.is_scalar() && info.ty.elem.is_integer()),
    }
}
