//! The layout of native code, which the code generator writes and the CPU runtime loads.
//!
//! A [`Blob`] is position-independent and imports nothing: its functions call each other by number, and call the
//! runtime only through the [`Context`]. There are four kinds of functions:
//!
//! * a [`HostFunction`] for each entry point: the host program;
//! * a [`SegmentFunction`] for each parallel phase, started by number through [`Context::fork`]:
//!   it runs the points `first..last` of one chunk;
//! * a [`StripFunction`] for each segment whose points run in wide vectors, in one version for each kind of processor.
//!   When the program is loaded, the runtime chooses the last version whose instructions the processor has;
//! * functions of the program, which only generated code calls, by number through [`Context::functions`].
//!
//! **Values** are passed as 64-bit words: a scalar as its zero-extended representation, a block as the address of its
//! first byte. **A block** is reference-counted memory of the runtime, aligned to [`BLOCK_ALIGNMENT`]; the code owns
//! the references that it gets from `allocate` and `retain`. On failure the code returns immediately and the runtime
//! frees all its blocks.
//!
//! All functions except those for strips return a status. If it is not [`OK`], the caller returns it too.
//!
//! Two numbers are passed from function to function: the stack limit of the thread, which is an address, and the number of
//! calls that may still nest, which begins at [`MAX_CALLS`](crate::MAX_CALLS). If the frame of a function of the program
//! would reach below the limit, or the number is negative, the function calls [`Context::out_of_stack`] and fails. The
//! space below the limit is for the other functions and the services.

use ravel_prim::{BinOp, UnOp};
use serde::{Deserialize, Serialize};

use crate::{Messages, SegmentName, Signature, Trace, Versions};

/// Success.
pub const OK: u32 = 0;
/// The program failed; the runtime has recorded the failure.
pub const FAILED: u32 = 1;
/// The stop flag was set.
pub const STOPPED: u32 = 2;

/// Blocks begin at multiples of this many bytes.
pub const BLOCK_ALIGNMENT: usize = 64;

/// A compiled program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    /// Blocks of constants, then machine code; to be loaded at a multiple of a page.
    pub code: Vec<u8>,
    /// The processor features that the code uses, in Cranelift's names, such as `has_avx2`.
    pub features: Vec<String>,
    /// The entry points.
    pub entries: Vec<EntryPoint>,
    /// The offset in `code` of each function of the program.
    pub functions: Vec<usize>,
    /// The offset in `code` of each [`SegmentFunction`].
    pub segments: Vec<usize>,
    /// The versions of each [`StripFunction`].
    pub strips: Vec<StripCode>,
    /// The segments' operators and places, for profiles.
    pub segment_names: Vec<SegmentName>,
    /// The messages of assertions.
    pub messages: Messages,
    /// The traces.
    pub traces: Vec<Trace>,
    /// The versions between which host functions choose.
    pub versions: Vec<Versions>,
    /// The names of the tuning parameters, in the order of [`Context::parameters`].
    pub parameters: Vec<String>,
}

/// An entry point of a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    /// Its parameters and results.
    pub signature: Signature,
    /// The offset of its [`HostFunction`] in the code.
    pub offset: usize,
}

/// A host program.
///
/// `args` holds the sizes of the signature in their order, then the parameters; `results` receives each result: its
/// sizes if it is an array, then the scalar or the block. The caller owns the block.
pub type HostFunction = unsafe extern "C" fn(
    context: *const Context,
    stack_limit: usize,
    calls: i64,
    args: *const u64,
    results: *mut u64,
) -> u32;

/// Chunk number `chunk` of a parallel phase: the points `first..last`, at least one. `environment` and `calls` are those
/// passed to `fork`.
pub type SegmentFunction = unsafe extern "C" fn(
    context: *const Context,
    stack_limit: usize,
    calls: i64,
    environment: *const u64,
    chunk: i64,
    first: i64,
    last: i64,
) -> u32;

/// The code of a [`StripFunction`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripCode {
    /// The tuning parameter with which the points run one by one if it is 0.
    pub switch: Option<String>,
    /// Its versions. The last one that a processor can run is the best.
    pub versions: Vec<StripVersion>,
}

/// A version of a [`StripFunction`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripVersion {
    /// The processor features that it uses, in Cranelift's names.
    pub features: Vec<String>,
    /// Its offset in the code.
    pub offset: usize,
}

/// Runs the points with the innermost counters `first..end` in strips, one strip after the other. The points of a strip
/// run at once, in the lanes of vectors. Returns the counter of the first point that did not run. `results` receives the
/// results of the points.
///
/// Only generated code calls it: the code generator lays out `arguments` and `results`. The function follows the System V
/// ABI. The type says `extern "C"`, because `extern "sysv64"` exists on x86-64 only.
pub type StripFunction =
    unsafe extern "C" fn(arguments: *const u64, first: i64, end: i64, results: *mut u8) -> i64;

/// The unary operators that are calls, in the order of the context's tables. Code for ordinary
/// operands of some of them is inlined, and then only the other operands need the call.
pub const UNARY_CALLS: [UnOp; 17] = [
    UnOp::Exp,
    UnOp::Log,
    UnOp::Cbrt,
    UnOp::Log2,
    UnOp::Log10,
    UnOp::Sin,
    UnOp::Cos,
    UnOp::Tan,
    UnOp::Asin,
    UnOp::Acos,
    UnOp::Atan,
    UnOp::Sinh,
    UnOp::Cosh,
    UnOp::Tanh,
    UnOp::Asinh,
    UnOp::Acosh,
    UnOp::Atanh,
];

/// The binary operators that are calls on floats, in the order of the context's tables.
pub const BINARY_CALLS: [BinOp; 4] = [BinOp::Mod, BinOp::Pow, BinOp::Atan2, BinOp::Hypot];

/// The setting of a tuning parameter.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Not 0 if it is set.
    pub is_set: u64,
    /// Its value if it is set.
    pub value: i64,
}

/// The services for compiled code. A context lives for one call of an entry point; all threads share it.
#[repr(C)]
pub struct Context {
    /// Points to a byte that is not 0 if the program must stop. Functions check it when they begin, loops regularly.
    pub stop: *const u8,
    /// The addresses of the functions of the program.
    pub functions: *const usize,
    /// A new block of `count` elements of `bytes` bytes each with one reference. Null on failure; the failure is
    /// recorded for the point with flat index `point` (0 at host level).
    pub allocate:
        unsafe extern "C" fn(context: *const Context, count: i64, bytes: u64, point: i64) -> *mut u8,
    /// Adds a reference to a block.
    pub retain: unsafe extern "C" fn(context: *const Context, block: *mut u8),
    /// Releases a reference to a block.
    pub release: unsafe extern "C" fn(context: *const Context, block: *mut u8),
    /// Copies bytes between two memory ranges that are the same or do not overlap.
    pub copy: unsafe extern "C" fn(to: *mut u8, from: *const u8, bytes: u64),
    /// Runs segment function number `segment` over the chunks of `chunk` (at least 1) neighbouring
    /// points that make up `0..points`, in any order, and waits for all of them.
    pub fork: unsafe extern "C" fn(
        context: *const Context,
        segment: u32,
        environment: *const u64,
        points: i64,
        chunk: i64,
        calls: i64,
    ) -> u32,
    /// Records a failed assertion with the arguments of its message, at the point with flat index `point` (0 at host
    /// level). If several points fail, the least is reported.
    pub fail: unsafe extern "C" fn(context: *const Context, message: u32, args: *const u64, point: i64),
    /// Adds a call, or the place of an allocation that failed, to the backtrace of the recorded failure: the path of
    /// message number `site - 1`. Does nothing if `site` is 0, or if another point than the one with flat index `point`
    /// failed. At host level `point` is 0, and any point may have failed.
    pub add_call: unsafe extern "C" fn(context: *const Context, site: u32, point: i64),
    /// Shows the values of trace number `trace`. Its words are laid out in the same way as the words of results.
    pub trace: unsafe extern "C" fn(context: *const Context, trace: u32, words: *const u64),
    /// Counts which of the two versions of number `versions` runs: the first one if `cond` is not 0.
    pub choose: unsafe extern "C" fn(context: *const Context, versions: u32, cond: u64),
    /// Records that calls nest too deeply at the point with flat index `point` (0 at host level).
    pub out_of_stack: unsafe extern "C" fn(context: *const Context, point: i64),
    /// An integer to a power, modulo 2^64.
    pub power: extern "C" fn(base: u64, exponent: u64) -> u64,
    /// [`UNARY_CALLS`] on f32.
    pub unary_f32: [extern "C" fn(f32) -> f32; UNARY_CALLS.len()],
    /// [`UNARY_CALLS`] on f64.
    pub unary_f64: [extern "C" fn(f64) -> f64; UNARY_CALLS.len()],
    /// [`BINARY_CALLS`] on f32.
    pub binary_f32: [extern "C" fn(f32, f32) -> f32; BINARY_CALLS.len()],
    /// [`BINARY_CALLS`] on f64.
    pub binary_f64: [extern "C" fn(f64, f64) -> f64; BINARY_CALLS.len()],
    /// Returns the sine of a number and stores its cosine.
    pub sin_cos_f32: unsafe extern "C" fn(angle: f32, cosine: *mut f32) -> f32,
    /// The same in f64.
    pub sin_cos_f64: unsafe extern "C" fn(angle: f64, cosine: *mut f64) -> f64,
    /// The address of the chosen version of each [`StripFunction`], or 0 if the processor has the instructions of none.
    pub strips: *const usize,
    /// The address at which the blob's code was loaded.
    pub code: *const u8,
    /// Threads of a program for a target without allocation in threads run in batches, so that their arrays take at most
    /// this many bytes together. A batch has at least one thread, even if the arrays of one thread take more.
    pub private_limit: i64,
    /// The number of threads that run a segment.
    pub threads: i64,
    /// The tuning parameters of the program.
    pub parameters: *const Parameter,
}
