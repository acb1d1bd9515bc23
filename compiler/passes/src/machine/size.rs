//! The size of code, which bounds how often it may be copied.

use ravel_kernel::*;

use crate::Premise;

/// The premise of rules that copy iterations of innermost loops.
pub const INNERMOST: Premise = Premise {
    name: "innermost",
    about: "an iteration has no loop, call, copy, trace or segment, and allocates nothing",
    otherwise: "an iteration has a loop, call, copy, trace or segment, or allocates memory",
};

/// The number of statements of a body; `None` if it has a statement that [`INNERMOST`] excludes.
pub fn statements<L: Level>(body: &Body<L>) -> Option<u64> {
    let statement = |step: &Step<L>| match &step.stm {
        Stm::View(_) => Some(0),
        Stm::Let { .. } | Stm::SineCosine { .. } => Some(1),
        Stm::Load { .. } | Stm::Store { .. } | Stm::Combine { .. } | Stm::Assert { .. } => Some(1),
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)? + statements(otherwise)?),
        Stm::Loop { .. }
        | Stm::Alloc { .. }
        | Stm::Constants { .. }
        | Stm::Copy { .. }
        | Stm::Trace { .. }
        | Stm::Choose { .. }
        | Stm::Call { .. }
        | Stm::Segment(_) => None,
    };
    body.stms.iter().map(statement).sum()
}
