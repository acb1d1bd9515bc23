//! How constructs execute on a machine: the segments that they become, the rules of `flatten` that fired or did not
//! fire, and what the passes over kernel IR did with the arrays that the constructs produce and with their code.
//!
//! A segment carries only a source location. Several constructs may share one location: copies in both sides of a
//! branch, or the constructs of one library call. So the program is translated a second time, with a synthetic location
//! for each construct.

use std::collections::BTreeMap;

use ravel_abi::Machine;
use ravel_base::{Span, Symbol};
use ravel_core::visit::VisitMut;
use ravel_core::{Program as CoreProgram, Spans, Stm as CoreStm, Var};
use ravel_kernel::{Body, GridSegment, Host, Program, Stm, Target};
use ravel_passes::{Event, Refusal, memory};

use super::constructs::CoreConstruct;
use crate::pipeline::{Options, PassReport};
use crate::source::{Problems, Source};
use crate::stages;

/// How constructs execute.
pub struct Execution {
    /// For each construct, a description of its segments; empty for a nested construct.
    pub segments: Vec<Vec<String>>,
    /// The rules of `flatten` that fired, each at its construct, then the rules over kernel IR that fired: a memory rule
    /// at the construct that produces the array, another one at the construct that holds the statement.
    pub fired: Vec<Event>,
    /// The refusals of `flatten`, then for each construct the first refusal of a pass in [`EXPECTED`].
    pub refused: Vec<Event>,
}

/// The passes over kernel IR that a reader expects to fire: without them a loop allocates or copies an array in each
/// iteration. Refusals of other passes say what a reader expects, such as that an array has memory of its own.
const EXPECTED: [&str; 3] =
    [memory::copy_initial::PASS.name, memory::double_buffer::PASS.name, memory::hoist::PASS.name];

/// Translates an optimised program with these constructs to kernel IR, and reports how they execute.
pub fn execution(
    source: &Source,
    core: &CoreProgram,
    constructs: &[CoreConstruct<'_>],
    options: &Options,
    machine: Machine,
) -> Result<Execution, Problems> {
    // The first translation keeps the real locations, so that an error points to the right place in the source.
    let flat = stages::flatten(source, core.clone(), options, Target::of(machine), None)?;
    stages::kernelise(source, &flat, Target::of(machine))?;
    let number = |span: Option<Span>| {
        let numbers = 0..constructs.len();
        span.and_then(|span| numbers.into_iter().find(|&number| span == mark(source, number)))
    };
    let (mut fired, mut refused) = (Vec::new(), BTreeMap::new());
    let (mut placed, mut not_nested) = (Vec::new(), Vec::new());
    let flat = stages::flatten(
        source,
        marked(source, core, constructs),
        options,
        Target::of(machine),
        Some(&mut |report: PassReport| {
            for event in report.events {
                let Some(at) = number(event.origin.place()) else { continue };
                let events = if event.refused.is_none() { &mut placed } else { &mut not_nested };
                events.push(Event { origin: constructs[at].stm.origin.clone(), ..event });
            }
        }),
    )?;
    let marked = stages::kernelise(source, &flat, Target::of(machine))?;
    let mut watch = |report: PassReport<Program>| {
        for event in report.events {
            let Some(at) = number(event.origin.place()) else { continue };
            let origin = constructs[at].stm.origin.clone();
            let place = origin.place();
            match event.refused {
                None => fired.push(Event { origin, ..event }),
                Some(_) if !EXPECTED.contains(&report.pass.name) => {}
                Some(refusal) => {
                    let span = refusal.span.and(place);
                    let refused_here = Event { refused: Some(Refusal { span, ..refusal }), origin, ..event };
                    refused.entry(at).or_insert(refused_here);
                }
            }
        }
    };
    let kernel = stages::optimise_kernel(source, marked, &Options::default(), Some(&mut watch))?;
    let mut segments = vec![Vec::new(); constructs.len()];
    for segment in segments_of(&kernel) {
        if let (Some(at), Some(hint)) = (number(segment.span), segment.hint) {
            segments[at].push(hint.as_str().to_owned());
        }
    }
    placed.extend(fired);
    not_nested.extend(refused.into_values());
    Ok(Execution { segments, fired: placed, refused: not_nested })
}

/// The synthetic location of the construct with this number. It lies beyond the end of every file.
fn mark(source: &Source, number: usize) -> Span {
    Span::new(source.file(), u32::MAX as usize - number, 0)
}

/// The program with synthetic locations on its outermost constructs.
fn marked(source: &Source, core: &CoreProgram, constructs: &[CoreConstruct<'_>]) -> CoreProgram {
    struct Marks<'a> {
        source: &'a Source,
        numbers: BTreeMap<(Symbol, Var), usize>,
        function: Symbol,
    }
    impl VisitMut for Marks<'_> {
        fn var(&mut self, _: &mut Var) {}
        fn binder(&mut self, _: &mut Var) {}
        fn stm(&mut self, stm: &mut CoreStm) {
            let first = stm.binders.first();
            match first.and_then(|&first| self.numbers.get(&(self.function, first))) {
                Some(&number) => stm.origin.spans = Spans::at(mark(self.source, number)),
                None => self.exp(&mut stm.exp),
            }
        }
    }
    let outer = constructs.iter().enumerate().filter(|(_, construct)| construct.inside.is_none());
    let numbers =
        outer.filter_map(|(at, construct)| Some(((construct.function, *construct.stm.binders.first()?), at)));
    let mut marks = Marks { source, numbers: numbers.collect(), function: Symbol::from("") };
    let mut program = core.clone();
    for function in &mut program.functions {
        marks.function = function.name;
        marks.body(&mut function.body);
    }
    program
}

/// The segments of a program.
fn segments_of(program: &Program) -> Vec<&GridSegment> {
    fn collect<'a>(body: &'a Body<Host>, segments: &mut Vec<&'a GridSegment>) {
        for stm in &body.stms {
            match stm {
                Stm::Segment(segment) => segments.push(segment),
                Stm::If { then, otherwise, .. } => {
                    collect(then, segments);
                    collect(otherwise, segments);
                }
                Stm::Loop { body, .. } => collect(body, segments),
                _ => {}
            }
        }
    }
    let mut segments = Vec::new();
    program.host_functions.iter().for_each(|function| collect(&function.body, &mut segments));
    program.entries.iter().for_each(|entry| collect(&entry.body, &mut segments));
    segments
}
