//! What passes did and did not do, as it is told of one operator.

use std::collections::{HashMap, HashSet};

use ravel_base::Span;
use ravel_core::Spans;
use ravel_passes::fuse::{horizontal, views};
use ravel_passes::{Event, Refusal};

use super::Fired;

/// A rule that fired, and the operators that it was about.
pub struct Firing {
    /// The rule.
    pub rule: &'static str,
    /// Where these operators are written.
    places: Vec<Span>,
    /// Did it make one of two statements?
    joins: bool,
    /// The operator of which it was about two copies, as of a function that is called twice.
    copied: Option<Span>,
}

impl Firing {
    /// What an event tells of the operators at these places, which are in their order.
    pub fn of(event: &Event, places: &[Span]) -> Firing {
        Firing {
            rule: event.rule,
            places: among(places, &event.origin.spans).collect(),
            joins: event.earlier.is_some(),
            copied: event.earlier.filter(|_| event.earlier == event.origin.place()),
        }
    }
}

/// Those of these places, which are in their order, that are among the spans of an origin.
pub fn among<'p>(places: &'p [Span], spans: &Spans) -> impl Iterator<Item = Span> + use<'p> {
    spans.iter().filter(|span| places.binary_search(span).is_ok())
}

/// The rules that fired at a place, each once, with those of its partners that it was the first to join with the operator
/// there; if that is there several times, it may be another copy of it.
pub fn firings<'e>(
    span: Span,
    is_copied: bool,
    partners: &HashSet<Span>,
    firings: impl Iterator<Item = &'e Firing>,
) -> Vec<Fired> {
    let mut fired: Vec<Fired> = Vec::new();
    let mut joined = HashSet::new();
    for firing in firings.filter(|firing| firing.places.contains(&span)) {
        let is_copy = is_copied && firing.copied == Some(span);
        let is_other = |other: &Span| if *other == span { is_copy } else { partners.contains(other) };
        let others = firing.places.iter().copied().filter(|other| firing.joins && is_other(other));
        let new: Vec<Span> = others.filter(|other| joined.insert(*other)).collect();
        match fired.iter_mut().find(|known| known.rule == firing.rule) {
            Some(known) => known.others.extend(new),
            None => fired.push(Fired { rule: firing.rule, others: new }),
        }
    }
    fired
}

/// A rule that did not fire, and the operator that a reader may have expected it to fire on.
pub struct Stopped {
    /// The rule.
    rule: &'static str,
    /// Where this operator is written.
    operator: Option<Span>,
    refusal: Refusal,
}

impl Stopped {
    /// What an event tells of the operators at these places, which are in their order: of the one that the statement is
    /// or that is around it; of what a construct is made of, of the one that reads what the other makes, or is to blame.
    fn of(event: &Event, places: &[Span]) -> Option<Stopped> {
        let refusal = event.refused?;
        // What an operator of the library sees of an array and does not read itself is its own matter.
        let is_view = views::PASS.rules.contains(&event.rule) && event.origin.place() == refusal.span;
        if is_view && refusal.at.is_none() && refusal.span.is_some_and(|view| places.contains(&view)) {
            return None;
        }
        let part = || {
            let place = refusal.other.and(refusal.at.or(refusal.span))?;
            innermost(place, among(places, &event.origin.spans))
        };
        let operator = part().or_else(|| innermost(event.origin.place()?, places.iter().copied()));
        Some(Stopped { rule: event.rule, operator, refusal })
    }
}

/// Firings, of each rule that makes nothing of two statements one at each place: the last one, which knows of all that was
/// fused there. A rule may fire very often on one statement.
pub fn distinct(events: Vec<Event>) -> Vec<Event> {
    let mut positions = HashMap::new();
    let mut distinct: Vec<Event> = Vec::new();
    for event in events {
        if event.earlier.is_some() {
            distinct.push(event);
            continue;
        }
        let at = *positions.entry((event.rule, event.origin.place())).or_insert(distinct.len());
        match distinct.get_mut(at) {
            Some(known) => *known = event,
            None => distinct.push(event),
        }
    }
    distinct
}

/// What is told of the refusals of passes, in their order, each with those of all its runs: of two statements what the
/// first pass refused, since that stands in the way of fusing them at all.
pub fn refused(passes: impl Iterator<Item = Vec<Vec<Event>>>, places: &[Span]) -> Vec<Stopped> {
    let mut refused = Vec::new();
    let mut known = HashSet::new();
    for runs in passes {
        let pair = |(statement, event): &(Option<Span>, Event)| {
            let other = event.refused?.other?;
            Some(((*statement)?, other))
        };
        let events = still_refused(runs).into_iter();
        let events: Vec<_> =
            events.filter(|event| pair(event).is_none_or(|pair| !known.contains(&pair))).collect();
        known.extend(events.iter().filter_map(pair));
        refused.extend(events.iter().filter_map(|(_, event)| Stopped::of(event, places)));
    }
    refused
}

/// What the last run of a pass refused, with the main place of the statement. Where operators had come side by side in
/// one construct, its reason may be another one's: of such a construct counts what an earlier run said of a part, if that
/// was of the same other one.
fn still_refused(mut runs: Vec<Vec<Event>>) -> Vec<(Option<Span>, Event)> {
    let side_by_side = horizontal::PASS.rules;
    let is_joined = |event: &Event| event.origin.rules.iter().any(|rule| side_by_side.contains(rule));
    let last = runs.pop().unwrap_or_default();
    let mut refused = Vec::new();
    for event in last {
        let statement = event.origin.place();
        let mut of_parts = Vec::new();
        if is_joined(&event) && !side_by_side.contains(&event.rule) {
            let parts: HashSet<Span> = event.origin.spans.iter().collect();
            let other = |event: &Event| event.refused.and_then(|refusal| refusal.other);
            let is_of_part = |before: &&Event| {
                !is_joined(before)
                    && other(before) == other(&event)
                    && before.origin.place().is_some_and(|place| parts.contains(&place))
            };
            let said = |run: &Vec<Event>| run.iter().filter(is_of_part).cloned().collect::<Vec<_>>();
            of_parts = runs.iter().rev().map(said).find(|said| !said.is_empty()).unwrap_or_default();
        }
        if of_parts.is_empty() {
            of_parts.push(event);
        }
        refused.extend(of_parts.into_iter().map(|event| (statement, event)));
    }
    refused
}

/// The refusals between the operator at a place and others, of each other the first premise: what stands in
/// the way of fusing them at all; the other may be another copy of it, if it is there several times. Those between it and
/// what is no operator, as a view that nothing reads element by element. And those about no other, also about what no
/// operator inside of this one does.
pub fn stopped(
    span: Span,
    is_copied: bool,
    places: &[Span],
    refused: &[Stopped],
) -> Vec<(&'static str, Refusal)> {
    let mut told: Vec<(&'static str, Refusal)> = Vec::new();
    for &Stopped { rule, operator, refusal } in refused {
        let by_no_operator = refusal.other == Some(span) && operator.is_none();
        let refusal = Refusal { other: refusal.other.filter(|_| !by_no_operator), ..refusal };
        let is_told = match refusal.other {
            Some(other) if other == span => operator == Some(span) && is_copied,
            Some(other) => operator == Some(span) && places.contains(&other),
            None => by_no_operator || operator == Some(span),
        };
        let is_first = told.iter().all(|&(other_rule, known)| {
            let same = (other_rule, known.premise) == (rule, refusal.premise);
            known.other != refusal.other
                || known.other.is_none() && !same
                || same && known.span != refusal.span
        });
        if is_told && is_first {
            told.push((rule, refusal));
        }
    }
    told
}

/// The smallest of these places around another one.
fn innermost(place: Span, places: impl Iterator<Item = Span>) -> Option<Span> {
    let around = places.filter(|outer| outer.holds(place));
    around.min_by_key(|outer| outer.end - outer.start)
}
