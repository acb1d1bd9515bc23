//! The checks on the path to a statement.
//!
//! A failure is a dependence: a check whose results have no use may be removed. So a rule that writes code in place of what
//! depends on checks passes its values through the same checks.

use ravel_core::{Atom, Builder, ErrorMessage, Exp, Stm, Var, VarTable, free_in_stm};
use rustc_hash::{FxHashMap, FxHashSet};

/// A condition, and the message if it does not hold.
pub type Check = (Atom, ErrorMessage);

/// The checks that have been made.
#[derive(Debug, Default)]
pub struct Checked {
    /// The latest is the last.
    checks: Vec<Check>,
    /// For each result of a check, the check and the value that it returned.
    returned: FxHashMap<Var, (Check, Atom)>,
    /// What is computed from the results of checks.
    dependent: FxHashSet<Var>,
}

impl Checked {
    /// Enters a body. At its end, pass the mark to [`Checked::leave`].
    pub fn enter(&self) -> usize {
        self.checks.len()
    }

    /// Removes the checks of the body.
    pub fn leave(&mut self, mark: usize) {
        self.checks.truncate(mark);
    }

    /// Records a statement that has run.
    pub fn add(&mut self, vars: &VarTable, stm: &Stm) {
        if let Exp::Assert { cond, values, error } = &stm.exp {
            let check = (*cond, error.clone());
            let returned = stm.binders.iter().zip(values);
            self.returned.extend(returned.map(|(&binder, &value)| (binder, (check.clone(), value))));
            self.dependent.extend(&stm.binders);
            if !self.contains(*cond) {
                self.checks.push(check);
            }
        } else if stm.binders.iter().all(|&binder| vars[binder].ty.is_scalar())
            && free_in_stm(vars, stm).iter().any(|var| self.dependent.contains(var))
        {
            self.dependent.extend(&stm.binders);
        }
    }

    /// Whether the condition has been checked. A further check of it cannot fail.
    pub fn contains(&self, cond: Atom) -> bool {
        self.checks.iter().any(|(known, _)| *known == cond)
    }

    /// The checks that have been made, the latest first.
    pub fn latest(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().rev()
    }

    /// The checks through which this value passed. `None` if it is computed from a value that passed through others.
    pub fn of(&self, mut atom: Atom) -> Option<Vec<Check>> {
        let mut checks = Vec::new();
        while let Some((check, value)) = atom.var().and_then(|var| self.returned.get(&var)) {
            checks.push(check.clone());
            atom = *value;
        }
        atom.var().is_none_or(|var| !self.dependent.contains(&var)).then_some(checks)
    }
}

/// Passes values through checks.
pub fn pass(b: &mut Builder, checks: &[Check], mut values: Vec<Atom>) -> Vec<Atom> {
    for (cond, error) in checks {
        let types = values.iter().map(|&value| b.type_of(value)).collect();
        let error = error.clone();
        values = b.bind_many(types, Exp::Assert { cond: *cond, values, error });
    }
    values
}
