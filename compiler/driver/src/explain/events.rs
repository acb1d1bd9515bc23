//! What passes did and did not do, as it is told of one operator.

use std::collections::HashSet;

use ravel_base::Span;
use ravel_core::Spans;
use ravel_passes::{Event, Refusal};

use super::Fired;

/// A rule that fired, and the operators that it was about.
pub struct Firing {
    /// The rule.
    pub rule: &'static str,
    /// Where these operators are written.
    places: Vec<Span>,
    /// The operator of which it was about two copies, as of a function that is called twice.
    copied: Option<Span>,
}

impl Firing {
    /// What an event tells of the operators at these places, which are in their order.
    pub fn of(event: &Event, places: &[Span]) -> Firing {
        Firing {
            rule: event.rule,
            places: among(places, &event.origin.spans).collect(),
            copied: event.earlier.filter(|_| event.earlier == event.origin.place()),
        }
    }
}

/// Those of these places, which are in their order, that are among the spans of an origin.
pub fn among<'p>(places: &'p [Span], spans: &Spans) -> impl Iterator<Item = Span> + use<'p> {
    spans.iter().filter(|span| places.binary_search(span).is_ok())
}

/// The rules that fired at a place, each once, with the operators that it was the first to join with the one there;
/// that may be another copy of it.
pub fn firings<'e>(span: Span, firings: impl Iterator<Item = &'e Firing>) -> Vec<Fired> {
    let mut fired: Vec<Fired> = Vec::new();
    let mut joined = HashSet::new();
    for firing in firings.filter(|firing| firing.places.contains(&span)) {
        let others = firing.places.iter().filter(|other| **other != span || firing.copied == Some(span));
        let new: Vec<Span> = others.copied().filter(|other| joined.insert(*other)).collect();
        match fired.iter_mut().find(|known| known.rule == firing.rule) {
            Some(known) => known.others.extend(new),
            None => fired.push(Fired { rule: firing.rule, others: new }),
        }
    }
    fired
}

/// The refusals between the operator at a place and others, of each other the first premise: what stands in
/// the way of fusing them at all. Those between it and what is no operator, as a view that nothing reads element by
/// element. And those about no other, also about what no operator inside of this one does.
pub fn stopped(span: Span, places: &[Span], events: &[Event]) -> Vec<(&'static str, Refusal)> {
    let mut refused: Vec<(&'static str, Refusal)> = Vec::new();
    for event in events {
        let (Some(refusal), Some(place)) = (event.refused, event.origin.place()) else { continue };
        let operator = innermost(place, places);
        let by_no_operator = refusal.other == Some(span) && operator.is_none();
        let refusal = Refusal { other: refusal.other.filter(|_| !by_no_operator), ..refusal };
        let is_told = match refusal.other {
            Some(other) => operator == Some(span) && places.contains(&other),
            None => by_no_operator || operator == Some(span),
        };
        let is_first = refused.iter().all(|&(rule, known)| {
            let same = (rule, known.premise) == (event.rule, refusal.premise);
            known.other != refusal.other
                || known.other.is_none() && !same
                || same && known.span != refusal.span
        });
        if is_told && is_first {
            refused.push((event.rule, refusal));
        }
    }
    refused
}

/// The smallest of these places around another one.
fn innermost(place: Span, places: &[Span]) -> Option<Span> {
    let around = places.iter().filter(|outer| outer.holds(place));
    around.min_by_key(|outer| outer.end - outer.start).copied()
}
