//! Intrinsics: functions that the prelude cannot express in the language, `#[intrinsic(name)] def … = ???`.
//!
//! First, the arguments of an intrinsic are checked to have the sizes that its type states, and get these as their
//! sizes.

mod arrays;
mod scalars;
mod soacs;
mod streams;

pub(crate) use soacs::SCATTER;

use ravel_base::Symbol;
use ravel_types::tast::Function;

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::sizes::Ty;
use crate::value::{Env, Value};

impl<'a> Lowering<'_, 'a> {
    /// Applies the intrinsic of this name, declared as `function`, to all its arguments.
    pub fn intrinsic(
        &mut self,
        name: Symbol,
        function: &'a Function,
        env: &Env<'a>,
        args: Vec<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let args: Vec<Value<'a>> = function
            .params
            .iter()
            .zip(args)
            .map(|(param, arg)| {
                let ty = self.ty(&param.pattern.ty, env);
                self.expect(&arg, &ty)
            })
            .collect();
        // The size of the result may be an argument, as for `iota`.
        let mut env = env.clone();
        for (param, arg) in function.params.iter().zip(&args) {
            self.bind(&param.pattern, arg.clone(), &mut env)?;
        }
        let result = self.ty(&function.result, &env);
        match (name.as_str(), &args[..]) {
            ("iota", [count]) => self.iota(count),
            ("replicate", [count, value]) => self.replicate(count, value),
            ("copy", [value]) => self.copy(value),
            ("scratch", [_]) => self.scratch(&result),
            ("index", [array, index]) => self.unchecked_index(array, index),
            ("prefix", [count, array]) => self.prefix(count, array, &result),
            ("concat", [xs, ys]) => self.concat(xs, ys, &result),
            ("transpose", [array]) => self.transpose(array),
            ("reshape", [array]) => self.reshape(array, dimensions(&function.params[0].pattern.ty), &result),
            ("zip", _) => Ok(Value::Tuple(args)),
            ("unzip", [array]) => Ok(array.clone()),
            ("map", [f, array]) => self.map(f, array, &result),
            ("reduce", [op, neutral, array]) => self.reduce(op, neutral, array, false),
            ("reduce_comm", [op, neutral, array]) => self.reduce(op, neutral, array, true),
            ("scan", [op, neutral, array]) => self.scan(op, neutral, array),
            ("scatter", [target, indices, values]) => self.scatter(target, indices, values),
            ("reduce_by_index", [target, op, neutral, indices, values]) => {
                self.reduce_by_index(target, op, neutral, indices, values)
            }
            ("stream_map", [f, array]) => self.stream_map(f, array, &result),
            ("stream_red", [op, f, array]) => {
                let ty = self.ty(&function.params[2].pattern.ty, &env);
                self.stream_red(op, f, array, (&ty, &result))
            }
            (name, _) => {
                let operands = args.iter().map(|arg| self.leaf(arg)).collect::<Lowered<Vec<_>>>()?;
                match self.scalar(name, &operands, &result) {
                    Some(atom) => Ok(Value::Leaf(atom)),
                    None => Err(bug(self.span, format!("the intrinsic `{name}` is not known"))),
                }
            }
        }
    }
}

/// The number of dimensions of the type.
fn dimensions(ty: &ravel_types::tast::Type) -> usize {
    match ty {
        ravel_types::tast::Type::Array(row, _) => 1 + dimensions(row),
        _ => 0,
    }
}

/// The first `count` sizes of the type, or those before the first one that is unknown.
fn outer_sizes(ty: &Ty, count: usize) -> Vec<ravel_core::Atom> {
    match ty {
        Ty::Array(row, Some(size)) if count > 0 => {
            let mut sizes = vec![*size];
            sizes.extend(outer_sizes(row, count - 1));
            sizes
        }
        _ => Vec::new(),
    }
}
