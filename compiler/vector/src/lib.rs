//! # vector: the vector form of thread bodies
//!
//! A *strip* is code that runs several neighbouring points of a segment at once, one in each lane. [`outer`](outer())
//! makes it from the body of a thread; an emitter of a backend turns it into vector instructions.
//!
//! `form` is the syntax, `print` its text, `verify` its laws, `evaluate` its meaning. `shapes` finds which scalars are
//! the same in all lanes, or grow by the same step from lane to lane; `outer` translates by means of it; `dead` removes
//! what nothing needs. `random` makes thread bodies for tests of this crate and of emitters.
//!
//! This crate knows nothing of any instruction set, and not how many lanes there are.
#![forbid(unsafe_code)]

mod dead;
pub mod evaluate;
pub mod form;
mod outer;
mod print;
pub mod random;
mod refusal;
mod shapes;
mod verify;

pub use form::*;
pub use outer::outer;
pub use refusal::Refusal;
pub use verify::verify;
