//! Statements of all code that runs on the device: bodies of threads and of workgroups.
//!
//! A scalar becomes a `let`, a merge parameter a `var`. An assertion that fails leaves the function at once.

use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{Atom, Body, Level, LoopForm, MessageId, ScalarExp, Stm, Type, Var};
use ravel_prim::{PrimType, PrimValue, UnOp};

use crate::function::Function;
use crate::operators;
use crate::shader::{self, Block, Exp};

/// The maximum nesting depth of braces: shader compilers recurse, and have limits of their own.
const MAX_NESTING: usize = 32;

/// A loop without a bound tests whether an earlier launch has failed, each time that these bits of the number of
/// iterations are zero. The test never succeeds, because a kernel does nothing after a failed launch. Without it, a
/// loop that never ends and has no effect would be undefined: shader compilers drop it and run the code after it.
const WATCH_MASK: u32 = 0xffff;

/// A level whose code runs on the device.
pub(crate) trait Code: Level {
    /// The state that the translation of its statements keeps.
    type State: Default;

    /// Adds the call `fails`, which records a failure, and the statements that report the values of its message.
    fn fail(body: &mut Block, fails: Exp, reports: Block);

    /// Adds a statement that differs between levels.
    fn level_specific(function: &mut Function<'_, '_, Self>, stm: &Stm<Self>) -> Result<(), Diagnostic>;

    /// The statements that end a loop if an earlier launch has failed. They test this only if the condition `when`
    /// holds.
    fn watch(when: Exp) -> Block;

    /// Records that control flow branches or joins here.
    fn record_control_flow(function: &mut Function<'_, '_, Self>);
}

impl<L: Code> Function<'_, '_, L> {
    /// Adds the statements of a body; returns its results.
    pub(crate) fn stms(&mut self, body: &Body<L>) -> Result<Vec<Exp>, Diagnostic> {
        for step in &body.stms {
            self.stm(&step.stm)?;
        }
        self.atoms(&body.result)
    }

    /// A body as a block that assigns the results to the targets.
    fn block(&mut self, body: &Body<L>, targets: &[Exp]) -> Result<Block, Diagnostic> {
        self.depth += 1;
        if self.depth >= MAX_NESTING {
            return Err(Diagnostic::limitation(Limitation::DeviceNesting, self.kernel.span));
        }
        L::record_control_flow(self);
        let (block, ()) = self.nested(|function| {
            let results = function.stms(body)?;
            function.assign(targets, results);
            Ok(())
        })?;
        L::record_control_flow(self);
        self.depth -= 1;
        Ok(block)
    }

    /// Assigns all at once: a value may use another target.
    fn assign(&mut self, targets: &[Exp], values: Vec<Exp>) {
        let mut changed: Vec<_> =
            targets.iter().zip(values).filter(|(target, value)| *target != value).collect();
        if changed.len() > 1 {
            for (_, value) in &mut changed {
                *value = self.body.bind(self.kernel.fresh("next"), value.clone());
            }
        }
        for (target, value) in changed {
            self.body.assign(target, value);
        }
    }

    fn stm(&mut self, stm: &Stm<L>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Let { var, exp } => {
                let value = self.scalar(exp)?;
                self.bind(*var, value);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                for (var, op) in [(sine, UnOp::Sin), (cosine, UnOp::Cos)] {
                    let value = self.scalar(&ScalarExp::Unary(op, *angle))?;
                    self.bind(*var, value);
                }
            }
            Stm::View(_) => {}
            Stm::If { binders, cond, then, otherwise } => {
                let cond = self.atom(*cond)?;
                let targets = self.variables(binders)?;
                let then = self.block(then, &targets)?;
                let otherwise = self.block(otherwise, &targets)?;
                self.body.branch(cond, then, otherwise);
            }
            Stm::Loop { binders, params, form, body } => self.repeat(binders, params, *form, body)?,
            Stm::Assert { cond, message, args } => self.assert(*cond, *message, args)?,
            Stm::Alloc { .. }
            | Stm::Load { .. }
            | Stm::Store { .. }
            | Stm::Combine { .. }
            | Stm::Copy { .. }
            | Stm::Segment(_) => {
                L::level_specific(self, stm)?;
            }
            Stm::Constants { .. } => {
                return Err(Diagnostic::bug("wgsl: constants, which only the host may hold"));
            }
            Stm::Trace { .. } => return Err(Diagnostic::bug("wgsl: a trace, which only the host may hold")),
            Stm::Choose { .. } => {
                return Err(Diagnostic::bug("wgsl: a choice of versions, which only the host may hold"));
            }
            Stm::Call { .. } => return Err(Diagnostic::bug("wgsl: a call, which no GPU program may hold")),
        }
        Ok(())
    }

    /// Declares a variable for each binder.
    fn variables(&mut self, binders: &[Var]) -> Result<Vec<Exp>, Diagnostic> {
        let mut variables = Vec::new();
        for &binder in binders {
            let variable = self.body.declare(self.kernel.name(binder), self.result_type(binder)?);
            self.substitute(binder, variable.clone());
            variables.push(variable);
        }
        Ok(variables)
    }

    /// The type of a result of a branch or of a loop parameter. On the device it is always a scalar.
    fn result_type(&self, var: Var) -> Result<shader::Type, Diagnostic> {
        match self.kernel.vars[var].ty {
            Type::Scalar(ty) => Ok(shader::Type::scalar(ty)),
            _ => Err(Diagnostic::limitation(Limitation::ThreadArray, self.kernel.span)),
        }
    }

    fn repeat(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &Body<L>,
    ) -> Result<(), Diagnostic> {
        let mut targets = Vec::new();
        for &(param, init) in params {
            self.result_type(param)?;
            let init = self.atom(init)?;
            targets.push(self.body.var(self.kernel.name(param), init));
        }
        for (&(param, _), target) in params.iter().zip(&targets) {
            self.substitute(param, target.clone());
        }
        match form {
            LoopForm::For { index, bound, .. } => {
                let ty = self.kernel.scalar_type(Atom::Var(index))?;
                let bound = self.atom(bound)?;
                let counter = Exp::name(self.kernel.name(index), shader::Type::scalar(ty));
                self.substitute(index, counter);
                let round = self.block(body, &targets)?;
                let (name, zero, one) = (self.kernel.name(index), Exp::bit(ty, false), Exp::bit(ty, true));
                self.body.count(name, zero, |at| at.lt(bound), |at| at + one, |block, _| *block = round);
            }
            LoopForm::While(flag) => {
                let cond = self.atom(Atom::Var(flag))?;
                let rounds = self.body.var(self.kernel.fresh("rounds"), 0.into());
                let round = self.block(body, &targets)?;
                self.body.repeat(cond, |block| {
                    block.assign(&rounds, &rounds + 1);
                    block.append(L::watch((&rounds & WATCH_MASK).equals(0)));
                    block.append(round);
                });
            }
        }
        for (&binder, target) in binders.iter().zip(targets) {
            self.substitute(binder, target);
        }
        Ok(())
    }

    fn assert(&mut self, cond: Atom, message: MessageId, args: &[Atom]) -> Result<(), Diagnostic> {
        self.fails = true;
        self.kernel.may_fail(args.len());
        let cond = self.atom(cond)?;
        let mut reports = Block::default();
        for (at, &arg) in args.iter().enumerate() {
            let (ty, value) = (self.kernel.scalar_type(arg)?, self.atom(arg)?);
            reports.run(operators::report(ty, at, value));
        }
        let fails = Exp::call("fail", shader::Type::Scalar(PrimType::Bool), [message.0.into()]);
        let leave = self.leave.clone();
        self.body.when(!cond, |body| {
            L::fail(body, fails, reports);
            body.append(leave);
        });
        Ok(())
    }

    /// A scalar expression. Operators on constants are evaluated here: in WGSL they are errors if they overflow.
    fn scalar(&mut self, exp: &ScalarExp) -> Result<Exp, Diagnostic> {
        if let Some(value) = fold(exp) {
            return Ok(Exp::literal(value));
        }
        let ty = |function: &Self, atom| function.kernel.scalar_type(atom);
        Ok(match *exp {
            ScalarExp::Atom(a) | ScalarExp::PrivateLimit(a) => self.atom(a)?,
            ScalarExp::Unary(op, a) => operators::unary(op, ty(self, a)?, &self.atom(a)?),
            ScalarExp::Binary(op, a, b) => {
                operators::binary(op, ty(self, a)?, &self.atom(a)?, &self.atom(b)?)
            }
            ScalarExp::Compare(op, a, b) => {
                operators::compare(op, ty(self, a)?, &self.atom(a)?, &self.atom(b)?)
            }
            ScalarExp::Convert(to, a) => operators::convert(ty(self, a)?, to, &self.atom(a)?),
            ScalarExp::Select(cond, yes, no) => {
                Exp::select(self.atom(cond)?, self.atom(yes)?, self.atom(no)?)
            }
            ScalarExp::Param(name, _) => {
                return Err(Diagnostic::bug(format!("wgsl: a thread asks for the parameter `{name}`")));
            }
        })
    }
}

/// The operator on constants. One that fails is never evaluated at run time, so any value serves.
fn fold(exp: &ScalarExp) -> Option<PrimValue> {
    let constant = |atom: Atom| match atom {
        Atom::Const(value) => Some(value),
        Atom::Var(_) => None,
    };
    match *exp {
        ScalarExp::Atom(_) | ScalarExp::Select(..) | ScalarExp::PrivateLimit(_) | ScalarExp::Param(..) => {
            None
        }
        ScalarExp::Unary(op, a) => ravel_prim::unary(op, constant(a)?),
        ScalarExp::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            Some(ravel_prim::binary(op, a, b).unwrap_or(PrimValue::zero(a.ty())))
        }
        ScalarExp::Compare(op, a, b) => {
            ravel_prim::compare(op, constant(a)?, constant(b)?).map(PrimValue::Bool)
        }
        ScalarExp::Convert(ty, a) => Some(ravel_prim::convert(constant(a)?, ty)),
    }
}

/// Whether an earlier launch has failed.
pub(crate) fn stopped() -> Exp {
    Exp::call("stopped", shader::Type::Scalar(PrimType::Bool), [])
}

/// Whether the thread has failed.
pub(crate) fn failed() -> Exp {
    Exp::flag("failed")
}

/// The number of the thread's current point. If the thread fails, this is the point that failed.
pub(crate) fn current_point() -> Exp {
    Exp::word("place")
}
