//! The reasons why an array is materialised: some consumers need it in memory, and others were not fused with its
//! producer.

use std::collections::BTreeMap;

use ravel_base::Span;
use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Function, Lambda, Sink, Source as Elements, Stm, StreamSink, Var};

use crate::source::Source;

/// A use of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The construct or expression that uses the array.
    pub consumer: String,
    /// The verb phrase: what the consumer does with the array.
    action: String,
    /// The positions of the constructs that read the array, directly or through a concatenation.
    pub readers: Vec<usize>,
    /// The places of the individual uses, where they are known.
    pub places: Vec<Span>,
    /// Whether the action explains why the consumer was not fused with the producer.
    pub is_reason: bool,
}

impl Use {
    /// `construct 2 reads it`.
    pub fn sentence(&self) -> String {
        format!("{} {}", self.consumer, self.action)
    }

    /// Joins the sentences of several uses into one that names each consumer once.
    pub fn joined_sentence(uses: &[Use]) -> String {
        let mut actions: Vec<(&str, Vec<&str>)> = Vec::new();
        for array_use in uses {
            match actions.iter_mut().find(|(consumer, _)| *consumer == array_use.consumer) {
                Some((_, known)) => known.push(&array_use.action),
                None => actions.push((&array_use.consumer, vec![&array_use.action])),
            }
        }
        let sentences =
            actions.into_iter().map(|(consumer, actions)| format!("{consumer} {}", actions.join(" and ")));
        sentences.collect::<Vec<_>>().join(", and ")
    }
}

/// The uses of an array that a function produces at a place, each once. A view created at the same place counts as the
/// array itself. `numbers` maps the first result of each construct to the construct's position.
pub fn uses(
    function: &Function,
    (array, place): (Var, Option<Span>),
    numbers: &BTreeMap<Var, usize>,
    source: &Source,
) -> Vec<Use> {
    let search_for = |array| Search {
        array,
        produced_at: place,
        numbers,
        source,
        statement_place: None,
        construct: None,
        repetition: None,
        concatenations: Vec::new(),
        views: Vec::new(),
        aliases: Vec::new(),
        uses: Vec::new(),
    };
    let mut search = search_for(array);
    let mut aliases = vec![array];
    while let Some(array) = aliases.pop() {
        search.array = array;
        search.body(&function.body);
        if function.body.result.contains(&Atom::Var(array)) {
            search.add("it".to_owned(), "is a result", false, None);
        }
        aliases.append(&mut search.aliases);
    }
    let mut pending = std::mem::take(&mut search.concatenations);
    while let Some((at, concatenation)) = pending.pop() {
        let mut readers = search_for(concatenation);
        readers.body(&function.body);
        let further = readers.concatenations.iter().map(|&(_, further)| further);
        let further = further.chain(readers.views).chain(readers.aliases);
        pending.extend(further.map(|further| (at, further)));
        let readers = readers.uses.into_iter().flat_map(|array_use| array_use.readers);
        search.uses[at].readers.extend(readers);
    }
    search.uses
}

struct Search<'a> {
    array: Var,
    numbers: &'a BTreeMap<Var, usize>,
    source: &'a Source,
    /// The place of the enclosing statement.
    statement_place: Option<Span>,
    /// The position of the enclosing construct.
    construct: Option<usize>,
    /// The innermost loop or construct that executes the current statement many times, but the producer once.
    repetition: Option<String>,
    /// The concatenations that contain the array, each with the position in `uses` of the use that reports it.
    concatenations: Vec<(usize, Var)>,
    /// The place where the array is produced.
    produced_at: Option<Span>,
    /// Views of the array that are created elsewhere.
    views: Vec<Var>,
    /// Views of the array that are created at the place where it is produced.
    aliases: Vec<Var>,
    uses: Vec<Use>,
}

impl Search<'_> {
    /// Adds a use and returns its position. If an equal use exists, only the place is added to it.
    fn add(&mut self, consumer: String, action: &str, is_reason: bool, place: Option<Span>) -> usize {
        let same = |known: &Use| known.consumer == consumer && known.action == action;
        if let Some(at) = self.uses.iter().position(same) {
            self.uses[at].places.extend(place);
            return at;
        }
        let (readers, places) = (self.construct.into_iter().collect(), place.into_iter().collect());
        self.uses.push(Use { consumer, action: action.to_owned(), readers, places, is_reason });
        self.uses.len() - 1
    }

    /// A use by the enclosing construct or, outside constructs, by the enclosing statement.
    fn record_use(&mut self, action: &str, is_reason: bool) {
        self.add(self.consumer(), action, is_reason, None);
    }

    /// A use by the enclosing statement that is a reason against fusion, at the statement's place.
    fn record_use_here(&mut self, action: &str) {
        self.add(self.consumer(), action, true, self.statement_place);
    }

    /// Enters a construct; `reads` says whether the array is one of its sources.
    fn construct(&mut self, stm: &Stm, reads: bool) {
        let number = stm.binders.first().and_then(|binder| self.numbers.get(binder)).copied();
        self.construct = number.or(self.construct);
        match self.repetition.take() {
            Some(repetition) if reads => {
                self.record_use(&format!("reads it {repetition}, where fusion would recompute it"), true);
            }
            None if reads => self.record_use("reads it", false),
            _ => {}
        }
        self.repetition = number.map(|at| format!("at every point of construct {}", at + 1));
    }

    /// Handles a statement whose result at this position is a view of the array.
    fn view(&mut self, stm: &Stm, result: usize) {
        if self.produced_at.is_some() && stm.origin.place() == self.produced_at {
            self.aliases.extend(stm.binders.get(result));
            return;
        }
        self.record_use("reads it through a view", false);
        self.views.extend(stm.binders.get(result));
    }

    fn sink(&mut self, sink: &Sink) {
        match sink {
            Sink::Write { target, .. } if *target == self.array => self.record_use("writes into it", false),
            Sink::Combine { targets, .. } if targets.contains(&self.array) => {
                self.record_use("combines into it", false);
            }
            Sink::Reduce { neutral, .. } | Sink::Combine { neutral, .. } => self.initial_values(neutral),
            Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => {}
        }
    }

    fn initial_values(&mut self, values: &[Atom]) {
        if values.contains(&Atom::Var(self.array)) {
            self.record_use("takes it as initial value", false);
        }
    }

    fn consumer(&self) -> String {
        match (self.construct, self.statement_place) {
            (Some(at), _) => format!("construct {}", at + 1),
            (None, Some(span)) => format!("the expression at {}", self.source.sources().describe(span)),
            (None, None) => "another expression".to_owned(),
        }
    }
}

impl Visit for Search<'_> {
    fn var(&mut self, var: &Var) {
        if *var == self.array {
            self.record_use_here("uses it as a whole");
        }
    }

    /// A loop or construct around the producer repeats the producer too, so that fusion would recompute nothing.
    fn binder(&mut self, binder: &Var) {
        if *binder == self.array {
            self.repetition = None;
        }
    }

    /// The result of a nested body is a result of the enclosing statement.
    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        let is_result = body.result.contains(&Atom::Var(self.array));
        if is_result && self.statement_place.is_some() {
            self.record_use("returns it", false);
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.body(&lambda.body);
    }

    fn stm(&mut self, stm: &Stm) {
        stm.binders.iter().for_each(|binder| self.binder(binder));
        let outer = (self.statement_place, self.construct, self.repetition.clone());
        self.statement_place = stm.origin.place();
        match &stm.exp {
            Exp::Index(array, _) if *array == self.array => {
                self.record_use_here("reads it at computed indices")
            }
            Exp::Slice(array, _) | Exp::Rearrange(array, _) | Exp::Reshape(array) if *array == self.array => {
                self.view(stm, 0);
            }
            Exp::Assert { values, .. } if values.contains(&Atom::Var(self.array)) => {
                let at = values.iter().position(|&value| value == Atom::Var(self.array));
                at.into_iter().for_each(|at| self.view(stm, at));
            }
            Exp::Update { array, .. } if *array == self.array => {
                self.record_use("updates it in place", false)
            }
            Exp::Copy(array) if *array == self.array => self.record_use("copies it", false),
            Exp::Manifest(_, array, _) if *array == self.array => {
                self.record_use("copies it into another layout", false)
            }
            Exp::Screma(screma) => {
                self.construct(stm, screma.sources.contains(&Elements::Array(self.array)));
                screma.sinks.iter().for_each(|sink| self.sink(sink));
                screma.scans.iter().for_each(|scan| self.initial_values(&scan.neutral));
                screma.lambdas().for_each(|lambda| self.lambda(lambda));
            }
            Exp::Stream(stream) => {
                self.construct(stm, stream.sources.contains(&self.array));
                for sink in &stream.sinks {
                    if let StreamSink::Reduce { neutral: Some(neutral), .. } = sink {
                        self.initial_values(neutral);
                    }
                }
                stream.lambdas().for_each(|lambda| self.lambda(lambda));
            }
            Exp::Concat(arrays) if arrays.contains(&self.array) => {
                let action = "concatenates it, and no rule fuses through a concat";
                let at = self.add(self.consumer(), action, true, None);
                self.concatenations.extend(stm.binders.first().map(|&binder| (at, binder)));
            }
            Exp::Loop(looped) => {
                looped.params.iter().for_each(|&(_, first)| self.initial_values(&[first]));
                self.repetition = Some("in every iteration of a loop".to_owned());
                self.body(&looped.body);
            }
            exp => self.exp(exp),
        }
        (self.statement_place, self.construct, self.repetition) = outer;
    }
}
