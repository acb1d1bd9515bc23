//! Explains what the compiler did with each parallel operator: the rules that fired on it, the premises that stopped
//! other rules, and the constructs and segments of which it became part.
//!
//! An operator is a place in the user's program from which lowering generated parallel constructs. A construct of a
//! prelude function belongs to the place of the call, or to the place where the program names the function or gives it
//! its first arguments. Passes keep this place in the origins of all statements that they derive from the construct,
//! which is how an operator is found in the optimised program. A refusal counts only if the last run
//! of its pass refuses too, because what stood in the way in an earlier run may have been fused since then.

mod constructs;
mod events;
mod execution;
mod host_loops;
mod json;
mod operator_names;
mod operators;
mod text;
mod uses;

use std::collections::{BTreeMap, HashSet};

use ravel_abi::{Machine, VersionCounts, Versions};
use ravel_base::{Span, Symbol};
use ravel_kernel::Target;
use ravel_passes::{Event, Refusal};

pub use uses::Use;

use crate::pipeline::{Options, PassReport, Passes};
use crate::source::{Problems, Source};
use crate::stages::{self, FrontEnd};
use constructs::CoreConstruct;
use operators::Operators;

pub use execution::Placement;

/// The report on a program.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The operators, in the order of the source.
    pub operators: Vec<Operator>,
    /// The constructs of the optimised program, in its order.
    pub constructs: Vec<Construct>,
    /// The loops of the optimised program that run on the host and contain constructs, in the order of the program.
    pub loops: Vec<HostLoop>,
    /// Which versions ran, if the program has been run.
    pub ran: Option<Vec<VersionCounts>>,
}

/// A parallel operator of the source.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its place in the source.
    pub span: Span,
    /// The operator's place without the left side of a pipe: `g` in `xs |> f |> g`.
    pub without_pipe: Span,
    /// Its name in the source, or `operator` if it has none.
    pub name: String,
    /// The rules that fired on it, in order.
    pub fired: Vec<FiredRule>,
    /// The rules that a premise stopped, with the refusals: on this operator and another operator or statement, or on a
    /// statement inside it.
    pub refused: Vec<(&'static str, Refusal)>,
    /// The positions of the constructs of which it became part.
    pub constructs: Vec<usize>,
    /// The reasons why the arrays that these constructs read are materialised, except the read itself. If no rule fired or
    /// was stopped on the operator, also the reasons for the arrays that they produce.
    pub materialised: Vec<String>,
}

/// A rule that fired on an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredRule {
    /// The rule.
    pub rule: &'static str,
    /// The other operators that it merged with this one.
    pub others: Vec<Span>,
}

/// A parallel construct of the optimised program.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The function that contains it.
    pub function: Symbol,
    /// Its main place.
    pub span: Option<Span>,
    /// Its form: `screma` with its scans and sinks, or `stream`.
    pub form: String,
    /// The position of the enclosing construct, each point of which executes this one completely.
    pub inside: Option<usize>,
    /// Where it runs.
    pub placement: Placement,
    /// The arrays that it produces, with the uses of each.
    pub arrays: Vec<(Option<Symbol>, Vec<Use>)>,
}

/// A loop of host code. Each iteration starts the segments of the constructs in it.
#[derive(Clone, Debug)]
pub struct HostLoop {
    /// The function that contains it.
    pub function: Symbol,
    /// Its main place.
    pub span: Option<Span>,
    /// The positions of the outermost constructs in it, at least one of which has a segment.
    pub constructs: Vec<usize>,
}

/// Compiles a program for a machine and reports on its operators.
///
/// # Errors
/// Errors in the program, or limitations of this compiler.
pub fn explain(source: &Source, options: &Options, machine: Machine) -> Result<Explanation, Problems> {
    let FrontEnd { typed, core: before } = stages::front_end(source, options)?;
    let mut fired: Vec<Event> = Vec::new();
    let mut refused: BTreeMap<&'static str, Vec<Vec<Event>>> = BTreeMap::new();
    let mut core = stages::optimise(
        source,
        before.clone(),
        options,
        Target::of(machine),
        Some(&mut |report: PassReport| {
            let (refusals, firings): (Vec<_>, Vec<_>) =
                report.events.into_iter().partition(|event| event.refused.is_some());
            fired.extend(firings);
            refused.entry(report.pass.name).or_default().push(refusals);
        }),
    )?;
    constructs::number(&mut core);
    let optimised = constructs::constructs(&core);
    let execution = execution::execution(source, &core, &optimised, options, machine)?;
    let (source_operators, mut operators) = Operators::of(&typed, &constructs::constructs(&before), source);
    let places = &source_operators.places;
    // In the order of the pipeline.
    let refusals = Passes::all().core.into_iter().filter_map(|pass| refused.remove(pass.name));
    let refusals = events::refusals(refusals.chain([vec![execution.refused]]), places);
    let [fired, memory_fired] = [events::distinct(fired), execution.fired]
        .map(|events| events.iter().map(|event| events::Firing::of(event, places)).collect::<Vec<_>>());
    let fused = source_operators.fused_operators(&optimised);
    for operator in &mut operators {
        let constructs = (0..optimised.len()).filter(|&at| fused[at].contains(&operator.span));
        operator.constructs = constructs.collect();
        let constructs = || operator.constructs.iter().copied();
        let counts = |rule: &&'static str| {
            *rule == ravel_passes::fuse::reads::RULE || constructs().any(|at| optimised[at].has(rule))
        };
        let fired = fired.iter().filter(|firing| counts(&firing.rule)).chain(&memory_fired);
        let is_copied = source_operators.is_copied(operator.span);
        let partners: HashSet<Span> = constructs().flat_map(|at| &fused[at]).copied().collect();
        operator.fired.extend(events::firings_on(operator.span, is_copied, &partners, fired));
        operator.refused = events::refusals_on(operator.span, is_copied, places, &refusals);
    }
    let constructs = optimised.iter().zip(execution.placements);
    let describe = |(construct, placement): (&CoreConstruct<'_>, Placement)| {
        construct.describe(&core, &optimised, placement, source)
    };
    let mut constructs: Vec<Construct> = constructs.map(describe).collect();
    let loops = host_loops::host_loops(&core, &optimised, &constructs);
    let words = text::SourceWords::of(source, &operators);
    let refused = operators.iter_mut().flat_map(|operator| &mut operator.refused);
    refused.for_each(|(_, refusal)| words.keep_known(&mut refusal.name));
    let arrays = constructs.iter_mut().flat_map(|construct| &mut construct.arrays);
    arrays.for_each(|(name, _)| words.keep_known(name));
    let all: Vec<(Span, Vec<usize>)> =
        operators.iter().map(|operator| (operator.span, operator.constructs.clone())).collect();
    for operator in &mut operators {
        operator.materialised = text::materialised(operator, &all, &constructs);
    }
    Ok(Explanation { operators, constructs, loops, ran: None })
}

impl Explanation {
    /// How often each of two versions ran, in all copies of the code. `None` if the program has not been run.
    fn counts(&self, versions: &Versions) -> Option<[u64; 2]> {
        let counts = self.ran.as_ref()?.iter().filter(|counts| counts.versions == *versions);
        let counts = counts.map(|counts| counts.counts);
        Some(counts.fold([0, 0], |[a, b], [first, second]| [a + first, b + second]))
    }
}
