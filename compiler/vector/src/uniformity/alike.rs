//! Strips of points that are alike: which scalars are assumed to be the same in all lanes.
//!
//! In a loop, an inner loop whose length differs from point to point would need masks for all that it does. But neighbouring
//! points often have inner loops of the same length. So a strip may assume that, and end if it is not so.
//!
//! The length is traced back through sums, products and other operators on i64, and through merge parameters. What
//! remains, such as a number that was rounded or read from memory, is assumed to be the same in all lanes, if it is bound
//! outside all loops and branches of the point. A loop whose length depends on something else runs under masks.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::{Atom, Body, Combiner, LoopForm, ScalarExp, Stm, Thread, Var, VarTable};

use super::{Uniformity, UniformityAnalysis};

impl<'a> UniformityAnalysis<'a> {
    /// Analyses the body of a thread for strips of points whose inner loops have the same lengths. `None` if there is no such
    /// loop whose length can be assumed to be the same.
    pub fn of_alike(
        body: &Body<Thread>,
        operators: &[Combiner],
        counter: Var,
        vars: &'a VarTable,
    ) -> Option<UniformityAnalysis<'a>> {
        let plain = Self::of(body, operators, counter, vars);
        let mut lengths = Lengths::default();
        lengths.body(body, Depth::default());
        let mut assumed = BTreeSet::new();
        for &bound in &lengths.bounds {
            let (seen, found) = (BTreeSet::new(), BTreeSet::new());
            let mut trace = Trace { analysis: &plain, lengths: &lengths, seen, found };
            if trace.atom(bound).is_some() {
                assumed.append(&mut trace.found);
            }
        }
        (!assumed.is_empty()).then(|| Self::of_assumed(body, operators, counter, vars, assumed))
    }
}

/// How many loops and branches are around a statement.
#[derive(Clone, Copy, Default)]
struct Depth {
    loops: usize,
    branches: usize,
}

/// How a scalar is bound.
enum Definition {
    /// To an expression, outside all loops and branches or inside.
    Exp(ScalarExp, bool),
    /// To an element, outside all loops and branches.
    Element,
    /// As a merge parameter, to its first value and the later ones.
    Merged([Atom; 2]),
}

/// The lengths of loops in loops, and the definitions of scalars.
#[derive(Default)]
struct Lengths {
    bounds: Vec<Atom>,
    definitions: BTreeMap<Var, Definition>,
}

impl Lengths {
    fn body(&mut self, body: &Body<Thread>, depth: Depth) {
        let is_outside = depth.loops + depth.branches == 0;
        for step in &body.stms {
            match &step.stm {
                Stm::Let { var, exp } => {
                    self.definitions.insert(*var, Definition::Exp(exp.clone(), is_outside));
                }
                Stm::Load { var, .. } if is_outside => {
                    self.definitions.insert(*var, Definition::Element);
                }
                Stm::If { then, otherwise, .. } => {
                    let depth = Depth { branches: depth.branches + 1, ..depth };
                    self.body(then, depth);
                    self.body(otherwise, depth);
                }
                Stm::Loop { params, form, body, .. } => {
                    if let (LoopForm::For { bound, .. }, true) = (form, depth.loops > 0) {
                        self.bounds.push(*bound);
                    }
                    for (&(param, first), &next) in params.iter().zip(&body.result) {
                        self.definitions.insert(param, Definition::Merged([first, next]));
                    }
                    self.body(body, Depth { loops: depth.loops + 1, ..depth });
                }
                _ => {}
            }
        }
    }
}

/// The search for what lengths depend on.
struct Trace<'t, 'a> {
    /// The analysis without assumptions.
    analysis: &'t UniformityAnalysis<'a>,
    lengths: &'t Lengths,
    seen: BTreeSet<Var>,
    found: BTreeSet<Var>,
}

impl Trace<'_, '_> {
    /// Adds what an atom depends on. `None` if that cannot be assumed to be the same.
    fn atom(&mut self, atom: Atom) -> Option<()> {
        let Some(var) = atom.var().filter(|_| self.varies(atom)) else { return Some(()) };
        if !self.seen.insert(var) {
            return Some(());
        }
        match self.lengths.definitions.get(&var)? {
            Definition::Merged(values) => values.iter().try_for_each(|&value| self.atom(value)),
            Definition::Exp(exp, is_outside) => match *exp {
                ScalarExp::Atom(_) | ScalarExp::Unary(..) | ScalarExp::Binary(..)
                    if exp.operands().into_iter().all(|operand| self.analysis.is_i64(operand))
                        && exp.operands().into_iter().any(|operand| self.varies(operand)) =>
                {
                    exp.operands().into_iter().try_for_each(|operand| self.atom(operand))
                }
                _ => self.assume(var, *is_outside),
            },
            Definition::Element => self.assume(var, true),
        }
    }

    fn varies(&self, atom: Atom) -> bool {
        self.analysis.atom(atom) == Uniformity::Varying
    }

    fn assume(&mut self, var: Var, is_outside: bool) -> Option<()> {
        let may = is_outside && self.analysis.is_i64(Atom::Var(var));
        may.then(|| {
            self.found.insert(var);
        })
    }
}
