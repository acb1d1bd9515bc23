//! Checks that a point of a segment can run again with the same result.
//!
//! A runtime may run a failed point again to get its message, and points of reductions and scans run twice anyway. The
//! second run must not depend on stores of the segment. So if the segment stores to a memory block, a point reads that
//! block only after its own store to it. If a segment is a map over threads and cannot fail, its points run once, so they
//! may read elements that they overwrite later.
//!
//! A block that a branch or a loop of the point binds is a block of its own here. So if it may be one that the segment stores
//! to, only stores through it count.
//!
//! A combination is no such read: it is into workgroup memory, which is fresh in each run.
//!
//! If a workgroup computes the point, the stores of all earlier inner segments of its body count as the point's own.

use std::collections::BTreeSet;

use super::{Checked, Verifier};
use crate::syntax::*;
use crate::uses::Uses;

impl Verifier<'_> {
    /// Checks that the points of a grid segment can run again. If the segment has only one point, that point reports
    /// its failure at once, and never runs again.
    pub(super) fn can_run_again(&self, segment: &GridSegment) -> Checked {
        let runs_once = match &segment.points {
            Points::Threads { kind, .. } => *kind == SegmentKind::Map && !segment.can_fail(),
            Points::Workgroups(_) => false,
        };
        let changed = updated_blocks(&Uses::of_segment(segment, self.vars));
        if is_single(&segment.space) || runs_once || changed.is_empty() {
            return Ok(());
        }
        match &segment.points {
            Points::Threads { kind, body } => self.threads_read_own(kind, body, &changed, &BTreeSet::new()),
            Points::Workgroups(body) => self.reads_own(body, &changed, &mut BTreeSet::new()),
        }
    }

    /// Checks the code and the operators of threads that have already stored to the blocks in `own`. Stores
    /// of the code do not count as stores of an operator.
    fn threads_read_own(
        &self,
        kind: &SegmentKind,
        body: &Body<Thread>,
        changed: &BTreeSet<Var>,
        own: &BTreeSet<Var>,
    ) -> Checked {
        self.reads_own(body, changed, &mut own.clone())?;
        let operators = kind.combiners().iter().map(|combiner| &combiner.body);
        let mut others = operators.chain(kind.finish().map(|finish| &finish.body));
        others.try_for_each(|body| self.reads_own(body, changed, &mut own.clone()))
    }

    /// Checks that the body reads a `changed` block only if it is in `own`; adds the blocks to which it stores.
    fn reads_own<L: Level>(
        &self,
        body: &Body<L>,
        changed: &BTreeSet<Var>,
        own: &mut BTreeSet<Var>,
    ) -> Checked {
        body.stms.iter().try_for_each(|step| {
            self.stm_reads_own(&step.stm, changed, own).map_err(|error| error.within(&step.origin))
        })
    }

    fn stm_reads_own<L: Level>(
        &self,
        stm: &Stm<L>,
        changed: &BTreeSet<Var>,
        own: &mut BTreeSet<Var>,
    ) -> Checked {
        let block = |array: Var| match self.vars.get(array).map(|info| &info.ty) {
            Some(Type::Array(view)) => Some(view.block),
            _ => None,
        };
        match stm {
            Stm::Load { array: read, .. } | Stm::Copy { from: read, .. }
                if block(*read).is_some_and(|read| changed.contains(&read) && !own.contains(&read)) =>
            {
                let array = self.show(*read);
                return self.fail(format!(
                    "{array} is read from memory that the segment writes, before the point has stored there"
                ));
            }
            Stm::Call { args, .. } => {
                let mut read = args.iter().filter_map(|arg| arg.value.var());
                if let Some(read) = read.find(|var| changed.contains(var) && !own.contains(var)) {
                    let block = self.show(read);
                    return self.fail(format!(
                        "{block} is read, and the segment writes it, before the point has stored there"
                    ));
                }
            }
            Stm::If { then, otherwise, .. } => {
                let mut other = own.clone();
                self.reads_own(then, changed, own)?;
                self.reads_own(otherwise, changed, &mut other)?;
                own.retain(|stored| other.contains(stored));
            }
            // A store in a loop counts even if the loop may have no iterations: a loop fills an array with one
            // iteration for each of its elements. So if it has none, the array has no elements, and nothing is read.
            Stm::Loop { body, .. } => self.reads_own(body, changed, own)?,
            Stm::Segment(segment) => {
                if let AnySegment::Inner(segment) = L::segment(segment) {
                    self.threads_read_own(&segment.kind, &segment.body, changed, own)?;
                    let uses = Uses::of_inner_segment(segment, self.vars);
                    own.extend(uses.blocks.iter().filter(|used| used.written).map(|used| used.block));
                }
            }
            Stm::Load { .. }
            | Stm::Copy { .. }
            | Stm::Store { .. }
            | Stm::Combine { .. }
            | Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Constants { .. }
            | Stm::Assert { .. }
            | Stm::Trace { .. }
            | Stm::Choose { .. } => {}
        }
        if let Stm::Store { array: stored, .. } | Stm::Copy { to: stored, .. } = stm {
            own.extend(block(*stored));
        }
        Ok(())
    }
}

/// The blocks that are both read and written, and the blocks bound by branches and loops that they may be.
pub(super) fn updated_blocks(uses: &Uses) -> BTreeSet<Var> {
    let updated: BTreeSet<Var> =
        uses.blocks.iter().filter(|used| used.written && used.read).map(|used| used.block).collect();
    let inner = uses.aliases.iter().filter(|(_, blocks)| !blocks.is_disjoint(&updated));
    inner.map(|(&block, _)| block).chain(updated.iter().copied()).collect()
}

/// Whether the space has at most one point.
pub(super) fn is_single(space: &[(Var, Atom)]) -> bool {
    space.iter().all(|&(_, size)| size == Atom::i64(1))
}
