//! Typed ids and the dense maps keyed by them.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A small integer that names one thing of one kind.
pub trait Id: Copy + Eq + Ord {
    /// The id with this number.
    fn from_index(index: usize) -> Self;
    /// The number of this id.
    fn index(self) -> usize;
}

/// Declares a `u32` id type that prints as `prefix` followed by its number.
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::id::Id for $name {
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 ids"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <u32 as $crate::serde::Deserialize>::deserialize(deserializer).map($name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A dense map from ids to values; `push` returns the next id.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct IdMap<K, V> {
    values: Vec<V>,
    key: PhantomData<K>,
}

impl<K, V> Default for IdMap<K, V> {
    fn default() -> Self {
        IdMap { values: Vec::new(), key: PhantomData }
    }
}

impl<K: Id, V> IdMap<K, V> {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value under the next id.
    pub fn push(&mut self, value: V) -> K {
        let key = K::from_index(self.values.len());
        self.values.push(value);
        key
    }

    /// The value of `key`, if this map has that id.
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.index())
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All ids with their values, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.values.iter().enumerate().map(|(index, value)| (K::from_index(index), value))
    }

    /// All ids, in order.
    pub fn keys(&self) -> impl Iterator<Item = K> + use<K, V> {
        (0..self.values.len()).map(K::from_index)
    }
}

impl<K: Id, V> Index<K> for IdMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.values[key.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.values[key.index()]
    }
}
