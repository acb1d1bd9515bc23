//! Uniqueness: which parts of a value are marked with `*`.
//!
//! What a function takes under a `*` it consumes, and what it gives under one shares no memory
//! with anything else. In a tuple or record each component is marked for itself:
//! `(*[n]i32, [m]i32)`. A sum is marked as a whole or not at all.

use serde::{Deserialize, Serialize};

use crate::tast::Type;
use crate::type_exp::has_array;

/// Which parts of a value are marked with `*`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Uniqueness {
    /// None of it.
    #[default]
    None,
    /// All of it.
    Whole,
    /// Of each component of a tuple or field of a record what is said here; neither all nor none.
    Parts(Vec<Uniqueness>),
}

impl Uniqueness {
    /// That of a tuple or record with these components. Scalars are as the others are.
    pub(crate) fn of_parts(parts: Vec<(&Type, Uniqueness)>) -> Uniqueness {
        if parts.iter().all(|(_, part)| !part.is_any()) {
            Uniqueness::None
        } else if parts.iter().all(|(ty, part)| part.is_whole() || !has_array(ty)) {
            Uniqueness::Whole
        } else {
            Uniqueness::Parts(parts.into_iter().map(|(_, part)| part).collect())
        }
    }

    /// Is any part marked?
    pub fn is_any(&self) -> bool {
        *self != Uniqueness::None
    }

    /// Is the value marked as a whole?
    pub fn is_whole(&self) -> bool {
        *self == Uniqueness::Whole
    }

    /// That of a component.
    pub fn part(&self, index: usize) -> Uniqueness {
        match self {
            Uniqueness::None | Uniqueness::Whole => self.clone(),
            Uniqueness::Parts(parts) => parts.get(index).cloned().unwrap_or_default(),
        }
    }

    /// Is everything that is marked here, in a value of this type, marked there too?
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
