//! The operators of a program before any pass ran, and the operators that each construct of the optimised program
//! consists of.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Span;
use ravel_types::tast::Program;

use super::constructs::CoreConstruct;
use super::events::places_of;
use super::operator_names::{OperatorName, operator_names};
use super::{FiredRule, Operator};
use crate::source::Source;

/// The places of the operators of a program.
pub struct Operators {
    /// All of them, in the order of the source.
    pub places: Vec<Span>,
    /// The operators of which lowering generated several equal constructs, as in a function that is called twice. An
    /// operator that the library builds from several different constructs counts as one operator.
    copied: HashSet<Span>,
}

impl Operators {
    /// The operators of a program, from the constructs that lowering generated. Other rules, refusals, constructs and
    /// materialised arrays are filled in later.
    pub fn of(
        program: &Program,
        lowered: &[CoreConstruct<'_>],
        source: &Source,
    ) -> (Operators, Vec<Operator>) {
        let mut constructs: BTreeMap<Span, Vec<&CoreConstruct<'_>>> = BTreeMap::new();
        for construct in lowered {
            let Some(span) = construct.stm.origin.place() else { continue };
            constructs.entry(span).or_default().push(construct);
        }
        let is_copied = |same_place: &[&CoreConstruct<'_>]| {
            same_place.len() > 1 && same_place.iter().all(|other| other.form() == same_place[0].form())
        };
        let copied = constructs.iter().filter(|(_, same_place)| is_copied(same_place)).map(|(&span, _)| span);
        let copied = copied.collect();
        let places: Vec<Span> = constructs.keys().copied().collect();
        let mut names = operator_names(program, &places, source);
        let operators = constructs.iter().map(|(&span, same_place)| {
            let by_lowering = same_place[0].stm.origin.rules.iter();
            let nameless = || OperatorName { name: "operator".to_owned(), without_pipe: span };
            let OperatorName { name, without_pipe } = names.remove(&span).unwrap_or_else(nameless);
            Operator {
                span,
                without_pipe,
                name,
                fired: by_lowering.map(|&rule| FiredRule { rule, others: Vec::new() }).collect(),
                refused: Vec::new(),
                constructs: Vec::new(),
                materialised: Vec::new(),
            }
        });
        let mut operators: Vec<Operator> = operators.collect();
        operators.sort_by_key(|operator| operator.without_pipe);
        (Operators { places, copied }, operators)
    }

    /// Whether lowering generated several copies of the operator at this place.
    pub fn is_copied(&self, operator: Span) -> bool {
        self.copied.contains(&operator)
    }

    /// For each of these constructs, the operators fused into it.
    pub fn fused_operators(&self, constructs: &[CoreConstruct<'_>]) -> Vec<Vec<Span>> {
        let fused =
            |construct: &CoreConstruct<'_>| places_of(&self.places, &construct.stm.origin.spans).collect();
        constructs.iter().map(fused).collect()
    }
}
