//! The parallel constructs of a program in core IR, and what is told of each.

use std::collections::{BTreeMap, HashSet};

use ravel_base::Symbol;
use ravel_core::visit::Visit;
use ravel_core::{Exp, Function, Program as CoreProgram, Sink, Stm, Var};

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
        let arrays = function.into_iter().flat_map(|function| {
            let told = |array| (function.vars[array].hint, needs::of(function, array, &numbers, source));
            made(self.stm, &Scratches::of(function)).into_iter().map(told)
        });
        Construct {
            function: self.function,
            span: self.stm.origin.place(),
            form: self.form(),
            inside: self.inside,
            segments,
            arrays: arrays.collect(),
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
fn made(stm: &Stm, scratches: &Scratches) -> Vec<Var> {
    let Exp::Screma(screma) = &stm.exp else { return stm.binders.clone() };
    let mut at = 0;
    let mut arrays = Vec::new();
    for sink in &screma.sinks {
        let makes = match sink {
            Sink::Map => true,
            Sink::Write { target, .. } => scratches.0.contains(target),
            Sink::Reduce { .. } | Sink::Combine { .. } => false,
        };
        if makes {
            arrays.extend(stm.binders.get(at));
        }
        at += sink.results();
    }
    arrays
}

/// The arrays of a function that have no elements yet.
struct Scratches(HashSet<Var>);

impl Scratches {
    fn of(function: &Function) -> Scratches {
        let mut scratches = Scratches(HashSet::new());
        scratches.body(&function.body);
        scratches
    }
}

impl Visit for Scratches {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        if stm.exp == Exp::Scratch {
            self.0.extend(&stm.binders);
        }
        self.exp(&stm.exp);
    }
}
