//! A statement in the graph, with what it uses, reads and consumes, and the places of its uses.

use std::collections::BTreeSet;

use ravel_base::{Span, Symbol};
use ravel_core::alias::{Places, consumed_by};
use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Exp, Lambda, Screma, Sink, Stm, Stream, Var, VarTable, exp_without_bodies, free_in_stm,
};

use super::Facts;
use crate::Refusal;
use crate::fuse::{INDEPENDENT, TARGET_NOT_READ};

/// A statement with its uses and effects.
pub struct Node {
    /// The statement.
    pub stm: Stm,
    /// Statements that stay directly before and directly after it.
    pub(super) attached: [Vec<Stm>; 2],
    /// Its number in the graph.
    pub(super) number: Option<usize>,
    /// The variables that it uses, also in types.
    pub uses: BTreeSet<Var>,
    /// The memory that it may read or consume.
    pub reads: Places,
    /// The memory that it consumes, nested statements included.
    pub consumes: Places,
}

impl Node {
    /// The node of a statement.
    pub fn of(vars: &VarTable, facts: &Facts, stm: Stm) -> Node {
        let uses = free_in_stm(vars, &stm);
        let memory = |&var: &Var| facts.aliases.memory(facts.aliases.places(var));
        let reads = uses.iter().flat_map(memory).collect();
        let mut consumed = ConsumedMemory { facts, places: Places::new() };
        consumed.exp(&stm.exp);
        Node { uses, reads, consumes: consumed.places, stm, attached: Default::default(), number: None }
    }

    /// The same node with other statements directly before and after it.
    pub fn with_attached(self, vars: &VarTable, facts: &Facts, before: Vec<Stm>, after: Vec<Stm>) -> Node {
        let mut node = self;
        for stm in before.iter().chain(&after) {
            let other = Node::of(vars, facts, stm.clone());
            node.uses.extend(other.uses);
            node.reads.extend(other.reads);
            node.consumes.extend(other.consumes);
        }
        node.attached = [before, after];
        let binders: Vec<Var> = node.binders().collect();
        binders.iter().for_each(|binder| _ = node.uses.remove(binder));
        node
    }

    /// The variables that the statement, and the statements attached to it, bind.
    pub fn binders(&self) -> impl Iterator<Item = Var> {
        self.stms().flat_map(|stm| &stm.binders).copied()
    }

    fn stms(&self) -> impl Iterator<Item = &Stm> {
        let [before, after] = &self.attached;
        before.iter().chain([&self.stm]).chain(after)
    }

    /// The screma, if it is one.
    pub fn screma(&self) -> Option<&Screma> {
        match &self.stm.exp {
            Exp::Screma(screma) => Some(screma),
            _ => None,
        }
    }

    /// The stream, if it is one.
    pub fn stream(&self) -> Option<&Stream> {
        match &self.stm.exp {
            Exp::Stream(stream) => Some(stream),
            _ => None,
        }
    }

    /// The name of its first named result.
    pub fn hint(&self, vars: &VarTable) -> Option<Symbol> {
        self.binders().find_map(|binder| vars[binder].hint)
    }

    /// Whether the statement uses an array other than as a source.
    pub fn uses_whole(&self, array: Var) -> bool {
        uses_whole(&self.stm, array)
    }

    /// The main place in the source.
    pub fn span(&self) -> Option<Span> {
        self.stm.origin.place()
    }

    /// The place of the innermost statement that uses this variable other than as a source of the construct.
    pub fn place_of_use(&self, var: Var) -> Option<Span> {
        place_of_use(&self.stm, var)
    }

    /// The place of the first statement that uses an element of this source array. A fused construct comes from many
    /// places.
    pub fn place_of_element(&self, array: Var) -> Option<Span> {
        match &self.stm.exp {
            Exp::Screma(screma) => user_of_element(screma, array),
            Exp::Stream(stream) => {
                let source = stream.sources.iter().position(|&source| source == array)?;
                place_in(&stream.chunk.body, *stream.slices().get(source)?)
            }
            _ => None,
        }
    }

    /// Refuses if the statement uses one of these results of another one.
    pub fn used<'v>(&self, vars: &VarTable, results: impl IntoIterator<Item = &'v Var>) -> Option<Refusal> {
        let result = results.into_iter().find(|var| self.uses.contains(var))?;
        Some(Refusal::of(INDEPENDENT).blame(vars[*result].hint, self.place_of_use(*result)))
    }

    /// Refuses if the statement consumes memory that another one reads.
    pub fn overwrites(&self, vars: &VarTable, reads: &Places) -> Option<Refusal> {
        let place = self.consumes.intersection(reads).next()?;
        Some(Refusal::of(TARGET_NOT_READ).blame(vars[*place].hint, self.span()))
    }
}

/// Whether a statement uses an array other than as a source of its construct.
pub fn uses_whole(stm: &Stm, array: Var) -> bool {
    let sources = match &stm.exp {
        Exp::Screma(screma) => screma.sources.iter().filter(|source| source.array() == Some(array)).count(),
        Exp::Stream(stream) => stream.sources.iter().filter(|&&source| source == array).count(),
        _ => 0,
    };
    times_used(&stm.exp, array) != sources
}

/// The number of uses of a variable in an expression, not counting types.
pub fn times_used(exp: &Exp, var: Var) -> usize {
    let mut count = Count { of: var, uses: 0 };
    count.exp(exp);
    count.uses
}

/// The place of the innermost statement, which may be `stm` itself, that uses a variable other than as a source of its
/// construct.
pub fn place_of_use(stm: &Stm, var: Var) -> Option<Span> {
    let mut search = InnermostUse { of: var, around: stm.origin.place(), found: None };
    match &stm.exp {
        Exp::Screma(screma) => screma.lambdas().for_each(|lambda| search.lambda(lambda)),
        Exp::Stream(stream) => stream.lambdas().for_each(|lambda| search.lambda(lambda)),
        exp => search.exp(exp),
    }
    search.found.or(stm.origin.place())
}

/// The place of the first statement that uses an element of this source array.
fn user_of_element(screma: &Screma, array: Var) -> Option<Span> {
    let source = screma.sources.iter().position(|source| source.array() == Some(array))?;
    let element = *screma.map.params.get(source)?;
    place_in(&screma.map.body, element).or_else(|| {
        let given = screma.map.body.result.iter().position(|&atom| atom == Atom::Var(element))?;
        let operators = screma.scans.iter().flat_map(|scan| scan.neutral.iter().map(|_| &scan.op));
        let mut operators: Vec<Option<&Lambda>> = operators.map(Some).collect();
        if let (Some(post), true) = (&screma.post, given >= operators.len()) {
            return place_in(&post.body, *post.params.get(given)?);
        }
        if screma.scans.is_empty() {
            operators.extend(screma.sink_ranges().flat_map(|(sink, _, values)| {
                let operator = match sink {
                    Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
                    Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => None,
                };
                values.map(move |_| operator)
            }));
        }
        place_of_first(*operators.get(given)?)
    })
}

/// The place of the first statement of an operator.
pub fn place_of_first(operator: Option<&Lambda>) -> Option<Span> {
    operator?.body.stms.first()?.origin.place()
}

/// The place of the innermost statement of a body that uses a variable.
fn place_in(body: &Body, var: Var) -> Option<Span> {
    let mut search = InnermostUse { of: var, around: None, found: None };
    search.body(body);
    search.found
}

/// Searches for the innermost statement that uses a variable.
struct InnermostUse {
    of: Var,
    around: Option<Span>,
    found: Option<Span>,
}

impl Visit for InnermostUse {
    fn var(&mut self, var: &Var) {
        if *var == self.of && self.found.is_none() {
            self.found = self.around;
        }
    }

    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.around, stm.origin.place());
        self.exp(&stm.exp);
        self.around = outer;
    }
}

/// Counts the uses of a variable.
struct Count {
    of: Var,
    uses: usize,
}

impl Visit for Count {
    fn var(&mut self, var: &Var) {
        self.uses += usize::from(*var == self.of);
    }

    fn binder(&mut self, _: &Var) {}
}

/// Collects the memory that statements consume, including nested ones.
struct ConsumedMemory<'a> {
    facts: &'a Facts<'a>,
    places: Places,
}

impl Visit for ConsumedMemory<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn exp(&mut self, exp: &Exp) {
        for array in consumed_by(exp, &self.facts.aliases, self.facts.summaries) {
            let aliases = &self.facts.aliases;
            self.places.extend(aliases.memory(aliases.places(array)));
        }
        match exp {
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
            }
            Exp::Loop(looped) => self.loop_exp(looped),
            Exp::Screma(screma) => self.screma(screma),
            Exp::Segment(segment) => self.segment(segment),
            Exp::Stream(stream) => self.stream(stream),
            exp_without_bodies!() => {}
        }
    }
}
