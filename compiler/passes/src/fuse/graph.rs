//! The statements of a body as a graph: what must stay before what.
//!
//! ```text
//!   later uses what earlier binds                                    a use
//!   later consumes what earlier reads, under whatever name           an order
//! ```
//!
//! Nothing else keeps statements in place: a failure is a dependence, and after consumption
//! nobody reads. Two statements may become one where the second stands if no way leads from the
//! first to the second through a third; what depends on the first and stood between them then
//! follows both. Positions of statements that have gone stay empty, so that a fusion moves only
//! what depends on the first, and what is near.
//!
//! Between two statements that stand near each other all others are looked at; between others, those
//! to which a way leads from the first, as long as these are few. So the time for a pair does not grow with
//! the program: thousands of constructs that read one array, each of which waits for the last one, stay apart.

use std::collections::BTreeSet;

use ravel_base::{Span, Symbol};
use ravel_core::alias::{Aliases, Places, Summaries, consumed_by};
use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Lambda, Screma, Sink, Stm, Stream, Var, VarTable, free_in_stm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN, TARGET_NOT_READ};
use crate::Refusal;

/// What is known of the arrays of a function.
pub struct Facts<'a> {
    /// Which arrays may share memory.
    pub aliases: Aliases,
    /// What calls consume.
    pub summaries: &'a Summaries,
}

/// A statement with what it needs and what it ends.
pub struct Node {
    /// The statement.
    pub stm: Stm,
    /// What stands right before it and right behind it for its sake.
    around: [Vec<Stm>; 2],
    /// What the graph knows it by, once it is part of it.
    number: Option<usize>,
    /// The variables that it uses, in types too.
    pub uses: BTreeSet<Var>,
    /// The memory that it may read or consume.
    pub reads: Places,
    /// The memory that it consumes, nested statements included.
    pub consumes: Places,
}

impl Node {
    /// A statement with what it needs and what it ends.
    pub fn of(vars: &VarTable, facts: &Facts, stm: Stm) -> Node {
        let uses = free_in_stm(vars, &stm);
        let memory = |&var: &Var| facts.aliases.memory(facts.aliases.places(var));
        let reads = uses.iter().flat_map(memory).collect();
        let mut consumed = Consumed { facts, places: Places::new() };
        consumed.exp(&stm.exp);
        Node { uses, reads, consumes: consumed.places, stm, around: Default::default(), number: None }
    }

    /// The statement with others right before it and right behind it, which stay there.
    pub fn between(self, vars: &VarTable, facts: &Facts, before: Vec<Stm>, behind: Vec<Stm>) -> Node {
        let mut node = self;
        for stm in before.iter().chain(&behind) {
            let other = Node::of(vars, facts, stm.clone());
            node.uses.extend(other.uses);
            node.reads.extend(other.reads);
            node.consumes.extend(other.consumes);
        }
        node.around = [before, behind];
        let binders: Vec<Var> = node.binders().collect();
        binders.iter().for_each(|binder| _ = node.uses.remove(binder));
        node
    }

    /// The variables that it binds, and what stands around it.
    pub fn binders(&self) -> impl Iterator<Item = Var> {
        self.stms().flat_map(|stm| &stm.binders).copied()
    }

    fn stms(&self) -> impl Iterator<Item = &Stm> {
        let [before, behind] = &self.around;
        before.iter().chain([&self.stm]).chain(behind)
    }

    /// The parallel construct, if it is one.
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

    /// What the first of its results that has a name is called.
    pub fn hint(&self, vars: &VarTable) -> Option<Symbol> {
        self.binders().find_map(|binder| vars[binder].hint)
    }

    /// Does it use an array as more than a source?
    pub fn uses_whole(&self, array: Var) -> bool {
        uses_whole(&self.stm, array)
    }

    /// The main place in the source.
    pub fn span(&self) -> Option<Span> {
        self.stm.origin.place()
    }

    /// The place of the innermost statement that uses this variable, as more than a source of the construct.
    pub fn place_of_use(&self, var: Var) -> Option<Span> {
        place_of_use(&self.stm, var)
    }

    /// The place of what first does something with the elements of this array, which the construct goes over, if a
    /// statement does: what the construct is made of may come from many places.
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

    /// Refuses if it uses one of these results of another statement.
    pub fn used<'v>(&self, vars: &VarTable, results: impl IntoIterator<Item = &'v Var>) -> Option<Refusal> {
        let result = results.into_iter().find(|var| self.uses.contains(var))?;
        Some(Refusal::of(INDEPENDENT).blame(vars[*result].hint, self.place_of_use(*result)))
    }

    /// Refuses if it writes into what another statement reads.
    pub fn overwrites(&self, vars: &VarTable, reads: &Places) -> Option<Refusal> {
        let place = self.consumes.intersection(reads).next()?;
        Some(Refusal::of(TARGET_NOT_READ).blame(vars[*place].hint, self.span()))
    }
}

/// The union of two sets, and what is in both. Only the lesser one is gone over.
fn union(a: BTreeSet<Var>, b: BTreeSet<Var>) -> (BTreeSet<Var>, Vec<Var>) {
    let (mut all, less) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let twice = less.into_iter().filter(|&var| !all.insert(var)).collect();
    (all, twice)
}

/// Does a statement use an array as more than a source of the construct that it is?
pub fn uses_whole(stm: &Stm, array: Var) -> bool {
    let sources = match &stm.exp {
        Exp::Screma(screma) => screma.sources.iter().filter(|source| source.array() == Some(array)).count(),
        Exp::Stream(stream) => stream.sources.iter().filter(|&&source| source == array).count(),
        _ => 0,
    };
    times_used(&stm.exp, array) != sources
}

/// How often an expression uses a variable, types aside.
pub fn times_used(exp: &Exp, var: Var) -> usize {
    let mut count = Count { of: var, uses: 0 };
    count.exp(exp);
    count.uses
}

/// The place of the innermost statement, inside of this one or itself, that uses a variable as more than a source of
/// the construct that this one is.
pub fn place_of_use(stm: &Stm, var: Var) -> Option<Span> {
    let mut search = Place { of: var, around: stm.origin.place(), found: None };
    match &stm.exp {
        Exp::Screma(screma) => screma.lambdas().for_each(|lambda| search.lambda(lambda)),
        Exp::Stream(stream) => stream.lambdas().for_each(|lambda| search.lambda(lambda)),
        exp => search.exp(exp),
    }
    search.found.or(stm.origin.place())
}

/// The place of what first does something with the elements of an array.
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
                    Sink::Map | Sink::Write { .. } => None,
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
    let mut search = Place { of: var, around: None, found: None };
    search.body(body);
    search.found
}

/// Looks for the innermost statement that uses a variable.
struct Place {
    of: Var,
    around: Option<Span>,
    found: Option<Span>,
}

impl Visit for Place {
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

/// What stands between two statements.
#[derive(Default)]
pub struct Between {
    /// The positions of those that depend on the first one.
    behind: Vec<usize>,
    /// The second one uses what they bind, and so on from the first.
    pub used: bool,
    /// The second one cannot stand before them all, for what they or it consume.
    pub ordered: bool,
    /// How many statements had to be looked at to know.
    pub looked_at: usize,
}

/// How far apart two statements stand between which all are looked at.
const NEAR: usize = 64;

/// How many uses of what the first one and those that depend on it bind are followed between two others.
const FEW: usize = 128;

/// The graph of a body.
pub struct Graph {
    nodes: Vec<Option<Node>>,
    /// Where a variable is bound.
    bound_at: FxHashMap<Var, usize>,
    users: FxHashMap<Var, Users>,
    /// Of memory, the numbers of those that consume it.
    consumers: FxHashMap<Var, Vec<usize>>,
    numbers: Numbers,
}

/// Who uses a variable.
#[derive(Default)]
struct Users {
    /// How many statements; being a result counts as one.
    count: usize,
    /// The numbers of the statements, and maybe of some that did.
    numbers: Vec<usize>,
}

/// The numbers of statements, and where they stand. Of two that become one, one number stands for the other, so that
/// nothing that knows either has to be told.
#[derive(Default)]
struct Numbers {
    /// The number that stands for each, directly or by way of others; that of most stands for the others.
    stands_for: Vec<usize>,
    /// For how many it stands.
    weight: Vec<usize>,
    /// Where that statement stands.
    position: Vec<usize>,
}

impl Numbers {
    fn new_one(&mut self) -> usize {
        let number = self.stands_for.len();
        self.stands_for.push(number);
        self.weight.push(1);
        self.position.push(0);
        number
    }

    fn current(&self, mut number: usize) -> usize {
        while self.stands_for[number] != number {
            number = self.stands_for[number];
        }
        number
    }

    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (more, less) = if self.weight[a] < self.weight[b] { (b, a) } else { (a, b) };
        self.stands_for[less] = more;
        self.weight[more] += self.weight[less];
        more
    }
}

impl Graph {
    /// The graph of a body, whose statements it takes.
    pub fn of(vars: &VarTable, facts: &Facts, body: &mut Body) -> Graph {
        let mut graph = Graph {
            nodes: Vec::new(),
            bound_at: FxHashMap::default(),
            users: FxHashMap::default(),
            consumers: FxHashMap::default(),
            numbers: Numbers::default(),
        };
        let results: BTreeSet<Var> = body.result.iter().copied().filter_map(Atom::var).collect();
        results.into_iter().for_each(|var| graph.users.entry(var).or_default().count += 1);
        for stm in body.stms.drain(..) {
            let mut node = Node::of(vars, facts, stm);
            graph.register(&mut node);
            graph.nodes.push(None);
            graph.put(graph.nodes.len() - 1, node);
        }
        graph
    }

    /// A statement uses and consumes what it does.
    fn register(&mut self, node: &mut Node) {
        let is_new = node.number.is_none();
        let number = *node.number.get_or_insert_with(|| self.numbers.new_one());
        for &var in &node.uses {
            let users = self.users.entry(var).or_default();
            users.count += 1;
            users.numbers.extend(is_new.then_some(number));
        }
        for &place in node.consumes.iter().filter(|_| is_new) {
            self.consumers.entry(place).or_default().push(number);
        }
    }

    /// The statements in their order.
    pub fn finish(self) -> Vec<Stm> {
        let around =
            |Node { stm, around: [before, behind], .. }| before.into_iter().chain([stm]).chain(behind);
        self.nodes.into_iter().flatten().flat_map(around).collect()
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The statement at a position, if there is one.
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)?.as_ref()
    }

    /// Where a variable is bound, if in this body.
    pub fn position(&self, var: Var) -> Option<usize> {
        self.bound_at.get(&var).copied()
    }

    /// Where these are bound, as far as in this body, the last position first.
    pub fn makers(&self, vars: impl IntoIterator<Item = Var>) -> Vec<usize> {
        let positions: BTreeSet<usize> = vars.into_iter().filter_map(|var| self.position(var)).collect();
        positions.into_iter().rev().collect()
    }

    /// How many statements use a variable.
    pub fn users(&self, var: Var) -> usize {
        self.users.get(&var).map_or(0, |users| users.count)
    }

    fn put(&mut self, at: usize, node: Node) {
        self.bound_at.extend(node.binders().map(|binder| (binder, at)));
        node.number.into_iter().for_each(|number| self.numbers.position[number] = at);
        self.nodes[at] = Some(node);
    }

    /// Where those stand that directly depend on a statement, behind it; maybe others too. `None` if they are more
    /// than may be left, which are fewer then.
    fn behind(&self, (at, node): (usize, &Node), left: &mut usize) -> Option<Vec<usize>> {
        let users = node.binders().filter_map(|binder| Some(&self.users.get(&binder)?.numbers));
        let consumers = node.reads.iter().filter_map(|place| self.consumers.get(place));
        let mut behind = Vec::new();
        for numbers in users.chain(consumers) {
            *left = left.checked_sub(numbers.len())?;
            let positions = numbers.iter().map(|&number| self.numbers.position[self.numbers.current(number)]);
            behind.extend(positions.filter(|&other| other > at));
        }
        Some(behind)
    }

    /// The first statement between two positions that consumes some of this memory.
    pub fn consuming(&self, memory: &Places, (first, second): (usize, usize)) -> Option<&Node> {
        let numbers = memory.iter().filter_map(|place| self.consumers.get(place)).flatten();
        let positions = numbers.map(|&number| self.numbers.position[self.numbers.current(number)]);
        let consuming = positions.filter(|&at| first < at && at < second).filter_map(|at| {
            let node = self.node(at)?;
            (!node.consumes.is_disjoint(memory)).then_some((at, node))
        });
        consuming.min_by_key(|&(at, _)| at).map(|(_, node)| node)
    }

    /// What between two statements depends on the first, and whether the second depends on that; `None` if
    /// they stand far apart, and too much depends on the first to tell.
    pub fn between(&self, first: usize, second: usize) -> Option<Between> {
        let mut between = Between::default();
        let (Some(start), Some(end)) = (self.node(first), self.node(second)) else { return Some(between) };
        let near = second - first <= NEAR;
        let mut left = FEW;
        let mut waiting: BTreeSet<usize> = match near {
            true => (first + 1..second).collect(),
            false => self.behind((first, start), &mut left)?.into_iter().collect(),
        };
        // What the statements behind bind, by uses alone and in any way, and what they read.
        let mut by_use: FxHashSet<Var> = start.binders().collect();
        let mut bound: FxHashSet<Var> = FxHashSet::default();
        let mut reads = start.reads.clone();
        while let Some(at) = waiting.pop_first().filter(|&at| at < second) {
            let Some(node) = self.node(at) else { continue };
            between.looked_at += 1;
            let used = node.uses.iter().any(|var| by_use.contains(var));
            let ordered = !node.consumes.is_disjoint(&reads);
            if used || ordered || node.uses.iter().any(|var| bound.contains(var)) {
                if used {
                    by_use.extend(node.binders());
                }
                bound.extend(node.binders());
                reads.extend(&node.reads);
                between.behind.push(at);
                if !near {
                    waiting.extend(self.behind((at, node), &mut left)?);
                }
            }
        }
        start.binders().for_each(|binder| _ = by_use.remove(&binder));
        let behind = || between.behind.iter().filter_map(|&at| self.node(at));
        let ordered = end.uses.iter().any(|var| bound.contains(var))
            || behind().any(|node| !node.reads.is_disjoint(&end.consumes));
        between.used = end.uses.iter().any(|var| by_use.contains(var));
        between.ordered = ordered;
        Some(between)
    }

    /// Refuses if what stands between two statements keeps the second one from standing before it.
    pub fn obstacle(
        &self,
        vars: &VarTable,
        between: &Between,
        (first, second): (usize, usize),
    ) -> Option<Refusal> {
        let end = self.node(second)?;
        let behind = || between.behind.iter().filter_map(|&at| self.node(at));
        let mut used = behind().flat_map(|node| node.binders().map(move |binder| (node, binder)));
        let used = used.find(|(_, binder)| end.uses.contains(binder));
        let consumed = || {
            let by_itself =
                behind().find_map(|node| Some((end, end.consumes.intersection(&node.reads).next()?)));
            by_itself.or_else(|| behind().find_map(|node| Some((node, node.consumes.first()?))))
        };
        match (between.used, between.ordered) {
            (true, _) => Some(match used {
                Some((node, binder)) => {
                    // What has no name is called what it is made of.
                    let made_of = || self.node(first)?.hint(vars);
                    let name = vars[binder].hint.or_else(made_of);
                    Refusal::of(INDEPENDENT).blame(name, node.span())
                }
                None => Refusal::of(INDEPENDENT),
            }),
            (false, true) => Some(match consumed() {
                Some((node, place)) => {
                    Refusal::of(NO_CONSUMPTION_BETWEEN).blame(vars[*place].hint, node.span())
                }
                None => Refusal::of(NO_CONSUMPTION_BETWEEN),
            }),
            (false, false) => None,
        }
    }

    /// Makes one of two statements, in the place of the second, and behind it what depended on the first one; gives its
    /// position. It needs and ends what they do, but for what passes from the first to the second: so nothing inside
    /// has to be looked at again, and a chain that all becomes one costs no more than its length.
    pub fn unite(
        &mut self,
        (first, second): (usize, usize),
        between: &Between,
        make: impl FnOnce(Stm, Stm) -> Option<Stm>,
    ) -> Option<usize> {
        let (earlier, later) = (self.nodes.get_mut(first)?.take()?, self.nodes.get_mut(second)?.take()?);
        let binders: Vec<Var> = earlier.binders().collect();
        let (mut uses, twice) = union(earlier.uses, later.uses);
        let (mut reads, _) = union(earlier.reads, later.reads);
        let (consumes, _) = union(earlier.consumes, later.consumes);
        twice.into_iter().for_each(|var| self.user_less(var));
        for binder in &binders {
            reads.remove(binder);
            if uses.remove(binder) {
                self.user_less(*binder);
            }
        }
        let stm = make(earlier.stm, later.stm)?;
        let number = earlier.number.zip(later.number).map(|(a, b)| self.numbers.unite(a, b));
        let node = Node { stm, uses, reads, consumes, around: Default::default(), number };
        Some(self.put_behind((first, second), between, node))
    }

    /// Takes a statement out; [`Graph::join`] puts what becomes of two in.
    pub fn take(&mut self, at: usize) -> Option<Stm> {
        let node = self.nodes.get_mut(at)?.take()?;
        node.uses.iter().for_each(|&var| self.user_less(var));
        Some(node.stm)
    }

    fn user_less(&mut self, var: Var) {
        self.users.entry(var).and_modify(|users| users.count -= 1);
    }

    /// Puts a statement in the place of another, for a look at how it would stand there.
    pub fn replace(&mut self, at: usize, mut node: Node) -> Option<Node> {
        let old = self.nodes.get_mut(at)?.take()?;
        old.uses.iter().for_each(|&var| self.user_less(var));
        self.register(&mut node);
        self.put(at, node);
        Some(old)
    }

    /// Puts a statement in the place of two that were taken out, and behind it what depended on
    /// the first one. Gives its position.
    pub fn join(&mut self, positions: (usize, usize), between: &Between, mut node: Node) -> usize {
        self.register(&mut node);
        self.put_behind(positions, between, node)
    }

    fn put_behind(&mut self, (first, second): (usize, usize), between: &Between, node: Node) -> usize {
        let behind: Vec<Node> = between.behind.iter().filter_map(|&at| self.nodes[at].take()).collect();
        // What is near closes ranks; what stands further before stays where it is.
        let near = first.max(second.saturating_sub(NEAR));
        let from = between.behind.first().map_or(near, |&at| near.min(at));
        let before: Vec<Node> = self.nodes[from..=second].iter_mut().filter_map(Option::take).collect();
        let joined = second - behind.len();
        let start = joined - before.len();
        for (offset, node) in before.into_iter().chain([node]).chain(behind).enumerate() {
            self.put(start + offset, node);
        }
        joined
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

/// Collects the memory that statements consume, nested ones included.
struct Consumed<'a> {
    facts: &'a Facts<'a>,
    places: Places,
}

impl Visit for Consumed<'_> {
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
            Exp::Loop(looped) => self.looped(looped),
            Exp::Screma(screma) => self.screma(screma),
            Exp::Segment(segment) => self.segment(segment),
            Exp::Stream(stream) => self.stream(stream),
            _ => {}
        }
    }
}
