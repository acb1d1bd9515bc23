//! The elements of an array: a vector, or memory that a runtime keeps for them.
//!
//! Clones share the elements. The first mutable access to shared or kept elements copies them.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Memory of a runtime that holds elements and never changes. Dropping it returns it to the runtime.
pub trait RuntimeMemory<T>: AsRef<[T]> + Send + Sync + UnwindSafe + RefUnwindSafe {}

impl<T, K: AsRef<[T]> + Send + Sync + UnwindSafe + RefUnwindSafe> RuntimeMemory<T> for K {}

/// Elements of one Rust type.
#[derive(Clone)]
pub struct Elements<T>(Store<T>);

#[derive(Clone)]
enum Store<T> {
    Vector(Arc<Vec<T>>),
    RuntimeMemory(Arc<dyn RuntimeMemory<T>>),
}

impl<T> Elements<T> {
    /// Elements in memory of a runtime.
    pub fn of_runtime(memory: impl RuntimeMemory<T> + 'static) -> Elements<T> {
        Elements(Store::RuntimeMemory(Arc::new(memory)))
    }
}

impl<T> From<Vec<T>> for Elements<T> {
    fn from(elements: Vec<T>) -> Elements<T> {
        Elements(Store::Vector(Arc::new(elements)))
    }
}

impl<T> FromIterator<T> for Elements<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Elements<T> {
        Elements::from(Vec::from_iter(elements))
    }
}

impl<T> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Store::Vector(elements) => elements,
            Store::RuntimeMemory(memory) => (**memory).as_ref(),
        }
    }
}

impl<T: Clone> DerefMut for Elements<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if let Store::RuntimeMemory(memory) = &self.0 {
            *self = Elements::from((**memory).as_ref().to_vec());
        }
        match &mut self.0 {
            Store::Vector(elements) => Arc::make_mut(elements).as_mut_slice(),
            Store::RuntimeMemory(_) => unreachable!("kept elements have been copied"),
        }
    }
}

impl<T: PartialEq> PartialEq for Elements<T> {
    fn eq(&self, other: &Elements<T>) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize> Serialize for Elements<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Elements<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Elements<T>, D::Error> {
        Vec::deserialize(deserializer).map(Elements::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_one_clone_does_not_reach_the_others() {
        for elements in [Elements::from(vec![1, 2]), Elements::of_runtime([1, 2])] {
            let mut changed = elements.clone();
            changed[1] = 7;
            assert_eq!((&elements[..], &changed[..]), (&[1, 2][..], &[1, 7][..]));
        }
    }

    #[test]
    fn clones_share_their_elements() {
        let elements = Elements::from(vec![1, 2]);
        assert_eq!(elements.clone().as_ptr(), elements.as_ptr());
    }
}
