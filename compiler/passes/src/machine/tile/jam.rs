//! Unroll and jam: the code of several points of a column as one. Their loops become one loop.

use std::collections::BTreeMap;

use ravel_kernel::*;

use crate::machine::substitution::Substitution;

/// The code of a point for several rows at once. `rows` has the atoms that replace the variables in each row. What does not
/// depend on the row is computed once.
pub fn jam(body: &Body<Thread>, rows: Vec<Substitution>, vars: &mut VarTable) -> Body<Thread> {
    Body { stms: Jam { rows, vars }.steps(&body.stms), result: Vec::new() }
}

struct Jam<'a> {
    /// For each row, the atoms that replace those of the original.
    rows: Vec<Substitution>,
    vars: &'a mut VarTable,
}

impl Jam<'_> {
    /// The statements of all rows: of one row after the other between loops, so that few values are live at once.
    fn steps(&mut self, steps: &[Step<Thread>]) -> Vec<Step<Thread>> {
        let mut jammed = Vec::new();
        let is_loop = |step: &Step<Thread>| matches!(step.stm, Stm::Loop { .. });
        for run in steps.chunk_by(|a, b| !is_loop(a) && !is_loop(b)) {
            if let [Step { origin, stm: Stm::Loop { binders, params, form, body } }] = run {
                let LoopForm::For { index, bound, reduces } = *form else { unreachable!("a counted loop") };
                let stm = self.counted_loop(binders, params, (index, bound, reduces), body);
                jammed.push(Step::new(origin, stm));
                continue;
            }
            let mut earlier = BTreeMap::new();
            for row in 0..self.rows.len() {
                run.iter().for_each(|step| jammed.extend(self.in_row(step, row, &mut earlier)));
            }
        }
        jammed
    }

    /// A statement in a row; `None` if it is the same in an earlier row. `earlier` has the definitions of those rows: the variable
    /// of the original, and for each one the definition without its variable, and its variable.
    fn in_row(
        &mut self,
        step: &Step<Thread>,
        row: usize,
        earlier: &mut BTreeMap<Var, Vec<(Stm<Thread>, VarInfo, Var)>>,
    ) -> Option<Step<Thread>> {
        let mut here = step.clone();
        Operands(&self.rows[row]).step(&mut here);
        let Some(&var) = definition(&mut here.stm).as_deref() else { return Some(here) };
        let mut info = self.vars[var].clone();
        self.rows[row].info(&mut info);
        let known = earlier.entry(var).or_default();
        if let Some((_, _, same)) = known.iter().find(|(stm, of, _)| (stm, of) == (&here.stm, &info)) {
            self.rows[row].insert(var, Atom::Var(*same));
            return None;
        }
        let new = self.vars.push(info.clone());
        self.rows[row].insert(var, Atom::Var(new));
        known.push((here.stm.clone(), info, new));
        *definition(&mut here.stm)? = new;
        Some(here)
    }

    fn counted_loop(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        (index, bound, reduces): (Var, Atom, bool),
        body: &Body<Thread>,
    ) -> Stm<Thread> {
        let counter = self.fresh(index);
        let mut all_params = Vec::new();
        for row in 0..self.rows.len() {
            self.rows[row].insert(index, Atom::Var(counter));
            for &(param, mut first) in params {
                self.rows[row].atom(&mut first);
                all_params.push((self.bind(param, row), first));
            }
        }
        let stms = self.steps(&body.stms);
        let results = |this: &Self, row: usize| {
            body.result
                .iter()
                .map(move |&(mut value)| {
                    this.rows[row].atom(&mut value);
                    value
                })
                .collect::<Vec<_>>()
        };
        let result = (0..self.rows.len()).flat_map(|row| results(self, row)).collect();
        let all_binders = (0..self.rows.len()).flat_map(|row| binders.iter().map(move |&var| (var, row)));
        let all_binders = all_binders.map(|(var, row)| self.bind(var, row)).collect();
        let form = LoopForm::For { index: counter, bound, reduces };
        Stm::Loop { binders: all_binders, params: all_params, form, body: Body { stms, result } }
    }

    /// A new variable for that of the original in this row.
    fn bind(&mut self, var: Var, row: usize) -> Var {
        let new = self.fresh(var);
        self.rows[row].insert(var, Atom::Var(new));
        new
    }

    /// A variable like this one, a scalar.
    fn fresh(&mut self, var: Var) -> Var {
        let info = self.vars[var].clone();
        self.vars.push(info)
    }
}

/// The variable that a statement binds, if it is a definition.
fn definition(stm: &mut Stm<Thread>) -> Option<&mut Var> {
    match stm {
        Stm::Let { var, .. } | Stm::View(var) | Stm::Load { var, .. } => Some(var),
        _ => None,
    }
}

/// Replaces what a statement uses, but not what it binds.
struct Operands<'a>(&'a Substitution);

impl VisitMut for Operands<'_> {
    fn atom(&mut self, atom: &mut Atom) {
        self.0.atom(atom);
    }

    fn var(&mut self, var: &mut Var) {
        self.0.var(var);
    }
}
