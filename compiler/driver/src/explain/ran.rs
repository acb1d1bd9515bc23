//! What becomes of constructs on a machine: the segments that they run as, and what the passes over memory did
//! with the arrays that they make.
//!
//! A segment knows of its construct nothing but the place, and several constructs may share that: what was moved
//! into both sides of a branch, what the library makes of one call. So the program is translated once more with a
//! place for each construct that is no place of the source.

use std::collections::BTreeMap;

use ravel_base::{Span, Symbol};
use ravel_core::visit::VisitMut;
use ravel_core::{Program as CoreProgram, Spans, Stm as CoreStm, Var};
use ravel_kernel::{Body, GridSegment, Host, Program, Stm};
use ravel_passes::{Event, Refusal, memory};

use super::found::Found;
use crate::dev::Machine;
use crate::pipeline::{Options, PassReport};
use crate::source::{Problems, Source};
use crate::stages;

/// What became of constructs.
pub struct Ran {
    /// What the segments of each do; none of those inside of others.
    pub segments: Vec<Vec<String>>,
    /// The rules that fired, at the construct of whose array it was done.
    pub fired: Vec<Event>,
    /// Those that did not: of each construct the first. Not that an array has memory of its own, which is what a
    /// reader expects, but that a loop makes one in each round.
    pub refused: Vec<Event>,
}

/// Translates a program in which these constructs are left.
pub fn ran(
    source: &Source,
    core: &CoreProgram,
    constructs: &[Found<'_>],
    machine: Machine,
) -> Result<Ran, Problems> {
    // What cannot be translated is told with its true place.
    stages::translated(source, core, machine.target())?;
    let marked = stages::translated(source, &marked(source, core, constructs), machine.target())?;
    let number = |span: Option<Span>| {
        let numbers = 0..constructs.len();
        span.and_then(|span| numbers.into_iter().find(|&number| span == mark(source, number)))
    };
    let (mut fired, mut refused) = (Vec::new(), BTreeMap::new());
    let mut watch = |report: PassReport<Program>| {
        for event in report.events {
            let Some(at) = number(event.origin.place()) else { continue };
            let origin = constructs[at].stm.origin.clone();
            let place = origin.place();
            match event.refused {
                None => fired.push(Event { origin, ..event }),
                Some(_) if report.pass.name == memory::reuse::PASS.name => {}
                Some(refusal) => {
                    let span = refusal.span.and(place);
                    let refused_here = Event { refused: Some(Refusal { span, ..refusal }), origin, ..event };
                    refused.entry(at).or_insert(refused_here);
                }
            }
        }
    };
    let kernel = stages::memory(source, marked, &Options::default(), machine.target(), Some(&mut watch))?;
    let mut segments = vec![Vec::new(); constructs.len()];
    for segment in segments_of(&kernel) {
        if let (Some(at), Some(hint)) = (number(segment.span), segment.hint) {
            segments[at].push(hint.as_str().to_owned());
        }
    }
    Ok(Ran { segments, fired, refused: refused.into_values().collect() })
}

/// The place that stands for the construct of this number: behind the end of every file.
fn mark(source: &Source, number: usize) -> Span {
    Span::new(source.file(), u32::MAX as usize - number, 0)
}

/// The program with the marks of those of its constructs that are not inside of others.
fn marked(source: &Source, core: &CoreProgram, constructs: &[Found<'_>]) -> CoreProgram {
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
    let outer = constructs.iter().enumerate().filter(|(_, found)| found.inside.is_none());
    let numbers = outer.filter_map(|(at, found)| Some(((found.function, *found.stm.binders.first()?), at)));
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
    fn body<'a>(inside: &'a Body<Host>, found: &mut Vec<&'a GridSegment>) {
        for stm in &inside.stms {
            match stm {
                Stm::Segment(segment) => found.push(segment),
                Stm::If { then, otherwise, .. } => {
                    body(then, found);
                    body(otherwise, found);
                }
                Stm::Loop { body: round, .. } => body(round, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    program.host_functions.iter().for_each(|function| body(&function.body, &mut found));
    program.entries.iter().for_each(|entry| body(&entry.body, &mut found));
    found
}
