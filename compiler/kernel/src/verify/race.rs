//! Checks that the threads of a workgroup do not race.
//!
//! There is no barrier inside an inner segment, so a thread must not read what another thread stores there. If the segment
//! both stores to a memory block and reads it, two laws hold:
//!
//! * **The stores of different threads are disjoint.** All stores to the block have the same layout: the same sizes, offset
//!   and strides, which are the same for all threads and give different elements to different indices. Every counter of
//!   the index space is an index of the store, in the same dimension in all stores. So threads with different counters
//!   store to different elements. The results of a scan are stored at all counters, the results of a reduction only at the
//!   outer ones, and an operator sees no counters.
//! * **A thread reads only what it has stored.** The load is after a store through the same view at the same indices. A copy
//!   reads a whole view, which no such store fills.
//!
//! The second law has an exception for the workgroup memory of a map. If the first law holds for the loads together with
//! the stores, each element belongs to one thread. That thread may read it at any time. So threads can keep numbers in
//! workgroup memory from one segment to the next. No branch, loop or call passes such memory on, so all accesses are through
//! views of the block itself. The points of a reduction or a scan may run twice, and the second run
//! would read what the first one has stored. Device memory keeps what a failed run has stored, so it has no exception.
//!
//! A store in a branch counts after the branch if both sides have it. A store in a loop counts only inside the loop, which
//! may have no iterations.
//!
//! Several threads may combine into one element, in any order. So if a segment combines into a block, it accesses the block
//! in no other way, by one operator, and its points run once: it is a map.
//!
//! A block that the segment stores to but does not read is exempt. Its elements may be stored in any order, at indices
//! that the program computes.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_prim::BinOp;

use super::rerun::{is_single, updated_blocks};
use super::{Checked, Verifier};
use crate::syntax::*;
use crate::uses::Uses;
use crate::visit::Visit;

/// The elements that a thread has stored: their views and indices.
type Stored<'p> = Vec<(&'p View, &'p [Atom])>;

/// A store of a segment: the view, and the indices of the element. A copy stores to the whole view.
type Store<'p> = (&'p View, Option<Vec<Atom>>);

impl Verifier<'_> {
    /// Checks that no thread of an inner segment reads an element that another thread may store.
    pub(super) fn threads_do_not_race(&self, segment: &InnerSegment) -> Checked {
        let combined = self.blocks_only_combined(segment)?;
        let uses = Uses::of_inner_segment(segment, self.vars);
        let mut changed = updated_blocks(&uses);
        changed.retain(|block| !combined.contains(block));
        if is_single(&segment.space) || changed.is_empty() {
            return Ok(());
        }
        let mut finder = Stores { vars: self.vars, found: Vec::new(), loads: Vec::new() };
        finder.threads(&segment.kind, &segment.body);
        finder.results(segment);
        if segment.kind == SegmentKind::Map {
            let accesses: Vec<_> = finder.found.iter().chain(&finder.loads).cloned().collect();
            let owned = self.disjoint_blocks(segment, &uses, &changed, &accesses);
            changed.retain(|block| !owned.contains(block) || !self.is_of_workgroup(*block));
        }
        let read = Read { disjoint: self.disjoint_blocks(segment, &uses, &changed, &finder.found), changed };
        let bodies = segment.kind.combiners().iter().map(|combiner| &combiner.body);
        bodies.chain([&segment.body]).try_for_each(|body| self.reads_stored(body, &read, &mut Stored::new()))
    }

    fn is_of_workgroup(&self, block: Var) -> bool {
        let ty = self.vars.get(block).map(|info| &info.ty);
        matches!(ty, Some(Type::Block(block)) if block.space == Space::Workgroup)
    }

    /// The blocks into which the segment combines. Checks that it accesses them in no other way.
    fn blocks_only_combined(&self, segment: &InnerSegment) -> Checked<BTreeSet<Var>> {
        let mut finder = Combinations { vars: self.vars, found: BTreeMap::new(), others: BTreeSet::new() };
        finder.inner_segment(segment);
        for (block, ops) in &finder.found {
            let what = match () {
                () if segment.kind != SegmentKind::Map => "whose points may run twice",
                () if ops.iter().any(|op| *op != ops[0]) => "by several operators",
                () if finder.others.contains(block) => "which also loads or stores its elements",
                () => continue,
            };
            let block = self.show(*block);
            return self.fail(format!("threads combine into {block} in a segment {what}"));
        }
        Ok(finder.found.into_keys().collect())
    }

    /// The `changed` blocks to which different threads store different elements.
    fn disjoint_blocks(
        &self,
        segment: &InnerSegment,
        uses: &Uses,
        changed: &BTreeSet<Var>,
        stores: &[Store<'_>],
    ) -> BTreeSet<Var> {
        let disjoint = |block: &Var| {
            let same: Vec<_> = stores.iter().filter(|(view, _)| uses.may_alias(*block, view.block)).collect();
            self.are_disjoint(&segment.space, &same)
        };
        changed.iter().copied().filter(disjoint).collect()
    }

    /// Whether threads with different counters store different elements.
    fn are_disjoint(&self, space: &[(Var, Atom)], stores: &[&Store<'_>]) -> bool {
        let Some(&&(first, _)) = stores.first() else { return true };
        let layout = |view: &View| (view.shape.clone(), view.offset, view.strides.clone());
        let uniform = |&atom: &Atom| atom.var().is_none_or(|var| self.in_scope.contains(&var));
        let parts = || first.shape.iter().chain([&first.offset]).chain(&first.strides);
        let counters = space.iter().filter(|&&(_, size)| size != Atom::i64(1)).map(|&(counter, _)| counter);
        let is_index = |counter: Var| {
            (0..first.shape.len()).any(|dimension| {
                stores.iter().all(|(_, indices)| {
                    indices.as_ref().and_then(|indices| indices.get(dimension)) == Some(&Atom::Var(counter))
                })
            })
        };
        stores.iter().all(|(view, _)| layout(view) == layout(first))
            && parts().all(uniform)
            && self.products.injective(first)
            && counters.into_iter().all(is_index)
    }

    /// Checks that the body reads of the changed blocks only what is `stored`, and adds what it stores.
    fn reads_stored<'p>(&'p self, body: &'p Body<Thread>, read: &Read, stored: &mut Stored<'p>) -> Checked {
        body.stms.iter().try_for_each(|step| {
            self.stm_reads_stored(&step.stm, read, stored).map_err(|error| error.within(&step.origin))
        })
    }

    fn stm_reads_stored<'p>(&'p self, stm: &'p Stm<Thread>, read: &Read, stored: &mut Stored<'p>) -> Checked {
        match stm {
            Stm::Load { array, indices, .. } => {
                let own = view_of(self.vars, *array).is_none_or(|view| {
                    !read.changed.contains(&view.block)
                        || read.disjoint.contains(&view.block) && stored.contains(&(view, indices))
                });
                if !own {
                    return self.may_race(*array);
                }
            }
            Stm::Copy { from, .. } => {
                if view_of(self.vars, *from).is_some_and(|view| read.changed.contains(&view.block)) {
                    return self.may_race(*from);
                }
            }
            Stm::Store { array, indices, .. } => {
                stored.extend(view_of(self.vars, *array).map(|view| (view, &indices[..])));
            }
            Stm::Call { args, .. } => {
                let mut used = args.iter().filter_map(|arg| arg.value.var());
                if let Some(used) = used.find(|var| read.changed.contains(var)) {
                    let block = self.show(used);
                    return self
                        .fail(format!("a function may read elements of {block} that other threads store"));
                }
            }
            Stm::If { then, otherwise, .. } => {
                let mut other = stored.clone();
                self.reads_stored(then, read, stored)?;
                self.reads_stored(otherwise, read, &mut other)?;
                stored.retain(|element| other.contains(element));
            }
            Stm::Loop { body, .. } => self.reads_stored(body, read, &mut stored.clone())?,
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Combine { .. }
            | Stm::Constants { .. }
            | Stm::Assert { .. }
            | Stm::Trace { .. }
            | Stm::Choose { .. }
            | Stm::Segment(_) => {}
        }
        Ok(())
    }

    fn may_race(&self, array: Var) -> Checked {
        let array = self.show(array);
        self.fail(format!("{array} is read where another thread of the segment may store"))
    }
}

/// The blocks that a segment reads and stores to.
struct Read {
    /// All of them.
    changed: BTreeSet<Var>,
    /// Those to which different threads store different elements.
    disjoint: BTreeSet<Var>,
}

/// Finds the stores of a segment, and its loads.
struct Stores<'p> {
    vars: &'p VarTable,
    found: Vec<Store<'p>>,
    loads: Vec<Store<'p>>,
}

impl Stores<'_> {
    fn add(&mut self, array: Var, indices: Option<Vec<Atom>>) {
        self.found.extend(view_of(self.vars, array).map(|view| (view, indices)));
    }

    /// Adds the stores of the combined results.
    fn results(&mut self, segment: &InnerSegment) {
        let counters = segment.space.iter().map(|&(counter, _)| Atom::Var(counter));
        for &out in segment.kind.combiners().iter().flat_map(|combiner| &combiner.outs) {
            let rank = view_of(self.vars, out).map_or(0, |view| view.shape.len());
            self.add(out, Some(counters.clone().take(rank).collect()));
        }
    }
}

impl Visit for Stores<'_> {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Store { array, indices, .. } => self.add(*array, Some(indices.clone())),
            Stm::Load { array, indices, .. } => {
                self.loads.extend(view_of(self.vars, *array).map(|view| (view, Some(indices.clone()))));
            }
            Stm::Copy { to, from } => {
                self.add(*to, None);
                self.loads.extend(view_of(self.vars, *from).map(|view| (view, None)));
            }
            _ => self.children(stm),
        }
    }
}

/// Finds the blocks into which a segment combines.
struct Combinations<'p> {
    vars: &'p VarTable,
    /// For each block, the operators.
    found: BTreeMap<Var, Vec<BinOp>>,
    /// The blocks that are read or written.
    others: BTreeSet<Var>,
}

impl Visit for Combinations<'_> {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Combine { array, op, .. } => {
                let block = view_of(self.vars, *array).map(|view| view.block);
                block.into_iter().for_each(|block| self.found.entry(block).or_default().push(*op));
            }
            _ => self.children(stm),
        }
    }

    fn read(&mut self, array: &Var) {
        self.others.extend(view_of(self.vars, *array).map(|view| view.block));
    }

    fn write(&mut self, array: &Var) {
        self.others.extend(view_of(self.vars, *array).map(|view| view.block));
    }
}

/// The view of an array, whose scope may have ended.
fn view_of(vars: &VarTable, array: Var) -> Option<&View> {
    match &vars.get(array)?.ty {
        Type::Array(view) => Some(view),
        _ => None,
    }
}
