//! Replaces uses of variables in code.

use std::collections::BTreeMap;

use ravel_kernel::*;

/// The views of each block.
pub struct Views(BTreeMap<Var, Vec<Var>>);

impl Views {
    /// The views among these variables.
    pub fn of(vars: &VarTable) -> Views {
        let mut views: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
        for array in vars.keys() {
            if let Type::Array(view) = &vars[array].ty {
                views.entry(view.block).or_default().push(array);
            }
        }
        Views(views)
    }

    /// Moves all views of one block to another.
    pub fn move_to(&mut self, vars: &mut VarTable, old: Var, new: Var) {
        let moved = self.0.remove(&old).unwrap_or_default();
        for &array in &moved {
            if let Type::Array(view) = &mut vars[array].ty {
                view.block = new;
            }
        }
        self.0.entry(new).or_default().extend(moved);
    }
}

/// Replaces uses of variables; binders keep their names.
pub struct Rename<'a>(pub &'a BTreeMap<Var, Var>);

impl VisitMut for Rename<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Some(&new) = self.0.get(var) {
            *var = new;
        }
    }
}
