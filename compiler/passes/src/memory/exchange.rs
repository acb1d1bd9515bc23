//! What a loop may exchange: what a round makes and hands on, and the parameter that nobody needs behind the round.

use std::collections::BTreeSet;

use ravel_kernel::*;

use super::blocks::Blocks;
use super::mention::binders;

/// What a round makes, with a number of elements that is known before the loop.
#[derive(Clone, Copy)]
pub struct Made {
    /// The block.
    pub block: Var,
    /// How many elements it has.
    pub count: Atom,
}

/// What the rounds of a loop make in device memory, with a number of elements that is known before the loop.
pub fn made_in_rounds<L: Level>(looped: &Stm<L>, vars: &VarTable) -> Vec<Made> {
    let Stm::Loop { params, form, body, .. } = looped else { return Vec::new() };
    if !body.stms.iter().any(|stm| matches!(stm, Stm::Alloc { .. })) {
        return Vec::new();
    }
    let mut inside = binders(body);
    inside.extend(params.iter().map(|&(param, _)| param));
    if let LoopForm::For { index, .. } = form {
        inside.insert(*index);
    }
    let known = |count: Atom| count.var().is_none_or(|count| !inside.contains(&count));
    let made = body.stms.iter().filter_map(|stm| match stm {
        &Stm::Alloc { block, count } if known(count) => Some(Made { block, count }),
        _ => None,
    });
    let in_device =
        |made: &Made| matches!(vars[made.block].ty, Type::Block(BlockType { space: Space::Device, .. }));
    made.filter(in_device).collect()
}

/// The parameters that may take turns with what is handed on at a position, the best first.
pub fn partners(params: &[(Var, Atom)], position: usize) -> impl Iterator<Item = Var> {
    let others = (0..params.len()).filter(move |&other| other != position);
    [position].into_iter().chain(others).map(|position| params[position].0)
}

/// The parameters whose memory a round hands on.
pub fn handed_on<L: Level>(blocks: &Blocks, round: &Body<L>) -> BTreeSet<Var> {
    round.result.iter().filter_map(|next| next.var()).flat_map(|next| blocks.memory(next)).collect()
}

/// Has a parameter room for just what is made?
pub fn fits(blocks: &Blocks, vars: &VarTable, param: Var, made: Made) -> bool {
    vars[param].ty == vars[made.block].ty && blocks.has(param, made.count)
}
