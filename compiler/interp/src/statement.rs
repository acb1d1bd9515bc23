//! Evaluation of bodies and statements.

use ravel_abi::{Backtrace, Failure, MessagePart, fill};
use ravel_core::{Atom, Body, Call, ErrorMessage, ErrorPart, Exp, Loop, LoopForm, Stm, Var};
use ravel_prim::{PrimValue, convert};

use crate::array::Value;
use crate::frame::{Frame, integer};
use crate::lifetimes::Deaths;
use crate::machine::{Halt, Outcome, internal};
use crate::stack;

impl<'p> Frame<'_, 'p> {
    /// Runs the statements and appends the results.
    pub fn body(&mut self, body: &'p Body, results: &mut Vec<Value>) -> Outcome<()> {
        if stack::is_full() {
            return Err(Halt::failed_with(Failure::out_of_stack()));
        }
        for stm in &body.stms {
            self.stm(stm).map_err(|halt| halt.inside(stm))?;
        }
        for &atom in &body.result {
            results.push(self.value(atom)?);
        }
        Ok(())
    }

    fn stm(&mut self, stm: &'p Stm) -> Outcome<()> {
        match &stm.exp {
            Exp::If { cond, then, otherwise } => {
                let body = if self.condition(*cond)? { then } else { otherwise };
                let mut results = Vec::with_capacity(body.result.len());
                self.body(body, &mut results)?;
                self.bind_all(&stm.binders, results)?;
            }
            Exp::Loop(looped) => self.loop_exp(stm, looped)?,
            Exp::Call(Call { function, args, path }) => {
                let args = args.iter().map(|&arg| self.operand(stm, arg)).collect::<Outcome<_>>()?;
                self.machine.step()?;
                let results = self.machine.nested_call(*function, args, *path)?;
                self.bind_all(&stm.binders, results)?;
            }
            Exp::Screma(screma) => {
                let results = self.screma(stm, screma)?;
                self.bind_all(&stm.binders, results)?;
            }
            Exp::Segment(segment) => {
                let results = self.segment(stm, segment)?;
                self.bind_all(&stm.binders, results)?;
            }
            Exp::Stream(stream) => {
                let results = self.stream(stm, stream)?;
                self.bind_all(&stm.binders, results)?;
            }
            Exp::Assert { cond, values, error } => {
                if !self.condition(*cond)? {
                    return Err(self.failure(error)?);
                }
                let values =
                    values.iter().map(|&value| self.operand(stm, value)).collect::<Outcome<Vec<_>>>()?;
                self.machine.trace(stm, error, &values);
                self.bind_all(&stm.binders, values)?;
            }
            _ => {
                let &[binder] = &stm.binders[..] else {
                    return Err(internal("a statement of one value does not have exactly one binder"));
                };
                let value = self.single(stm, binder)?;
                self.bind(binder, value)?;
            }
        }
        let lifetimes = self.lifetimes;
        if let Some(Deaths { moved, dead, .. }) = lifetimes.at(stm) {
            self.clear(moved);
            self.clear(dead);
        }
        Ok(())
    }
    fn loop_exp(&mut self, stm: &'p Stm, looped: &'p Loop) -> Outcome<()> {
        let params: Vec<Var> = looped.params.iter().map(|&(param, _)| param).collect();
        let mut values =
            looped.params.iter().map(|&(_, init)| self.operand(stm, init)).collect::<Outcome<_>>()?;
        self.bind_all(&params, std::mem::take(&mut values))?;
        let lifetimes = self.lifetimes;
        let mut round = |frame: &mut Self| {
            frame.machine.step()?;
            frame.body(&looped.body, &mut values)?;
            if let Some(deaths) = lifetimes.at(stm) {
                frame.clear(&deaths.round);
            }
            // From left to right, because the type of a parameter may name earlier parameters as sizes.
            frame.bind_all(&params, std::mem::take(&mut values))
        };
        match looped.form {
            LoopForm::For { index, bound } => {
                let bound = self.scalar(bound)?;
                let rounds = match bound.ty().is_unsigned() {
                    true => bound.bits(),
                    false => u64::try_from(integer(bound)?).unwrap_or(0),
                };
                for counter in 0..rounds {
                    self.bind(index, Value::Scalar(convert(PrimValue::U64(counter), bound.ty())))?;
                    round(self)?;
                }
            }
            LoopForm::While(cond) => {
                while self.condition(Atom::Var(cond))? {
                    round(self)?;
                }
            }
        }
        let last = params.iter().map(|&param| self.take(param)).collect::<Outcome<_>>()?;
        self.bind_all(&stm.binders, last)
    }

    /// The failure of an assertion.
    fn failure(&self, error: &ErrorMessage) -> Outcome<Box<Halt>> {
        let mut args = Vec::new();
        let mut parts = Vec::new();
        for part in &error.parts {
            parts.push(match part {
                ErrorPart::Text(text) => MessagePart::Text(text.clone()),
                ErrorPart::Value(atom) => {
                    let arg = self.scalar(*atom)?;
                    args.push(arg);
                    MessagePart::Value(arg.ty())
                }
            });
        }
        let failure = Failure::Program { message: fill(&parts, &args), backtrace: Backtrace::default() };
        Ok(Box::new(Halt { failure, paths: Vec::from_iter(error.path) }))
    }
}
