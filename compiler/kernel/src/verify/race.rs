//! Checks that the threads of a workgroup do not race.
//!
//! There is no barrier inside an inner segment, so a thread must not read what another thread stores there. If the segment
//! stores to a memory block, a thread reads only an element of it that the thread has stored itself: the load is after a
//! store through the same view at the same indices. A copy reads a whole view, so it is after a copy into this view.
//!
//! A store in a branch counts after the branch if both sides have it. A store in a loop counts only inside the loop, which
//! may have no iterations.

use std::collections::BTreeSet;

use super::rerun::{is_single, updated_blocks};
use super::{Checked, Verifier};
use crate::syntax::*;
use crate::uses::Uses;

/// What a thread has stored: views, each with the indices of an element. A view without its indices was filled by a copy.
type Stored<'p> = Vec<(&'p View, Option<&'p [Atom]>)>;

impl Verifier<'_> {
    /// Checks that no thread of an inner segment reads an element that another thread may store.
    pub(super) fn threads_do_not_race(&self, segment: &InnerSegment) -> Checked {
        let changed = updated_blocks(&Uses::of_inner_segment(segment, self.vars));
        if is_single(&segment.space) || changed.is_empty() {
            return Ok(());
        }
        let bodies = segment.kind.combiners().iter().map(|combiner| &combiner.body);
        bodies
            .chain([&segment.body])
            .try_for_each(|body| self.reads_stored(body, &changed, &mut Stored::new()))
    }

    /// Checks that the body reads of the `changed` blocks only what is `stored`, and adds what it stores.
    fn reads_stored<'p>(
        &'p self,
        body: &'p Body<Thread>,
        changed: &BTreeSet<Var>,
        stored: &mut Stored<'p>,
    ) -> Checked {
        body.stms.iter().try_for_each(|step| {
            self.stm_reads_stored(&step.stm, changed, stored).map_err(|error| error.within(&step.origin))
        })
    }

    fn stm_reads_stored<'p>(
        &'p self,
        stm: &'p Stm<Thread>,
        changed: &BTreeSet<Var>,
        stored: &mut Stored<'p>,
    ) -> Checked {
        match stm {
            Stm::Load { array, indices, .. } => {
                self.is_stored(*array, Some(indices), changed, stored)?;
            }
            Stm::Copy { to, from } => {
                self.is_stored(*from, None, changed, stored)?;
                stored.extend(self.view_of(*to).map(|view| (view, None)));
            }
            Stm::Store { array, indices, .. } => {
                stored.extend(self.view_of(*array).map(|view| (view, Some(&indices[..]))));
            }
            Stm::Call { args, .. } => {
                let mut read = args.iter().filter_map(|arg| arg.value.var());
                if let Some(read) = read.find(|var| changed.contains(var)) {
                    let block = self.show(read);
                    return self
                        .fail(format!("a function may read elements of {block} that other threads store"));
                }
            }
            Stm::If { then, otherwise, .. } => {
                let mut other = stored.clone();
                self.reads_stored(then, changed, stored)?;
                self.reads_stored(otherwise, changed, &mut other)?;
                stored.retain(|element| other.contains(element));
            }
            Stm::Loop { body, .. } => self.reads_stored(body, changed, &mut stored.clone())?,
            Stm::Let { .. }
            | Stm::SineCosine { .. }
            | Stm::View(_)
            | Stm::Alloc { .. }
            | Stm::Constants { .. }
            | Stm::Assert { .. }
            | Stm::Trace { .. }
            | Stm::Choose { .. }
            | Stm::Segment(_) => {}
        }
        Ok(())
    }

    /// Checks that an element, or a whole view, is stored if its block is `changed`.
    fn is_stored(
        &self,
        array: Var,
        indices: Option<&[Atom]>,
        changed: &BTreeSet<Var>,
        stored: &Stored<'_>,
    ) -> Checked {
        match self.view_of(array) {
            Some(view) if changed.contains(&view.block) && !stored.contains(&(view, indices)) => {
                let array = self.show(array);
                self.fail(format!("{array} is read where another thread of the segment may store"))
            }
            _ => Ok(()),
        }
    }

    /// The view of an array, whose scope may have ended.
    fn view_of(&self, array: Var) -> Option<&View> {
        match &self.vars.get(array)?.ty {
            Type::Array(view) => Some(view),
            _ => None,
        }
    }
}
