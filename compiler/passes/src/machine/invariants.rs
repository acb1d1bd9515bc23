//! Loop-invariant scalars and views: those bound outside of a loop, and those that the loop computes from such by total
//! arithmetic.

use std::collections::BTreeSet;

use ravel_kernel::visit::BinderVisitor;
use ravel_kernel::*;

/// The scalars and views that are the same in all iterations of a loop.
pub struct Invariants {
    /// The variables that the loop binds.
    inside: BTreeSet<Var>,
    /// The variables among them that can be computed before the loop.
    movable: BTreeSet<Var>,
}

impl Invariants {
    /// The invariants of a loop with these parameters, this form and this body.
    pub fn of<L: Level>(
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &Body<L>,
        vars: &VarTable,
    ) -> Invariants {
        let mut inside: BTreeSet<Var> = params.iter().map(|&(param, _)| param).collect();
        if let LoopForm::For { index, .. } = form {
            inside.insert(index);
        }
        BinderVisitor(&mut |var| _ = inside.insert(var)).body(body);
        let mut invariants = Invariants { inside, movable: BTreeSet::new() };
        invariants.find(body, vars);
        invariants
    }

    /// Finds the variables of a body that can be computed before the loop.
    fn find<L: Level>(&mut self, body: &Body<L>, vars: &VarTable) {
        for step in &body.stms {
            match &step.stm {
                Stm::Let { var, exp } if exp.is_total() && self.contain_all(&exp.operands()) => {
                    self.movable.insert(*var);
                }
                Stm::View(var) if self.contain_all(&view_operands(*var, vars)) => {
                    _ = self.movable.insert(*var)
                }
                Stm::If { then, otherwise, .. } => {
                    self.find(then, vars);
                    self.find(otherwise, vars);
                }
                // A statement with effects, or with a body that may run several times, stays in the loop.
                Stm::Loop { .. } | Stm::Segment(_) | stm_without_bodies!() => (),
            }
        }
    }

    /// Whether all these atoms are the same in all iterations.
    pub fn contain_all(&self, atoms: &[Atom]) -> bool {
        atoms.iter().all(|&atom| self.contain(atom))
    }

    /// Whether an atom is the same in all iterations. A view counts as its variable.
    pub fn contain(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.inside.contains(&var) || self.movable.contains(&var))
    }

    /// Takes the statements that compute these atoms out of the loop's body.
    pub fn take<L: Level>(
        &self,
        body: &mut Body<L>,
        atoms: impl IntoIterator<Item = Atom>,
        vars: &VarTable,
    ) -> Vec<Step<L>> {
        let mut needed: BTreeSet<Var> =
            atoms.into_iter().filter_map(Atom::var).filter(|var| self.movable.contains(var)).collect();
        let mut taken = Vec::new();
        if !needed.is_empty() {
            self.take_last(body, &mut needed, &mut taken, vars);
            taken.reverse();
        }
        taken
    }

    /// [`Self::take`] for the variables in `needed`; visits statements from the last to the first.
    fn take_last<L: Level>(
        &self,
        body: &mut Body<L>,
        needed: &mut BTreeSet<Var>,
        taken: &mut Vec<Step<L>>,
        vars: &VarTable,
    ) {
        let mut left = Vec::new();
        for mut step in std::mem::take(&mut body.stms).into_iter().rev() {
            let operands = match &mut step.stm {
                Stm::Let { var, exp } if needed.contains(var) => exp.operands(),
                Stm::View(var) if needed.contains(var) => view_operands(*var, vars),
                Stm::If { then, otherwise, .. } => {
                    self.take_last(otherwise, needed, taken, vars);
                    self.take_last(then, needed, taken, vars);
                    left.push(step);
                    continue;
                }
                _ => {
                    left.push(step);
                    continue;
                }
            };
            let operands = operands.into_iter().filter_map(Atom::var);
            needed.extend(operands.filter(|var| self.movable.contains(var)));
            taken.push(step);
        }
        left.reverse();
        body.stms = left;
    }
}

/// The operands of a view: its memory block, sizes, offset and strides.
fn view_operands(var: Var, vars: &VarTable) -> Vec<Atom> {
    match &vars[var].ty {
        Type::Array(view) => {
            let atoms = view.shape.iter().chain(&view.strides).chain([&view.offset]);
            atoms.copied().chain([Atom::Var(view.block)]).collect()
        }
        Type::Scalar(_) | Type::Block(_) => Vec::new(),
    }
}
