//! The premises of the pass, and what becomes of a nest for which one does not hold.

use ravel_base::Symbol;
use ravel_core::Var;

use super::code::Code;
use crate::Premise;

/// All of them.
pub(super) const ALL: &[Premise] = &[
    FAST_MEMORY,
    SCALAR_RESULTS,
    INNER_WIDTH,
    FLAT_ARRAYS,
    PLAIN_SINKS,
    CLOSED_OPERATORS,
    KNOWN_ROWS,
    KNOWN_HEIGHT,
];

pub(super) const FAST_MEMORY: Premise = Premise {
    name: "fast-memory",
    about: "the threads of the target share fast memory",
    otherwise: "a worker of this machine computes a point with its arrays in its own cache",
};
pub(super) const SCALAR_RESULTS: Premise = Premise {
    name: "scalar-results",
    about: "the map of the outer construct has scalar results",
    otherwise: "{} is an array",
};
pub(super) const INNER_WIDTH: Premise = Premise {
    name: "inner-width",
    about: "an inner construct has a width that is computed before all branches and loops of the point",
    otherwise: "no inner construct has a width that the code of a point computes first",
};
pub(super) const FLAT_ARRAYS: Premise = Premise {
    name: "flat-arrays",
    about: "the arrays of a point are mapped, reduced, scanned, sliced, updated by element or read, and each row of an array is made by one map",
    otherwise: "{} is an array that bins cannot hold",
};
pub(super) const PLAIN_SINKS: Premise = Premise {
    name: "plain-sinks",
    about: "inner constructs map, write, reduce or scan, or combine scalars, or rows element by element",
    otherwise: "{} is made by a construct that combines arrays as a whole",
};
pub(super) const CLOSED_OPERATORS: Premise = Premise {
    name: "closed-operators",
    about: "the operators of inner reductions and scans are the same for all points",
    otherwise: "{} is made with an operator that differs between points",
};
pub(super) const KNOWN_ROWS: Premise = Premise {
    name: "known-rows",
    about: "the sizes of other arrays are computed before all branches and loops of the point",
    otherwise: "the size of {} is computed in a branch or a loop",
};

pub(super) const KNOWN_HEIGHT: Premise = Premise {
    name: "known-height",
    about: "a loop with inner constructs has a number of rounds that the code of a point computes before all branches and loops",
    otherwise: "all points have the same number of rounds, or compute it in a branch or a loop",
};

/// The reason why a nest stays as it is.
pub(super) enum Obstacle {
    /// A premise does not hold; with the name to blame.
    Missing(Premise, Option<Symbol>),
    /// A rule that it needs is switched off, or there is no fuel for it.
    RuleIsOff,
}

impl Code<'_> {
    /// A premise that does not hold for a variable of the source.
    pub(super) fn obstacle(&self, premise: Premise, var: Var) -> Obstacle {
        Obstacle::Missing(premise, self.builder.vars()[var].hint)
    }
}
