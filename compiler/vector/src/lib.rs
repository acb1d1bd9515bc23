//! # vector: the vector form of thread bodies
//!
//! A *strip* is code that runs several neighbouring points of a segment at once, one in each lane. [`vectorise`](vectorise())
//! makes it from the body of a thread; an emitter of a backend turns it into vector instructions.
//!
//! * `form`: the syntax; `print`: its text; `verify`: the verifier; `evaluate`: the interpreter
//! * `uniformity`: the analysis that finds which scalars are uniform or strided
//! * `vectorise`: the translation from thread bodies; `dead`: dead-code elimination
//! * `iterations`: whether the lanes may be iterations of a loop
//! * `rows`: loops along rows, four iterations at once
//! * `rewrite`: the list of the rewrites that may be switched off
//! * `random`: random thread bodies, for tests of this crate and of emitters
//!
//! This crate depends on no instruction set, and not on the number of lanes.
#![forbid(unsafe_code)]

mod dead;
pub mod evaluate;
pub mod form;
mod iterations;
mod print;
pub mod random;
mod refusal;
mod rewrite;
mod rows;
mod uniformity;
mod vectorise;
mod verify;

pub use form::*;
pub use iterations::{are_independent, are_repeatable};
pub use refusal::Refusal;
pub use rewrite::{REWRITES, Rewrite};
pub use vectorise::{Strands, combines, lane_type, vectorise, vectorise_alike, vectorise_scan};
pub use verify::verify;
