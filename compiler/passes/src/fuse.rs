//! # fuse: fewer traversals, fewer arrays
//!
//! One construct, one engine: a [`ravel_core::Screma`] reads sources and fills sinks, so fusion is
//! the composition of what stands between, whatever the sinks are. A [`ravel_core::Stream`] takes in
//! what stands around it chunk by chunk.

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
pub mod sources;
pub mod streams;
pub mod vertical;
pub mod views;

const MAP_RESULT: Premise = Premise {
    name: "map-result",
    about: "what the second reads is what the first maps",
    otherwise: "{} is reduced or written, not mapped",
};

const ONLY_AS_SOURCE: Premise = Premise {
    name: "only-as-source",
    about: "the second reads the array element by element, each at its own point",
    otherwise: "{} is needed here as a whole",
};

const INDEPENDENT: Premise = Premise {
    name: "independent",
    about: "the second uses of the first nothing but elements, also through what stands between",
    otherwise: "{} is there only behind the first",
};

const TARGET_NOT_READ: Premise = Premise {
    name: "target-not-read",
    about: "the second writes into nothing that the first reads; a `copy` of the target would do",
    otherwise: "{} is consumed here",
};

pub(crate) const NO_CONSUMPTION_BETWEEN: Premise = Premise {
    name: "no-consumption-between",
    about: "nothing has to stay between the two for the sake of what is consumed",
    otherwise: "{} is consumed here",
};
