//! The parts shared by the parallel and the sequential translation of a Screma: elements of sources, lambdas, and the
//! sinks.

use ravel_base::{Diagnostic, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::level::CodeLevel;
use super::parallel::Code;
use super::scope::{Array, Result, Scope, Value, array, scalar};
use super::view::Dim;
use crate::arithmetic::{Arithmetic, ONE};

/// A source of elements, with a name hint.
#[derive(Clone)]
pub(super) struct Input {
    pub hint: Option<Symbol>,
    pub elements: Elements,
}

/// A source of elements.
#[derive(Clone)]
pub(super) enum Elements {
    Array(Array),
    Iota { start: Atom, stride: Atom },
}

impl Input {
    /// The elements of an array.
    pub fn of(hint: Option<Symbol>, array: Array) -> Input {
        Input { hint, elements: Elements::Array(array) }
    }
}

/// A destination of values.
#[derive(Clone)]
pub(super) enum Out<'a> {
    /// Into element i.
    Map(Array),
    /// Into the elements from i * size on. All values except the last have this size.
    Concat(Array, Atom),
    /// Into the element at the position given by this many leading values.
    Write(Array, usize),
    /// Combined with an accumulator of this many values.
    Reduce(usize),
    /// Combined into the element at the first value.
    Combine { targets: Vec<Array>, op: &'a core::Lambda },
    /// Combined by this operator into the element at the first value, into which other threads may combine too.
    Shared(Array, BinOp),
}

impl Out<'_> {
    /// The number of values that it takes.
    pub fn arity(&self) -> usize {
        match self {
            Out::Map(_) | Out::Concat(..) => 1,
            Out::Write(_, rank) => rank + 1,
            Out::Reduce(arity) => *arity,
            Out::Combine { targets, .. } => 1 + targets.len(),
            Out::Shared(..) => 2,
        }
    }
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    pub fn inputs(&self, screma: &core::Screma) -> Result<Vec<Input>> {
        let hints = screma.map.params.iter().map(|&param| self.cx.hint(param));
        let input = |(source, hint): (&core::Source, _)| {
            let elements = match *source {
                core::Source::Array(array) => Elements::Array(self.cx.array(array)?),
                core::Source::Iota { start, stride } => {
                    Elements::Iota { start: self.cx.atom(start)?, stride: self.cx.atom(stride)? }
                }
            };
            Ok(Input { hint, elements })
        };
        screma.sources.iter().zip(hints).map(input).collect()
    }

    /// The sinks with memory for their results: their destinations or new memory.
    pub fn outs<'a>(&mut self, binders: &[core::Var], sinks: &'a [core::Sink]) -> Result<Vec<Out<'a>>> {
        let mut binders = binders.iter();
        let mut outs = Vec::new();
        for sink in sinks {
            let first = binders.next();
            binders.by_ref().take(sink.results().saturating_sub(1)).for_each(drop);
            outs.push(match (sink, first) {
                (core::Sink::Map, Some(&binder)) => Out::Map(self.make(binder)?),
                (core::Sink::Concat { size, .. }, Some(&binder)) => {
                    Out::Concat(self.make(binder)?, self.cx.atom(*size)?)
                }
                (core::Sink::Write { target, rank }, _) => Out::Write(self.cx.array(*target)?, *rank),
                (core::Sink::Reduce { neutral, .. }, _) => Out::Reduce(neutral.len()),
                (core::Sink::Combine { targets, op, .. }, _) => {
                    let targets = targets.iter().map(|&target| self.cx.array(target));
                    Out::Combine { targets: targets.collect::<Result<_>>()?, op }
                }
                (core::Sink::Map | core::Sink::Concat { .. }, None) => {
                    return Err(Diagnostic::bug("kernelise: a sink without binder"));
                }
            });
        }
        Ok(outs)
    }

    /// `start + index * stride`, in the type of `start`.
    pub fn progression(&mut self, start: Atom, stride: Atom, index: Atom) -> Atom {
        let ty = self.cx.prim(start);
        if ty == PrimType::I64 {
            let distance = self.mul(index, stride);
            return self.add(distance, start);
        }
        let is = |atom, number: i64| {
            atom == Atom::Const(ravel_prim::convert(ravel_prim::PrimValue::I64(number), ty))
        };
        let mut value = self.scalar(None, ty, ScalarExp::Convert(ty, index));
        if !is(stride, 1) {
            value = self.scalar(None, ty, ScalarExp::Binary(BinOp::Mul, value, stride));
        }
        if !is(start, 0) {
            value = self.scalar(None, ty, ScalarExp::Binary(BinOp::Add, value, start));
        }
        value
    }

    /// The element at an index: a scalar or a row.
    pub fn element(&mut self, input: &Input, index: Atom) -> Value {
        match &input.elements {
            Elements::Array(array) if array.view.shape.len() == 1 => {
                Value::Scalar(self.load(input.hint, array, vec![index]))
            }
            Elements::Array(array) => Value::Array(self.row(array, index)),
            Elements::Iota { start, stride } => Value::Scalar(self.progression(*start, *stride, index)),
        }
    }
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// The results of a lambda; arrays are produced in these places if possible.
    pub fn apply(
        &mut self,
        lambda: &core::Lambda,
        args: Vec<Value>,
        places: Vec<Option<Array>>,
    ) -> Result<Vec<Value>> {
        self.cx.prefer(L::NAME, &lambda.body, places);
        for (&param, arg) in lambda.params.iter().zip(args) {
            self.bind(param, arg)?;
        }
        self.body(&lambda.body)
    }

    /// Runs the code of a point and distributes its values to the sinks; returns the values to reduce.
    pub fn run_code(
        &mut self,
        inputs: &[Input],
        code: Code<'_>,
        outs: &[Out<'_>],
        index: Atom,
    ) -> Result<Vec<Value>> {
        let Code { counter, lambda } = code;
        let elements: Vec<Value> = inputs.iter().map(|input| self.element(input, index)).collect();
        self.bind(counter, Value::Scalar(index))?;
        let places = self.places(outs, index);
        let values = self.apply(lambda, elements, places)?;
        self.distribute(outs, index, values)
    }

    /// The places of the rows for sinks, by value.
    pub fn places(&mut self, outs: &[Out<'_>], index: Atom) -> Vec<Option<Array>> {
        let mut places = Vec::new();
        for out in outs {
            match out {
                Out::Map(array) if array.view.shape.len() > 1 => places.push(Some(self.row(array, index))),
                Out::Concat(array, size) => places.push(Some(self.part_of(array, *size, index))),
                _ => places.extend((0..out.arity()).map(|_| None)),
            }
        }
        places
    }

    /// The part of this number of an array. All parts except the last have this size.
    fn part_of(&mut self, array: &Array, size: Atom, number: Atom) -> Array {
        let (start, count) = self.part_range(array.view.shape[0], size, number);
        self.slice(None, array, &[Dim::Range { start, count, stride: ONE }])
    }

    /// Distributes the values of one index to the sinks; returns the values to reduce.
    pub fn distribute(&mut self, outs: &[Out<'_>], index: Atom, values: Vec<Value>) -> Result<Vec<Value>> {
        let mut values = values.into_iter();
        let mut reduced = Vec::new();
        for out in outs {
            let mut own: Vec<Value> = values.by_ref().take(out.arity()).collect();
            match out {
                Out::Map(array) => {
                    let value = own.pop().ok_or_else(too_few)?;
                    self.put(array, &[index], value)?;
                }
                Out::Concat(whole, size) => {
                    let part = self.part_of(whole, *size, index);
                    let value = array(own.pop().ok_or_else(too_few)?)?;
                    L::copy(self, &part, &value)?;
                }
                Out::Reduce(_) => reduced.append(&mut own),
                Out::Write(target, _) => {
                    let value = own.pop().ok_or_else(too_few)?;
                    let at = own.into_iter().map(scalar).collect::<Result<Vec<_>>>()?;
                    self.where_in_bounds(target, &at, |scope| scope.put(target, &at, value))?;
                }
                Out::Shared(target, op) => {
                    let value = scalar(own.pop().ok_or_else(too_few)?)?;
                    let at = scalar(own.pop().ok_or_else(too_few)?)?;
                    self.where_in_bounds(target, &[at], |scope| {
                        scope.push(Stm::Combine { array: target.name, indices: vec![at], op: *op, value });
                        Ok(())
                    })?;
                }
                Out::Combine { targets, op } => {
                    let operands = own.split_off(1.min(own.len()));
                    let at = scalar(own.pop().ok_or_else(too_few)?)?;
                    let Some(first) = targets.first() else { continue };
                    self.where_in_bounds(first, &[at], |scope| {
                        let inputs = targets.iter().map(|target| Input::of(None, target.clone()));
                        let mut args: Vec<Value> = inputs.map(|input| scope.element(&input, at)).collect();
                        args.extend(operands);
                        let mut places = Vec::new();
                        if scope.cx.is_elementwise(op) {
                            places.extend(targets.iter().map(|target| Some(scope.row(target, at))));
                        }
                        let results = scope.apply(op, args, places)?;
                        let parts = targets.iter().zip(results);
                        parts.into_iter().try_for_each(|(target, value)| scope.put(target, &[at], value))
                    })?;
                }
            }
        }
        Ok(reduced)
    }

    /// Runs code if the position is in bounds of the array.
    fn where_in_bounds(
        &mut self,
        array: &Array,
        at: &[Atom],
        code: impl FnOnce(&mut Scope<'_, '_, L>) -> Result,
    ) -> Result {
        let mut cond = Atom::bool(true);
        for (&index, &size) in at.iter().zip(&array.view.shape) {
            let inside = self.in_bounds(index, size);
            cond = if cond == Atom::bool(true) { inside } else { self.and(cond, inside) };
        }
        let (stms, ()) = self.nested(|scope| code(scope))?;
        let then = Body { stms, result: Vec::new() };
        let otherwise = Body { stms: Vec::new(), result: Vec::new() };
        self.push(Stm::If { binders: Vec::new(), cond, then, otherwise });
        Ok(())
    }

    /// Overwrites the element or row at a position.
    pub fn put(&mut self, target: &Array, at: &[Atom], value: Value) -> Result {
        match value {
            Value::Scalar(atom) => L::store(self, target, &[(at.to_vec(), atom)]),
            Value::Array(value) => {
                let dims: Vec<Dim> = at.iter().map(|&index| Dim::Fix(index)).collect();
                let row = self.slice(None, target, &dims);
                L::copy(self, &row, &value)
            }
        }
    }
}

fn too_few() -> Diagnostic {
    Diagnostic::bug("kernelise: fewer values than the sinks take")
}
