//! Removes dead code: scalars, loaded elements, names of views, and blocks without views.
//!
//! Passes name views and compute strides without asking whether they are needed, and then remove the dead ones. Stores,
//! copies, assertions and segments stay.

use ravel_base::id::Id;

use crate::syntax::*;
use crate::visit::VisitMut;

impl Program {
    /// Drops unused statements of all entry points and functions.
    pub fn remove_dead_code(&mut self) {
        self.host_functions.iter_mut().for_each(|function| sweep_body(&mut function.body, &function.vars));
        self.thread_functions.iter_mut().for_each(|function| sweep_body(&mut function.body, &function.vars));
        self.entries.iter_mut().for_each(|entry| sweep_body(&mut entry.body, &entry.vars));
    }
}

/// For each variable, whether these results of a body depend on it, or an effect of the body does.
pub fn needed_by<L: Level>(body: &Body<L>, results: &[bool], vars: &VarTable) -> Vec<bool> {
    let mut body = body.clone();
    let mut needed = results.iter();
    body.result.retain(|_| needed.next().is_none_or(|&needed| needed));
    let mut sweep = Sweep { vars, used: vec![false; vars.len()] };
    sweep.body(&mut body);
    sweep.used
}

fn sweep_body<L: Level>(body: &mut Body<L>, vars: &VarTable) {
    Sweep { vars, used: vec![false; vars.len()] }.body(body);
}

struct Sweep<'a> {
    vars: &'a VarTable,
    /// For each variable, whether a statement that stays uses it.
    used: Vec<bool>,
}

impl Sweep<'_> {
    fn is_used(&self, var: Var) -> bool {
        self.used[var.index()]
    }

    fn mark(&mut self, var: Var) {
        self.used[var.index()] = true;
    }

    /// Whether it is live, because of an effect or because one of its binders is used.
    fn is_needed<L: Level>(&self, stm: &Stm<L>) -> bool {
        match stm {
            Stm::Let { var, .. }
            | Stm::View(var)
            | Stm::Alloc { block: var, .. }
            | Stm::Constants { block: var, .. }
            | Stm::Load { var, .. } => self.is_used(*var),
            Stm::SineCosine { sine, cosine, .. } => self.is_used(*sine) || self.is_used(*cosine),
            _ => true,
        }
    }
}

impl VisitMut for Sweep<'_> {
    fn var(&mut self, var: &mut Var) {
        self.mark(*var);
    }

    /// A view uses the operands of its index function.
    fn binder(&mut self, var: &mut Var) {
        if let Type::Array(view) = &self.vars[*var].ty {
            self.mark(view.block);
            let atoms = view.shape.iter().chain(&view.strides).chain([&view.offset]);
            atoms.filter_map(|atom| atom.var()).for_each(|var| self.mark(var));
        }
    }

    /// From the last statement to the first.
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        body.result.iter_mut().for_each(|value| self.transfer(value));
        let mut kept: Vec<Step<L>> = Vec::new();
        for mut step in std::mem::take(&mut body.stms).into_iter().rev() {
            if self.is_needed(&step.stm) {
                self.step(&mut step);
                kept.push(step);
            }
        }
        kept.reverse();
        body.stms = kept;
    }
}
