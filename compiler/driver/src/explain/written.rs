//! The operators as they were written: what lowering made of each, and which of the constructs that are left it is part of.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Span;
use ravel_core::Exp;

use super::events::among;
use super::found::Found;
use super::{Fired, Operator, text};
use crate::source::Source;

/// Where the operators of a program are written.
pub struct Written {
    /// All of them, in the order of the source.
    pub places: Vec<Span>,
    /// Those that are there several times, as in a function that is called twice. What the library makes of several
    /// constructs is one operator, of which the parts are of no interest.
    copied: HashSet<Span>,
    /// Those with constructs inside of each other, as a map of a map of the library.
    nested: HashSet<Span>,
    /// Those that are streams.
    streams: HashSet<Span>,
}

impl Written {
    /// The operators of a program as lowering left it, with nothing told of them but that.
    pub fn of(lowered: &[Found<'_>], source: &Source) -> (Written, Vec<Operator>) {
        let mut constructs: BTreeMap<Span, Vec<&Found<'_>>> = BTreeMap::new();
        let (mut nested, mut streams) = (HashSet::new(), HashSet::new());
        for found in lowered {
            let Some(span) = found.stm.origin.place() else { continue };
            constructs.entry(span).or_default().push(found);
            if around(found, lowered).any(|outer| outer.stm.origin.place() == Some(span)) {
                nested.insert(span);
            }
            if is_stream(found) {
                streams.insert(span);
            }
        }
        let is_copied = |found: &[&Found<'_>]| {
            found.len() > 1 && found.iter().all(|other| other.form() == found[0].form())
        };
        let copied = constructs.iter().filter(|(_, found)| is_copied(found)).map(|(&span, _)| span);
        let copied = copied.collect();
        let operators = constructs.iter().map(|(&span, found)| {
            let by_lowering = found[0].stm.origin.rules.iter();
            Operator {
                span,
                name: text::called(source, span).unwrap_or_else(|| found[0].form()),
                fired: by_lowering.map(|&rule| Fired { rule, others: Vec::new() }).collect(),
                refused: Vec::new(),
                constructs: Vec::new(),
                kept: Vec::new(),
            }
        });
        let operators = operators.collect();
        (Written { places: constructs.into_keys().collect(), copied, nested, streams }, operators)
    }

    /// Is the operator at this place there several times?
    pub fn is_copied(&self, operator: Span) -> bool {
        self.copied.contains(&operator)
    }

    /// The operators that each of these constructs is made of. An operator that calls a function is no part of what the
    /// function does, which is inside of its own construct; but what became part of a stream stands in its chunks too.
    pub fn parts(&self, left: &[Found<'_>]) -> Vec<Vec<Span>> {
        let spans = left.iter().map(|found| among(&self.places, &found.stm.origin.spans).collect::<Vec<_>>());
        let spans: Vec<Vec<Span>> = spans.collect();
        let parts = left.iter().zip(&spans).map(|(found, of_it)| {
            let outer: Vec<usize> = positions_around(found, left).collect();
            let calls = |&at: &usize, span: &Span| !is_stream(&left[at]) || self.streams.contains(span);
            let is_around = |span: &Span| outer.iter().any(|at| spans[*at].contains(span) && calls(at, span));
            of_it.iter().copied().filter(|span| self.nested.contains(span) || !is_around(span)).collect()
        });
        parts.collect()
    }
}

/// The constructs around one of these, the innermost first.
fn around<'f>(found: &Found<'_>, all: &'f [Found<'f>]) -> impl Iterator<Item = &'f Found<'f>> {
    positions_around(found, all).map(|at| &all[at])
}

fn is_stream(found: &Found<'_>) -> bool {
    matches!(found.stm.exp, Exp::Stream(_))
}

fn positions_around(found: &Found<'_>, all: &[Found<'_>]) -> impl Iterator<Item = usize> {
    std::iter::successors(found.inside, |&at| all[at].inside)
}
