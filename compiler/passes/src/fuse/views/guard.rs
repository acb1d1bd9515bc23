//! Makes the body of a viewed map depend on the checks of the view.
//!
//! ```text
//!   let v = slice xs[s : m : k]                      s or m is the result of a check of c
//!   screma … map \(x) -> { … let y = zs[i] … }   -->   screma … map \(x) -> { … let i' = assert c (i) let y = zs[i'] … }
//! ```
//!
//! Range analysis may have removed a check in the body of a map because the body runs only if the map has a point:
//! `zs[n - 1]` is in bounds if `zs` has `n` elements and one of the `n` points is being computed. A view has as many
//! points as it states, even if the array is empty; only its check ensures that the array has points. So every index
//! and divisor in the body gets the check as a guard. The inputs of the map do not suffice: they may become dead, and
//! their check with them. [`crate::redundant_checks`] removes repetitions.

use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Atom, Body, Builder, DimSlice, Exp, Function, Stm, Type, Var, VarTable};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::simplify::Check;

/// For each result of a check: the check, and the value it returns.
#[derive(Default)]
pub struct Checks(FxHashMap<Var, (Check, Atom)>);

impl Checks {
    /// The checks of a function.
    pub fn of(function: &Function) -> Checks {
        let mut checks = Checks::default();
        checks.body(&function.body);
        checks
    }

    /// The checks on which these values depend, each condition once.
    pub fn of_atoms(&self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Check> {
        let mut found: Vec<Check> = Vec::new();
        for mut atom in atoms {
            while let Some(((cond, error), value)) = atom.var().and_then(|var| self.0.get(&var)) {
                if found.iter().all(|(known, _)| known != cond) {
                    found.push((*cond, error.clone()));
                }
                atom = *value;
            }
        }
        found
    }
}

impl Visit for Checks {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Assert { cond, values, error } = &stm.exp
            && stm.trace_label().is_none()
        {
            let handed = stm.binders.iter().zip(values);
            self.0.extend(handed.map(|(&binder, &value)| (binder, ((*cond, error.clone()), value))));
        }
        self.exp(&stm.exp);
    }
}

/// Makes indices and divisors in a body depend on checks.
pub fn guard(b: &mut Builder, body: &mut Body, checks: &[Check]) {
    if !checks.is_empty() {
        CheckInserter { b, checks }.body(body);
    }
}

struct CheckInserter<'a> {
    b: &'a mut Builder,
    checks: &'a [Check],
}

impl VisitMut for CheckInserter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.exp(&mut stm.exp);
            let vars = self.b.vars();
            if let Some(ty) = operand(vars, &mut stm.exp).map(|&mut atom| ravel_core::atom_type(vars, atom)) {
                body.stms.extend(self.guards(&mut stm, &ty));
            }
            body.stms.push(stm);
        }
    }
}

impl CheckInserter<'_> {
    /// The checks to put before a statement, which then uses their results.
    fn guards(&mut self, stm: &mut Stm, ty: &Type) -> Vec<Stm> {
        let fresh: Vec<Var> = self.checks.iter().map(|_| self.b.fresh(None, ty.clone())).collect();
        let Some(operand) = operand(self.b.vars(), &mut stm.exp) else { return Vec::new() };
        let made = fresh.into_iter().zip(self.checks).map(|(binder, (cond, error))| {
            let value = std::mem::replace(operand, Atom::Var(binder));
            let exp = Exp::Assert { cond: *cond, values: vec![value], error: error.clone() };
            Stm { binders: vec![binder], exp, origin: stm.origin.clone() }
        });
        made.collect()
    }
}

/// The operand whose value decides whether the expression may fail.
fn operand<'e>(vars: &VarTable, exp: &'e mut Exp) -> Option<&'e mut Atom> {
    match exp {
        Exp::Index(_, positions) => positions.first_mut(),
        Exp::Slice(_, dims) | Exp::Update { slice: dims, .. } => match dims.first_mut()? {
            DimSlice::Fix(position) => Some(position),
            DimSlice::Range { start, .. } => Some(start),
        },
        Exp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow, _, b) => {
            b.var().is_some_and(|var| vars[var].ty.elem.is_integer()).then_some(b)
        }
        _ => None,
    }
}
