//! May-alias information: the variables that a value may share memory with, separately for each part of a
//! tuple, record or sum.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;

use crate::tast::{Type, ValueId};
use crate::uniqueness::Uniqueness;

/// Parts of a value. The path of a part has, for each tuple or record, the number of the component, and for each sum, the
/// numbers of the constructor and of the component of its payload.
pub(crate) type Paths = BTreeSet<Vec<usize>>;

/// Whether one of the parts contains the part at this path, or is contained in it.
pub(super) fn overlaps(parts: &Paths, path: &[usize]) -> bool {
    parts.iter().any(|part| part.starts_with(path) || path.starts_with(part))
}

/// The variables that a value may share memory with.
#[derive(Clone, Debug)]
pub(super) enum Aliases {
    /// The aliases of the whole value.
    Whole(BTreeSet<ValueId>),
    /// The aliases of each component of a tuple, field of a record, or part of a payload.
    Tuple(Vec<Aliases>),
    /// The aliases of the payload of each constructor of a sum type. A value has only one of them.
    Sum(Vec<Aliases>),
}

impl Aliases {
    /// The aliases of a value that shares memory with no variable.
    pub(super) fn none() -> Aliases {
        Aliases::Whole(BTreeSet::new())
    }

    /// The aliases of a value that may share memory with this variable only.
    pub(super) fn one(id: ValueId) -> Aliases {
        Aliases::Whole(BTreeSet::from([id]))
    }

    /// All the variables.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = ValueId> + '_> {
        match self {
            Aliases::Whole(set) => Box::new(set.iter().copied()),
            Aliases::Tuple(parts) | Aliases::Sum(parts) => Box::new(parts.iter().flat_map(Aliases::iter)),
        }
    }

    /// A variable that both values may share memory with.
    pub(super) fn common_variable(&self, other: &Aliases) -> Option<ValueId> {
        let known: BTreeSet<ValueId> = other.iter().collect();
        self.iter().find(|id| known.contains(id))
    }

    /// The aliases of the parts that `unique` marks with `*`, as a whole or in part.
    pub(super) fn unique_parts(&self, unique: &Uniqueness) -> Aliases {
        self.choose(unique, &|mark| mark.is_any())
    }

    /// The aliases of the parts that `unique` does not mark as a whole.
    pub(super) fn other_parts(&self, unique: &Uniqueness) -> Aliases {
        self.choose(unique, &|mark| !mark.is_whole())
    }

    fn choose(&self, unique: &Uniqueness, chosen: &dyn Fn(&Uniqueness) -> bool) -> Aliases {
        match (self, unique) {
            (Aliases::Tuple(parts), Uniqueness::Parts(marks)) => Aliases::Tuple(
                parts.iter().zip(marks).map(|(part, mark)| part.choose(mark, chosen)).collect(),
            ),
            _ if chosen(unique) => self.clone(),
            _ => Aliases::none(),
        }
    }

    /// Whether two components have a common alias and one of them is marked.
    pub(super) fn overlap(&self, unique: &Uniqueness) -> bool {
        if !unique.is_any() {
            return false;
        }
        let parts = match self {
            Aliases::Whole(_) => return false,
            Aliases::Sum(payloads) => return payloads.iter().any(|payload| payload.overlap(unique)),
            Aliases::Tuple(parts) => parts,
        };
        // For each variable, the number of components that alias it, and whether one of them is marked.
        let mut shared: BTreeMap<ValueId, (usize, bool)> = BTreeMap::new();
        for (at, part) in parts.iter().enumerate() {
            let mark = unique.part(at);
            if part.overlap(&mark) {
                return true;
            }
            let marked: BTreeSet<ValueId> = part.unique_parts(&mark).iter().collect();
            for id in part.iter().collect::<BTreeSet<ValueId>>() {
                let (components, is_marked) = shared.entry(id).or_default();
                *components += 1;
                *is_marked |= marked.contains(&id);
            }
        }
        shared.values().any(|&(components, is_marked)| components > 1 && is_marked)
    }

    /// The variables that several components alias.
    pub(super) fn duplicates(&self) -> BTreeSet<ValueId> {
        let parts = match self {
            Aliases::Whole(_) => return BTreeSet::new(),
            Aliases::Sum(payloads) => return payloads.iter().flat_map(Aliases::duplicates).collect(),
            Aliases::Tuple(parts) => parts,
        };
        let mut repeated: BTreeSet<ValueId> = parts.iter().flat_map(Aliases::duplicates).collect();
        let mut known: BTreeSet<ValueId> = BTreeSet::new();
        for part in parts {
            let part: BTreeSet<ValueId> = part.iter().collect();
            repeated.extend(known.intersection(&part));
            known.extend(part);
        }
        repeated
    }

    /// The aliases of a component, or of a constructor's payload.
    pub(super) fn part(&self, index: usize) -> Aliases {
        match self {
            Aliases::Whole(_) => self.clone(),
            Aliases::Tuple(parts) | Aliases::Sum(parts) => {
                parts.get(index).cloned().unwrap_or_else(Aliases::none)
            }
        }
    }

    /// The aliases of a record of this type whose field at a path has been replaced.
    pub(super) fn with_field(&self, ty: &Type, path: &[Symbol], new: &Aliases) -> Aliases {
        let Some((first, rest)) = path.split_first() else { return new.clone() };
        let replaced = ty.field(*first);
        let parts = ty.parts().into_iter().enumerate().map(|(at, part)| {
            let old = self.part(at);
            if replaced == Some(at) { old.with_field(part, rest, new) } else { old }
        });
        Aliases::Tuple(parts.collect())
    }

    /// The union, for a value that may be either of two.
    pub(super) fn union(&self, other: &Aliases) -> Aliases {
        let both = |a: &[Aliases], b: &[Aliases]| a.iter().zip(b).map(|(a, b)| a.union(b)).collect();
        match (self, other) {
            (Aliases::Tuple(a), Aliases::Tuple(b)) if a.len() == b.len() => Aliases::Tuple(both(a, b)),
            (Aliases::Sum(a), Aliases::Sum(b)) if a.len() == b.len() => Aliases::Sum(both(a, b)),
            (Aliases::Tuple(parts), whole @ Aliases::Whole(_))
            | (whole @ Aliases::Whole(_), Aliases::Tuple(parts)) => {
                Aliases::Tuple(parts.iter().map(|part| part.union(whole)).collect())
            }
            (Aliases::Sum(parts), whole @ Aliases::Whole(_))
            | (whole @ Aliases::Whole(_), Aliases::Sum(parts)) => {
                Aliases::Sum(parts.iter().map(|part| part.union(whole)).collect())
            }
            _ => Aliases::Whole(self.iter().chain(other.iter()).collect()),
        }
    }

    /// These aliases instead of those of each part that has any.
    pub(super) fn mapped(&self, aliases: &Aliases) -> Aliases {
        let each = |parts: &[Aliases]| parts.iter().map(|part| part.mapped(aliases)).collect();
        match self {
            Aliases::Whole(set) if set.is_empty() => Aliases::none(),
            Aliases::Whole(_) => aliases.clone(),
            Aliases::Tuple(parts) => Aliases::Tuple(each(parts)),
            Aliases::Sum(parts) => Aliases::Sum(each(parts)),
        }
    }

    /// The aliases that `f` returns for those of each part without parts.
    pub(super) fn map_leaves(self, f: &mut dyn FnMut(BTreeSet<ValueId>) -> BTreeSet<ValueId>) -> Aliases {
        let each = |parts: Vec<Aliases>, f: &mut dyn FnMut(BTreeSet<ValueId>) -> BTreeSet<ValueId>| {
            parts.into_iter().map(|part| part.map_leaves(f)).collect()
        };
        match self {
            Aliases::Whole(set) if set.is_empty() => Aliases::none(),
            Aliases::Whole(set) => Aliases::Whole(f(set)),
            Aliases::Tuple(parts) => Aliases::Tuple(each(parts, f)),
            Aliases::Sum(parts) => Aliases::Sum(each(parts, f)),
        }
    }

    /// The aliases for which `keep` holds.
    pub(super) fn keep(&self, keep: &dyn Fn(ValueId) -> bool) -> Aliases {
        let each = |parts: &[Aliases]| parts.iter().map(|part| part.keep(keep)).collect();
        match self {
            Aliases::Whole(set) => Aliases::Whole(set.iter().copied().filter(|&id| keep(id)).collect()),
            Aliases::Tuple(parts) => Aliases::Tuple(each(parts)),
            Aliases::Sum(parts) => Aliases::Sum(each(parts)),
        }
    }
}
