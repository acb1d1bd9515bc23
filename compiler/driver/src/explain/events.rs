//! The events of passes, firings and refusals, assigned to the operators that they concern.

use std::collections::{HashMap, HashSet};

use ravel_base::Span;
use ravel_core::Spans;
use ravel_passes::fuse::{horizontal, views};
use ravel_passes::{Event, Refusal};

use super::FiredRule;

/// A firing of a rule, with the operators involved.
pub struct Firing {
    /// The rule.
    pub rule: &'static str,
    /// The places of the operators.
    places: Vec<Span>,
    /// Whether it merged two statements.
    merges: bool,
    /// The operator of which it merged two copies, as in a function that is called twice.
    copied: Option<Span>,
}

impl Firing {
    /// The firing of an event; `places` are the places of all operators, sorted.
    pub fn of(event: &Event, places: &[Span]) -> Firing {
        Firing {
            rule: event.rule,
            places: places_of(places, &event.origin.spans).collect(),
            merges: event.earlier.is_some(),
            copied: event.earlier.filter(|_| event.earlier == event.origin.place()),
        }
    }
}

/// The spans of an origin that are among these places, which are sorted.
pub fn places_of<'p>(places: &'p [Span], spans: &Spans) -> impl Iterator<Item = Span> + use<'p> {
    spans.iter().filter(|span| places.binary_search(span).is_ok())
}

/// The rules that fired on the operator at a place, each once, with the operators that it merged with this one. An operator
/// that several rules merged is listed at the first of them. If the operator has several copies, it may be another copy.
pub fn firings_on<'e>(
    span: Span,
    is_copied: bool,
    partners: &HashSet<Span>,
    firings: impl Iterator<Item = &'e Firing>,
) -> Vec<FiredRule> {
    let mut fired: Vec<FiredRule> = Vec::new();
    let mut merged = HashSet::new();
    for firing in firings.filter(|firing| firing.places.contains(&span)) {
        let is_copy = is_copied && firing.copied == Some(span);
        let is_other = |other: &Span| if *other == span { is_copy } else { partners.contains(other) };
        let others = firing.places.iter().copied().filter(|other| firing.merges && is_other(other));
        let new: Vec<Span> = others.filter(|other| merged.insert(*other)).collect();
        match fired.iter_mut().find(|known| known.rule == firing.rule) {
            Some(known) => known.others.extend(new),
            None => fired.push(FiredRule { rule: firing.rule, others: new }),
        }
    }
    fired
}

/// A rule that did not fire, and the operator where a reader expects it to fire.
pub struct OperatorRefusal {
    /// The rule.
    rule: &'static str,
    /// The place of the operator.
    operator: Option<Span>,
    refusal: Refusal,
}

impl OperatorRefusal {
    /// Assigns a refusal to an operator; `places` are the places of all operators, sorted. If
    /// the refusal is about two statements, this is the operator in the construct that reads the result of the other, or
    /// that contains the cause. Otherwise it is the operator of the statement, or the innermost one around it.
    fn of(event: &Event, places: &[Span]) -> Option<OperatorRefusal> {
        let refusal = event.refused?;
        // A view in the code of a library operator is not the program's, so a refusal about the view alone is not reported.
        let is_view = views::PASS.rules.contains(&event.rule) && event.origin.place() == refusal.span;
        if is_view && refusal.at.is_none() && refusal.span.is_some_and(|view| places.contains(&view)) {
            return None;
        }
        let part = || {
            let place = refusal.other.and(refusal.at.or(refusal.span))?;
            innermost(place, places_of(places, &event.origin.spans))
        };
        let operator = part().or_else(|| innermost(event.origin.place()?, places.iter().copied()));
        Some(OperatorRefusal { rule: event.rule, operator, refusal })
    }
}

/// Firings without repetitions. A rule that rewrites one statement may fire on it many times: only the last firing of
/// each rule at each place is kept, since its origin includes everything fused there.
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

/// Selects the refusals to report. `passes` has, in pipeline order, the events of every run of each pass. For a pair of
/// statements, the refusals of the first pass count: they prevent any fusion of the pair.
pub fn refusals(passes: impl Iterator<Item = Vec<Vec<Event>>>, places: &[Span]) -> Vec<OperatorRefusal> {
    let mut refusals = Vec::new();
    let mut known = HashSet::new();
    for runs in passes {
        let pair = |(statement, event): &(Option<Span>, Event)| {
            let other = event.refused?.other?;
            Some(((*statement)?, other))
        };
        let events = last_refusals(runs).into_iter();
        let events: Vec<_> =
            events.filter(|event| pair(event).is_none_or(|pair| !known.contains(&pair))).collect();
        known.extend(events.iter().filter_map(pair));
        refusals.extend(events.iter().filter_map(|(_, event)| OperatorRefusal::of(event, places)));
    }
    refusals
}

/// The refusals of the last run of a pass, with the main place of each statement. If a construct has been fused
/// horizontally, the premise that fails may belong to another part of it. Then an earlier refusal of one of its parts counts
/// instead, if it concerned the same other statement.
fn last_refusals(mut runs: Vec<Vec<Event>>) -> Vec<(Option<Span>, Event)> {
    let horizontal = horizontal::PASS.rules;
    let is_merged = |event: &Event| event.origin.rules.iter().any(|rule| horizontal.contains(rule));
    let last = runs.pop().unwrap_or_default();
    let mut refusals = Vec::new();
    for event in last {
        let statement = event.origin.place();
        let mut of_parts = Vec::new();
        if is_merged(&event) && !horizontal.contains(&event.rule) {
            let parts: HashSet<Span> = event.origin.spans.iter().collect();
            let other = |event: &Event| event.refused.and_then(|refusal| refusal.other);
            let is_of_part = |before: &&Event| {
                !is_merged(before)
                    && other(before) == other(&event)
                    && before.origin.place().is_some_and(|place| parts.contains(&place))
            };
            let in_run = |run: &Vec<Event>| run.iter().filter(is_of_part).cloned().collect::<Vec<_>>();
            of_parts = runs.iter().rev().map(in_run).find(|found| !found.is_empty()).unwrap_or_default();
        }
        if of_parts.is_empty() {
            of_parts.push(event);
        }
        refusals.extend(of_parts.into_iter().map(|event| (statement, event)));
    }
    refusals
}

/// The refusals to report for the operator at a place:
///
/// * between it and another operator (or another copy of it): the first premise that fails, since that prevents any fusion;
/// * between it and a statement that is not an operator, such as a view that nothing reads element by element;
/// * about a single statement: of the operator, or of anything in it that is not an operator.
pub fn refusals_on(
    span: Span,
    is_copied: bool,
    places: &[Span],
    refusals: &[OperatorRefusal],
) -> Vec<(&'static str, Refusal)> {
    let mut reported: Vec<(&'static str, Refusal)> = Vec::new();
    for &OperatorRefusal { rule, operator, refusal } in refusals {
        let by_no_operator = refusal.other == Some(span) && operator.is_none();
        let refusal = Refusal { other: refusal.other.filter(|_| !by_no_operator), ..refusal };
        let concerns_operator = match refusal.other {
            Some(other) if other == span => operator == Some(span) && is_copied,
            Some(other) => operator == Some(span) && places.contains(&other),
            None => by_no_operator || operator == Some(span),
        };
        let is_first = reported.iter().all(|&(other_rule, known)| {
            let same = (other_rule, known.premise) == (rule, refusal.premise);
            known.other != refusal.other
                || known.other.is_none() && !same
                || same && known.span != refusal.span
        });
        if concerns_operator && is_first {
            reported.push((rule, refusal));
        }
    }
    reported
}

/// The smallest of these places that encloses a place.
fn innermost(place: Span, places: impl Iterator<Item = Span>) -> Option<Span> {
    let around = places.filter(|outer| outer.holds(place));
    around.min_by_key(|outer| outer.end - outer.start)
}
