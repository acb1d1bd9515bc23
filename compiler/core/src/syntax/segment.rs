//! Segments: parallel constructs with a level and an index space.

use super::{Atom, Screma, Var};

/// The level at which code runs.
///
/// | level | on a GPU | on a CPU |
/// | --- | --- | --- |
/// | grid | a launch | chunks over a pool of threads |
/// | block (a workgroup) | one workgroup | one core |
/// | thread | one invocation | one lane |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The points of a segment are distributed over the whole device.
    Grid,
    /// The points of a segment are distributed over the threads of one workgroup.
    Workgroup,
    /// Sequential code.
    Thread,
}

impl Level {
    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Level::Grid => "grid",
            Level::Workgroup => "block",
            Level::Thread => "thread",
        }
    }
}

/// A [`Screma`] with a level and an index space.
///
/// A point of the space has a value for each counter, from 0 to below its size. The width of the Screma is the size of
/// the innermost dimension: the construct runs once for each point of the outer dimensions. So a scan or reduction
/// combines values along the innermost dimension, and starts from its neutral element at each point of the outer
/// dimensions.
///
/// * No source is an array: `map` reads arrays by index, with the counters. A source is an iota along the innermost
///   dimension.
/// * A mapped result is an array that has all dimensions of the space in front of its own; a reduced result has the
///   outer ones. All points share the targets of writes and combines.
/// * `map` and `post` may use the counters; operators may not.
///
/// A point is the code of one thread, or of a workgroup. The body of a workgroup is uniform: all threads of the
/// workgroup compute the same scalars, branches and loops. Work that varies from thread to thread is in inner segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Over what the points are distributed: the grid, which is the whole device, or one workgroup.
    pub level: Level,
    /// The level of a point: a thread, or in a grid segment a workgroup.
    pub points: Level,
    /// The counters of the outer dimensions with their sizes, outermost first.
    pub outer: Vec<(Var, Atom)>,
    /// The counter of the innermost dimension. Its size is the width of the Screma.
    pub index: Var,
    /// The construct along the innermost dimension.
    pub screma: Screma,
}

impl Segment {
    /// The counters with their sizes, outermost first.
    pub fn space(&self) -> impl Iterator<Item = (Var, Atom)> {
        self.outer.iter().copied().chain([(self.index, self.screma.width)])
    }

    /// Whether it has exactly one point, so that its code runs once, and may consume arrays from outside.
    pub fn is_single_point(&self) -> bool {
        self.space().all(|(_, size)| size == Atom::i64(1))
    }

    /// The sizes of the outer dimensions.
    pub fn outer_sizes(&self) -> impl DoubleEndedIterator<Item = Atom> {
        self.outer.iter().map(|&(_, size)| size)
    }
}
