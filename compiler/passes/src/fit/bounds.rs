//! Scalars of a segment that are recomputed before it, and upper bounds of sizes that differ between points.
//!
//! The rule `inspect` of `flatten` relies on these bounds (`flatten/inspect/bounds.rs`): where no bound is known, it
//! computes one.

use ravel_kernel::visit::Visit;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType, convert};
use rustc_hash::FxHashMap;

use crate::arithmetic::{Arithmetic, ONE, ZERO};
use crate::steps::{Steps, scalar_type};

/// The code before a segment.
pub(super) struct Bounds<'c, 'v> {
    code: &'c mut Steps<'v, Host>,
    definitions: Definitions,
    /// Scalars of the segment that have been recomputed.
    hoisted: FxHashMap<Var, Atom>,
}

/// The variables that a segment binds, with their definitions if these are pure arithmetic.
#[derive(Default)]
pub(super) struct Definitions(FxHashMap<Var, Option<ScalarExp>>);

impl Visit for Definitions {
    fn binder(&mut self, var: &Var) {
        self.0.insert(*var, None);
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        self.children(stm);
        if let Stm::Let { var, exp } = stm {
            self.0.insert(*var, Some(exp.clone()));
        }
    }
}

impl<'c, 'v> Bounds<'c, 'v> {
    /// The code before a segment. `visit` visits the index space and the code of the segment.
    pub fn new(code: &'c mut Steps<'v, Host>, visit: impl FnOnce(&mut Definitions)) -> Bounds<'c, 'v> {
        let mut definitions = Definitions::default();
        visit(&mut definitions);
        Bounds { code, definitions, hoisted: FxHashMap::default() }
    }

    /// The code.
    pub fn code(&mut self) -> &mut Steps<'v, Host> {
        self.code
    }

    /// An integer as an i64, recomputed before the segment if possible.
    pub fn known(&mut self, number: Atom) -> Option<Atom> {
        let known = self.hoist(number)?;
        Some(match (scalar_type(known, self.code.vars), known) {
            (PrimType::I64, _) => known,
            (_, Atom::Const(value)) => Atom::Const(convert(value, PrimType::I64)),
            (_, Atom::Var(_)) => self.code.reuse(PrimType::I64, ScalarExp::Convert(PrimType::I64, known)),
        })
    }

    /// The number of elements of an array of these sizes, recomputed before the segment if possible.
    pub fn count(&mut self, sizes: &[Atom]) -> Option<Atom> {
        let sizes = sizes.iter().map(|&size| self.hoist(size)).collect::<Option<Vec<Atom>>>()?;
        Some(self.product(&sizes))
    }

    /// An upper bound of the number of elements of an array of these sizes.
    pub fn count_at_most(&mut self, sizes: &[Atom]) -> Option<Atom> {
        let most = self.all_at_most(sizes)?;
        Some(self.product(&most))
    }

    /// The sizes are computed speculatively: if no point reaches the array, they are arbitrary.
    fn product(&mut self, sizes: &[Atom]) -> Atom {
        let sizes: Vec<Atom> = sizes.iter().map(|&size| self.code.max(size, ZERO)).collect();
        self.code.count(&sizes)
    }

    /// The scalar recomputed before the segment, if possible.
    fn hoist(&mut self, atom: Atom) -> Option<Atom> {
        let Atom::Var(var) = atom else { return Some(atom) };
        let Some(definition) = self.definitions.0.get(&var) else { return Some(atom) };
        if let Some(&hoisted) = self.hoisted.get(&var) {
            return Some(hoisted);
        }
        let mut exp = definition.clone().filter(ScalarExp::is_total)?;
        for operand in exp.operands_mut() {
            *operand = self.hoist(*operand)?;
        }
        let (hint, ty) = (self.code.vars[var].hint, scalar_type(atom, self.code.vars));
        let outside = self.code.bind_scalar(hint, ty, exp);
        self.hoisted.insert(var, outside);
        Some(outside)
    }

    /// A number recomputed before the segment, or an upper bound of it.
    fn at_most(&mut self, size: Atom) -> Option<Atom> {
        if let Some(known) = self.hoist(size) {
            return Some(known);
        }
        let definition = self.definitions.0.get(&size.var()?)?.clone()?;
        let ScalarExp::Binary(op, a, b) = definition else { return None };
        let is_scale =
            |atom: Atom| matches!(atom, Atom::Const(value) if value.as_i64().is_some_and(|value| value >= 0));
        let (a, b) = match op {
            BinOp::Min => return self.at_most(b).or_else(|| self.at_most(a)),
            BinOp::Add => (self.at_most(a)?, self.at_most(b)?),
            // A product is monotonic in a factor only if the other is not negative.
            BinOp::Mul if is_scale(a) || is_scale(b) => (self.at_most(a)?, self.at_most(b)?),
            _ => return None,
        };
        Some(self.code.bind_scalar(None, PrimType::I64, ScalarExp::Binary(op, a, b)))
    }

    /// Upper bounds of sizes whose product is an upper bound of the product of these sizes.
    fn all_at_most(&mut self, shape: &[Atom]) -> Option<Vec<Atom>> {
        let pairs = (0..shape.len()).flat_map(|a| (0..shape.len()).map(move |b| (a, b)));
        let bounded =
            pairs.filter_map(|(a, b)| Some((a, b, self.product_at_most(shape[a], shape[b])?))).next();
        let Some((a, b, most)) = bounded else {
            return shape.iter().map(|&size| self.at_most(size)).collect();
        };
        let others = shape.iter().enumerate().filter(|&(at, _)| at != a && at != b);
        let others = others.map(|(_, &size)| self.at_most(size)).collect::<Option<Vec<Atom>>>()?;
        Some([&[most], &others[..]].concat())
    }

    /// The upper bound of a product if `a` is the minimum with `most / max b 1`.
    fn product_at_most(&self, a: Atom, b: Atom) -> Option<Atom> {
        let definition = |atom: Atom| self.definitions.0.get(&atom.var()?)?.as_ref();
        let ScalarExp::Binary(BinOp::Min, _, quotient) = *definition(a)? else { return None };
        let ScalarExp::Binary(BinOp::Quot, most, divisor) = *definition(quotient)? else { return None };
        let is_outside = most.var().is_some_and(|most| !self.definitions.0.contains_key(&most));
        let is_divided = *definition(divisor)? == ScalarExp::Binary(BinOp::Max, b, ONE);
        (is_outside && is_divided).then_some(most)
    }
}
