//! # memory: passes from kernel IR to kernel IR
//!
//! The translation to kernel IR gives every array a block of its own, allocated where the array is produced. These
//! passes let arrays share blocks, and let loops allocate theirs once. The verifier accepts the input and the output of
//! each pass.

mod block_pairs;
mod blocks;
pub mod copy_initial;
pub mod double_buffer;
mod first_iteration;
mod guard;
pub mod hoist;
pub mod merge_parameters;
pub(crate) mod occurrences;
mod rename;
pub mod reuse;
mod scalars;
pub mod short_circuit;

use ravel_base::Symbol;
use ravel_kernel::Origin;

use crate::{Cx, Premise, Refusal};

/// Whether a rule may fire, and records the firing or the refusal with the block to blame.
fn may_fire(
    cx: &mut Cx,
    rule: &'static str,
    failing: Option<Premise>,
    block: Option<Symbol>,
    origin: &Origin,
) -> bool {
    let Some(premise) = failing else { return cx.fire(rule, origin) };
    cx.refuse(rule, Refusal::of(premise).blame(block, origin.place()), origin);
    false
}
