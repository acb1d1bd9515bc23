//! Declarations that are deserialised on first use.
//!
//! The environment of the prelude is stored with the compiler. Most programs use few of its types, so
//! the contents of a module stay serialised until its name is looked up.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

/// A value that is deserialised on first access. Clones share it.
pub struct Lazy<T>(Arc<State<T>>);

struct State<T> {
    value: OnceLock<T>,
    /// The value in postcard's format; empty for a value that was never serialised.
    packed: Box<[u8]>,
}

impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Lazy<T> {
        Lazy(Arc::new(State { value: value.into(), packed: Box::default() }))
    }
}

impl<T: DeserializeOwned> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let unpack = || postcard::from_bytes(&self.0.packed).expect("it was packed from such a value");
        self.0.value.get_or_init(unpack)
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        Lazy(self.0.clone())
    }
}

impl<T: DeserializeOwned + fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: DeserializeOwned + PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Lazy<T>) -> bool {
        **self == **other
    }
}

impl<T: DeserializeOwned + Serialize> Serialize for Lazy<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&postcard::to_stdvec(&**self).map_err(ser::Error::custom)?)
    }
}

impl<'de, T> Deserialize<'de> for Lazy<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lazy<T>, D::Error> {
        let packed = <&[u8]>::deserialize(deserializer)?.into();
        Ok(Lazy(Arc::new(State { value: OnceLock::new(), packed })))
    }
}

#[cfg(test)]
mod tests {
    use super::Lazy;

    #[test]
    fn clones_share_one_deserialised_value() {
        let bytes = postcard::to_stdvec(&vec![Lazy::from(7u32), Lazy::from(9)]).expect("it packs");
        let read: Vec<Lazy<u32>> = postcard::from_bytes(&bytes).expect("it unpacks");
        let clone = read[1].clone();
        assert!(read[1].0.value.get().is_none());
        assert_eq!(*read[1], 9);
        assert_eq!(clone.0.value.get(), Some(&9));
        assert!(read[0].0.value.get().is_none());
    }
}
