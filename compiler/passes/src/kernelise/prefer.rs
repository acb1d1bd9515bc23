//! Destinations: where arrays yet to be made should be made, so that they need not be copied.
//!
//! A thread that makes a row of a larger array makes it in its place. The wish is handed from the
//! results of a body back to the statements that make them: through updates in place, other names
//! and assertions. It is only a wish: what lies elsewhere in the end is copied.

use ravel_core as core;
use ravel_kernel::LevelName;

use super::scope::{Array, Cx};

impl Cx<'_> {
    /// Wishes that the results of the body be made in these places.
    pub fn prefer(&mut self, level: LevelName, body: &core::Body, places: Vec<Option<Array>>) {
        for (&atom, place) in body.result.iter().zip(places) {
            self.wish(atom, place);
        }
        // A block computes in workgroup memory in the rounds of its loops, and copies the last values.
        let through_loops = level != LevelName::Block;
        let is_loop = |stm: &core::Stm| matches!(stm.exp, core::Exp::Loop(_));
        for stm in body.stms.iter().rev().filter(|stm| through_loops || !is_loop(stm)) {
            for (position, binder) in stm.binders.iter().enumerate() {
                let Some(place) = self.dests.get(binder).cloned() else { continue };
                if let Some(parent) = self.parent(&stm.exp, position).or(self.only_start(&stm.exp, position))
                {
                    self.wish(parent, Some(place));
                }
            }
        }
    }

    /// The first value of a loop's parameter that is used there only.
    fn only_start(&self, exp: &core::Exp, position: usize) -> Option<core::Atom> {
        let core::Exp::Loop(looped) = exp else { return None };
        let &(_, init) = looped.params.get(position)?;
        init.var().filter(|&init| self.uses.count(init) == 1).map(|_| init)
    }

    fn wish(&mut self, atom: core::Atom, place: Option<Array>) {
        if let (core::Atom::Var(var), Some(place)) = (atom, place)
            && self.values.get(var).is_none()
        {
            self.dests.entry(var).or_insert(place);
        }
    }
}
