//! Loops: what they consume, and what their results share memory with.
//!
//! A loop is a function that calls itself: a merge parameter is *taken* if it is marked with `*`, if
//! the body consumes it, or if it hands it on to a parameter that is taken. What comes to a taken parameter, before the first
//! round or after any, must belong to that parameter alone.

use std::collections::BTreeSet;

use ravel_base::{Code, Diagnostic, Section, Span};

use super::alias::Aliases;
use super::{Barrier, Consumption, Unconsumable};
use crate::tast::{Loop, LoopForm, ValueId};
use crate::uniqueness::Uniqueness;

/// A merge parameter without components.
struct Leaf {
    own: BTreeSet<ValueId>,
    /// What the first value shares memory with.
    init: BTreeSet<ValueId>,
    /// What the value after a round shares memory with.
    round: BTreeSet<ValueId>,
    taken: bool,
    /// Is it marked with `*`?
    marked: bool,
}

impl Consumption<'_, '_> {
    pub(super) fn loop_exp(&mut self, inner: &Loop) -> Aliases {
        let init = self.exp(&inner.init);
        let since = self.trail.len();
        let sequence = match &inner.form {
            LoopForm::For(_, _, bound) => {
                self.exp(bound);
                None
            }
            LoopForm::ForIn(pattern, sequence) => Some((pattern, self.exp(sequence))),
            LoopForm::While(_) => None,
        };
        self.observe_later(&init, since, inner.init.span);
        let (first, before, used) = (self.variables.len(), self.trail.len(), self.uses.len());
        self.barriers.push((first, Barrier::Loop));
        let own = self.bind(&inner.pattern, &Aliases::none(), &Uniqueness::Whole);
        self.keep_unmarked(&inner.unmarked);
        let mut outside: BTreeSet<ValueId> = BTreeSet::new();
        if let Some((pattern, aliases)) = sequence {
            self.bind(pattern, &aliases, &Uniqueness::None);
            outside.extend(aliases.iter());
        }
        if let LoopForm::While(condition) = &inner.form {
            self.exp(condition);
        }
        let round = self.exp(&inner.body);
        self.barriers.pop();

        let mut leaves = Vec::new();
        collect(&own, &init, &round, &mut leaves);
        let marked = inner.consumed.iter().filter_map(|id| self.variables.get(id));
        let marked: BTreeSet<ValueId> = marked.flat_map(|variable| variable.aliases.iter()).collect();
        for leaf in &mut leaves {
            leaf.marked = !leaf.own.is_disjoint(&marked);
            leaf.taken = leaf.marked || leaf.own.iter().any(|id| self.trail[before..].contains(id));
        }
        self.spread(&mut leaves);
        for id in &self.uses[used..] {
            match self.variables.get(id) {
                Some(variable) if variable.serial >= first => {}
                Some(variable) => outside.extend(variable.aliases.iter()),
                None => outside.extend([*id]),
            }
        }
        for at in 0..leaves.len() {
            if leaves[at].taken {
                self.check_round(&leaves, at, first, inner.body.span);
                self.check_init(&leaves, at, &outside, inner.init.span);
            }
        }
        let mut results = self.results(&leaves, first).into_iter();
        shape(&own, &mut results)
    }

    /// A parameter whose type is written without a `*` is not consumed.
    fn keep_unmarked(&mut self, params: &[ValueId]) {
        for id in params {
            let Some(variable) = self.variables.get(id) else { continue };
            for part in variable.aliases.clone().iter() {
                if let Some(variable) = self.variables.get_mut(&part) {
                    variable.unconsumable = Some(Unconsumable::Parameter);
                }
            }
        }
    }

    /// Is it a parameter that may not be consumed, or a constant?
    fn is_kept(&self, id: ValueId) -> bool {
        self.variables.get(&id).is_some_and(|variable| variable.unconsumable.is_some())
    }

    fn is_outside(&self, id: ValueId, first: usize) -> bool {
        self.variables.get(&id).is_none_or(|variable| {
            variable.serial < first || variable.unconsumable == Some(Unconsumable::Constant)
        })
    }

    /// Finds the parameters that are taken since they are handed on to others that are.
    fn spread(&self, leaves: &mut [Leaf]) {
        while let Some(at) = (0..leaves.len()).find(|&at| {
            let leaf = &leaves[at];
            let is_handed_on = leaves.iter().any(|other| other.taken && leaf.feeds(other));
            !leaf.taken && is_handed_on && !leaf.own.iter().any(|&id| self.is_kept(id))
        }) {
            leaves[at].taken = true;
        }
    }

    /// What a taken parameter gets for the next round must be its own.
    fn check_round(&mut self, leaves: &[Leaf], at: usize, first: usize, span: Span) {
        let leaf = &leaves[at];
        let name = self.leaf_name(leaf);
        let foreign = leaf.round.iter().find(|&&id| self.is_outside(id, first) || self.is_kept(id));
        let (message, section) = if let Some(&id) = foreign {
            let message = format!(
                "Return value for consuming loop parameter {name} aliases {}, which is not consumable",
                self.name(id)
            );
            (message, Section::ConsumingLoopParamAliases)
        } else if let Some(other) = partner(leaves, at, |leaf| &leaf.round) {
            self.shared_round(leaves, at, other)
        } else {
            return;
        };
        let help = "give a `copy` to the next round";
        self.report(Diagnostic::error(Code::NotConsumable, span, message).help(help).section(section));
    }

    /// What is wrong with two parameters, of which one is taken, whose values after a round share memory.
    fn shared_round(&self, leaves: &[Leaf], taken: usize, other: usize) -> (String, Section) {
        // That of the two which the program marks is the one that it knows as consuming.
        let swap = leaves[other].marked && !leaves[taken].marked;
        let (taken, other) = if swap { (other, taken) } else { (taken, other) };
        let (name, other_name) = (self.leaf_name(&leaves[taken]), self.leaf_name(&leaves[other]));
        let earlier = |later: &str, earlier: &str| {
            format!(
                "Return value for consuming loop parameter {later} aliases previously returned value, that for {earlier}"
            )
        };
        let consumed = |one: &str, consumed: &str| {
            format!("Return value for loop parameter {one} aliases other consumed loop parameter {consumed}")
        };
        if leaves[taken].marked && !leaves[other].marked && leaves[other].feeds(&leaves[taken]) {
            let message = format!(
                "Return value for consuming loop parameter {name} aliases {other_name}, which is not consumable"
            );
            (message, Section::ConsumingLoopParamAliases)
        } else if leaves[other].taken {
            let message = format!("{}. {}", consumed(&name, &other_name), earlier(&other_name, &name));
            (message, Section::LoopParameterAliasesOther)
        } else if taken < other {
            (consumed(&other_name, &name), Section::LoopParameterAliasesOther)
        } else {
            (earlier(&name, &other_name), Section::AliasesPreviouslyReturned)
        }
    }

    /// What a taken parameter starts with is consumed, and nobody else may use it.
    fn check_init(&mut self, leaves: &[Leaf], at: usize, outside: &BTreeSet<ValueId>, span: Span) {
        let leaf = &leaves[at];
        let name = self.leaf_name(leaf);
        let message = if let Some(other) = partner(leaves, at, |leaf| &leaf.init) {
            format!(
                "Argument passed for consuming parameter is self-aliased: initial value for {name} aliases that for {}",
                self.leaf_name(&leaves[other])
            )
        } else if let Some(&id) = leaf.init.intersection(outside).next() {
            format!("Loop body uses {}, but this is consumed by the initial loop argument", self.name(id))
        } else {
            self.consume(&Aliases::Whole(leaf.init.clone()), span);
            return;
        };
        let help = "start with a `copy`";
        self.report(Diagnostic::error(Code::Consumed, span, message).help(help));
    }

    /// What the parameters share memory with after the loop: nothing if they are taken, else what
    /// their first or any later value shares memory with.
    fn results(&self, leaves: &[Leaf], first: usize) -> Vec<BTreeSet<ValueId>> {
        let mut results: Vec<BTreeSet<ValueId>> = Vec::new();
        for (at, leaf) in leaves.iter().enumerate() {
            if leaf.taken {
                results.push(BTreeSet::new());
                continue;
            }
            let also_elsewhere = |id: &ValueId| {
                leaves.iter().enumerate().any(|(other, leaf)| other != at && leaf.round.contains(id))
            };
            let kept = leaf.round.iter().filter(|id| self.is_outside(**id, first) || also_elsewhere(id));
            results.push(leaf.init.iter().chain(kept).copied().collect());
        }
        for _ in leaves {
            for (at, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| !leaf.taken) {
                for (from, _) in leaves.iter().enumerate().filter(|(_, from)| from.feeds(leaf)) {
                    let handed_on = results[from].clone();
                    results[at].extend(handed_on);
                }
            }
        }
        results
    }

    fn leaf_name(&self, leaf: &Leaf) -> String {
        leaf.own.first().map_or_else(|| "value".to_owned(), |&id| self.name(id))
    }
}

impl Leaf {
    /// Does the body hand this parameter on to the other one?
    fn feeds(&self, other: &Leaf) -> bool {
        !self.own.is_disjoint(&other.round)
    }
}

/// Another parameter whose value shares memory with that of this one.
fn partner(leaves: &[Leaf], at: usize, value: impl Fn(&Leaf) -> &BTreeSet<ValueId>) -> Option<usize> {
    let mut others = (0..leaves.len()).filter(|&other| other != at);
    others.find(|&other| !value(&leaves[other]).is_disjoint(value(&leaves[at])))
}

/// The parameters without components, in order.
fn collect(own: &Aliases, init: &Aliases, round: &Aliases, leaves: &mut Vec<Leaf>) {
    match own {
        Aliases::Tuple(parts) | Aliases::Sum(parts) => {
            for (at, part) in parts.iter().enumerate() {
                collect(part, &init.part(at), &round.part(at), leaves);
            }
        }
        Aliases::Whole(own) => leaves.push(Leaf {
            own: own.clone(),
            init: init.iter().collect(),
            round: round.iter().collect(),
            taken: false,
            marked: false,
        }),
    }
}

/// The results in the shape of the pattern.
fn shape(own: &Aliases, results: &mut dyn Iterator<Item = BTreeSet<ValueId>>) -> Aliases {
    match own {
        Aliases::Tuple(parts) => Aliases::Tuple(parts.iter().map(|part| shape(part, results)).collect()),
        Aliases::Sum(parts) => Aliases::Sum(parts.iter().map(|part| shape(part, results)).collect()),
        Aliases::Whole(_) => Aliases::Whole(results.next().unwrap_or_default()),
    }
}
