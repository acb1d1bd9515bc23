//! Expressions that make the input of a test: FutharkScript, a small language of its own.
//!
//! An expression is a literal, a name, an application of an entry point or of a builtin, a tuple, a
//! record, an array, or a `let`. Numbers without a suffix are i32, with a point f64. A tuple as the
//! only argument stands for its components.

mod syntax;

use std::path::Path;

use ravel_abi::{Array, Data, PrimType, Value, read_any};
use ravel_engine::Executable;

use syntax::Exp;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
enum Made {
    Value(Value),
    Text(String),
    Tuple(Vec<Made>),
    Record(Vec<(String, Made)>),
}

/// The arguments that an expression makes: the components of a tuple, or a single value.
///
/// # Errors
/// What is wrong with the expression, or how an entry point that it calls fails.
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
    fn eval(&self, exp: &Exp, names: &mut Vec<(String, Made)>) -> Result<Made, String> {
        let mut all =
            |exps: &[Exp]| exps.iter().map(|exp| self.eval(exp, names)).collect::<Result<Vec<_>, _>>();
        match exp {
            Exp::Value(value) => Ok(Made::Value(value.clone())),
            Exp::Text(text) => Ok(Made::Text(text.clone())),
            Exp::Tuple(parts) => Ok(Made::Tuple(all(parts)?)),
            Exp::Array(elements) => array(all(elements)?).map(Made::Value),
            Exp::Record(fields) => {
                let fields = fields.iter().map(|(name, exp)| Ok((name.clone(), self.eval(exp, names)?)));
                fields.collect::<Result<_, String>>().map(Made::Record)
            }
            Exp::Apply(name, args) => {
                let args = all(args)?;
                match names.iter().rev().find(|(known, _)| known == name) {
                    Some((_, value)) if args.is_empty() => Ok(value.clone()),
                    Some(_) => Err(format!("`{name}` is no function")),
                    None => self.apply(name, args),
                }
            }
            Exp::Let(pattern, value, body) => {
                let value = self.eval(value, names)?;
                let before = names.len();
                match (&pattern[..], value) {
                    ([name], value) => names.push((name.clone(), value)),
                    (pattern, Made::Tuple(parts)) if parts.len() == pattern.len() => {
                        names.extend(pattern.iter().cloned().zip(parts));
                    }
                    _ => {
                        return Err(format!(
                            "the pattern ({}) is for a tuple of as many parts",
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
    fn apply(&self, name: &str, args: Vec<Made>) -> Result<Made, String> {
        let file = |args: &[Made]| match args {
            [Made::Text(file)] => crate::runner::read_data(&self.folder.join(file)),
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
                Ok(Made::Value(Value::Array(Array { shape, data: Data::U8(bytes) })))
            }
            _ if name.starts_with('$') => {
                Err(format!("there is no builtin `{name}`; there is $loaddata and $loadbytes"))
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

/// One value alone, several as a tuple.
fn bundle(mut values: Vec<Value>) -> Made {
    match values.len() {
        1 => Made::Value(values.remove(0)),
        _ => Made::Tuple(values.into_iter().map(Made::Value).collect()),
    }
}

/// The values of the components, as entry points take them: fields in the order of their names.
fn flatten(result: Made, values: &mut Vec<Value>) -> Result<(), String> {
    match result {
        Made::Value(value) => values.push(value),
        Made::Text(_) => return Err("text is no value of a program".to_owned()),
        Made::Tuple(parts) => parts.into_iter().try_for_each(|part| flatten(part, values))?,
        Made::Record(mut fields) => {
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
            fields.into_iter().try_for_each(|(_, field)| flatten(field, values))?;
        }
    }
    Ok(())
}

/// An array of values of one type and shape.
fn array(elements: Vec<Made>) -> Result<Value, String> {
    let mut shape: Option<(PrimType, Vec<usize>)> = None;
    let mut bytes = Vec::new();
    let count = elements.len();
    for element in elements {
        let Made::Value(value) = element else {
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
