//! The typed tree: names resolved, overloading decided, every expression with its type.
//!
//! It is still polymorphic and higher-order; `lower` compiles that away. What it promises:
//!
//! * No inference variable is left in it: every [`Type`] is closed over the type parameters and
//!   sizes in scope.
//! * Every use of a polymorphic definition states what its type and size parameters stand for.
//! * Every size in a type is computable where the type stands, from values in scope, except those
//!   in [`Exp::exists`]: these become known by evaluating that expression, whose value's shape
//!   (matched against the expression's type) determines them.
//! * Operators of the language on primitive types are decided: `x + y` of two f32 is
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
    /// An abstract type. Only the checker meets it: in the typed tree of a program every one is
    /// replaced by what it stands for.
    Abstract(Box<AbstractType>),
}

/// An abstract type with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbstractType {
    /// Which.
    pub id: TypeId,
    /// What messages call it.
    pub name: Symbol,
    /// How general what it stands for may be.
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

/// How general a type may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Liftedness {
    /// No functions and no unknown sizes inside.
    Unlifted,
    /// Unknown sizes inside.
    SizeLifted,
    /// Unknown sizes and functions inside.
    Lifted,
}

/// The type of a function of one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionType {
    /// The name of the argument, where `to` depends on it.
    pub name: Option<ValueId>,
    /// The type of the argument.
    pub from: Type,
    /// Which parts of the argument are consumed.
    pub consumes: Uniqueness,
    /// Sizes in `to` that only the call makes known.
    pub exists: Vec<ValueId>,
    /// The type of the result.
    pub to: Type,
    /// Which parts of the result share no memory with the argument or anything else.
    pub unique: Uniqueness,
}

/// A size: an i64 that is computable where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// The value of a variable: a size parameter, an i64 parameter or local, an existential size.
    Var(ValueId),
    /// Arithmetic on sizes.
    Binary(BinOp, Box<Size>, Box<Size>),
    /// Any other expression: what a definition made for it gives for these values, which may be
    /// of any type. Equal expressions have one definition.
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
    /// Its name, qualified if it stands in a module.
    pub name: Symbol,
    /// True for an entry point: monomorphic, first-order.
    pub entry: bool,
    /// True when calls to it must stay calls.
    pub noinline: bool,
    /// True for what `#[recurrence]` states of the definition of this name: a function to two values
    /// that agree if the promise is kept. Only tests call it.
    pub promise: bool,
    /// The function (or, without parameters, the constant).
    pub function: Function,
    /// Where it was written.
    pub span: Span,
}

/// A function as written: of several parameters at once. Without parameters: a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The type parameters, explicit and generalised.
    pub type_params: Vec<TypeParamId>,
    /// The size parameters, explicit and generalised.
    pub size_params: Vec<ValueId>,
    /// The parameters.
    pub params: Vec<Param>,
    /// Sizes in the result type that only the call makes known.
    pub exists: Vec<ValueId>,
    /// The type of the result.
    pub result: Type,
    /// What the type says of the result's memory, if it was written.
    pub declared: Option<Declared>,
    /// The code.
    pub body: FunctionBody,
}

/// What the written type of a result says of its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// Which parts of the result share no memory with anything else.
    pub unique: Uniqueness,
    /// Where that was written.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// What it binds.
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
    /// Known to `lower` under this name: `#[intrinsic(name)] def … = ???` of the prelude.
    Intrinsic(Symbol),
}

/// A pattern with its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// What it is.
    pub node: PatternNode,
    /// The type of what it matches.
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
    /// What it is.
    pub node: ExpNode,
    /// Its type.
    pub ty: Type,
    /// Sizes in `ty` that evaluating this very expression makes known. They are in scope in
    /// everything evaluated after it that its value flows to.
    pub exists: Vec<ValueId>,
    /// Its place.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExpNode {
    /// A constant.
    Const(PrimValue),
    /// `???`: nothing is written here yet. Its evaluation is a failure.
    Hole,
    /// An expression that the type of something names as its size: computed once for both.
    Size(Size),
    /// A variable. Of a polymorphic definition: what its type and size parameters stand for, in
    /// the order of [`Function::type_params`] and [`Function::size_params`].
    Var {
        /// Which.
        id: ValueId,
        /// For its type parameters.
        types: Vec<Type>,
        /// For its size parameters. They may name sizes that evaluating the arguments of the
        /// enclosing application makes known.
        sizes: Vec<Size>,
    },
    /// A tuple.
    Tuple(Vec<Exp>),
    /// A record, its fields as they were written, which is the order of their evaluation.
    Record(Vec<(Symbol, Exp)>),
    /// A record with the field at this path replaced.
    RecordUpdate(Box<Exp>, Vec<Symbol>, Box<Exp>),
    /// A value of a sum type.
    Constructor(Symbol, Vec<Exp>),
    /// An array of these elements. The type gives the row type where there are none.
    Array(Vec<Exp>),
    /// `start..second..<end` and its kin.
    Range(Box<Range>),
    /// A function applied to some arguments, at least one, perhaps fewer than it takes.
    Apply(Box<Exp>, Vec<Exp>),
    /// A scalar operator.
    Unary(UnOp, Box<Exp>),
    /// A scalar operator.
    Binary(BinOp, Box<Exp>, Box<Exp>),
    /// A comparison of scalars.
    Compare(CmpOp, Box<Exp>, Box<Exp>),
    /// `&&`: the second only if the first is true.
    And(Box<Exp>, Box<Exp>),
    /// `||`: the second only if the first is false.
    Or(Box<Exp>, Box<Exp>),
    /// `==` or (if false) `!=` of values that are not scalars.
    Equal(bool, Box<Exp>, Box<Exp>),
    /// A component of a tuple, or a field of a record.
    Project(Box<Exp>, Symbol),
    /// An element or a part of an array.
    Index(Box<Exp>, Vec<SliceDim>),
    /// An array with a part replaced; consumes it.
    Update(Box<Exp>, Vec<SliceDim>, Box<Exp>),
    /// `let p = e in b`.
    Let {
        /// Size binders, with what they stand for once the value is known.
        sizes: Vec<(ValueId, Size)>,
        /// What is bound.
        pattern: Pattern,
        /// To what.
        value: Box<Exp>,
        /// The rest.
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
        /// The rest.
        body: Box<Exp>,
    },
    /// A branch.
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// The first case whose pattern fits the value; one always does.
    Match(Box<Exp>, Vec<(Pattern, Exp)>),
    /// A loop.
    Loop(Box<Loop>),
    /// An anonymous function (no type or size parameters but those its parameters' shapes give).
    Lambda(Box<Function>),
    /// `e :> t`: the value with its sizes checked, at run time, to be those of the expression's type.
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
    /// Where it stops.
    pub end: Exp,
    /// How it stops there.
    pub kind: RangeKind,
}

/// How a range stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RangeKind {
    /// `...e`: with it.
    Inclusive,
    /// `..<e`: before it, upwards.
    Below,
    /// `..>e`: before it, downwards.
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
        /// Where it stops.
        end: Option<Exp>,
        /// The distance.
        stride: Option<Exp>,
    },
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Sizes that change from round to round, named in the pattern's type, with their values
    /// before the first round. A round's result determines the next ones by its shape.
    pub sizes: Vec<(ValueId, Size)>,
    /// The merge parameters.
    pub pattern: Pattern,
    /// Those that are marked with `*`.
    pub consumed: Vec<ValueId>,
    /// Those whose type is written without a mark.
    pub unmarked: Vec<ValueId>,
    /// Their first values.
    pub init: Exp,
    /// How often.
    pub form: LoopForm,
    /// One round.
    pub body: Exp,
}

/// How often a loop goes round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LoopForm {
    /// `for i < n`, of any integer type.
    For(ValueId, Symbol, Exp),
    /// `for p in xs`.
    ForIn(Pattern, Exp),
    /// `while c`; the merge parameters are in scope.
    While(Exp),
}
