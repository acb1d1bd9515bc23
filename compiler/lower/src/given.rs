//! What a call gives to a function, seen apart: a *form*, which decides what code the function
//! becomes, and *inputs*, the atoms that flow into it.
//!
//! The form holds the code of all functions given and what they captured, the types that type
//! parameters stand for, and the structure of all values. Which scalar or array is given is not part
//! of it, so calls of one form share one function. That two sizes are the same is part of it, and so
//! is a size's value where it is known, unless the function calls itself, when it might be called
//! with ever other ones. And so is the place of a function of the prelude: what it does is done there.

use std::rc::Rc;

use ravel_base::Span;
use ravel_core::{Atom, Builder, ErrorPart, Type, Var};
use ravel_prim::PrimType;
use ravel_types::Uniqueness;
use ravel_types::tast::{Function, TypeParamId, ValueId};
use rustc_hash::FxHashMap;

use crate::program::Program;
use crate::sizes::Ty;
use crate::value::{Closure, Env, Value};

/// All that a call gives.
pub(crate) struct Given<'a> {
    /// The function, what it captured, and what its type and size parameters stand for.
    pub closure: Closure<'a>,
    /// The arguments.
    pub args: Vec<Value<'a>>,
    /// The constants that the code asks for.
    pub constants: Vec<(ValueId, Value<'a>)>,
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    Value(ValueId),
    TypeParam(TypeParamId),
    Function(*const Function),
    Applied(usize),
    Tuple(usize),
    Constructor(usize),
    Prim(PrimType),
    Array,
    Opaque,
    Unchecked,
    Check(usize),
    Text(String),
    Place(Span),
    Size(Option<Dim>),
    Leaf(PrimType, Vec<Dim>),
}

/// A size in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dim {
    /// It is known.
    Const(i64),
    /// It is the input of this number.
    Input(usize),
}

/// What is given for one parameter of the core function.
pub(crate) struct Input {
    /// The caller's scalar or array.
    pub atom: Atom,
    /// Its type.
    pub elem: PrimType,
    /// Its shape.
    pub shape: Vec<Dim>,
    /// Does the function consume it?
    pub consumed: bool,
    /// Is it the size of some array?
    pub is_size: bool,
}

/// What happens to the atoms on the way through what is given.
pub(crate) trait Passage<'a> {
    fn token(&mut self, token: Token);
    fn function(&mut self, function: &'a Function);
    fn leaf(&mut self, atom: Atom) -> Atom;
    fn size(&mut self, atom: Option<Atom>) -> Option<Atom>;
    fn argument(&mut self, consumed: bool);
}

impl<'a> Given<'a> {
    /// The same with other atoms. Of what functions captured it keeps what their code mentions.
    pub fn pass(&self, program: &Program<'_, 'a>, through: &mut impl Passage<'a>) -> Given<'a> {
        through.argument(false);
        let constants: Vec<_> = self
            .constants
            .iter()
            .map(|(id, constant)| {
                through.token(Token::Value(*id));
                (*id, value(constant, program, through))
            })
            .collect();
        let closure = closure(&self.closure, program, through);
        let params = self.closure.function.params.iter();
        let args =
            self.args.iter().zip(params).map(|(arg, param)| argument(arg, &param.consumed, program, through));
        Given { closure, args: args.collect(), constants }
    }
}

/// What is given for a parameter, parts of which are consumed.
fn argument<'a>(
    given: &Value<'a>,
    consumed: &Uniqueness,
    program: &Program<'_, 'a>,
    through: &mut impl Passage<'a>,
) -> Value<'a> {
    through.argument(consumed.is_whole());
    match (given, consumed) {
        (Value::Tuple(parts), Uniqueness::Parts(marks)) => {
            through.token(Token::Tuple(parts.len()));
            let parts = parts.iter().zip(marks).map(|(part, mark)| argument(part, mark, program, through));
            Value::Tuple(parts.collect())
        }
        _ => value(given, program, through),
    }
}

fn closure<'a>(
    closure: &Closure<'a>,
    program: &Program<'_, 'a>,
    through: &mut impl Passage<'a>,
) -> Closure<'a> {
    let function = closure.function;
    through.token(Token::Function(function));
    closure.place.into_iter().for_each(|place| through.token(Token::Place(place)));
    through.function(function);
    let text = program.text(function);
    let mut env = Env::default();
    for &id in text.types.iter().chain(&function.type_params) {
        if let Some(known) = closure.env.types.get(&id) {
            through.token(Token::TypeParam(id));
            env.types.insert(id, ty(known, through));
        }
    }
    for &id in text.values.iter().chain(&function.size_params) {
        let Some(known) = closure.env.values.get(&id) else { continue };
        through.token(Token::Value(id));
        let known = match known {
            Value::Leaf(size) if function.size_params.contains(&id) => {
                Value::Leaf(through.size(Some(*size)).unwrap_or(*size))
            }
            known => value(known, program, through),
        };
        env.values.insert(id, known);
    }
    through.token(Token::Applied(closure.applied.len()));
    let applied = closure.applied.iter().map(|applied| value(applied, program, through)).collect();
    let checks = closure.checks.iter().map(|(cond, message)| {
        through.token(Token::Check(message.len()));
        let cond = through.leaf(*cond);
        let message = message.iter().map(|part| match part {
            ErrorPart::Text(text) => {
                through.token(Token::Text(text.clone()));
                ErrorPart::Text(text.clone())
            }
            ErrorPart::Value(atom) => ErrorPart::Value(through.leaf(*atom)),
        });
        (cond, message.collect())
    });
    let checks = checks.collect();
    let &Closure { named, place, .. } = closure;
    Closure { function, named, env: Rc::new(env), applied, checks, place }
}

fn value<'a>(given: &Value<'a>, program: &Program<'_, 'a>, through: &mut impl Passage<'a>) -> Value<'a> {
    match given {
        Value::Leaf(atom) => Value::Leaf(through.leaf(*atom)),
        Value::Tuple(parts) => {
            through.token(Token::Tuple(parts.len()));
            Value::Tuple(parts.iter().map(|part| value(part, program, through)).collect())
        }
        Value::Function(function) => Value::Function(Rc::new(closure(function, program, through))),
        Value::Constructor(number) => {
            through.token(Token::Constructor(*number));
            Value::Constructor(*number)
        }
    }
}

fn ty<'a>(given: &Ty, through: &mut impl Passage<'a>) -> Ty {
    match given {
        Ty::Prim(prim) => {
            through.token(Token::Prim(*prim));
            Ty::Prim(*prim)
        }
        Ty::Array(row, size) => {
            through.token(Token::Array);
            let size = through.size(*size);
            Ty::Array(Box::new(ty(row, through)), size)
        }
        Ty::Tuple(parts) => {
            through.token(Token::Tuple(parts.len()));
            Ty::Tuple(parts.iter().map(|part| ty(part, through)).collect())
        }
        Ty::Opaque => {
            through.token(Token::Opaque);
            Ty::Opaque
        }
    }
}

/// The passage that takes note of form and inputs.
pub(crate) struct Scout<'b, 'a> {
    builder: &'b Builder,
    /// Are sizes that are known part of the form?
    keeps_sizes: bool,
    /// The form.
    pub form: Vec<Token>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The number of the input for every atom that was passed, unless it stays as it is.
    pub passed: Vec<Option<usize>>,
    /// The functions given.
    pub functions: Vec<&'a Function>,
    /// The inputs that are numbers of type i64.
    numbers: FxHashMap<Atom, usize>,
    consumed: bool,
}

impl<'b, 'a> Scout<'b, 'a> {
    pub fn new(builder: &'b Builder, keeps_sizes: bool) -> Scout<'b, 'a> {
        Scout {
            builder,
            keeps_sizes,
            form: Vec::new(),
            inputs: Vec::new(),
            passed: Vec::new(),
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            consumed: false,
        }
    }

    fn number(&mut self, atom: Atom, is_size: bool) -> usize {
        let next = self.inputs.len();
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            let (elem, shape) = (PrimType::I64, Vec::new());
            self.inputs.push(Input { atom, elem, shape, consumed: false, is_size });
        }
        self.inputs[number].is_size |= is_size;
        number
    }

    fn dim(&mut self, size: Atom, is_size: bool) -> Dim {
        match size {
            Atom::Const(known) if self.keeps_sizes => Dim::Const(known.as_i64().unwrap_or(0)),
            _ => Dim::Input(self.number(size, is_size)),
        }
    }
}

impl<'a> Passage<'a> for Scout<'_, 'a> {
    fn token(&mut self, token: Token) {
        self.form.push(token);
    }

    fn function(&mut self, function: &'a Function) {
        self.functions.push(function);
    }

    fn leaf(&mut self, atom: Atom) -> Atom {
        let Type { elem, shape } = self.builder.type_of(atom);
        if elem == PrimType::I64 && shape.is_empty() && atom.var().is_some() {
            let number = self.number(atom, false);
            self.token(Token::Size(Some(Dim::Input(number))));
            self.passed.push(Some(number));
            return atom;
        }
        let shape: Vec<Dim> = shape.into_iter().map(|size| self.dim(size, true)).collect();
        self.token(Token::Leaf(elem, shape.clone()));
        self.passed.push(Some(self.inputs.len()));
        let consumed = self.consumed && !shape.is_empty();
        self.inputs.push(Input { atom, elem, shape, consumed, is_size: false });
        atom
    }

    fn size(&mut self, atom: Option<Atom>) -> Option<Atom> {
        // Nothing has made sure of it unless it is the size of an array that is given too.
        let dim = atom.map(|size| self.dim(size, false));
        self.token(Token::Size(dim));
        if atom.is_some() {
            self.passed.push(match dim {
                Some(Dim::Input(number)) => Some(number),
                _ => None,
            });
        }
        atom
    }

    fn argument(&mut self, consumed: bool) {
        self.consumed = consumed;
    }
}

/// The passage that puts parameters in the places of inputs.
pub(crate) struct Entrance<I> {
    /// The parameters for the atoms to come.
    pub passed: I,
}

impl<I: Iterator<Item = Option<Var>>> Entrance<I> {
    fn next(&mut self, atom: Atom) -> Atom {
        self.passed.next().flatten().map_or(atom, Atom::Var)
    }
}

impl<'a, I: Iterator<Item = Option<Var>>> Passage<'a> for Entrance<I> {
    fn token(&mut self, _: Token) {}

    fn function(&mut self, _: &'a Function) {}

    fn leaf(&mut self, atom: Atom) -> Atom {
        self.next(atom)
    }

    fn size(&mut self, atom: Option<Atom>) -> Option<Atom> {
        atom.map(|size| self.next(size))
    }

    fn argument(&mut self, _: bool) {}
}
