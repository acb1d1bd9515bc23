//! An evaluator for FutharkScript, the expression language of script inputs in test blocks.
//!
//! An expression is a literal, a name, an application of an entry point or builtin, a tuple, a record, an array, or a `let`.
//! Numbers without a suffix are i32, or f64 if they have a decimal point. A tuple as the only argument passes its components.

mod syntax;

use std::path::Path;

use ravel_abi::{Array, Data, PrimType, Value, read_any};
use ravel_engine::Executable;

use syntax::Exp;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
enum ScriptValue {
    Value(Value),
    Text(String),
    Tuple(Vec<ScriptValue>),
    Record(Vec<(String, ScriptValue)>),
}

/// The arguments in the value of an expression: the components of a tuple, or a single value.
///
/// # Errors
/// An error in the expression, or the failure of an entry point that it calls.
pub fn values(text: &str, executable: &Executable, folder: &Path) -> Result<Vec<Value>, String> {
    let exp = syntax::parse(text)?;
    let mut values = Vec::new();
    flatten(Machine { executable, folder }.eval(&exp, &mut Vec::new())?, &mut values)?;
    Ok(values)
}

struct Machine<'a> {
    executable: &'a Executable,
    folder: &'a Path,
}

impl Machine<'_> {
    fn eval(&self, exp: &Exp, names: &mut Vec<(String, ScriptValue)>) -> Result<ScriptValue, String> {
        let mut all =
            |exps: &[Exp]| exps.iter().map(|exp| self.eval(exp, names)).collect::<Result<Vec<_>, _>>();
        match exp {
            Exp::Value(value) => Ok(ScriptValue::Value(value.clone())),
            Exp::Text(text) => Ok(ScriptValue::Text(text.clone())),
            Exp::Tuple(parts) => Ok(ScriptValue::Tuple(all(parts)?)),
            Exp::Array(elements) => array(all(elements)?).map(ScriptValue::Value),
            Exp::Record(fields) => {
                let fields = fields.iter().map(|(name, exp)| Ok((name.clone(), self.eval(exp, names)?)));
                fields.collect::<Result<_, String>>().map(ScriptValue::Record)
            }
            Exp::Apply(name, args) => {
                let args = all(args)?;
                match names.iter().rev().find(|(known, _)| known == name) {
                    Some((_, value)) if args.is_empty() => Ok(value.clone()),
                    Some(_) => Err(format!("`{name}` is not a function")),
                    None => self.apply(name, args),
                }
            }
            Exp::Let(pattern, value, body) => {
                let value = self.eval(value, names)?;
                let before = names.len();
                match (&pattern[..], value) {
                    ([name], value) => names.push((name.clone(), value)),
                    (pattern, ScriptValue::Tuple(parts)) if parts.len() == pattern.len() => {
                        names.extend(pattern.iter().cloned().zip(parts));
                    }
                    _ => {
                        return Err(format!(
                            "the pattern ({}) needs a tuple with as many components",
                            pattern.join(", ")
                        ));
                    }
                }
                let result = self.eval(body, names);
                names.truncate(before);
                result
            }
        }
    }

    /// Applies an entry point, or a builtin, whose name begins with `$`.
    fn apply(&self, name: &str, args: Vec<ScriptValue>) -> Result<ScriptValue, String> {
        let file = |args: &[ScriptValue]| match args {
            [ScriptValue::Text(file)] => crate::runner::read_data(&self.folder.join(file)),
            _ => Err(format!("`{name}` takes the name of a file in quotes")),
        };
        match name {
            "$loaddata" => {
                let values = read_any(&file(&args)?).map_err(|wrong| wrong.to_string())?;
                Ok(bundle(values))
            }
            "$loadbytes" => {
                let bytes = file(&args)?;
                let shape = vec![bytes.len()];
                Ok(ScriptValue::Value(Value::Array(Array { shape, data: Data::U8(bytes.into()) })))
            }
            _ if name.starts_with('$') => {
                Err(format!("there is no builtin `{name}`; the builtins are $loaddata and $loadbytes"))
            }
            _ => {
                let mut values = Vec::new();
                args.into_iter().try_for_each(|arg| flatten(arg, &mut values))?;
                let called = self.executable.call(name, &values);
                called.map(|(results, _)| bundle(results)).map_err(|failure| failure.to_string())
            }
        }
    }
}

/// A single value, or a tuple of several.
fn bundle(mut values: Vec<Value>) -> ScriptValue {
    match values.len() {
        1 => ScriptValue::Value(values.remove(0)),
        _ => ScriptValue::Tuple(values.into_iter().map(ScriptValue::Value).collect()),
    }
}

/// The leaves of a value in the order in which entry points take them: fields sorted by name.
fn flatten(result: ScriptValue, values: &mut Vec<Value>) -> Result<(), String> {
    match result {
        ScriptValue::Value(value) => values.push(value),
        ScriptValue::Text(_) => return Err("a text cannot be passed to a program".to_owned()),
        ScriptValue::Tuple(parts) => parts.into_iter().try_for_each(|part| flatten(part, values))?,
        ScriptValue::Record(mut fields) => {
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
            fields.into_iter().try_for_each(|(_, field)| flatten(field, values))?;
        }
    }
    Ok(())
}

/// An array of values of one type and shape.
fn array(elements: Vec<ScriptValue>) -> Result<Value, String> {
    let mut shape: Option<(PrimType, Vec<usize>)> = None;
    let mut bytes = Vec::new();
    let count = elements.len();
    for element in elements {
        let ScriptValue::Value(value) = element else {
            return Err("the elements of an array are scalars or arrays".to_owned());
        };
        let (elem, row) = shape.get_or_insert_with(|| (value.elem(), value.shape().to_vec()));
        if (*elem, row.as_slice()) != (value.elem(), value.shape()) {
            return Err(format!("the elements of an array have one type, not {}", value.type_text()));
        }
        value.write_bytes(&mut bytes);
    }
    let (elem, row) = shape.ok_or("an array without elements is written empty([0]i32)")?;
    let shape = std::iter::once(count).chain(row).collect();
    Ok(Value::Array(Array { shape, data: Data::from_bytes(elem, &bytes) }))
}

#[cfg(test)]
mod tests;
