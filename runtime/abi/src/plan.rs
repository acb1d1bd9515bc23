//! The launch plan: a GPU program as data.
//!
//! The compiler writes it and the runtime runs it. A *block* is an array in device memory, not a group of threads, which
//! is called a workgroup. The *host program* holds
//! scalars and handles of blocks. It computes sizes, allocates blocks, launches kernels and reads back single elements.
//! Only kernels write to blocks. Each kernel first tests one status word on the device, so after a failure nothing more
//! is written.
//!
//! ## The interface between kernel and runtime
//!
//! * Binding 0 of group 0 is the status ([`status`]), binding 1 the parameters ([`param_layout`]),
//!   and from binding 2 on come the blocks of [`Kernel::bindings`].
//! * A launch runs for every *point* of an index space. [`Grid::of`] divides the points into workgroups, numbered
//!   along x first and then along y. Workers (threads, or whole workgroups: [`Worker`]) are numbered in the same order. The
//!   last workgroups may have workers without points, so each worker compares its number with the number of points. The
//!   second parameter is the number of the launch's first workgroup, so that one workgroup can run alone.
//! * In a block and among the parameters, a value takes [`device_bytes`]: its own width, but at least 4 bytes. A bool is
//!   a `u32`.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use serde::{Deserialize, Serialize};

use crate::{Data, Messages, Signature, Trace, Versions};

/// A program for a GPU.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The entry points; names are unique.
    pub entries: Vec<Entry>,
    /// The kernels; launches name them by number.
    pub kernels: Vec<Kernel>,
    /// The messages of assertions, which name them by number.
    pub messages: Messages,
    /// The traces, which steps name by number.
    pub traces: Vec<Trace>,
    /// The versions between which steps choose, which name them by number.
    pub versions: Vec<Versions>,
    /// Blocks that the program only reads; steps name them by number.
    pub constants: Vec<Data>,
    /// The names of the tuning parameters; expressions name them by number.
    pub parameters: Vec<String>,
}

/// The host program of an entry point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The parameters and results.
    pub signature: Signature,
    /// The number of slots that the host program uses.
    pub slots: usize,
    /// The slots of the sizes of the parameters (i64). The signature numbers the sizes; element `i` is the slot of size
    /// `i`.
    pub sizes: Vec<Slot>,
    /// The slots of the parameters.
    pub params: Vec<Slot>,
    /// The steps. For each array among the results of the signature, the body returns the sizes (i64) and then the
    /// block, which holds the array in row-major order from position 0. For a scalar it returns the scalar.
    pub body: Body,
}

/// A variable of the host program, which holds a scalar or a handle of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(pub u32);

/// An operand: the content of a slot, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operand {
    /// The content of the slot.
    Slot(Slot),
    /// A scalar.
    Const(PrimValue),
}

/// Steps and their results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The results.
    pub results: Vec<Operand>,
    /// The slots whose blocks are released at the end of this body, after the results are taken.
    pub releases: Vec<Slot>,
}

/// A scalar expression, with the semantics of [`ravel_prim`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Exp {
    /// The operand itself.
    Operand(Operand),
    /// An operator of one operand.
    Unary(UnOp, Operand),
    /// An operator of two operands.
    Binary(BinOp, Operand, Operand),
    /// A comparison.
    Compare(CmpOp, Operand, Operand),
    /// A conversion.
    Convert(PrimType, Operand),
    /// The second operand if the first is true, otherwise the third.
    Select(Operand, Operand, Operand),
    /// The number of bytes that the private arrays of all concurrent threads may take together. The operand is the
    /// number of bytes for one thread (i64). The value is 0 if one thread alone needs too many. The runtime decides.
    PrivateLimit(Operand),
    /// The value of the tuning parameter of this number (i64), or this default.
    Param(u32, i64),
}

/// A step of the host program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Puts a scalar into a slot.
    Let {
        /// The slot.
        slot: Slot,
        /// Its value.
        exp: Exp,
    },
    /// Puts a new block into a slot.
    Alloc {
        /// The slot.
        slot: Slot,
        /// The type of the elements.
        elem: PrimType,
        /// The number of elements (i64, not negative).
        count: Operand,
        /// The number of the message with the place that needs the block, for the backtrace if there is too little
        /// memory.
        site: Option<usize>,
    },
    /// Puts a block of constants into a slot. No kernel writes to it.
    Constants {
        /// The slot.
        slot: Slot,
        /// The number of the block.
        number: usize,
    },
    /// Runs a kernel.
    Launch(Launch),
    /// Reads an element of a block back into a slot. Consecutive loads share one read-back, unless one needs the result
    /// of another.
    Load {
        /// The slot.
        slot: Slot,
        /// The type of the element.
        elem: PrimType,
        /// The block.
        block: Slot,
        /// Position of the element (i64).
        index: Operand,
    },
    /// A branch.
    If {
        /// The slots of the results of the branch that is taken.
        binders: Vec<Slot>,
        /// The condition, a bool.
        cond: Operand,
        /// The branch for a true condition.
        then: Body,
        /// The branch for a false condition.
        otherwise: Body,
    },
    /// A loop.
    Loop {
        /// The slots of the final values of the merge parameters.
        binders: Vec<Slot>,
        /// The merge parameters with their initial values.
        params: Vec<(Slot, Operand)>,
        /// The loop's condition.
        form: LoopForm,
        /// One iteration. Its results are the next values of the merge parameters.
        body: Body,
    },
    /// Ends the program with a message unless the condition holds.
    Assert {
        /// The condition, a bool.
        cond: Operand,
        /// The number of the message.
        message: usize,
        /// The scalars of the message.
        args: Vec<Operand>,
    },
    /// Counts which of two versions runs.
    Choose {
        /// The number of the versions.
        versions: usize,
        /// A bool: whether the first one runs.
        cond: Operand,
    },
    /// Shows values to the user.
    Trace {
        /// The number of the trace.
        trace: usize,
        /// Its values, in the layout of results.
        values: Vec<Operand>,
    },
}

/// The condition of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LoopForm {
    /// It runs for `index` = 0, 1, … below `bound`. Both have the same integer type.
    For {
        /// The counter.
        index: Slot,
        /// The upper bound of the counter, exclusive.
        bound: Operand,
    },
    /// It runs while this merge parameter, a bool, is true.
    While(Slot),
}

/// A launch: enough workgroups for all points; each worker takes `chunk` points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// The number of the kernel.
    pub kernel: usize,
    /// The sizes of the index space (i64). If their product is zero nothing is launched.
    pub points: Vec<Operand>,
    /// The number of points that each worker takes (i64, at least 1).
    pub chunk: Operand,
    /// The index spaces (i64 sizes) that workgroups run over inside the kernel. Each must have at most [`MAX_POINTS`]
    /// points.
    pub inner: Vec<Vec<Operand>>,
    /// The blocks, in the order of the kernel's bindings.
    pub blocks: Vec<Slot>,
    /// The scalars, in the order of the kernel's parameters.
    pub scalars: Vec<Operand>,
}

/// A kernel: one WGSL module with one entry point, [`ENTRY_POINT`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// The name, for messages and profiles.
    pub name: String,
    /// The place in the source that it comes from.
    pub place: Option<String>,
    /// The module.
    pub wgsl: String,
    /// Another module for devices with subgroups, if there is one. It computes the same, bit for bit, and needs only
    /// subgroups and what `wgsl` needs.
    pub with_subgroups: Option<String>,
    /// Threads in a workgroup.
    pub workgroup: u32,
    /// The bytes of memory that each workgroup needs.
    pub workgroup_bytes: u32,
    /// The unit that computes a point.
    pub worker: Worker,
    /// The blocks it uses, from binding [`FIRST_BLOCK`] on.
    pub bindings: Vec<Binding>,
    /// The types of the scalars it takes.
    pub params: Vec<PrimType>,
    /// Whether it needs 64-bit integers.
    pub needs_i64: bool,
    /// Whether it needs 64-bit floating-point numbers.
    pub needs_f64: bool,
}

/// The unit that computes a point of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Worker {
    /// Each thread takes a chunk of points.
    Thread,
    /// Each workgroup takes a chunk of points, with all its threads.
    Workgroup,
}

impl Kernel {
    /// The number of workers in a workgroup.
    pub fn workers(&self) -> u32 {
        match self.worker {
            Worker::Thread => self.workgroup,
            Worker::Workgroup => 1,
        }
    }
}

/// A block that a kernel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The type of the elements.
    pub elem: PrimType,
    /// Whether the kernel writes to it.
    pub written: bool,
}

/// The name of the entry point of every module.
pub const ENTRY_POINT: &str = "main";

/// The binding of the status.
pub const STATUS: u32 = 0;

/// The binding of the parameters.
pub const PARAMS: u32 = 1;

/// The binding of the first block.
pub const FIRST_BLOCK: u32 = 2;

/// The most workgroups in one dimension of a grid.
pub const GRID_SIDE: u64 = 65_535;

/// The most points of a launch. Points have 32-bit numbers; the last 2^16 numbers are for workers past the last point.
pub const MAX_POINTS: u64 = (1 << 32) - (1 << 16);

/// The words (u32) of the status.
///
/// When a point fails, a thread lowers [`POINT`](status::POINT) to the number of the point and then writes the number of
/// the launch, which is a parameter, to [`LAUNCH`](status::LAUNCH). A kernel that finds the number of
/// another launch there does nothing. Only for the [reporter](status::REPORTER) the thread also writes the number of the
/// message and its arguments. At first the reporter is point 0. To get the message of another point, the runtime makes that
/// point the reporter and runs its workgroup again. The result is the same,
/// because in a kernel that can fail, a point reads an element of a changed block only after it has stored to that element
/// itself.
pub mod status {
    /// The number of the launch that failed; 0 if none failed.
    pub const LAUNCH: u32 = 0;
    /// The lowest number of a point that failed.
    pub const POINT: u32 = 1;
    /// The number of the reporter plus one; 0 if there is none.
    pub const REPORTER: u32 = 2;
    /// The number of the reporter's message.
    pub const MESSAGE: u32 = 3;
    /// The position of the first argument. Each argument is zero-extended to two words, low word first.
    pub const ARGUMENTS: u32 = 4;
    /// The maximum number of arguments.
    pub const MAX_ARGUMENTS: usize = 14;
    /// The number of words of the status.
    pub const WORDS: usize = ARGUMENTS as usize + 2 * MAX_ARGUMENTS;
}

/// The number of bytes of one element in a block, or of one scalar among the parameters.
pub fn device_bytes(ty: PrimType) -> usize {
    ty.bytes().max(4)
}

/// The offset of the parameter that is the number of the first workgroup.
pub const FIRST_GROUP: usize = 4;

/// The offsets of the scalars among the parameters, and the total size in bytes. The number of the launch (u32) is at 0, and
/// the number of its first workgroup (u32) at [`FIRST_GROUP`]. Each scalar follows at the next multiple of its size.
pub fn param_layout(params: &[PrimType]) -> (Vec<usize>, usize) {
    let mut end = FIRST_GROUP + 4;
    let offsets = params.iter().map(|&ty| {
        let offset = usize::next_multiple_of(end, device_bytes(ty));
        end = offset + device_bytes(ty);
        offset
    });
    (offsets.collect(), end.next_multiple_of(16))
}

/// The workgroups of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of workgroups along x.
    pub x: u32,
    /// The number of workgroups along y.
    pub y: u32,
    /// The number of points that each workgroup takes.
    pub span: u64,
}

impl Grid {
    /// The grid for `points` points, with `chunk` points for each worker and `workers` workers in each workgroup.
    /// `None` if the points or the workers are too many to number them in 32 bits. A worker past the last point must have a
    /// number too.
    pub fn of(points: u64, chunk: u64, workers: u32) -> Option<Grid> {
        let span = chunk.max(1).saturating_mul(u64::from(workers));
        let groups = points.div_ceil(span);
        let y = groups.div_ceil(GRID_SIDE).max(1);
        let x = groups.div_ceil(y);
        let numbers = x * y * u64::from(workers);
        if points > MAX_POINTS || numbers > u64::from(u32::MAX) {
            return None;
        }
        Some(Grid { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()?, span })
    }

    /// The number of the workgroup that takes this point.
    pub fn group_of(&self, point: u32) -> u32 {
        // At most `point`, since the span is at least 1.
        (u64::from(point) / self.span.max(1)) as u32
    }
}

impl Exp {
    /// The value of the expression, given the slots, the limit on private arrays and the tuning parameters. `None` if a slot
    /// holds no scalar or the operation fails; the compiler rules out both.
    pub fn eval(
        &self,
        scalar: impl Fn(Operand) -> Option<PrimValue>,
        private_limit: impl Fn(i64) -> i64,
        parameter: impl Fn(u32) -> Option<i64>,
    ) -> Option<PrimValue> {
        match *self {
            Exp::Operand(a) => scalar(a),
            Exp::Unary(op, a) => ravel_prim::unary(op, scalar(a)?),
            Exp::Binary(op, a, b) => ravel_prim::binary(op, scalar(a)?, scalar(b)?),
            Exp::Compare(op, a, b) => ravel_prim::compare(op, scalar(a)?, scalar(b)?).map(PrimValue::Bool),
            Exp::Convert(ty, a) => Some(ravel_prim::convert(scalar(a)?, ty)),
            Exp::Select(cond, yes, no) => scalar(if scalar(cond)?.as_bool()? { yes } else { no }),
            Exp::PrivateLimit(one) => Some(PrimValue::I64(private_limit(scalar(one)?.as_i64()?))),
            Exp::Param(number, default) => Some(PrimValue::I64(parameter(number).unwrap_or(default))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_aligned_to_their_size() {
        let (offsets, bytes) = param_layout(&[PrimType::Bool, PrimType::I64, PrimType::F32, PrimType::F64]);
        assert_eq!((offsets, bytes), (vec![8, 16, 24, 32], 48));
        assert_eq!(param_layout(&[]), (vec![], 16));
    }

    #[test]
    fn grids_wrap_at_the_side_limit_and_cover_every_point() {
        assert_eq!(Grid::of(1, 1, 256), Some(Grid { x: 1, y: 1, span: 256 }));
        assert_eq!(Grid::of(257, 1, 256), Some(Grid { x: 2, y: 1, span: 256 }));
        assert_eq!(Grid::of(65_535 * 256, 1, 256), Some(Grid { x: 65_535, y: 1, span: 256 }));
        assert_eq!(Grid::of(65_535 * 256 + 1, 1, 256), Some(Grid { x: 32_768, y: 2, span: 256 }));
        assert_eq!(Grid::of(65_536, 1, 1), Some(Grid { x: 32_768, y: 2, span: 1 }));
        assert_eq!(Grid::of(1000, u64::MAX, 256), Some(Grid { x: 1, y: 1, span: u64::MAX }));
        assert_eq!(Grid::of(1 << 32, 16, 256), None);
    }

    #[test]
    fn each_point_has_a_workgroup() {
        let group = |points, chunk, point| Grid::of(points, chunk, 256).map(|grid| grid.group_of(point));
        assert_eq!([255, 256, 700].map(|point| group(1000, 1, point)), [Some(0), Some(1), Some(2)]);
        assert_eq!([767, 768].map(|point| group(1000, 3, point)), [Some(0), Some(1)]);
        assert_eq!(group(1000, u64::MAX, 999), Some(0));
    }
}
