//! Liveness of memory in a body: the last statement that mentions each root.

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;

use super::Blocks;
use crate::memory::occurrences::{binders, block_of, visit_uses};

/// The memory that belongs to a body at a statement, and the last mention of memory in the body.
pub(super) struct Liveness {
    /// Owned from the start, or allocated before the statement.
    pub(super) ours: BTreeSet<Var>,
    last: BTreeMap<Var, usize>,
}

impl Liveness {
    /// The state at the start of a body. Its results count as a mention after the last statement.
    pub(super) fn of<L: Level>(
        body: &Body<L>,
        own: BTreeSet<Var>,
        vars: &VarTable,
        blocks: &Blocks,
    ) -> Liveness {
        let mut last = BTreeMap::new();
        if body.stms.iter().any(|step| matches!(step.stm, Stm::Loop { .. })) {
            let new = binders(body);
            let mut mention = |at: usize, var: Var| {
                let Some(block) = block_of(var, vars) else { return };
                match new.contains(&block) {
                    // Aliases through branches and loops are added at the branch or loop.
                    true => _ = last.insert(block, at),
                    false => last.extend(blocks.roots(block).into_iter().map(|root| (root, at))),
                }
            };
            for (at, step) in body.stms.iter().enumerate() {
                visit_uses(&step.stm, &mut |var| mention(at, var));
            }
            let results = body.result.iter().filter_map(|atom| atom.var());
            results.for_each(|var| mention(body.stms.len(), var));
        }
        Liveness { ours: own, last }
    }

    /// Records that a result of a branch or loop may refer to this memory, so that uses of the result count as
    /// mentions.
    pub(super) fn add_alias(&mut self, binder: Var, roots: &BTreeSet<Var>) {
        if let Some(&last) = self.last.get(&binder) {
            for &root in roots {
                let known = self.last.entry(root).or_insert(last);
                *known = last.max(*known);
            }
        }
    }

    /// Whether the body mentions this memory after a statement.
    pub(super) fn is_live_after(&self, root: Var, at: usize) -> bool {
        self.last.get(&root).is_some_and(|&last| last > at)
    }
}
