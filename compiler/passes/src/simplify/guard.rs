//! Guards: the checks for which the operands of a statement wait.
//!
//! A failure is a dependence. A rule that replaces an element may leave out the index that was checked: every element of
//! `replicate n a` is `a`. The new value must wait for the check in the index's place, or the check goes and the program
//! answers where it has to fail. So the rule hands the new value through the same checks.

use ravel_core::{Atom, Builder};

use super::{Check, Known};

/// Operands that wait for checks, and these checks.
pub struct Guards(Vec<(Atom, Vec<Check>)>);

impl Guards {
    /// The checks that hand these operands on.
    pub fn of(known: &Known, operands: impl IntoIterator<Item = Atom>) -> Guards {
        let checks_of = |operand| {
            let checks = known.ranges.checks_of(operand);
            (operand, checks.filter_map(|check| known.check(check).cloned()).collect::<Vec<_>>())
        };
        Guards(operands.into_iter().map(checks_of).filter(|(_, checks)| !checks.is_empty()).collect())
    }

    /// Does no operand wait for a check?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A value that waits for the checks for which these operands wait, each condition once.
    pub fn hand_on(&self, b: &mut Builder, operands: &[Atom], value: Atom) -> Atom {
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
