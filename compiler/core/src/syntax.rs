//! The syntax of core IR: first-order, monomorphic, A-normal form, multi-valued.
//!
//! * Arrays are regular arrays of primitives; their sizes are explicit i64 atoms.
//! * Trees are owned. Binders are [`Var`]s, unique in their function, described by its [`VarTable`].
//! * **Sizes bind left to right.** The type of a binder may name binders before it: of the same
//!   parameter list, of the same statement, of the same loop. So an existential size is simply an
//!   extra i64 binder: `let (m: i64, ys: [m]i32) = if c then … else …`.
//! * **A failure is a dependence.** [`Exp::Assert`] hands values through once its condition holds;
//!   what must not run before the check uses the handed-through value.
//! * There is one parallel construct, [`Screma`]; its special cases are `map`, `reduce`, `scan`,
//!   `scatter`, `reduce_by_index` and their fusions. [`Stream`] stands beside it until its chunk has
//!   been made sequential.

mod origin;
mod stream;

use std::ops::Range;

use ravel_base::{CallPath, IdMap, Symbol, define_id};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

pub use origin::{Origin, Spans};
pub use stream::{Stream, StreamSink};

define_id!(
    /// A variable, unique in its function; prints as `name_7` or `v7`.
    Var, "v"
);

/// What a function knows of its variables.
pub type VarTable = IdMap<Var, VarInfo>;

/// What is known of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarInfo {
    /// The name in the source, if it had one; only a hint for readers.
    pub hint: Option<Symbol>,
    /// The type.
    pub ty: Type,
}

/// A type: a primitive, or a regular array of primitives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type of the elements.
    pub elem: PrimType,
    /// The sizes, outermost first; none for a scalar.
    pub shape: Vec<Atom>,
}

impl Type {
    /// A scalar type.
    pub fn scalar(elem: PrimType) -> Type {
        Type { elem, shape: Vec::new() }
    }

    /// An array type (a scalar if `shape` is empty).
    pub fn array(elem: PrimType, shape: Vec<Atom>) -> Type {
        Type { elem, shape }
    }

    /// True for a type without dimensions.
    pub fn is_scalar(&self) -> bool {
        self.shape.is_empty()
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The type of an element along the outermost dimension.
    pub fn row(&self) -> Type {
        Type { elem: self.elem, shape: self.shape[1..].to_vec() }
    }

    /// The type of an array of `size` such values.
    pub fn array_of(&self, size: Atom) -> Type {
        let mut shape = vec![size];
        shape.extend(self.shape.iter().copied());
        Type { elem: self.elem, shape }
    }
}

/// A variable or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// A constant.
    Const(PrimValue),
}

impl Atom {
    /// An i64 constant.
    pub fn i64(value: i64) -> Atom {
        Atom::Const(PrimValue::I64(value))
    }

    /// A bool constant.
    pub fn bool(value: bool) -> Atom {
        Atom::Const(PrimValue::Bool(value))
    }

    /// The variable, if it is one.
    pub fn var(self) -> Option<Var> {
        match self {
            Atom::Var(var) => Some(var),
            Atom::Const(_) => None,
        }
    }
}

/// What the attribute `trace`, or `trace(label)`, calls the values it is written before; `None` of any other attribute.
/// They pass an assertion that always holds and has the attribute.
pub fn trace_label(attribute: Symbol) -> Option<&'static str> {
    match attribute.as_str().strip_prefix("trace")? {
        "" => Some("trace"),
        label => label.strip_prefix('(')?.strip_suffix(')'),
    }
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The functions; names are unique. A call may name any of them.
    pub functions: Vec<Function>,
    /// What can be called from outside.
    pub entries: Vec<Entry>,
}

/// An entry point: a function, and how its core parameters make up the values a caller sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name a caller uses.
    pub name: Symbol,
    /// The function. Its parameters are exactly: the distinct sizes, as i64, then the leaves of
    /// the values; its results likewise (existential sizes first).
    pub function: Symbol,
    /// The values a caller gives, in order.
    pub params: Vec<EntryValue>,
    /// The values a caller gets, in order.
    pub results: Vec<EntryValue>,
}

/// One value at the border: a scalar or an array of primitives. A tuple result of an entry point
/// is several values.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryValue {
    /// The name in the source, if it had one.
    pub name: Option<Symbol>,
    /// The parameter of the function (or, for results, the named result) that carries it.
    pub var: Var,
    /// True when the caller gives the value away (`*` parameters), or, for results, when it
    /// shares no memory with any parameter.
    pub unique: bool,
    /// Of a parameter that holds constructor numbers of a sum type: how many constructors there are.
    pub constructors: Option<u32>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name, unique in the program.
    pub name: Symbol,
    /// What is known of the variables, parameters and results among them.
    pub vars: VarTable,
    /// The parameters.
    pub params: Vec<Param>,
    /// The results, as binders: their types may name the parameters and earlier results.
    pub results: Vec<Var>,
    /// The code; its result has as many atoms as `results`.
    pub body: Body,
    /// True when calls to it must stay calls (`#[noinline]`, recursion).
    pub noinline: bool,
    /// Where it was written.
    pub origin: Origin,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The variable.
    pub var: Var,
    /// True when the function may destroy the argument (`*` in the source).
    pub consumed: bool,
}

/// Statements and what they come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// The statements, in order of evaluation.
    pub stms: Vec<Stm>,
    /// The results.
    pub result: Vec<Atom>,
}

/// A statement: binds the results of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Stm {
    /// The binders. Types stand in the function's table.
    pub binders: Vec<Var>,
    /// The expression.
    pub exp: Exp,
    /// Where it came from.
    pub origin: Origin,
}

impl Stm {
    /// What it calls the values that it shows, if it is a trace.
    pub fn traced(&self) -> Option<&'static str> {
        let is_trace = matches!(self.exp, Exp::Assert { cond, .. } if cond == Atom::bool(true));
        self.origin.attributes.iter().filter(|_| is_trace).find_map(|&attribute| trace_label(attribute))
    }
}

/// An anonymous function inside a parallel construct.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// The parameters. Types stand in the function's table.
    pub params: Vec<Var>,
    /// The code. The shapes of its results name nothing bound inside the lambda.
    pub body: Body,
}

/// One dimension of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DimSlice {
    /// One position; the dimension vanishes.
    Fix(Atom),
    /// `count` positions from `start`, `stride` apart (which may be negative; also zero, of a view that
    /// nobody consumes).
    Range {
        /// The first position.
        start: Atom,
        /// How many.
        count: Atom,
        /// The distance between two.
        stride: Atom,
    },
}

impl DimSlice {
    /// The first positions of a dimension, so many; of all of them, the whole dimension.
    pub fn whole(count: Atom) -> DimSlice {
        DimSlice::Range { start: Atom::i64(0), count, stride: Atom::i64(1) }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Exp {
    /// The value itself. Of an array: another name for it.
    Atom(Atom),
    /// A scalar operator of one operand.
    Unary(UnOp, Atom),
    /// A scalar operator of two operands. Integer division by zero is undefined here: an
    /// [`Exp::Assert`] stands before it.
    Binary(BinOp, Atom, Atom),
    /// A comparison of two scalars.
    Compare(CmpOp, Atom, Atom),
    /// A conversion between primitive types.
    Convert(PrimType, Atom),
    /// The condition, which compiled code takes for granted: `true` to the optimiser. Only the interpreter evaluates it.
    Trust(Atom),
    /// The value (i64) that the tuning parameter of this name is set to from outside, or this one where it is not.
    /// All that have one name share the value that is set; a call sees the same one from beginning to end.
    Param(Symbol, i64),
    /// An array of these elements (scalars, or arrays of one shape); never empty.
    ArrayLit(Vec<Atom>),
    /// The scalar at these indices, one a dimension; undefined out of bounds.
    Index(Var, Vec<Atom>),
    /// A view of a part of an array, one entry a dimension; undefined out of bounds.
    Slice(Var, Vec<DimSlice>),
    /// The array with a part replaced by `value` (a scalar where all dimensions are fixed). Consumes the array.
    Update {
        /// The array, consumed.
        array: Var,
        /// The part.
        slice: Vec<DimSlice>,
        /// What is put there.
        value: Atom,
    },
    /// `start, start+stride, …`, `count` numbers of the type of `start`.
    Iota {
        /// How many (i64).
        count: Atom,
        /// The first.
        start: Atom,
        /// The distance.
        stride: Atom,
    },
    /// `count` times the value.
    Replicate {
        /// How many (i64).
        count: Atom,
        /// The value, a scalar or an array.
        value: Atom,
    },
    /// An array with unspecified elements of the binder's type.
    Scratch,
    /// A fresh copy that shares no memory with the array.
    Copy(Var),
    /// A view with permuted dimensions: dimension i of the result is dimension `perm[i]` of the array.
    Rearrange(Var, Vec<usize>),
    /// The same elements, row-major, in the shape of the binder's type.
    Reshape(Var),
    /// The arrays one behind the other along the outermost dimension.
    Concat(Vec<Var>),
    /// A branch. The results of both sides match the binders.
    If {
        /// The condition.
        cond: Atom,
        /// When it is true.
        then: Body,
        /// When it is false.
        otherwise: Body,
    },
    /// A loop. The binders get the last values of the merge parameters.
    Loop(Loop),
    /// Fails with the message unless the condition holds; else the values, one a binder. The
    /// binders' types may state other sizes than the values' types: that is what was checked.
    Assert {
        /// What must hold.
        cond: Atom,
        /// What is handed through.
        values: Vec<Atom>,
        /// What to say otherwise.
        error: ErrorMessage,
    },
    /// A call of a function of the program.
    Call(Call),
    /// The parallel construct.
    Screma(Box<Screma>),
    /// A computation in chunks.
    Stream(Box<Stream>),
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the function.
    pub function: Symbol,
    /// What it is called with.
    pub args: Vec<Atom>,
    /// Where the call is written, and the calls that lead there.
    pub path: Option<CallPath>,
}

/// A loop over merge parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The merge parameters with their first values. An array parameter is consumed by the body
    /// only if its first value may be consumed.
    pub params: Vec<(Var, Atom)>,
    /// How often.
    pub form: LoopForm,
    /// One round: gives the next values of the merge parameters.
    pub body: Body,
}

/// How often a loop goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopForm {
    /// With `index` = 0, 1, … below `bound`, both of one signed or unsigned integer type.
    For {
        /// The counter, bound in the body.
        index: Var,
        /// Where to stop; evaluated once.
        bound: Atom,
    },
    /// While this merge parameter, a bool, is true.
    While(Var),
}

/// What a failed assertion says.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorMessage {
    /// Literal text and scalar values, in turn as they come.
    pub parts: Vec<ErrorPart>,
    /// The place to blame, and the calls that lead there.
    pub path: Option<CallPath>,
}

/// A piece of an error message.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorPart {
    /// Literal text.
    Text(String),
    /// The value of a scalar.
    Value(Atom),
}

/// The parallel construct: sources → map → scans → post → sinks, over one width.
///
/// For index i below the width, `map` is applied to the i-th elements of the sources. Its first
/// results go through the scans (their operators take these as many values), the rest passes by.
/// `post` gets the scanned values followed by the rest; without it they go on as they are. What
/// comes out is dealt to the sinks, in order, each taking [`Sink::arity`] values.
///
/// The binders of a Screma are the results of the sinks, in order: of [`Sink::Map`] one array, of
/// [`Sink::Reduce`] as many values as it has neutral elements, of [`Sink::Write`] the updated
/// target, of [`Sink::Combine`] the updated targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Screma {
    /// How many indices (i64).
    pub width: Atom,
    /// Where the elements come from: one parameter of `map` each.
    pub sources: Vec<Source>,
    /// Applied to every index.
    pub map: Lambda,
    /// Scans over the first results of `map`.
    pub scans: Vec<Scan>,
    /// Applied behind the scans; only present when there are scans.
    pub post: Option<Lambda>,
    /// Where the values go.
    pub sinks: Vec<Sink>,
}

impl Screma {
    /// All lambdas, in the order of the text.
    pub fn lambdas(&self) -> impl Iterator<Item = &Lambda> {
        let operators = self.sinks.iter().filter_map(|sink| match sink {
            Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
            Sink::Map | Sink::Write { .. } => None,
        });
        std::iter::once(&self.map)
            .chain(self.scans.iter().map(|scan| &scan.op))
            .chain(&self.post)
            .chain(operators)
    }

    /// The sinks, each with the positions of its results among the binders, and of the values dealt to it
    /// among those that the last lambda gives.
    pub fn dealt(&self) -> impl Iterator<Item = (&Sink, Range<usize>, Range<usize>)> {
        self.sinks.iter().scan((0, 0), |(result, value), sink| {
            let (results, values) = (*result..*result + sink.results(), *value..*value + sink.arity());
            (*result, *value) = (results.end, values.end);
            Some((sink, results, values))
        })
    }
}

/// Where the elements of a Screma come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The elements of an array whose outer size is the width.
    Array(Var),
    /// `start + i*stride`, in the type of `start`.
    Iota {
        /// At index 0.
        start: Atom,
        /// From one index to the next.
        stride: Atom,
    },
}

impl Source {
    /// The array, if it is one.
    pub fn array(&self) -> Option<Var> {
        match self {
            Source::Array(array) => Some(*array),
            Source::Iota { .. } => None,
        }
    }
}

/// An inclusive scan.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// The associative operator: twice as many parameters as neutral elements.
    pub op: Lambda,
    /// Its neutral element.
    pub neutral: Vec<Atom>,
}

/// Where values of a Screma go.
#[derive(Clone, Debug, PartialEq)]
pub enum Sink {
    /// Into element i of a new array.
    Map,
    /// Combined with an associative operator.
    Reduce {
        /// The operator: twice as many parameters as neutral elements.
        op: Lambda,
        /// Its neutral element; the result for width 0.
        neutral: Vec<Atom>,
        /// True when the operator is known to commute.
        commutative: bool,
    },
    /// To the position given by the first `rank` values (i64), the last value. Positions out of
    /// bounds are ignored; different values at one position leave an unspecified one of them. Consumes the target.
    Write {
        /// The array written to, consumed.
        target: Var,
        /// How many leading values are indices.
        rank: usize,
    },
    /// Into the position given by the first value (i64), combined there with the rest by an
    /// associative and commutative operator. Positions out of bounds are ignored. Consumes the targets.
    Combine {
        /// The arrays combined into, consumed.
        targets: Vec<Var>,
        /// The operator.
        op: Lambda,
        /// Its neutral element.
        neutral: Vec<Atom>,
    },
}

impl Sink {
    /// How many values of the stream it takes.
    pub fn arity(&self) -> usize {
        match self {
            Sink::Map => 1,
            Sink::Reduce { neutral, .. } => neutral.len(),
            Sink::Write { rank, .. } => rank + 1,
            Sink::Combine { targets, .. } => 1 + targets.len(),
        }
    }

    /// How many binders it fills.
    pub fn results(&self) -> usize {
        match self {
            Sink::Map | Sink::Write { .. } => 1,
            Sink::Reduce { neutral, .. } => neutral.len(),
            Sink::Combine { targets, .. } => targets.len(),
        }
    }
}
