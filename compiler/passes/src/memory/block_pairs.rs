//! Finds pairs of blocks between which a loop can alternate (double buffering): a block that an iteration allocates and
//! yields, and the block of a loop parameter that is dead after the iteration.

use std::collections::BTreeSet;

use ravel_kernel::*;

use super::blocks::Blocks;
use super::occurrences::binders;

/// An allocation in an iteration whose size is known before the loop.
#[derive(Clone, Copy)]
pub struct Allocation {
    /// The block.
    pub block: Var,
    /// Its number of elements.
    pub count: Atom,
}

/// The device allocations in the body of a loop whose size is known before the loop.
pub fn allocations<L: Level>(looped: &Stm<L>, vars: &VarTable) -> Vec<Allocation> {
    let Stm::Loop { params, form, body, .. } = looped else { return Vec::new() };
    if !body.stms.iter().any(|step| matches!(step.stm, Stm::Alloc { .. })) {
        return Vec::new();
    }
    let mut inside = binders(body);
    inside.extend(params.iter().map(|&(param, _)| param));
    if let LoopForm::For { index, .. } = form {
        inside.insert(*index);
    }
    let known = |count: Atom| count.var().is_none_or(|count| !inside.contains(&count));
    let made = body.stms.iter().filter_map(|step| match step.stm {
        Stm::Alloc { block, count } if known(count) => Some(Allocation { block, count }),
        _ => None,
    });
    let in_device = |made: &Allocation| {
        matches!(vars[made.block].ty, Type::Block(BlockType { space: Space::Device, .. }))
    };
    made.filter(in_device).collect()
}

/// The parameters with which the value yielded at a position may be exchanged, the best first.
pub fn partners(params: &[(Var, Atom)], position: usize) -> impl Iterator<Item = Var> {
    let others = (0..params.len()).filter(move |&other| other != position);
    [position].into_iter().chain(others).map(|position| params[position].0)
}

/// The blocks in which a value that an iteration yields may lie: parameters, allocations and results of inner loops.
pub fn yielded_blocks<L: Level>(blocks: &Blocks, iteration: &Body<L>) -> BTreeSet<Var> {
    iteration.result.iter().filter_map(|next| next.var()).flat_map(|next| blocks.memory(next)).collect()
}

/// Whether a parameter has the type and size of the allocation.
pub fn fits(blocks: &Blocks, vars: &VarTable, param: Var, made: Allocation) -> bool {
    vars[param].ty == vars[made.block].ty && blocks.has_count(param, made.count)
}
