//! What passes did and did not do, as it is told of one operator.

use ravel_base::Span;
use ravel_passes::{Event, Refusal};

use super::Fired;

/// The rules among these events that fired at a place, each once, with the operators that it was the
/// first to join with the one there.
pub fn firings<'e>(span: Span, places: &[Span], events: impl Iterator<Item = &'e Event>) -> Vec<Fired> {
    let mut fired: Vec<Fired> = Vec::new();
    let mut joined = vec![span];
    for event in events.filter(|event| event.origin.spans.contains(&span)) {
        let new = event.origin.spans.iter().filter(|other| places.contains(other) && !joined.contains(other));
        let new: Vec<Span> = new.copied().collect();
        joined.extend(&new);
        match fired.iter_mut().find(|known| known.rule == event.rule) {
            Some(known) => known.others.extend(new),
            None => fired.push(Fired { rule: event.rule, others: new }),
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
            Some(other) => operator == Some(span) && other != span && places.contains(&other),
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
