//! Why an array is made: what needs it whole, or was not fused with what makes it.

use std::collections::BTreeMap;

use ravel_base::Span;
use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Function, Lambda, Sink, Source as Elements, Stm, StreamSink, Var};

use crate::source::Source;

/// Something that needs an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it is.
    pub who: String,
    /// What it does with the array.
    what: String,
    /// The positions of the constructs that it is, or that read what it gives.
    pub readers: Vec<usize>,
    /// Where in the constructs, if it is something inside.
    pub places: Vec<Span>,
    /// Does this say why a reader does not make the elements itself?
    pub is_reason: bool,
}

impl Need {
    /// What it is, and what it does with the array.
    pub fn told(&self) -> String {
        format!("{} {}", self.who, self.what)
    }

    /// All of these, each of what does several things with the array named once.
    pub fn all_told(needs: &[Need]) -> String {
        let mut told: Vec<(&str, Vec<&str>)> = Vec::new();
        for need in needs {
            match told.iter_mut().find(|(who, _)| *who == need.who) {
                Some((_, known)) => known.push(&need.what),
                None => told.push((&need.who, vec![&need.what])),
            }
        }
        let told: Vec<String> =
            told.into_iter().map(|(who, does)| format!("{who} {}", does.join(" and "))).collect();
        told.join(", and ")
    }
}

/// What needs an array of a function that is made at a place, each thing once; what is seen of it right there is the same
/// array. `numbers` says which construct makes a construct's first result.
pub fn of(
    function: &Function,
    (array, place): (Var, Option<Span>),
    numbers: &BTreeMap<Var, usize>,
    source: &Source,
) -> Vec<Need> {
    let search_for = |array| Search {
        array,
        made_at: place,
        numbers,
        source,
        around: None,
        inside: None,
        again: None,
        joined: Vec::new(),
        seen: Vec::new(),
        same: Vec::new(),
        found: Vec::new(),
    };
    let mut search = search_for(array);
    let mut same = vec![array];
    while let Some(array) = same.pop() {
        search.array = array;
        search.body(&function.body);
        if function.body.result.contains(&Atom::Var(array)) {
            search.tell("it".to_owned(), "is a result", false, None);
        }
        same.append(&mut search.same);
    }
    let mut pending = std::mem::take(&mut search.joined);
    while let Some((at, joined)) = pending.pop() {
        let mut readers = search_for(joined);
        readers.body(&function.body);
        let further = readers.joined.iter().map(|&(_, joined)| joined);
        let further = further.chain(readers.seen).chain(readers.same);
        pending.extend(further.map(|further| (at, further)));
        let readers = readers.found.into_iter().flat_map(|need| need.readers);
        search.found[at].readers.extend(readers);
    }
    search.found
}

struct Search<'a> {
    array: Var,
    numbers: &'a BTreeMap<Var, usize>,
    source: &'a Source,
    /// The place of the statement around.
    around: Option<Span>,
    /// The position of the construct around.
    inside: Option<usize>,
    /// What is done many times, between where the array is made and here.
    again: Option<String>,
    /// The arrays that it is joined to, each with the position of the need that says so.
    joined: Vec<(usize, Var)>,
    /// Where it is made.
    made_at: Option<Span>,
    /// What is seen of it, and what is seen of it where it is made.
    seen: Vec<Var>,
    same: Vec<Var>,
    found: Vec<Need>,
}

impl Search<'_> {
    fn tell(&mut self, who: String, what: &str, is_reason: bool, place: Option<Span>) {
        match self.found.iter_mut().find(|need| need.who == who && need.what == what) {
            Some(known) => known.places.extend(place),
            None => {
                let (readers, places) = (self.inside.into_iter().collect(), place.into_iter().collect());
                self.found.push(Need { who, what: what.to_owned(), readers, places, is_reason });
            }
        }
    }

    fn place(&self) -> String {
        self.around.map_or_else(String::new, |span| format!(" at {}", self.source.sources().describe(span)))
    }

    /// Something needs the array: the construct around, or what is no construct.
    fn needed(&mut self, what: &str, is_reason: bool) {
        self.tell(self.who(), what, is_reason, None);
    }

    /// Something inside of the construct around needs it, if there is one.
    fn needed_here(&mut self, what: &str) {
        self.tell(self.who(), what, true, self.around);
    }

    /// What is around is this construct, which may read the elements.
    fn construct(&mut self, stm: &Stm, reads: bool) {
        let number = stm.binders.first().and_then(|binder| self.numbers.get(binder)).copied();
        self.inside = number.or(self.inside);
        match self.again.take() {
            Some(again) if reads => {
                self.needed(&format!("reads it {again}, where it would be made again"), true)
            }
            None if reads => self.needed("reads it", false),
            _ => {}
        }
        self.again = number.map(|at| format!("at every point of construct {}", at + 1));
    }

    /// A statement sees it in another form, as the result at this position.
    fn seen(&mut self, stm: &Stm, result: usize) {
        if self.made_at.is_some() && stm.origin.place() == self.made_at {
            self.same.extend(stm.binders.get(result));
            return;
        }
        self.needed("sees it in another form", false);
        self.seen.extend(stm.binders.get(result));
    }

    fn sink(&mut self, sink: &Sink) {
        match sink {
            Sink::Write { target, .. } if *target == self.array => self.needed("writes into it", false),
            Sink::Combine { targets, .. } if targets.contains(&self.array) => {
                self.needed("combines into it", false);
            }
            Sink::Reduce { neutral, .. } | Sink::Combine { neutral, .. } => self.begins_with(neutral),
            Sink::Map | Sink::Write { .. } => {}
        }
    }

    fn begins_with(&mut self, values: &[Atom]) {
        if values.contains(&Atom::Var(self.array)) {
            self.needed("begins with it", false);
        }
    }

    fn who(&self) -> String {
        match self.inside {
            Some(at) => format!("construct {}", at + 1),
            None => format!("what stands{}", self.place()),
        }
    }
}

impl Visit for Search<'_> {
    fn var(&mut self, var: &Var) {
        if *var == self.array {
            self.needed_here("uses it as a whole");
        }
    }

    /// What is done again and again around the array makes it again too.
    fn binder(&mut self, binder: &Var) {
        if *binder == self.array {
            self.again = None;
        }
    }

    /// What a body inside gives leaves the statement around.
    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        let given = body.result.contains(&Atom::Var(self.array));
        if given && self.around.is_some() {
            self.needed("gives it", false);
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.body(&lambda.body);
    }

    fn stm(&mut self, stm: &Stm) {
        stm.binders.iter().for_each(|binder| self.binder(binder));
        let outer = (self.around, self.inside, self.again.clone());
        self.around = stm.origin.place();
        match &stm.exp {
            Exp::Index(array, _) if *array == self.array => self.needed_here("reads it at places of its own"),
            Exp::Slice(array, _) | Exp::Rearrange(array, _) | Exp::Reshape(array) if *array == self.array => {
                self.seen(stm, 0);
            }
            Exp::Assert { values, .. } if values.contains(&Atom::Var(self.array)) => {
                let at = values.iter().position(|&value| value == Atom::Var(self.array));
                self.seen(stm, at.unwrap_or_default());
            }
            Exp::Update { array, .. } if *array == self.array => self.needed("changes it in place", false),
            Exp::Copy(array) if *array == self.array => self.needed("copies it", false),
            Exp::Screma(screma) => {
                self.construct(stm, screma.sources.contains(&Elements::Array(self.array)));
                screma.sinks.iter().for_each(|sink| self.sink(sink));
                screma.scans.iter().for_each(|scan| self.begins_with(&scan.neutral));
                screma.lambdas().for_each(|lambda| self.lambda(lambda));
            }
            Exp::Stream(stream) => {
                self.construct(stm, stream.sources.contains(&self.array));
                for sink in &stream.sinks {
                    if let StreamSink::Reduce { neutral: Some(neutral), .. } = sink {
                        self.begins_with(neutral);
                    }
                }
                stream.lambdas().for_each(|lambda| self.lambda(lambda));
            }
            Exp::Concat(arrays) if arrays.contains(&self.array) => {
                self.needed("joins it with others, and no rule goes through that", true);
                let last = self.found.len() - 1;
                self.joined.extend(stm.binders.first().map(|&binder| (last, binder)));
            }
            Exp::Loop(looped) => {
                looped.params.iter().for_each(|&(_, first)| self.begins_with(&[first]));
                self.again = Some("in every round of a loop".to_owned());
                self.body(&looped.body);
            }
            exp => self.exp(exp),
        }
        (self.around, self.inside, self.again) = outer;
    }
}
