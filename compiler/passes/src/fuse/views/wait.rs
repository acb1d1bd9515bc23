//! What is mapped as it is seen waits for the checks of the view.
//!
//! ```text
//!   let v = slice xs[s : m : k]                      where s or m is what a check of c hands through
//!   screma … map \(x) -> { … let y = zs[i] … }   -->   screma … map \(x) -> { … let i' = assert c (i) let y = zs[i'] … }
//! ```
//!
//! In a map there is a point, and that may be why an element is read without a check: `zs[n - 1]` is there if `xs` has n
//! elements and one of them is being made. Of a view there are points if it says so, be it of an array without any
//! element; only its check tells that there are some. So what goes wrong without it must wait for it by
//! itself, for what the map reads may turn out to be used by nobody, and go with the check that it waited for. What has been
//! checked before is removed in the end ([`crate::redundant_checks`]).

use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Atom, Body, Builder, DimSlice, Exp, Function, Stm, Type, Var, VarTable};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::simplify::Check;

/// What checks hand through: the check, and the value.
#[derive(Default)]
pub struct Checks(FxHashMap<Var, (Check, Atom)>);

impl Checks {
    /// Those of a function.
    pub fn of(function: &Function) -> Checks {
        let mut checks = Checks::default();
        checks.body(&function.body);
        checks
    }

    /// The checks for which these wait, each condition once.
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

/// Makes what reads by position, or divides, wait for checks.
pub fn wait(b: &mut Builder, body: &mut Body, checks: &[Check]) {
    if !checks.is_empty() {
        Waiting { b, checks }.body(body);
    }
}

struct Waiting<'a> {
    b: &'a mut Builder,
    checks: &'a [Check],
}

impl VisitMut for Waiting<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.exp(&mut stm.exp);
            let vars = self.b.vars();
            if let Some(ty) = operand(vars, &mut stm.exp).map(|&mut atom| ravel_core::atom_type(vars, atom)) {
                body.stms.extend(self.handed_on(&mut stm, &ty));
            }
            body.stms.push(stm);
        }
    }
}

impl Waiting<'_> {
    /// The checks that stand before a statement; it uses what comes out.
    fn handed_on(&mut self, stm: &mut Stm, ty: &Type) -> Vec<Stm> {
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

/// An operand without which the expression cannot go wrong.
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
