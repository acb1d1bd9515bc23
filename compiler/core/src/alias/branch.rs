//! Aliases of branch results.
//!
//! A result has the places of both bodies' results. If one body consumes a place that the other body returns, the result
//! takes over that memory as its *successor*, under a place of its own. Usually no live variable can alias the consumed array
//! any more, and the successor is simply a new place. But a live choice may coincide with the consumed place, and then also
//! with the successor:
//!
//! ```text
//!   a, b = loop (d = p, e = q) … yield e, d          a and b are p and q, or q and p
//!   o = if c then (a with [0] = 1) else p            p is dead now, but b may be p, and so may o
//! ```
//!
//! So the successor is a choice of all live places that may coincide with the consumed one.

use super::{Analysis, Choice, Places};
use crate::syntax::*;
use rustc_hash::FxHashSet;

impl Analysis<'_> {
    /// Analyses a branch.
    pub(super) fn branch_results(&mut self, then: &Body, otherwise: &Body, binders: &[Var]) {
        let (before, outside) = (self.consumed_places.len(), self.arrays.len());
        self.body(then);
        self.body(otherwise);
        let dead: Places = self.consumed_places[before..].iter().copied().collect();
        let inside: FxHashSet<Var> = self.arrays[outside..].iter().copied().collect();
        let mut successors: Vec<(Var, Var)> = Vec::new();
        let mut results = Vec::new();
        for (&binder, (&a, &b)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
            let mut places = Places::new();
            for place in &self.of_atom(a) | &self.of_atom(b) {
                if !self.is_dead(&dead, place) {
                    places.insert(place);
                    continue;
                }
                places.extend(
                    successors
                        .iter()
                        .filter(|successor| self.aliases.may_coincide(successor.0, place))
                        .map(|successor| successor.1),
                );
                if successors.iter().all(|successor| successor.0 != place) {
                    self.add_successor(&dead, place, binder);
                    successors.push((place, binder));
                    places.insert(binder);
                }
            }
            results.push(places);
        }
        self.join_classes(&inside, &mut results);
        for (&binder, places) in binders.iter().zip(results) {
            self.set(binder, places);
        }
    }

    /// Whether the place may coincide with a dead one.
    fn is_dead(&self, dead: &Places, place: Var) -> bool {
        dead.contains(&place) || dead.iter().any(|&dead| self.aliases.may_coincide(dead, place))
    }

    /// Makes a result the successor of a dead place: a choice of the live places that may coincide with the dead one.
    fn add_successor(&mut self, dead: &Places, place: Var, successor: Var) {
        let known = self.aliases.choices.keys().chain(self.aliases.candidates(place)).copied();
        let live = known.filter(|&other| {
            other != successor && self.aliases.may_coincide(other, place) && !self.is_dead(dead, other)
        });
        let live: Places = live.collect();
        if live.is_empty() {
            return;
        }
        self.aliases.choice_time += 1;
        // None of this memory is dead: a place that may coincide with dead memory would be dead too.
        let memory =
            self.aliases.memory(&live).filter(|&place| self.aliases.candidates(place).is_empty()).collect();
        let mut choice = Choice { options: live, memory, time: self.aliases.choice_time };
        if let Some(earlier) = self.aliases.choices.remove(&successor) {
            choice.options.extend(earlier.options);
            choice.memory.extend(earlier.memory);
        }
        self.aliases.choices.insert(successor, choice);
    }
}
