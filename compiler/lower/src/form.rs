//! The form of a call, which determines the code of the called core function, and the *inputs*, the atoms passed to it.
//!
//! The form contains the code of all functions passed and of their captured values, the instances of type parameters,
//! and the structure of all values. It does not contain the scalars and arrays passed, so calls of one form share one
//! function. It states which sizes are equal, and the values of sizes known at compile time. If the function is
//! recursive, known sizes are inputs instead, because each call may have different ones. The form also contains the
//! place of a prelude function, since the statements of that function have this place.

use std::rc::Rc;

use ravel_base::{Span, Symbol};
use ravel_core::{Atom, Builder, ErrorPart, Type, Var};
use ravel_prim::PrimType;
use ravel_types::Uniqueness;
use ravel_types::tast::{Function, TypeParamId, ValueId};
use rustc_hash::FxHashMap;

use crate::program::Program;
use crate::sizes::Ty;
use crate::value::{Closure, Env, Value};

/// The operands of a call: the function, its arguments, and the constants that it uses.
pub(crate) struct Operands<'a> {
    /// The function, its captured values, and its type and size arguments.
    pub closure: Closure<'a>,
    /// The arguments.
    pub args: Vec<Value<'a>>,
    /// The constants that the code uses.
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
    Place(Span, Vec<Symbol>),
    Size(Option<Dim>),
    Leaf(PrimType, Vec<Dim>),
}

/// A size in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dim {
    /// Known at compile time.
    Const(i64),
    /// The input with this index.
    Input(usize),
}

/// The argument for one parameter of the core function.
pub(crate) struct Input {
    /// The caller's scalar or array.
    pub atom: Atom,
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// The shape.
    pub shape: Vec<Dim>,
    /// Whether the function consumes the array.
    pub consumed: bool,
    /// Whether the scalar is the size of an array.
    pub is_size: bool,
}

/// Visits the operands of a call, and may replace their atoms.
pub(crate) trait OperandVisitor<'a> {
    fn token(&mut self, token: Token);
    fn function(&mut self, function: &'a Function);
    fn leaf(&mut self, atom: Atom) -> Atom;
    fn size(&mut self, atom: Option<Atom>) -> Option<Atom>;
    fn argument(&mut self, consumed: bool);
}

impl<'a> Operands<'a> {
    /// Visits the operands, and returns them with the atoms that the visitor puts in place of theirs. Captured values
    /// that the code does not mention are left out.
    pub fn visit(&self, program: &Program<'_, 'a>, visitor: &mut impl OperandVisitor<'a>) -> Operands<'a> {
        visitor.argument(false);
        let constants: Vec<_> = self
            .constants
            .iter()
            .map(|(id, constant)| {
                visitor.token(Token::Value(*id));
                (*id, value(constant, program, visitor))
            })
            .collect();
        let closure = closure(&self.closure, program, visitor);
        let params = self.closure.function.params.iter();
        let args =
            self.args.iter().zip(params).map(|(arg, param)| argument(arg, &param.consumed, program, visitor));
        Operands { closure, args: args.collect(), constants }
    }
}

/// Visits an argument. `consumed` says which parts of it the function consumes.
fn argument<'a>(
    operand: &Value<'a>,
    consumed: &Uniqueness,
    program: &Program<'_, 'a>,
    visitor: &mut impl OperandVisitor<'a>,
) -> Value<'a> {
    visitor.argument(consumed.is_whole());
    match (operand, consumed) {
        (Value::Tuple(parts), Uniqueness::Parts(marks)) => {
            visitor.token(Token::Tuple(parts.len()));
            let parts = parts.iter().zip(marks).map(|(part, mark)| argument(part, mark, program, visitor));
            Value::Tuple(parts.collect())
        }
        _ => value(operand, program, visitor),
    }
}

fn closure<'a>(
    closure: &Closure<'a>,
    program: &Program<'_, 'a>,
    visitor: &mut impl OperandVisitor<'a>,
) -> Closure<'a> {
    let function = closure.function;
    visitor.token(Token::Function(function));
    if let Some((span, attributes)) = &closure.place {
        visitor.token(Token::Place(*span, attributes.clone()));
    }
    visitor.function(function);
    let summary = program.summary(function);
    let mut env = Env::default();
    for &id in summary.types.iter().chain(&function.type_params) {
        if let Some(known) = closure.env.types.get(&id) {
            visitor.token(Token::TypeParam(id));
            env.types.insert(id, ty(known, visitor));
        }
    }
    for &id in summary.values.iter().chain(&function.size_params) {
        let Some(known) = closure.env.values.get(&id) else { continue };
        visitor.token(Token::Value(id));
        let known = match known {
            Value::Leaf(size) if function.size_params.contains(&id) => {
                Value::Leaf(visitor.size(Some(*size)).unwrap_or(*size))
            }
            known => value(known, program, visitor),
        };
        env.values.insert(id, known);
    }
    visitor.token(Token::Applied(closure.applied.len()));
    let applied = closure.applied.iter().map(|applied| value(applied, program, visitor)).collect();
    let checks = closure.checks.iter().map(|(cond, message)| {
        visitor.token(Token::Check(message.len()));
        let cond = visitor.leaf(*cond);
        let message = message.iter().map(|part| match part {
            ErrorPart::Text(text) => {
                visitor.token(Token::Text(text.clone()));
                ErrorPart::Text(text.clone())
            }
            ErrorPart::Value(atom) => ErrorPart::Value(visitor.leaf(*atom)),
        });
        (cond, message.collect())
    });
    let checks = checks.collect();
    let Closure { named, place, .. } = closure.clone();
    Closure { function, named, env: Rc::new(env), applied, checks, place }
}

fn value<'a>(
    operand: &Value<'a>,
    program: &Program<'_, 'a>,
    visitor: &mut impl OperandVisitor<'a>,
) -> Value<'a> {
    match operand {
        Value::Leaf(atom) => Value::Leaf(visitor.leaf(*atom)),
        Value::Tuple(parts) => {
            visitor.token(Token::Tuple(parts.len()));
            Value::Tuple(parts.iter().map(|part| value(part, program, visitor)).collect())
        }
        Value::Function(function) => Value::Function(Rc::new(closure(function, program, visitor))),
        Value::Constructor(number) => {
            visitor.token(Token::Constructor(*number));
            Value::Constructor(*number)
        }
    }
}

fn ty<'a>(operand: &Ty, visitor: &mut impl OperandVisitor<'a>) -> Ty {
    match operand {
        Ty::Prim(prim) => {
            visitor.token(Token::Prim(*prim));
            Ty::Prim(*prim)
        }
        Ty::Array(row, size) => {
            visitor.token(Token::Array);
            let size = visitor.size(*size);
            Ty::Array(Box::new(ty(row, visitor)), size)
        }
        Ty::Tuple(parts) => {
            visitor.token(Token::Tuple(parts.len()));
            Ty::Tuple(parts.iter().map(|part| ty(part, visitor)).collect())
        }
        Ty::Opaque => {
            visitor.token(Token::Opaque);
            Ty::Opaque
        }
    }
}

/// Collects the form and the inputs.
pub(crate) struct FormCollector<'b, 'a> {
    builder: &'b Builder,
    /// Whether the sizes known at compile time are part of the form.
    keeps_sizes: bool,
    /// The form.
    pub form: Vec<Token>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// For every atom visited, the index of its input; `None` if it is a size known at compile time.
    pub passed: Vec<Option<usize>>,
    /// The functions passed.
    pub functions: Vec<&'a Function>,
    /// The inputs of type i64.
    numbers: FxHashMap<Atom, usize>,
    consumed: bool,
}

impl<'b, 'a> FormCollector<'b, 'a> {
    pub fn new(builder: &'b Builder, keeps_sizes: bool) -> FormCollector<'b, 'a> {
        FormCollector {
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
            Atom::Const(known) if self.keeps_sizes => Dim::Const(known.as_i64().expect("a size is an i64")),
            _ => Dim::Input(self.number(size, is_size)),
        }
    }
}

impl<'a> OperandVisitor<'a> for FormCollector<'_, 'a> {
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
        // The atom may be a number that nothing has checked to be a size. If it is also the size of an array that is
        // passed, the visit of that array marks it as a size.
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

/// Replaces the inputs by the parameters of the core function.
pub(crate) struct InputReplacer<I> {
    /// For every atom still to be visited, the parameter that replaces it, if any.
    pub passed: I,
}

impl<I: Iterator<Item = Option<Var>>> InputReplacer<I> {
    fn next(&mut self, atom: Atom) -> Atom {
        self.passed.next().flatten().map_or(atom, Atom::Var)
    }
}

impl<'a, I: Iterator<Item = Option<Var>>> OperandVisitor<'a> for InputReplacer<I> {
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
