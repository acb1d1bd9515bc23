//! # nested-counters: replace divisions of an index by counters
//!
//! ## Rule
//!
//! ```text
//!   segment map (i < n) { … div(i, m) … mod(i, m) … }
//!   -->
//!   if n is a multiple of m, and m >= 16 {
//!     segment map (q < n / m, r < m) { let i = q * m + r  … q … r … }
//!   } else {
//!     segment map (i < n) { … div(i, m) … mod(i, m) … }
//!   }
//! ```
//!
//! * *nested-counters*: a segment that divides its index gets an index space whose counters are the quotient
//!   and the remainder.
//!
//! A quotient or a remainder that is divided itself gets two counters too. A comparison of the divided value
//! with its divisor becomes a comparison of `q` with 1.
//!
//! ## Requires
//!
//! * *only-maps*: the segment only maps: how it groups points does not change a result.
//! * *invariant*: the divisor is known before the segment.
//! * *short*: a point has at most as many statements as the target's setting `max_divided` permits.
//!
//! ## Ensures
//!
//! The order of the points is the same, so the first failure is the same too. The points of a row share the
//! quotient, so their accesses at `q * k + r` are neighbours, and a branch that asks for the half of a row is
//! the same in all lanes.
//!
//! ## Leaves alone
//!
//! Constant divisors, which become products and shifts, other divisors than the first of an index, and all
//! segments where the target's `max_divided` is 0. Rows of fewer than 16 points would take longer than the
//! divisions.
//!
//! ## Costs
//!
//! A second copy of the segment, and a test of sizes before it. The rule pays because a division takes as long as
//! ten or twenty sums, and vectors have none; counting takes none.
//!
//! ## Source
//!
//! Allen and Kennedy, "Optimizing Compilers for Modern Architectures" (2001), on strip mining.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n], m: i64) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1024i64 {
//!     let r: i64 = mod(i, m)
//!     load x: f64 = xs1[r]
//!     store out1[i] = x
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0], m_2: i64) -> ([]f64) {
//!   view xs1_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_4: block f64 = n_0
//!   view out1_5: f64 [n_0] = out_4 + 0i64 * [1i64]
//!   let v6: i64 = max(m_2, 1i64)
//!   let v7: i64 = rem(n_0, v6)
//!   let v8: i64 = quot(n_0, v6)
//!   let v9: bool = eq(v7, 0i64)
//!   let v10: bool = and(true, v9)
//!   let v11: bool = eq(v6, m_2)
//!   let v12: bool = and(v10, v11)
//!   let v13: bool = le(16i64, m_2)
//!   let v14: bool = and(v12, v13)
//!   if v14 {
//!     segment map (v15 < v8, v16 < m_2) chunk 1024i64 {
//!       let v17: i64 = mul(v15, m_2)
//!       let v18: i64 = add(v17, v16)
//!       load x_19: f64 = xs1_3[v16]
//!       store out1_5[v18] = x_19
//!     }
//!   } else {
//!     segment map (i_20 < n_0) chunk 1024i64 {
//!       let r_21: i64 = mod(i_20, m_2)
//!       load x_22: f64 = xs1_3[r_21]
//!       store out1_5[i_20] = x_22
//!     }
//!   }
//!   yield n_0, out_4
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::copy::Copy;
use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `nested-counters`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "nested-counters",
    about: "Gives a segment that divides its index an index space of more dimensions, with counters in place of the divisions.",
    rules: &[RULE],
    premises: &[ONLY_MAPS, INVARIANT, SHORT],
    run,
};

const RULE: &str = "nested-counters";

const ONLY_MAPS: Premise = Premise {
    name: "only-maps",
    about: "the segment only maps: how it groups points does not change a result",
    otherwise: "it reduces or scans, and other rows would group the elements differently",
};

const INVARIANT: Premise = Premise {
    name: "invariant",
    about: "the divisor is known before the segment",
    otherwise: "the divisor is computed for each point",
};

const SHORT: Premise = Premise {
    name: "short",
    about: "a point has at most as many statements as the target's setting `max_divided` permits",
    otherwise: "a point has too many statements",
};

/// The fewest points of a row that are worth it.
const MIN_ROW: i64 = 16;

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_divided > 0 {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        NestedCounters { vars, cx: self.0 }.body(body);
    }
}

struct NestedCounters<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for NestedCounters<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            match self.nested(&step) {
                Some((sizes, even, nested)) => {
                    let origin = step.origin.clone();
                    step.add_rule(RULE);
                    let [then, otherwise] =
                        [nested, step].map(|step| Body { stms: vec![step], result: Vec::new() });
                    let branch = Stm::If { binders: Vec::new(), cond: even, then, otherwise };
                    body.stms.extend(Step::all(&origin, sizes.into_iter().chain([branch])));
                }
                None => body.stms.push(step),
            }
        }
    }
}

impl NestedCounters<'_> {
    /// The segment with more counters, if its index is divided: the statements that compute the sizes of the counters, the
    /// condition under which the counters can replace the index, and the segment.
    fn nested<L: Level>(&mut self, step: &Step<L>) -> Option<(Vec<Stm<L>>, Atom, Step<L>)> {
        let Stm::Segment(segment) = &step.stm else { return None };
        let AnySegment::Grid(segment) = L::segment(segment) else { return None };
        let (index, size) = *segment.space.last()?;
        let uses = Uses::of(segment)?;
        if !uses.is_divided(index)
            || step.origin.rules.contains(&RULE)
            || !self.divides(index, segment, &uses, step)
        {
            return None;
        }
        let mut digits = Digits::new(self.vars, &uses);
        let value = digits.split(&[index], size);
        digits.row_is_long();
        let Digits { sizes, even, space, first, known, .. } = digits;
        let mut copy = Copy::new(self.vars).with_known(known);
        copy.replace(index, value);
        let mut nested = step.clone();
        let Stm::Segment(segment) = &mut nested.stm else { unreachable!("a segment") };
        let AnySegmentMut::Grid(segment) = L::segment_mut(segment) else { unreachable!("a grid segment") };
        segment.space.pop();
        segment.space.iter_mut().for_each(|(outer, _)| copy.binder(outer));
        segment.space.extend(space);
        let Points::Threads { body, .. } = &mut segment.points else { unreachable!("a map") };
        copy.body(body);
        body.stms.splice(0..0, Step::all(&step.origin, lets(first)));
        nested.add_rule(RULE);
        Some((lets(sizes).collect(), even, nested))
    }

    /// Whether the segment gets more counters.
    fn divides<L: Level>(&mut self, index: Var, segment: &GridSegment, uses: &Uses, step: &Step<L>) -> bool {
        let map = || matches!(segment.threads(), Some((SegmentKind::Map, _)));
        let before = || uses.divisor(&[index]).is_some();
        let short = || uses.statements <= self.cx.target.max_divided.unsigned_abs();
        match missing(&[(ONLY_MAPS, &map), (INVARIANT, &before), (SHORT, &short)]) {
            None => self.cx.fire(RULE, &step.origin),
            Some(premise) => {
                self.cx.refuse(RULE, Refusal::of(premise), &step.origin);
                false
            }
        }
    }
}

/// Statements that bind scalars.
fn lets<L: Level>(scalars: Vec<(Var, ScalarExp)>) -> impl Iterator<Item = Stm<L>> {
    scalars.into_iter().map(|(var, exp)| Stm::Let { var, exp })
}

/// The divisions and comparisons of a point.
#[derive(Default)]
struct Uses {
    /// The result, the operator, the dividend and the divisor.
    divisions: Vec<(Var, BinOp, Var, Var)>,
    /// The result, the operator and the operands.
    comparisons: Vec<(Var, CmpOp, Atom, Atom)>,
    /// The variables that the point binds.
    inside: BTreeSet<Var>,
    statements: u64,
}

impl Uses {
    /// The uses in a segment whose points are threads; `None` for any other segment.
    fn of(segment: &GridSegment) -> Option<Uses> {
        let (_, body) = segment.threads()?;
        let mut uses = Uses::default();
        uses.space(&segment.space);
        uses.body(body);
        Some(uses)
    }

    /// Whether a variable divides the index.
    fn is_divided(&self, index: Var) -> bool {
        self.divisions.iter().any(|&(_, _, dividend, _)| dividend == index)
    }

    /// The first variable from before the segment that divides one of these.
    fn divisor(&self, dividends: &[Var]) -> Option<Var> {
        let by = |&(_, _, dividend, divisor): &(Var, BinOp, Var, Var)| {
            (dividends.contains(&dividend) && !self.inside.contains(&divisor)).then_some(divisor)
        };
        self.divisions.iter().find_map(by)
    }

    /// The results of these operators on one of the dividends and the divisor.
    fn results(&self, ops: [BinOp; 2], dividends: &[Var], divisor: Var) -> Vec<Var> {
        let such = self.divisions.iter().filter(|&&(_, op, dividend, by)| {
            ops.contains(&op) && dividends.contains(&dividend) && by == divisor
        });
        such.map(|&(result, ..)| result).collect()
    }
}

impl Visit for Uses {
    fn binder(&mut self, var: &Var) {
        self.inside.insert(*var);
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        self.statements += 1;
        match *stm {
            Stm::Let {
                var,
                exp:
                    ScalarExp::Binary(
                        op @ (BinOp::Div | BinOp::Quot | BinOp::Mod | BinOp::Rem),
                        Atom::Var(dividend),
                        Atom::Var(divisor),
                    ),
            } => self.divisions.push((var, op, dividend, divisor)),
            Stm::Let { var, exp: ScalarExp::Compare(op, a, b) } => self.comparisons.push((var, op, a, b)),
            _ => (),
        }
        self.children(stm);
    }
}

/// The digits of an index: the counters that take its place.
struct Digits<'a> {
    vars: &'a mut VarTable,
    uses: &'a Uses,
    /// The scalars that the host computes before the segment.
    sizes: Vec<(Var, ScalarExp)>,
    /// Whether each size is a multiple of its divisor.
    even: Atom,
    /// The counters with their sizes, outermost first.
    space: Vec<(Var, Atom)>,
    /// The scalars that a point computes first: the divided values, from the counters.
    first: Vec<(Var, ScalarExp)>,
    /// For each scalar of the point that is a counter or follows from counters: its new value.
    known: BTreeMap<Var, Atom>,
}

impl<'a> Digits<'a> {
    fn new(vars: &'a mut VarTable, uses: &'a Uses) -> Digits<'a> {
        let even = Atom::bool(true);
        Digits { vars, uses, sizes: vec![], even, space: vec![], first: vec![], known: BTreeMap::new() }
    }

    /// Adds a counter from 0 up to `size`. If one of `counts`, the scalars that have the value of this counter, is divided,
    /// adds counters for the quotient and the remainder instead. Returns the value.
    fn split(&mut self, counts: &[Var], size: Atom) -> Atom {
        let Some(divisor) = self.uses.divisor(counts) else {
            let counter = self.scalar(PrimType::I64);
            self.space.push((counter, size));
            return Atom::Var(counter);
        };
        let by = Atom::Var(divisor);
        // The division must not fail where the segment would not.
        let positive = self.size(ScalarExp::Binary(BinOp::Max, by, Atom::i64(1)));
        let rest = self.size(ScalarExp::Binary(BinOp::Rem, size, positive));
        let times = self.size(ScalarExp::Binary(BinOp::Quot, size, positive));
        self.require(ScalarExp::Compare(CmpOp::Eq, rest, Atom::i64(0)));
        self.require(ScalarExp::Compare(CmpOp::Eq, positive, by));
        let quotients = self.uses.results([BinOp::Div, BinOp::Quot], counts, divisor);
        let remainders = self.uses.results([BinOp::Mod, BinOp::Rem], counts, divisor);
        let quotient = self.split(&quotients, times);
        let remainder = self.split(&remainders, by);
        self.known.extend(quotients.into_iter().map(|var| (var, quotient)));
        self.known.extend(remainders.into_iter().map(|var| (var, remainder)));
        self.compare(counts, by, quotient);
        let product = self.compute(PrimType::I64, ScalarExp::Binary(BinOp::Mul, quotient, by));
        self.compute(PrimType::I64, ScalarExp::Binary(BinOp::Add, product, remainder))
    }

    /// Compares the quotient with 1 instead of the count with the divisor.
    fn compare(&mut self, counts: &[Var], divisor: Atom, quotient: Atom) {
        let is_count = |atom: Atom| atom.var().is_some_and(|var| counts.contains(&var));
        for &(var, op, a, b) in &self.uses.comparisons {
            let one = Atom::i64(1);
            let comparison = match op {
                CmpOp::Lt if is_count(a) && b == divisor => ScalarExp::Compare(op, quotient, one),
                CmpOp::Le if a == divisor && is_count(b) => ScalarExp::Compare(op, one, quotient),
                _ => continue,
            };
            let known = self.compute(PrimType::Bool, comparison);
            self.known.insert(var, known);
        }
    }

    /// Requires that a row has enough points.
    fn row_is_long(&mut self) {
        let &(_, row) = self.space.last().expect("a counter");
        self.require(ScalarExp::Compare(CmpOp::Le, Atom::i64(MIN_ROW), row));
    }

    fn require(&mut self, condition: ScalarExp) {
        let [holds, all] = [(); 2].map(|()| self.scalar(PrimType::Bool));
        self.sizes.push((holds, condition));
        self.sizes.push((all, ScalarExp::Binary(BinOp::And, self.even, Atom::Var(holds))));
        self.even = Atom::Var(all);
    }

    /// A scalar of the host.
    fn size(&mut self, exp: ScalarExp) -> Atom {
        let var = self.scalar(PrimType::I64);
        self.sizes.push((var, exp));
        Atom::Var(var)
    }

    /// A scalar of the point.
    fn compute(&mut self, ty: PrimType, exp: ScalarExp) -> Atom {
        let var = self.scalar(ty);
        self.first.push((var, exp));
        Atom::Var(var)
    }

    fn scalar(&mut self, ty: PrimType) -> Var {
        self.vars.push(VarInfo { hint: None, ty: Type::Scalar(ty) })
    }
}
