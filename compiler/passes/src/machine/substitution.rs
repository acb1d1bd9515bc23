//! Atoms that take the place of variables.

use std::collections::BTreeMap;

use ravel_kernel::*;

/// The atom that takes the place of each variable. That of a block or an array is a variable.
#[derive(Default)]
pub struct Substitution(BTreeMap<Var, Atom>);

impl Substitution {
    /// Puts `atom` in the place of a variable.
    pub fn insert(&mut self, var: Var, atom: Atom) {
        self.0.insert(var, atom);
    }

    /// Replaces the use of a variable as a value.
    pub fn atom(&self, atom: &mut Atom) {
        if let Some(&new) = atom.var().and_then(|var| self.0.get(&var)) {
            *atom = new;
        }
    }

    /// Replaces the use of a variable as the name of something.
    pub fn var(&self, var: &mut Var) {
        if let Some(&Atom::Var(new)) = self.0.get(var) {
            *var = new;
        }
    }

    /// Replaces the uses in what the table states of a variable.
    pub fn info(&self, info: &mut VarInfo) {
        if let Type::Array(View { shape, block, offset, strides, .. }) = &mut info.ty {
            shape.iter_mut().chain(strides).chain([offset]).for_each(|atom| self.atom(atom));
            self.var(block);
        }
    }
}
