//! The explanation as programs read it.

use serde::Serialize;

use super::{Construct, Explanation, Operator};
use crate::source::Source;
use ravel_base::Span;

/// What became of a program; constructs are named by their numbers, from 1.
#[derive(Serialize)]
struct Told {
    operators: Vec<ToldOperator>,
    constructs: Vec<ToldConstruct>,
}

#[derive(Serialize)]
struct ToldOperator {
    name: String,
    at: String,
    fired: Vec<ToldFired>,
    refused: Vec<ToldRefused>,
    constructs: Vec<usize>,
    kept: Vec<String>,
}

#[derive(Serialize)]
struct ToldFired {
    rule: &'static str,
    with: Vec<String>,
}

#[derive(Serialize)]
struct ToldRefused {
    rule: &'static str,
    with: Option<String>,
    premise: &'static str,
    requires: &'static str,
    because: String,
    at: Option<String>,
}

#[derive(Serialize)]
struct ToldConstruct {
    function: String,
    form: String,
    at: Option<String>,
    inside: Option<usize>,
    segments: Vec<String>,
    arrays: Vec<ToldArray>,
}

#[derive(Serialize)]
struct ToldArray {
    name: Option<String>,
    since: Vec<String>,
}

impl Explanation {
    /// As JSON, with places as messages have them.
    pub fn json(&self, source: &Source) -> String {
        let told = Told {
            operators: self.operators.iter().map(|operator| operator.told(self, source)).collect(),
            constructs: self.constructs.iter().map(|construct| construct.told_of(self, source)).collect(),
        };
        // Strings, numbers and lists are always JSON.
        serde_json::to_string_pretty(&told).unwrap_or_default() + "\n"
    }
}

impl Operator {
    fn told(&self, all: &Explanation, source: &Source) -> ToldOperator {
        let place = |span| source.sources().describe(all.place(span));
        let places = |spans: &[Span]| spans.iter().map(|&span| place(span)).collect();
        let fired =
            self.fired.iter().map(|fired| ToldFired { rule: fired.rule, with: places(&fired.others) });
        let refused = self.refused.iter().map(|(rule, refusal)| ToldRefused {
            rule,
            with: refusal.other.map(place),
            premise: refusal.premise.name,
            requires: refusal.premise.about,
            because: refusal.reason(),
            at: refusal.span.map(place),
        });
        ToldOperator {
            name: self.name.clone(),
            at: place(self.span),
            fired: fired.collect(),
            refused: refused.collect(),
            constructs: self.constructs.iter().map(|at| at + 1).collect(),
            kept: self.kept.clone(),
        }
    }
}

impl Construct {
    fn told_of(&self, all: &Explanation, source: &Source) -> ToldConstruct {
        let arrays = self.arrays.iter().map(|(name, since)| ToldArray {
            name: name.map(|name| name.as_str().to_owned()),
            since: since.iter().map(|need| need.told()).collect(),
        });
        ToldConstruct {
            function: self.function.as_str().to_owned(),
            form: self.form.clone(),
            at: self.span.map(|span| source.sources().describe(all.place(span))),
            inside: self.inside.map(|at| at + 1),
            segments: self.segments.clone(),
            arrays: arrays.collect(),
        }
    }
}
