//! The conditions of the checks on the path to a statement.

use ravel_core::{Atom, Exp, Stm};

/// The conditions that have been checked, the latest last. A further check of one of them cannot fail.
#[derive(Debug, Default)]
pub struct Checked(Vec<Atom>);

impl Checked {
    /// Enters a body. At its end, pass the mark to [`Checked::leave`].
    pub fn enter(&self) -> usize {
        self.0.len()
    }

    /// Removes the checks of the body.
    pub fn leave(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    /// Records a statement that has run.
    pub fn add(&mut self, stm: &Stm) {
        if let Exp::Assert { cond, .. } = stm.exp
            && !self.contains(cond)
        {
            self.0.push(cond);
        }
    }

    /// Whether the condition has been checked.
    pub fn contains(&self, cond: Atom) -> bool {
        self.0.contains(&cond)
    }
}
