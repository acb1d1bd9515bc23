//! Substitution of atoms for variables.

use std::collections::BTreeMap;

use ravel_kernel::*;

/// The atom that replaces each variable. For a block or an array it is a variable.
#[derive(Default)]
pub struct Substitution(BTreeMap<Var, Atom>);

impl Substitution {
    /// Replaces a variable by `atom`.
    pub fn insert(&mut self, var: Var, atom: Atom) {
        self.0.insert(var, atom);
    }

    /// Replaces the use of a variable as a value.
    pub fn atom(&self, atom: &mut Atom) {
        if let Some(&new) = atom.var().and_then(|var| self.0.get(&var)) {
            *atom = new;
        }
    }

    /// Replaces the use of a variable as a name.
    pub fn var(&self, var: &mut Var) {
        if let Some(&Atom::Var(new)) = self.0.get(var) {
            *var = new;
        }
    }

    /// Replaces the uses in the type of a variable.
    pub fn info(&self, info: &mut VarInfo) {
        if let Type::Array(View { shape, block, offset, strides, .. }) = &mut info.ty {
            shape.iter_mut().chain(strides).chain([offset]).for_each(|atom| self.atom(atom));
            self.var(block);
        }
    }
}
