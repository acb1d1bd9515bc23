//! What became of the parallel operators of a program: which rules fired on them, what stopped
//! others, and in which constructs and segments they ended.
//!
//! An operator is a place in the user's program from which lowering made parallel constructs; what
//! the prelude makes them of is told at the call, or where the program names it or gives it its first arguments. It
//! is found again by its place, which is part of the origin of all that passes make of it. A refusal counts if the
//! last run of its pass still refused the pair: what was fused in a later round was not stopped.

mod applied;
mod events;
mod found;
mod json;
mod needs;
mod ran;
mod text;
mod written;

use std::collections::{BTreeMap, HashSet};

use ravel_base::{Span, Symbol};
use ravel_passes::{Event, Refusal};

pub use needs::Need;

use crate::dev::Machine;
use crate::pipeline::{Options, PassReport, Passes};
use crate::source::{Problems, Source};
use crate::stages::{self, Front};
use written::Written;

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
    /// The part of that which is its own, and not what is piped into it.
    pub part: Span,
    /// What it is called in the source; `operator` where that cannot be told.
    pub name: String,
    /// The rules that fired on it, in order.
    pub fired: Vec<Fired>,
    /// The rules that did not fire on it and another operator, or on what it does inside.
    pub refused: Vec<(&'static str, Refusal)>,
    /// The positions of the constructs in which it ended.
    pub constructs: Vec<usize>,
    /// Why arrays between these constructs and others are made, where more is to be said than that they are read.
    pub kept: Vec<String>,
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
    pub arrays: Vec<(Option<Symbol>, Vec<Need>)>,
}

/// What became of the operators of a program on its way to a machine.
///
/// # Errors
/// What is wrong with the program, or what this compiler cannot do yet.
pub fn explain(source: &Source, options: &Options, machine: Machine) -> Result<Explanation, Problems> {
    let Front { typed, core: before } = stages::front(source, options)?;
    let mut fired: Vec<Event> = Vec::new();
    let mut refused: BTreeMap<&'static str, Vec<Vec<Event>>> = BTreeMap::new();
    let core = stages::passed(
        source,
        before.clone(),
        options,
        machine.target(),
        Some(&mut |report: PassReport| {
            let (no, yes): (Vec<_>, Vec<_>) =
                report.events.into_iter().partition(|event| event.refused.is_some());
            fired.extend(yes);
            refused.entry(report.pass.name).or_default().push(no);
        }),
    )?;
    let left = found::constructs(&core);
    let ran = ran::ran(source, &core, &left, machine)?;
    let (written, mut operators) = Written::of(&typed, &found::constructs(&before), source);
    let places = &written.places;
    // In the order of the pipeline.
    let refusals = Passes::all().core.into_iter().filter_map(|pass| refused.remove(pass.name));
    let refusals = events::refused(refusals.chain([vec![ran.refused]]), places);
    let [fired, ran_fired] = [events::distinct(fired), ran.fired]
        .map(|events| events.iter().map(|event| events::Firing::of(event, places)).collect::<Vec<_>>());
    let parts = written.parts(&left);
    for operator in &mut operators {
        let ended = (0..left.len()).filter(|&at| parts[at].contains(&operator.span));
        operator.constructs = ended.collect();
        let ended = || operator.constructs.iter().copied();
        let counts = |rule: &&'static str| ended().any(|at| left[at].has(rule));
        let fired = fired.iter().filter(|firing| counts(&firing.rule)).chain(&ran_fired);
        let is_copied = written.is_copied(operator.span);
        let partners: HashSet<Span> = ended().flat_map(|at| &parts[at]).copied().collect();
        operator.fired.extend(events::firings(operator.span, is_copied, &partners, fired));
        operator.refused = events::stopped(operator.span, is_copied, places, &refusals);
    }
    let constructs = left.iter().zip(ran.segments);
    let mut constructs: Vec<Construct> =
        constructs.map(|(found, segments)| found.told(&core, &left, segments, source)).collect();
    let names = text::Names::of(source, &operators);
    let refused = operators.iter_mut().flat_map(|operator| &mut operator.refused);
    refused.for_each(|(_, refusal)| names.keep_known(&mut refusal.name));
    let arrays = constructs.iter_mut().flat_map(|construct| &mut construct.arrays);
    arrays.for_each(|(name, _)| names.keep_known(name));
    let all: Vec<(Span, Vec<usize>)> =
        operators.iter().map(|operator| (operator.span, operator.constructs.clone())).collect();
    operators.iter_mut().for_each(|operator| operator.kept = text::kept(operator, &all, &constructs));
    Ok(Explanation { operators, constructs })
}
