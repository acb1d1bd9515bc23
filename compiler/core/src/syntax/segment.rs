//! Segments: parallel constructs with an address.

use super::{Atom, Screma, Var};

/// The level at which code runs.
///
/// | level | on a GPU | on a CPU |
/// | --- | --- | --- |
/// | grid | a launch | chunks over a pool of threads |
/// | block | one workgroup | one core |
/// | thread | one invocation | one lane |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The points of a segment are distributed over the whole device.
    Grid,
    /// The points of a segment are distributed over the threads of one block.
    Block,
    /// Sequential code.
    Thread,
}

impl Level {
    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Level::Grid => "grid",
            Level::Block => "block",
            Level::Thread => "thread",
        }
    }
}

/// A [`Screma`] with an address: a level and an index space.
///
/// The points of the space are the values of its counters, each from 0 to below its size. The width of the Screma is the size
/// of the innermost dimension: the construct runs once for each point of the outer dimensions. So scans and reductions go along
/// the innermost dimension, and their values do not cross from one outer point to the next.
///
/// * Arrays are read by index on the counters. A source is a recurrence along the innermost dimension.
/// * A mapped result is an array with all dimensions of the space in front of its own; a reduced result, an array with
///   the outer ones. Written and combined targets are shared by all points.
/// * `map` and `post` may use the counters; operators may not.
///
/// A point is the code of one thread, or of a block. The body of a block is uniform: it computes scalars, branches and loops that
/// all threads of the block run alike, and leaves work that varies from thread to thread to block segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The device or block over which its points are distributed: the grid or a block.
    pub level: Level,
    /// The level of a point: a thread, or in a grid segment a block.
    pub points: Level,
    /// For a segment that combines into arrays, or reduces or scans arrays: how the points are divided into parts, each of
    /// which one thread runs in order. Without parts, a single thread combines all points.
    pub parts: Option<Parts>,
    /// The counters of the outer dimensions with their sizes, outermost first.
    pub outer: Vec<(Var, Atom)>,
    /// The counter of the innermost dimension. Its size is the width of the Screma.
    pub index: Var,
    /// The construct along the innermost dimension.
    pub screma: Screma,
}

/// The parts of a segment's points. Their number depends on these settings and on sizes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The maximum number of parts.
    pub most: i64,
    /// The minimum number of points of a part.
    pub points: i64,
    /// The maximum number of elements of the arrays of all parts, for each point.
    pub spread: i64,
}

impl Parts {
    /// The settings with their names in the text.
    pub fn settings(self) -> [(&'static str, i64); 3] {
        [("most", self.most), ("points", self.points), ("spread", self.spread)]
    }
}

impl Segment {
    /// The counters with their sizes, outermost first.
    pub fn space(&self) -> impl Iterator<Item = (Var, Atom)> {
        self.outer.iter().copied().chain([(self.index, self.screma.width)])
    }

    /// The sizes of the outer dimensions.
    pub fn outer_sizes(&self) -> impl DoubleEndedIterator<Item = Atom> {
        self.outer.iter().map(|&(_, size)| size)
    }
}
