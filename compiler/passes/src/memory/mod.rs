//! # memory: passes from kernel IR to kernel IR
//!
//! The translation gives every array a block of its own, made where the array is made. These passes
//! let arrays share blocks and let loops make theirs once. Each takes a lawful program to a lawful
//! one; [`MEMORY`] is their table of contents.

mod blocks;
mod exchange;
mod guard;
pub mod hoist;
mod mention;
mod rename;
pub mod reuse;
pub mod start;
pub mod swap;
#[cfg(test)]
mod testing;

use ravel_base::{Span, Symbol};
use ravel_core::Origin;
use ravel_kernel::Program;

use crate::{Cx, Pass, Premise, Refusal};

/// A pass over kernel IR.
pub type MemoryPass = Pass<Program>;

/// The passes over kernel IR, in the order in which they run, each once.
pub const MEMORY: &[MemoryPass] = &[
    // What is the loop's own can be written over.
    start::PASS,
    // What writes over dead memory needs no block, which the others would keep.
    reuse::PASS,
    // Takes blocks that flow out of a round, which cannot be made before the loop otherwise.
    swap::PASS,
    // Inner loops' buffers go on to leave outer loops.
    hoist::PASS,
];

/// May a rule fire? Records that it does, or for want of which premise not, and which block that is
/// about. Of kernel IR's statements, only segments know where they come from.
fn may_fire(
    cx: &mut Cx,
    rule: &'static str,
    wrong: Option<Premise>,
    block: Option<Symbol>,
    span: Option<Span>,
) -> bool {
    let origin = span.map(Origin::at).unwrap_or_default();
    let Some(premise) = wrong else { return cx.fire(rule, &origin) };
    cx.refuse(rule, Refusal::of(premise).blame(block, span), &origin);
    false
}
