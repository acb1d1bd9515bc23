//! Origins of statements, the same in core IR and kernel IR: places in the source, attributes, and the rules that
//! rewrote them.
//!
//! Fusion unites the origins of two statements. If thousands of statements are fused one after the other, copying the
//! places each time would take quadratic time. So a union shares its two operands, and takes constant time.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::{CallPath, Span, Symbol, define_id};

define_id!(
    /// A parallel construct of the optimised program.
    ConstructId, "construct"
);

/// The origin of a statement: its places in the source, the attributes written there, and the rules
/// that rewrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Places in the source.
    pub spans: Spans,
    /// The attributes of the expression, as written: `sequential`, `flattening(no_outer)`.
    pub attributes: Vec<Symbol>,
    /// The names of the rules that fired on the statement, in the order in which each fired first.
    pub rules: Vec<&'static str>,
    /// The innermost parallel construct of the optimised program that contains the statement, once the constructs are
    /// numbered. Places do not identify constructs: a library call contains several at one place, and both sides of a
    /// branch may have copies of one construct.
    pub construct: Option<ConstructId>,
}

impl Origin {
    /// The origin of code at `span`.
    pub fn at(span: Span) -> Origin {
        Origin::on(CallPath::at(span))
    }

    /// The origin of code at a place inside inlined calls, both given by `path`.
    pub fn on(path: CallPath) -> Origin {
        Origin { spans: Spans::on(path), ..Origin::default() }
    }

    /// The origin of new code inside the statement: the attributes and the rules of the statement do not apply to it.
    pub fn inside(&self) -> Origin {
        Origin { spans: self.spans.clone(), construct: self.construct, ..Origin::default() }
    }

    /// The main place in the source.
    pub fn place(&self) -> Option<Span> {
        self.path().map(CallPath::span)
    }

    /// The main place in the source, and the inlined calls that lead there.
    pub fn path(&self) -> Option<CallPath> {
        self.spans.main
    }

    /// Replaces the path to the main place, if there is one, by another path to the same place.
    pub fn map_path(&mut self, change: impl FnOnce(CallPath) -> CallPath) {
        self.spans.main = self.spans.main.map(change);
    }

    /// The same origin with another main place, which may be one of its places.
    pub fn led_by(&self, path: CallPath) -> Origin {
        Origin { spans: Spans::on(path).union(&self.spans), ..self.clone() }
    }

    /// Records that a rule fired on the statement.
    pub fn add_rule(&mut self, rule: &'static str) {
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }

    /// The origin of the fusion of two statements.
    pub fn union(&self, other: &Origin) -> Origin {
        let mut union = Origin { spans: self.spans.union(&other.spans), ..self.clone() };
        union.attributes.extend(other.attributes.iter().filter(|known| !self.attributes.contains(known)));
        other.rules.iter().for_each(|rule| union.add_rule(rule));
        union
    }
}

/// Places in the source, each once; the first is the main one.
#[derive(Clone, Default)]
pub struct Spans {
    main: Option<CallPath>,
    /// The operands of the union; `None` if the main place is the only one.
    parts: Option<Arc<[Spans; 2]>>,
}

impl Spans {
    /// One place.
    pub fn on(path: CallPath) -> Spans {
        Spans { main: Some(path), parts: None }
    }

    fn main(&self) -> Option<Span> {
        self.main.map(CallPath::span)
    }

    /// These places, followed by the places of `other` that are not among them.
    pub fn union(&self, other: &Spans) -> Spans {
        match (self.main, other.main) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            _ if other.parts.is_none() && self.main() == other.main() => self.clone(),
            (main, _) => Spans { main, parts: Some(Arc::new([self.clone(), other.clone()])) },
        }
    }

    /// The places. The call takes time linear in their number, whether or not the iterator is used up.
    pub fn iter(&self) -> impl Iterator<Item = Span> + use<> {
        let (mut places, mut known) = (Vec::new(), FxHashSet::default());
        let mut visited: FxHashSet<*const [Spans; 2]> = FxHashSet::default();
        let mut pending = vec![self];
        while let Some(spans) = pending.pop() {
            places.extend(spans.main().filter(|span| known.insert(*span)));
            // A union that occurs twice is visited once. Otherwise repeated unions of a set with itself would take
            // exponential time.
            if let Some(parts) = spans.parts.as_ref().filter(|parts| visited.insert(Arc::as_ptr(parts))) {
                pending.extend(parts.iter().rev());
            }
        }
        places.into_iter()
    }
}

impl Drop for Spans {
    /// Iterative: the recursive drop of a long chain of unions would overflow the stack.
    fn drop(&mut self) {
        let mut pending: Vec<_> = self.parts.take().into_iter().collect();
        while let Some(parts) = pending.pop() {
            if let Some(mut parts) = Arc::into_inner(parts) {
                pending.extend(parts.iter_mut().filter_map(|part| part.parts.take()));
            }
        }
    }
}

impl PartialEq for Spans {
    fn eq(&self, other: &Spans) -> bool {
        let same = |(a, b)| Arc::ptr_eq(a, b);
        self.main() == other.main()
            && match (&self.parts, &other.parts) {
                (None, None) => true,
                parts => {
                    parts.0.as_ref().zip(parts.1.as_ref()).is_some_and(same) || self.iter().eq(other.iter())
                }
            }
    }
}

impl Eq for Spans {}

impl Hash for Spans {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.main().hash(state);
    }
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn at(place: usize) -> Spans {
        Spans::on(CallPath::at(Span::new(FileId(0), place, place + 1)))
    }

    fn starts(spans: &Spans) -> Vec<u32> {
        spans.iter().map(|span| span.start).collect()
    }

    #[test]
    fn a_union_has_each_place_once_and_the_main_one_first() {
        let (a, b) = (at(2).union(&at(1)), at(1).union(&at(3)));
        assert_eq!(starts(&a.union(&b)), [2, 1, 3]);
        assert_eq!(starts(&b.union(&a)), [1, 3, 2]);
        assert_eq!(a.union(&at(2)), a);
        assert_eq!(a.union(&Spans::default()), Spans::default().union(&a));
        assert_ne!(a, at(2));
        assert_ne!(a, at(2).union(&at(4)));
    }

    #[test]
    fn long_chains_and_unions_with_themselves_take_linear_time() {
        let chain = (0..200_000).fold(Spans::default(), |chain, place| at(place).union(&chain));
        assert_eq!(chain.iter().count(), 200_000);
        let doubled = (0..100).fold(at(0).union(&at(1)), |spans, _| spans.union(&spans));
        assert_eq!(starts(&doubled), [0, 1]);
    }

    #[test]
    fn each_rule_is_listed_once() {
        let mut origin = Origin::default();
        ["map-map", "map-write", "map-map"].into_iter().for_each(|rule| origin.add_rule(rule));
        assert_eq!(origin.union(&origin).rules, ["map-map", "map-write"]);
    }
}
