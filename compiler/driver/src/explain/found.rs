//! The parallel constructs of a program in core IR, and what is told of each.

use std::collections::{BTreeMap, HashSet};

use ravel_base::{Span, Symbol};
use ravel_core::visit::Visit;
use ravel_core::{Exp, Function, Program as CoreProgram, Sink, Stm, StreamSink, Var};

use super::{Construct, needs};
use crate::source::Source;

/// A parallel construct of core IR.
pub struct Found<'a> {
    /// The function that it stands in.
    pub function: Symbol,
    /// It.
    pub stm: &'a Stm,
    /// The position of the construct around.
    pub inside: Option<usize>,
    /// The rules that fired on the branches around: they may have moved it there.
    around: Vec<&'static str>,
}

impl Found<'_> {
    /// Did this rule fire on it, or on a branch around?
    pub fn has(&self, rule: &str) -> bool {
        self.stm.origin.rules.iter().chain(&self.around).any(|fired| *fired == rule)
    }

    /// `screma { scan map map }`.
    pub fn form(&self) -> String {
        match &self.stm.exp {
            Exp::Screma(screma) => {
                let scans = screma.scans.iter().map(|_| "scan");
                let words: Vec<_> = scans.chain(screma.sinks.iter().map(word)).collect();
                format!("screma {{ {} }}", words.join(" "))
            }
            _ => "stream".to_owned(),
        }
    }

    /// What is told of it.
    pub fn told(
        &self,
        core: &CoreProgram,
        all: &[Found<'_>],
        segments: Vec<String>,
        source: &Source,
    ) -> Construct {
        let function = core.functions.iter().find(|function| function.name == self.function);
        let numbers: BTreeMap<Var, usize> = all
            .iter()
            .enumerate()
            .filter(|(_, found)| found.function == self.function)
            .filter_map(|(at, found)| Some((*found.stm.binders.first()?, at)))
            .collect();
        let arrays = function.map(|function| {
            let (memory, place) = (Memory::of(function), self.stm.origin.place());
            let told = |array| {
                let name = memory.names_of(place, array).find_map(|array| function.vars[array].hint);
                (name, needs::of(function, (array, place), &numbers, source))
            };
            made(self.stm, &memory).into_iter().map(told).collect()
        });
        Construct {
            function: self.function,
            span: self.stm.origin.place(),
            form: self.form(),
            inside: self.inside,
            segments,
            arrays: arrays.unwrap_or_default(),
        }
    }
}

/// The parallel constructs of a program, in order, those inside of others behind these.
pub fn constructs(program: &CoreProgram) -> Vec<Found<'_>> {
    struct Search<'a> {
        function: Symbol,
        inside: Option<usize>,
        around: Vec<&'static str>,
        found: Vec<Found<'a>>,
    }
    impl<'a> Search<'a> {
        fn body(&mut self, body: &'a ravel_core::Body) {
            for stm in &body.stms {
                let (outer, rules) = (self.inside, self.around.len());
                match stm.exp {
                    Exp::Screma(_) | Exp::Stream(_) => {
                        let (function, around) = (self.function, self.around.clone());
                        self.found.push(Found { function, stm, inside: outer, around });
                        self.inside = Some(self.found.len() - 1);
                    }
                    Exp::If { .. } => self.around.extend(&stm.origin.rules),
                    _ => {}
                }
                for inner in bodies(&stm.exp) {
                    self.body(inner);
                }
                self.inside = outer;
                self.around.truncate(rules);
            }
        }
    }
    let mut search =
        Search { function: Symbol::from(""), inside: None, around: Vec::new(), found: Vec::new() };
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
        Exp::Segment(segment) => segment.screma.lambdas().map(|lambda| &lambda.body).collect(),
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

/// The arrays that it makes: what it maps, and what it writes into memory that nothing else has written, as filters do.
fn made(stm: &Stm, memory: &Memory) -> Vec<Var> {
    let of_sink = |sink: &Sink| match sink {
        Sink::Map => true,
        Sink::Write { target, .. } => memory.scratches.contains(target),
        Sink::Reduce { .. } | Sink::Combine { .. } => false,
    };
    let sinks: Vec<(bool, usize)> = match &stm.exp {
        Exp::Screma(screma) => screma.sinks.iter().map(|sink| (of_sink(sink), sink.results())).collect(),
        Exp::Stream(stream) => {
            stream.sinks.iter().map(|sink| (*sink == StreamSink::Map, sink.arity())).collect()
        }
        _ => Vec::new(),
    };
    let makes = sinks.into_iter().flat_map(|(makes, results)| std::iter::repeat_n(makes, results));
    stm.binders.iter().zip(makes).filter(|(_, makes)| *makes).map(|(&binder, _)| binder).collect()
}

/// The memory of a function that only becomes arrays.
#[derive(Default)]
struct Memory {
    /// The arrays that have no elements yet.
    scratches: HashSet<Var>,
    /// What is seen of arrays in part, or with a size that was checked, and where.
    stretches: BTreeMap<Var, (Var, Option<Span>)>,
}

impl Memory {
    fn of(function: &Function) -> Memory {
        let mut memory = Memory::default();
        memory.body(&function.body);
        memory
    }

    /// An array that is made at a place, and what is seen of it right there, as filters see what they keep.
    fn names_of(&self, place: Option<Span>, array: Var) -> impl Iterator<Item = Var> {
        std::iter::successors(Some(array), move |array| {
            let (seen, _) = self.stretches.get(array).filter(|(_, seen_at)| *seen_at == place)?;
            Some(*seen)
        })
    }
}

impl Visit for Memory {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        let seen: Vec<Option<Var>> = match &stm.exp {
            Exp::Slice(array, _) => vec![Some(*array)],
            Exp::Assert { values, .. } => values.iter().map(|value| value.var()).collect(),
            _ => Vec::new(),
        };
        let stretches = seen.into_iter().zip(&stm.binders);
        let stretches = stretches.filter_map(|(array, &kept)| Some((array?, (kept, stm.origin.place()))));
        self.stretches.extend(stretches);
        if stm.exp == Exp::Scratch {
            self.scratches.extend(&stm.binders);
        }
        self.exp(&stm.exp);
    }
}
