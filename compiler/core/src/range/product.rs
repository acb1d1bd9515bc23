//! Bounds of products, to remove the checks of positions in flattened two-dimensional arrays.
//!
//! In each line, the facts on the left and the condition on the right imply the fact in the middle:
//!
//! ```text
//!   x <= q - d,  q * b <= s                      x * b <= s - d * b         d >= 0
//!   x <= q - d,  q * b <= s,  j <= b + c         x * b + j <= s + c         d >= 1
//!   x >= y + d,  y * b = p                       x * b >= p + d * b         d >= 0
//!   k <= q * b - 1                               k / b <= q - 1
//!   q * b >= 1                                   q >= 1 and b >= 1
//! ```
//!
//! *Requires* that `x`, `y`, `q` and `b` are not negative, that `b` is the same operand in both products (or the result
//! of a check of it), and that no product overflows. A product `q * b` is used only if its range shows that it does not
//! overflow. If this follows from a check, as for the size of an array, the facts hold only for the result of the
//! check. Another product of the same factors does not depend on the check, so nothing is known of it.
//!
//! A quotient bounds a product too: `q * b <= s` if `q = s / b`. Such a fact holds only in the body that computes the
//! product or quotient, so it is removed at the end of that body.

use ravel_prim::{BinOp, PrimType, PrimValue};
use rustc_hash::FxHashMap;

use super::Interval;
use super::layer::{Bound, Layer, Range, unite};
use crate::builder::atom_type;
use crate::syntax::*;

/// The maximum number of upper bounds that are kept for a product.
const MAX_MULTIPLES: usize = 2;

/// An upper bound of a product of two numbers.
#[derive(Clone, Debug)]
struct Multiple {
    most: Atom,
    /// Whether the bound is the product itself.
    exactly: bool,
    /// The checks that the bound depends on.
    checks: Vec<Var>,
}

/// The factors of a product.
#[derive(Clone, Debug)]
struct Factors {
    of: (Atom, Atom),
    /// The checks which show that the product does not overflow and its factors are not negative.
    checks: Vec<Var>,
}

/// The facts about products of numbers that are not negative.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    multiples: FxHashMap<(Atom, Atom), Vec<Multiple>>,
    factors: FxHashMap<Var, Factors>,
    /// The keys of the recorded bounds, the latest last.
    undo_log: Vec<(Atom, Atom)>,
}

impl Products {
    pub fn enter(&self) -> usize {
        self.undo_log.len()
    }

    pub fn leave(&mut self, mark: usize) {
        for key in self.undo_log.drain(mark..).rev() {
            if let Some(known) = self.multiples.get_mut(&key) {
                known.pop();
            }
        }
    }

    /// Removes the factors of this product.
    pub fn forget(&mut self, product: Var) {
        self.factors.remove(&product);
    }

    fn note(&mut self, key: (Atom, Atom), multiple: Multiple) {
        let known = self.multiples.entry(key).or_default();
        if known.len() < MAX_MULTIPLES {
            known.push(multiple);
            self.undo_log.push(key);
        }
    }
}

impl Layer {
    /// Whether the integer is certainly not negative.
    pub(super) fn is_natural(&self, vars: &VarTable, atom: Atom) -> bool {
        self.interval(vars, atom).is_some_and(|range| range.least >= 0)
    }

    /// The upper bounds of a product.
    fn multiples(&self, q: Atom, b: Atom) -> &[Multiple] {
        let key = (self.value(q), self.value(b));
        let known = self.products.multiples.get(&key).map_or(&[][..], Vec::as_slice);
        known.iter().for_each(|multiple| self.depend_on(&multiple.checks));
        known
    }

    /// The factors of a number, if they are known.
    fn factors(&self, product: Atom) -> Option<(Atom, Atom)> {
        let factors = self.products.factors.get(&product.var()?)?;
        self.depend_on(&factors.checks);
        Some(factors.of)
    }

    /// The other factor of a product, if `factor` is one of them.
    fn other_factor(&self, product: Atom, factor: Atom) -> Option<Atom> {
        let (a, b) = self.factors(product)?;
        let is_it = |other: Atom| self.value(other) == self.value(factor);
        if is_it(b) { Some(a) } else { is_it(a).then_some(b) }
    }

    /// Records that `product` is `a * b` without overflow. `checks` are the checks that this depends on.
    pub(super) fn note_factors(&mut self, vars: &VarTable, product: Var, a: Atom, b: Atom, checks: &[Var]) {
        let (natural, others) =
            self.with_dependencies(|layer| layer.is_natural(vars, a) && layer.is_natural(vars, b));
        if natural {
            let mut checks = checks.to_vec();
            unite(&mut checks, &others);
            self.products.factors.insert(product, Factors { of: (a, b), checks });
        }
    }

    /// Records the facts about products that follow from an operation. The operation does not overflow; `checks` are
    /// the checks that this depends on.
    pub(super) fn note_products(
        &mut self,
        vars: &VarTable,
        (binder, checks): (Var, &[Var]),
        op: BinOp,
        a: Atom,
        b: Atom,
    ) {
        let name = Atom::Var(binder);
        let (found, checks) = self.with_dependencies(|layer| {
            if !layer.is_natural(vars, a) || !layer.is_natural(vars, b) {
                return Vec::new();
            }
            layer.depend_on(checks);
            match op {
                BinOp::Mul => [(a, b), (b, a)].map(|key| (key, name, true)).to_vec(),
                BinOp::Div | BinOp::Quot if layer.interval(vars, b).is_some_and(|range| range.least > 0) => {
                    let smaller = layer.lower_bounds(b).filter(|&(_, offset)| offset >= 0);
                    let naturals = smaller.filter(|&(divisor, _)| layer.is_natural(vars, divisor));
                    naturals.map(|(divisor, _)| ((name, divisor), a, false)).collect()
                }
                BinOp::Shr => {
                    let power = power_of_two(atom_type(vars, a).elem, b);
                    power.into_iter().map(|power| ((name, power), a, false)).collect()
                }
                _ => Vec::new(),
            }
        });
        if op == BinOp::Mul && !found.is_empty() {
            self.note_factors(vars, binder, a, b, &checks);
        }
        for ((q, b), most, exactly) in found {
            let key = (self.value(q), self.value(b));
            self.products.note(key, Multiple { most, exactly, checks: checks.clone() });
        }
    }

    /// Adds the bounds of `x * by`, where neither is negative.
    pub(super) fn scale(&self, vars: &VarTable, range: &mut Range, x: Atom, by: Atom) {
        let Some(low) = self.interval(vars, by).map(|by| by.least) else { return };
        let scaled = |bound: Atom, offset: i128| Some((bound, offset.checked_mul(low)?));
        for (q, offset) in self.upper_bounds(x).filter(|&(_, offset)| offset <= 0) {
            range.at_most.extend(self.multiples(q, by).iter().filter_map(|known| scaled(known.most, offset)));
        }
        for (q, offset) in self.lower_bounds(x).filter(|&(_, offset)| offset >= 0) {
            let exactly = self.multiples(q, by).iter().filter(|known| known.exactly);
            range.at_least.extend(exactly.filter_map(|known| scaled(known.most, offset)));
        }
        if low >= 1 {
            range.at_least.push((x, 0));
        }
    }

    /// The upper bounds of `product + j` by the second line of the table. Such a sum is a position in row-major order: column
    /// `j` of the row that begins at `product`.
    pub(super) fn row_major_bounds(&self, product: Atom, j: Atom) -> Vec<Bound> {
        let Some((a, b)) = self.factors(product) else { return Vec::new() };
        let mut bounds = Vec::new();
        for (x, by) in [(a, b), (b, a)] {
            for (_, offset) in self.upper_bounds(j).filter(|&(c, _)| self.value(c) == self.value(by)) {
                for (q, _) in self.upper_bounds(x).filter(|&(_, offset)| offset <= -1) {
                    bounds.extend(self.multiples(q, by).iter().map(|known| (known.most, offset)));
                }
            }
        }
        bounds
    }

    /// The bounds of `a / by`, where neither is negative and `a` is at most a product with factor `by`.
    pub(super) fn quotients(&self, a: Atom, by: Atom) -> Vec<Bound> {
        let products = self.upper_bounds(a).filter(|&(_, offset)| offset <= 0);
        let rows = products.filter_map(|(c, offset)| Some((self.other_factor(c, by)?, offset.max(-1))));
        rows.collect()
    }

    /// Assumes until the end of the body that no factor of this product is 0, because the product is positive. Does the
    /// same for factors that are products, to this depth.
    pub(super) fn assume_nonzero_factors(&mut self, vars: &VarTable, product: Atom, depth: usize) {
        let (factors, checks) = self.with_dependencies(|layer| {
            layer.interval(vars, product)?;
            layer.factors(product)
        });
        let Some((a, b)) = factors.filter(|_| depth > 0) else { return };
        for factor in [a, b] {
            let range = self.with_dependencies(|layer| layer.interval(vars, factor)).0;
            if let Some(range) = range.filter(|range| range.least < 1) {
                self.refine(factor, Interval { least: 1, ..range }, &[&checks], |_| None);
                self.assume_nonzero_factors(vars, factor, depth - 1);
            }
        }
    }
}

/// The number by which a right shift by a constant divides.
fn power_of_two(ty: PrimType, places: Atom) -> Option<Atom> {
    let Atom::Const(places) = places else { return None };
    let places = places.bits();
    let value_bits = u64::from(ty.bits()) - u64::from(ty.is_signed());
    (places < value_bits).then(|| Atom::Const(PrimValue::from_bits(ty, 1 << places)))
}
