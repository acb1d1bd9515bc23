//! # fuse: fewer traversals, fewer arrays
//!
//! Every parallel construct is a [`ravel_core::Screma`] with sources and sinks, so one composition covers all pairs of
//! them. A [`ravel_core::Stream`] fuses with its neighbours chunk by chunk.

use crate::Premise;

pub mod arrays;
pub mod branches;
pub mod chunks;
pub mod compose;
pub mod engine;
pub mod filters;
pub mod graph;
pub mod horizontal;
pub mod loops;
pub mod reads;
pub mod sources;
pub mod streams;
pub mod vertical;
pub mod views;

const MAP_RESULT: Premise = Premise {
    name: "map-result",
    about: "the second reads the result of a map sink of the first",
    otherwise: "{} is reduced or written, not mapped",
};

const POINTWISE: Premise = Premise {
    name: "pointwise",
    about: "the second reads the array element by element, each at its own point",
    otherwise: "{} is not read element by element here",
};

const INDEPENDENT: Premise = Premise {
    name: "independent",
    about: "the second uses no other result of the first, directly or through the statements between",
    otherwise: "{} is complete only after the first",
};

const TARGET_NOT_READ: Premise = Premise {
    name: "target-not-read",
    about: "the second does not write into an array that the first reads; a `copy` of the target would help",
    otherwise: "{} is consumed here",
};

pub(crate) const NO_CONSUMPTION_BETWEEN: Premise = Premise {
    name: "no-consumption-between",
    about: "every statement between the two can move past them; a consumption of an array may prevent that",
    otherwise: "{} is consumed here",
};
