//! The syntax of kernel IR: a host program whose parallel statements are segments, with memory explicit.
//!
//! A *block* or *memory block* is memory of one element type, with the type [`BlockType`]. A [`Workgroup`] is a group of
//! threads that share memory; CUDA calls it a thread block.
//!
//! * **Values are scalars and memory blocks.** Nothing else can be a parameter or a result of a branch, a loop or a
//!   function. An *array* is a name for a *view*: a memory block with an index function (offset and strides, in
//!   elements). [`Stm::View`] introduces an array; only loads, stores and copies use it.
//! * **Levels are types.** A [`Body`] of [`Host`] holds [`GridSegment`]s, whose points are computed by threads
//!   or by workgroups. A body of [`Workgroup`] holds *inner segments* ([`InnerSegment`]), whose points are computed by threads
//!   of that workgroup. A body of [`Thread`] holds no segments.
//! * **The body of a workgroup is uniform.** No variable of a thread is in scope there. So every scalar, branch and loop
//!   of the body is the same for all threads of the workgroup. Threads synchronise only between two inner segments. There
//!   is not a barrier statement.
//! * **Functions have one level.** A body calls functions of its own level. A memory block passed as an argument is
//!   borrowed: the caller keeps its reference. The caller owns the memory blocks that a function returns.
//! * **Order matters.** Statements run in order, and a failed [`Stm::Assert`] ends the program with its message. So a
//!   pass may move a statement across a store or an assertion only if it knows that this changes nothing. Core IR has
//!   no such rule.
//! * **Scopes own memory blocks.** Every binder of block type holds one reference, which is released at the end of the
//!   body unless the block is a result. There are no statements that count references: backends and runtimes do it.
//! * **Every statement has an origin.** A [`Step`] is a statement with its [`Origin`]. The statements that come from one
//!   statement of core IR share one origin in memory.

mod level;
mod segment;
mod step;

use ravel_base::{CallPath, IdMap, Span, Symbol, define_id};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

pub use self::level::*;
pub use self::segment::*;
pub use self::step::Step;
pub use ravel_abi::{Cause, MessagePart, ResultType, TraceKind};
pub use ravel_base::Origin;

define_id!(
    /// A variable, unique in its entry point or function.
    Var, "v"
);

define_id!(
    /// A failure message of the program.
    MessageId, "message"
);

/// The variables of an entry point or a function.
pub type VarTable = IdMap<Var, VarInfo>;

/// The properties of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarInfo {
    /// The name in the source, if it had one; only a hint for readers.
    pub hint: Option<Symbol>,
    /// Its type.
    pub ty: Type,
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A scalar value.
    Scalar(PrimType),
    /// A handle of a memory block.
    Block(BlockType),
    /// A name for a view. It is never a value: it cannot be an atom, a parameter or a result.
    Array(View),
}

/// The type of a memory block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockType {
    /// The type of its elements.
    pub elem: PrimType,
    /// Where it lives.
    pub space: Space,
}

/// Where a memory block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// In the memory of the device. The block may have any size.
    Device,
    /// In the memory that the threads of one workgroup share. It is allocated in the body of the workgroup, and
    /// freed at its end.
    Workgroup,
    /// In the private memory of one thread. The size is constant.
    Private,
}

impl BlockType {
    /// The bytes that an element takes in the workgroup memory of a GPU: at least 4, the size of a word.
    pub fn workgroup_bytes(self) -> i64 {
        self.elem.bytes().max(4) as i64
    }
}

/// An array as a view of a block: element `i, j, …` lies at `offset + i*strides[0] + j*strides[1] + …`.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The type of the elements.
    pub elem: PrimType,
    /// The sizes (i64), outermost first. A view without dimensions has one element.
    pub shape: Vec<Atom>,
    /// The block.
    pub block: Var,
    /// The position of the first element (i64).
    pub offset: Atom,
    /// For each dimension, the distance between neighbouring elements (i64).
    pub strides: Vec<Atom>,
}

/// A variable (scalar or block) or a constant.
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

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The functions that the host calls; names are unique.
    pub host_functions: Vec<Function<Host>>,
    /// The functions that threads call; names are unique.
    pub thread_functions: Vec<Function<Thread>>,
    /// The entry points; names are unique.
    pub entries: Vec<Entry>,
    /// The messages of assertions.
    pub messages: IdMap<MessageId, Message>,
}

/// The message of a failed assertion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Literal text, and the types of the scalars to insert, in the order of the assertion's arguments.
    pub parts: Vec<MessagePart>,
    /// What is to blame.
    pub cause: Cause,
    /// The place to blame, and the calls that lead there.
    pub path: Option<CallPath>,
}

/// A description of the values of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What becomes of the values.
    pub kind: TraceKind,
    /// Its name in the source, or the name of the nest.
    pub label: Symbol,
    /// The place in the source.
    pub span: Option<Span>,
    /// The types of the values.
    pub values: Vec<ResultType>,
}

/// Two versions of some code of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The nest or the limit by which one is chosen, such as `main.0`.
    pub name: Symbol,
    /// What the two are called. The first one runs if the condition holds.
    pub names: [Symbol; 2],
}

/// An entry point: the host program that a caller starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name a caller uses.
    pub name: Symbol,
    /// The variables.
    pub vars: VarTable,
    /// The distinct sizes (i64 scalars) of the parameters. The runtime finds them in the
    /// arguments' shapes and checks that all agree.
    pub sizes: Vec<Var>,
    /// The parameters that a caller passes.
    pub params: Vec<Param>,
    /// The types of the results that a caller gets.
    pub results: Vec<ResultType>,
    /// The code. Its result holds the values of `results` in order. A scalar is one atom. An array is its sizes (i64)
    /// followed by a block that contains it in row-major order from position 0.
    pub body: Body<Host>,
    /// Where it was written.
    pub origin: Origin,
}

/// A parameter of an entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name in the source, if it had one.
    pub name: Option<Symbol>,
    /// The sizes of an array (each one of the entry's `sizes` or a constant); none for a scalar.
    pub shape: Vec<Atom>,
    /// The scalar, or the block that holds the array row-major from position 0.
    pub var: Var,
    /// True when the program may overwrite the block.
    pub consumed: bool,
    /// If the values are constructor numbers of a sum type, the number of constructors of the type. The runtime checks
    /// that the values are less than it.
    pub constructors: Option<u32>,
}

/// A function. It may call itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<L: Level> {
    /// The name.
    pub name: Symbol,
    /// The variables.
    pub vars: VarTable,
    /// The parameters: scalars and blocks.
    pub params: Vec<FunctionParam>,
    /// The types of the results: scalars and blocks.
    pub results: Vec<Type>,
    /// The code.
    pub body: Body<L>,
    /// Where it was written.
    pub origin: Origin,
}

/// A parameter of a function: a scalar or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// Its variable in the function.
    pub var: Var,
    /// True when the function may overwrite the block.
    pub consumed: bool,
}

/// An argument of a call: a scalar or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The value.
    pub value: Atom,
    /// True when the function may overwrite the block.
    pub consumed: bool,
}

/// Statements and their results, which are scalars and blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<L: Level> {
    /// The statements in order, each with its origin.
    pub stms: Vec<Step<L>>,
    /// The results.
    pub result: Vec<Atom>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stm<L: Level> {
    /// Binds a scalar.
    Let {
        /// The scalar.
        var: Var,
        /// Its value.
        exp: ScalarExp,
    },
    /// Binds two scalars: the sine and the cosine of one angle. They equal the results of the two operators, but the
    /// range reduction of the angle runs only once.
    SineCosine {
        /// The sine.
        sine: Var,
        /// The cosine.
        cosine: Var,
        /// The angle in radians, an f32 or f64.
        angle: Atom,
    },
    /// Brings an array into scope. Its view is in the variable table.
    View(Var),
    /// Binds a new block with `count` (i64, not negative) elements. Their initial values are unspecified.
    Alloc {
        /// The block. Its type is in the variable table.
        block: Var,
        /// The number of elements. For a private block it is a constant. For a workgroup block it is a constant if the
        /// target limits workgroup memory; otherwise it is bound before the grid segment.
        count: Atom,
    },
    /// Binds a read-only block of device memory that contains these constants. The block is not a value: it can only be
    /// read through views. Only at host level.
    Constants {
        /// The block. Its type is in the variable table.
        block: Var,
        /// The elements.
        values: Vec<PrimValue>,
    },
    /// Binds a scalar to an element. At host level this is a read-back if the device has its own memory.
    Load {
        /// The scalar.
        var: Var,
        /// The array.
        array: Var,
        /// An i64 for each dimension, in bounds.
        indices: Vec<Atom>,
    },
    /// Overwrites an element.
    Store {
        /// The array.
        array: Var,
        /// An i64 for each dimension, in bounds.
        indices: Vec<Atom>,
        /// The new element.
        value: Atom,
    },
    /// Replaces an element of workgroup memory by the operator's value of it and another value, in one step: threads of
    /// a segment may combine into the same element. The order of the threads is unspecified.
    Combine {
        /// The array.
        array: Var,
        /// An i64 for each dimension, in bounds.
        indices: Vec<Atom>,
        /// The operator, which is [`is_atomic`].
        op: BinOp,
        /// The other value.
        value: Atom,
    },
    /// Overwrites all elements with those of another array of the same shape and element type.
    /// The two arrays share no element, or have the same view. At host level both are row-major and contiguous.
    Copy {
        /// The array written.
        to: Var,
        /// The array read.
        from: Var,
    },
    /// A branch.
    If {
        /// The variables that it binds to the results of the side taken.
        binders: Vec<Var>,
        /// A bool.
        cond: Atom,
        /// The side that runs if the condition is true.
        then: Body<L>,
        /// The side that runs if the condition is false.
        otherwise: Body<L>,
    },
    /// A loop.
    Loop {
        /// The variables that it binds to the last values of the merge parameters.
        binders: Vec<Var>,
        /// The merge parameters with their first values.
        params: Vec<(Var, Atom)>,
        /// The kind of loop, which determines the number of iterations.
        form: LoopForm,
        /// One iteration. Its results are the next values of the merge parameters.
        body: Body<L>,
    },
    /// Ends the program with a message unless the condition holds.
    Assert {
        /// The condition that must hold.
        cond: Atom,
        /// The message if it does not hold.
        message: MessageId,
        /// The scalars of the message.
        args: Vec<Atom>,
    },
    /// Shows values to the user while the program runs. Only at host level.
    Trace {
        /// The label and the types of the values.
        trace: Trace,
        /// The values, in the form of the results of an entry point. The blocks are borrowed.
        args: Vec<Atom>,
    },
    /// Counts which of two versions the next statements run. It has no other effect. Only at host level.
    Choose {
        /// The versions.
        versions: Versions,
        /// A bool: whether the first one runs.
        cond: Atom,
    },
    /// Calls a function of the same level.
    Call {
        /// The variables that it binds to the results.
        binders: Vec<Var>,
        /// The name of the function.
        function: Symbol,
        /// The arguments.
        args: Vec<Argument>,
        /// A message without text. Its path leads to the call, and is added to the backtrace of a failure in the
        /// function.
        site: Option<MessageId>,
    },
    /// Runs a segment.
    Segment(L::Segment),
}

/// The pattern of the statements without nested bodies. A match that lists the others and ends with this pattern is
/// exhaustive, so a new form of statement cannot be forgotten there.
#[macro_export]
macro_rules! stm_without_bodies {
    () => {
        $crate::Stm::Let { .. }
            | $crate::Stm::SineCosine { .. }
            | $crate::Stm::View(_)
            | $crate::Stm::Alloc { .. }
            | $crate::Stm::Constants { .. }
            | $crate::Stm::Load { .. }
            | $crate::Stm::Store { .. }
            | $crate::Stm::Combine { .. }
            | $crate::Stm::Copy { .. }
            | $crate::Stm::Assert { .. }
            | $crate::Stm::Trace { .. }
            | $crate::Stm::Choose { .. }
            | $crate::Stm::Call { .. }
    };
}

/// Whether threads can combine numbers of this type by the operator in one step, or a number of 64 bits in one step for each
/// of its words. Then the operator is associative and commutative.
pub fn is_atomic(op: BinOp, ty: PrimType) -> bool {
    match op {
        BinOp::Add | BinOp::And | BinOp::Or | BinOp::Xor => {
            matches!(ty, PrimType::I32 | PrimType::U32 | PrimType::I64 | PrimType::U64)
        }
        BinOp::Min | BinOp::Max => matches!(ty, PrimType::I32 | PrimType::U32),
        _ => false,
    }
}

/// A scalar expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScalarExp {
    /// The value itself.
    Atom(Atom),
    /// An operator of one operand.
    Unary(UnOp, Atom),
    /// An operator of two operands. The program ensures beforehand that it cannot fail.
    Binary(BinOp, Atom, Atom),
    /// A comparison.
    Compare(CmpOp, Atom, Atom),
    /// A conversion.
    Convert(PrimType, Atom),
    /// The second operand if the first is true, otherwise the third. Both are evaluated.
    Select(Atom, Atom, Atom),
    /// The number of bytes that the arrays of all concurrent threads may take together. The operand is the number of
    /// bytes for one thread (i64). The runtime decides; the value is 0 if one thread alone needs too many. Only at host
    /// level.
    PrivateLimit(Atom),
    /// The value (i64) of the tuning parameter of this name, or this default if the user has not set it. A thread may
    /// read it only if the target has calls, and the body of a workgroup never.
    Param(Symbol, i64),
}

/// The kind of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopForm {
    /// One iteration for each `index` = 0, 1, … below `bound`. Both have the same integer type.
    For {
        /// The counter, bound in the body.
        index: Var,
        /// The number of iterations, if it is positive.
        bound: Atom,
        /// Whether the loop is a reduction: the merge parameters are totals to which each iteration adds its numbers by
        /// commutative operators. So the numbers may be combined in any order.
        reduces: bool,
    },
    /// Iterates while this merge parameter, a bool, is true.
    While(Var),
}

impl ScalarExp {
    /// Whether it has a value for all operands, so that it can be computed speculatively.
    pub fn is_total(&self) -> bool {
        !matches!(
            self,
            ScalarExp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow, ..)
        )
    }

    /// The operands, in order.
    pub fn operands(&self) -> Vec<Atom> {
        match *self {
            ScalarExp::Atom(a)
            | ScalarExp::Unary(_, a)
            | ScalarExp::Convert(_, a)
            | ScalarExp::PrivateLimit(a) => {
                vec![a]
            }
            ScalarExp::Binary(_, a, b) | ScalarExp::Compare(_, a, b) => vec![a, b],
            ScalarExp::Select(c, a, b) => vec![c, a, b],
            ScalarExp::Param(..) => Vec::new(),
        }
    }

    /// The operands in order, as mutable references.
    pub fn operands_mut(&mut self) -> Vec<&mut Atom> {
        match self {
            ScalarExp::Atom(a)
            | ScalarExp::Unary(_, a)
            | ScalarExp::Convert(_, a)
            | ScalarExp::PrivateLimit(a) => {
                vec![a]
            }
            ScalarExp::Binary(_, a, b) | ScalarExp::Compare(_, a, b) => vec![a, b],
            ScalarExp::Select(c, a, b) => vec![c, a, b],
            ScalarExp::Param(..) => Vec::new(),
        }
    }
}
