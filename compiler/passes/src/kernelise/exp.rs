//! Statements whose translation is the same at all levels.

use std::sync::Arc;

use ravel_base::{CallPath, Diagnostic, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::level::{Branch, CodeLevel};
use super::scope::{Array, Result, Scope, Value, array};
use super::view::Dim;
use crate::arithmetic::{Arithmetic, ONE, ZERO};
use crate::bins::BINS;
use crate::flatten::is_data;
use crate::sort_points::SORT_POINTS;

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// Translates the statements of a body; returns its results.
    pub fn body(&mut self, body: &core::Body) -> Result<Vec<Value>> {
        self.all(&body.stms)?;
        body.result.iter().map(|&atom| self.cx.value(atom)).collect()
    }

    /// Translates statements in order.
    pub fn all(&mut self, stms: &[core::Stm]) -> Result {
        for (at, stm) in stms.iter().enumerate() {
            let outer = self.cx.origin.clone();
            if stm.origin.place().is_some() {
                self.cx.origin = Arc::new(match scan_path(&stm.exp) {
                    Some(path) => stm.origin.led_by(path),
                    None => stm.origin.clone(),
                });
            }
            if let core::Exp::Segment(segment) = &stm.exp {
                self.lay_out(&stm.binders, segment, &stms[at + 1..])?;
            }
            self.stm(stm)?;
            self.cx.origin = outer;
        }
        Ok(())
    }

    fn stm(&mut self, stm: &core::Stm) -> Result {
        self.choose(stm)?;
        match &stm.exp {
            core::Exp::If { cond, then, otherwise } => {
                return L::branch(self, &stm.binders, Branch { cond: *cond, then, otherwise });
            }
            core::Exp::Loop(looped) => return L::loop_exp(self, &stm.binders, looped),
            core::Exp::Screma(screma) => return L::screma(self, &stm.binders, screma),
            core::Exp::Segment(segment) => return L::core_segment(self, &stm.binders, segment),
            core::Exp::Assert { cond, values, error } => {
                match stm.trace_label() {
                    Some(label) => {
                        let (kind, label) = match core::nest_of_bins(label) {
                            Some(nest) => (TraceKind::Bins, nest),
                            None => (TraceKind::Shown, label),
                        };
                        let span = error.path.map(CallPath::span);
                        self.trace(
                            Trace { kind, label: Symbol::new(label), span, values: Vec::new() },
                            values,
                        )?;
                    }
                    None => self.assert(*cond, error)?,
                }
                return self.rename(&stm.binders, values);
            }
            core::Exp::Call(call) => return self.call(&stm.binders, call),
            _ => (),
        }
        let [binder] = stm.binders[..] else {
            return Err(Diagnostic::bug("kernelise: an expression of one value has other than one binder"));
        };
        let value = self.value(binder, &stm.exp)?;
        self.bind(binder, value)
    }

    /// If the statement chooses between two versions, counts which of them runs.
    fn choose(&mut self, stm: &core::Stm) -> Result {
        let (cond, names) = match stm.exp {
            core::Exp::If { cond, .. } if stm.origin.rules.contains(&BINS) => (cond, ["bins", "outer"]),
            core::Exp::If { cond, .. } if stm.origin.rules.contains(&SORT_POINTS) => {
                (cond, ["sorted", "unsorted"])
            }
            core::Exp::If { cond, .. } => (cond, ["full", "outer"]),
            core::Exp::Manifest(_, _, cond) => (cond, ["transposed", "row-major"]),
            _ => return Ok(()),
        };
        let Some(name) = stm.versions_name() else { return Ok(()) };
        let cond = self.cx.atom(cond)?;
        if L::NAME == LevelName::Host && cond.var().is_some() {
            let versions = Versions { name: Symbol::new(name), names: names.map(Symbol::new) };
            self.push(Stm::Choose { versions, cond });
        }
        Ok(())
    }

    /// The value of an expression with one result.
    fn value(&mut self, binder: core::Var, exp: &core::Exp) -> Result<Value> {
        let hint = self.cx.hint(binder);
        let elem = self.cx.ty(binder).elem;
        Ok(Value::Array(match exp {
            core::Exp::Index(from, indices) => {
                let (from, indices) = (self.cx.array(*from)?, self.cx.atoms(indices)?);
                return Ok(Value::Scalar(self.load(hint, &from, indices)));
            }
            core::Exp::Atom(atom) => match self.cx.value(*atom)? {
                // Two names for the same memory: neither owns it.
                Value::Array(array) => Array { owner: None, ..array },
                value => return Ok(value),
            },
            core::Exp::Trust(_) => return Ok(Value::Scalar(Atom::Const(PrimValue::Bool(true)))),
            core::Exp::ArrayLit(elements) => self.literal(binder, elements)?,
            core::Exp::Slice(from, dims) => {
                let (from, dims) = (self.cx.array(*from)?, self.dims(dims)?);
                self.slice(hint, &from, &dims)
            }
            core::Exp::Update { array, slice, value } => self.update(*array, slice, *value)?,
            core::Exp::Scratch => self.make(binder)?,
            core::Exp::Copy(from) => {
                let from = self.cx.array(*from)?;
                let made = self.make(binder)?;
                L::copy(self, &made, &from)?;
                made
            }
            core::Exp::Rearrange(from, perm) => {
                let from = self.cx.array(*from)?;
                self.rearrange(hint, &from, perm)
            }
            core::Exp::Manifest(perm, from, cond) => {
                let (array, cond) = (self.cx.array(*from)?, self.cx.atom(*cond)?);
                match self.cx.laid_out.contains(from) {
                    true => array,
                    false => self.manifest(hint, &array, perm, cond)?,
                }
            }
            core::Exp::Reshape(from) => {
                let from = self.cx.array(*from)?;
                self.reshape(binder, &from)?
            }
            core::Exp::Concat(parts) => self.concat(binder, parts)?,
            &core::Exp::Param(name, default) => return Ok(Value::Scalar(self.cx.parameter(name, default)?)),
            _ => {
                let exp = self.scalar_exp(exp)?;
                let known = match exp {
                    ScalarExp::Binary(..) => self.known().get(&exp),
                    _ => None,
                };
                return Ok(Value::Scalar(known.unwrap_or_else(|| self.scalar(hint, elem, exp))));
            }
        }))
    }

    fn scalar_exp(&self, exp: &core::Exp) -> Result<ScalarExp> {
        let atom = |atom: core::Atom| self.cx.atom(atom);
        Ok(match *exp {
            core::Exp::Unary(op, a) => ScalarExp::Unary(op, atom(a)?),
            core::Exp::Binary(op, a, b) => ScalarExp::Binary(op, atom(a)?, atom(b)?),
            core::Exp::Compare(op, a, b) => ScalarExp::Compare(op, atom(a)?, atom(b)?),
            core::Exp::Convert(ty, a) => ScalarExp::Convert(ty, atom(a)?),
            _ => return Err(Diagnostic::bug("kernelise: an expression of an unknown form")),
        })
    }

    fn assert(&mut self, cond: core::Atom, error: &core::ErrorMessage) -> Result {
        let cond = self.cx.atom(cond)?;
        let mut parts = Vec::new();
        let mut args = Vec::new();
        for part in &error.parts {
            parts.push(match part {
                core::ErrorPart::Text(text) => MessagePart::Text(text.clone()),
                core::ErrorPart::Value(value) => {
                    let value = self.cx.atom(*value)?;
                    args.push(value);
                    MessagePart::Value(self.cx.prim(value))
                }
            });
        }
        let message = self.cx.message(Message { parts, cause: Cause::Program, path: error.path });
        self.push(Stm::Assert { cond, message, args });
        Ok(())
    }

    /// Adds a trace of these values to the code of the host; workgroups and threads cannot show values.
    fn trace(&mut self, mut trace: Trace, values: &[core::Atom]) -> Result {
        if L::NAME != LevelName::Host {
            return Ok(());
        }
        let mut args = Vec::new();
        for &value in values {
            match self.cx.value(value)? {
                Value::Scalar(atom) => {
                    trace.values.push(ResultType { elem: self.cx.prim(atom), rank: 0 });
                    args.push(atom);
                }
                Value::Array(array) => {
                    trace.values.push(ResultType { elem: array.view.elem, rank: array.view.shape.len() });
                    let block = self.whole(&array)?;
                    args.extend(array.view.shape);
                    args.push(Atom::Var(block));
                }
            }
        }
        self.push(Stm::Trace { trace, args });
        Ok(())
    }

    /// Renames the values that a check or a trace returns.
    fn rename(&mut self, binders: &[core::Var], values: &[core::Atom]) -> Result {
        for (&binder, &value) in binders.iter().zip(values) {
            let value = match self.cx.value(value)? {
                Value::Array(array) => Value::Array(Array { owner: None, ..array }),
                value => value,
            };
            self.bind(binder, value)?;
        }
        Ok(())
    }

    fn literal(&mut self, binder: core::Var, elements: &[core::Atom]) -> Result<Array> {
        let values = elements.iter().map(|&atom| self.cx.value(atom)).collect::<Result<Vec<_>>>()?;
        let made = self.make(binder)?;
        if is_data(elements) {
            L::fill(self, &made, values.iter().filter_map(constant).collect())?;
            return Ok(made);
        }
        let mut stores = Vec::new();
        for (value, position) in values.into_iter().zip(0..) {
            let position = Atom::i64(position);
            match value {
                Value::Scalar(atom) => stores.push((vec![position], atom)),
                Value::Array(value) => {
                    let row = self.row(&made, position);
                    L::copy(self, &row, &value)?;
                }
            }
        }
        if !stores.is_empty() {
            L::store(self, &made, &stores)?;
        }
        Ok(made)
    }

    /// Overwrites a part in place; the new value is copied first if it may be in the same memory.
    fn update(&mut self, to: core::Var, slice: &[core::DimSlice], value: core::Atom) -> Result<Array> {
        let target = self.cx.array(to)?;
        let dims = self.dims(slice)?;
        match self.cx.value(value)? {
            Value::Scalar(atom) => {
                let position = dims.iter().map(|dim| match *dim {
                    Dim::Fix(index) => Ok(index),
                    Dim::Range { .. } => Err(Diagnostic::bug("kernelise: a scalar for a whole range")),
                });
                let position = position.collect::<Result<Vec<_>>>()?;
                L::store(self, &target, &[(position, atom)])?;
            }
            value => {
                let mut value = array(value)?;
                let roots = self.cx.roots_of(target.view.block);
                if !roots.is_disjoint(&self.cx.roots_of(value.view.block)) {
                    let copy = L::alloc(self, None, value.view.elem, &value.view.shape.clone())?;
                    L::copy(self, &copy, &value)?;
                    value = copy;
                }
                let part = self.slice(None, &target, &dims);
                L::copy(self, &part, &value)?;
            }
        }
        Ok(target)
    }

    fn concat(&mut self, binder: core::Var, parts: &[core::Var]) -> Result<Array> {
        let made = self.make(binder)?;
        let mut start = ZERO;
        for &part in parts {
            let part = self.cx.array(part)?;
            let Some(&count) = part.view.shape.first() else {
                return Err(Diagnostic::bug("kernelise: a scalar is concatenated"));
            };
            let range = self.slice(None, &made, &[Dim::Range { start, count, stride: ONE }]);
            L::copy(self, &range, &part)?;
            start = self.add(start, count);
        }
        Ok(made)
    }
}

/// The place of the scan, if the expression is a segment that scans.
fn scan_path(exp: &core::Exp) -> Option<CallPath> {
    let core::Exp::Segment(segment) = exp else { return None };
    segment.screma.scans.first()?.path
}

/// The constant, if it is one.
fn constant(value: &Value) -> Option<PrimValue> {
    match value {
        Value::Scalar(Atom::Const(constant)) => Some(*constant),
        _ => None,
    }
}
