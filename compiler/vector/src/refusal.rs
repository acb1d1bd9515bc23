//! The reasons why a segment or a loop does not run in lanes.

use std::fmt::{self, Display, Formatter};

use ravel_prim::PrimType;

/// The reason why a segment runs point by point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Vectors are switched off.
    SwitchedOff,
    /// The program says so.
    Attribute,
    /// The points are workgroups.
    Workgroups,
    /// The segment reduces or scans several rows.
    Rows,
    /// The segment has a single point.
    SinglePoint,
    /// The segment calls a function.
    Call,
    /// It allocates an array whose size is not known before the segment.
    Allocation,
    /// A branch or a loop yields an array that comes from outside the segment, or that an iteration of a loop allocates.
    FlowingBlock,
    /// The loop counts in another type than i64.
    Counter,
    /// An iteration of the loop may access what another one stores.
    Dependence,
    /// It copies arrays whose sizes differ between points.
    VaryingCopy,
    /// A value of a type without vectors differs between points.
    Type(PrimType),
    /// It is a scan whose operator lanes may not apply in another order.
    Order,
    /// It needs an operator that has no vector instruction.
    Operator(&'static str),
    /// The strip stores an element before a test that may end it, such as the test whether the angle of a sine is large. Its
    /// points would then run again, one by one, and could read elements that they have already overwritten.
    Restart,
    /// It converts a value between types for which there is no vector instruction.
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
            Refusal::Attribute => f.write_str("an attribute says so"),
            Refusal::Workgroups => f.write_str("its points are workgroups"),
            Refusal::Rows => f.write_str("it reduces or scans several rows"),
            Refusal::SinglePoint => f.write_str("it has a single point"),
            Refusal::Call => f.write_str("it calls a function"),
            Refusal::Allocation => {
                f.write_str("it allocates an array whose size is not known before the segment")
            },
            Refusal::FlowingBlock => f.write_str(
                "a branch or a loop yields an array from outside the segment, or one that an iteration allocates",
            ),
            Refusal::Counter => f.write_str("it counts in another type than i64"),
            Refusal::Dependence => f.write_str("an iteration may access what another one stores"),
            Refusal::VaryingCopy => f.write_str("it copies arrays whose sizes differ between points"),
            Refusal::Type(ty) => write!(f, "it computes with values of type {ty}"),
            Refusal::Order => f.write_str("lanes would combine in another order"),
            Refusal::Operator(name) => write!(f, "it needs `{name}`, which has no vector instruction"),
            Refusal::Restart => f.write_str(
                "a lane may have to run its point again, but the point has then overwritten what it reads",
            ),
            Refusal::Conversion(from, to) => {
                write!(f, "it converts {from} to {to}, for which there is no vector instruction")
            }
            Refusal::Cost => f.write_str("it would be slower in lanes"),
            Refusal::Size => f.write_str("its code is too large to be compiled twice"),
        }
    }
}
