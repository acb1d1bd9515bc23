//! Scalars of a function: the positive ones, and the operands of each.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::BinOp;

use super::occurrences::binders;

/// The scalars of a function, including nested ones.
#[derive(Default)]
pub struct Scalars {
    /// The scalars bounded by a maximum with a positive constant.
    positive: BTreeSet<Var>,
    /// The operands of each scalar that total arithmetic computes.
    operands: BTreeMap<Var, Vec<Var>>,
    /// The variables bound in loops.
    in_loops: BTreeSet<Var>,
}

impl Scalars {
    /// The scalars of this body.
    pub fn of<L: Level>(body: &Body<L>) -> Scalars {
        let mut scalars = Scalars::default();
        scalars.body(body);
        scalars
    }

    /// Whether the scalar is at least 1.
    pub fn is_positive(&self, var: Var) -> bool {
        self.positive.contains(&var)
    }

    /// Whether the condition can move out of every loop out of which the number can move: all loop-bound variables in
    /// its computation also occur in the number's.
    pub fn moves_along(&self, cond: Atom, number: Atom) -> bool {
        let of_number = self.sources(number);
        self.sources(cond).iter().all(|var| !self.in_loops.contains(var) || of_number.contains(var))
    }

    /// The variables from which total arithmetic computes a scalar.
    fn sources(&self, atom: Atom) -> BTreeSet<Var> {
        let mut sources = BTreeSet::new();
        let (mut waiting, mut seen): (Vec<Var>, BTreeSet<Var>) =
            (atom.var().into_iter().collect(), BTreeSet::new());
        while let Some(var) = waiting.pop() {
            if !seen.insert(var) {
                continue;
            }
            match self.operands.get(&var) {
                Some(operands) => waiting.extend(operands),
                None => {
                    sources.insert(var);
                }
            }
        }
        sources
    }
}

impl Visit for Scalars {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        let is_positive =
            |atom: &Atom| matches!(atom, Atom::Const(value) if value.as_i64().is_some_and(|value| value > 0));
        match stm {
            Stm::Let { var, exp } => {
                if let ScalarExp::Binary(BinOp::Max, a, b) = exp
                    && (is_positive(a) || is_positive(b))
                {
                    self.positive.insert(*var);
                }
                if exp.is_total() {
                    let operands = exp.operands().iter().filter_map(|atom| atom.var()).collect();
                    self.operands.insert(*var, operands);
                }
            }
            Stm::Loop { params, form, body: iteration, .. } => {
                self.in_loops.extend(params.iter().map(|&(param, _)| param));
                if let LoopForm::For { index, .. } = form {
                    self.in_loops.insert(*index);
                }
                self.in_loops.extend(binders(iteration));
            }
            _ => (),
        }
        self.children(stm);
    }
}
