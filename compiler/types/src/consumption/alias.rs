//! Which variables a value may share memory with, for tuples by component.

use std::collections::BTreeSet;

use crate::tast::ValueId;

/// The variables a value may share memory with.
#[derive(Clone, Debug)]
pub(super) enum Aliases {
    /// Of the whole value.
    Whole(BTreeSet<ValueId>),
    /// Of each component of a tuple.
    Tuple(Vec<Aliases>),
}

impl Aliases {
    /// A value that shares nothing.
    pub(super) fn none() -> Aliases {
        Aliases::Whole(BTreeSet::new())
    }

    /// A value that shares memory with one variable.
    pub(super) fn one(id: ValueId) -> Aliases {
        Aliases::Whole(BTreeSet::from([id]))
    }

    /// All the variables.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = ValueId> + '_> {
        match self {
            Aliases::Whole(set) => Box::new(set.iter().copied()),
            Aliases::Tuple(parts) => Box::new(parts.iter().flat_map(Aliases::iter)),
        }
    }

    /// A variable that both values share memory with.
    pub(super) fn shared(&self, other: &Aliases) -> Option<ValueId> {
        self.iter().find(|&id| other.iter().any(|known| known == id))
    }

    /// A variable that two components share memory with.
    pub(super) fn overlap(&self) -> Option<ValueId> {
        let Aliases::Tuple(parts) = self else { return None };
        let between = || {
            let pairs = parts
                .iter()
                .enumerate()
                .flat_map(|(at, part)| parts[at + 1..].iter().map(move |other| (part, other)));
            pairs.filter_map(|(part, other)| part.shared(other)).next()
        };
        parts.iter().find_map(Aliases::overlap).or_else(between)
    }

    /// Are all the variables such?
    pub(super) fn is_fresh(&self, own: impl Fn(ValueId) -> bool) -> bool {
        self.iter().all(own)
    }

    /// The aliases of a component.
    pub(super) fn part(&self, index: usize) -> Aliases {
        match self {
            Aliases::Whole(_) => self.clone(),
            Aliases::Tuple(parts) => parts.get(index).cloned().unwrap_or_else(Aliases::none),
        }
    }

    /// The aliases of a value that may be either of two.
    pub(super) fn union(&self, other: &Aliases) -> Aliases {
        match (self, other) {
            (Aliases::Tuple(a), Aliases::Tuple(b)) if a.len() == b.len() => {
                Aliases::Tuple(a.iter().zip(b).map(|(a, b)| a.union(b)).collect())
            }
            (Aliases::Tuple(parts), whole @ Aliases::Whole(_))
            | (whole @ Aliases::Whole(_), Aliases::Tuple(parts)) => {
                Aliases::Tuple(parts.iter().map(|part| part.union(whole)).collect())
            }
            _ => Aliases::Whole(self.iter().chain(other.iter()).collect()),
        }
    }

    /// The aliases without some variables.
    pub(super) fn keep(&self, keep: &dyn Fn(ValueId) -> bool) -> Aliases {
        match self {
            Aliases::Whole(set) => Aliases::Whole(set.iter().copied().filter(|&id| keep(id)).collect()),
            Aliases::Tuple(parts) => Aliases::Tuple(parts.iter().map(|part| part.keep(keep)).collect()),
        }
    }
}
