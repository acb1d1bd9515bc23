//! The checks that the first iteration of a loop makes, evaluated before the loop.
//!
//! A check that varies by iteration cannot move out of a loop. If it is computed by total arithmetic from the index and
//! the parameters of the loop, its value in the first iteration is known before the loop.

use std::collections::BTreeMap;

use ravel_kernel::*;
use ravel_prim::{PrimValue, convert};

use super::rename::Rename;

/// Scalars of the first iteration of a loop.
pub struct FirstIteration {
    /// The statements that compute them, with those that bind the index and the parameters to their first values.
    computed: Vec<(Var, ScalarExp)>,
    checks: Vec<Var>,
}

impl FirstIteration {
    /// The first values of the index and of the scalar parameters.
    pub fn of(vars: &VarTable, form: LoopForm, params: &[(Var, Atom)]) -> FirstIteration {
        let scalar = |var: Var| match vars[var].ty {
            Type::Scalar(ty) => Some(ty),
            _ => None,
        };
        let mut computed = Vec::new();
        if let LoopForm::For { index, .. } = form
            && let Some(ty) = scalar(index)
        {
            let zero = convert(PrimValue::I64(0), ty);
            computed.push((index, ScalarExp::Atom(Atom::Const(zero))));
        }
        let first = params.iter().filter(|&&(param, _)| scalar(param).is_some());
        computed.extend(first.map(|&(param, first)| (param, ScalarExp::Atom(first))));
        FirstIteration { computed, checks: Vec::new() }
    }

    /// Whether the scalar is known in the first iteration.
    pub fn knows(&self, var: Var) -> bool {
        self.computed.iter().any(|&(known, _)| known == var)
    }

    /// Adds a scalar that is computed from known ones.
    pub fn compute(&mut self, var: Var, exp: &ScalarExp) {
        self.computed.push((var, exp.clone()));
    }

    /// Adds a check.
    pub fn check(&mut self, cond: Var) {
        self.checks.push(cond);
    }

    /// The statements that evaluate the checks so far, and their conditions.
    pub fn evaluate<L: Level>(&self, vars: &mut VarTable) -> (Vec<Stm<L>>, Vec<Atom>) {
        if self.checks.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let mut names = BTreeMap::new();
        let mut stms = Vec::new();
        for (var, exp) in &self.computed {
            let mut stm = Stm::Let { var: *var, exp: exp.clone() };
            Rename(&names).stm(&mut stm);
            let info = vars[*var].clone();
            let first = vars.push(info);
            names.insert(*var, first);
            if let Stm::Let { var, .. } = &mut stm {
                *var = first;
            }
            stms.push(stm);
        }
        (stms, self.checks.iter().map(|check| Atom::Var(names[check])).collect())
    }
}
