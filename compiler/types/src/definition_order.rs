//! Advice for names that are used before their definition, or inside it.

use ravel_base::{Span, Symbol};
use ravel_syntax::ast::{Dec, ModuleExp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checker::Checker;
use crate::env::Space;

/// The places of the definitions in a file.
#[derive(Debug, Default)]
pub(crate) struct Definitions(FxHashMap<(Space, Symbol), Vec<DefinitionPlace>>);

/// The place of a definition.
#[derive(Clone, Copy, Debug)]
struct DefinitionPlace {
    /// The defined name.
    name: Span,
    /// The whole definition.
    whole: Span,
    /// The body of the module that contains the definition; `None` at the top level.
    module: Option<Span>,
}

impl Definitions {
    pub(crate) fn of(decs: &[Dec]) -> Definitions {
        let mut definitions = Definitions::default();
        definitions.add(decs, None);
        definitions
    }

    fn add(&mut self, decs: &[Dec], module: Option<Span>) {
        for dec in decs {
            let mut dec = dec;
            while let Dec::Local(inner, _) | Dec::Attributed(_, inner, _) = dec {
                dec = inner;
            }
            let (space, name, whole) = match dec {
                Dec::Value(dec) => (Space::Terms, &dec.name, dec.span),
                Dec::Type(dec) => (Space::Types, &dec.name, dec.span),
                Dec::Module(dec) => {
                    let mut body = &dec.body;
                    while let ModuleExp::Ascribed(inner, _) = body {
                        body = inner;
                    }
                    if let ModuleExp::Structure(inner, span) = body {
                        self.add(inner, Some(*span));
                    }
                    (Space::Terms, &dec.name, dec.span)
                }
                Dec::ModuleType(dec) => (Space::Signatures, &dec.name, dec.span),
                Dec::Open(..) | Dec::Import(..) | Dec::Local(..) | Dec::Attributed(..) | Dec::Error(_) => {
                    continue;
                }
            };
            let place = DefinitionPlace { name: name.span, whole, module };
            self.0.entry((space, name.node)).or_default().push(place);
        }
    }

    /// The first definition of the name at the top level or in a module that contains `at`.
    fn enclosing_definition(&self, space: Space, name: Symbol, at: Span) -> Option<DefinitionPlace> {
        let places = self.0.get(&(space, name))?;
        let in_scope = |place: &&DefinitionPlace| place.module.is_none_or(|module| contains(module, at));
        places.iter().find(in_scope).copied()
    }

    /// Whether the top level or a module that contains `at` defines a value of this name.
    pub(crate) fn has_value(&self, name: Symbol, at: Span) -> bool {
        self.enclosing_definition(Space::Terms, name, at).is_some()
    }
}

fn contains(whole: Span, part: Span) -> bool {
    whole.start <= part.start && part.end <= whole.end
}

impl Checker<'_> {
    /// If the name used at `at` is defined only later, or if a type is used in its own definition: the place of the
    /// definition, and advice.
    pub(crate) fn order_advice(&self, space: Space, name: Symbol, at: Span) -> Option<(Span, &'static str)> {
        let place = self.defined.enclosing_definition(space, name, at)?;
        let help = match space {
            Space::Terms if place.name.start > at.start && self.calls_back(place, at) => {
                "functions cannot call each other: merge them into one, or write a `loop`"
            }
            _ if place.name.start > at.start => {
                "a name must be defined before it is used: move the definition up"
            }
            Space::Types if contains(place.whole, at) => {
                "a type cannot contain itself: store the parts in an array, and refer to them by index"
            }
            _ => return None,
        };
        Some((place.name, help))
    }

    /// Whether a later definition mentions the function being checked, directly or through others.
    fn calls_back(&self, later: DefinitionPlace, at: Span) -> bool {
        let own = self.current.as_ref().and_then(|current| self.names.get(&current.id));
        let Some(&own) = own else { return false };
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![later]);
        while let Some(definition) = waiting.pop() {
            let Span { start, end, .. } = definition.whole;
            let text = self.text.get(start as usize..end as usize).unwrap_or_default();
            let words = text.split(|letter: char| !(letter.is_alphanumeric() || "_'".contains(letter)));
            for word in words.map(Symbol::new) {
                if word == own {
                    return true;
                }
                if seen.insert(word) {
                    waiting.extend(self.defined.enclosing_definition(Space::Terms, word, at));
                }
            }
        }
        false
    }
}
