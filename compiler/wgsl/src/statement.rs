//! Statements as WGSL, for every level of the device.
//!
//! A scalar becomes a `let`, a merge parameter a `var`. An assertion that fails leaves the function at once.

use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{Atom, Body, Level, LoopForm, MessageId, ScalarExp, Stm, Type, Var};
use ravel_prim::{PrimType, PrimValue, UnOp};

use crate::function::Function;
use crate::scalar::type_name;

/// How deeply braces may nest: shader compilers have limits of their own, and recurse.
const MOST_NESTING: usize = 32;

/// A loop without a bound tests every so many rounds whether an earlier launch has failed. The test never succeeds. Without
/// it, a loop that never ends and has no effect would be undefined: shader compilers drop it and run what follows.
const UNWATCHED: u32 = 0xffff;

/// A level whose code runs on the device.
pub(crate) trait Code: Level {
    /// What its statements keep track of.
    type State: Default;

    /// The condition, before `fail(…)`, under which a thread reports that an assertion failed.
    const REPORTS: &'static str;

    /// Writes a statement that differs between levels.
    fn own(function: &mut Function<'_, '_, Self>, stm: &Stm<Self>) -> Result<(), Diagnostic>;

    /// Writes how a loop ends if an earlier launch has failed. The test runs when the condition `when` holds.
    fn watch(function: &mut Function<'_, '_, Self>, when: &str);

    /// Notes that control flow branches or joins here.
    fn cross(function: &mut Function<'_, '_, Self>);
}

impl<L: Code> Function<'_, '_, L> {
    /// Writes a body; gives the expressions of its results.
    pub(crate) fn body(&mut self, body: &Body<L>) -> Result<Vec<String>, Diagnostic> {
        for stm in &body.stms {
            self.stm(stm)?;
        }
        self.atoms(&body.result)
    }

    /// Writes a body between braces, and assigns its results to the targets.
    fn block(&mut self, body: &Body<L>, targets: &[String]) -> Result<(), Diagnostic> {
        self.indent += 1;
        if self.indent > MOST_NESTING {
            return Err(Diagnostic::limitation(Limitation::DeviceNesting, self.module.span));
        }
        L::cross(self);
        let results = self.body(body)?;
        self.assign(targets, &results);
        L::cross(self);
        self.indent -= 1;
        Ok(())
    }

    /// Assigns all at once: an expression may mention a target.
    fn assign(&mut self, targets: &[String], values: &[String]) {
        let changed: Vec<_> = targets.iter().zip(values).filter(|(target, value)| target != value).collect();
        if let [(target, value)] = changed[..] {
            return self.line(&format!("{target} = {value};"));
        }
        for (target, value) in &changed {
            self.line(&format!("let next_{target} = {value};"));
        }
        for (target, _) in &changed {
            self.line(&format!("{target} = next_{target};"));
        }
    }

    fn stm(&mut self, stm: &Stm<L>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Let { var, exp } => {
                let text = self.scalar(exp)?;
                self.bind(*var, &text);
            }
            Stm::SineCosine { sine, cosine, angle } => {
                for (var, op) in [(sine, UnOp::Sin), (cosine, UnOp::Cos)] {
                    let text = self.scalar(&ScalarExp::Unary(op, *angle))?;
                    self.bind(*var, &text);
                }
            }
            Stm::View(_) => {}
            Stm::If { binders, cond, then, otherwise } => {
                let cond = self.atom(*cond)?;
                let targets = self.variables(binders)?;
                self.line(&format!("if {} {{", parenthesised(&cond)));
                self.block(then, &targets)?;
                if !otherwise.stms.is_empty() || !targets.is_empty() {
                    self.line("} else {");
                    self.block(otherwise, &targets)?;
                }
                self.line("}");
            }
            Stm::Loop { binders, params, form, body } => self.repeat(binders, params, *form, body)?,
            Stm::Assert { cond, message, args } => self.assert(*cond, *message, args)?,
            Stm::Alloc { .. } | Stm::Load { .. } | Stm::Store { .. } | Stm::Copy { .. } | Stm::Segment(_) => {
                L::own(self, stm)?;
            }
            Stm::Constants { .. } => {
                return Err(Diagnostic::bug("wgsl: constants, which only the host may hold"));
            }
            Stm::Trace { .. } => return Err(Diagnostic::bug("wgsl: a trace, which only the host may hold")),
            Stm::Call { .. } => return Err(Diagnostic::bug("wgsl: a call, which no GPU program may hold")),
        }
        Ok(())
    }

    /// Declares a variable for each binder.
    fn variables(&mut self, binders: &[Var]) -> Result<Vec<String>, Diagnostic> {
        let mut names = Vec::new();
        for &binder in binders {
            let (name, ty) = (self.module.name(binder), self.flowing_type(binder)?);
            self.line(&format!("var {name}: {ty};"));
            self.know(binder, name.clone());
            names.push(name);
        }
        Ok(names)
    }

    /// The type of a value that flows through a branch or loop: no block, on a device like this.
    fn flowing_type(&self, var: Var) -> Result<&'static str, Diagnostic> {
        match self.module.vars[var].ty {
            Type::Scalar(ty) => Ok(type_name(ty)),
            _ => Err(Diagnostic::limitation(Limitation::ThreadArray, self.module.span)),
        }
    }

    fn repeat(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &Body<L>,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        for &(param, init) in params {
            let (name, ty, init) = (self.module.name(param), self.flowing_type(param)?, self.atom(init)?);
            self.line(&format!("var {name}: {ty} = {init};"));
            names.push(name);
        }
        for (&(param, _), name) in params.iter().zip(&names) {
            self.know(param, name.clone());
        }
        match form {
            LoopForm::For { index, bound } => {
                let ty = self.module.scalar_type(Atom::Var(index))?;
                let [zero, one] = [false, true].map(|x| ravel_prim::convert(PrimValue::Bool(x), ty));
                let (zero, one) = (self.module.constant(zero), self.module.constant(one));
                let (name, bound) = (self.module.name(index), self.atom(bound)?);
                self.know(index, name.clone());
                self.line(&format!(
                    "for (var {name} = {zero}; {name} < {bound}; {name} = {name} + {one}) {{"
                ));
            }
            LoopForm::While(flag) => {
                let cond = self.atom(Atom::Var(flag))?;
                let rounds = format!("rounds_of_{}", self.module.name(flag));
                self.line(&format!("var {rounds} = 0u;"));
                self.line(&format!("while {} {{", parenthesised(&cond)));
                self.line(&format!("    {rounds} = {rounds} + 1u;"));
                self.indent += 1;
                L::watch(self, &format!("({rounds} & {UNWATCHED}u) == 0u"));
                self.indent -= 1;
            }
        }
        self.block(body, &names)?;
        self.line("}");
        for (&binder, name) in binders.iter().zip(names) {
            self.know(binder, name);
        }
        Ok(())
    }

    fn assert(&mut self, cond: Atom, message: MessageId, args: &[Atom]) -> Result<(), Diagnostic> {
        self.fails = true;
        self.module.may_fail(args.len());
        let cond = self.atom(cond)?;
        self.line(&format!("if (!{cond}) {{"));
        if args.is_empty() && L::REPORTS.is_empty() {
            self.line(&format!("    fail({}u);", message.0));
        } else {
            self.line(&format!("    if ({}fail({}u)) {{", L::REPORTS, message.0));
            for (at, &arg) in args.iter().enumerate() {
                let ty = self.module.scalar_type(arg)?;
                let value = self.atom(arg)?;
                let report = self.module.operators().report(ty, at, &value);
                self.line(&format!("        {report};"));
            }
            self.line("    }");
        }
        self.line(&format!("    {}", self.leave));
        self.line("}");
        Ok(())
    }

    /// A scalar expression. Operators on constants are evaluated here: in WGSL they are errors if they overflow.
    fn scalar(&mut self, exp: &ScalarExp) -> Result<String, Diagnostic> {
        if let Some(value) = fold(exp) {
            return Ok(self.module.constant(value));
        }
        if let ScalarExp::Param(name, _) = exp {
            return Err(Diagnostic::bug(format!("wgsl: a thread asks for the parameter `{name}`")));
        }
        let operands = self.atoms(&exp.operands())?;
        let types: Vec<PrimType> =
            exp.operands().into_iter().map(|atom| self.module.scalar_type(atom)).collect::<Result<_, _>>()?;
        let mut operators = self.module.operators();
        Ok(match (exp, &operands[..]) {
            (ScalarExp::Unary(op, _), [a]) => operators.unary(*op, types[0], a),
            (ScalarExp::Binary(op, _, _), [a, b]) => operators.binary(*op, types[0], a, b),
            (ScalarExp::Compare(op, _, _), [a, b]) => operators.compare(*op, types[0], a, b),
            (ScalarExp::Convert(ty, _), [a]) => operators.convert(types[0], *ty, a),
            (_, [cond, yes, no]) => format!("select({no}, {yes}, {cond})"),
            _ => operands.concat(),
        })
    }
}

/// The condition in parentheses. That of a bool parameter has them already.
fn parenthesised(cond: &str) -> String {
    if cond.starts_with('(') { cond.to_owned() } else { format!("({cond})") }
}

/// The value of an operator on constants. One that fails is never evaluated at run time, so any value serves.
fn fold(exp: &ScalarExp) -> Option<PrimValue> {
    let constant = |atom: Atom| match atom {
        Atom::Const(value) => Some(value),
        Atom::Var(_) => None,
    };
    match *exp {
        ScalarExp::Atom(_) | ScalarExp::Select(..) | ScalarExp::Room(_) | ScalarExp::Param(..) => None,
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
