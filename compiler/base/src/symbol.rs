//! Interned names: a [`Symbol`] is a word that is compared and copied as an integer.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, OnceLock};

/// An interned string. Two symbols are equal exactly when their texts are.
///
/// Symbols order by text, so that anything sorted by symbol is sorted the same way in every run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

#[derive(Default)]
struct Interner {
    ids: HashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

fn interner() -> &'static Mutex<Interner> {
    static INTERNER: OnceLock<Mutex<Interner>> = OnceLock::new();
    INTERNER.get_or_init(Mutex::default)
}

impl Symbol {
    /// The symbol of `text`.
    pub fn new(text: &str) -> Symbol {
        let mut interner = interner().lock().expect("the interner never panics");
        if let Some(&id) = interner.ids.get(text) {
            return Symbol(id);
        }
        let id = u32::try_from(interner.texts.len()).expect("fewer than 2^32 names");
        let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
        interner.texts.push(kept);
        interner.ids.insert(kept, id);
        Symbol(id)
    }

    /// The text of the symbol.
    pub fn as_str(self) -> &'static str {
        interner().lock().expect("the interner never panics").texts[self.0 as usize]
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl serde::Serialize for Symbol {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Symbol {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Symbol, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Ok(Symbol::new(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::Symbol;

    #[test]
    fn equal_texts_are_one_symbol() {
        assert_eq!(Symbol::new("map"), Symbol::new("map"));
        assert_ne!(Symbol::new("map"), Symbol::new("mop"));
        assert_eq!(Symbol::new("reduce").as_str(), "reduce");
    }

    #[test]
    fn symbols_order_by_text() {
        let late = Symbol::new("zz-interned-first");
        let early = Symbol::new("aa-interned-second");
        assert!(early < late);
    }
}
