//! Guards: the checks on which the operands of a statement depend.
//!
//! Code depends on a check by using a value that the check returns. Some rules replace an array element by a value that
//! does not mention the index: every element of `replicate n a` is `a`. If the index is the result of a check, this
//! would drop the dependence, and the program could return a result where it must fail. So the rule passes the new value
//! through the same checks.

use ravel_core::{Atom, Builder};

use super::{Check, Facts};

/// The operands that depend on checks, each with its checks.
pub struct Guards(Vec<(Atom, Vec<Check>)>);

impl Guards {
    /// The checks on which these operands depend.
    pub fn of(known: &Facts, operands: impl IntoIterator<Item = Atom>) -> Guards {
        let checks_of = |operand| {
            let checks = known.ranges.checks_of(operand);
            (operand, checks.filter_map(|check| known.check(check).cloned()).collect::<Vec<_>>())
        };
        Guards(operands.into_iter().map(checks_of).filter(|(_, checks)| !checks.is_empty()).collect())
    }

    /// Whether no operand depends on a check.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Passes the value through the checks of these operands. Each condition is checked once.
    pub fn apply(&self, b: &mut Builder, operands: &[Atom], value: Atom) -> Atom {
        let mut checked: Vec<Atom> = Vec::new();
        let guards = self.0.iter().filter(|(operand, _)| operands.contains(operand));
        guards.flat_map(|(_, checks)| checks).fold(value, |value, (cond, error)| {
            if checked.contains(cond) {
                return value;
            }
            checked.push(*cond);
            b.assert(*cond, value, error.clone())
        })
    }
}
