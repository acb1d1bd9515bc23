//! The reasons why a thread body has no vector form, or is better off without.

use std::fmt::{self, Display, Formatter};

use ravel_prim::PrimType;

/// The reason why a segment runs point by point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Vectors are switched off.
    SwitchedOff,
    /// The points are workgroups.
    Blocks,
    /// The segment reduces or scans several rows.
    Rows,
    /// The segment has a single point.
    SinglePoint,
    /// It calls a function.
    Call,
    /// It allocates an array whose size is not known before the segment.
    Allocation,
    /// It passes an array through a branch or a loop that comes from outside, or is allocated in each iteration.
    FlowingBlock,
    /// It copies arrays whose sizes differ between points.
    VaryingCopy,
    /// A value of a type without vectors differs between points.
    Type(PrimType),
    /// It needs an operator that has no vector instruction.
    Operator(&'static str),
    /// After it has stored an element, it computes the sine, cosine or tangent of an angle that may be large. For a large
    /// angle the points would run again, one by one, and could read elements that they have already overwritten.
    Restart,
    /// It converts between types for which there is no vector instruction.
    Conversion(PrimType, PrimType),
    /// The strip would be slower than the points one by one.
    Cost,
    /// The code is too large to be compiled twice, as a strip and point by point.
    Size,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::SwitchedOff => f.write_str("vectors are switched off"),
            Refusal::Blocks => f.write_str("its points are workgroups"),
            Refusal::Rows => f.write_str("combines the points of several rows"),
            Refusal::SinglePoint => f.write_str("it has a single point"),
            Refusal::Call => f.write_str("calls a function"),
            Refusal::Allocation => f.write_str("allocates an array whose size is not known before"),
            Refusal::FlowingBlock => f.write_str(
                "passes an array through a branch or a loop that is not the thread's from the beginning",
            ),
            Refusal::VaryingCopy => f.write_str("copies arrays whose sizes differ between points"),
            Refusal::Type(ty) => write!(f, "computes with values of type {ty}"),
            Refusal::Operator(name) => write!(f, "needs `{name}`, which has no vector instruction"),
            Refusal::Restart => f.write_str(
                "computes a sine, cosine or tangent after a store, so a large angle could not restart it",
            ),
            Refusal::Conversion(from, to) => {
                write!(f, "converts {from} to {to}, which has no vector instruction")
            }
            Refusal::Cost => f.write_str("would be slower in lanes"),
            Refusal::Size => f.write_str("is too large to be compiled twice"),
        }
    }
}
