//! Numbers the variables of each entry point and function in the order of their binders in the text, and drops
//! variables without a binder. So an unrelated change does not change dumps, and printed text is parsed to the same
//! program.

use ravel_base::IdMap;
use rustc_hash::FxHashMap;

use crate::syntax::*;
use crate::visit::VisitMut;

impl Program {
    /// Numbers all variables in order of appearance.
    pub fn renumber(&mut self) {
        self.host_functions.iter_mut().for_each(function);
        self.thread_functions.iter_mut().for_each(function);
        for entry in &mut self.entries {
            let mut renumber = Renumber::of(&entry.vars);
            entry.sizes.iter_mut().for_each(|var| renumber.var(var));
            for param in &mut entry.params {
                renumber.var(&mut param.var);
                renumber.atoms(&mut param.shape);
            }
            renumber.body(&mut entry.body);
            entry.vars = renumber.new;
        }
    }
}

fn function<L: Level>(function: &mut Function<L>) {
    let mut renumber = Renumber::of(&function.vars);
    function.params.iter_mut().for_each(|param| renumber.var(&mut param.var));
    renumber.body(&mut function.body);
    function.vars = renumber.new;
}

struct Renumber<'a> {
    old: &'a VarTable,
    new: VarTable,
    numbers: FxHashMap<Var, Var>,
}

impl Renumber<'_> {
    fn of(vars: &VarTable) -> Renumber<'_> {
        Renumber { old: vars, new: IdMap::new(), numbers: FxHashMap::default() }
    }

    fn atoms(&mut self, atoms: &mut [Atom]) {
        atoms.iter_mut().for_each(|atom| self.atom(atom));
    }
}

impl VisitMut for Renumber<'_> {
    /// Replaces the variable by its new number. A variable seen for the first time gets the next free number.
    fn var(&mut self, var: &mut Var) {
        if let Some(&number) = self.numbers.get(var) {
            *var = number;
            return;
        }
        let Some(mut info) = self.old.get(*var).cloned() else { return };
        if let Type::Array(view) = &mut info.ty {
            self.atoms(&mut view.shape);
            self.var(&mut view.block);
            self.atom(&mut view.offset);
            self.atoms(&mut view.strides);
        }
        let number = self.new.push(info);
        self.numbers.insert(*var, number);
        *var = number;
    }

    fn binder(&mut self, var: &mut Var) {
        self.var(var);
    }
}
