//! The typed tree: names and overloading are resolved, and every expression has its type.
//!
//! It is still polymorphic and higher-order; `lower` removes both. Invariants:
//!
//! * It has no inference variables: every [`Type`] is closed over the type parameters and
//!   sizes in scope.
//! * Every use of a polymorphic definition has type and size arguments.
//! * Every size in a type can be computed from values in scope there, except the sizes in
//!   [`Exp::exists`]. Those are known once the expression has been evaluated: the shape of the value, matched against
//!   its type, determines them.
//! * Overloaded operators on primitive types are resolved: `x + y` of two f32 is
//!   [`ExpNode::Binary`] of f32 operands. Sections and operator names used as functions are lambdas.

use ravel_base::{Span, Symbol, define_id};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use serde::{Deserialize, Serialize};

use crate::uniqueness::Uniqueness;

define_id!(
    /// A value (function, constant, parameter, local, size), unique over the prelude and the program.
    ValueId, "x"
);

define_id!(
    /// A type parameter, unique over the prelude and the program.
    TypeParamId, "t"
);

define_id!(
    /// An abstract type, unique over the prelude and the program.
    TypeId, "a"
);

/// A type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Type {
    /// A primitive type.
    Prim(PrimType),
    /// `[size]row`.
    Array(Box<Type>, Size),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Type>),
    /// A record that is not a tuple; see `Type::record`.
    Record(Vec<(Symbol, Type)>),
    /// A sum type: its constructors in the order of their names, each with its payload.
    Sum(Vec<(Symbol, Vec<Type>)>),
    /// A function of one argument.
    Function(Box<FunctionType>),
    /// A type parameter in scope.
    Param(TypeParamId),
    /// An abstract type. It occurs only during checking: the typed tree of a program has its
    /// definition in its place.
    Abstract(Box<AbstractType>),
}

/// An abstract type with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbstractType {
    /// Its id.
    pub id: TypeId,
    /// Its name in messages.
    pub name: Symbol,
    /// The liftedness of its definition.
    pub liftedness: Liftedness,
    /// Its arguments.
    pub args: Vec<TypeArg>,
}

/// An argument of a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TypeArg {
    /// A size.
    Size(Size),
    /// A type.
    Type(Type),
}

/// The types that a type parameter or abstract type may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Liftedness {
    /// No functions and no unknown sizes.
    Unlifted,
    /// No functions, but possibly unknown sizes.
    SizeLifted,
    /// Possibly unknown sizes and functions.
    Lifted,
}

/// The type of a function of one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionType {
    /// The name of the argument, if `to` depends on it.
    pub name: Option<ValueId>,
    /// The type of the argument.
    pub from: Type,
    /// Which parts of the argument are consumed.
    pub consumes: Uniqueness,
    /// The existential sizes of `to`: each call determines them.
    pub exists: Vec<ValueId>,
    /// The type of the result.
    pub to: Type,
    /// Which parts of the result share no memory with any other value.
    pub unique: Uniqueness,
}

/// A size: an i64 computable from values in scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// The value of a variable: a size parameter, an i64 parameter or local, an existential size.
    Var(ValueId),
    /// Arithmetic on sizes.
    Binary(BinOp, Box<Size>, Box<Size>),
    /// Any other expression: a definition generated for it, applied to values of any type. Equal
    /// expressions share a definition.
    Call(ValueId, Vec<Size>),
}

/// A checked program, or the checked prelude.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The top-level definitions, each after those it uses.
    pub definitions: Vec<Definition>,
}

/// A top-level definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Its id.
    pub id: ValueId,
    /// Its name, qualified if it is defined in a module.
    pub name: Symbol,
    /// True for an entry point: monomorphic, first-order.
    pub entry: bool,
    /// True if calls to it must not be inlined.
    pub noinline: bool,
    /// True for the function that `#[recurrence]` generates. It returns two values, which are equal if the promise of
    /// the attribute holds. Its name is that of the definition with the attribute. Only tests call it.
    pub promise: bool,
    /// The function (or, without parameters, the constant).
    pub function: Function,
    /// Where it was written.
    pub span: Span,
}

/// A function with all its parameters, not curried. Without parameters it is a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The type parameters, explicit and generalised.
    pub type_params: Vec<TypeParamId>,
    /// The size parameters, explicit and generalised.
    pub size_params: Vec<ValueId>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The existential sizes of the result: each call determines them.
    pub exists: Vec<ValueId>,
    /// The type of the result.
    pub result: Type,
    /// The uniqueness of the result, if its type is written.
    pub declared: Option<DeclaredUniqueness>,
    /// The code.
    pub body: FunctionBody,
}

/// The uniqueness that a written result type declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeclaredUniqueness {
    /// Which parts of the result share no memory with any other value.
    pub unique: Uniqueness,
    /// The place of the type.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its pattern.
    pub pattern: Pattern,
    /// Which parts of the argument are consumed.
    pub consumed: Uniqueness,
}

/// The code of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "almost all functions are written in the language")]
pub enum FunctionBody {
    /// Written in the language.
    Exp(Exp),
    /// Implemented by `lower` under this name: `#[intrinsic(name)] def … = ???` of the prelude.
    Intrinsic(Symbol),
}

/// A pattern with its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// Its form.
    pub node: PatternNode,
    /// The type of the values it matches.
    pub ty: Type,
    /// Its place.
    pub span: Span,
}

/// The forms of patterns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PatternNode {
    /// Binds a name.
    Name(ValueId, Symbol),
    /// Binds nothing.
    Wildcard,
    /// Binds the components of a tuple, or the fields of a record, in the order of the type.
    Tuple(Vec<Pattern>),
    /// A value made by this constructor; binds its payload.
    Constructor(Symbol, Vec<Pattern>),
    /// A value equal to this one.
    Literal(PrimValue),
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exp {
    /// Its form.
    pub node: ExpNode,
    /// Its type.
    pub ty: Type,
    /// The existential sizes of `ty`, determined by evaluating this expression. They are in scope
    /// wherever its value flows.
    pub exists: Vec<ValueId>,
    /// Its place.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExpNode {
    /// A constant.
    Const(PrimValue),
    /// `???`: evaluating it fails.
    Hole,
    /// An expression that also occurs as a size in a type; it is evaluated once for both.
    Size(Size),
    /// A variable. A polymorphic definition has type and size arguments, in
    /// the order of [`Function::type_params`] and [`Function::size_params`].
    Var {
        /// Its id.
        id: ValueId,
        /// The arguments of its type parameters.
        types: Vec<Type>,
        /// The arguments of its size parameters. They may mention existential sizes of the arguments
        /// of the enclosing application.
        sizes: Vec<Size>,
    },
    /// A tuple.
    Tuple(Vec<Exp>),
    /// A record. The fields are in source order, which is the order of evaluation.
    Record(Vec<(Symbol, Exp)>),
    /// A record in which the field at this path has a new value.
    RecordUpdate(Box<Exp>, Vec<Symbol>, Box<Exp>),
    /// A value of a sum type.
    Constructor(Symbol, Vec<Exp>),
    /// An array of these elements. Even if there are none, the type states the row type.
    Array(Vec<Exp>),
    /// A range such as `start..second..<end`.
    Range(Box<Range>),
    /// A function applied to at least one argument, perhaps partially.
    Apply(Box<Exp>, Vec<Exp>),
    /// A scalar operator of one operand.
    Unary(UnOp, Box<Exp>),
    /// A scalar operator of two operands.
    Binary(BinOp, Box<Exp>, Box<Exp>),
    /// A comparison of scalars.
    Compare(CmpOp, Box<Exp>, Box<Exp>),
    /// `&&`: the second operand is evaluated only if the first is true.
    And(Box<Exp>, Box<Exp>),
    /// `||`: the second operand is evaluated only if the first is false.
    Or(Box<Exp>, Box<Exp>),
    /// `==` if true, otherwise `!=`, of values that are not scalars.
    Equal(bool, Box<Exp>, Box<Exp>),
    /// A component of a tuple, or a field of a record.
    Project(Box<Exp>, Symbol),
    /// An element or a slice of an array.
    Index(Box<Exp>, Vec<SliceDim>),
    /// An array with a part replaced. Consumes the array.
    Update(Box<Exp>, Vec<SliceDim>, Box<Exp>),
    /// `let p = e in b`.
    Let {
        /// Size binders, with their sizes in terms of the value's type.
        sizes: Vec<(ValueId, Size)>,
        /// The pattern.
        pattern: Pattern,
        /// The bound value.
        value: Box<Exp>,
        /// The body.
        body: Box<Exp>,
    },
    /// `let f x … = e in b`.
    LetFunction {
        /// The function's id.
        id: ValueId,
        /// Its name.
        name: Symbol,
        /// The function.
        function: Box<Function>,
        /// The body.
        body: Box<Exp>,
    },
    /// A condition and two branches.
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// The first case whose pattern matches the value. The cases are exhaustive.
    Match(Box<Exp>, Vec<(Pattern, Exp)>),
    /// A loop.
    Loop(Box<Loop>),
    /// An anonymous function. It has no type parameters, and only size parameters that its arguments'
    /// shapes determine.
    Lambda(Box<Function>),
    /// `e :> t`: checks at run time that the value has the sizes of the expression's type.
    Coerce(Box<Exp>),
    /// `assert c e`, with the source text of `c`.
    Assert(Box<Exp>, Box<Exp>, Symbol),
    /// `#[attr] e`, with the attribute's text.
    Attributed(Symbol, Box<Exp>),
}

/// A range, of an integer type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The first element.
    pub start: Exp,
    /// The second, if written.
    pub second: Option<Exp>,
    /// The bound.
    pub end: Exp,
    /// How the bound limits the range.
    pub kind: RangeKind,
}

/// How a bound limits a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RangeKind {
    /// `...e`: up or down to `e`, inclusive.
    Inclusive,
    /// `..<e`: upwards, exclusive.
    Below,
    /// `..>e`: downwards, exclusive.
    Above,
}

/// One dimension of an index or slice. The indices may be of any integer type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "as in the syntax tree: slices are rare and short-lived")]
pub enum SliceDim {
    /// One position.
    Fix(Exp),
    /// `start:end:stride`.
    Range {
        /// The first position.
        start: Option<Exp>,
        /// The exclusive end.
        end: Option<Exp>,
        /// The distance between positions.
        stride: Option<Exp>,
    },
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Sizes in the pattern's type that vary between iterations, with their initial values. The shape
    /// of an iteration's result determines the next ones.
    pub sizes: Vec<(ValueId, Size)>,
    /// The merge parameters.
    pub pattern: Pattern,
    /// The merge parameters marked with `*`.
    pub consumed: Vec<ValueId>,
    /// The merge parameters whose type is written without `*`.
    pub unmarked: Vec<ValueId>,
    /// The initial values.
    pub init: Exp,
    /// The loop header.
    pub form: LoopForm,
    /// The loop body.
    pub body: Exp,
}

/// The forms of loop headers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LoopForm {
    /// `for i < n`, of any integer type.
    For(ValueId, Symbol, Exp),
    /// `for p in xs`.
    ForIn(Pattern, Exp),
    /// `while c`; the merge parameters are in scope.
    While(Exp),
}
