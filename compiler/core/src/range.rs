//! Ranges: what integers can be, so that checks need not ask.
//!
//! Of every integer there is an interval of constants, and there are bounds that name other
//! values: `x <= y + c`, `x >= y + c`, in numbers without end. They come from
//!
//! * what a value is defined as: arithmetic that cannot wrap around, minima, remainders, …;
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

use std::collections::HashMap;

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

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

    /// The value is that atom and so much more.
    fn equals(mut self, bound: Bound) -> Range {
        self.at_most.insert(0, bound);
        self.at_least.insert(0, bound);
        self
    }
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
/// How many bounds of a kind are kept of a value.
const MOST_BOUNDS: usize = 6;

/// What is known of the integers in scope.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    ranges: HashMap<Var, Range>,
    facts: HashMap<Var, Fact>,
    /// What was known before it was narrowed down, the latest last.
    trail: Vec<(Var, Option<Range>)>,
}

/// Where a body was entered.
#[derive(Debug)]
pub struct Mark(usize);

impl Ranges {
    /// Begins a body; hand the answer to [`Ranges::leave`] at its end.
    pub fn enter(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Forgets what holds only in the body.
    pub fn leave(&mut self, Mark(mark): Mark) {
        for (var, range) in self.trail.drain(mark..).rev() {
            match range {
                Some(range) => self.ranges.insert(var, range),
                None => self.ranges.remove(&var),
            };
        }
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

    fn reaches(&self, vars: &VarTable, a: Atom, b: Atom, more: i128, ways: usize) -> bool {
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
        let above = a.var().and_then(|var| self.ranges.get(&var)).map_or(&[][..], |range| &range.at_most);
        let below = b.var().and_then(|var| self.ranges.get(&var)).map_or(&[][..], |range| &range.at_least);
        above.iter().any(|&(c, less)| self.reaches(vars, c, b, more - less, ways - 1))
            || below.iter().any(|&(c, less)| self.reaches(vars, a, c, more + less, ways - 1))
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

    /// A statement that has been gone over.
    pub fn define(&mut self, vars: &VarTable, stm: &Stm) {
        if let Exp::Assert { cond, values, .. } = &stm.exp {
            for (&binder, &value) in stm.binders.iter().zip(values) {
                self.hand_through(vars, *cond, binder, value);
            }
            return;
        }
        let &[binder] = &stm.binders[..] else { return };
        let ty = &vars[binder].ty;
        if !ty.is_scalar() {
            return;
        }
        if ty.elem == PrimType::Bool {
            self.facts.extend(fact(&stm.exp).map(|fact| (binder, fact)));
        } else if let Some(whole) = Interval::of(ty.elem)
            && let Some(range) = self.range(vars, &stm.exp, whole)
        {
            self.ranges.insert(binder, range);
        }
    }

    /// What an assertion hands through is what it was, and satisfies the condition.
    fn hand_through(&mut self, vars: &VarTable, cond: Atom, binder: Var, value: Atom) {
        if !vars[binder].ty.is_scalar() {
            return;
        }
        let mark = self.enter();
        self.assume(vars, cond, true);
        let known = self.interval(vars, value);
        let range = value.var().and_then(|var| self.ranges.get(&var).cloned());
        self.leave(mark);
        if let Some(interval) = known {
            let range = range.unwrap_or_else(|| Range::of(interval));
            self.ranges.insert(binder, range.equals((value, 0)));
        }
    }

    /// The range of an expression of a type with these numbers, if it cannot wrap around.
    fn range(&self, vars: &VarTable, exp: &Exp, whole: Interval) -> Option<Range> {
        let of = |atom| self.interval(vars, atom);
        let range = match *exp {
            Exp::Binary(BinOp::Add, a, b) => self.sum(vars, a, b)?,
            Exp::Binary(BinOp::Sub, a, b) => self.difference(vars, a, b)?,
            Exp::Binary(BinOp::Mul, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let ends = [a.least, a.greatest].map(|x| [b.least, b.greatest].map(|y| x.checked_mul(y)));
                let ends = ends.into_iter().flatten().collect::<Option<Vec<i128>>>()?;
                Range::of(Interval { least: *ends.iter().min()?, greatest: *ends.iter().max()? })
            }
            Exp::Binary(BinOp::Min, a, b) => {
                let (x, y) = (of(a)?, of(b)?);
                let least = x.least.min(y.least);
                let mut range = Range::of(Interval { least, greatest: x.greatest.min(y.greatest) });
                range.at_most = vec![(a, 0), (b, 0)];
                range.at_least = self.common(
                    a,
                    b,
                    |range| &range.at_least,
                    -1,
                    |(c, less), other| self.at_most(vars, c, other, -less),
                );
                range
            }
            Exp::Binary(BinOp::Max, a, b) => {
                let (x, y) = (of(a)?, of(b)?);
                let least = x.least.max(y.least);
                let mut range = Range::of(Interval { least, greatest: x.greatest.max(y.greatest) });
                range.at_least = vec![(a, 0), (b, 0)];
                range.at_most = self.common(
                    a,
                    b,
                    |range| &range.at_most,
                    1,
                    |(c, more), other| self.at_most(vars, other, c, more),
                );
                range
            }
            Exp::Binary(BinOp::Mod, _, b) if of(b)?.least > 0 => {
                let mut range = Range::of(Interval { least: 0, greatest: of(b)?.greatest - 1 });
                range.at_most.push((b, -1));
                range
            }
            Exp::Binary(BinOp::Div, a, b) if of(b)?.least > 0 && of(a)?.least >= 0 => {
                let mut range = Range::of(Interval { least: 0, greatest: of(a)?.greatest / of(b)?.least });
                range.at_most.push((a, 0));
                range
            }
            Exp::Binary(BinOp::Shr, a, b) if of(a)?.least >= 0 => {
                let places = of(b)?.least.clamp(0, 64);
                let mut range = Range::of(Interval { least: 0, greatest: of(a)?.greatest >> places });
                range.at_most.push((a, 0));
                range
            }
            Exp::Binary(BinOp::And, a, b) if of(a)?.least >= 0 || of(b)?.least >= 0 => {
                let tops = [of(a)?, of(b)?].into_iter().filter(|range| range.least >= 0);
                Range::of(Interval { least: 0, greatest: tops.map(|range| range.greatest).min()? })
            }
            Exp::Convert(_, a) => Range::of(of(a)?).equals((a, 0)),
            Exp::If { ref then, ref otherwise, .. } => {
                let (a, b) = (of(*then.result.first()?)?, of(*otherwise.result.first()?)?);
                Range::of(Interval { least: a.least.min(b.least), greatest: a.greatest.max(b.greatest) })
            }
            _ => return None,
        };
        range.interval.is_within(whole).then_some(range)
    }

    fn sum(&self, vars: &VarTable, a: Atom, b: Atom) -> Option<Range> {
        let (x, y) = (self.interval(vars, a)?, self.interval(vars, b)?);
        let sum = Interval { least: x.least + y.least, greatest: x.greatest + y.greatest };
        let mut range = Range::of(sum);
        self.shift(&mut range, a, y);
        self.shift(&mut range, b, x);
        Some(range)
    }

    /// Adds the bounds of a value that is an atom and something from an interval.
    fn shift(&self, range: &mut Range, atom: Atom, by: Interval) {
        let Atom::Var(var) = atom else { return };
        let known = self.ranges.get(&var);
        let above = known.into_iter().flat_map(|known| &known.at_most);
        let above = above.map(|&(c, more)| (c, more + by.greatest));
        range.at_most.extend([(atom, by.greatest)].into_iter().chain(above).take(MOST_BOUNDS));
        let below = known.into_iter().flat_map(|known| &known.at_least);
        let below = below.map(|&(c, more)| (c, more + by.least));
        range.at_least.extend([(atom, by.least)].into_iter().chain(below).take(MOST_BOUNDS));
    }

    fn difference(&self, vars: &VarTable, a: Atom, b: Atom) -> Option<Range> {
        let (x, y) = (self.interval(vars, a)?, self.interval(vars, b)?);
        let mut least = x.least - y.greatest;
        let mut greatest = x.greatest - y.least;
        // Closer, if a bound of the one names the other.
        for gap in [0, 1] {
            if self.at_most(vars, b, a, -gap) {
                least = least.max(gap);
            }
            if self.at_most(vars, a, b, -gap) {
                greatest = greatest.min(-gap);
            }
        }
        let mut range = Range::of(Interval { least, greatest });
        self.shift(&mut range, a, Interval { least: -y.greatest, greatest: -y.least });
        Some(range)
    }

    /// The bounds of one operand that hold of the other as well, or do if they are one step wider.
    fn common(
        &self,
        a: Atom,
        b: Atom,
        bounds: impl Fn(&Range) -> &Vec<Bound>,
        step: i128,
        holds: impl Fn(Bound, Atom) -> bool,
    ) -> Vec<Bound> {
        let mut common = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            let range = one.var().and_then(|var| self.ranges.get(&var));
            for &(c, more) in range.map(&bounds).into_iter().flatten() {
                let wider = [(c, more), (c, more + step)].into_iter().find(|&bound| holds(bound, other));
                common.extend(wider);
            }
        }
        common.truncate(MOST_BOUNDS);
        common
    }
}

/// What a truth value that is defined so says.
fn fact(exp: &Exp) -> Option<Fact> {
    match *exp {
        Exp::Compare(op, a, b) => Some(Fact::Compare(op, a, b)),
        Exp::Binary(BinOp::And, a, b) => Some(Fact::Both(a, b)),
        Exp::Binary(BinOp::Or, a, b) => Some(Fact::Either(a, b)),
        Exp::Unary(UnOp::Not, a) => Some(Fact::Not(a)),
        _ => None,
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
