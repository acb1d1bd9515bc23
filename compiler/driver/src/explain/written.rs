//! The operators as they were written: what lowering made of each, and which of the constructs that are left it is part of.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Span;
use ravel_types::tast::Program;

use super::applied::{Applied, applied};
use super::events::among;
use super::found::Found;
use super::{Fired, Operator};
use crate::source::Source;

/// Where the operators of a program are written.
pub struct Written {
    /// All of them, in the order of the source.
    pub places: Vec<Span>,
    /// Those that are there several times, as in a function that is called twice. What the library makes of several
    /// constructs is one operator, of which the parts are of no interest.
    copied: HashSet<Span>,
}

impl Written {
    /// The operators of a program, of which lowering left these constructs, with nothing told of them but that.
    pub fn of(program: &Program, lowered: &[Found<'_>], source: &Source) -> (Written, Vec<Operator>) {
        let mut constructs: BTreeMap<Span, Vec<&Found<'_>>> = BTreeMap::new();
        for found in lowered {
            let Some(span) = found.stm.origin.place() else { continue };
            constructs.entry(span).or_default().push(found);
        }
        let is_copied = |found: &[&Found<'_>]| {
            found.len() > 1 && found.iter().all(|other| other.form() == found[0].form())
        };
        let copied = constructs.iter().filter(|(_, found)| is_copied(found)).map(|(&span, _)| span);
        let copied = copied.collect();
        let places: Vec<Span> = constructs.keys().copied().collect();
        let mut applied = applied(program, &places, source);
        let operators = constructs.iter().map(|(&span, found)| {
            let by_lowering = found[0].stm.origin.rules.iter();
            let nameless = || Applied { name: "operator".to_owned(), part: span };
            let Applied { name, part } = applied.remove(&span).unwrap_or_else(nameless);
            Operator {
                span,
                part,
                name,
                fired: by_lowering.map(|&rule| Fired { rule, others: Vec::new() }).collect(),
                refused: Vec::new(),
                constructs: Vec::new(),
                kept: Vec::new(),
            }
        });
        let mut operators: Vec<Operator> = operators.collect();
        operators.sort_by_key(|operator| operator.part);
        (Written { places, copied }, operators)
    }

    /// Is the operator at this place there several times?
    pub fn is_copied(&self, operator: Span) -> bool {
        self.copied.contains(&operator)
    }

    /// The operators that each of these constructs is made of.
    pub fn parts(&self, left: &[Found<'_>]) -> Vec<Vec<Span>> {
        left.iter().map(|found| among(&self.places, &found.stm.origin.spans).collect()).collect()
    }
}
