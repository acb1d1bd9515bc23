//! A persistent map from names to values: copies share their older entries.
//!
//! Every branch, loop and lambda copies the scope that contains it, and a large program has thousands of them. So older
//! entries are in immutable layers, each at least twice as large as the next, which copies share. A copy copies only
//! the latest entries and the list of layers, and a lookup searches a few maps.

use std::rc::Rc;

use ravel_types::tast::ValueId;
use rustc_hash::FxHashMap;

use crate::value::Value;

/// The values of some names; `None` for a name that was removed.
type Layer<'a> = FxHashMap<ValueId, Option<Value<'a>>>;

/// The number of entries at which the latest layer becomes immutable.
const LATEST: usize = 16;

/// The values of names.
#[derive(Clone, Default)]
pub(crate) struct Scope<'a> {
    /// The immutable layers; the oldest and largest is first.
    layers: Vec<Rc<Layer<'a>>>,
    latest: Layer<'a>,
}

impl<'a> Scope<'a> {
    /// The value of a name.
    pub fn get(&self, id: &ValueId) -> Option<&Value<'a>> {
        let older = || self.layers.iter().rev().find_map(|layer| layer.get(id));
        self.latest.get(id).or_else(older)?.as_ref()
    }

    /// Whether a name has a value.
    pub fn contains_key(&self, id: &ValueId) -> bool {
        self.get(id).is_some()
    }

    /// Sets the value of a name.
    pub fn insert(&mut self, id: ValueId, value: Value<'a>) {
        self.set(id, Some(value));
    }

    /// Removes the value of a name.
    pub fn remove(&mut self, id: &ValueId) {
        self.set(*id, None);
    }

    fn set(&mut self, id: ValueId, value: Option<Value<'a>>) {
        self.latest.insert(id, value);
        if self.latest.len() < LATEST {
            return;
        }
        let mut layer = std::mem::take(&mut self.latest);
        while let Some(older) = self.layers.pop_if(|older| older.len() < 2 * layer.len()) {
            let mut both = Rc::unwrap_or_clone(older);
            both.extend(layer);
            layer = both;
        }
        self.layers.push(Rc::new(layer));
    }
}

#[cfg(test)]
mod tests {
    use ravel_core::Atom;

    use super::*;

    fn number(scope: &Scope, id: u32) -> Option<i64> {
        match scope.get(&ValueId(id))? {
            Value::Leaf(Atom::Const(value)) => value.as_i64(),
            _ => None,
        }
    }

    #[test]
    fn copies_share_older_entries_and_no_later_ones() {
        let mut scope = Scope::default();
        let mut copies = Vec::new();
        for id in 0..1000 {
            scope.insert(ValueId(id), Value::Leaf(Atom::i64(i64::from(id))));
            copies.push(scope.clone());
        }
        assert!(scope.layers.len() < 10 && scope.latest.len() < LATEST);
        for (at, copy) in (0..).zip(&mut copies) {
            assert_eq!([number(copy, at), number(copy, at / 2)], [at, at / 2].map(|id| Some(i64::from(id))));
            assert_eq!(number(copy, at + 1), None);
            copy.insert(ValueId(at / 2), Value::Leaf(Atom::i64(-1)));
            copy.remove(&ValueId(at));
            assert!(!copy.contains_key(&ValueId(at)));
        }
        assert_eq!(number(&copies[900], 450), Some(-1));
        assert!((0..1000).all(|id| number(&scope, id) == Some(i64::from(id))));
    }
}
