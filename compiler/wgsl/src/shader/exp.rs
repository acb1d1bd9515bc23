//! Expressions and their types.
//!
//! Rust's operators and the methods of [`Exp`] build them; a `u32` stands for its literal. Every expression knows its type.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};

use ravel_prim::{PrimType, PrimValue};

use super::Name;
use crate::scalar::{carried, carrier, stored};

/// The type of an expression or variable. Scalars are carriers: types that devices have (see [`carrier`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A scalar.
    Scalar(PrimType),
    /// A struct of the module, or a vector of WGSL.
    Struct(Name),
    /// An array of scalars; without a capacity it is as long as the bound block.
    Array(PrimType, Option<u32>),
    /// An array of atomic scalars.
    AtomicArray(PrimType, u32),
    /// An atomic scalar.
    Atomic(PrimType),
    /// The type of calls without a result, and of addresses.
    Nothing,
}

impl Type {
    /// The type of scalars of type `ty` on the device.
    pub(crate) fn scalar(ty: PrimType) -> Type {
        Type::Scalar(carrier(ty))
    }

    /// The type of elements of type `ty` in memory.
    pub(crate) fn stored(ty: PrimType) -> Type {
        Type::Scalar(stored(ty))
    }

    /// The type of an array in memory with elements of type `ty`.
    pub(crate) fn array(ty: PrimType, capacity: Option<u32>) -> Type {
        Type::Array(stored(ty), capacity)
    }

    /// The type of an array with elements of type `ty` that is a variable of a function.
    pub(crate) fn local_array(ty: PrimType, capacity: u32) -> Type {
        Type::Array(carrier(ty), Some(capacity))
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exp {
    /// Its type.
    pub ty: Type,
    /// The operator with its operands, or the name or literal.
    pub form: Form,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// A variable, a parameter or an array.
    Name(Name),
    /// A constant of a carrier.
    Literal(PrimValue),
    /// A member of a struct.
    Member(Box<Exp>, Name),
    /// An element of an array.
    Element(Box<Exp>, Box<Exp>),
    /// An operator before its operand.
    Prefix(Prefix, Box<Exp>),
    /// An operator between its operands.
    Infix(Box<Exp>, Infix, Box<Exp>),
    /// A call.
    Call(Callee, Vec<Exp>),
    /// The address of a variable or element.
    Address(Box<Exp>),
}

/// The target of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Callee {
    /// A function of WGSL, of a `.wgsl` file or of the module.
    Function(Name),
    /// The helper of this name for this type (see [`crate::helpers`]).
    Helper(&'static str, PrimType),
    /// The type of the result: a conversion, or a struct made from its members.
    Type,
    /// A change of type that keeps the bits.
    Bitcast,
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Negative,
    Not,
    Complement,
}

/// Operators between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Both,
    Either,
}

impl From<&Exp> for Exp {
    fn from(exp: &Exp) -> Exp {
        exp.clone()
    }
}

impl From<u32> for Exp {
    fn from(value: u32) -> Exp {
        Exp::literal(PrimValue::U32(value))
    }
}

impl Exp {
    /// A variable, a parameter or an array.
    pub(crate) fn name(name: impl Into<Name>, ty: Type) -> Exp {
        Exp { ty, form: Form::Name(name.into()) }
    }

    /// A variable of type u32.
    pub(crate) fn word(name: impl Into<Name>) -> Exp {
        Exp::name(name, Type::Scalar(PrimType::U32))
    }

    /// A variable of type bool.
    pub(crate) fn flag(name: impl Into<Name>) -> Exp {
        Exp::name(name, Type::Scalar(PrimType::Bool))
    }

    /// A constant.
    pub(crate) fn literal(value: PrimValue) -> Exp {
        let value = carried(value);
        Exp { ty: Type::Scalar(value.ty()), form: Form::Literal(value) }
    }

    /// The constant of type `ty` that is equal to 0 or 1.
    pub(crate) fn bit(ty: PrimType, bit: bool) -> Exp {
        Exp::literal(ravel_prim::convert(PrimValue::Bool(bit), ty))
    }

    /// Its value, if it is a literal.
    pub(crate) fn constant(&self) -> Option<PrimValue> {
        match self.form {
            Form::Literal(value) => Some(value),
            _ => None,
        }
    }

    /// Its name and type, if it is a variable.
    pub(crate) fn variable(&self) -> Option<(Name, Type)> {
        match self.form {
            Form::Name(name) => Some((name, self.ty)),
            _ => None,
        }
    }

    /// Its number of elements, if it is an array with a capacity.
    pub(crate) fn capacity(&self) -> Option<u32> {
        match self.ty {
            Type::Array(_, capacity) => capacity,
            Type::AtomicArray(_, capacity) => Some(capacity),
            _ => None,
        }
    }

    /// A call of a function.
    pub(crate) fn call(name: impl Into<Name>, ty: Type, args: impl IntoIterator<Item = Exp>) -> Exp {
        Exp { ty, form: Form::Call(Callee::Function(name.into()), args.into_iter().collect()) }
    }

    /// A call of the helper `name` for type `of`; its result has type `ty`.
    pub(crate) fn helper(
        name: &'static str,
        of: PrimType,
        ty: PrimType,
        args: impl IntoIterator<Item = Exp>,
    ) -> Exp {
        let args = args.into_iter().collect();
        Exp { ty: Type::scalar(ty), form: Form::Call(Callee::Helper(name, of), args) }
    }

    /// A value of type `ty` made from these, or the zero of the type.
    pub(crate) fn construct(ty: Type, args: impl IntoIterator<Item = Exp>) -> Exp {
        Exp { ty, form: Form::Call(Callee::Type, args.into_iter().collect()) }
    }

    /// The same number as a value of type `ty`.
    pub(crate) fn convert(self, ty: PrimType) -> Exp {
        Exp::construct(Type::scalar(ty), [self])
    }

    /// The value of type `ty` with the same bits.
    pub(crate) fn bitcast(self, ty: PrimType) -> Exp {
        Exp { ty: Type::Scalar(ty), form: Form::Call(Callee::Bitcast, vec![self]) }
    }

    /// `yes` if the condition holds, otherwise `no`. Both are evaluated.
    pub(crate) fn select(cond: impl Into<Exp>, yes: impl Into<Exp>, no: impl Into<Exp>) -> Exp {
        let yes = yes.into();
        Exp::call("select", yes.ty, [no.into(), yes, cond.into()])
    }

    /// A member of a struct.
    pub(crate) fn member(self, name: impl Into<Name>, ty: Type) -> Exp {
        Exp { ty, form: Form::Member(Box::new(self), name.into()) }
    }

    /// The element of an array at a position.
    pub(crate) fn at(&self, position: impl Into<Exp>) -> Exp {
        let ty = match self.ty {
            Type::Array(elem, _) => Type::Scalar(elem),
            Type::AtomicArray(elem, _) => Type::Atomic(elem),
            _ => Type::Nothing,
        };
        Exp { ty, form: Form::Element(Box::new(self.clone()), Box::new(position.into())) }
    }

    /// The address of a variable or element.
    pub(crate) fn address(self) -> Exp {
        Exp { ty: Type::Nothing, form: Form::Address(Box::new(self)) }
    }

    /// An operator between its operands. A comparison gives a bool.
    pub(crate) fn infix(self, op: Infix, other: impl Into<Exp>) -> Exp {
        let ty = match op {
            Infix::Lt | Infix::Le | Infix::Gt | Infix::Ge | Infix::Eq | Infix::Ne => {
                Type::Scalar(PrimType::Bool)
            }
            _ => self.ty,
        };
        Exp { ty, form: Form::Infix(Box::new(self), op, Box::new(other.into())) }
    }

    fn prefix(self, op: Prefix) -> Exp {
        Exp { ty: self.ty, form: Form::Prefix(op, Box::new(self)) }
    }

    /// `self < other`.
    pub(crate) fn lt(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Lt, other)
    }

    /// `self <= other`.
    pub(crate) fn le(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Le, other)
    }

    /// `self > other`.
    pub(crate) fn gt(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Gt, other)
    }

    /// `self >= other`.
    pub(crate) fn ge(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Ge, other)
    }

    /// `self == other`.
    pub(crate) fn equals(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Eq, other)
    }

    /// `self != other`.
    pub(crate) fn differs(&self, other: impl Into<Exp>) -> Exp {
        self.clone().infix(Infix::Ne, other)
    }

    /// `self && other`; `other` is evaluated only if `self` is true.
    pub(crate) fn and(self, other: impl Into<Exp>) -> Exp {
        self.infix(Infix::Both, other)
    }

    /// `self || other`; `other` is evaluated only if `self` is false.
    pub(crate) fn or(self, other: impl Into<Exp>) -> Exp {
        self.infix(Infix::Either, other)
    }

    /// Whether all of these hold; each is evaluated only if those before it do.
    pub(crate) fn all(conditions: impl IntoIterator<Item = Exp>) -> Exp {
        let all = conditions.into_iter().reduce(Exp::and);
        all.unwrap_or_else(|| Exp::literal(PrimValue::Bool(true)))
    }

    /// The bits inverted.
    pub(crate) fn complement(self) -> Exp {
        self.prefix(Prefix::Complement)
    }
}

impl Neg for Exp {
    type Output = Exp;

    fn neg(self) -> Exp {
        self.prefix(Prefix::Negative)
    }
}

impl Not for Exp {
    type Output = Exp;

    fn not(self) -> Exp {
        self.prefix(Prefix::Not)
    }
}

macro_rules! operators {
    ($($name:ident::$method:ident is $op:ident;)*) => {$(
        impl<R: Into<Exp>> $name<R> for Exp {
            type Output = Exp;

            fn $method(self, other: R) -> Exp {
                self.infix(Infix::$op, other)
            }
        }

        impl<R: Into<Exp>> $name<R> for &Exp {
            type Output = Exp;

            fn $method(self, other: R) -> Exp {
                self.clone().infix(Infix::$op, other)
            }
        }
    )*};
}

operators! {
    Add::add is Add;
    Sub::sub is Sub;
    Mul::mul is Mul;
    Div::div is Div;
    Rem::rem is Rem;
    BitAnd::bitand is And;
    BitOr::bitor is Or;
    BitXor::bitxor is Xor;
}
