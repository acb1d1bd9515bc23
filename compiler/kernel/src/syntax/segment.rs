//! Parallel statements: maps, reductions and scans over an index space.

use ravel_base::Symbol;

use super::{Atom, Body, Level, Stm, Thread, Var, Workgroup};

/// A parallel statement of the host.
///
/// The code of [`Points`] runs for every point of the index space, in any order. A point of a map runs once. A point of
/// a reduction or scan may run more than once, and stores the same values each time. A failing point may run again, so
/// that the runtime gets the operands of its message.
///
/// A point reads no element that another point stores. If it can run more than once, it also reads no element that it
/// stores itself later. If several points fail, the one with the least flat (row-major) index is reported.
#[derive(Clone, Debug, PartialEq)]
pub struct GridSegment {
    /// The source operator that it came from, for readers of dumps.
    pub hint: Option<Symbol>,
    /// The index space: counters (i64) with their sizes (i64), outermost first.
    pub space: Vec<(Var, Atom)>,
    /// The number of points (i64, ≥ 1) that one worker computes. On a CPU they are consecutive. On a GPU a workgroup takes
    /// consecutive points, as many for each thread, and its threads take them in stripes. The number depends on sizes
    /// and tuning only, so reduction trees are the same in every run. In a reduction or scan of several dimensions, no worker computes
    /// points of two rows; a row with more points than this is divided among several workers.
    pub chunk: Atom,
    /// How the points run on a CPU with vectors, if the program says so.
    pub lanes: Option<LaneChoice>,
    /// The kind of the points, and their code.
    pub points: Points,
}

/// What runs in lanes, whatever a cost model expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneChoice {
    /// Neighbouring points, if their code has a vector form.
    Outer,
    /// Iterations of innermost loops, where they are independent; the points run one by one.
    Inner,
    /// Nothing.
    Nothing,
}

impl LaneChoice {
    /// All of them.
    pub const ALL: [LaneChoice; 3] = [LaneChoice::Outer, LaneChoice::Inner, LaneChoice::Nothing];

    /// The word for it in programs and dumps.
    pub const fn word(self) -> &'static str {
        match self {
            LaneChoice::Outer => "outer",
            LaneChoice::Inner => "inner",
            LaneChoice::Nothing => "no",
        }
    }
}

/// The points of a grid segment: threads or workgroups, and their code.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// Each point is a thread.
    Threads {
        /// How the results of the points are combined.
        kind: SegmentKind,
        /// The code of one point.
        body: Body<Thread>,
    },
    /// Each point is a workgroup. The body has no results; its threads store what they compute.
    ///
    /// A thread that fails stops, and its workgroup stops at the end of the inner segment in which the thread failed. If
    /// several threads of this segment fail, the one with the least flat index is reported. A workgroup that has failed may
    /// run again, on fresh workgroup memory.
    Workgroups(Body<Workgroup>),
}

/// A parallel statement of a workgroup: the threads of the workgroup run the points of the index space.
///
/// Different points store to different elements. If the segment stores to a memory block, a point reads only those elements
/// of it that the point itself has stored before. All threads of the workgroup finish the segment before the next statement.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerSegment {
    /// The source operator that it came from, for readers of dumps.
    pub hint: Option<Symbol>,
    /// The index space: counters (i64) with their sizes (i64), outermost first.
    pub space: Vec<(Var, Atom)>,
    /// How the results of the points are combined.
    pub kind: SegmentKind,
    /// The code of one point.
    pub body: Body<Thread>,
}

/// How the results of a segment's points are combined.
#[derive(Clone, Debug, PartialEq)]
pub enum SegmentKind {
    /// The body has no results; it stores what it computes.
    Map,
    /// The results of all points along the innermost dimension are combined in order, and the combined value is stored
    /// at the index of the outer dimensions. Each combiner takes the next `neutral.len()` results of the body; its
    /// `outs` have one dimension fewer than the space.
    Reduce(Vec<Combiner>),
    /// Like `Reduce`, but all inclusive prefixes are stored, so `outs` have the rank of the space. In a grid of one
    /// dimension, other code may take the prefixes of a point instead; then there are no `outs`.
    Scan(Vec<Combiner>, Option<Finish>),
}

/// What a point does with its inclusive prefixes. It runs once, cannot fail, and reads nothing that the segment stores. Of the
/// variables of the point, it sees only the counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Finish {
    /// The prefixes, of all operators.
    pub prefixes: Vec<Var>,
    /// The code. It has no results.
    pub body: Body<Thread>,
}

/// An associative operator with its neutral element, and the arrays that receive the combined values.
#[derive(Clone, Debug, PartialEq)]
pub struct Combiner {
    /// The earlier operand: scalars.
    pub left: Vec<Var>,
    /// The later operand.
    pub right: Vec<Var>,
    /// The code of the operator.
    pub body: Body<Thread>,
    /// The neutral element.
    pub neutral: Vec<Atom>,
    /// True when the operator is known to commute.
    pub commutative: bool,
    /// The arrays that get the results.
    pub outs: Vec<Var>,
}

impl GridSegment {
    /// The kind and the code of its threads; `None` if workgroups compute its points.
    pub fn threads(&self) -> Option<(&SegmentKind, &Body<Thread>)> {
        match &self.points {
            Points::Threads { kind, body } => Some((kind, body)),
            Points::Workgroups(_) => None,
        }
    }

    /// Whether a point may fail. Every call counts as one that may.
    pub fn can_fail(&self) -> bool {
        match &self.points {
            Points::Threads { kind, body } => threads_can_fail(kind, body),
            Points::Workgroups(body) => body.can_fail(),
        }
    }
}

impl Finish {
    /// Whether it may fail, which no valid one does.
    pub fn can_fail(&self) -> bool {
        self.body.can_fail()
    }
}

impl Combiner {
    /// Whether the operator may fail.
    pub fn can_fail(&self) -> bool {
        self.body.can_fail()
    }
}

impl InnerSegment {
    /// Whether a point may fail. Every call counts as one that may.
    pub fn can_fail(&self) -> bool {
        threads_can_fail(&self.kind, &self.body)
    }
}

fn threads_can_fail(kind: &SegmentKind, body: &Body<Thread>) -> bool {
    body.can_fail()
        || kind.combiners().iter().any(Combiner::can_fail)
        || kind.finish().is_some_and(Finish::can_fail)
}

impl<L: Level> Body<L> {
    /// Whether it may fail. Every call counts as one that may.
    pub fn can_fail(&self) -> bool {
        self.stms.iter().any(|step| match &step.stm {
            Stm::Assert { .. } | Stm::Call { .. } => true,
            Stm::If { then, otherwise, .. } => then.can_fail() || otherwise.can_fail(),
            Stm::Loop { body: round, .. } => round.can_fail(),
            Stm::Segment(segment) => L::segment(segment).can_fail(),
            _ => false,
        })
    }
}

impl SegmentKind {
    /// The operators of a reduction or a scan.
    pub fn combiners(&self) -> &[Combiner] {
        match self {
            SegmentKind::Map => &[],
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners, _) => combiners,
        }
    }

    /// The operators, as mutable references.
    pub fn combiners_mut(&mut self) -> &mut [Combiner] {
        match self {
            SegmentKind::Map => &mut [],
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners, _) => combiners,
        }
    }

    /// The code that takes the prefixes of a scan.
    pub fn finish(&self) -> Option<&Finish> {
        match self {
            SegmentKind::Scan(_, finish) => finish.as_ref(),
            SegmentKind::Map | SegmentKind::Reduce(_) => None,
        }
    }

    /// The code that takes the prefixes of a scan, as a mutable reference.
    pub fn finish_mut(&mut self) -> Option<&mut Finish> {
        match self {
            SegmentKind::Scan(_, finish) => finish.as_mut(),
            SegmentKind::Map | SegmentKind::Reduce(_) => None,
        }
    }
}
