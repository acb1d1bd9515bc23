//! One layer of what is known: without what was checked, or with it.
//!
//! Where checks count, every range says which ones it rests on: a variable's own check, and those on which rests what
//! its range was made of. Whoever looks at a range takes note of them ([`Layer::resting`]), and forgets what he saw on
//! ways that lead nowhere; so nothing has to be handed on by hand, and what rests on nothing costs nothing. What would
//! rest on more than a few checks is not known here.

use std::cell::RefCell;

use ravel_prim::{BinOp, CmpOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Interval, constant, product};
use crate::syntax::*;

/// A bound: this atom and so much more.
pub(super) type Bound = (Atom, i128);

/// What is known of one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub interval: Interval,
    pub at_most: Vec<Bound>,
    pub at_least: Vec<Bound>,
    /// The checks that this rests on.
    pub checks: Vec<Var>,
}

impl Range {
    pub fn of(interval: Interval) -> Range {
        Range { interval, at_most: Vec::new(), at_least: Vec::new(), checks: Vec::new() }
    }

    /// The same with one bound for each atom that bounds name, the closest, and not too many.
    pub fn tidy(self) -> Range {
        Range {
            at_most: closest(self.at_most, i128::min),
            at_least: closest(self.at_least, i128::max),
            ..self
        }
    }

    /// The value is that atom and so much more.
    pub fn equals(mut self, bound: Bound) -> Range {
        self.at_most.insert(0, bound);
        self.at_least.insert(0, bound);
        self
    }
}

/// One bound for each atom, the closer of two, in their order.
fn closest(bounds: Vec<Bound>, closer: fn(i128, i128) -> i128) -> Vec<Bound> {
    let mut kept: Vec<Bound> = Vec::new();
    for (atom, more) in bounds {
        match kept.iter().position(|&(other, _)| other == atom) {
            Some(at) => kept[at].1 = closer(kept[at].1, more),
            None if kept.len() < MOST_BOUNDS => kept.push((atom, more)),
            None => {}
        }
    }
    kept
}

/// What a truth value says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    Compare(CmpOp, Atom, Atom),
    Both(Atom, Atom),
    Either(Atom, Atom),
    Not(Atom),
}

/// How many bounds lead from one value to another, at most.
const LONGEST_WAY: usize = 4;
/// How many values are looked at on the ways from one to another, at most.
const MOST_STEPS: usize = 96;
/// How many operators deep a condition is looked into.
const DEEPEST_CONDITION: usize = 8;
/// How many bounds of a kind are kept of a value.
pub(super) const MOST_BOUNDS: usize = 8;
/// How many checks a range rests on, at most.
const MOST_CHECKS: usize = 4;

/// What is known of the integers in scope.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// Does what a check hands through satisfy its condition?
    pub trusts_checks: bool,
    ranges: FxHashMap<Var, Range>,
    pub facts: FxHashMap<Var, Fact>,
    pub products: product::Products,
    /// The sums and products that may wrap around.
    pub wrapping: FxHashMap<Var, (BinOp, Atom, Atom)>,
    /// What checks hand through is another name for this.
    names: FxHashMap<Var, Atom>,
    /// What is bound in sides of branches that were left.
    pub inner: FxHashSet<Var>,
    /// What was known before it was narrowed down, the latest last.
    trail: Vec<(Var, Option<Range>)>,
    /// The checks on which rests what was looked at.
    seen: RefCell<Vec<Var>>,
}

/// Where a body was entered.
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
            trail: Vec::new(),
            seen: RefCell::default(),
        }
    }

    pub fn enter(&self) -> Mark {
        Mark { narrowed: self.trail.len(), products: self.products.enter() }
    }

    pub fn leave(&mut self, mark: Mark) {
        self.products.leave(mark.products);
        for (var, range) in self.trail.drain(mark.narrowed..).rev() {
            match range {
                Some(range) => self.ranges.insert(var, range),
                None => self.ranges.remove(&var),
            };
        }
    }

    pub fn forget(&mut self, var: Var) {
        self.ranges.remove(&var);
        self.facts.remove(&var);
        self.wrapping.remove(&var);
        self.names.remove(&var);
        self.products.forget(var);
    }

    /// Knows of these what another layer does, if it knows nothing of its own.
    pub fn fall_back(&mut self, other: &Layer, vars: &[Var]) {
        for var in vars {
            if let (None, Some(range)) = (self.ranges.get(var), other.ranges.get(var)) {
                self.ranges.insert(*var, range.clone());
            }
        }
    }

    /// That a check hands this through as another name.
    pub fn name(&mut self, binder: Var, value: Atom) {
        self.names.insert(binder, self.value(value));
    }

    /// What an atom was before it was checked.
    pub fn value(&self, atom: Atom) -> Atom {
        atom.var().and_then(|var| self.names.get(&var)).copied().unwrap_or(atom)
    }

    /// What a look comes to, and the checks that it rests on.
    pub fn resting<T>(&self, look: impl FnOnce(&Layer) -> T) -> (T, Vec<Var>) {
        let before = self.seen.take();
        let found = look(self);
        (found, self.seen.replace(before))
    }

    /// The same where something is assumed for the look.
    pub fn resting_mut<T>(&mut self, look: impl FnOnce(&mut Layer) -> T) -> (T, Vec<Var>) {
        let before = self.seen.take();
        let found = look(self);
        (found, self.seen.replace(before))
    }

    /// What is looked at rests on these checks.
    pub fn rests_on(&self, checks: &[Var]) {
        if !checks.is_empty() {
            unite(&mut self.seen.borrow_mut(), checks);
        }
    }

    /// A place to go back to, if a way leads nowhere.
    fn way(&self) -> usize {
        self.seen.borrow().len()
    }

    fn back(&self, way: usize) {
        self.seen.borrow_mut().truncate(way);
    }

    /// What is known of a variable.
    pub fn look(&self, var: Var) -> Option<&Range> {
        let range = self.ranges.get(&var)?;
        self.rests_on(&range.checks);
        Some(range)
    }

    /// What is known of a value from here on, unless it rests on too much.
    pub fn learn(&mut self, var: Var, range: Range) {
        if range.checks.len() <= MOST_CHECKS {
            self.ranges.insert(var, range);
        }
    }

    pub fn interval(&self, vars: &VarTable, atom: Atom) -> Option<Interval> {
        match atom {
            Atom::Const(value) => constant(value).map(Interval::point),
            Atom::Var(var) => match self.look(var) {
                Some(range) => Some(range.interval),
                None => Interval::of(vars.get(var).filter(|info| info.ty.is_scalar())?.ty.elem),
            },
        }
    }

    pub fn at_most(&self, vars: &VarTable, a: Atom, b: Atom, more: i128) -> bool {
        self.reaches(vars, a, b, more, LONGEST_WAY)
    }

    /// Is certainly `a <= b + more`, if one looks no further than so many bounds away? Shorter ways come first,
    /// for there may be more of the longer ones than one would look at.
    pub fn reaches(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, longest: usize) -> bool {
        let mut steps = MOST_STEPS;
        (0..=longest).any(|ways| self.leads(vars, a, b, more, ways, &mut steps))
    }

    fn leads(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, ways: usize, steps: &mut usize) -> bool {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        let way = self.way();
        let (from, to) = (self.interval(vars, a), self.interval(vars, b));
        if let (Some(from), Some(to)) = (from, to)
            && a != b
            && from.greatest <= to.least + more
        {
            return true;
        }
        self.back(way);
        if a == b || ways == 0 || from.is_none() || to.is_none() {
            return a == b && from.is_some() && more >= 0;
        }
        let upwards =
            self.above(a).skip(1).any(|(c, less)| self.leads(vars, c, b, more - less, ways - 1, steps));
        if upwards {
            return true;
        }
        self.back(way);
        let downwards =
            self.below(b).skip(1).any(|(c, less)| self.leads(vars, a, c, more + less, ways - 1, steps));
        if !downwards {
            self.back(way);
        }
        downwards
    }

    /// What an atom is at most: first itself.
    pub fn above(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.look(var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_most.iter().copied()))
    }

    /// What an atom is at least: first itself.
    pub fn below(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.look(var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_least.iter().copied()))
    }

    pub fn compare(&self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom) -> Option<bool> {
        is_integer(vars, a).then_some(())?;
        let holds = |a, b, more| self.at_most(vars, a, b, more);
        let decide = |truth: bool, lie: bool| if truth { Some(true) } else { lie.then_some(false) };
        match op {
            CmpOp::Lt => decide(holds(a, b, -1), holds(b, a, 0)),
            CmpOp::Le => decide(holds(a, b, 0), holds(b, a, -1)),
            CmpOp::Eq => decide(holds(a, b, 0) && holds(b, a, 0), holds(a, b, -1) || holds(b, a, -1)),
            CmpOp::Ne => self.compare(vars, CmpOp::Eq, a, b).map(|equal| !equal),
        }
    }

    pub fn truth(&self, vars: &VarTable, cond: Atom) -> Option<bool> {
        self.truth_within(vars, cond, DEEPEST_CONDITION)
    }

    fn truth_within(&self, vars: &VarTable, cond: Atom, depth: usize) -> Option<bool> {
        let fact = match self.value(cond) {
            Atom::Const(value) => return value.as_bool(),
            Atom::Var(var) => *self.facts.get(&var)?,
        };
        let depth = depth.checked_sub(1)?;
        let way = self.way();
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
            self.back(way);
        }
        truth
    }

    pub fn assume(&mut self, vars: &VarTable, cond: Atom, truth: bool) {
        let Some(fact) = self.value(cond).var().and_then(|var| self.facts.get(&var).copied()) else { return };
        match (fact, truth) {
            (Fact::Both(a, b), true) | (Fact::Either(a, b), false) => {
                self.assume(vars, a, truth);
                self.assume(vars, b, truth);
            }
            (Fact::Not(a), _) => self.assume(vars, a, !truth),
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
                let (below, checks) = self.resting(|layer| layer.at_most(vars, a, b, 0));
                if below {
                    return self.narrow_behind(vars, a, b, -1, &checks);
                }
                let (above, checks) = self.resting(|layer| layer.at_most(vars, b, a, 0));
                if above {
                    self.narrow_behind(vars, b, a, -1, &checks);
                }
            }
        }
    }

    /// From here to the end of the body, `a <= b + more`.
    pub fn narrow(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128) {
        self.narrow_behind(vars, a, b, more, &[]);
    }

    /// The same if it rests on these checks.
    fn narrow_behind(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128, checks: &[Var]) {
        let (from, from_checks) = self.resting(|layer| layer.interval(vars, a));
        let (to, to_checks) = self.resting(|layer| layer.interval(vars, b));
        let (Some(from), Some(to)) = (from, to) else { return };
        let top = Interval { greatest: from.greatest.min(to.greatest + more), ..from };
        let from_other = if top == from { &[][..] } else { &to_checks };
        self.refine(a, top, &[checks, from_other], |range| {
            (range.at_most.len() < MOST_BOUNDS).then(|| range.at_most.push((b, more)))
        });
        let bottom = Interval { least: to.least.max(from.least - more), ..to };
        let from_other = if bottom == to { &[][..] } else { &from_checks };
        self.refine(b, bottom, &[checks, from_other], |range| {
            (range.at_least.len() < MOST_BOUNDS).then(|| range.at_least.push((a, -more)))
        });
        if bottom.least >= 1 {
            self.factors_count(vars, b, LONGEST_WAY);
        }
    }

    /// From here to the end of the body a value lies in this interval; it rests on these checks, unless they are too many.
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
        if range.checks.len() > MOST_CHECKS {
            return;
        }
        self.trail.push((var, before));
        range.interval = interval;
        let _ = add(&mut range);
        self.ranges.insert(var, range);
    }
}

/// Adds to some checks others that are not among them.
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
