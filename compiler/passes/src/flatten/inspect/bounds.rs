//! The sizes of a point's arrays, and the statements that bound them.
//!
//! A size needs a bound if the array needs memory (it is not a view) and the host cannot compute the size or an upper
//! bound of it. [`Sizes`] finds these sizes. It must recognise only the bounds that the translation to kernel IR finds in
//! the same code (`fit/bounds.rs`): a minimum is bounded by each operand, a sum and a product with a constant by
//! the bounds of their operands. A test of the translation compares the two for every operator.
//!
//! [`bound`] inserts `size1 = min size most` and puts `size1` in the place of `size`, in types as well. Two sizes are
//! equal only if they are the same atom. So the statement precedes all arrays of this size in one body: the body in
//! which a statement binds such an array, as deep as possible. A size that only one side of a branch needs is bounded
//! there, and if the other side runs, its value does not count.
//!
//! The greatest sizes of an array with several dimensions may belong to different points. So if two of its sizes need
//! bounds, the later one is also bounded by the greatest product: `size2 = min size1 (most / max other 1)`.

use ravel_base::{Span, Symbol};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Atom, Body, Builder, Exp, Origin, Sink, Stm, Substitution, Type, Var, VarTable, atom_type};
use ravel_prim::BinOp;
use rustc_hash::FxHashSet;

use super::super::sizes::{KnownScalars, is_view};

/// The sizes of the arrays for which the code of a segment's points needs memory.
pub(super) struct Sizes<'v> {
    vars: &'v VarTable,
    known: KnownScalars,
    /// Scalars that have an upper bound before the segment, without being known there.
    bounded: FxHashSet<Var>,
    /// The sizes without a known bound, in the order of the code.
    pub unbounded: Vec<Var>,
    /// Pairs of them that are sizes of the same array.
    pub pairs: Vec<(Var, Var)>,
    /// A branch or loop whose arrays have a size that it determines itself.
    pub resizing: Option<Blamed>,
}

/// The name and place of a statement.
pub(super) type Blamed = (Option<Symbol>, Option<Span>);

impl Sizes<'_> {
    /// The sizes in the code of this construct, a statement of host code.
    pub(super) fn of<'v>(vars: &'v VarTable, stm: &Stm) -> Sizes<'v> {
        let (known, bounded) = (KnownScalars::default(), FxHashSet::default());
        let mut sizes =
            Sizes { vars, known, bounded, unbounded: Vec::new(), pairs: Vec::new(), resizing: None };
        sizes.exp(&stm.exp);
        sizes
    }

    fn is_bounded(&self, atom: Atom) -> bool {
        self.known.is_known(atom) || atom.var().is_some_and(|var| self.bounded.contains(&var))
    }

    /// The types of the values of a statement that need memory.
    fn in_memory(&self, stm: &Stm) -> Vec<Type> {
        let Stm { binders, exp, .. } = stm;
        let mut types: Vec<Type> = Vec::new();
        match exp {
            // The value is copied first if it may be in the memory of the array.
            Exp::Update { value, .. } => types.push(atom_type(self.vars, *value)),
            Exp::Screma(screma) => {
                let made = |sink: &Sink| !matches!(sink, Sink::Write { .. } | Sink::Combine { .. });
                let made = screma.sink_ranges().filter(|(sink, ..)| made(sink));
                types
                    .extend(made.flat_map(|(_, own, _)| &binders[own]).map(|&var| self.vars[var].ty.clone()));
                let scanned = screma.scans.iter().flat_map(|scan| &scan.neutral);
                types.extend(scanned.map(|&neutral| atom_type(self.vars, neutral)));
            }
            exp if is_view(exp) => {}
            _ => types.extend(binders.iter().map(|&var| self.vars[var].ty.clone())),
        }
        types
    }

    /// Records the binders of a statement with a bound.
    fn record(&mut self, stm: &Stm) {
        self.known.record(stm);
        let constant =
            |atom: Atom| matches!(atom, Atom::Const(value) if value.as_i64().is_some_and(|value| value >= 0));
        let both = |sizes: &Self, a, b| sizes.is_bounded(a) && sizes.is_bounded(b);
        let bounded: Vec<bool> = match &stm.exp {
            Exp::Assert { values, .. } => values.iter().map(|&value| self.is_bounded(value)).collect(),
            &Exp::Atom(a) => vec![self.is_bounded(a)],
            &Exp::Binary(BinOp::Min, a, b) => vec![self.is_bounded(a) || self.is_bounded(b)],
            &Exp::Binary(BinOp::Add, a, b) => vec![both(self, a, b)],
            &Exp::Binary(BinOp::Mul, a, b) => vec![(constant(a) || constant(b)) && both(self, a, b)],
            _ => return,
        };
        let bounded = stm.binders.iter().zip(bounded).filter(|(_, bounded)| *bounded);
        self.bounded.extend(bounded.map(|(&binder, _)| binder));
    }
}

impl Visit for Sizes<'_> {
    fn var(&mut self, _: &Var) {}

    /// The parameters and counters of the code.
    fn binder(&mut self, var: &Var) {
        self.known.record_varying([*var]);
    }

    fn stm(&mut self, stm: &Stm) {
        for ty in self.in_memory(stm) {
            let mut own: Vec<Var> = Vec::new();
            for size in ty.shape {
                let Atom::Var(var) = size else { continue };
                if stm.binders.contains(&var) {
                    let hint = stm.binders.iter().rev().find_map(|&binder| self.vars[binder].hint);
                    self.resizing = self.resizing.or(Some((hint, stm.origin.place())));
                } else if !self.is_bounded(size) {
                    own.push(var);
                }
            }
            for &size in &own {
                if !self.unbounded.contains(&size) {
                    self.unbounded.push(size);
                }
            }
            if let &[a, b] = &own[..]
                && a != b
            {
                self.pairs.push((a, b));
            }
        }
        self.exp(&stm.exp);
        self.record(stm);
    }
}

/// A bound of a size.
pub(super) struct Bound {
    /// The size.
    pub size: Var,
    /// The greatest size.
    pub most: Var,
    /// For another size with an earlier bound: its greatest value, and the greatest product of the two.
    pub product: Option<(Var, Var)>,
}

impl Bound {
    /// Bounds the size in the code of a construct. Returns whether the product is bounded too: it is if the other size is
    /// in scope.
    pub(super) fn insert(&self, vars: &mut VarTable, stm: &mut Stm) -> bool {
        let mut insertion = Insertion { vars, bound: self, other: None, is_product_bounded: false };
        insertion.exp(&mut stm.exp);
        insertion.is_product_bounded
    }
}

struct Insertion<'v> {
    vars: &'v mut VarTable,
    bound: &'v Bound,
    /// The other size, where it is in scope.
    other: Option<Var>,
    is_product_bounded: bool,
}

impl Insertion<'_> {
    /// Records the other size if the statement bounds it.
    fn look_for_other(&mut self, stm: &Stm) {
        let is_other = |most: Var| self.bound.product.is_some_and(|(other, _)| other == most);
        match stm.exp {
            Exp::Binary(BinOp::Min, _, Atom::Var(most)) if is_other(most) => {
                self.other = stm.binders.first().copied();
            }
            _ => {}
        }
    }

    /// The statements that bound the size; the last one binds its new name.
    fn statements(&mut self, origin: &Origin) -> Vec<Stm> {
        let &Bound { size, most, product } = self.bound;
        let mut builder = Builder::resume(std::mem::take(self.vars));
        builder.set_origin(origin.clone());
        let mut bounded = builder.binary(BinOp::Min, Atom::Var(size), Atom::Var(most));
        if let (Some((_, most)), Some(other)) = (product, self.other) {
            let divisor = builder.binary(BinOp::Max, Atom::Var(other), Atom::i64(1));
            let quotient = builder.binary(BinOp::Quot, Atom::Var(most), divisor);
            bounded = builder.binary(BinOp::Min, bounded, quotient);
            self.is_product_bounded = true;
        }
        if let Some(hint) = builder.vars()[size].hint {
            builder.name(bounded, hint);
        }
        let stms;
        (*self.vars, stms) = builder.finish();
        stms
    }
}

impl VisitMut for Insertion<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let (size, outer) = (self.bound.size, self.other);
        let is_of_size = |binder: &Var| self.vars[*binder].ty.shape.contains(&Atom::Var(size));
        let is_here = body.stms.iter().any(|stm| stm.binders.iter().any(is_of_size));
        let first = body.stms.iter().position(|stm| is_here && binds_array(self.vars, stm, size));
        let mut rest = body.stms.split_off(first.unwrap_or(body.stms.len()));
        if let Some(first) = rest.first_mut() {
            body.stms.extend(split_check(self.vars, first, size));
        }
        for stm in &mut body.stms {
            self.look_for_other(stm);
            self.stm(stm);
        }
        if let Some(first) = rest.first() {
            body.stms.extend(self.statements(&first.origin));
            let last = body.stms.last().and_then(|stm| stm.binders.first());
            let bounded: Substitution = last.map(|&bounded| (size, Atom::Var(bounded))).into_iter().collect();
            for mut stm in rest {
                bounded.stm(self.vars, &mut stm);
                body.stms.push(stm);
            }
            body.result.iter_mut().for_each(|atom| *atom = bounded.atom(*atom));
        }
        self.other = outer;
    }
}

/// If a check returns this size and arrays of it, takes its scalars out: the returned check, which comes first, has them.
fn split_check(vars: &VarTable, stm: &mut Stm, size: Var) -> Option<Stm> {
    let Exp::Assert { cond, values, error } = &stm.exp else { return None };
    if !stm.binders.contains(&size) {
        return None;
    }
    let pairs = stm.binders.iter().copied().zip(values.iter().copied());
    let (scalars, arrays): (Vec<_>, Vec<_>) = pairs.partition(|&(binder, _)| vars[binder].ty.is_scalar());
    let (binders, values) = scalars.into_iter().unzip();
    let exp = Exp::Assert { cond: *cond, values, error: error.clone() };
    let check = Stm { binders, exp, origin: stm.origin.clone() };
    let (binders, values) = arrays.into_iter().unzip();
    stm.exp = Exp::Assert { cond: *cond, values, error: error.clone() };
    stm.binders = binders;
    Some(check)
}

/// Whether an array of this size is bound in the statement.
fn binds_array(vars: &VarTable, stm: &Stm, size: Var) -> bool {
    let mut search = Search { vars, size, found: false };
    search.stm(stm);
    search.found
}

struct Search<'v> {
    vars: &'v VarTable,
    size: Var,
    found: bool,
}

impl Visit for Search<'_> {
    fn var(&mut self, _: &Var) {}

    fn binder(&mut self, var: &Var) {
        self.found |= self.vars[*var].ty.shape.contains(&Atom::Var(self.size));
    }
}
