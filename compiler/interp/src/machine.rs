//! Evaluation of calls, bodies and statements.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use ravel_abi::{Backtrace, Data, Failure, MOST_CALLS, MessagePart, Tuning, fill};
use ravel_base::id::Id;
use ravel_base::{CallPath, Symbol};
use ravel_core::{
    Atom, Body, Call, DimSlice, ErrorMessage, ErrorPart, Exp, Function, Loop, LoopForm, Program, Stm, Var,
    VarTable,
};
use ravel_prim::{PrimType, PrimValue, binary, compare, convert, unary};

use crate::array::{Array, Dim, Value, View, count, gather, has_type, iota, replicate, scatter};
use crate::entry::to_abi;
use crate::lifetimes::{Deaths, Lifetimes};
use crate::{Chunks, Options, Trace, stack};

/// The reason why a run ended early.
#[derive(Debug)]
pub struct Halt {
    pub failure: Failure,
    /// The place of the failure, then the active calls, innermost first.
    pub paths: Vec<CallPath>,
}

/// A result, or the reason why the run ended early.
pub type Outcome<T> = Result<T, Box<Halt>>;

impl Halt {
    pub fn failed_with(failure: Failure) -> Box<Halt> {
        Box::new(Halt { failure, paths: Vec::new() })
    }

    /// The halt of a statement. If there was too little memory, the innermost statement is the place of the failure.
    fn inside(mut self: Box<Halt>, stm: &Stm) -> Box<Halt> {
        if matches!(self.failure, Failure::Memory { .. }) && self.paths.is_empty() {
            self.paths.extend(stm.origin.path());
        }
        self
    }
}

/// A bug of the compiler: the interpreter comes here only in a program that the verifier rejects.
pub fn internal(what: impl std::fmt::Display) -> Box<Halt> {
    Halt::failed_with(Failure::Bug(what.to_string()))
}

/// A program, ready to run.
pub struct Machine<'p> {
    functions: HashMap<Symbol, (&'p Function, Lifetimes)>,
    stop: Option<&'p AtomicBool>,
    /// The number of steps left. A step is a call, an iteration of a loop, or a point or chunk of a construct.
    steps: Cell<u64>,
    /// The number of calls that may still nest.
    calls: Cell<i64>,
    tuning: Option<&'p Tuning>,
    trace: Option<&'p (dyn Fn(&Trace<'_>) + Sync)>,
    /// The sizes of the chunks of streams.
    pub chunks: Chunks,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, options: Options<'p>) -> Machine<'p> {
        let functions = program.functions.iter();
        let functions = functions.map(|function| (function.name, (function, Lifetimes::new(function))));
        let Options { stop, most_steps, chunks, tuning, trace } = options;
        let steps = Cell::new(most_steps.unwrap_or(u64::MAX));
        let calls = Cell::new(i64::from(MOST_CALLS));
        Machine { functions: functions.collect(), stop, steps, calls, tuning, trace, chunks }
    }

    /// Calls a function with these arguments, which it then owns.
    pub fn call(&self, name: Symbol, args: Vec<Value>) -> Outcome<Vec<Value>> {
        let unknown = || internal(format!("there is no function `{name}`"));
        let (function, lifetimes) = self.functions.get(&name).ok_or_else(unknown)?;
        let slots = std::iter::repeat_with(|| None).take(function.vars.len()).collect();
        let mut frame = Frame { machine: self, vars: &function.vars, lifetimes, slots };
        let params: Vec<Var> = function.params.iter().map(|param| param.var).collect();
        frame.bind_all(&params, args)?;
        let mut results = Vec::with_capacity(function.results.len());
        frame.body(&function.body, &mut results)?;
        frame.bind_all(&function.results, results.clone())?;
        Ok(results)
    }

    /// Calls a function from inside another function, at `path`.
    fn nested_call(&self, name: Symbol, args: Vec<Value>, path: Option<CallPath>) -> Outcome<Vec<Value>> {
        let calls = self.calls.get();
        self.calls.set(calls - path.map_or(1, CallPath::calls));
        let results = match self.calls.get() < 0 {
            true => Err(Halt::failed_with(Failure::out_of_stack())),
            false => self.call(name, args),
        };
        self.calls.set(calls);
        results.map_err(|mut halt| {
            halt.paths.extend(path);
            halt
        })
    }

    /// If the statement is a trace and the options have a function for traces, passes the values to it.
    fn trace(&self, stm: &Stm, error: &ErrorMessage, values: &[Value]) {
        if let (Some(trace), Some(label)) = (self.trace, stm.trace_label()) {
            let values = values.iter().cloned().map(to_abi).collect();
            trace(&Trace { label, span: error.path.map(CallPath::span), values });
        }
    }

    /// Counts a step. Ends the run if no step is left, or if the stop flag of the options is set.
    pub fn step(&self) -> Outcome<()> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        match self.steps.get().checked_sub(1) {
            Some(left) if !is_stopped => {
                self.steps.set(left);
                Ok(())
            }
            _ => Err(Halt::failed_with(Failure::stopped())),
        }
    }
}

/// The variables of one call.
pub struct Frame<'m, 'p> {
    pub machine: &'m Machine<'p>,
    vars: &'p VarTable,
    lifetimes: &'m Lifetimes,
    slots: Vec<Option<Value>>,
}

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
            Exp::Loop(looped) => self.looped(stm, looped)?,
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

    /// The value of an expression that always has exactly one.
    fn single(&mut self, stm: &'p Stm, binder: Var) -> Outcome<Value> {
        let undefined = |name: &str, operands: &[PrimValue]| {
            let operands: Vec<String> = operands.iter().map(PrimValue::to_string).collect();
            internal(format!("`{name}` is undefined on {}", operands.join(" and ")))
        };
        Ok(match &stm.exp {
            Exp::Atom(atom) => self.operand(stm, *atom)?,
            Exp::Unary(op, a) => {
                let a = self.scalar(*a)?;
                Value::Scalar(unary(*op, a).ok_or_else(|| undefined(op.name(), &[a]))?)
            }
            Exp::Binary(op, a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                Value::Scalar(binary(*op, a, b).ok_or_else(|| undefined(op.name(), &[a, b]))?)
            }
            Exp::Compare(op, a, b) => {
                let (a, b) = (self.scalar(*a)?, self.scalar(*b)?);
                let holds = compare(*op, a, b).ok_or_else(|| undefined(op.name(), &[a, b]))?;
                Value::Scalar(PrimValue::Bool(holds))
            }
            Exp::Trust(cond) => Value::Scalar(self.scalar(*cond)?),
            Exp::Convert(to, a) => Value::Scalar(convert(self.scalar(*a)?, *to)),
            Exp::Param(name, default) => {
                let set = self.machine.tuning.and_then(|tuning| tuning.get(name.as_str()));
                Value::Scalar(PrimValue::I64(set.unwrap_or(*default)))
            }
            Exp::Index(array, indices) => {
                let array = self.array(*array)?;
                let indices =
                    indices.iter().map(|&index| self.integer(index)).collect::<Outcome<Vec<_>>>()?;
                let at = array.position(&indices).filter(|_| indices.len() == array.shape.len());
                let element = at.and_then(|(at, _)| array.data.get(at));
                let outside = || {
                    internal(format!("index {indices:?} is outside of an array of shape {:?}", array.shape))
                };
                Value::Scalar(element.ok_or_else(outside)?)
            }
            Exp::ArrayLit(elements) => self.array_literal(elements)?,
            Exp::Slice(array, dims) => {
                let (array, dims) = (self.array(*array)?, self.dims(dims)?);
                Value::Array(part(array, view(array, &dims)?)?)
            }
            Exp::Update { array, slice, value } => {
                let dims = self.dims(slice)?;
                let value = self.value(*value)?;
                let Value::Array(mut array) = self.operand(stm, Atom::Var(*array))? else {
                    return Err(internal("an update of a scalar"));
                };
                let view = view(&array, &dims)?;
                let data = std::rc::Rc::make_mut(&mut array.data);
                let fits = match &value {
                    Value::Scalar(scalar) => view.single().is_some_and(|at| data.set(at, *scalar)),
                    Value::Array(value) => *value.shape == view.shape() && scatter(data, &view, &value.data),
                };
                match fits {
                    true => Value::Array(array),
                    false => return Err(internal("an update with a value of another shape")),
                }
            }
            Exp::Iota { count, start, stride } => {
                let (count, start, stride) =
                    (self.size(*count)?, self.scalar(*start)?, self.scalar(*stride)?);
                let mut data = Data::zeros(start.ty(), count as u128).map_err(Halt::failed_with)?;
                for index in 0..count {
                    let element = iota(start, stride, index);
                    if !element.is_some_and(|element| data.set(index, element)) {
                        return Err(undefined("iota", &[start, stride]));
                    }
                }
                Value::Array(Array::new(vec![count], data))
            }
            Exp::Replicate { count, value } => {
                let (times, value) = (self.size(*count)?, self.value(*value)?);
                let mut shape = vec![times];
                if let Value::Array(array) = &value {
                    shape.extend(array.shape.iter());
                }
                Value::Array(Array::new(shape, replicate(&value, times).map_err(Halt::failed_with)?))
            }
            Exp::Scratch => {
                let shape = self.shape(binder)?;
                let data = Data::zeros(self.elem(binder), count(&shape)).map_err(Halt::failed_with)?;
                Value::Array(Array::new(shape, data))
            }
            Exp::Copy(array) | Exp::Manifest(_, array) => self.operand(stm, Atom::Var(*array))?,
            Exp::Rearrange(array, perm) => {
                let array = self.array(*array)?;
                let view = View::whole(&array.shape).rearrange(perm);
                Value::Array(part(
                    array,
                    view.ok_or_else(|| internal("a rearrangement by something that is no permutation"))?,
                )?)
            }
            Exp::Reshape(array) => {
                let shape = self.shape(binder)?;
                match self.operand(stm, Atom::Var(*array))? {
                    Value::Array(array) if count(&shape) == array.data.len() as u128 => {
                        Value::Array(Array { shape: shape.into(), ..array })
                    }
                    _ => return Err(internal("a reshape to another number of elements")),
                }
            }
            Exp::Concat(arrays) => {
                let arrays = arrays.iter().map(|&array| self.array(array)).collect::<Outcome<Vec<_>>>()?;
                concat(&arrays)?
            }
            Exp::If { .. }
            | Exp::Loop(_)
            | Exp::Assert { .. }
            | Exp::Call(..)
            | Exp::Screma(_)
            | Exp::Segment(_)
            | Exp::Stream(_) => {
                return Err(internal(
                    "a statement that may have several values is evaluated as one of a single value",
                ));
            }
        })
    }

    fn array_literal(&self, elements: &[Atom]) -> Outcome<Value> {
        let values = elements.iter().map(|&element| self.value(element)).collect::<Outcome<Vec<_>>>()?;
        let rows = values.iter().map(|value| match value {
            Value::Scalar(scalar) => Ok(Array::new(vec![1], single_element(*scalar)?)),
            Value::Array(array) => {
                let shape = std::iter::once(1).chain(array.shape.iter().copied()).collect();
                Ok(Array { shape, data: array.data.clone() })
            }
        });
        let rows: Vec<Array> = rows.collect::<Outcome<_>>()?;
        concat(&rows.iter().collect::<Vec<_>>())
    }

    fn looped(&mut self, stm: &'p Stm, looped: &'p Loop) -> Outcome<()> {
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

    /// The value of an atom; arrays are shared.
    pub fn value(&self, atom: Atom) -> Outcome<Value> {
        match atom {
            Atom::Const(value) => Ok(Value::Scalar(value)),
            Atom::Var(var) => self.slot(var).cloned(),
        }
    }

    /// The value of an operand of a statement. An array that dies there is moved, not shared.
    pub fn operand(&mut self, stm: &Stm, atom: Atom) -> Outcome<Value> {
        match atom {
            Atom::Var(var) if self.lifetimes.at(stm).is_some_and(|deaths| deaths.moved.contains(&var)) => {
                self.take(var)
            }
            atom => self.value(atom),
        }
    }

    fn slot(&self, var: Var) -> Outcome<&Value> {
        self.slots
            .get(var.index())
            .and_then(Option::as_ref)
            .ok_or_else(|| internal(format!("{var} has no value")))
    }

    fn take(&mut self, var: Var) -> Outcome<Value> {
        let taken = self.slots.get_mut(var.index()).and_then(Option::take);
        taken.ok_or_else(|| internal(format!("{var} has no value")))
    }

    fn clear(&mut self, vars: &[Var]) {
        for var in vars {
            if let Some(slot) = self.slots.get_mut(var.index()) {
                *slot = None;
            }
        }
    }

    fn scalar(&self, atom: Atom) -> Outcome<PrimValue> {
        match atom {
            Atom::Const(value) => Ok(value),
            Atom::Var(var) => match self.slot(var)? {
                Value::Scalar(scalar) => Ok(*scalar),
                Value::Array(_) => Err(internal(format!("{var} is no scalar"))),
            },
        }
    }

    /// The array of a variable.
    pub fn array(&self, var: Var) -> Outcome<&Array> {
        match self.slot(var)? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) => Err(internal(format!("{var} is no array"))),
        }
    }

    fn integer(&self, atom: Atom) -> Outcome<i64> {
        integer(self.scalar(atom)?)
    }

    fn condition(&self, atom: Atom) -> Outcome<bool> {
        self.scalar(atom)?.as_bool().ok_or_else(|| internal("a condition is no bool"))
    }

    /// A size: an i64 that is not negative.
    pub fn size(&self, atom: Atom) -> Outcome<usize> {
        let size = self.integer(atom)?;
        usize::try_from(size).map_err(|_| internal(format!("the size {size} is negative")))
    }

    /// The sizes that the type of a variable states.
    pub fn shape(&self, var: Var) -> Outcome<Vec<usize>> {
        let info = self.vars.get(var).ok_or_else(|| internal(format!("{var} has no type")))?;
        info.ty.shape.iter().map(|&size| self.size(size)).collect()
    }

    /// The element type that a variable states.
    pub fn elem(&self, var: Var) -> PrimType {
        self.vars[var].ty.elem
    }

    fn dims(&self, dims: &[DimSlice]) -> Outcome<Vec<Dim>> {
        let dim = |dim: &DimSlice| {
            Ok(match *dim {
                DimSlice::Fix(index) => Dim::Fix(self.integer(index)?),
                DimSlice::Range { start, count, stride } => Dim::Range {
                    start: self.integer(start)?,
                    count: self.integer(count)?,
                    stride: self.integer(stride)?,
                },
            })
        };
        dims.iter().map(dim).collect()
    }

    /// Binds the variables left to right.
    pub fn bind_all(&mut self, vars: &[Var], values: Vec<Value>) -> Outcome<()> {
        if vars.len() != values.len() {
            return Err(internal(format!("{} values for {} variables", values.len(), vars.len())));
        }
        vars.iter().zip(values).try_for_each(|(&var, value)| self.bind(var, value))
    }

    /// Binds a variable, after a check that the value has the type of the variable.
    pub fn bind(&mut self, var: Var, value: Value) -> Outcome<()> {
        let info = self.vars.get(var).ok_or_else(|| internal(format!("{var} has no type")))?;
        let mut fits = has_type(&value, info.ty.elem, info.ty.rank());
        if let Value::Array(array) = &value {
            for (&stated, &size) in info.ty.shape.iter().zip(array.shape.iter()) {
                fits &= self.integer(stated)? as u64 == size as u64;
            }
        }
        if !fits {
            return Err(internal(format!("the value of {var} has another type than the variable")));
        }
        self.slots[var.index()] = Some(value);
        Ok(())
    }
}

fn integer(scalar: PrimValue) -> Outcome<i64> {
    match scalar {
        PrimValue::I8(x) => Ok(x.into()),
        PrimValue::I16(x) => Ok(x.into()),
        PrimValue::I32(x) => Ok(x.into()),
        PrimValue::I64(x) => Ok(x),
        other => Err(internal(format!("{other} is no signed integer"))),
    }
}

fn view(array: &Array, dims: &[Dim]) -> Outcome<View> {
    let outside = || internal(format!("slice {dims:?} is outside of an array of shape {:?}", array.shape));
    View::slice(&array.shape, dims).ok_or_else(outside)
}

fn part(array: &Array, view: View) -> Outcome<Array> {
    Ok(Array::new(view.shape(), gather(&array.data, &view).map_err(Halt::failed_with)?))
}

fn single_element(scalar: PrimValue) -> Outcome<Data> {
    replicate(&Value::Scalar(scalar), 1).map_err(Halt::failed_with)
}

fn concat(arrays: &[&Array]) -> Outcome<Value> {
    let first = arrays.first().ok_or_else(|| internal("a concatenation of no arrays"))?;
    let mut shape = first.shape.to_vec();
    let rows = |array: &&Array| array.shape.first().copied().unwrap_or(0);
    let agree = arrays
        .iter()
        .all(|array| array.data.elem() == first.data.elem() && array.shape.get(1..) == first.shape.get(1..));
    if !agree || shape.is_empty() {
        return Err(internal("a concatenation of arrays of different shapes"));
    }
    let elements = arrays.iter().fold(0u128, |sum, array| sum + array.data.len() as u128);
    shape[0] = arrays.iter().map(rows).fold(0, usize::saturating_add);
    let mut data = Data::zeros(first.data.elem(), elements).map_err(Halt::failed_with)?;
    let mut at = 0;
    for array in arrays {
        let length = array.data.len();
        if !crate::array::put(&mut data, at, length, &Value::Array((*array).clone())) {
            return Err(internal("a concatenation out of bounds"));
        }
        at += length;
    }
    Ok(Value::Array(Array::new(shape, data)))
}
