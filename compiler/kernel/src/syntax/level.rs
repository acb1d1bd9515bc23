//! Levels as types: the host, the workgroups of the device ([`Workgroup`]), the threads of a workgroup.

use ravel_base::Symbol;

use super::{Function, GridSegment, InnerSegment, Program};

/// The names of the levels, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelName {
    /// [`Host`].
    Host,
    /// [`Workgroup`].
    Workgroup,
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
    Inner(&'a InnerSegment),
}

/// A mutable reference to a segment of one of the levels.
#[derive(Debug)]
pub enum AnySegmentMut<'a> {
    /// A segment in host code.
    Grid(&'a mut GridSegment),
    /// A segment in a body of a workgroup.
    Inner(&'a mut InnerSegment),
}

/// The host: one thread that controls the device.
#[derive(Clone, Debug, PartialEq)]
pub struct Host;

/// One workgroup of the device (a *thread block* in CUDA). Its code is uniform.
#[derive(Clone, Debug, PartialEq)]
pub struct Workgroup;

/// One thread of the device. Its code is sequential.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread;

/// The segments of threads: there are none.
#[derive(Clone, Debug, PartialEq)]
pub enum NoSegment {}

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

impl Level for Workgroup {
    const NAME: LevelName = LevelName::Workgroup;

    type Segment = InnerSegment;

    fn segment(segment: &InnerSegment) -> AnySegment<'_> {
        AnySegment::Inner(segment)
    }

    fn segment_mut(segment: &mut InnerSegment) -> AnySegmentMut<'_> {
        AnySegmentMut::Inner(segment)
    }

    /// Bodies of workgroups call no functions.
    fn functions(_: &Program) -> &[Function<Workgroup>] {
        &[]
    }
}

impl Level for Thread {
    const NAME: LevelName = LevelName::Thread;

    type Segment = NoSegment;

    fn segment(segment: &NoSegment) -> AnySegment<'_> {
        match *segment {}
    }

    fn segment_mut(segment: &mut NoSegment) -> AnySegmentMut<'_> {
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
            AnySegment::Inner(segment) => segment.hint,
        }
    }

    /// Whether a point may fail.
    pub fn can_fail(self) -> bool {
        match self {
            AnySegment::Grid(segment) => segment.can_fail(),
            AnySegment::Inner(segment) => segment.can_fail(),
        }
    }
}
