//! Steps of kernel IR under construction ([`Steps`]), and the replacement of steps of the host program.

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::arithmetic::{Arithmetic, Known, ZERO};

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
            Stm::Segment(_) | stm_without_bodies!() => (),
        }
        body.stms.extend(instead(step, vars));
    }
}

/// The type of a scalar.
pub fn scalar_type(scalar: Atom, vars: &VarTable) -> PrimType {
    match scalar {
        Atom::Const(value) => value.ty(),
        Atom::Var(var) => match &vars[var].ty {
            Type::Scalar(ty) => *ty,
            other => unreachable!("verified: a scalar, not {other:?}"),
        },
    }
}

/// Steps of one origin under construction.
pub struct Steps<'a, L: Level> {
    origin: Arc<Origin>,
    /// The variables of the function or entry point.
    pub vars: &'a mut VarTable,
    steps: Vec<Step<L>>,
    known: Known,
}

impl<'a, L: Level> Steps<'a, L> {
    /// No steps. Those to come have this origin, and their variables join the table.
    pub fn new(origin: &Arc<Origin>, vars: &'a mut VarTable) -> Steps<'a, L> {
        Steps { origin: Arc::clone(origin), vars, steps: Vec::new(), known: Known::default() }
    }

    /// The same, with results that are in scope.
    pub fn with_known(self, known: Known) -> Steps<'a, L> {
        Steps { known, ..self }
    }

    /// The origin.
    pub fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }

    /// The steps that `write` adds, as a body without results.
    pub fn body(&mut self, write: impl FnOnce(&mut Self)) -> Body<L> {
        let outer = std::mem::take(&mut self.steps);
        let known = self.known.len();
        write(self);
        self.known.truncate(known);
        Body { stms: std::mem::replace(&mut self.steps, outer), result: Vec::new() }
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

    /// Adds `a op b`, a bool.
    pub fn compare(&mut self, op: CmpOp, a: Atom, b: Atom) -> Atom {
        self.bool(ScalarExp::Compare(op, a, b))
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

    /// A new counter (i64), which the caller binds.
    pub fn counter(&mut self) -> Var {
        self.vars.push(VarInfo { hint: None, ty: Type::Scalar(PrimType::I64) })
    }

    /// Names the array of these sizes that lies row-major in a block, from position 0.
    pub fn contiguous(&mut self, elem: PrimType, sizes: &[Atom], block: Var) -> Var {
        let strides = self.row_major(sizes);
        self.view(None, View { elem, shape: sizes.to_vec(), block, offset: ZERO, strides })
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

    /// The steps, and the results in scope.
    pub fn finish_with_known(self) -> (Vec<Step<L>>, Known) {
        (self.steps, self.known)
    }
}

impl<L: Level> Arithmetic for Steps<'_, L> {
    fn bind_scalar(&mut self, hint: Option<Symbol>, ty: PrimType, exp: ScalarExp) -> Atom {
        let var = self.vars.push(VarInfo { hint, ty: Type::Scalar(ty) });
        self.push(Stm::Let { var, exp });
        Atom::Var(var)
    }

    fn known(&mut self) -> &mut Known {
        &mut self.known
    }
}
