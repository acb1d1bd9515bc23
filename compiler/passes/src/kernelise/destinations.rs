//! Destinations: the memory in which arrays should be produced, so that they need not be copied.
//!
//! A thread that computes a row of a larger array stores it directly there. The destination is propagated from the
//! results of a body back to the statements that produce them, through in-place updates, other names and assertions. It
//! is only a preference: an array produced elsewhere is copied. An operator that maps rows of a histogram overwrites them.

use ravel_core as core;
use ravel_kernel::LevelName;

use super::scope::{Array, Cx};

impl Cx<'_> {
    /// Sets these places as destinations of the results of the body.
    pub fn prefer(&mut self, level: LevelName, body: &core::Body, places: Vec<Option<Array>>) {
        for (&atom, place) in body.result.iter().zip(places) {
            self.set_destination(atom, place);
        }
        // In the iterations of its loops a workgroup computes in workgroup memory, and copies the final values.
        let through_loops = level != LevelName::Workgroup;
        let is_loop = |stm: &core::Stm| matches!(stm.exp, core::Exp::Loop(_));
        for stm in body.stms.iter().rev().filter(|stm| through_loops || !is_loop(stm)) {
            for (position, binder) in stm.binders.iter().enumerate() {
                let Some(place) = self.dests.get(binder).cloned() else { continue };
                if let Some(parent) = self.parent(&stm.exp, position).or(self.only_start(&stm.exp, position))
                {
                    self.set_destination(parent, Some(place));
                }
            }
        }
    }

    /// Whether a function computes from scalars, or maps its arrays by such a function. So an element of its results needs no
    /// element at another position, in no dimension, and the results may overwrite the operands.
    pub fn is_elementwise(&self, function: &core::Lambda) -> bool {
        if function.params.iter().all(|&param| self.ty(param).is_scalar()) {
            return true;
        }
        let [core::Stm { binders, exp: core::Exp::Screma(screma), .. }] = &function.body.stms[..] else {
            return false;
        };
        let is_source = |param: &core::Var| {
            screma.sources.contains(&core::Source::Array(*param)) && self.uses.count(*param) == 1
        };
        screma.scans.is_empty()
            && screma.sinks.iter().all(|sink| *sink == core::Sink::Map)
            && function.params.iter().all(is_source)
            && function.body.result.iter().copied().eq(binders.iter().copied().map(core::Atom::Var))
            && self.is_elementwise(&screma.map)
    }

    /// The initial value of a loop's parameter that has no other use.
    fn only_start(&self, exp: &core::Exp, position: usize) -> Option<core::Atom> {
        let core::Exp::Loop(looped) = exp else { return None };
        let &(_, init) = looped.params.get(position)?;
        init.var().filter(|&init| self.uses.count(init) == 1).map(|_| init)
    }

    fn set_destination(&mut self, atom: core::Atom, place: Option<Array>) {
        if let (core::Atom::Var(var), Some(place)) = (atom, place)
            && !self.values.contains_key(&var)
        {
            self.dests.entry(var).or_insert(place);
        }
    }
}
