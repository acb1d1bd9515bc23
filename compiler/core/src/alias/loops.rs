//! Aliases of loop results, and consumption of loop parameters.
//!
//! If a loop consumes a parameter, the initial value is dead after the loop, and the body creates every next value
//! for this parameter alone. So the result has a place of its own. Any other result is the initial value or one of the
//! next values, and has the places of all of them. If two results may alias by this rule, a finer rule compares two
//! parameters in the same iteration:
//!
//! ```text
//!   two parameters are *together* if they may alias in some iteration: if their initial values may alias,
//!   or if their next values may alias, where parameters that are together may alias
//! ```
//!
//! Results that may alias by the first rule, but are never together, are disjoint. They get new choices. Results that
//! are together share one choice, whose options are the places of all of them. A choice may coincide with whatever its
//! options may coincide with, except the other choices of the same loop.

use std::collections::BTreeSet;

use super::{Analysis, Choice, Places};
use crate::syntax::*;
use rustc_hash::FxHashSet;

impl Analysis<'_> {
    /// Analyses a loop.
    pub(super) fn loop_results(&mut self, looped: &Loop, binders: &[Var]) {
        let outside = self.arrays.len();
        let params: Vec<Var> = looped.params.iter().map(|&(param, _)| param).collect();
        self.fresh(&params);
        self.body(&looped.body);
        let nexts = looped.body.result.iter().map(|&atom| self.of_atom(atom)).collect();
        let inits = looped.params.iter().map(|&(_, init)| self.of_atom(init)).collect();
        let inside = self.arrays[outside..].iter().copied().collect();
        let mut sets = LoopSets { params, inside, inits, nexts, finals: Vec::new() };
        self.propagate_consumption(&sets);
        sets.finals = self.finals(&sets, binders);
        self.join_classes(&sets.inside, &mut sets.finals);
        self.separate(&mut sets, binders);
        for (&binder, places) in binders.iter().zip(sets.finals) {
            self.set(binder, places);
        }
    }

    /// Consumes the parameters that become the next value of a consumed one, up to the fixpoint.
    fn propagate_consumption(&mut self, sets: &LoopSets) {
        loop {
            let before = self.aliases.consumed.len();
            for (param, places) in sets.params.iter().zip(&sets.nexts) {
                if self.aliases.is_consumed(*param) {
                    let params = self.aliases.memory(places).filter(|&place| sets.position(place).is_some());
                    self.consume(&params.collect());
                }
            }
            if self.aliases.consumed.len() == before {
                return;
            }
        }
    }

    /// The alias sets of the results after any number of iterations.
    fn finals(&self, sets: &LoopSets, binders: &[Var]) -> Vec<Places> {
        let consumed: Vec<bool> = sets.params.iter().map(|&param| self.aliases.is_consumed(param)).collect();
        let first = |index: usize| match consumed[index] {
            true => binders.get(index).copied().into_iter().collect(),
            false => sets.inits[index].clone(),
        };
        let mut finals: Vec<Places> = (0..sets.params.len()).map(first).collect();
        for _ in 0..finals.len() {
            let before: usize = finals.iter().map(Places::len).sum();
            for (index, places) in sets.nexts.iter().enumerate().take(finals.len()) {
                if consumed[index] {
                    continue;
                }
                for place in places.iter().flat_map(|&place| self.after_loop(sets, place)) {
                    match sets.position(place) {
                        Some(other) => {
                            let other = finals[other].clone();
                            finals[index].extend(other);
                        }
                        None => _ = finals[index].insert(place),
                    }
                }
            }
            if finals.iter().map(Places::len).sum::<usize>() == before {
                break;
            }
        }
        finals
    }

    /// The places after the loop for a place of the body. A choice introduced in the body is replaced by all its
    /// candidates; names of parameters stay.
    fn after_loop(&self, sets: &LoopSets, place: Var) -> Vec<Var> {
        let is_inner_choice =
            |place: &Var| sets.inside.contains(place) && !self.aliases.candidates(*place).is_empty();
        match is_inner_choice(&place) {
            true => {
                let candidates = self.aliases.candidates(place).iter().copied();
                candidates.filter(|place| !is_inner_choice(place)).collect()
            }
            false => vec![place],
        }
    }

    /// Gives choices to results that may alias by their sets but were never together.
    fn separate(&mut self, sets: &mut LoopSets, binders: &[Var]) {
        let finals = &sets.finals;
        let overlapping: Vec<(usize, usize)> =
            pairs(finals.len()).filter(|&(a, b)| self.aliases.may_alias(&finals[a], &finals[b])).collect();
        if overlapping.is_empty() {
            return;
        }
        let together = self.together(sets);
        let separate: BTreeSet<usize> =
            overlapping.iter().filter(|pair| !together.contains(pair)).flat_map(|&(a, b)| [a, b]).collect();
        // For each result, the least one of its group. A group contains the results that are together, directly or
        // through other results.
        let mut leader: Vec<usize> = (0..finals.len()).collect();
        for &(a, b) in together.iter().filter(|(a, b)| separate.contains(a) && separate.contains(b)) {
            let (first, second) = (leader[a].min(leader[b]), leader[a].max(leader[b]));
            leader.iter_mut().filter(|leader| **leader == second).for_each(|leader| *leader = first);
        }
        let group_places = |of: &usize| -> Places {
            let members = separate.iter().filter(|&member| leader[*member] == *of);
            members.flat_map(|&member| &finals[member]).copied().collect()
        };
        let leaders: BTreeSet<usize> = separate.iter().map(|&index| leader[index]).collect();
        let groups: Vec<(Var, Places)> = leaders.iter().map(|of| (binders[*of], group_places(of))).collect();
        let unchanged = finals.iter().enumerate().filter(|(index, _)| !separate.contains(index));
        let unchanged: Places = unchanged.flat_map(|(_, places)| places).copied().collect();
        self.aliases.choice_time += 1;
        let time = self.aliases.choice_time;
        for (place, options) in groups {
            let memory =
                self.aliases.memory(&options).filter(|&place| self.aliases.candidates(place).is_empty());
            let mut memory: Places = memory.collect();
            // A place created inside that only this choice can refer to joins an alias class, as in `join_classes`.
            let is_new = |place: &Var| sets.inside.contains(place) && !unchanged.contains(place);
            if memory.iter().any(|place| !is_new(place) && self.escaped.contains(place)) {
                memory.retain(|place| !is_new(place));
            } else {
                self.escaped.extend(memory.iter().find(|place| is_new(place)));
            }
            self.aliases.choices.insert(place, Choice { options, memory, time });
        }
        for index in separate {
            sets.finals[index] = Places::from([binders[leader[index]]]);
        }
    }

    /// The pairs of parameters that may be the same array in the same iteration.
    fn together(&self, sets: &LoopSets) -> BTreeSet<(usize, usize)> {
        let may_alias = |a: usize, b: usize| self.aliases.may_alias(&sets.inits[a], &sets.inits[b]);
        let mut together: BTreeSet<(usize, usize)> =
            pairs(sets.params.len()).filter(|&(a, b)| may_alias(a, b)).collect();
        loop {
            let is_same = |param: usize, place: Var| match sets.position(place) {
                Some(other) => together.contains(&(param.min(other), param.max(other))),
                None => self.may_be_outer(sets, param, place),
            };
            // Whether a parameter among the places `a` may be the same array as a place in `b`.
            let one_way = |a: &Places, b: &Places| {
                let mut params = self.aliases.memory(a).filter_map(|place| sets.position(place));
                params.any(|param| self.aliases.memory(b).any(|place| is_same(param, place)))
            };
            let joins = |&(a, b): &(usize, usize)| {
                let (a, b) = (&sets.nexts[a], &sets.nexts[b]);
                self.aliases.may_alias(a, b) || one_way(a, b) || one_way(b, a)
            };
            let more: Vec<(usize, usize)> =
                pairs(sets.nexts.len()).filter(|pair| !together.contains(pair) && joins(pair)).collect();
            if more.is_empty() {
                return together;
            }
            together.extend(more);
        }
    }

    /// Whether a parameter may, in some iteration, be the array at this place outside the loop.
    fn may_be_outer(&self, sets: &LoopSets, param: usize, place: Var) -> bool {
        !sets.inside.contains(&place) && self.aliases.may_alias(&sets.finals[param], &Places::from([place]))
    }
}

/// The parameters of a loop, and the alias sets of their values, in the order of the parameters.
struct LoopSets {
    params: Vec<Var>,
    /// The arrays bound in the loop, including the parameters.
    inside: FxHashSet<Var>,
    /// The initial values.
    inits: Vec<Places>,
    /// The next values, which the body returns.
    nexts: Vec<Places>,
    /// The results of the loop.
    finals: Vec<Places>,
}

impl LoopSets {
    /// The index of the parameter that introduced this place.
    fn position(&self, place: Var) -> Option<usize> {
        self.params.iter().position(|&param| param == place)
    }
}

/// All pairs `(a, b)` with a < b < `count`.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|b| (0..b).map(move |a| (a, b)))
}

#[cfg(test)]
mod tests;
