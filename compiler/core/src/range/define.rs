//! Ranges of defined values: arithmetic that cannot overflow, results of branches, results of checks.

use ravel_prim::{BinOp, PrimType, UnOp};

use super::Interval;
use super::layer::{Bound, Fact, Layer, MAX_BOUNDS, Range, unite};
use crate::syntax::*;

/// The most bounds that a search chains, each a bound of the one before, to show that a bound of one operand or branch
/// result also holds for the other.
const SHORT_PATH: usize = 1;

impl Layer {
    /// Records the facts that a statement defines.
    pub fn define(&mut self, vars: &VarTable, stm: &Stm) {
        match &stm.exp {
            Exp::Assert { cond, values, .. } => {
                for (&binder, &value) in stm.binders.iter().zip(values) {
                    if vars[binder].ty.is_scalar() {
                        self.define_checked(vars, (stm.binders[0], *cond), binder, value);
                    }
                }
            }
            Exp::If { cond, then, otherwise } => self.branch(vars, &stm.binders, *cond, then, otherwise),
            exp => {
                if let &[binder] = &stm.binders[..]
                    && vars[binder].ty.is_scalar()
                {
                    self.operation(vars, binder, exp);
                }
            }
        }
    }

    fn operation(&mut self, vars: &VarTable, binder: Var, exp: &Exp) {
        let ty = vars[binder].ty.elem;
        if ty == PrimType::Bool {
            self.facts.extend(fact(exp).map(|fact| (binder, fact)));
        }
        let Some(whole) = Interval::of(ty) else { return };
        let fits = |range: &Range| range.interval.is_within(whole);
        let (range, checks) = self.with_dependencies(|layer| layer.range(vars, exp).filter(fits));
        if let Some(range) = range {
            if let Exp::Binary(op, a, b) = *exp {
                self.note_products(vars, (binder, &checks), op, a, b);
            }
            self.learn(binder, Range { checks, ..range });
        } else if let Exp::Binary(op @ (BinOp::Add | BinOp::Mul), a, b) = *exp {
            self.wrapping.insert(binder, (op, a, b));
        }
    }

    /// A check returns `value` as `binder`, so the two are equal. If this layer trusts checks, `binder` also satisfies
    /// the condition.
    fn define_checked(&mut self, vars: &VarTable, (check, cond): (Var, Atom), binder: Var, value: Atom) {
        self.name(binder, value);
        let known = |layer: &Layer| {
            let range = value.var().and_then(|var| layer.range_of(var).cloned());
            Some(range.unwrap_or(Range::of(layer.interval(vars, value)?)))
        };
        let (Some(before), _) = self.with_dependencies(known) else { return };
        if !self.trusts_checks {
            return self.learn(binder, before.equals((value, 0)));
        }
        let mark = self.enter();
        self.assume(vars, cond, true);
        let (after, mut checks) = self.with_dependencies(|layer| {
            let range = known(layer)?;
            let exact = layer.without_overflow(vars, value, range.interval);
            Some((range, exact))
        });
        self.leave(mark);
        let Some((mut range, exact)) = after else { return };
        if exact.is_some() || range != before {
            unite(&mut checks, &[check]);
        }
        let mut factors = None;
        if let Some((exact, product)) = exact {
            range.interval.least = range.interval.least.max(exact.interval.least);
            range.interval.greatest = range.interval.greatest.min(exact.interval.greatest);
            range.at_most.splice(0..0, exact.at_most);
            range.at_least.splice(0..0, exact.at_least);
            range = range.tidy();
            factors = product;
        }
        if let Some((a, b)) = factors {
            self.note_factors(vars, binder, a, b, &checks);
        }
        self.learn(binder, Range { checks, ..range }.equals((value, 0)));
    }

    /// The range of a sum or product in unbounded arithmetic, and the factors if it is a product. `None` unless
    /// the ranges of the operands show that the operation has not overflowed. For a sum of a signed type, `known`, the
    /// interval of the value, helps: if the value is not negative, the sum has not overflowed upwards.
    fn without_overflow(
        &self,
        vars: &VarTable,
        value: Atom,
        known: Interval,
    ) -> Option<(Range, Option<(Atom, Atom)>)> {
        let var = value.var()?;
        let whole = Interval::of(vars[var].ty.elem)?;
        let &(op, a, b) = self.wrapping.get(&var)?;
        let mut range = self.range(vars, &Exp::Binary(op, a, b))?;
        if op == BinOp::Add && whole.least < 0 && known.least >= 0 {
            range.interval.greatest = range.interval.greatest.min(whole.greatest);
        }
        let product = (op == BinOp::Mul).then_some((a, b));
        range.interval.is_within(whole).then_some((range, product))
    }

    /// The result of a branch is the result of one of its bodies.
    fn branch(&mut self, vars: &VarTable, binders: &[Var], cond: Atom, then: &Body, otherwise: &Body) {
        let stms = then.stms.iter().chain(&otherwise.stms);
        self.inner.extend(stms.flat_map(|stm| &stm.binders));
        for ((&binder, &a), &b) in binders.iter().zip(&then.result).zip(&otherwise.result) {
            let ty = &vars[binder].ty;
            if !ty.is_scalar() {
                continue;
            }
            if ty.elem == PrimType::Bool {
                self.facts.extend(choice(cond, a, b).map(|fact| (binder, fact)));
            } else if ty.elem.is_integer() {
                let (range, checks) = self
                    .with_dependencies_mut(|layer| layer.joined_range(vars, cond, [(a, true), (b, false)]));
                // A check in one body does not run if the other one does.
                if let Some(range) = range.filter(|_| !checks.iter().any(|check| self.inner.contains(check)))
                {
                    self.learn(binder, Range { checks, ..range });
                }
            }
        }
    }

    /// The range of the result of a branch, which is one of two values. A bound of one value becomes a bound of the
    /// result if it also holds for the other value, possibly after it is widened by one. A variable defined inside
    /// a body cannot be a bound of the result, because it has no value if the other body runs.
    fn joined_range(&mut self, vars: &VarTable, cond: Atom, sides: [(Atom, bool); 2]) -> Option<Range> {
        let [one, other] = sides.map(|(atom, truth)| {
            let mark = self.enter();
            self.assume(vars, cond, truth);
            let outside = |&(c, _): &Bound| c.var().is_none_or(|var| !self.inner.contains(&var));
            let range = self.interval(vars, atom).map(|interval| Range {
                at_most: self.upper_bounds(atom).filter(outside).take(MAX_BOUNDS).collect(),
                at_least: self.lower_bounds(atom).filter(outside).take(MAX_BOUNDS).collect(),
                ..Range::of(interval)
            });
            self.leave(mark);
            range
        });
        let (one, other) = (one?, other?);
        let mut range = Range::of(Interval {
            least: one.interval.least.min(other.interval.least),
            greatest: one.interval.greatest.max(other.interval.greatest),
        });
        for (of, (atom, truth)) in [one, other].iter().zip([sides[1], sides[0]]) {
            let mark = self.enter();
            self.assume(vars, cond, truth);
            range.at_most.extend(of.at_most.iter().filter_map(|&(c, more)| {
                let mut wider = [(c, more), (c, more + 1)].into_iter();
                wider.find(|&(c, more)| self.reaches(vars, atom, c, more, SHORT_PATH))
            }));
            range.at_least.extend(of.at_least.iter().filter_map(|&(c, more)| {
                let mut wider = [(c, more), (c, more - 1)].into_iter();
                wider.find(|&(c, more)| self.reaches(vars, c, atom, -more, SHORT_PATH))
            }));
            self.leave(mark);
        }
        Some(range.tidy())
    }

    /// The range of an expression in unbounded arithmetic.
    fn range(&self, vars: &VarTable, exp: &Exp) -> Option<Range> {
        let of = |atom| self.interval(vars, atom);
        let mut range = match *exp {
            Exp::Binary(BinOp::Add, a, b) => self.sum(vars, a, b)?,
            Exp::Binary(BinOp::Sub, a, b) => self.difference(vars, a, b)?,
            Exp::Binary(BinOp::Mul, a, b) => self.product(vars, a, b)?,
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
                    |(c, less), other| self.reaches(vars, c, other, -less, SHORT_PATH),
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
                    |(c, more), other| self.reaches(vars, other, c, more, SHORT_PATH),
                );
                range
            }
            Exp::Binary(op @ (BinOp::Mod | BinOp::Rem), a, b)
                if of(b)?.least > 0 && (op == BinOp::Mod || of(a)?.least >= 0) =>
            {
                let mut range = Range::of(Interval { least: 0, greatest: of(b)?.greatest - 1 });
                range.at_most.push((b, -1));
                if of(a)?.least >= 0 {
                    range.at_most.push((a, 0));
                }
                range
            }
            Exp::Binary(BinOp::Div | BinOp::Quot, a, b) if of(b)?.least > 0 && of(a)?.least >= 0 => {
                let mut range = Range::of(Interval { least: 0, greatest: of(a)?.greatest / of(b)?.least });
                range.at_most = self.quotients(a, b);
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
            _ => return None,
        };
        // The interval of `c`, if it narrows the range; the range then depends on its checks too.
        let narrower = |c, narrows: &dyn Fn(Interval) -> bool| {
            let (interval, checks) = self.with_dependencies(|layer| layer.interval(vars, c));
            interval.filter(|&interval| narrows(interval)).inspect(|_| self.depend_on(&checks))
        };
        for &(c, more) in &range.at_most {
            if let Some(top) = narrower(c, &|top| top.greatest + more < range.interval.greatest) {
                range.interval.greatest = top.greatest + more;
            }
        }
        for &(c, more) in &range.at_least {
            if let Some(bottom) = narrower(c, &|bottom| bottom.least + more > range.interval.least) {
                range.interval.least = bottom.least + more;
            }
        }
        Some(range.tidy())
    }

    fn sum(&self, vars: &VarTable, a: Atom, b: Atom) -> Option<Range> {
        let (x, y) = (self.interval(vars, a)?, self.interval(vars, b)?);
        let sum = Interval { least: x.least + y.least, greatest: x.greatest + y.greatest };
        let mut range = Range::of(sum);
        range.at_most = [self.row_major_bounds(a, b), self.row_major_bounds(b, a)].concat();
        self.shift(&mut range, a, y);
        self.shift(&mut range, b, x);
        Some(range)
    }

    /// Adds the bounds of the sum of the atom and a value in the interval `by`.
    fn shift(&self, range: &mut Range, atom: Atom, by: Interval) {
        if atom.var().is_some() {
            let above = self.upper_bounds(atom).map(|(c, more)| (c, more + by.greatest));
            range.at_most.extend(above.take(MAX_BOUNDS));
            let below = self.lower_bounds(atom).map(|(c, more)| (c, more + by.least));
            range.at_least.extend(below.take(MAX_BOUNDS));
        }
    }

    fn difference(&self, vars: &VarTable, a: Atom, b: Atom) -> Option<Range> {
        let (x, y) = (self.interval(vars, a)?, self.interval(vars, b)?);
        let mut least = x.least - y.greatest;
        let mut greatest = x.greatest - y.least;
        // If a bound of one operand names the other, the interval of the difference is tighter.
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

    fn product(&self, vars: &VarTable, a: Atom, b: Atom) -> Option<Range> {
        let (x, y) = (self.interval(vars, a)?, self.interval(vars, b)?);
        let ends = [x.least, x.greatest].map(|x| [y.least, y.greatest].map(|y| x.checked_mul(y)));
        let ends = ends.into_iter().flatten().collect::<Option<Vec<i128>>>()?;
        let mut range = Range::of(Interval { least: *ends.iter().min()?, greatest: *ends.iter().max()? });
        if x.least >= 0 && y.least >= 0 {
            self.scale(vars, &mut range, a, b);
            self.scale(vars, &mut range, b, a);
        }
        Some(range)
    }

    /// The bounds that both operands have in common: a bound of one that also holds for the other, possibly widened by
    /// one.
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
            let range = one.var().and_then(|var| self.range_of(var));
            for &(c, more) in range.map(&bounds).into_iter().flatten() {
                let wider = [(c, more), (c, more + step)].into_iter().find(|&bound| holds(bound, other));
                common.extend(wider);
            }
        }
        common
    }
}

/// The fact that holds if a truth value with this definition is true.
fn fact(exp: &Exp) -> Option<Fact> {
    match *exp {
        Exp::Compare(op, a, b) => Some(Fact::Compare(op, a, b)),
        Exp::Binary(BinOp::And, a, b) => Some(Fact::Both(a, b)),
        Exp::Binary(BinOp::Or, a, b) => Some(Fact::Either(a, b)),
        Exp::Unary(UnOp::Not, a) => Some(Fact::Not(a)),
        _ => None,
    }
}

/// The fact that holds if the result of this branch is true. Only branches that are a short-circuit `and` or `or` state
/// one.
fn choice(cond: Atom, then: Atom, otherwise: Atom) -> Option<Fact> {
    if otherwise == Atom::bool(false) {
        Some(Fact::Both(cond, then))
    } else {
        (then == Atom::bool(true)).then_some(Fact::Either(cond, otherwise))
    }
}
