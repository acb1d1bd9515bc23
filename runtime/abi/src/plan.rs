//! The launch plan: a GPU program as data.
//!
//! A compiler writes it, a runtime runs it. The *host program* holds scalars and handles of
//! blocks, never elements: it computes sizes, allocates, launches kernels and reads back single
//! elements. Only kernels write to blocks. Each kernel first tests one status word on the device, so after a
//! failure nothing more is written.
//!
//! ## The interface between kernel and runtime
//!
//! * Binding 0 of group 0 is the status ([`status`]), binding 1 the parameters ([`param_layout`]),
//!   and from binding 2 on come the blocks of [`Kernel::bindings`].
//! * [`Grid::of`] divides a launch into workgroups: threads are numbered through workgroups in x, then in y.
//!   There may be a few more threads than points; the kernel checks its own number. The second parameter is the
//!   number of the launch's first workgroup, so that one workgroup can run alone.
//! * A bool takes a `u32` in a block and among the parameters; every other type its own width.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use serde::{Deserialize, Serialize};

use crate::{Data, Messages, Signature, Trace};

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
    /// How many slots the host program uses.
    pub slots: usize,
    /// The slots of the parameters' sizes (i64), in the order of the signature's numbers.
    pub sizes: Vec<Slot>,
    /// The slots of the parameters.
    pub params: Vec<Slot>,
    /// The steps. The results are, for each result of the signature, its sizes (i64) followed by
    /// its block, which holds it row-major from position 0; of a scalar the scalar alone.
    pub body: Body,
}

/// A place of the host program that holds a scalar or a handle of a block.
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
    /// Slots with blocks that end with this body, once the results are taken.
    pub releases: Vec<Slot>,
}

/// A scalar expression; its meaning is that of [`ravel_prim`]'s evaluator.
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
    /// The second if the first is true, else the third.
    Select(Operand, Operand, Operand),
    /// How many bytes the private arrays of concurrent threads may take together, given those of one thread (i64); 0
    /// if one thread's are too many. The runtime decides.
    Room(Operand),
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
        /// How many (i64, not negative).
        count: Operand,
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
    /// Puts an element of a block into a slot: a read-back. Neighbouring ones make one.
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
        /// The slots of the results of the side taken.
        binders: Vec<Slot>,
        /// A bool.
        cond: Operand,
        /// When it is true.
        then: Body,
        /// When it is false.
        otherwise: Body,
    },
    /// A loop.
    Loop {
        /// The slots of the last values of the merge parameters.
        binders: Vec<Slot>,
        /// The merge parameters with their first values.
        params: Vec<(Slot, Operand)>,
        /// How often.
        form: LoopForm,
        /// One round: gives the next values of the merge parameters.
        body: Body,
    },
    /// Ends the program with a message unless the condition holds.
    Assert {
        /// A bool.
        cond: Operand,
        /// The number of the message.
        message: usize,
        /// The scalars of the message.
        args: Vec<Operand>,
    },
    /// Shows values.
    Trace {
        /// The number of the trace.
        trace: usize,
        /// Its values, laid out as those of results.
        values: Vec<Operand>,
    },
}

/// How often a loop goes round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LoopForm {
    /// With `index` = 0, 1, … below `bound`, both of one integer type.
    For {
        /// The counter.
        index: Slot,
        /// Where to stop.
        bound: Operand,
    },
    /// While this merge parameter, a bool, is true.
    While(Slot),
}

/// A launch: enough workgroups for all points; each thread takes `chunk` points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// The number of the kernel.
    pub kernel: usize,
    /// The sizes of the index space (i64). If their product is zero nothing is launched.
    pub points: Vec<Operand>,
    /// How many points a thread takes (i64, at least 1).
    pub chunk: Operand,
    /// The blocks, in the order of the kernel's bindings.
    pub blocks: Vec<Slot>,
    /// The scalars, in the order of the kernel's parameters.
    pub scalars: Vec<Operand>,
}

/// A kernel: one WGSL module with one entry point, [`ENTRY_POINT`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// A name for readers.
    pub name: String,
    /// Where in the source it comes from.
    pub place: Option<String>,
    /// The module.
    pub wgsl: String,
    /// Threads in a workgroup.
    pub workgroup: u32,
    /// The blocks it uses, from binding [`FIRST_BLOCK`] on.
    pub bindings: Vec<Binding>,
    /// The types of the scalars it takes.
    pub params: Vec<PrimType>,
    /// It needs 64-bit integers.
    pub needs_i64: bool,
    /// It needs 64-bit floating-point numbers.
    pub needs_f64: bool,
}

/// A block that a kernel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The type of the elements.
    pub elem: PrimType,
    /// True when the kernel writes to it.
    pub written: bool,
}

/// The name of the entry point of every module.
pub const ENTRY_POINT: &str = "main";

/// The default number of threads in a workgroup.
pub const WORKGROUP: u32 = 256;

/// The binding of the status.
pub const STATUS: u32 = 0;

/// The binding of the parameters.
pub const PARAMS: u32 = 1;

/// The binding of the first block.
pub const FIRST_BLOCK: u32 = 2;

/// The most workgroups in one dimension of a grid.
pub const GRID_SIDE: u64 = 65_535;

/// The most points of a launch.
pub const MOST_POINTS: u64 = (1 << 32) - (1 << 16);

/// The words (u32) of the status.
///
/// A failing thread lowers [`PLACE`](status::PLACE) to its own number and then writes the number of its
/// launch, which is a parameter, to [`LAUNCH`](status::LAUNCH). A kernel that finds the number of
/// another launch there does nothing. Only the [reporter](status::REPORTER) writes the number of its message and its
/// arguments when it fails. At first that is thread 0. For another thread's message, the runtime makes that thread
/// the reporter and runs its workgroup again. The result is the same, since a kernel reads nothing that its launch changes.
pub mod status {
    /// The number of the launch that failed; 0: none.
    pub const LAUNCH: u32 = 0;
    /// The least number of a thread that failed.
    pub const PLACE: u32 = 1;
    /// The number of the reporter plus one; 0: none.
    pub const REPORTER: u32 = 2;
    /// The number of its message.
    pub const MESSAGE: u32 = 3;
    /// The arguments from this word on, each zero-extended to two words, low word first.
    pub const ARGUMENTS: u32 = 4;
    /// How many arguments there is room for.
    pub const MOST_ARGUMENTS: usize = 14;
    /// How many words there are.
    pub const WORDS: usize = ARGUMENTS as usize + 2 * MOST_ARGUMENTS;
}

/// Bytes of one element in a block or of one scalar among the parameters.
pub fn device_bytes(ty: PrimType) -> usize {
    ty.bytes().max(4)
}

/// The offset of the number of the first workgroup among the parameters.
pub const FIRST_GROUP: usize = 4;

/// The offsets of the parameters and their total size in bytes: the number of the launch (u32) at 0, that of
/// its first workgroup (u32) at [`FIRST_GROUP`], then each scalar at the next multiple of its size.
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
    /// In x.
    pub x: u32,
    /// In y.
    pub y: u32,
    /// How many points one of them takes.
    pub span: u64,
}

impl Grid {
    /// The grid for `points` points, `chunk` a thread, in workgroups of `workgroup` threads.
    /// `None` when the points or the threads cannot be numbered in 32 bits with room to step over the end.
    pub fn of(points: u64, chunk: u64, workgroup: u32) -> Option<Grid> {
        let span = chunk.max(1).saturating_mul(u64::from(workgroup));
        let groups = points.div_ceil(span);
        let y = groups.div_ceil(GRID_SIDE).max(1);
        let x = groups.div_ceil(y);
        let threads = x * y * u64::from(workgroup);
        if points > MOST_POINTS || threads > u64::from(u32::MAX) {
            return None;
        }
        Some(Grid { x: u32::try_from(x).ok()?, y: u32::try_from(y).ok()?, span })
    }

    /// The number of the workgroup that takes the point of this number.
    pub fn group_of(&self, point: u32) -> u32 {
        // At most `point`, since the span is at least 1.
        (u64::from(point) / self.span.max(1)) as u32
    }
}

impl Exp {
    /// The value, given the slots, the room for private arrays and the tuning parameters. `None` when a slot holds no
    /// scalar or the operation fails, which the compiler excludes.
    pub fn eval(
        &self,
        scalar: impl Fn(Operand) -> Option<PrimValue>,
        room: impl Fn(i64) -> i64,
        parameter: impl Fn(u32) -> Option<i64>,
    ) -> Option<PrimValue> {
        match *self {
            Exp::Operand(a) => scalar(a),
            Exp::Unary(op, a) => ravel_prim::unary(op, scalar(a)?),
            Exp::Binary(op, a, b) => ravel_prim::binary(op, scalar(a)?, scalar(b)?),
            Exp::Compare(op, a, b) => ravel_prim::compare(op, scalar(a)?, scalar(b)?).map(PrimValue::Bool),
            Exp::Convert(ty, a) => Some(ravel_prim::convert(scalar(a)?, ty)),
            Exp::Select(cond, yes, no) => scalar(if scalar(cond)?.as_bool()? { yes } else { no }),
            Exp::Room(one) => Some(PrimValue::I64(room(scalar(one)?.as_i64()?))),
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
    fn grids_fold_at_the_side_and_hold_every_point() {
        assert_eq!(Grid::of(1, 1, 256), Some(Grid { x: 1, y: 1, span: 256 }));
        assert_eq!(Grid::of(257, 1, 256), Some(Grid { x: 2, y: 1, span: 256 }));
        assert_eq!(Grid::of(65_535 * 256, 1, 256), Some(Grid { x: 65_535, y: 1, span: 256 }));
        assert_eq!(Grid::of(65_535 * 256 + 1, 1, 256), Some(Grid { x: 32_768, y: 2, span: 256 }));
        assert_eq!(Grid::of(1000, u64::MAX, 256), Some(Grid { x: 1, y: 1, span: u64::MAX }));
        assert_eq!(Grid::of(1 << 32, 16, 256), None);
    }

    #[test]
    fn a_point_tells_its_workgroup() {
        let group = |points, chunk, point| Grid::of(points, chunk, 256).map(|grid| grid.group_of(point));
        assert_eq!([255, 256, 700].map(|point| group(1000, 1, point)), [Some(0), Some(1), Some(2)]);
        assert_eq!([767, 768].map(|point| group(1000, 3, point)), [Some(0), Some(1)]);
        assert_eq!(group(1000, u64::MAX, 999), Some(0));
    }
}
