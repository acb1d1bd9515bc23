//! The explanation as JSON, for other programs.

use serde::Serialize;

use super::{Construct, Explanation, HostLoop, Operator};
use crate::source::Source;
use ravel_base::Span;

/// The whole report; constructs are numbered from 1.
#[derive(Serialize)]
struct JsonExplanation {
    operators: Vec<JsonOperator>,
    constructs: Vec<JsonConstruct>,
    loops: Vec<JsonLoop>,
}

#[derive(Serialize)]
struct JsonOperator {
    name: String,
    at: String,
    fired: Vec<JsonFired>,
    refused: Vec<JsonRefused>,
    constructs: Vec<usize>,
    materialised: Vec<String>,
}

#[derive(Serialize)]
struct JsonFired {
    rule: &'static str,
    with: Vec<String>,
}

#[derive(Serialize)]
struct JsonRefused {
    rule: &'static str,
    with: Option<String>,
    premise: &'static str,
    requires: &'static str,
    because: String,
    at: Option<String>,
}

#[derive(Serialize)]
struct JsonConstruct {
    function: String,
    form: String,
    at: Option<String>,
    inside: Option<usize>,
    segments: Vec<String>,
    is_dimension: bool,
    is_loop_too: bool,
    versions: Vec<JsonVersions>,
    lanes: Option<String>,
    arrays: Vec<JsonArray>,
}

#[derive(Serialize)]
struct JsonVersions {
    name: String,
    versions: [String; 2],
    ran: Option<[u64; 2]>,
}

#[derive(Serialize)]
struct JsonLoop {
    function: String,
    at: Option<String>,
    constructs: Vec<usize>,
}

#[derive(Serialize)]
struct JsonArray {
    name: Option<String>,
    because: Vec<String>,
}

impl Explanation {
    /// As JSON, with places as diagnostics print them.
    pub fn json(&self, source: &Source) -> String {
        let report = JsonExplanation {
            operators: self.operators.iter().map(|operator| self.json_operator(operator, source)).collect(),
            constructs: self
                .constructs
                .iter()
                .map(|construct| self.json_construct(construct, source))
                .collect(),
            loops: self.loops.iter().map(|host_loop| json_loop(host_loop, source)).collect(),
        };
        serde_json::to_string_pretty(&report).expect("strings, numbers and lists serialise") + "\n"
    }

    fn json_operator(&self, operator: &Operator, source: &Source) -> JsonOperator {
        let place = |span| source.sources().describe(self.place(span));
        let places = |spans: &[Span]| spans.iter().map(|&span| place(span)).collect();
        let fired =
            operator.fired.iter().map(|fired| JsonFired { rule: fired.rule, with: places(&fired.others) });
        let refused = operator.refused.iter().map(|(rule, refusal)| JsonRefused {
            rule,
            with: refusal.other.map(place),
            premise: refusal.premise.name,
            requires: refusal.premise.about,
            because: refusal.reason(),
            at: refusal.span.map(place),
        });
        JsonOperator {
            name: operator.name.clone(),
            at: place(operator.span),
            fired: fired.collect(),
            refused: refused.collect(),
            constructs: operator.constructs.iter().map(|at| at + 1).collect(),
            materialised: operator.materialised.clone(),
        }
    }

    fn json_construct(&self, construct: &Construct, source: &Source) -> JsonConstruct {
        let arrays = construct.arrays.iter().map(|(name, uses)| JsonArray {
            name: name.map(|name| name.as_str().to_owned()),
            because: uses.iter().map(|array_use| array_use.sentence()).collect(),
        });
        let versions = construct.placement.versions.iter().map(|versions| JsonVersions {
            name: versions.name.clone(),
            versions: versions.names.clone(),
            ran: self.counts(versions),
        });
        JsonConstruct {
            function: construct.function.as_str().to_owned(),
            form: construct.form.clone(),
            at: construct.span.map(|span| source.sources().describe(self.place(span))),
            inside: construct.inside.map(|at| at + 1),
            segments: construct.placement.segments.clone(),
            is_dimension: construct.placement.is_dimension,
            is_loop_too: construct.placement.is_loop_too,
            versions: versions.collect(),
            lanes: construct.placement.lanes.clone(),
            arrays: arrays.collect(),
        }
    }
}

fn json_loop(host_loop: &HostLoop, source: &Source) -> JsonLoop {
    JsonLoop {
        function: host_loop.function.as_str().to_owned(),
        at: host_loop.span.map(|span| source.sources().describe(span)),
        constructs: host_loop.constructs.iter().map(|at| at + 1).collect(),
    }
}
