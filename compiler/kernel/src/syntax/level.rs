//! Levels as types: the host, the workgroups of the device ([`Block`]), the threads of a workgroup.

use ravel_base::Symbol;

use super::{BlockSegment, Function, GridSegment, Program};

/// The names of the levels, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelName {
    /// [`Host`].
    Host,
    /// [`Block`].
    Block,
    /// [`Thread`].
    Thread,
}

/// A level of the machine. It determines which segments a body at this level may contain.
pub trait Level: Clone + 'static {
    /// The name of the level.
    const NAME: LevelName;

    /// The parallel statements at this level.
    type Segment: Clone + std::fmt::Debug + PartialEq;

    /// A segment of this level, for code that works at every level.
    fn segment(segment: &Self::Segment) -> AnySegment<'_>;

    /// A segment of this level as a mutable reference, for code that works at every level.
    fn segment_mut(segment: &mut Self::Segment) -> AnySegmentMut<'_>;

    /// The functions that bodies at this level may call.
    fn functions(program: &Program) -> &[Function<Self>];
}

/// A segment of one of the levels.
#[derive(Clone, Copy, Debug)]
pub enum AnySegment<'a> {
    /// A segment in host code.
    Grid(&'a GridSegment),
    /// A segment in a body of a workgroup.
    Block(&'a BlockSegment),
}

/// A mutable reference to a segment of one of the levels.
#[derive(Debug)]
pub enum AnySegmentMut<'a> {
    /// A segment in host code.
    Grid(&'a mut GridSegment),
    /// A segment in a body of a workgroup.
    Block(&'a mut BlockSegment),
}

/// The host: one thread that controls the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Host;

/// One workgroup of the device (a *thread block* in CUDA). Its code is uniform.
#[derive(Clone, Debug, PartialEq)]
pub struct Block;

/// One thread of the device. Its code is sequential.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread;

/// The segments of threads: there are none.
#[derive(Clone, Debug, PartialEq)]
pub enum Never {}

impl Level for Host {
    const NAME: LevelName = LevelName::Host;

    type Segment = GridSegment;

    fn segment(segment: &GridSegment) -> AnySegment<'_> {
        AnySegment::Grid(segment)
    }

    fn segment_mut(segment: &mut GridSegment) -> AnySegmentMut<'_> {
        AnySegmentMut::Grid(segment)
    }

    fn functions(program: &Program) -> &[Function<Host>] {
        &program.host_functions
    }
}

impl Level for Block {
    const NAME: LevelName = LevelName::Block;

    type Segment = BlockSegment;

    fn segment(segment: &BlockSegment) -> AnySegment<'_> {
        AnySegment::Block(segment)
    }

    fn segment_mut(segment: &mut BlockSegment) -> AnySegmentMut<'_> {
        AnySegmentMut::Block(segment)
    }

    /// Bodies of workgroups call no functions.
    fn functions(_: &Program) -> &[Function<Block>] {
        &[]
    }
}

impl Level for Thread {
    const NAME: LevelName = LevelName::Thread;

    type Segment = Never;

    fn segment(segment: &Never) -> AnySegment<'_> {
        match *segment {}
    }

    fn segment_mut(segment: &mut Never) -> AnySegmentMut<'_> {
        match *segment {}
    }

    fn functions(program: &Program) -> &[Function<Thread>] {
        &program.thread_functions
    }
}

impl AnySegment<'_> {
    /// The source operator that the segment comes from.
    pub fn hint(self) -> Option<Symbol> {
        match self {
            AnySegment::Grid(segment) => segment.hint,
            AnySegment::Block(segment) => segment.hint,
        }
    }

    /// Whether a point may fail.
    pub fn can_fail(self) -> bool {
        match self {
            AnySegment::Grid(segment) => segment.can_fail(),
            AnySegment::Block(segment) => segment.can_fail(),
        }
    }
}
