//! Compile-time values: the results of evaluating expressions.

use std::rc::Rc;

use ravel_base::{Span, Symbol};
use ravel_core::{Atom, ErrorPart};
use ravel_types::tast::{Definition, Function, TypeParamId, ValueId};
use rustc_hash::FxHashMap;

use crate::dependence::Checks;
use crate::scope::Scope;
use crate::sizes::Ty;

/// A compile-time value.
#[derive(Clone)]
pub(crate) enum Value<'a> {
    /// A scalar, or an array of primitives: an atom of core IR.
    Leaf(Atom),
    /// A tuple, record or value of a sum type; also an array of these, whose leaves share their outer sizes.
    Tuple(Vec<Value<'a>>),
    /// A function.
    Function(Rc<Closure<'a>>),
    /// The number of the constructor of a value whose type contains functions. It is known at compile time, because the
    /// language allows no run-time choice between such values.
    Constructor(usize),
}

/// The name of a function with its id, place and attributes.
#[derive(Clone, Copy)]
pub(crate) struct FunctionName {
    /// Its id.
    pub id: ValueId,
    /// Its name.
    pub name: Symbol,
    /// Whether calls of it must not be inlined.
    pub noinline: bool,
    /// Its place in the source.
    pub span: Span,
}

/// A function with its captured variables and its arguments so far.
#[derive(Clone)]
pub(crate) struct Closure<'a> {
    /// The code.
    pub function: &'a Function,
    /// Its name, unless it is anonymous.
    pub named: Option<FunctionName>,
    /// Its captured variables, and the values of its type and size parameters.
    pub env: Rc<Env<'a>>,
    /// The arguments passed so far, fewer than the function has parameters.
    pub applied: Vec<Value<'a>>,
    /// Conditions that each call checks, with their messages.
    pub checks: Vec<(Atom, Vec<ErrorPart>)>,
    /// For a function of the prelude, the place where the program names it or gives it its first arguments, with the
    /// attributes that hold there.
    pub place: Option<(Span, Vec<Symbol>)>,
}

impl<'a> Closure<'a> {
    /// An anonymous function without arguments so far.
    pub fn new(function: &'a Function, env: Env<'a>) -> Closure<'a> {
        let (applied, checks) = (Vec::new(), Vec::new());
        Closure { function, named: None, env: Rc::new(env), applied, checks, place: None }
    }
}

/// An environment: the values of names. Sizes are values: i64 leaves.
#[derive(Clone, Default)]
pub(crate) struct Env<'a> {
    /// Values and sizes.
    pub values: Scope<'a>,
    /// Type parameters.
    pub types: FxHashMap<TypeParamId, Ty>,
    /// For some sizes read from an array: the checks on which the array depends, but the size does not.
    pub checks: FxHashMap<ValueId, Checks>,
}

impl FunctionName {
    /// The name of a top-level function.
    pub fn of(definition: &Definition) -> FunctionName {
        let &Definition { id, name, noinline, span, .. } = definition;
        FunctionName { id, name, noinline, span }
    }
}

impl<'a> Value<'a> {
    /// The leaves from left to right; `None` if one is a function.
    pub fn leaves(&self) -> Option<Vec<Atom>> {
        let mut leaves = Vec::new();
        self.collect(&mut leaves).then_some(leaves)
    }

    fn collect(&self, leaves: &mut Vec<Atom>) -> bool {
        match self {
            Value::Leaf(atom) => {
                leaves.push(*atom);
                true
            }
            Value::Tuple(values) => values.iter().all(|value| value.collect(leaves)),
            Value::Function(_) | Value::Constructor(_) => false,
        }
    }

    /// The leaves from left to right, without those that functions capture.
    pub fn data(&self) -> Vec<Atom> {
        match self {
            Value::Leaf(atom) => vec![*atom],
            Value::Tuple(values) => values.iter().flat_map(Value::data).collect(),
            Value::Function(_) | Value::Constructor(_) => Vec::new(),
        }
    }

    /// A value of the same structure, with `change` applied to every function.
    pub fn map_closures(&self, change: &impl Fn(&Closure<'a>) -> Closure<'a>) -> Value<'a> {
        match self {
            Value::Leaf(_) | Value::Constructor(_) => self.clone(),
            Value::Tuple(values) => {
                Value::Tuple(values.iter().map(|value| value.map_closures(change)).collect())
            }
            Value::Function(closure) => Value::Function(Rc::new(change(closure))),
        }
    }

    /// The leftmost leaf.
    pub fn first_leaf(&self) -> Option<Atom> {
        match self {
            Value::Leaf(atom) => Some(*atom),
            Value::Tuple(values) => values.iter().find_map(Value::first_leaf),
            Value::Function(_) | Value::Constructor(_) => None,
        }
    }

    /// A value of the same structure with other leaves, taken from left to right.
    pub fn with_leaves(&self, leaves: &mut impl Iterator<Item = Atom>) -> Value<'a> {
        match self {
            Value::Leaf(_) => Value::Leaf(leaves.next().expect("there are as many leaves as before")),
            Value::Tuple(values) => {
                Value::Tuple(values.iter().map(|value| value.with_leaves(leaves)).collect())
            }
            Value::Function(_) | Value::Constructor(_) => self.clone(),
        }
    }

    /// A value of the same structure, with `change` applied to every leaf.
    pub fn map_leaves<E>(&self, change: &mut impl FnMut(Atom) -> Result<Atom, E>) -> Result<Value<'a>, E> {
        Ok(match self {
            Value::Leaf(atom) => Value::Leaf(change(*atom)?),
            Value::Tuple(values) => {
                Value::Tuple(values.iter().map(|value| value.map_leaves(change)).collect::<Result<_, E>>()?)
            }
            Value::Function(_) | Value::Constructor(_) => self.clone(),
        })
    }
}

impl<'a> Env<'a> {
    /// The atom that a name stands for, if its value is a scalar or an array.
    pub fn leaf(&self, id: ValueId) -> Option<Atom> {
        match self.values.get(&id) {
            Some(Value::Leaf(atom)) => Some(*atom),
            _ => None,
        }
    }
}
