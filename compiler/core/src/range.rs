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
//!   there is at least one round, and arrays that are parameters have sizes.
//!
//! A size in the type of a binder counts as nothing: the check that it is not negative may be yet
//! to come. Whoever walks a function tells the analysis what he meets ([`Ranges::define`]), and
//! leaves bodies as he enters them.
//!
//! Leaves alone what only an induction over the rounds of a loop shows, as of the two ends of a binary
//! search; what a loop or a call gives; quotients and positions by a product, as `k / (m * l)` and
//! `i * (m * l)`, which may have wrapped around, as positions by a product may that is no size too large only
//! because that was checked, for they need not wait for the check; that the product of two sizes is no size too large,
//! which is checked once, before it is one; and whatever is more than a few bounds away.

mod define;
mod nested;
mod product;

pub use nested::Ranged;

use std::collections::{HashMap, HashSet};

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};

use crate::builder::atom_type;
use crate::syntax::*;

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

/// A bound: this atom and so much more.
type Bound = (Atom, i128);

/// What is known of one value.
#[derive(Clone, Debug)]
struct Range {
    interval: Interval,
    at_most: Vec<Bound>,
    at_least: Vec<Bound>,
}

impl Range {
    fn of(interval: Interval) -> Range {
        Range { interval, at_most: Vec::new(), at_least: Vec::new() }
    }

    /// The same with one bound for each atom that bounds name, the closest, and not too many.
    fn tidy(self) -> Range {
        Range {
            interval: self.interval,
            at_most: closest(self.at_most, i128::min),
            at_least: closest(self.at_least, i128::max),
        }
    }

    /// The value is that atom and so much more.
    fn equals(mut self, bound: Bound) -> Range {
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
enum Fact {
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
const MOST_BOUNDS: usize = 8;

/// What is known of the integers in scope.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    ranges: HashMap<Var, Range>,
    facts: HashMap<Var, Fact>,
    products: product::Products,
    /// The sums and products that may wrap around.
    wrapping: HashMap<Var, (BinOp, Atom, Atom)>,
    /// What is bound in sides of branches that were left.
    inner: HashSet<Var>,
    /// What was known before it was narrowed down, the latest last.
    trail: Vec<(Var, Option<Range>)>,
}

/// Where a body was entered.
#[derive(Debug)]
pub struct Mark {
    narrowed: usize,
    products: usize,
}

impl Ranges {
    /// Begins a body; hand the answer to [`Ranges::leave`] at its end.
    pub fn enter(&self) -> Mark {
        Mark { narrowed: self.trail.len(), products: self.products.enter() }
    }

    /// Forgets what holds only in the body.
    pub fn leave(&mut self, mark: Mark) {
        self.products.leave(mark.products);
        for (var, range) in self.trail.drain(mark.narrowed..).rev() {
            match range {
                Some(range) => self.ranges.insert(var, range),
                None => self.ranges.remove(&var),
            };
        }
    }

    /// Forgets what is known of a variable, whose statement has moved to where less is known.
    pub fn forget(&mut self, var: Var) {
        self.ranges.remove(&var);
        self.facts.remove(&var);
        self.wrapping.remove(&var);
        self.products.forget(var);
    }

    /// The interval of an atom; `None` if it is no integer.
    pub fn interval(&self, vars: &VarTable, atom: Atom) -> Option<Interval> {
        match atom {
            Atom::Const(value) => constant(value).map(Interval::point),
            Atom::Var(var) => match self.ranges.get(&var) {
                Some(range) => Some(range.interval),
                None => Interval::of(vars.get(var).filter(|info| info.ty.is_scalar())?.ty.elem),
            },
        }
    }

    /// Is the value of this integer the same in 32 bits with a sign?
    pub fn fits_32_bits(&self, vars: &VarTable, atom: Atom) -> bool {
        let narrow = Interval::of(PrimType::I32);
        narrow.is_some_and(|narrow| self.interval(vars, atom).is_some_and(|range| range.is_within(narrow)))
    }

    /// Is certainly `a <= b + more`?
    pub fn at_most(&self, vars: &VarTable, a: Atom, b: Atom, more: i128) -> bool {
        self.reaches(vars, a, b, more, LONGEST_WAY)
    }

    /// Is certainly `a <= b + more`, if one looks no further than so many bounds away? Shorter ways come first,
    /// for there may be more of the longer ones than one would look at.
    fn reaches(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, longest: usize) -> bool {
        let mut steps = MOST_STEPS;
        (0..=longest).any(|ways| self.leads(vars, a, b, more, ways, &mut steps))
    }

    fn leads(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, ways: usize, steps: &mut usize) -> bool {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        let (Some(from), Some(to)) = (self.interval(vars, a), self.interval(vars, b)) else { return false };
        if a == b {
            return more >= 0;
        }
        if from.greatest <= to.least + more {
            return true;
        }
        if ways == 0 {
            return false;
        }
        self.above(a).skip(1).any(|(c, less)| self.leads(vars, c, b, more - less, ways - 1, steps))
            || self.below(b).skip(1).any(|(c, less)| self.leads(vars, a, c, more + less, ways - 1, steps))
    }

    /// What an atom is at most: first itself.
    fn above(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.ranges.get(&var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_most.iter().copied()))
    }

    /// What an atom is at least: first itself.
    fn below(&self, atom: Atom) -> impl Iterator<Item = Bound> {
        let range = atom.var().and_then(|var| self.ranges.get(&var));
        std::iter::once((atom, 0)).chain(range.into_iter().flat_map(|range| range.at_least.iter().copied()))
    }

    /// What a comparison of integers certainly gives.
    pub fn compare(&self, vars: &VarTable, op: CmpOp, a: Atom, b: Atom) -> Option<bool> {
        self.interval(vars, a)?;
        let holds = |a, b, more| self.at_most(vars, a, b, more);
        let decide = |truth: bool, lie: bool| if truth { Some(true) } else { lie.then_some(false) };
        match op {
            CmpOp::Lt => decide(holds(a, b, -1), holds(b, a, 0)),
            CmpOp::Le => decide(holds(a, b, 0), holds(b, a, -1)),
            CmpOp::Eq => decide(holds(a, b, 0) && holds(b, a, 0), holds(a, b, -1) || holds(b, a, -1)),
            CmpOp::Ne => self.compare(vars, CmpOp::Eq, a, b).map(|equal| !equal),
        }
    }

    /// What a condition certainly is here.
    pub fn truth(&self, vars: &VarTable, cond: Atom) -> Option<bool> {
        self.truth_within(vars, cond, DEEPEST_CONDITION)
    }

    fn truth_within(&self, vars: &VarTable, cond: Atom, depth: usize) -> Option<bool> {
        let fact = match cond {
            Atom::Const(value) => return value.as_bool(),
            Atom::Var(var) => *self.facts.get(&var)?,
        };
        let depth = depth.checked_sub(1)?;
        let part = |atom| self.truth_within(vars, atom, depth);
        match fact {
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
        }
    }

    /// From here to the end of the body, the condition is this.
    pub fn assume(&mut self, vars: &VarTable, cond: Atom, truth: bool) {
        let Some(fact) = cond.var().and_then(|var| self.facts.get(&var).copied()) else { return };
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
                if self.at_most(vars, a, b, 0) {
                    self.narrow(vars, a, b, -1);
                } else if self.at_most(vars, b, a, 0) {
                    self.narrow(vars, b, a, -1);
                }
            }
        }
    }

    /// From here to the end of the body, `a <= b + more`.
    fn narrow(&mut self, vars: &VarTable, a: Atom, b: Atom, more: i128) {
        let (Some(from), Some(to)) = (self.interval(vars, a), self.interval(vars, b)) else { return };
        let top = Interval { greatest: from.greatest.min(to.greatest + more), ..from };
        self.refine(a, top, |range| {
            (range.at_most.len() < MOST_BOUNDS).then(|| range.at_most.push((b, more)))
        });
        let bottom = Interval { least: to.least.max(from.least - more), ..to };
        self.refine(b, bottom, |range| {
            (range.at_least.len() < MOST_BOUNDS).then(|| range.at_least.push((a, -more)))
        });
        if bottom.least >= 1 {
            self.factors_count(vars, b, LONGEST_WAY);
        }
    }

    fn refine(&mut self, atom: Atom, interval: Interval, add: impl FnOnce(&mut Range) -> Option<()>) {
        let Atom::Var(var) = atom else { return };
        let before = self.ranges.get(&var).cloned();
        let mut range = before.clone().unwrap_or_else(|| Range::of(interval));
        self.trail.push((var, before));
        range.interval = interval;
        let _ = add(&mut range);
        self.ranges.insert(var, range);
    }

    /// The parameters of a body: their sizes are sizes.
    pub fn params(&mut self, vars: &VarTable, params: impl IntoIterator<Item = Var>) {
        for param in params {
            for &size in &vars[param].ty.shape {
                self.narrow(vars, Atom::i64(0), size, 0);
            }
        }
    }

    /// Inside of the loop: there is a round, and the counter is below the bound.
    pub fn looped(&mut self, vars: &VarTable, looped: &Loop) {
        self.params(vars, looped.params.iter().map(|&(param, _)| param));
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
        self.params(vars, screma.map.params.iter().copied());
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

    /// Inside of the function of a stream: a chunk lies within the width, and has an element unless
    /// there is one even of none.
    pub fn chunk(&mut self, vars: &VarTable, stream: &Stream) {
        self.params(vars, stream.stretches().iter().copied());
        let [size, start, ..] = stream.chunk.params[..] else { return };
        let elements = if stream.needs_a_chunk() { 0 } else { 1 };
        self.narrow(vars, Atom::i64(elements), Atom::Var(size), 0);
        self.narrow(vars, Atom::Var(size), stream.width, 0);
        self.narrow(vars, Atom::i64(0), Atom::Var(start), 0);
        self.narrow(vars, Atom::Var(start), stream.width, -i128::from(elements));
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
