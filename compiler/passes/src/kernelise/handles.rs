//! Branches and loops that pass arrays as handles of blocks: at host level, and in threads if sizes change and the
//! target lets threads allocate.
//!
//! A passed array is stored row-major from position 0 of its block; an array with another layout is copied first.
//! Nothing else is copied: core IR's rules of consumption determine which memory may be overwritten. A result that both
//! sides of a branch return in the same memory, such as an array that one of them updates in place, is not passed as a
//! handle, so it needs no reference count.

use std::collections::BTreeSet;

use ravel_base::{Diagnostic, Limitation};
use ravel_core as core;
use ravel_kernel::*;

use super::level::{Branch, CodeLevel};
use super::scope::{Cx, Result, Scope, Value};
use crate::arithmetic::{Arithmetic, ZERO};

impl Cx<'_> {
    /// Whether the sizes of these variables are known before the statement that binds them.
    pub fn is_fixed(&self, binders: &[core::Var]) -> bool {
        let own = |size: &core::Atom| size.var().is_some_and(|size| binders.contains(&size));
        !binders.iter().any(|&binder| self.ty(binder).shape.iter().any(own))
    }

    /// Whether threads may pass handles of blocks.
    pub fn may_flow(&self) -> Result {
        if self.target.thread_allocation { Ok(()) } else { self.limitation(Limitation::ThreadArray) }
    }
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    pub fn flow_branch(&mut self, binders: &[core::Var], branch: Branch<'_>) -> Result {
        let cond = self.cx.atom(branch.cond)?;
        let mut then = self.flow_body(branch.then)?;
        let mut otherwise = self.flow_body(branch.otherwise)?;
        let results = then.result.drain(..).zip(otherwise.result.drain(..)).collect::<Vec<_>>();
        let (mut carriers, mut made) = (Vec::new(), Vec::new());
        for (&binder, (a, b)) in binders.iter().zip(results) {
            if let (true, Atom::Var(same)) = (a == b, a) {
                carriers.push(same);
                continue;
            }
            let var = self.carrier(binder);
            let roots = &self.roots_of(a) | &self.roots_of(b);
            self.cx.roots.insert(var, roots);
            then.result.push(a);
            otherwise.result.push(b);
            carriers.push(var);
            made.push(var);
        }
        self.push(Stm::If { binders: made, cond, then, otherwise });
        self.bind_carriers(binders, &carriers)
    }

    pub fn flow_loop(&mut self, binders: &[core::Var], looped: &core::Loop) -> Result {
        let inits = looped
            .params
            .iter()
            .map(|&(_, init)| {
                let value = self.cx.value(init)?;
                self.handle(value)
            })
            .collect::<Result<Vec<Atom>>>()?;
        let params: Vec<core::Var> = looped.params.iter().map(|&(param, _)| param).collect();
        self.count_before(&params)?;
        let made: Vec<Var> = params.iter().map(|&param| self.carrier(param)).collect();
        for (&var, &init) in made.iter().zip(&inits) {
            let mut roots = self.roots_of(init);
            roots.insert(var);
            self.cx.roots.insert(var, roots);
        }
        let bound = match looped.form {
            core::LoopForm::For { bound, .. } => Some(self.cx.atom(bound)?),
            core::LoopForm::While(_) => None,
        };
        let (stms, (form, result)) = self.nested(|scope| {
            scope.bind_carriers(&params, &made)?;
            let carried: Vec<Value> = made.iter().map(|&var| Value::Scalar(Atom::Var(var))).collect();
            let form = scope.loop_form(looped, bound, &carried)?;
            let values = scope.body(&looped.body)?;
            let result = values.into_iter().map(|value| scope.handle(value)).collect::<Result<Vec<_>>>()?;
            Ok((form, result))
        })?;
        let finals: Vec<Var> = binders.iter().map(|&binder| self.carrier(binder)).collect();
        self.close_roots(&made, &inits, &result, &finals);
        self.push(Stm::Loop {
            binders: finals.clone(),
            params: made.into_iter().zip(inits).collect(),
            form,
            body: Body { stms, result },
        });
        self.bind_carriers(binders, &finals)
    }

    /// Computes the sizes of a loop's arrays before it, if they are known: an array produced in an iteration has the
    /// same size, so it can alternate with another block.
    fn count_before(&mut self, params: &[core::Var]) -> Result {
        for &param in params {
            let sizes = &self.cx.ty(param).shape;
            if !sizes.iter().any(|size| size.var().is_some_and(|size| params.contains(&size))) {
                let shape = self.cx.shape(self.cx.ty(param))?;
                self.count(&shape);
            }
        }
        Ok(())
    }

    /// The allocations that the final values of a loop's parameters may be.
    fn close_roots(&mut self, params: &[Var], inits: &[Atom], results: &[Atom], finals: &[Var]) {
        let results: Vec<BTreeSet<Var>> = results.iter().map(|&result| self.roots_of(result)).collect();
        let mut sets: Vec<BTreeSet<Var>> = inits.iter().map(|&init| self.roots_of(init)).collect();
        for _ in 0..params.len() {
            for (index, result) in results.iter().enumerate().take(sets.len()) {
                for root in result {
                    match params.iter().position(|param| param == root) {
                        Some(other) => {
                            let others = sets[other].clone();
                            sets[index].extend(others);
                        }
                        None => {
                            sets[index].insert(*root);
                        }
                    }
                }
            }
        }
        self.cx.roots.extend(finals.iter().copied().zip(sets));
    }

    /// Translates the form of a loop with these parameters, and binds its counter.
    pub fn loop_form(
        &mut self,
        looped: &core::Loop,
        bound: Option<Atom>,
        params: &[Value],
    ) -> Result<LoopForm> {
        match (looped.form, bound) {
            (core::LoopForm::For { index, .. }, Some(bound)) => {
                let var = self.fresh(self.cx.hint(index), self.cx.ty(index).elem);
                self.bind(index, Value::Scalar(Atom::Var(var)))?;
                return Ok(LoopForm::For { index: var, bound, reduces: false });
            }
            (core::LoopForm::While(cond), None) => {
                let position = looped.params.iter().position(|&(param, _)| param == cond);
                if let Some(Value::Scalar(Atom::Var(cond))) = position.and_then(|at| params.get(at)) {
                    return Ok(LoopForm::While(*cond));
                }
            }
            _ => (),
        }
        Err(Diagnostic::bug("kernelise: a loop whose form is not its own"))
    }

    fn flow_body(&mut self, body: &core::Body) -> Result<Body<L>> {
        let (stms, result) = self.nested(|scope| {
            let values = scope.body(body)?;
            values.into_iter().map(|value| scope.handle(value)).collect::<Result<Vec<_>>>()
        })?;
        Ok(Body { stms, result })
    }

    /// The scalar or the block that represents a value.
    fn handle(&mut self, value: Value) -> Result<Atom> {
        match value {
            Value::Scalar(atom) => Ok(atom),
            Value::Array(array) => self.whole(&array).map(Atom::Var),
        }
    }

    /// A new variable that can represent a value of the core variable.
    pub fn carrier(&mut self, var: core::Var) -> Var {
        let (hint, ty) = (self.cx.hint(var), self.cx.ty(var));
        match ty.is_scalar() {
            true => self.fresh(hint, ty.elem),
            false => self.fresh_block(hint, ty.elem, Space::Device),
        }
    }

    /// Binds core variables to the values that these variables represent. Sizes come first, as they are bound.
    pub fn bind_carriers(&mut self, vars: &[core::Var], carriers: &[Var]) -> Result {
        for (&var, &carrier) in vars.iter().zip(carriers) {
            let ty = self.cx.ty(var);
            let value = match ty.is_scalar() {
                true => Value::Scalar(Atom::Var(carrier)),
                false => {
                    let shape = self.cx.shape(ty)?;
                    Value::Array(self.contiguous(self.cx.hint(var), ty.elem, &shape, carrier, ZERO))
                }
            };
            self.cx.values.insert(var, value);
        }
        Ok(())
    }

    fn roots_of(&self, atom: Atom) -> BTreeSet<Var> {
        atom.var().map(|var| self.cx.roots_of(var)).unwrap_or_default()
    }
}
