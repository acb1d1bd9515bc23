//! Uniqueness: which parts of a value are marked with `*`.
//!
//! A function consumes a parameter marked `*`; a result marked `*` shares no memory with any other
//! value. Each component of a tuple or record has its own mark: `(*[n]i32, [m]i32)`. A sum is
//! marked as a whole or not at all.

use serde::{Deserialize, Serialize};

use crate::tast::Type;
use crate::type_exp::has_array;

/// Which parts of a value are marked with `*`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Uniqueness {
    /// No part.
    #[default]
    None,
    /// Every part.
    Whole,
    /// The marks of each component of a tuple or field of a record; neither all nor none.
    Parts(Vec<Uniqueness>),
}

impl Uniqueness {
    /// The marks of a tuple or record with these components. Components without arrays do not count.
    pub(crate) fn of_parts(parts: Vec<(&Type, Uniqueness)>) -> Uniqueness {
        if parts.iter().all(|(_, part)| !part.is_any()) {
            Uniqueness::None
        } else if parts.iter().all(|(ty, part)| part.is_whole() || !has_array(ty)) {
            Uniqueness::Whole
        } else {
            Uniqueness::Parts(parts.into_iter().map(|(_, part)| part).collect())
        }
    }

    /// Whether any part is marked.
    pub fn is_any(&self) -> bool {
        *self != Uniqueness::None
    }

    /// Whether the value is marked as a whole.
    pub fn is_whole(&self) -> bool {
        *self == Uniqueness::Whole
    }

    /// The marks of a component.
    pub fn part(&self, index: usize) -> Uniqueness {
        match self {
            Uniqueness::None | Uniqueness::Whole => self.clone(),
            Uniqueness::Parts(parts) => parts.get(index).cloned().unwrap_or_default(),
        }
    }

    /// Whether every marked part of a value of this type is also marked in `other`.
    pub(crate) fn is_within(&self, other: &Uniqueness, ty: &Type) -> bool {
        match (self, other) {
            (Uniqueness::None, _) | (_, Uniqueness::Whole) => true,
            (Uniqueness::Whole, Uniqueness::None) => !has_array(ty),
            _ => {
                let parts = ty.parts();
                !parts.is_empty()
                    && parts
                        .iter()
                        .enumerate()
                        .all(|(at, part)| self.part(at).is_within(&other.part(at), part))
            }
        }
    }
}
