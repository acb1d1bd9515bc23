//! Renumbering: numbers variables in the order in which the text binds them.
//!
//! Two programs that differ only in the numbers of variables (or in variables that are never
//! bound) become equal. Snapshots are renumbered, so that an unrelated change does not alter them. The
//! parser numbers in the same order.

use crate::syntax::*;
use crate::visit::VisitMut;
use rustc_hash::FxHashMap;

/// Renumbers the variables of every function, and the entries with them.
pub fn renumber(program: &mut Program) {
    for function in &mut program.functions {
        let renumbered = renumber_function(function);
        let of_function = program.entries.iter_mut().filter(|entry| entry.function == function.name);
        for value in of_function.flat_map(|entry| entry.params.iter_mut().chain(&mut entry.results)) {
            if let Some(&var) = renumbered.get(&value.var) {
                value.var = var;
            }
        }
    }
}

/// Renumbers the variables of one function; returns the new number of every old one.
fn renumber_function(function: &mut Function) -> FxHashMap<Var, Var> {
    let old = std::mem::take(&mut function.vars);
    let mut renumbering = Renumbering { old: &old, new: VarTable::new(), numbers: FxHashMap::default() };
    renumbering.function(function);
    let Renumbering { new, numbers, .. } = renumbering;
    function.vars = new;
    numbers
}

struct Renumbering<'a> {
    old: &'a VarTable,
    new: VarTable,
    numbers: FxHashMap<Var, Var>,
}

impl VisitMut for Renumbering<'_> {
    fn var(&mut self, var: &mut Var) {
        self.binder(var);
    }

    fn binder(&mut self, var: &mut Var) {
        if let Some(&number) = self.numbers.get(var) {
            *var = number;
            return;
        }
        let mut info = self.old[*var].clone();
        for size in &mut info.ty.shape {
            self.atom(size);
        }
        let number = self.new.push(info);
        self.numbers.insert(*var, number);
        *var = number;
    }
}
