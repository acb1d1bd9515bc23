//! # x86: the vector form to machine code of x86-64
//!
//! [`compile`] makes a function from a strip, and [`Code::bytes`] allocates its registers. It runs strip after strip, as
//! long as there are enough points, and uses registers of 256 bits with AVX2, of up to 512 bits with AVX-512.
//!
//! * `instruction`: the table of instructions; `encode`: their bytes
//! * `machine`: code over virtual registers; `select`: from the vector form to it
//! * `allocate`: register allocation, and the bytes of the function; `unneeded`: which moves of the allocator change nothing
//!
//! This crate knows nothing of kernel IR, of Cranelift, or of how code is loaded.
#![forbid(unsafe_code)]

mod allocate;
mod encode;
mod instruction;
mod machine;
mod select;
mod unneeded;

use ravel_prim::BinOp;
use ravel_vector::{Memory, Refusal, Strip, Value};

use crate::encode::Size;
use crate::machine::Function;

/// The largest number of points of one call, if they have results.
pub const BATCH: usize = 256;

/// The bytes for the strands of a value of the state of a strip.
pub const STRANDS: usize = 128;

/// So many points at most run one by one between two calls of a strip function.
pub const MAX_LANES: usize = 16;

/// The instructions that the code of a strip may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// Those of AVX2, with 16 vector registers.
    Avx2,
    /// Those of AVX-512 too, with 32 vector registers and 7 mask registers.
    Avx512,
}

impl Extension {
    /// The bits of the largest vectors.
    pub const fn bits(self) -> u32 {
        8 * self.size().bytes() as u32
    }

    /// The size of the largest vectors.
    const fn size(self) -> Size {
        match self {
            Extension::Avx2 => Size::Y,
            Extension::Avx512 => Size::Z,
        }
    }

    /// The processor features that the code needs, by Cranelift's names. It has no instruction of `vbmi`. But processors
    /// with it (Ice Lake, Zen 4 and later ones) run vectors of 512 bits at nearly the same clock as smaller ones, and
    /// earlier ones at a clock so low that AVX2 can be faster.
    pub const fn features(self) -> &'static [&'static str] {
        match self {
            Extension::Avx2 => &["has_avx", "has_avx2"],
            Extension::Avx512 => &[
                "has_avx",
                "has_avx2",
                "has_bmi2",
                "has_avx512f",
                "has_avx512dq",
                "has_avx512vl",
                "has_avx512vbmi",
            ],
        }
    }
}

/// A word of the argument block of a strip function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The address of the first element of a memory.
    Memory(Memory),
    /// The value of an input or of a value that is bound before the strips, zero-extended.
    Value(Value),
    /// The address of the stop flag: a byte that is not 0 if the program must stop.
    Stop,
}

/// The machine code of a strip.
///
/// It is position-independent, and a function of the System V ABI:
///
/// ```text
/// extern "C" fn(arguments: *const u64, first: i64, end: i64, results: *mut u8) -> i64
/// ```
///
/// It runs the points with the innermost counters `first..end` in strips, in order, and returns the counter of the first
/// point that did not run. It stops if fewer points are left than lanes, if a strip fails, or if the stop flag is set. If
/// points may run again, the last strip begins with points that have run, unless very few are left. The
/// stores of a strip that failed may have happened. The caller runs up to [`MAX_LANES`] points one by one and may then
/// call again.
///
/// Stored result number `k` of the point `first + i` is element `i` of an array that begins `8 * BATCH * k` bytes after
/// `results`. With stored results, `end - first` is at most [`BATCH`].
///
/// A strip with a state has strands: point `first + i` is combined with strand `i` modulo their number. Strand `s` of
/// value `k` of the state is element `s` of an array that begins `STRANDS * k` bytes after `results`. The function
/// loads the strands before the first point and stores them at the end, with all points before the returned counter.
///
/// Total `k` of folded or carried results is the word `8 * k` bytes after `results`. The function loads it before the first point and
/// stores it at the end, combined with all points before the returned counter.
#[derive(Debug)]
pub struct Code {
    /// The words of the argument block.
    pub words: Vec<Word>,
    function: Box<Function>,
}

impl Code {
    /// The instructions that it may have.
    pub fn extension(&self) -> Extension {
        self.function.extension
    }

    /// The number of its instructions before register allocation.
    pub fn instructions(&self) -> usize {
        self.function.blocks.iter().map(|block| block.instructions.len()).sum()
    }

    /// The code and its constants, to be placed at a multiple of 64 bytes. Register allocation takes most of the time of
    /// a compilation, so this is a step of its own, which can run in another thread.
    pub fn bytes(&self) -> Vec<u8> {
        allocate::finish(&self.function).unwrap_or_else(|error| panic!("registers of a strip: {error}"))
    }
}

/// The number of lanes of a strip.
pub fn lanes(strip: &Strip) -> usize {
    select::lanes(strip)
}

/// What becomes of the results of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results<'a> {
    /// They are stored.
    Stored,
    /// They are the next values of a state that has so many strands: the number of lanes, or a multiple of it.
    Strands(usize),
    /// They are combined in order with one total each: result `k` by operator `k`.
    Folded(&'a [BinOp]),
    /// They are what the next strip carries: one total each.
    Carried,
}

/// Compiles a strip up to register allocation.
///
/// # Errors
/// The reason why there is no code for it.
pub fn compile(strip: &Strip, results: Results<'_>, extension: Extension) -> Result<Code, Refusal> {
    let (function, words) = select::select(strip, results, extension)?;
    Ok(Code { words, function: Box::new(function) })
}
