//! Moves that are not needed: their target has the value already.
//!
//! The allocator gives a value several places in turn. Where one is a slot on the stack, a value that no instruction changes is
//! loaded in each iteration of a loop and stored again at its end, although the slot still has it. So a data-flow analysis follows
//! which places have the same value, and finds the moves that change nothing.
//!
//! A value has a name: the instruction that defines it, or the place in which it is when a block begins, if that depends on where
//! the block was entered from. In each iteration a name stands for another value. So when an instruction or a block gives a
//! name again, the places that still have the older value get another one.

use std::collections::BTreeMap;

use regalloc2::{Allocation, Block, Edit, Function as _, Inst, InstOrEdit, OperandKind, Output};

use super::allocate::Numbering;

/// The name of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// What this operand of an instruction defines.
    Defined(Inst, usize),
    /// What is in a place when a block begins.
    Begin(usize, Allocation),
    /// What is in a place when this instruction defines new values, if it has defined the value before.
    Older(Inst, Allocation),
}

/// The names of the values in places. A place without one has the value that it had when the block began.
type Names = BTreeMap<Allocation, Name>;

/// An instruction, or a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Instruction(Inst),
    Move { from: Allocation, to: Allocation },
}

/// The rounds of the analysis after which it gives up. A few suffice, since loops are nested a few deep.
const MAX_ROUNDS: usize = 50;

/// For each block, the instructions and the moves that are needed.
pub(crate) fn needed_steps(numbered: &Numbering<'_>, output: &Output) -> Vec<Vec<Step>> {
    let all: Vec<Vec<Step>> =
        (0..numbered.num_blocks()).map(|block| steps(numbered, output, block)).collect();
    // Without slots on the stack, the allocator moves what it must.
    if output.num_spillslots == 0 {
        return all;
    }
    let Some(begins) = begins(numbered, output, &all) else { return all };
    let mut needed = Vec::new();
    for (block, (steps, begin)) in all.into_iter().zip(begins).enumerate() {
        let Some(mut names) = begin else {
            needed.push(steps);
            continue;
        };
        let mut kept = Vec::new();
        run(numbered, output, block, &steps, &mut names, |step| kept.push(step));
        needed.push(kept);
    }
    needed
}

/// What is known when each block begins: what all ways into it agree on. `None` for a block that is not reached. The first rounds
/// assume the best of ways that have not been followed so far. What no more round changes holds.
fn begins(numbered: &Numbering<'_>, output: &Output, all: &[Vec<Step>]) -> Option<Vec<Option<Names>>> {
    let mut begins: Vec<Option<Names>> = vec![None; all.len()];
    let mut ends: Vec<Option<Names>> = vec![None; all.len()];
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for (block, steps) in all.iter().enumerate() {
            let begin = if block == numbered.entry_block().index() {
                Some(Names::new())
            } else {
                let ways = numbered.block_preds(Block::new(block)).iter();
                let names = ways.filter_map(|way| ends[way.index()].clone());
                names
                    .reduce(|a, b| a.into_iter().filter(|(place, name)| b.get(place) == Some(name)).collect())
            };
            let Some(mut begin) = begin else { continue };
            begin.retain(|_, name| !matches!(name, Name::Begin(of, _) if *of == block));
            if begins[block].as_ref() == Some(&begin) {
                continue;
            }
            changed = true;
            let mut names = begin.clone();
            begins[block] = Some(begin);
            run(numbered, output, block, steps, &mut names, |_| {});
            ends[block] = Some(names);
        }
        if !changed {
            return Some(begins);
        }
    }
    None
}

fn steps(numbered: &Numbering<'_>, output: &Output, block: usize) -> Vec<Step> {
    let steps = output.block_insts_and_edits(numbered, Block::new(block));
    let step = |step: InstOrEdit<'_>| match step {
        InstOrEdit::Inst(number) => Step::Instruction(number),
        InstOrEdit::Edit(&Edit::Move { from, to }) => Step::Move { from, to },
    };
    steps.map(step).collect()
}

/// Follows the steps of a block. Passes on those that are needed.
fn run(
    numbered: &Numbering<'_>,
    output: &Output,
    block: usize,
    steps: &[Step],
    names: &mut Names,
    mut pass: impl FnMut(Step),
) {
    for &step in steps {
        match step {
            Step::Instruction(number) => {
                let operands = numbered.inst_operands(number);
                for (&place, name) in names.iter_mut() {
                    if let Name::Defined(by, _) | Name::Older(by, _) = *name
                        && by == number
                    {
                        *name = Name::Older(number, place);
                    }
                }
                for (place, operand) in operands.iter().enumerate() {
                    if operand.kind() == OperandKind::Def {
                        names.insert(output.inst_allocs(number)[place], Name::Defined(number, place));
                    }
                }
            }
            Step::Move { from, to } => {
                let name = *names.entry(from).or_insert(Name::Begin(block, from));
                if names.insert(to, name) == Some(name) {
                    continue;
                }
            }
        }
        pass(step);
    }
}
