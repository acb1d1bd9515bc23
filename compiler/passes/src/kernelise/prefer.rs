//! Destinations: where arrays yet to be made should be made, so that they need not be copied.
//!
//! A thread that makes a row of a larger array makes it in its place. The wish is handed from the
//! results of a body back to the statements that make them: through updates in place, other names
//! and assertions. It is only a wish: what lies elsewhere in the end is copied.

use ravel_core as core;

use super::scope::{Array, Cx};

impl Cx<'_> {
    /// Wishes that the results of the body be made in these places.
    pub fn prefer(&mut self, body: &core::Body, places: Vec<Option<Array>>) {
        for (&atom, place) in body.result.iter().zip(places) {
            self.wish(atom, place);
        }
        for stm in body.stms.iter().rev() {
            match &stm.exp {
                core::Exp::Atom(atom) => self.pass_on(stm.binders.first(), *atom),
                core::Exp::Update { array, .. } => {
                    self.pass_on(stm.binders.first(), core::Atom::Var(*array));
                }
                core::Exp::Assert { values, .. } => {
                    for (binder, &value) in stm.binders.iter().zip(values) {
                        self.pass_on(Some(binder), value);
                    }
                }
                core::Exp::Loop(looped) => {
                    for (binder, &(param, init)) in stm.binders.iter().zip(&looped.params) {
                        let once = init.var().is_some_and(|init| self.uses.count(init) == 1);
                        if once || self.aliases.is_consumed(param) {
                            self.pass_on(Some(binder), init);
                        }
                    }
                }
                core::Exp::Screma(screma) => {
                    let mut binders = stm.binders.as_slice();
                    for sink in &screma.sinks {
                        let (own, rest) = binders.split_at(sink.results().min(binders.len()));
                        binders = rest;
                        let targets = match sink {
                            core::Sink::Map | core::Sink::Reduce { .. } => &[],
                            core::Sink::Write { target, .. } => std::slice::from_ref(target),
                            core::Sink::Combine { targets, .. } => targets.as_slice(),
                        };
                        for (binder, &target) in own.iter().zip(targets) {
                            self.pass_on(Some(binder), core::Atom::Var(target));
                        }
                    }
                }
                _ => (),
            }
        }
    }

    fn pass_on(&mut self, binder: Option<&core::Var>, to: core::Atom) {
        let place = binder.and_then(|binder| self.dests.get(binder).cloned());
        self.wish(to, place);
    }

    fn wish(&mut self, atom: core::Atom, place: Option<Array>) {
        if let (core::Atom::Var(var), Some(place)) = (atom, place)
            && !self.values.contains_key(&var)
        {
            self.dests.entry(var).or_insert(place);
        }
    }
}
