//! Interned names: a [`Symbol`] is a word that is compared and copied as an integer.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock};

/// An interned string. Two symbols are equal exactly when their texts are.
///
/// Symbols order by text, so that anything sorted by symbol is sorted the same way in every run.
#[derive(Clone, Copy)]
pub struct Symbol(&'static Word);

/// The contents of a symbol; each text is stored once.
struct Word {
    number: u32,
    text: Box<str>,
}

fn words() -> &'static Mutex<HashMap<&'static str, &'static Word>> {
    static WORDS: OnceLock<Mutex<HashMap<&'static str, &'static Word>>> = OnceLock::new();
    WORDS.get_or_init(Mutex::default)
}

impl Symbol {
    /// The symbol of `text`.
    pub fn new(text: &str) -> Symbol {
        let mut words = words().lock().expect("no thread panics while it holds the lock");
        if let Some(&word) = words.get(text) {
            return Symbol(word);
        }
        let number = u32::try_from(words.len()).expect("fewer than 2^32 names");
        let word: &'static Word = Box::leak(Box::new(Word { number, text: text.into() }));
        words.insert(&word.text, word);
        Symbol(word)
    }

    /// The text of the symbol.
    pub fn as_str(self) -> &'static str {
        &self.0.text
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.number.hash(state);
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
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        if self == other { Ordering::Equal } else { self.as_str().cmp(other.as_str()) }
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
