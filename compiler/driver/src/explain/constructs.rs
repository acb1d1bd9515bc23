//! The parallel constructs of a program in core IR, and the description of each.

use std::collections::{BTreeMap, HashSet};

use ravel_base::{ConstructId, Span, Symbol};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Exp, Function, Program as CoreProgram, Sink, Stm, StreamSink, Var};

use super::{Construct, Placement, uses};
use crate::source::Source;

/// A parallel construct of core IR.
pub struct CoreConstruct<'a> {
    /// The function that contains it.
    pub function: Symbol,
    /// Its statement.
    pub stm: &'a Stm,
    /// The position of the enclosing construct.
    pub inside: Option<usize>,
    /// The rules that fired on the enclosing branches: they may have moved the construct into the branch.
    branch_rules: Vec<&'static str>,
}

impl CoreConstruct<'_> {
    /// Whether this rule fired on the construct or on an enclosing branch.
    pub fn has(&self, rule: &str) -> bool {
        self.stm.origin.rules.iter().chain(&self.branch_rules).any(|fired| *fired == rule)
    }

    /// The form of the construct, such as `screma { scan map map }`.
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

    /// The description of the construct for the report, given where it runs.
    pub fn describe(
        &self,
        core: &CoreProgram,
        all: &[CoreConstruct<'_>],
        placement: Placement,
        source: &Source,
    ) -> Construct {
        let function = core.functions.iter().find(|function| function.name == self.function);
        let numbers: BTreeMap<Var, usize> = all
            .iter()
            .enumerate()
            .filter(|(_, other)| other.function == self.function)
            .filter_map(|(at, other)| Some((*other.stm.binders.first()?, at)))
            .collect();
        let arrays = function.map(|function| {
            let (memory, place) = (Memory::of(function), self.stm.origin.place());
            let describe_array = |array| {
                let name = memory.names_of(place, array).find_map(|array| function.vars[array].hint);
                (name, uses::uses(function, (array, place), &numbers, source))
            };
            produced_arrays(self.stm, &memory).into_iter().map(describe_array).collect()
        });
        Construct {
            function: self.function,
            span: self.stm.origin.place(),
            form: self.form(),
            inside: self.inside,
            placement,
            arrays: arrays.unwrap_or_default(),
        }
    }
}

/// The parallel constructs of a program, in order; nested ones come after the construct that encloses them.
pub fn constructs(program: &CoreProgram) -> Vec<CoreConstruct<'_>> {
    struct Search<'a> {
        function: Symbol,
        inside: Option<usize>,
        branch_rules: Vec<&'static str>,
        constructs: Vec<CoreConstruct<'a>>,
    }
    impl<'a> Search<'a> {
        fn body(&mut self, body: &'a ravel_core::Body) {
            for stm in &body.stms {
                let (outer, rules) = (self.inside, self.branch_rules.len());
                match stm.exp {
                    Exp::Screma(_) | Exp::Stream(_) => {
                        let (function, branch_rules) = (self.function, self.branch_rules.clone());
                        self.constructs.push(CoreConstruct { function, stm, inside: outer, branch_rules });
                        self.inside = Some(self.constructs.len() - 1);
                    }
                    Exp::If { .. } => self.branch_rules.extend(&stm.origin.rules),
                    _ => {}
                }
                for inner in bodies(&stm.exp) {
                    self.body(inner);
                }
                self.inside = outer;
                self.branch_rules.truncate(rules);
            }
        }
    }
    let mut search =
        Search { function: Symbol::from(""), inside: None, branch_rules: Vec::new(), constructs: Vec::new() };
    for function in &program.functions {
        search.function = function.name;
        search.body(&function.body);
    }
    search.constructs
}

/// Numbers the parallel constructs of a program in the origins of their statements, and of the statements inside. The
/// passes that follow keep the numbers, so that each segment and event names its construct.
pub fn number(program: &mut CoreProgram) {
    #[derive(Default)]
    struct Numbers {
        next: u32,
        inside: Option<ConstructId>,
    }
    impl VisitMut for Numbers {
        fn var(&mut self, _: &mut Var) {}
        fn binder(&mut self, _: &mut Var) {}
        fn stm(&mut self, stm: &mut Stm) {
            let outer = self.inside;
            if let Exp::Screma(_) | Exp::Stream(_) = stm.exp {
                self.inside = Some(ConstructId(self.next));
                self.next += 1;
            }
            stm.origin.construct = self.inside;
            self.exp(&mut stm.exp);
            self.inside = outer;
        }
    }
    let mut numbers = Numbers::default();
    program.functions.iter_mut().for_each(|function| numbers.body(&mut function.body));
}

/// The bodies directly inside an expression.
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
        Sink::Concat { .. } => "concat",
        Sink::Reduce { .. } => "reduce",
        Sink::Write { .. } => "write",
        Sink::Combine { .. } => "combine",
    }
}

/// The arrays that a construct produces: results of maps, and scratch arrays that it writes, as filters do.
fn produced_arrays(stm: &Stm, memory: &Memory) -> Vec<Var> {
    let of_sink = |sink: &Sink| match sink {
        Sink::Map | Sink::Concat { .. } => true,
        Sink::Write { target, .. } => memory.scratch.contains(target),
        Sink::Reduce { .. } | Sink::Combine { .. } => false,
    };
    let sinks: Vec<(bool, usize)> = match &stm.exp {
        Exp::Screma(screma) => screma.sinks.iter().map(|sink| (of_sink(sink), sink.results())).collect(),
        Exp::Stream(stream) => {
            stream.sinks.iter().map(|sink| (*sink == StreamSink::Map, sink.arity())).collect()
        }
        _ => Vec::new(),
    };
    let produces = sinks.into_iter().flat_map(|(produces, results)| std::iter::repeat_n(produces, results));
    stm.binders.iter().zip(produces).filter(|(_, produces)| *produces).map(|(&binder, _)| binder).collect()
}

/// The scratch arrays and views of a function: an array that a filter produces is a slice of a scratch array.
#[derive(Default)]
struct Memory {
    /// The scratch arrays: allocated, without elements.
    scratch: HashSet<Var>,
    /// Per array, a slice of it or the same array after a size check, with the place of that view.
    views: BTreeMap<Var, (Var, Option<Span>)>,
}

impl Memory {
    fn of(function: &Function) -> Memory {
        let mut memory = Memory::default();
        memory.body(&function.body);
        memory
    }

    /// An array produced at a place, followed by its views at the same place: a filter slices off the elements it keeps.
    fn names_of(&self, place: Option<Span>, array: Var) -> impl Iterator<Item = Var> {
        std::iter::successors(Some(array), move |array| {
            let (view, _) = self.views.get(array).filter(|(_, viewed_at)| *viewed_at == place)?;
            Some(*view)
        })
    }
}

impl Visit for Memory {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        let viewed: Vec<Option<Var>> = match &stm.exp {
            Exp::Slice(array, _) => vec![Some(*array)],
            Exp::Assert { values, .. } => values.iter().map(|value| value.var()).collect(),
            _ => Vec::new(),
        };
        let views = viewed.into_iter().zip(&stm.binders);
        let views = views.filter_map(|(array, &view)| Some((array?, (view, stm.origin.place()))));
        self.views.extend(views);
        if stm.exp == Exp::Scratch {
            self.scratch.extend(&stm.binders);
        }
        self.exp(&stm.exp);
    }
}
