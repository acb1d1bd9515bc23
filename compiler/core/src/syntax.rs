//! The syntax of core IR: first-order, monomorphic, A-normal form, multi-valued.
//!
//! * Arrays are regular arrays of primitives; their sizes are explicit i64 atoms.
//! * Trees are owned. Binders are [`Var`]s, unique in their function, described by its [`VarTable`].
//! * **Sizes bind left to right.** The type of a binder may name earlier binders of the same parameter list, statement
//!   or loop. So an existential size is an extra i64 binder: `let (m: i64, ys: [m]i32) = if c then … else …`.
//! * **A failure is a dependence.** [`Exp::Assert`] returns its operands once its condition holds;
//!   code that must not run before the check uses the returned values.
//! * There is one parallel construct, [`Screma`]; its special cases are `map`, `reduce`, `scan`,
//!   `scatter`, `reduce_by_index` and their fusions. [`Stream`] is a separate construct, because its
//!   function takes chunks. A [`Segment`] is a Screma with a level and an index space.

mod segment;
mod stream;

use std::ops::Range;

use ravel_base::{CallPath, IdMap, Symbol, define_id};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

pub use ravel_base::{Origin, Spans};
pub use segment::{Level, Segment};
pub use stream::{Stream, StreamSink};

define_id!(
    /// A variable, unique in its function; prints as `name_7` or `v7`.
    Var, "v"
);

/// The variables of a function with their types.
pub type VarTable = IdMap<Var, VarInfo>;

/// One variable of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct VarInfo {
    /// The name in the source, if it had one; used only when printing.
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

    /// The type of an array of such values with these dimensions in front, outermost first.
    pub fn over(&self, sizes: impl IntoIterator<Item = Atom>) -> Type {
        let shape = sizes.into_iter().chain(self.shape.iter().copied()).collect();
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

/// The label of an attribute `trace` or `trace(label)`, `None` for any other attribute.
/// The traced values pass through an assertion that always holds and carries the attribute.
pub fn trace_label(attribute: Symbol) -> Option<&'static str> {
    match attribute.as_str().strip_prefix("trace")? {
        "" => Some("trace"),
        label => label.strip_prefix('(')?.strip_suffix(')'),
    }
}

/// What the label of a trace begins with if its values describe the bins of a nest. They are not shown, but counted.
const BINS_LABEL: &str = "bins of ";

/// The attribute of a trace whose values describe the bins of the nest of this name.
pub fn bins_attribute(nest: &str) -> Symbol {
    Symbol::new(&format!("trace({BINS_LABEL}{nest})"))
}

/// The nest whose bins a trace of this label describes, if it does.
pub fn nest_of_bins(label: &str) -> Option<&str> {
    label.strip_prefix(BINS_LABEL)
}

/// The attribute of a statement that chooses between two versions of a nest, or of an array's layout. `name` is that of the nest
/// or of the limit.
pub fn versions_attribute(name: &str) -> Symbol {
    Symbol::new(&format!("versions({name})"))
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The functions; names are unique. A call may name any of them.
    pub functions: Vec<Function>,
    /// The entry points.
    pub entries: Vec<Entry>,
}

/// An entry point: a function, and which of its parameters and results a caller sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name a caller uses.
    pub name: Symbol,
    /// The function. Its parameters are the distinct sizes, as i64, followed by the scalars and arrays of the
    /// arguments. Its results are the existential sizes, then a bool for each empty tuple that depends on checks, then
    /// the scalars and arrays of the result.
    pub function: Symbol,
    /// The arguments, in order.
    pub params: Vec<EntryValue>,
    /// The results, in order.
    pub results: Vec<EntryValue>,
    /// Where it was written.
    pub origin: Origin,
}

/// One argument or result of an entry point: a scalar or an array of primitives. A tuple result
/// is several of them.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryValue {
    /// The name in the source, if it had one.
    pub name: Option<Symbol>,
    /// The parameter or result of the function that holds it.
    pub var: Var,
    /// For a parameter, whether the function may consume it (`*` in the source). For a result, whether it shares no
    /// memory with any parameter.
    pub unique: bool,
    /// For a parameter that holds constructor numbers of a sum type: the number of constructors.
    pub constructors: Option<u32>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name, unique in the program.
    pub name: Symbol,
    /// All variables, including parameters and results.
    pub vars: VarTable,
    /// The parameters.
    pub params: Vec<Param>,
    /// The results, as binders: their types may name the parameters and earlier results.
    pub results: Vec<Var>,
    /// The code; its result has as many atoms as `results`.
    pub body: Body,
    /// True if calls to it must not be inlined (`#[noinline]`, recursion).
    pub noinline: bool,
    /// Where it was written.
    pub origin: Origin,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The variable.
    pub var: Var,
    /// True if the function may overwrite the argument (`*` in the source).
    pub consumed: bool,
}

/// Statements and their results.
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
    /// The binders. Their types are in the function's table.
    pub binders: Vec<Var>,
    /// The expression.
    pub exp: Exp,
    /// Where it came from.
    pub origin: Origin,
}

impl Stm {
    /// If the statement is a trace, the label under which its values are shown.
    pub fn trace_label(&self) -> Option<&'static str> {
        let is_trace = matches!(self.exp, Exp::Assert { cond, .. } if cond == Atom::bool(true));
        self.origin.attributes.iter().filter(|_| is_trace).find_map(|&attribute| trace_label(attribute))
    }

    /// If the statement chooses between two versions, the name of the nest or of the limit.
    pub fn versions_name(&self) -> Option<&'static str> {
        let name = |attribute: &Symbol| attribute.as_str().strip_prefix("versions(")?.strip_suffix(')');
        self.origin.attributes.iter().find_map(name)
    }
}

/// An anonymous function inside a parallel construct.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lambda {
    /// The parameters. Their types are in the function's table.
    pub params: Vec<Var>,
    /// The code. The shapes of its results name nothing bound inside the lambda, except for the outer size of a value of
    /// [`Sink::Concat`].
    pub body: Body,
}

/// One dimension of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DimSlice {
    /// One position. The result does not have this dimension.
    Fix(Atom),
    /// `count` positions: `start`, `start + stride`, … The stride may be negative. It may be zero if
    /// no statement consumes the view.
    Range {
        /// The first position.
        start: Atom,
        /// The number of positions.
        count: Atom,
        /// The distance between neighbouring positions.
        stride: Atom,
    },
}

impl DimSlice {
    /// The first `count` positions of a dimension; all of it if `count` is its size.
    pub fn whole(count: Atom) -> DimSlice {
        DimSlice::Range { start: Atom::i64(0), count, stride: Atom::i64(1) }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Exp {
    /// The value itself. If it is an array, the binder is another name for the same memory.
    Atom(Atom),
    /// A scalar operator of one operand.
    Unary(UnOp, Atom),
    /// A scalar operator of two operands. Integer division by zero is undefined: an [`Exp::Assert`]
    /// must check the divisor first.
    Binary(BinOp, Atom, Atom),
    /// A comparison of two scalars.
    Compare(CmpOp, Atom, Atom),
    /// A conversion between primitive types.
    Convert(PrimType, Atom),
    /// The condition, which compiled code assumes to hold: the optimiser replaces it by `true`. Only the interpreter
    /// evaluates it.
    Trust(Atom),
    /// The i64 value of the tuning parameter of this name, or the default given here if the parameter is not set.
    /// A value that is set holds for every occurrence of the name and does not change during a call.
    Param(Symbol, i64),
    /// An array of these elements (scalars, or arrays of the same shape); never empty.
    ArrayLit(Vec<Atom>),
    /// The scalar at these indices, one per dimension; undefined out of bounds.
    Index(Var, Vec<Atom>),
    /// A view of a part of an array, one entry per dimension; undefined out of bounds.
    Slice(Var, Vec<DimSlice>),
    /// The array with a part replaced by `value` (a scalar if all dimensions are fixed). Consumes the array.
    Update {
        /// The array, consumed.
        array: Var,
        /// The part.
        slice: Vec<DimSlice>,
        /// The new value of the part.
        value: Atom,
    },
    /// `start, start+stride, …`, `count` numbers of the type of `start`.
    Iota {
        /// The number of elements (i64).
        count: Atom,
        /// The first element.
        start: Atom,
        /// The difference of neighbouring elements.
        stride: Atom,
    },
    /// An array of `count` copies of the value.
    Replicate {
        /// The number of copies (i64).
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
    /// The array with a request for its layout: dimension `perm[0]` is outermost in memory, and the last dimension of
    /// `perm` is innermost. If the condition is false, any layout will do. For aliases and consumption it counts as a view of
    /// the array, although it may be a copy.
    Manifest(Vec<usize>, Var, Atom),
    /// The arrays concatenated along the outermost dimension.
    Concat(Vec<Var>),
    /// A branch. The results of both bodies match the binders.
    If {
        /// The condition.
        cond: Atom,
        /// Evaluated if it is true.
        then: Body,
        /// Evaluated if it is false.
        otherwise: Body,
    },
    /// A loop. The binders get the final values of the merge parameters.
    Loop(Loop),
    /// Fails with the message unless the condition holds; returns the values, one per binder. The type of a binder may
    /// have other sizes than the type of its value, if the condition checks that they are equal.
    Assert {
        /// The condition.
        cond: Atom,
        /// The values it returns.
        values: Vec<Atom>,
        /// The message of a failure.
        error: ErrorMessage,
    },
    /// A call of a function of the program.
    Call(Call),
    /// A parallel construct.
    Screma(Box<Screma>),
    /// The parallel construct with a level and an index space.
    Segment(Box<Segment>),
    /// A computation in chunks.
    Stream(Box<Stream>),
}

/// The pattern of the expressions without nested bodies. A match that lists the others and ends with this pattern is
/// exhaustive, so a new form of expression cannot be forgotten there.
#[macro_export]
macro_rules! exp_without_bodies {
    () => {
        $crate::Exp::Atom(_)
            | $crate::Exp::Unary(..)
            | $crate::Exp::Binary(..)
            | $crate::Exp::Compare(..)
            | $crate::Exp::Convert(..)
            | $crate::Exp::Trust(_)
            | $crate::Exp::Param(..)
            | $crate::Exp::ArrayLit(_)
            | $crate::Exp::Index(..)
            | $crate::Exp::Slice(..)
            | $crate::Exp::Update { .. }
            | $crate::Exp::Iota { .. }
            | $crate::Exp::Replicate { .. }
            | $crate::Exp::Scratch
            | $crate::Exp::Copy(_)
            | $crate::Exp::Rearrange(..)
            | $crate::Exp::Reshape(_)
            | $crate::Exp::Manifest(..)
            | $crate::Exp::Concat(_)
            | $crate::Exp::Assert { .. }
            | $crate::Exp::Call(_)
    };
}

impl Exp {
    /// The construct, if the expression is a [`Screma`] or a [`Segment`].
    pub fn screma(&self) -> Option<&Screma> {
        match self {
            Exp::Screma(screma) => Some(screma),
            Exp::Segment(segment) => Some(&segment.screma),
            _ => None,
        }
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the function.
    pub function: Symbol,
    /// The arguments.
    pub args: Vec<Atom>,
    /// The place of the call in the source, and the calls that lead there.
    pub path: Option<CallPath>,
}

/// A loop over merge parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The merge parameters with their initial values. The body may consume an array parameter only
    /// if the statement may consume the initial value.
    pub params: Vec<(Var, Atom)>,
    /// The kind of loop and its bound.
    pub form: LoopForm,
    /// One iteration: returns the next values of the merge parameters.
    pub body: Body,
}

/// The kind of a loop, which determines when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopForm {
    /// With `index` = 0, 1, … below `bound`, both of one signed or unsigned integer type.
    For {
        /// The counter, bound in the body.
        index: Var,
        /// The number of iterations, as a value of the counter's type; evaluated once.
        bound: Atom,
    },
    /// While this merge parameter, a bool, is true.
    While(Var),
}

/// The message of a failed assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorMessage {
    /// Literal text and scalar values, in the order of the message.
    pub parts: Vec<ErrorPart>,
    /// The place in the source to blame, and the calls that lead there.
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
/// For each index i below the width, `map` is applied to the i-th elements of the sources. Its first
/// results are scanned: each scan takes as many values as its operator combines. `post` gets the
/// scanned values followed by the remaining results of `map`, and returns the values for the sinks.
/// Without `post`, the sinks get these values directly. They are distributed to the sinks in order,
/// [`Sink::arity`] values each.
///
/// The binders of a Screma are the results of the sinks, in order. [`Sink::Map`] and [`Sink::Concat`] return one array,
/// [`Sink::Reduce`] as many values as its neutral element has, [`Sink::Write`] the updated target, and [`Sink::Combine`]
/// the updated targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Screma {
    /// The number of indices (i64).
    pub width: Atom,
    /// The sources of the elements: one parameter of `map` each.
    pub sources: Vec<Source>,
    /// Applied to every index.
    pub map: Lambda,
    /// Scans over the first results of `map`.
    pub scans: Vec<Scan>,
    /// Applied after the scans; present only if there are scans.
    pub post: Option<Lambda>,
    /// The consumers of the values.
    pub sinks: Vec<Sink>,
}

impl Screma {
    /// The number of values that the scans combine: the first results of `map`.
    pub fn scanned_count(&self) -> usize {
        self.scans.iter().map(|scan| scan.neutral.len()).sum()
    }

    /// All lambdas, in the order of the text.
    pub fn lambdas(&self) -> impl Iterator<Item = &Lambda> {
        let operators = self.sinks.iter().filter_map(|sink| match sink {
            Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
            Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => None,
        });
        std::iter::once(&self.map)
            .chain(self.scans.iter().map(|scan| &scan.op))
            .chain(&self.post)
            .chain(operators)
    }

    /// The sinks, each with two ranges: the positions of its results among the binders, and the positions
    /// of the values it takes among the results of the last lambda.
    pub fn sink_ranges(&self) -> impl Iterator<Item = (&Sink, Range<usize>, Range<usize>)> {
        self.sinks.iter().scan((0, 0), |(result, value), sink| {
            let (results, values) = (*result..*result + sink.results(), *value..*value + sink.arity());
            (*result, *value) = (results.end, values.end);
            Some((sink, results, values))
        })
    }
}

/// A source of the elements of a Screma.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The elements of an array whose outer size is the width.
    Array(Var),
    /// `start + i*stride`, in the type of `start`.
    Iota {
        /// The element at index 0.
        start: Atom,
        /// The difference of neighbouring elements.
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
    /// The associative operator. It has twice as many parameters as the neutral element has values.
    pub op: Lambda,
    /// Its neutral element. In the code of a thread, which combines in order from it, any value.
    pub neutral: Vec<Atom>,
    /// The place of the scan in the source. The origin of the statement has it too, but its main place is that of the last
    /// operator that was fused into the construct.
    pub path: Option<CallPath>,
}

/// A consumer of values of a Screma.
#[derive(Clone, Debug, PartialEq)]
pub enum Sink {
    /// Stores the value of index i in element i of a new array.
    Map,
    /// Stores the values, which are arrays, one after the other in a new array of `count` elements. Only a segment has
    /// such a sink. The value of index i has the elements from i * `size` on: `size` of them, or those that are left. The
    /// verifier cannot see that the outer size of the value is this number; the interpreter checks it.
    Concat {
        /// The number of elements of the new array (i64).
        count: Atom,
        /// The number of elements of each value except the last (i64, at least 1).
        size: Atom,
    },
    /// Combines the values of all indices with an associative operator.
    Reduce {
        /// The operator. It has twice as many parameters as the neutral element has values.
        op: Lambda,
        /// Its neutral element; the result for width 0. In the code of a thread, which combines in order from it, any value.
        neutral: Vec<Atom>,
        /// True when the operator is known to commute.
        commutative: bool,
    },
    /// Stores the last value at the position given by the first `rank` values (i64). Positions out of bounds are
    /// ignored. If several indices write to one position, any one of their values is kept. Consumes the target.
    Write {
        /// The array written to, consumed.
        target: Var,
        /// The number of leading values that are indices.
        rank: usize,
    },
    /// Combines the elements of the targets at the position given by the first value (i64) with the other values, by an
    /// associative and commutative operator. Positions out of bounds are ignored. Consumes the targets.
    Combine {
        /// The arrays updated, consumed.
        targets: Vec<Var>,
        /// The operator.
        op: Lambda,
        /// Its neutral element.
        neutral: Vec<Atom>,
    },
}

impl Sink {
    /// The number of values that the sink takes at one index.
    pub fn arity(&self) -> usize {
        match self {
            Sink::Map | Sink::Concat { .. } => 1,
            Sink::Reduce { neutral, .. } => neutral.len(),
            Sink::Write { rank, .. } => rank + 1,
            Sink::Combine { targets, .. } => 1 + targets.len(),
        }
    }

    /// The number of results of the sink, one for each binder.
    pub fn results(&self) -> usize {
        match self {
            Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => 1,
            Sink::Reduce { neutral, .. } => neutral.len(),
            Sink::Combine { targets, .. } => targets.len(),
        }
    }
}
