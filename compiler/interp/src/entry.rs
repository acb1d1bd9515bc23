//! Arguments and results of entry points.

use std::rc::Rc;

use ravel_abi as abi;
use ravel_abi::{Dim, ParamType, ResultType, Signature};
use ravel_base::Symbol;
use ravel_core::{Atom, Entry, EntryValue, Function, Program, Var, parameters_of};
use ravel_prim::PrimValue;

use crate::Options;
use crate::array::{Array, Value};
use crate::machine::{Halt, Machine, Outcome, internal};

/// The signature of an entry point; `None` if the program has none of this name.
pub fn signature(program: &Program, entry: Symbol) -> Option<Signature> {
    let (entry, function) = find(program, entry)?;
    let size_params = sizes(entry, function);
    let dim = |atom: &Atom| match *atom {
        Atom::Const(size) => size.as_i64().map(Dim::Const),
        Atom::Var(var) => size_params.iter().position(|&size| size == var).map(Dim::Size),
    };
    let param = |value: &EntryValue| {
        let ty = &function.vars.get(value.var)?.ty;
        let name = value.name.map(|name| name.as_str().to_owned());
        let dims = ty.shape.iter().map(dim).collect::<Option<_>>()?;
        let (consumed, constructors) = (value.unique, value.constructors);
        Some(ParamType { name, elem: ty.elem, dims, consumed, constructors })
    };
    let result = |value: &EntryValue| {
        let ty = &function.vars.get(value.var)?.ty;
        Some(ResultType { elem: ty.elem, rank: ty.rank() })
    };
    Some(Signature {
        name: entry.name.as_str().to_owned(),
        sizes: size_params.len(),
        params: entry.params.iter().map(param).collect::<Option<_>>()?,
        results: entry.results.iter().map(result).collect::<Option<_>>()?,
        tuning_params: parameters_of(program, entry.function).iter().map(ToString::to_string).collect(),
    })
}

/// Checks the arguments, runs the function and selects the results of the entry point.
pub fn call(
    program: &Program,
    entry: Symbol,
    args: &[abi::Value],
    options: Options<'_>,
) -> Outcome<Vec<abi::Value>> {
    let signature = signature(program, entry);
    let (Some(signature), Some((entry, function))) = (signature, find(program, entry)) else {
        let failure = abi::Failure::Arguments(format!("there is no entry point `{entry}`"));
        return Err(Halt::failed_with(failure));
    };
    let sizes =
        sizes(entry, function).into_iter().zip(signature.bind_sizes(args).map_err(Halt::failed_with)?);
    let sizes: Vec<(Var, i64)> = sizes.collect();
    let argument = |param: Var| {
        let size = || sizes.iter().find(|(var, _)| *var == param).map(|&(_, size)| PrimValue::I64(size));
        match entry.params.iter().position(|value| value.var == param) {
            Some(position) => args.get(position).map(from_abi),
            None => size().map(Value::Scalar),
        }
    };
    let inputs: Option<Vec<Value>> = function.params.iter().map(|param| argument(param.var)).collect();
    let inputs = inputs.ok_or_else(|| internal(format!("entry `{}` lacks a parameter", entry.name)))?;
    let outputs = Machine::new(program, options).call(function.name, inputs)?;
    let mut outputs: Vec<Option<Value>> = outputs.into_iter().map(Some).collect();
    let mut result = |value: &EntryValue| {
        let position = function.results.iter().position(|&var| var == value.var)?;
        outputs.get_mut(position)?.take().map(to_abi)
    };
    let results: Option<Vec<abi::Value>> = entry.results.iter().map(&mut result).collect();
    results.ok_or_else(|| internal(format!("entry `{}` lacks a result", entry.name)))
}

fn find(program: &Program, entry: Symbol) -> Option<(&Entry, &Function)> {
    let entry = program.entries.iter().find(|candidate| candidate.name == entry)?;
    let function = program.functions.iter().find(|function| function.name == entry.function)?;
    Some((entry, function))
}

/// The parameters of the function that are sizes: those that the entry point does not have, and those that are also
/// the size of an array.
fn sizes(entry: &Entry, function: &Function) -> Vec<Var> {
    let is_value = |param: Var| entry.params.iter().any(|value| value.var == param);
    let is_size = |param: Var| {
        let shapes = entry.params.iter().filter_map(|value| function.vars.get(value.var));
        shapes.into_iter().any(|info| info.ty.shape.contains(&Atom::Var(param)))
    };
    let params = function.params.iter().map(|param| param.var);
    params.filter(|&param| !is_value(param) || is_size(param)).collect()
}

/// Converts a caller's value to the representation of the interpreter.
fn from_abi(value: &abi::Value) -> Value {
    match value {
        abi::Value::Scalar(scalar) => Value::Scalar(*scalar),
        abi::Value::Array(array) => {
            Value::Array(Array { shape: array.shape.clone().into(), data: Rc::new(array.data.clone()) })
        }
    }
}

/// Converts a value to the form that callers use.
pub fn to_abi(value: Value) -> abi::Value {
    match value {
        Value::Scalar(scalar) => abi::Value::Scalar(scalar),
        Value::Array(Array { shape, data }) => {
            let data = Rc::try_unwrap(data).unwrap_or_else(|shared| (*shared).clone());
            abi::Value::Array(abi::Array { shape: shape.to_vec(), data })
        }
    }
}
