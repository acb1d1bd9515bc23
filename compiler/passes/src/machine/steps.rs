//! Replaces steps of the host program by others.

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

/// Replaces the steps of the host program, also in branches and loops. `instead` returns the steps that take the place of
/// a given one.
pub fn replace(
    program: &mut Program,
    instead: &mut impl FnMut(Step<Host>, &mut VarTable) -> Vec<Step<Host>>,
) {
    for function in &mut program.host_functions {
        replace_in(&mut function.body, &mut function.vars, instead);
    }
    for entry in &mut program.entries {
        replace_in(&mut entry.body, &mut entry.vars, instead);
    }
}

/// [`replace`] for one body of the host program, whose variables these are.
pub fn replace_in(
    body: &mut Body<Host>,
    vars: &mut VarTable,
    instead: &mut impl FnMut(Step<Host>, &mut VarTable) -> Vec<Step<Host>>,
) {
    for mut step in std::mem::take(&mut body.stms) {
        match &mut step.stm {
            Stm::If { then, otherwise, .. } => {
                replace_in(then, vars, instead);
                replace_in(otherwise, vars, instead);
            }
            Stm::Loop { body: iteration, .. } => replace_in(iteration, vars, instead),
            _ => {}
        }
        body.stms.extend(instead(step, vars));
    }
}

/// Steps of one origin under construction.
pub struct Steps<'a, L: Level> {
    origin: Arc<Origin>,
    vars: &'a mut VarTable,
    steps: Vec<Step<L>>,
}

impl<'a, L: Level> Steps<'a, L> {
    /// No steps. Those to come have this origin, and their variables join the table.
    pub fn new(origin: &Arc<Origin>, vars: &'a mut VarTable) -> Steps<'a, L> {
        Steps { origin: Arc::clone(origin), vars, steps: Vec::new() }
    }

    /// Adds a step.
    pub fn push(&mut self, stm: Stm<L>) {
        self.steps.push(Step::new(&self.origin, stm));
    }

    /// Adds `a op b`, an i64.
    pub fn binary(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        let var = self.scalar("v", PrimType::I64);
        self.push(Stm::Let { var, exp: ScalarExp::Binary(op, a, b) });
        Atom::Var(var)
    }

    /// Adds the number of pieces of this length that cover a size: 0 if the size is 0.
    pub fn quotient_up(&mut self, size: Atom, length: Atom) -> Atom {
        // Not (size + length - 1) / length, which overflows for the largest numbers.
        let some = self.binary(BinOp::Min, size, Atom::i64(1));
        let others = self.binary(BinOp::Sub, size, some);
        let others = self.binary(BinOp::Quot, others, length);
        self.binary(BinOp::Add, others, some)
    }

    /// Adds `a op b`, a bool.
    pub fn compare(&mut self, op: CmpOp, a: Atom, b: Atom) -> Atom {
        self.bool(ScalarExp::Compare(op, a, b))
    }

    /// Adds `a and b`, a bool.
    pub fn and(&mut self, a: Atom, b: Atom) -> Atom {
        self.bool(ScalarExp::Binary(BinOp::And, a, b))
    }

    fn bool(&mut self, exp: ScalarExp) -> Atom {
        let var = self.scalar("v", PrimType::Bool);
        self.push(Stm::Let { var, exp });
        Atom::Var(var)
    }

    /// Adds a view.
    pub fn view(&mut self, hint: Option<Symbol>, view: View) -> Var {
        let array = self.vars.push(VarInfo { hint, ty: Type::Array(view) });
        self.push(Stm::View(array));
        array
    }

    /// A new scalar variable, which the caller binds.
    pub fn scalar(&mut self, hint: &str, ty: PrimType) -> Var {
        self.vars.push(VarInfo { hint: Some(Symbol::new(hint)), ty: Type::Scalar(ty) })
    }

    /// The hint and the view of an array.
    pub fn array(&self, array: Var) -> (Option<Symbol>, View) {
        match &self.vars[array] {
            VarInfo { hint, ty: Type::Array(view) } => (*hint, view.clone()),
            other => unreachable!("verified: an array, not {other:?}"),
        }
    }

    /// The steps.
    pub fn finish(self) -> Vec<Step<L>> {
        self.steps
    }
}
