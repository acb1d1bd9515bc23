//! What became of the parallel operators of a program: which rules fired on them, what stopped
//! others, and in which constructs and segments they ended.
//!
//! An operator is a place in the user's program from which lowering made parallel constructs; what
//! the library makes them of is told at the call. It is found again by its place, which is part of the origin
//! of all that passes make of it. A refusal counts if the last run of its pass still said it: what was
//! fused in a later round was not stopped.

mod json;
mod needs;
mod text;

use std::collections::BTreeMap;

use ravel_base::{Span, Symbol};
use ravel_core::{Exp, Program as CoreProgram, Sink, Stm, Var};
use ravel_kernel::{Body, GridSegment, Host};
use ravel_passes::{Event, Refusal};

use crate::dev::Machine;
use crate::pipeline::{Options, PassReport};
use crate::source::{Problems, Source};
use crate::stages;

/// What became of a program.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The operators, in the order of the source.
    pub operators: Vec<Operator>,
    /// The constructs that are left, in the order of the optimised program.
    pub constructs: Vec<Construct>,
}

/// A parallel operator of the source.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Where it is written.
    pub span: Span,
    /// What it is called in the source; where that cannot be told, what lowering made of it.
    pub name: String,
    /// The rules that fired on it, in order.
    pub fired: Vec<Fired>,
    /// The rules that did not fire on it and another operator, or on what it does inside.
    pub refused: Vec<(&'static str, Refusal)>,
    /// The positions of the constructs in which it ended.
    pub constructs: Vec<usize>,
}

/// A rule that fired on an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fired {
    /// The rule.
    pub rule: &'static str,
    /// The other operators that it made one with this one.
    pub others: Vec<Span>,
}

/// A parallel construct of the optimised program.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The function that it stands in.
    pub function: Symbol,
    /// Its main place.
    pub span: Option<Span>,
    /// What it does with its elements: `screma` with its scans and sinks, or `stream`.
    pub form: String,
    /// The position of the construct whose points each do all of this one.
    pub inside: Option<usize>,
    /// What its segments do, if it has its own.
    pub segments: Vec<String>,
    /// The arrays that it makes, and what each is needed for.
    pub arrays: Vec<(Option<Symbol>, Vec<String>)>,
}

/// What became of the operators of a program on its way to a machine.
///
/// # Errors
/// What is wrong with the program, or what this compiler cannot do yet.
pub fn explain(source: &Source, options: &Options, machine: Machine) -> Result<Explanation, Problems> {
    let before = stages::unoptimised(source, options)?;
    let mut fired: Vec<Event> = Vec::new();
    let mut refused: BTreeMap<&'static str, Vec<Event>> = BTreeMap::new();
    let core =
        stages::passed(source, before.clone(), options, machine.target(), &mut |report: PassReport| {
            let (no, yes): (Vec<_>, Vec<_>) =
                report.events.into_iter().partition(|event| event.refused.is_some());
            fired.extend(yes);
            refused.insert(report.pass.name, no);
        })?;
    let kernel = stages::kernel(source, &core, machine.target())?.into_program();
    let left = constructs(&core);
    let mut operators: Vec<Operator> = Vec::new();
    for construct in constructs(&before) {
        let Some(span) = construct.stm.origin.place() else { continue };
        if operators.iter().all(|operator| operator.span != span) {
            let name = text::called(source, span).unwrap_or_else(|| form(construct.stm));
            let by_lowering = construct.stm.origin.rules.iter();
            operators.push(Operator {
                span,
                name,
                fired: by_lowering.map(|&rule| Fired { rule, others: Vec::new() }).collect(),
                refused: Vec::new(),
                constructs: Vec::new(),
            });
        }
    }
    operators.sort_by_key(|operator| operator.span);
    let places: Vec<Span> = operators.iter().map(|operator| operator.span).collect();
    // In the order of the pipeline.
    let refusals =
        crate::pipeline::Passes::all().core.into_iter().filter_map(|pass| refused.remove(pass.name));
    let refusals: Vec<Event> = refusals.flatten().collect();
    for operator in &mut operators {
        let ended =
            left.iter().enumerate().filter(|(_, found)| found.stm.origin.spans.contains(&operator.span));
        let ended: Vec<_> = ended.collect();
        operator.constructs = ended.iter().map(|(at, _)| *at).collect();
        let counts =
            |rule: &&'static str| ended.iter().any(|(_, found)| found.stm.origin.rules.contains(rule));
        let fired = fired.iter().filter(|event| counts(&event.rule));
        operator.fired.extend(firings(operator.span, &places, fired));
        operator.refused = stopped(operator.span, &places, &refusals);
    }
    let segments = segments(&kernel);
    let constructs = left.iter().map(|found| found.told(&core, &left, &segments, source)).collect();
    Ok(Explanation { operators, constructs })
}

/// The rules among these events that fired at a place, each once, with the operators that it was the
/// first to join with the one there.
fn firings<'e>(span: Span, places: &[Span], events: impl Iterator<Item = &'e Event>) -> Vec<Fired> {
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

/// The refusals between the operator at a place and others, of each other the first: what stands in
/// the way of fusing them at all. Those between it and what is no operator, as a view or a branch. And those about
/// no other, also about what no operator inside of this one does.
fn stopped(span: Span, places: &[Span], events: &[Event]) -> Vec<(&'static str, Refusal)> {
    let mut refused: Vec<(&'static str, Refusal)> = Vec::new();
    for event in events {
        let (Some(refusal), Some(place)) = (event.refused, event.origin.place()) else { continue };
        let no_operator = refusal.other == Some(span) && !places.contains(&place);
        let refusal = Refusal { other: refusal.other.filter(|_| !no_operator), ..refusal };
        let new = match refusal.other {
            Some(other) => {
                let elsewhere = place == span && other != span && places.contains(&other);
                elsewhere && refused.iter().all(|(_, known)| known.other != refusal.other)
            }
            None => {
                let here = no_operator || innermost(place, places) == Some(span);
                here && !refused.contains(&(event.rule, refusal))
            }
        };
        if new {
            refused.push((event.rule, refusal));
        }
    }
    refused
}

/// The smallest of these places around another one.
fn innermost(place: Span, places: &[Span]) -> Option<Span> {
    let around =
        |outer: &&Span| outer.file == place.file && outer.start <= place.start && place.end <= outer.end;
    places.iter().filter(around).min_by_key(|outer| outer.end - outer.start).copied()
}

/// A parallel construct of core IR.
struct Found<'a> {
    function: Symbol,
    stm: &'a Stm,
    inside: Option<usize>,
}

impl Found<'_> {
    fn told(
        &self,
        core: &CoreProgram,
        all: &[Found<'_>],
        segments: &[&GridSegment],
        source: &Source,
    ) -> Construct {
        let span = self.stm.origin.place();
        let own = segments.iter().filter(|segment| self.inside.is_none() && segment.span == span);
        let words = own.filter_map(|segment| segment.hint.map(|hint| hint.as_str().to_owned()));
        let function = core.functions.iter().find(|function| function.name == self.function);
        let numbers: BTreeMap<Var, usize> = all
            .iter()
            .enumerate()
            .filter_map(|(at, found)| Some((*found.stm.binders.first()?, at)))
            .collect();
        let arrays = mapped(self.stm).into_iter().filter_map(|array| {
            let function = function?;
            Some((function.vars[array].hint, needs::of(function, array, &numbers, source)))
        });
        Construct {
            function: self.function,
            span,
            form: form(self.stm),
            inside: self.inside,
            segments: words.collect(),
            arrays: arrays.collect(),
        }
    }
}

/// The parallel constructs of a program, in order, those inside of others behind these.
fn constructs(program: &CoreProgram) -> Vec<Found<'_>> {
    struct Search<'a> {
        function: Symbol,
        around: Option<usize>,
        found: Vec<Found<'a>>,
    }
    impl<'a> Search<'a> {
        fn body(&mut self, body: &'a ravel_core::Body) {
            for stm in &body.stms {
                let parallel = matches!(stm.exp, Exp::Screma(_) | Exp::Stream(_));
                let outer = self.around;
                if parallel {
                    self.found.push(Found { function: self.function, stm, inside: outer });
                    self.around = Some(self.found.len() - 1);
                }
                for inner in bodies(&stm.exp) {
                    self.body(inner);
                }
                self.around = outer;
            }
        }
    }
    let mut search = Search { function: Symbol::from(""), around: None, found: Vec::new() };
    for function in &program.functions {
        search.function = function.name;
        search.body(&function.body);
    }
    search.found
}

/// The bodies directly inside of an expression.
fn bodies(exp: &Exp) -> Vec<&ravel_core::Body> {
    match exp {
        Exp::If { then, otherwise, .. } => vec![then, otherwise],
        Exp::Loop(looped) => vec![&looped.body],
        Exp::Screma(screma) => screma.lambdas().map(|lambda| &lambda.body).collect(),
        Exp::Stream(stream) => stream.lambdas().map(|lambda| &lambda.body).collect(),
        _ => Vec::new(),
    }
}

fn word(sink: &Sink) -> &'static str {
    match sink {
        Sink::Map => "map",
        Sink::Reduce { .. } => "reduce",
        Sink::Write { .. } => "write",
        Sink::Combine { .. } => "combine",
    }
}

/// `screma { scan map map }`.
fn form(stm: &Stm) -> String {
    match &stm.exp {
        Exp::Screma(screma) => {
            let scans = screma.scans.iter().map(|_| "scan");
            let words: Vec<_> = scans.chain(screma.sinks.iter().map(word)).collect();
            format!("screma {{ {} }}", words.join(" "))
        }
        _ => "stream".to_owned(),
    }
}

/// The arrays that map sinks make.
fn mapped(stm: &Stm) -> Vec<Var> {
    let Exp::Screma(screma) = &stm.exp else { return stm.binders.clone() };
    let mut at = 0;
    let mut arrays = Vec::new();
    for sink in &screma.sinks {
        if *sink == Sink::Map {
            arrays.extend(stm.binders.get(at));
        }
        at += sink.results();
    }
    arrays
}

/// The segments of a program.
fn segments(program: &ravel_kernel::Program) -> Vec<&GridSegment> {
    fn body<'a>(inside: &'a Body<Host>, found: &mut Vec<&'a GridSegment>) {
        for stm in &inside.stms {
            match stm {
                ravel_kernel::Stm::Segment(segment) => found.push(segment),
                ravel_kernel::Stm::If { then, otherwise, .. } => {
                    body(then, found);
                    body(otherwise, found);
                }
                ravel_kernel::Stm::Loop { body: round, .. } => body(round, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    program.host_functions.iter().for_each(|function| body(&function.body, &mut found));
    program.entries.iter().for_each(|entry| body(&entry.body, &mut found));
    found
}
