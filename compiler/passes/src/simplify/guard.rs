//! Guards: the checks that the operands of a statement depend on.
//!
//! A failure is a dependence. A rule that replaces an array element may drop the checked index: every element of
//! `replicate n a` is `a`. Without the check, the program would return a result where it must fail. So the rule passes
//! the new value through the same checks.

use ravel_core::{Atom, Builder};

use super::{Check, Known};

/// Operands that depend on checks, with these checks.
pub struct Guards(Vec<(Atom, Vec<Check>)>);

impl Guards {
    /// The checks that these operands depend on.
    pub fn of(known: &Known, operands: impl IntoIterator<Item = Atom>) -> Guards {
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

    /// The value after the checks of these operands, each condition once.
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
