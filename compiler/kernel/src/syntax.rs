//! The syntax of kernel IR: a host program whose parallel statements are segments, with memory explicit.
//!
//! * **Values are scalars and blocks.** Only they flow through branches, loops, parameters and
//!   results. A *block* is a stretch of memory of one element type. An *array* is a name for a
//!   *view*: a block with an index function (offset and strides, in elements); it is introduced
//!   by [`Stm::View`] and used by loads, stores and copies only.
//! * **Levels are types.** A [`Body`] of [`Host`] holds [`GridSegment`]s, whose points are threads or blocks; a body
//!   of [`Block`] holds [`BlockSegment`]s, whose points are threads of that block; a body of [`Thread`] holds none.
//! * **A block body is uniform.** Threads bind nothing that outlives them, so every scalar of a block body, every
//!   branch and every loop is the same for all threads of the block. Threads meet between two block segments and
//!   nowhere else; no statement says so.
//! * **Functions have one level.** A body calls functions of its own level. A block that crosses to a
//!   function is borrowed: the caller keeps its reference. One that comes back is the caller's.
//! * **Order is meaning.** Statements run in order; a failed [`Stm::Assert`] ends the program
//!   with its message. Unlike in core IR nothing may move across a store or an assertion unless
//!   it is known not to matter.
//! * **Blocks are owned by scopes.** Every binder of block type holds one reference, given back
//!   at the end of its body; results keep theirs. Backends and runtimes implement this; no
//!   statement says it.

mod level;
mod segment;

use ravel_base::{CallPath, IdMap, Span, Symbol, define_id};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

pub use self::level::*;
pub use self::segment::*;
pub use ravel_abi::{MessagePart, ResultType};

define_id!(
    /// A variable, unique in its entry point or function.
    Var, "v"
);

define_id!(
    /// A failure message of the program.
    MessageId, "message"
);

/// What an entry point or a function knows of its variables.
pub type VarTable = IdMap<Var, VarInfo>;

/// What is known of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarInfo {
    /// The name in the source, if it had one; only a hint for readers.
    pub hint: Option<Symbol>,
    /// What it stands for.
    pub ty: Type,
}

/// What a variable stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A scalar value.
    Scalar(PrimType),
    /// A handle of a block of memory.
    Block(BlockType),
    /// A name for a view. Never a value: not an atom, not a parameter, not a result.
    Array(View),
}

/// The type of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockType {
    /// The type of its elements.
    pub elem: PrimType,
    /// Where it lives.
    pub space: Space,
}

/// Where a block lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// In the memory of the device; of any size.
    Device,
    /// In the memory that the threads of one block share; bound by a block body, and gone with it.
    Workgroup,
    /// In the private memory of one thread; of constant size.
    Private,
}

impl BlockType {
    /// How many bytes of workgroup memory an element takes on a GPU: no less than a word.
    pub fn workgroup_bytes(self) -> i64 {
        self.elem.bytes().max(4) as i64
    }
}

/// An array as a view of a block: element `i, j, …` lies at `offset + i*strides[0] + j*strides[1] + …`.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The type of the elements.
    pub elem: PrimType,
    /// The sizes (i64), outermost first. None: a view of one element.
    pub shape: Vec<Atom>,
    /// The block.
    pub block: Var,
    /// Position of the first element (i64).
    pub offset: Atom,
    /// Distance between neighbours (i64), one a dimension.
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
    /// What assertions say.
    pub messages: IdMap<MessageId, Message>,
}

/// What a failed assertion says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Literal text, and the types of the scalars that the assertion gives, in turn as they come.
    pub parts: Vec<MessagePart>,
    /// The place to blame, and the calls that lead there.
    pub path: Option<CallPath>,
}

/// What a trace shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What the source calls it.
    pub label: Symbol,
    /// The place in the source.
    pub span: Option<Span>,
    /// The types of the values.
    pub values: Vec<ResultType>,
}

/// An entry point: the host program that a caller starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name a caller uses.
    pub name: Symbol,
    /// What is known of the variables.
    pub vars: VarTable,
    /// The distinct sizes (i64 scalars) of the parameters. The runtime finds them in the
    /// arguments' shapes and checks that all agree.
    pub sizes: Vec<Var>,
    /// The values a caller gives.
    pub params: Vec<Param>,
    /// The values a caller gets.
    pub results: Vec<ResultType>,
    /// The code. Its result is, for each of `results`: of a scalar, the scalar; of an array, its
    /// sizes (i64) followed by its block, which holds it row-major from position 0.
    pub body: Body<Host>,
}

/// A value that a caller gives.
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
    /// Of constructor numbers of a sum type: how many constructors there are. The runtime checks the numbers.
    pub constructors: Option<u32>,
}

/// A function. It may call itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<L: Level> {
    /// The name.
    pub name: Symbol,
    /// What is known of the variables.
    pub vars: VarTable,
    /// The scalars and blocks that it takes.
    pub params: Vec<FunctionParam>,
    /// The types of the scalars and blocks that it gives.
    pub results: Vec<Type>,
    /// The code.
    pub body: Body<L>,
}

/// A scalar or a block that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionParam {
    /// What stands for it in the function.
    pub var: Var,
    /// True when the function may overwrite the block.
    pub consumed: bool,
}

/// A scalar or a block that is handed to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The value.
    pub value: Atom,
    /// True when the function may overwrite the block.
    pub consumed: bool,
}

/// Statements, and the scalars and blocks they come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<L: Level> {
    /// The statements, in order.
    pub stms: Vec<Stm<L>>,
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
        /// What it is.
        exp: ScalarExp,
    },
    /// Binds two scalars: the sine and the cosine of one angle, as the two operators give them. A library reduces the
    /// angle once for both.
    SineCosine {
        /// The sine.
        sine: Var,
        /// The cosine.
        cosine: Var,
        /// The angle in radians, an f32 or f64.
        angle: Atom,
    },
    /// Introduces an array: the view that the table states for it.
    View(Var),
    /// Binds a block with room for `count` (i64, not negative) elements, unspecified at first.
    Alloc {
        /// The block; the table states its type.
        block: Var,
        /// How many elements. A constant for private blocks, and for workgroup blocks where the target's
        /// workgroups have little memory; otherwise those have a count that is bound before the grid segment.
        count: Atom,
    },
    /// Binds a block of device memory that holds these constants. Nobody writes to it, and it is no
    /// value: it is read through views alone. Only at host level.
    Constants {
        /// The block; the table states its type.
        block: Var,
        /// The elements.
        values: Vec<PrimValue>,
    },
    /// Binds a scalar to an element. At host level of a device with its own memory this is a read-back.
    Load {
        /// The scalar.
        var: Var,
        /// The array.
        array: Var,
        /// One i64 a dimension, in bounds.
        indices: Vec<Atom>,
    },
    /// Overwrites an element.
    Store {
        /// The array.
        array: Var,
        /// One i64 a dimension, in bounds.
        indices: Vec<Atom>,
        /// The new element.
        value: Atom,
    },
    /// Overwrites all elements with those of another array of the same shape and element type.
    /// The two share no element, or are the same view. At host level both are row-major and contiguous.
    Copy {
        /// The array written.
        to: Var,
        /// The array read.
        from: Var,
    },
    /// A branch.
    If {
        /// What it binds: the results of the side taken.
        binders: Vec<Var>,
        /// A bool.
        cond: Atom,
        /// When it is true.
        then: Body<L>,
        /// When it is false.
        otherwise: Body<L>,
    },
    /// A loop.
    Loop {
        /// What it binds: the last values of the merge parameters.
        binders: Vec<Var>,
        /// The merge parameters with their first values.
        params: Vec<(Var, Atom)>,
        /// How often.
        form: LoopForm,
        /// One round: gives the next values of the merge parameters.
        body: Body<L>,
    },
    /// Ends the program with a message unless the condition holds.
    Assert {
        /// What must hold.
        cond: Atom,
        /// What to say otherwise.
        message: MessageId,
        /// The scalars of the message.
        args: Vec<Atom>,
    },
    /// Shows values to whoever watches the program run. Only at host level.
    Trace {
        /// What they are.
        trace: Trace,
        /// The values, given as the results of an entry point are; the blocks are borrowed.
        args: Vec<Atom>,
    },
    /// Runs a function of the same level.
    Call {
        /// What it binds: the results.
        binders: Vec<Var>,
        /// The name of the function.
        function: Symbol,
        /// What the function takes.
        args: Vec<Argument>,
        /// A message without text, whose path leads to the call. Failures in the function go on there.
        site: Option<MessageId>,
    },
    /// Runs a segment.
    Segment(L::Segment),
}

/// A scalar expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarExp {
    /// The value itself.
    Atom(Atom),
    /// An operator of one operand.
    Unary(UnOp, Atom),
    /// An operator of two operands; what makes it fail was excluded before.
    Binary(BinOp, Atom, Atom),
    /// A comparison.
    Compare(CmpOp, Atom, Atom),
    /// A conversion.
    Convert(PrimType, Atom),
    /// The second if the first is true, else the third; both are already known.
    Select(Atom, Atom, Atom),
    /// How many bytes the arrays of the threads that run side by side may take together, where those
    /// of one thread take so many (i64): what the runtime says, 0 if a single thread's are too much.
    /// Only at host level.
    Room(Atom),
    /// The value (i64) that the tuning parameter of this name is set to from outside, or this one where it is not. Where
    /// the target has no calls, only at host level.
    Param(Symbol, i64),
}

/// How often a loop goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopForm {
    /// With `index` = 0, 1, … below `bound`, both of one integer type.
    For {
        /// The counter, bound in the body.
        index: Var,
        /// Where to stop.
        bound: Atom,
    },
    /// While this merge parameter, a bool, is true.
    While(Var),
}

impl ScalarExp {
    /// The operands, in order.
    pub fn operands(&self) -> Vec<Atom> {
        match *self {
            ScalarExp::Atom(a) | ScalarExp::Unary(_, a) | ScalarExp::Convert(_, a) | ScalarExp::Room(a) => {
                vec![a]
            }
            ScalarExp::Binary(_, a, b) | ScalarExp::Compare(_, a, b) => vec![a, b],
            ScalarExp::Select(c, a, b) => vec![c, a, b],
            ScalarExp::Param(..) => Vec::new(),
        }
    }

    /// The operands, in order, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Atom> {
        match self {
            ScalarExp::Atom(a) | ScalarExp::Unary(_, a) | ScalarExp::Convert(_, a) | ScalarExp::Room(a) => {
                vec![a]
            }
            ScalarExp::Binary(_, a, b) | ScalarExp::Compare(_, a, b) => vec![a, b],
            ScalarExp::Select(c, a, b) => vec![c, a, b],
            ScalarExp::Param(..) => Vec::new(),
        }
    }
}
