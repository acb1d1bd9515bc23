//! Products, so that positions in arrays of two dimensions need not be checked.
//!
//! ```text
//!   x <= q - d,  q * b <= s                      x * b <= s - d * b         d >= 0
//!   x <= q - d,  q * b <= s,  j <= b + c         x * b + j <= s + c         d >= 1
//!   x >= y + d,  y * b = p                       x * b >= p + d * b         d >= 0
//!   k <= q * b - 1                               k / b <= q - 1
//!   q * b >= 1                                   q >= 1 and b >= 1
//! ```
//!
//! *Requires* that none of `x`, `y`, `q`, `b` is negative, that `b` is the same operand in both
//! products, and that the products are those of numbers without end: integers wrap around, so `q * b`
//! counts only where its range says that it does not. Where a check says so, as of the size of an array, that is
//! known of what comes of the check alone, which may be a divisor or a bound, but not of others with the same factors:
//! they need not wait for it.
//! That a product is so small is known of a quotient too: `q * b <= s` where `q = s / b`. Both hold
//! where the number was computed, so they are forgotten with the body that it was computed in.

use std::collections::HashMap;

use ravel_prim::{BinOp, PrimType, PrimValue};

use super::{Bound, Range, Ranges};
use crate::builder::atom_type;
use crate::syntax::*;

/// How many numbers are kept that one product is at most.
const MOST_MULTIPLES: usize = 2;

/// What is known of products of numbers that are not negative.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    /// The product of these is at most that; exactly that, if it is its name.
    multiples: HashMap<(Atom, Atom), Vec<(Atom, bool)>>,
    /// What a product is the product of.
    factors: HashMap<Var, (Atom, Atom)>,
    /// The keys of what has become known, the latest last.
    trail: Vec<(Atom, Atom)>,
}

impl Products {
    pub fn enter(&self) -> usize {
        self.trail.len()
    }

    pub fn leave(&mut self, mark: usize) {
        for key in self.trail.drain(mark..).rev() {
            if let Some(known) = self.multiples.get_mut(&key) {
                known.pop();
            }
        }
    }

    /// Forgets what this is the product of.
    pub fn forget(&mut self, product: Var) {
        self.factors.remove(&product);
    }

    fn note(&mut self, key: (Atom, Atom), most: Atom, exactly: bool) {
        let known = self.multiples.entry(key).or_default();
        if known.len() < MOST_MULTIPLES {
            known.push((most, exactly));
            self.trail.push(key);
        }
    }

    fn of(&self, q: Atom, b: Atom) -> &[(Atom, bool)] {
        self.multiples.get(&(q, b)).map_or(&[], Vec::as_slice)
    }

    /// The other factor of a product, if this is one of them.
    fn other(&self, product: Atom, factor: Atom) -> Option<Atom> {
        let &(a, b) = self.factors.get(&product.var()?)?;
        if b == factor { Some(a) } else { (a == factor).then_some(b) }
    }
}

impl Ranges {
    /// Is the integer certainly not negative?
    pub(super) fn is_natural(&self, vars: &VarTable, atom: Atom) -> bool {
        self.interval(vars, atom).is_some_and(|range| range.least >= 0)
    }

    /// That this is a product, which has not wrapped around, of these.
    pub(super) fn note_factors(&mut self, vars: &VarTable, product: Var, a: Atom, b: Atom) {
        if self.is_natural(vars, a) && self.is_natural(vars, b) {
            self.products.factors.insert(product, (a, b));
        }
    }

    /// What an operation that cannot wrap around says of products.
    pub(super) fn note_products(&mut self, vars: &VarTable, binder: Var, op: BinOp, a: Atom, b: Atom) {
        if !self.is_natural(vars, a) || !self.is_natural(vars, b) {
            return;
        }
        match op {
            BinOp::Mul => {
                self.note_factors(vars, binder, a, b);
                for key in [(a, b), (b, a)] {
                    self.products.note(key, Atom::Var(binder), true);
                }
            }
            BinOp::Div | BinOp::Quot if self.interval(vars, b).is_some_and(|range| range.least > 0) => {
                let smaller: Vec<Bound> = self.below(b).filter(|&(_, more)| more >= 0).collect();
                for (divisor, _) in smaller {
                    if self.is_natural(vars, divisor) {
                        self.products.note((Atom::Var(binder), divisor), a, false);
                    }
                }
            }
            BinOp::Shr => {
                if let Some(power) = power_of_two(atom_type(vars, a).elem, b) {
                    self.products.note((Atom::Var(binder), power), a, false);
                }
            }
            _ => {}
        }
    }

    /// Adds the bounds of `x * by`, of which neither is negative.
    pub(super) fn scale(&self, vars: &VarTable, range: &mut Range, x: Atom, by: Atom) {
        let Some(low) = self.interval(vars, by).map(|by| by.least) else { return };
        let scaled = |most: Atom, more: i128| Some((most, more.checked_mul(low)?));
        for (q, less) in self.above(x).filter(|&(_, less)| less <= 0) {
            range.at_most.extend(self.products.of(q, by).iter().filter_map(|&(most, _)| scaled(most, less)));
        }
        for (q, more) in self.below(x).filter(|&(_, more)| more >= 0) {
            let exactly = self.products.of(q, by).iter().filter(|(_, exactly)| *exactly);
            range.at_least.extend(exactly.filter_map(|&(product, _)| scaled(product, more)));
        }
        if low >= 1 {
            range.at_least.push((x, 0));
        }
    }

    /// The bounds of `product + j` that say that it is a position within a row, and the row is there.
    pub(super) fn positions(&self, product: Atom, j: Atom) -> Vec<Bound> {
        let Some(&(a, b)) = product.var().and_then(|var| self.products.factors.get(&var)) else {
            return Vec::new();
        };
        let mut bounds = Vec::new();
        for (x, by) in [(a, b), (b, a)] {
            for (_, over) in self.above(j).filter(|&(c, _)| c == by) {
                for (q, _) in self.above(x).filter(|&(_, less)| less <= -1) {
                    bounds.extend(self.products.of(q, by).iter().map(|&(most, _)| (most, over)));
                }
            }
        }
        bounds
    }

    /// The bounds of `a / by`, of which neither is negative, where `a` is at most a product with this factor.
    pub(super) fn quotients(&self, a: Atom, by: Atom) -> Vec<Bound> {
        let products = self.above(a).filter(|&(_, less)| less <= 0);
        let rows = products.filter_map(|(c, less)| Some((self.products.other(c, by)?, less.max(-1))));
        rows.collect()
    }

    /// From here to the end of the body, this is not 0, and so no factor of it is.
    pub(super) fn factors_count(&mut self, vars: &VarTable, product: Atom, ways: usize) {
        let factors = product.var().and_then(|var| self.products.factors.get(&var).copied());
        let Some((a, b)) = factors.filter(|_| ways > 0) else { return };
        for factor in [a, b] {
            if let Some(range) = self.interval(vars, factor).filter(|range| range.least < 1) {
                self.refine(factor, super::Interval { least: 1, ..range }, |_| None);
                self.factors_count(vars, factor, ways - 1);
            }
        }
    }
}

/// What a number is divided by where it is shifted by a constant.
fn power_of_two(ty: PrimType, places: Atom) -> Option<Atom> {
    let Atom::Const(places) = places else { return None };
    let places = places.bits();
    let value_bits = u64::from(ty.bits()) - u64::from(ty.is_signed());
    (places < value_bits).then(|| Atom::Const(PrimValue::from_bits(ty, 1 << places)))
}
