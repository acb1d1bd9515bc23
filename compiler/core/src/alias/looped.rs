//! What loops give: what is consumed, what it may have been, and what is never the same array.
//!
//! Of a consumed parameter nothing is left of the first value, and every later one is made inside for it
//! alone: its result has a place of its own. Any other parameter is its first value or a later one, and
//! its result lies in the places of all of those. Where this makes two results meet, the rounds are
//! gone through once more in pairs:
//!
//! ```text
//!   two parameters are *together* if their first values meet, or what a round hands to them meets where
//!   parameters that are together meet too
//! ```
//!
//! Results that meet and were never together are told apart. They get a place each (one for those that
//! are together), among the places where they lie, and kin to whatever meets these; but not to each other.

use std::collections::BTreeSet;

use super::{Analysis, Apart, Places};
use crate::syntax::*;
use rustc_hash::FxHashSet;

impl Analysis<'_> {
    /// Goes over a loop.
    pub(super) fn looped(&mut self, looped: &Loop, binders: &[Var]) {
        let outside = self.seen.len();
        let params: Vec<Var> = looped.params.iter().map(|&(param, _)| param).collect();
        self.fresh(&params);
        self.body(&looped.body);
        let results = looped.body.result.iter().map(|&atom| self.of_atom(atom)).collect();
        let firsts = looped.params.iter().map(|&(_, init)| self.of_atom(init)).collect();
        let inside = self.seen[outside..].iter().copied().collect();
        let mut rounds = Rounds { params, inside, firsts, results, finals: Vec::new() };
        self.consume_what_becomes_consumed(&rounds);
        rounds.finals = self.finals(&rounds, binders);
        self.gather(&rounds.inside, &mut rounds.finals);
        self.tell_apart(&mut rounds, binders);
        for (&binder, places) in binders.iter().zip(rounds.finals) {
            self.set(binder, places);
        }
    }

    /// What becomes a consumed parameter is consumed.
    fn consume_what_becomes_consumed(&mut self, rounds: &Rounds) {
        loop {
            let before = self.aliases.consumed.len();
            for (param, places) in rounds.params.iter().zip(&rounds.results) {
                if self.aliases.is_consumed(*param) {
                    let params =
                        self.aliases.memory(places).filter(|&place| rounds.position(place).is_some());
                    self.consume(&params.collect());
                }
            }
            if self.aliases.consumed.len() == before {
                return;
            }
        }
    }

    /// Where the results of all rounds lie.
    fn finals(&self, rounds: &Rounds, binders: &[Var]) -> Vec<Places> {
        let consumed: Vec<bool> =
            rounds.params.iter().map(|&param| self.aliases.is_consumed(param)).collect();
        let first = |index: usize| match consumed[index] {
            true => binders.get(index).copied().into_iter().collect(),
            false => rounds.firsts[index].clone(),
        };
        let mut finals: Vec<Places> = (0..rounds.params.len()).map(first).collect();
        for _ in 0..finals.len() {
            let before: usize = finals.iter().map(Places::len).sum();
            for (index, places) in rounds.results.iter().enumerate().take(finals.len()) {
                if consumed[index] {
                    continue;
                }
                for place in places.iter().flat_map(|&place| self.outside_of(rounds, place)) {
                    match rounds.position(place) {
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

    /// A place of a round as it is known behind the loop, but for the names of parameters: what is one of several
    /// in a round is all of these.
    fn outside_of(&self, rounds: &Rounds, place: Var) -> Vec<Var> {
        let goes = |place: &Var| rounds.inside.contains(place) && !self.aliases.among(*place).is_empty();
        match goes(&place) {
            true => self.aliases.among(place).iter().copied().filter(|place| !goes(place)).collect(),
            false => vec![place],
        }
    }

    /// Gives results that meet and were never together places of their own.
    fn tell_apart(&mut self, rounds: &mut Rounds, binders: &[Var]) {
        let finals = &rounds.finals;
        let meeting: Vec<(usize, usize)> =
            pairs(finals.len()).filter(|&(a, b)| self.aliases.meet(&finals[a], &finals[b])).collect();
        if meeting.is_empty() {
            return;
        }
        let together = self.together(rounds);
        let apart: BTreeSet<usize> =
            meeting.iter().filter(|pair| !together.contains(pair)).flat_map(|&(a, b)| [a, b]).collect();
        // The first of those that are together, directly or by way of others.
        let mut leader: Vec<usize> = (0..finals.len()).collect();
        for &(a, b) in together.iter().filter(|(a, b)| apart.contains(a) && apart.contains(b)) {
            let (first, second) = (leader[a].min(leader[b]), leader[a].max(leader[b]));
            leader.iter_mut().filter(|leader| **leader == second).for_each(|leader| *leader = first);
        }
        let lies = |of: &usize| -> Places {
            let members = apart.iter().filter(|&member| leader[*member] == *of);
            members.flat_map(|&member| &finals[member]).copied().collect()
        };
        let leaders: BTreeSet<usize> = apart.iter().map(|&index| leader[index]).collect();
        let places: Vec<(Var, Places)> = leaders.iter().map(|of| (binders[*of], lies(of))).collect();
        let staying = finals.iter().enumerate().filter(|(index, _)| !apart.contains(index));
        let stays: Places = staying.flat_map(|(_, places)| places).copied().collect();
        self.aliases.parted += 1;
        let time = self.aliases.parted;
        for (place, others) in places {
            let memory = self.aliases.memory(&others).filter(|&place| self.aliases.among(place).is_empty());
            let mut memory: Places = memory.collect();
            // What was made inside, and is known outside by these places alone, goes by the name of what came out before.
            let is_new = |place: &Var| rounds.inside.contains(place) && !stays.contains(place);
            if memory.iter().any(|place| !is_new(place) && self.came_out.contains(place)) {
                memory.retain(|place| !is_new(place));
            } else {
                self.came_out.extend(memory.iter().find(|place| is_new(place)));
            }
            self.aliases.apart.insert(place, Apart { others, memory, time });
        }
        for index in apart {
            rounds.finals[index] = Places::from([binders[leader[index]]]);
        }
    }

    /// The pairs of parameters that may be one array in the same round.
    fn together(&self, rounds: &Rounds) -> BTreeSet<(usize, usize)> {
        let meet = |a: usize, b: usize| self.aliases.meet(&rounds.firsts[a], &rounds.firsts[b]);
        let mut together: BTreeSet<(usize, usize)> =
            pairs(rounds.params.len()).filter(|&(a, b)| meet(a, b)).collect();
        loop {
            let one = |param: usize, place: Var| match rounds.position(place) {
                Some(other) => together.contains(&(param.min(other), param.max(other))),
                None => self.may_be(rounds, param, place),
            };
            // Is one of the two a parameter that may be the other?
            let one_way = |a: &Places, b: &Places| {
                let mut params = self.aliases.memory(a).filter_map(|place| rounds.position(place));
                params.any(|param| self.aliases.memory(b).any(|place| one(param, place)))
            };
            let joins = |&(a, b): &(usize, usize)| {
                let (a, b) = (&rounds.results[a], &rounds.results[b]);
                self.aliases.meet(a, b) || one_way(a, b) || one_way(b, a)
            };
            let more: Vec<(usize, usize)> =
                pairs(rounds.results.len()).filter(|pair| !together.contains(pair) && joins(pair)).collect();
            if more.is_empty() {
                return together;
            }
            together.extend(more);
        }
    }

    /// May a parameter be, in some round, what lies outside in this place?
    fn may_be(&self, rounds: &Rounds, param: usize, place: Var) -> bool {
        !rounds.inside.contains(&place) && self.aliases.meet(&rounds.finals[param], &Places::from([place]))
    }
}

/// The parameters of a loop, and where what they are lies, in their order.
struct Rounds {
    params: Vec<Var>,
    /// The arrays that it binds, these included.
    inside: FxHashSet<Var>,
    /// The first values.
    firsts: Vec<Places>,
    /// What a round hands to the next one.
    results: Vec<Places>,
    /// What comes out in the end.
    finals: Vec<Places>,
}

impl Rounds {
    /// The number of the parameter that has this name.
    fn position(&self, place: Var) -> Option<usize> {
        self.params.iter().position(|&param| param == place)
    }
}

/// All pairs of two different numbers below this one, the lesser first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|b| (0..b).map(move |a| (a, b)))
}

#[cfg(test)]
mod tests;
