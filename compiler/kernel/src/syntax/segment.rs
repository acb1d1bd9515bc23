//! Parallel statements, and what becomes of what their points compute.

use ravel_base::{Span, Symbol};

use super::{Atom, Block, Body, Level, Stm, Thread, Var};

/// A parallel statement of the host.
///
/// The code of [`Points`] runs for every point of the index space, in any order: once in a map, possibly more
/// than once in a reduction or scan, where what it stores is the same each time. It reads nothing
/// that another point stores; and nothing that it stores itself later, if it runs more than once or
/// can fail, since a failing point may be asked to run again. Of several failing points the one with
/// the least flat (row-major) index is reported.
#[derive(Clone, Debug, PartialEq)]
pub struct GridSegment {
    /// A word for readers: the operator of the source it came from.
    pub hint: Option<Symbol>,
    /// The index space: counters (i64) with their sizes (i64), outermost first.
    pub space: Vec<(Var, Atom)>,
    /// How many neighbouring points (i64, ≥ 1) one worker takes in turn. It depends on sizes and
    /// tuning only, so that reduction trees are the same in every run.
    pub chunk: Atom,
    /// Who takes a point, and what it does.
    pub points: Points,
    /// The main place in the source.
    pub span: Option<Span>,
}

/// Who takes a point of a grid segment, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// A thread takes each point.
    Threads {
        /// What becomes of the results of the body.
        kind: SegmentKind,
        /// The code of one point.
        body: Body<Thread>,
    },
    /// A block takes each point. The body has no results; its threads store what they compute. A thread that fails
    /// does nothing more; its block stops after the block segment in which it failed. Of several failures in one block
    /// the first segment in the order of the program counts, and within it the least flat index. A block that has
    /// failed may run again, on fresh workgroup memory.
    Blocks(Body<Block>),
}

/// A parallel statement of a block: its threads take the points of the index space.
///
/// A point reads of a memory block that its segment stores to only what it has stored itself. All of a block's
/// threads have finished the segment before its next statement.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSegment {
    /// A word for readers: the operator of the source it came from.
    pub hint: Option<Symbol>,
    /// The index space: counters (i64) with their sizes (i64), outermost first.
    pub space: Vec<(Var, Atom)>,
    /// What becomes of the results of the body.
    pub kind: SegmentKind,
    /// The code of one point.
    pub body: Body<Thread>,
    /// The main place in the source.
    pub span: Option<Span>,
}

/// What becomes of the results of a segment's body.
#[derive(Clone, Debug, PartialEq)]
pub enum SegmentKind {
    /// The body has no results; it stores what it computes.
    Map,
    /// The results of all points along the innermost dimension are combined, in order, and stored at the index of the
    /// outer dimensions. Each combiner takes the next `neutral.len()` results of the body; its `outs` have the rank of
    /// the outer dimensions. The space of a grid segment has one dimension.
    Reduce(Vec<Combiner>),
    /// Like `Reduce`, but the inclusive prefixes are stored: `outs` have the rank of the space.
    Scan(Vec<Combiner>),
}

/// An associative operator with its neutral element, and where the combined values go.
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
    /// What becomes of the results of its threads, and their code; `None` if blocks take the points.
    pub fn threads(&self) -> Option<(&SegmentKind, &Body<Thread>)> {
        match &self.points {
            Points::Threads { kind, body } => Some((kind, body)),
            Points::Blocks(_) => None,
        }
    }

    /// May a point fail? A call may do anything.
    pub fn can_fail(&self) -> bool {
        match &self.points {
            Points::Threads { kind, body } => threads_can_fail(kind, body),
            Points::Blocks(body) => can_fail(body),
        }
    }
}

impl BlockSegment {
    /// May a point fail? A call may do anything.
    pub fn can_fail(&self) -> bool {
        threads_can_fail(&self.kind, &self.body)
    }
}

fn threads_can_fail(kind: &SegmentKind, body: &Body<Thread>) -> bool {
    can_fail(body) || kind.combiners().iter().any(|combiner| can_fail(&combiner.body))
}

fn can_fail<L: Level>(body: &Body<L>) -> bool {
    body.stms.iter().any(|stm| match stm {
        Stm::Assert { .. } | Stm::Call { .. } => true,
        Stm::If { then, otherwise, .. } => can_fail(then) || can_fail(otherwise),
        Stm::Loop { body: round, .. } => can_fail(round),
        Stm::Segment(segment) => L::segment(segment).can_fail(),
        _ => false,
    })
}

impl SegmentKind {
    /// The operators of a reduction or a scan.
    pub fn combiners(&self) -> &[Combiner] {
        match self {
            SegmentKind::Map => &[],
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners) => combiners,
        }
    }

    /// The operators, to be changed.
    pub fn combiners_mut(&mut self) -> &mut [Combiner] {
        match self {
            SegmentKind::Map => &mut [],
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners) => combiners,
        }
    }
}
