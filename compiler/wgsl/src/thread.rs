//! The code of one thread as a WGSL function.
//!
//! A body becomes statements, a scalar a `let`, a merge parameter a `var`, a private block a local
//! array. An assertion that fails leaves the function at once; the caller finds `failed` set.
//!
//! Positions are computed in 32 bits whatever the sizes are: they are sums of products, exact modulo
//! 2^32, and the sum fits.

use std::collections::BTreeMap;
use std::fmt::Write;

use ravel_abi::plan::Slot;
use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{Atom, Body, LoopForm, MessageId, ScalarExp, Space, Stm, Thread, Type, Var};
use ravel_prim::{PrimType, PrimValue};

use crate::module::Module;
use crate::scalar::{from_stored, to_stored, type_name};

/// How deeply braces may nest: shader compilers have limits of their own, and recurse.
const MOST_NESTING: usize = 32;

/// After so many rounds (and one) a loop without a bound looks whether an earlier launch has failed. Nothing can
/// come of that, but a loop that never ends and touches nothing would be undefined to a shader compiler,
/// which drops it and goes on with whatever is there.
const UNWATCHED: u32 = 0xffff;

/// A function in the making.
pub(crate) struct Function<'m, 'a> {
    /// The module that will hold it.
    pub module: &'m mut Module<'a>,
    /// The expressions of the scalars bound inside.
    known: BTreeMap<Var, String>,
    /// The private blocks: name and capacity.
    private: BTreeMap<Var, (String, u32)>,
    /// Declarations of private blocks. They stand at the top, lest a loop initialise them in each round.
    arrays: String,
    text: String,
    indent: usize,
    /// How to leave the function after a failure.
    leave: &'static str,
}

impl<'m, 'a> Function<'m, 'a> {
    /// A function that is left early by the statement `leave`.
    pub(crate) fn new(module: &'m mut Module<'a>, leave: &'static str) -> Function<'m, 'a> {
        Function {
            module,
            known: BTreeMap::new(),
            private: BTreeMap::new(),
            arrays: String::new(),
            text: String::new(),
            indent: 1,
            leave,
        }
    }

    /// The statements.
    pub(crate) fn finish(self) -> String {
        self.arrays + &self.text
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Binds a scalar to an expression that needs no evaluation.
    pub(crate) fn know(&mut self, var: Var, text: String) {
        self.known.insert(var, text);
    }

    /// Binds a scalar by a `let`.
    pub(crate) fn bind(&mut self, var: Var, text: &str) {
        let name = self.module.name(var);
        self.line(&format!("let {name} = {text};"));
        self.known.insert(var, name);
    }

    /// A scalar as an expression.
    pub(crate) fn atom(&mut self, atom: Atom) -> Result<String, Diagnostic> {
        match atom {
            Atom::Const(value) => Ok(self.module.constant(value)),
            Atom::Var(var) => match self.known.get(&var) {
                Some(text) => Ok(text.clone()),
                None => self.module.host_scalar(var),
            },
        }
    }

    fn atoms(&mut self, atoms: &[Atom]) -> Result<Vec<String>, Diagnostic> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// Writes a body; gives the expressions of its results.
    pub(crate) fn body(&mut self, body: &Body<Thread>) -> Result<Vec<String>, Diagnostic> {
        for stm in &body.stms {
            self.stm(stm)?;
        }
        self.atoms(&body.result)
    }

    /// Writes a body between braces and what is to be done with its results.
    fn block(&mut self, body: &Body<Thread>, targets: &[String]) -> Result<(), Diagnostic> {
        self.indent += 1;
        if self.indent > MOST_NESTING {
            return Err(Diagnostic::limitation(Limitation::DeviceNesting, self.module.span));
        }
        let results = self.body(body)?;
        self.assign(targets, &results);
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

    fn stm(&mut self, stm: &Stm<Thread>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Let { var, exp } => {
                let text = self.scalar(exp)?;
                self.bind(*var, &text);
            }
            Stm::View(_) => {}
            Stm::Alloc { block, count } => self.alloc(*block, *count)?,
            Stm::Load { var, array, indices } => {
                let indices = self.atoms(indices)?;
                let text = self.load(*array, &indices)?;
                self.bind(*var, &text);
            }
            Stm::Store { array, indices, value } => {
                let indices = self.atoms(indices)?;
                let value = self.atom(*value)?;
                self.store(*array, &indices, &value)?;
            }
            Stm::Copy { to, from } => self.copy(*to, *from)?,
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
            Stm::Constants { .. } => {
                return Err(Diagnostic::bug("wgsl: constants, which no thread may hold"));
            }
            Stm::Trace { .. } => return Err(Diagnostic::bug("wgsl: a trace, which no thread may hold")),
            Stm::Call { .. } => return Err(Diagnostic::bug("wgsl: a call, which no GPU program may hold")),
            Stm::Segment(never) => match *never {},
        }
        Ok(())
    }

    /// Declares a variable for each binder.
    fn variables(&mut self, binders: &[Var]) -> Result<Vec<String>, Diagnostic> {
        let mut names = Vec::new();
        for &binder in binders {
            let (name, ty) = (self.module.name(binder), self.flowing_type(binder)?);
            self.line(&format!("var {name}: {ty};"));
            self.known.insert(binder, name.clone());
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
        body: &Body<Thread>,
    ) -> Result<(), Diagnostic> {
        let mut names = Vec::new();
        for &(param, init) in params {
            let (name, ty, init) = (self.module.name(param), self.flowing_type(param)?, self.atom(init)?);
            self.line(&format!("var {name}: {ty} = {init};"));
            names.push(name);
        }
        for (&(param, _), name) in params.iter().zip(&names) {
            self.known.insert(param, name.clone());
        }
        match form {
            LoopForm::For { index, bound } => {
                let ty = self.module.scalar_type(Atom::Var(index))?;
                let [zero, one] = [false, true].map(|x| ravel_prim::convert(PrimValue::Bool(x), ty));
                let (zero, one) = (self.module.constant(zero), self.module.constant(one));
                let (name, bound) = (self.module.name(index), self.atom(bound)?);
                self.known.insert(index, name.clone());
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
                self.line(&format!("    if (({rounds} & {UNWATCHED}u) == 0u && stopped()) {{ break; }}"));
            }
        }
        self.block(body, &names)?;
        self.line("}");
        for (&binder, name) in binders.iter().zip(names) {
            self.known.insert(binder, name);
        }
        Ok(())
    }

    fn assert(&mut self, cond: Atom, message: MessageId, args: &[Atom]) -> Result<(), Diagnostic> {
        self.module.may_fail();
        let cond = self.atom(cond)?;
        self.line(&format!("if (!{cond}) {{"));
        if args.is_empty() {
            self.line(&format!("    fail({}u);", message.0));
        } else {
            self.line(&format!("    if (fail({}u)) {{", message.0));
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

    fn alloc(&mut self, block: Var, count: Atom) -> Result<(), Diagnostic> {
        let (Type::Block(ty), Atom::Const(PrimValue::I64(count))) = (&self.module.vars[block].ty, count)
        else {
            return Err(Diagnostic::limitation(Limitation::ThreadArray, self.module.span));
        };
        if ty.space != Space::Private {
            return Err(Diagnostic::limitation(Limitation::ThreadArray, self.module.span));
        }
        let (name, elem) = (self.module.name(block), type_name(ty.elem));
        let capacity = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        let _ = writeln!(self.arrays, "    var {name}: array<{elem}, {capacity}>;");
        self.private.insert(block, (name, capacity));
        Ok(())
    }

    /// The element of an array as an expression.
    pub(crate) fn load(&mut self, array: Var, indices: &[String]) -> Result<String, Diagnostic> {
        let view = self.module.view(array)?;
        let position = self.position(array, indices)?;
        match self.private.get(&view.block) {
            Some((name, _)) => Ok(format!("{name}[{position}]")),
            None => {
                let name = self.device_block(view.block, false)?;
                Ok(from_stored(view.elem, format!("{name}[{position}]")))
            }
        }
    }

    /// Writes an element of an array.
    pub(crate) fn store(&mut self, array: Var, indices: &[String], value: &str) -> Result<(), Diagnostic> {
        let view = self.module.view(array)?;
        let position = self.position(array, indices)?;
        let line = match self.private.get(&view.block) {
            Some((name, _)) => format!("{name}[{position}] = {value};"),
            None => {
                let name = self.device_block(view.block, true)?;
                format!("{name}[{position}] = {};", to_stored(view.elem, value))
            }
        };
        self.line(&line);
        Ok(())
    }

    fn device_block(&mut self, block: Var, written: bool) -> Result<String, Diagnostic> {
        match self.module.vars[block].ty {
            Type::Block(ty) if ty.space == Space::Device => {
                let name = self.module.name(block);
                Ok(self.module.block(&name, ty.elem, Slot(block.0), written))
            }
            _ => Err(Diagnostic::bug(format!("wgsl: {} is no block here", self.module.name(block)))),
        }
    }

    fn copy(&mut self, to: Var, from: Var) -> Result<(), Diagnostic> {
        let shape = self.module.view(to)?.shape.clone();
        let counters: Vec<String> =
            (0..shape.len()).map(|dim| format!("at{dim}_{}_{}", to.0, from.0)).collect();
        for (counter, &size) in counters.iter().zip(&shape) {
            let size = self.atom(size)?;
            self.line(&format!(
                "for (var {counter} = 0li; {counter} < {size}; {counter} = {counter} + 1li) {{"
            ));
            self.indent += 1;
        }
        let value = self.load(from, &counters)?;
        self.store(to, &counters, &value)?;
        for _ in &counters {
            self.indent -= 1;
            self.line("}");
        }
        Ok(())
    }

    /// Where an element lies in its block: `offset + Σ index * stride`, a u32. What is constant is
    /// computed here, because in WGSL it would be an error if it overflowed or lay outside. A
    /// constant position outside is never reached, so that any other will do.
    fn position(&mut self, array: Var, indices: &[String]) -> Result<String, Diagnostic> {
        let view = self.module.view(array)?;
        let mut fixed = 0u32;
        let mut terms = Vec::new();
        match constant_word(&self.atom(view.offset)?) {
            Some(offset) => fixed = offset,
            None => terms.push(low_word(&self.atom(view.offset)?)),
        }
        for (index, &stride) in indices.iter().zip(&view.strides) {
            let stride = self.atom(stride)?;
            match (constant_word(index), constant_word(&stride)) {
                (Some(index), Some(stride)) => fixed = fixed.wrapping_add(index.wrapping_mul(stride)),
                (Some(0), _) | (_, Some(0)) => {}
                (_, Some(1)) => terms.push(low_word(index)),
                _ => terms.push(format!("{} * {}", low_word(index), low_word(&stride))),
            }
        }
        if terms.is_empty() {
            let capacity = self.private.get(&view.block).map_or(i32::MAX as u32, |(_, capacity)| *capacity);
            let inside = if fixed < capacity { fixed } else { 0 };
            terms.push(format!("{inside}u"));
        } else if fixed != 0 {
            terms.insert(0, format!("{fixed}u"));
        }
        Ok(terms.join(" + "))
    }

    /// A scalar expression. Operators on constants alone are evaluated here, because in WGSL it would
    /// be an error if they overflowed.
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

/// A bool parameter brings its parentheses along.
fn parenthesised(cond: &str) -> String {
    if cond.starts_with('(') { cond.to_owned() } else { format!("({cond})") }
}

/// The low 32 bits of an i64 expression.
pub(crate) fn low_word(text: &str) -> String {
    match constant_word(text) {
        Some(word) => format!("{word}u"),
        None => format!("u32({text})"),
    }
}

/// The low 32 bits of an i64 literal.
fn constant_word(text: &str) -> Option<u32> {
    text.strip_suffix("li")?.parse::<i64>().ok().map(|value| value as u32)
}

/// The value of an operator on constants. What fails is never reached, so that any value will do.
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
