//! What branches give: what either side does. What one side has consumed, and the other one hands on, has an *heir*:
//! a place of the result's own.
//!
//! Most often nobody else is left who may be that memory: the heir is new. But who was told apart from what was consumed
//! is alive, and may be what is handed on:
//!
//! ```text
//!   a, b = loop (d = p, e = q) … yield e, d          a and b are p and q, or q and p
//!   o = if c then (a with [0] = 1) else p            p is not there any more, but b may be p, and so may o
//! ```
//!
//! So the heir is among all that are left.

use super::{Analysis, Apart, Places};
use crate::syntax::*;
use rustc_hash::FxHashSet;

impl Analysis<'_> {
    /// Goes over a branch.
    pub(super) fn branched(&mut self, then: &Body, otherwise: &Body, binders: &[Var]) {
        let (before, outside) = (self.deaths.len(), self.seen.len());
        self.body(then);
        self.body(otherwise);
        let dead: Places = self.deaths[before..].iter().copied().collect();
        let inside: FxHashSet<Var> = self.seen[outside..].iter().copied().collect();
        let mut heirs: Vec<(Var, Var)> = Vec::new();
        let mut results = Vec::new();
        for (&binder, (&a, &b)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
            let mut places = Places::new();
            for place in &self.of_atom(a) | &self.of_atom(b) {
                if !self.is_dead(&dead, place) {
                    places.insert(place);
                    continue;
                }
                places.extend(
                    heirs.iter().filter(|heir| self.aliases.may_be(heir.0, place)).map(|heir| heir.1),
                );
                if heirs.iter().all(|heir| heir.0 != place) {
                    self.inherit(&dead, place, binder);
                    heirs.push((place, binder));
                    places.insert(binder);
                }
            }
            results.push(places);
        }
        self.gather(&inside, &mut results);
        for (&binder, places) in binders.iter().zip(results) {
            self.set(binder, places);
        }
    }

    /// May the place be one of the dead?
    fn is_dead(&self, dead: &Places, place: Var) -> bool {
        dead.contains(&place) || dead.iter().any(|&dead| self.aliases.may_be(dead, place))
    }

    /// Makes a result the heir of a place: one of those that may be that and are left.
    fn inherit(&mut self, dead: &Places, place: Var, heir: Var) {
        let known = self.aliases.apart.keys().chain(self.aliases.among(place)).copied();
        let left = known.filter(|&other| {
            other != heir && self.aliases.may_be(other, place) && !self.is_dead(dead, other)
        });
        let left: Places = left.collect();
        if left.is_empty() {
            return;
        }
        self.aliases.parted += 1;
        // Of their memory nothing is dead: whoever may be it would be so too.
        let memory =
            self.aliases.memory(&left).filter(|&place| self.aliases.among(place).is_empty()).collect();
        let mut apart = Apart { others: left, memory, time: self.aliases.parted };
        if let Some(known) = self.aliases.apart.remove(&heir) {
            apart.others.extend(known.others);
            apart.memory.extend(known.memory);
        }
        self.aliases.apart.insert(heir, apart);
    }
}
