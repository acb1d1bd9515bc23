//! The abstract syntax tree of a source file, with spans.
//!
//! Names are not resolved. The nesting of operators follows their precedence.

use ravel_base::{Span, Symbol};
use ravel_prim::PrimType;

/// A node with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The node.
    pub node: T,
    /// Its place.
    pub span: Span,
}

/// A name at its place.
pub type Name = Spanned<Symbol>;

/// A possibly qualified name, `m.n.x`.
#[derive(Clone, Debug, PartialEq)]
pub struct QualName {
    /// The qualifiers before the name, outermost first: modules, or in an expression possibly a record.
    pub quals: Vec<Symbol>,
    /// The name itself.
    pub name: Symbol,
    /// Its place, from the first token to the last.
    pub span: Span,
}

/// A source file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The declarations, in order. One that could not be parsed is a [`Dec::Error`].
    pub decs: Vec<Dec>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Dec {
    /// `def`, `let` or `entry`.
    Value(ValueDec),
    /// `type t = …`.
    Type(TypeDec),
    /// `module m = …`.
    Module(ModuleDec),
    /// `module type t = …`.
    ModuleType(ModuleTypeDec),
    /// `open m`.
    Open(ModuleExp, Span),
    /// `import "file"`.
    Import(String, Span),
    /// `local dec`.
    Local(Box<Dec>, Span),
    /// `#[attr] dec`. The attributes of a value are part of its declaration.
    Attributed(Attribute, Box<Dec>, Span),
    /// A declaration that could not be parsed; a diagnostic reports why.
    Error(Span),
}

/// An attribute `#[…]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The attribute as a tree.
    pub node: AttributeNode,
    /// Its place.
    pub span: Span,
}

/// The inside of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeNode {
    /// A word.
    Word(Symbol),
    /// A number.
    Number(i128),
    /// The name of a variable: `$x`.
    Variable(Symbol),
    /// A word with arguments.
    Call(Symbol, Vec<Attribute>),
}

/// A value declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueDec {
    /// The attributes before it.
    pub attributes: Vec<Attribute>,
    /// The doc comment before it.
    pub doc: Option<String>,
    /// The keyword that begins it.
    pub keyword: Keyword,
    /// The name; for a definition of an operator, the operator.
    pub name: Name,
    /// Explicit size and type parameters.
    pub type_params: Vec<TypeParam>,
    /// The parameters; none for a constant.
    pub params: Vec<Pattern>,
    /// The type of the result, if written.
    pub result: Option<TypeExp>,
    /// The right-hand side.
    pub body: Exp,
    /// Its place, from the first token to the last.
    pub span: Span,
}

/// The keyword that begins a value declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// `def`.
    Def,
    /// `let`, the older form of `def`.
    Let,
    /// `entry`.
    Entry,
}

/// A type abbreviation.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDec {
    /// The doc comment before it.
    pub doc: Option<String>,
    /// `type`, `type~` or `type^`.
    pub liftedness: Liftedness,
    /// The name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<TypeParam>,
    /// The type that it abbreviates.
    pub ty: TypeExp,
    /// Its place, from the first token to the last.
    pub span: Span,
}

/// The types that a type parameter or abbreviation may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liftedness {
    /// `'a`: types that contain no functions and no unknown sizes.
    Unlifted,
    /// `'~a`: types that contain no functions, but may contain unknown sizes.
    SizeLifted,
    /// `'^a`: all types, also those that contain functions.
    Lifted,
}

/// A size or type parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeParam {
    /// `[n]`.
    Size(Name),
    /// `'a`, `'~a`, `'^a`.
    Type(Liftedness, Name),
}

/// A type expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExp {
    /// Its form.
    pub node: TypeExpNode,
    /// Its place.
    pub span: Span,
}

/// The forms of type expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeExpNode {
    /// A name with arguments.
    Name(QualName, Vec<TypeArg>),
    /// `[size]t`.
    Array(SizeExp, Box<TypeExp>),
    /// `(t, …)`; `()` is the empty one.
    Tuple(Vec<TypeExp>),
    /// `{x: t, …}`.
    Record(Vec<(Name, TypeExp)>),
    /// `#a t | #b`.
    Sum(Vec<(Name, Vec<TypeExp>)>),
    /// `(x: t) -> u`.
    Function(Option<Name>, Box<TypeExp>, Box<TypeExp>),
    /// `*t`.
    Unique(Box<TypeExp>),
    /// `?[n][m].t`.
    Exists(Vec<Name>, Box<TypeExp>),
}

/// An argument of a type name.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeArg {
    /// `[size]`.
    Size(SizeExp),
    /// A type.
    Type(TypeExp),
}

/// A size in a type.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeExp {
    /// `[]`.
    Anonymous(Span),
    /// `[e]`: any expression of type i64.
    Exp(Box<Exp>),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Its form.
    pub node: PatternNode,
    /// Its place.
    pub span: Span,
}

/// The forms of patterns.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternNode {
    /// `x`.
    Name(Symbol),
    /// `_`.
    Wildcard,
    /// `(p, …)`; `()` is the empty one.
    Tuple(Vec<Pattern>),
    /// `{x = p, y, z: t}`; a field without a pattern binds its own name.
    Record(Vec<(Name, Pattern)>),
    /// `#a p …`.
    Constructor(Symbol, Vec<Pattern>),
    /// A literal; a `-` before it is part of the number.
    Literal(Literal),
    /// `p: t`.
    Ascribed(Box<Pattern>, Box<TypeExp>),
    /// `#[attr] p`.
    Attributed(Attribute, Box<Pattern>),
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// An integer with an optional suffix. Without a suffix it has any number type.
    /// With a suffix the number may be the bits of its type: `0xffi8` is -1, `-1u8` is 255.
    Integer(i128, Option<PrimType>),
    /// A number with a fraction or an exponent, and an optional suffix. The text has the digits as written, without `_`;
    /// a hexadecimal number is converted to decimal. Without a suffix it has any float type.
    Float(String, Option<PrimType>),
    /// `true` or `false`.
    Bool(bool),
    /// `'c'`: a number, the code point.
    Char(char),
    /// `"…"`: an array of u8, the UTF-8 encoding.
    String(String),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Exp {
    /// Its form.
    pub node: ExpNode,
    /// Its place.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpNode {
    /// A name, or an operator in parentheses: `(+)`. In `x.y` the qualifier `x` may be a module or a record, which name
    /// resolution decides; `(x).y` is a projection.
    Name(QualName),
    /// A literal.
    Literal(Literal),
    /// `(e, …)`; `()` is the empty one.
    Tuple(Vec<Exp>),
    /// `{x = e, y}`; the value of a field without an expression is the variable of its name.
    Record(Vec<(Name, Exp)>),
    /// `[e, …]`.
    Array(Vec<Exp>),
    /// `#a e …`.
    Constructor(Symbol, Vec<Exp>),
    /// `a..b...c`, `a..<b` and the other ranges.
    Range(Box<Range>),
    /// `f x`.
    Apply(Box<Exp>, Box<Exp>),
    /// `x + y`, also ``x `f` y``. The operator is a name like any other.
    Binary(Box<Exp>, QualName, Box<Exp>),
    /// `-x`.
    Negate(Box<Exp>),
    /// `!x`.
    Not(Box<Exp>),
    /// `e.x`, `e.0`.
    Project(Box<Exp>, Name),
    /// `a[i, j:k]`.
    Index(Box<Exp>, Vec<SliceDim>),
    /// `a with [i].x = e`, with a path of at least one step.
    Update(Box<Exp>, Vec<Step>, Box<Exp>),
    /// `let p = e in b`, with the size binders of `let [n] p = …`.
    Let {
        /// Size binders.
        sizes: Vec<Name>,
        /// The pattern.
        pattern: Box<Pattern>,
        /// The value that it is bound to.
        value: Box<Exp>,
        /// The expression after `in`.
        body: Box<Exp>,
    },
    /// `let a[i].x = e in b`.
    LetUpdate {
        /// The array or record, whose name is bound again to the updated value.
        name: Name,
        /// The path to the part, at least one step.
        path: Vec<Step>,
        /// The new value of the part.
        value: Box<Exp>,
        /// The expression after `in`.
        body: Box<Exp>,
    },
    /// `let f x … = e in b`.
    LetFunction {
        /// The name.
        name: Name,
        /// Explicit size and type parameters.
        type_params: Vec<TypeParam>,
        /// The parameters, at least one.
        params: Vec<Pattern>,
        /// The type of the result, if written.
        result: Option<Box<TypeExp>>,
        /// The right-hand side.
        value: Box<Exp>,
        /// The expression after `in`.
        body: Box<Exp>,
    },
    /// `if c then a else b`.
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `loop p = e for … do b`.
    Loop {
        /// Size binders.
        sizes: Vec<Name>,
        /// The merge parameters.
        pattern: Box<Pattern>,
        /// The initial value. If it is absent, the variables of the pattern are in scope, and their values are the initial ones.
        init: Option<Box<Exp>>,
        /// The loop header.
        form: Box<LoopForm>,
        /// One iteration.
        body: Box<Exp>,
    },
    /// `match e case p -> a …`.
    Match(Box<Exp>, Vec<(Pattern, Exp)>),
    /// `\p … : t -> e`.
    Lambda {
        /// The parameters, at least one.
        params: Vec<Pattern>,
        /// The type of the result, if written.
        result: Option<Box<TypeExp>>,
        /// The code.
        body: Box<Exp>,
    },
    /// `(+ x)`: the operator applied to its right operand.
    SectionRight(QualName, Box<Exp>),
    /// `(x +)`: the operator applied to its left operand.
    SectionLeft(Box<Exp>, QualName),
    /// `(.x.y)`, `(.[i])`, with a path of at least one step.
    SectionPath(Vec<Step>),
    /// `e : t`.
    Ascribe(Box<Exp>, Box<TypeExp>),
    /// `e :> t`.
    Coerce(Box<Exp>, Box<TypeExp>),
    /// `assert c e`.
    Assert(Box<Exp>, Box<Exp>),
    /// `#[attr] e`.
    Attributed(Attribute, Box<Exp>),
    /// `m.(e)`: an expression with a module opened.
    OpenIn(QualName, Box<Exp>),
    /// `???`: a typed hole.
    Hole,
}

/// A range.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The first element.
    pub start: Exp,
    /// The second element, if written.
    pub second: Option<Exp>,
    /// The end.
    pub end: RangeEnd,
}

/// The end of a range.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeEnd {
    /// `...e`: up or down to `e`, including it.
    Inclusive(Exp),
    /// `..<e`: up to `e`, excluding it.
    Below(Exp),
    /// `..>e`: down to `e`, excluding it.
    Above(Exp),
}

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `[i, j:k]`.
    Part(Vec<SliceDim>),
    /// `.x`.
    Field(Name),
}

/// One dimension of an index or slice.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "few exist, and none is moved about")]
pub enum SliceDim {
    /// `i`.
    Fix(Exp),
    /// `start:end:stride`; each of them is optional.
    Range {
        /// The first position.
        start: Option<Exp>,
        /// The end, exclusive.
        end: Option<Exp>,
        /// The distance between positions.
        stride: Option<Exp>,
        /// Its place.
        span: Span,
    },
}

/// The forms of loop headers.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopForm {
    /// `for i < n`.
    For(Name, Exp),
    /// `for p in xs`.
    ForIn(Pattern, Exp),
    /// `while c`.
    While(Exp),
}

/// A module declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleDec {
    /// The doc comment before it.
    pub doc: Option<String>,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub params: Vec<ModuleParam>,
    /// The module type it is ascribed to.
    pub signature: Option<ModuleTypeExp>,
    /// Its definition.
    pub body: ModuleExp,
    /// Its place, from the first token to the last.
    pub span: Span,
}

/// A parameter of a parametric module.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleParam {
    /// The name.
    pub name: Name,
    /// Its module type.
    pub signature: ModuleTypeExp,
}

/// A module type declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleTypeDec {
    /// The doc comment before it.
    pub doc: Option<String>,
    /// The name.
    pub name: Name,
    /// Its definition.
    pub body: ModuleTypeExp,
    /// Its place, from the first token to the last.
    pub span: Span,
}

/// A module expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ModuleExp {
    /// A name.
    Name(QualName),
    /// `m : t`.
    Ascribed(Box<ModuleExp>, Box<ModuleTypeExp>),
    /// `\(p: t) : t -> m`.
    Lambda(ModuleParam, Option<Box<ModuleTypeExp>>, Box<ModuleExp>, Span),
    /// `m n`.
    Apply(Box<ModuleExp>, Box<ModuleExp>, Span),
    /// `{ dec … }`.
    Structure(Vec<Dec>, Span),
    /// `import "file"`.
    Import(String, Span),
}

/// A module type expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ModuleTypeExp {
    /// A name.
    Name(QualName),
    /// `{ spec … }`.
    Signature(Vec<Spec>, Span),
    /// `t with q 'a = t'`.
    With(Box<ModuleTypeExp>, QualName, Vec<TypeParam>, Box<TypeExp>, Span),
    /// `(p: t) -> u`.
    Arrow(Option<Name>, Box<ModuleTypeExp>, Box<ModuleTypeExp>, Span),
}

/// An item of a module type.
#[derive(Clone, Debug, PartialEq)]
pub enum Spec {
    /// `val x [n] 'a : t`.
    Value {
        /// The attributes before it.
        attributes: Vec<Attribute>,
        /// The doc comment before it.
        doc: Option<String>,
        /// The name.
        name: Name,
        /// Its size and type parameters.
        type_params: Vec<TypeParam>,
        /// Its type.
        ty: TypeExp,
    },
    /// `type t = …`.
    Type(TypeDec),
    /// `type t`.
    AbstractType {
        /// The doc comment before it.
        doc: Option<String>,
        /// `type`, `type~` or `type^`.
        liftedness: Liftedness,
        /// The name.
        name: Name,
        /// Its parameters.
        params: Vec<TypeParam>,
    },
    /// `module m : t`.
    Module(Name, ModuleTypeExp),
    /// `include t`.
    Include(ModuleTypeExp),
    /// `#[attr] spec`. The attributes of a value are part of its specification.
    Attributed(Attribute, Box<Spec>),
}

impl ModuleExp {
    /// Its place; of `m : t`, the place of `m`.
    pub fn span(&self) -> Span {
        match self {
            ModuleExp::Name(name) => name.span,
            ModuleExp::Ascribed(inner, _) => inner.span(),
            ModuleExp::Lambda(_, _, _, span)
            | ModuleExp::Apply(_, _, span)
            | ModuleExp::Structure(_, span)
            | ModuleExp::Import(_, span) => *span,
        }
    }
}

impl ModuleTypeExp {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            ModuleTypeExp::Name(name) => name.span,
            ModuleTypeExp::Signature(_, span)
            | ModuleTypeExp::With(_, _, _, _, span)
            | ModuleTypeExp::Arrow(_, _, _, span) => *span,
        }
    }
}

impl Dec {
    /// The doc comment before it.
    pub fn doc(&self) -> Option<&str> {
        match self {
            Dec::Value(dec) => dec.doc.as_deref(),
            Dec::Type(dec) => dec.doc.as_deref(),
            Dec::Module(dec) => dec.doc.as_deref(),
            Dec::ModuleType(dec) => dec.doc.as_deref(),
            Dec::Local(dec, _) | Dec::Attributed(_, dec, _) => dec.doc(),
            Dec::Open(..) | Dec::Import(..) | Dec::Error(_) => None,
        }
    }

    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Dec::Value(dec) => dec.span,
            Dec::Type(dec) => dec.span,
            Dec::Module(dec) => dec.span,
            Dec::ModuleType(dec) => dec.span,
            Dec::Open(_, span)
            | Dec::Import(_, span)
            | Dec::Local(_, span)
            | Dec::Attributed(_, _, span)
            | Dec::Error(span) => *span,
        }
    }
}

impl Spec {
    /// The doc comment before it.
    pub fn doc(&self) -> Option<&str> {
        match self {
            Spec::Value { doc, .. } | Spec::Type(TypeDec { doc, .. }) | Spec::AbstractType { doc, .. } => {
                doc.as_deref()
            }
            Spec::Attributed(_, spec) => spec.doc(),
            Spec::Module(..) | Spec::Include(_) => None,
        }
    }
}

impl std::fmt::Display for QualName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for qual in &self.quals {
            write!(f, "{qual}.")?;
        }
        write!(f, "{}", self.name)
    }
}
