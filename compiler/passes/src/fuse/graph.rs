//! The dependence graph of the statements of a body.
//!
//! ```text
//!   later uses a variable that earlier binds                         a data dependence
//!   later consumes memory that earlier reads, under any alias        an order dependence
//! ```
//!
//! Nothing else keeps statements in order: a failure is a data dependence, and consumed arrays are not read again. Two
//! statements may fuse at the place of the second if no path of dependences leads from the first to the second through
//! a third. Statements between them that depend on the first then follow the fused one. Positions of removed
//! statements stay empty, so a fusion moves only dependents of the first, and close neighbours.
//!
//! If two statements are close, all statements between them are examined; otherwise only the dependents of the first,
//! as long as they are few. So the time for a pair does not grow with the program. Pairs beyond these limits do not
//! fuse, such as thousands of constructs that read one array and form a chain.

mod node;

use std::collections::BTreeSet;

use ravel_core::alias::{Aliases, Places, Summaries};
use ravel_core::{Atom, Body, Stm, Var, VarTable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{INDEPENDENT, NO_CONSUMPTION_BETWEEN};
use crate::Refusal;
pub use node::{Node, place_of_first, place_of_use, times_used, uses_whole};

/// The analyses of a function that the graph needs.
pub struct Facts<'a> {
    /// The alias sets of arrays.
    pub aliases: Aliases,
    /// The parameters that calls consume.
    pub summaries: &'a Summaries,
}

/// The statements between two others that matter for their fusion.
#[derive(Default)]
pub struct StatementsBetween {
    /// The positions of the dependents of the first one.
    dependents: Vec<usize>,
    /// Whether the second one depends on the first through them, by data.
    pub used: bool,
    /// Whether consumption forbids to move the second one before all of them.
    pub ordered: bool,
    /// The number of statements examined.
    pub examined: usize,
}

/// The greatest distance at which all statements between are examined.
const NEAR: usize = 64;

/// At greater distances, the maximum number of uses that are followed.
const MAX_USES: usize = 128;

/// The dependence graph of a body.
pub struct Graph {
    nodes: Vec<Option<Node>>,
    /// The position at which a variable is bound.
    bound_at: FxHashMap<Var, usize>,
    users: FxHashMap<Var, Users>,
    /// For each piece of memory, the numbers of the statements that consume it.
    consumers: FxHashMap<Var, Vec<usize>>,
    numbers: Numbers,
}

/// The users of a variable.
#[derive(Default)]
struct Users {
    /// The number of statements; the result of the body counts as one.
    count: usize,
    /// The numbers of these statements; some may no longer use it.
    numbers: Vec<usize>,
}

/// The numbers of statements with their positions, as a union-find: fusing two statements unites their numbers, and no
/// index has to change.
#[derive(Default)]
struct Numbers {
    /// The parent of each number; a root is its own parent.
    parent: Vec<usize>,
    /// The size of each class, at its root.
    weight: Vec<usize>,
    /// The position of the statement, at its root.
    position: Vec<usize>,
}

impl Numbers {
    fn add(&mut self) -> usize {
        let number = self.parent.len();
        self.parent.push(number);
        self.weight.push(1);
        self.position.push(0);
        number
    }

    fn root(&self, mut number: usize) -> usize {
        while self.parent[number] != number {
            number = self.parent[number];
        }
        number
    }

    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (more, less) = if self.weight[a] < self.weight[b] { (b, a) } else { (a, b) };
        self.parent[less] = more;
        self.weight[more] += self.weight[less];
        more
    }
}

impl Graph {
    /// Builds the graph of a body, and takes its statements.
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

    /// Adds a node to the indices of users and consumers.
    fn register(&mut self, node: &mut Node) {
        let is_new = node.number.is_none();
        let number = *node.number.get_or_insert_with(|| self.numbers.add());
        for &var in &node.uses {
            let users = self.users.entry(var).or_default();
            users.count += 1;
            users.numbers.extend(is_new.then_some(number));
        }
        for &place in node.consumes.iter().filter(|_| is_new) {
            self.consumers.entry(place).or_default().push(number);
        }
    }

    /// The statements in order.
    pub fn finish(self) -> Vec<Stm> {
        let with_attached =
            |Node { stm, attached: [before, after], .. }| before.into_iter().chain([stm]).chain(after);
        self.nodes.into_iter().flatten().flat_map(with_attached).collect()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The statement at a position, if it is still there.
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)?.as_ref()
    }

    /// The position at which a variable is bound, if it is bound in this body.
    pub fn position(&self, var: Var) -> Option<usize> {
        self.bound_at.get(&var).copied()
    }

    /// The positions at which these variables are bound in this body, the last first.
    pub fn producers(&self, vars: impl IntoIterator<Item = Var>) -> Vec<usize> {
        let positions: BTreeSet<usize> = vars.into_iter().filter_map(|var| self.position(var)).collect();
        positions.into_iter().rev().collect()
    }

    /// The number of statements that use a variable.
    pub fn users(&self, var: Var) -> usize {
        self.users.get(&var).map_or(0, |users| users.count)
    }

    fn put(&mut self, at: usize, node: Node) {
        self.bound_at.extend(node.binders().map(|binder| (binder, at)));
        node.number.into_iter().for_each(|number| self.numbers.position[number] = at);
        self.nodes[at] = Some(node);
    }

    /// The positions after a statement of its direct dependents, and possibly of others. `None` if they are more than
    /// `left`; otherwise `left` decreases by their number.
    fn dependents(&self, (at, node): (usize, &Node), left: &mut usize) -> Option<Vec<usize>> {
        let users = node.binders().filter_map(|binder| Some(&self.users.get(&binder)?.numbers));
        let consumers = node.reads.iter().filter_map(|place| self.consumers.get(place));
        let mut dependents = Vec::new();
        for numbers in users.chain(consumers) {
            *left = left.checked_sub(numbers.len())?;
            let positions = numbers.iter().map(|&number| self.numbers.position[self.numbers.root(number)]);
            dependents.extend(positions.filter(|&other| other > at));
        }
        Some(dependents)
    }

    /// The first statement between two positions that consumes some of this memory.
    pub fn consuming(&self, memory: &Places, (first, second): (usize, usize)) -> Option<&Node> {
        let numbers = memory.iter().filter_map(|place| self.consumers.get(place)).flatten();
        let positions = numbers.map(|&number| self.numbers.position[self.numbers.root(number)]);
        let consuming = positions.filter(|&at| first < at && at < second).filter_map(|at| {
            let node = self.node(at)?;
            (!node.consumes.is_disjoint(memory)).then_some((at, node))
        });
        consuming.min_by_key(|&(at, _)| at).map(|(_, node)| node)
    }

    /// The dependents of the first statement before the second, and whether the second depends on them. `None` if the
    /// two are far apart and the first has too many dependents to decide.
    pub fn statements_between(&self, first: usize, second: usize) -> Option<StatementsBetween> {
        let mut between = StatementsBetween::default();
        let (Some(start), Some(end)) = (self.node(first), self.node(second)) else { return Some(between) };
        let near = second - first <= NEAR;
        let mut left = MAX_USES;
        let mut waiting: BTreeSet<usize> = match near {
            true => (first + 1..second).collect(),
            false => self.dependents((first, start), &mut left)?.into_iter().collect(),
        };
        // Variables bound by dependents through data, by all dependents, and memory that they read.
        let mut by_use: FxHashSet<Var> = start.binders().collect();
        let mut bound: FxHashSet<Var> = FxHashSet::default();
        let mut reads = start.reads.clone();
        while let Some(at) = waiting.pop_first().filter(|&at| at < second) {
            let Some(node) = self.node(at) else { continue };
            between.examined += 1;
            let used = node.uses.iter().any(|var| by_use.contains(var));
            let ordered = !node.consumes.is_disjoint(&reads);
            if used || ordered || node.uses.iter().any(|var| bound.contains(var)) {
                if used {
                    by_use.extend(node.binders());
                }
                bound.extend(node.binders());
                reads.extend(&node.reads);
                between.dependents.push(at);
                if !near {
                    waiting.extend(self.dependents((at, node), &mut left)?);
                }
            }
        }
        start.binders().for_each(|binder| _ = by_use.remove(&binder));
        let dependents = || between.dependents.iter().filter_map(|&at| self.node(at));
        let ordered = end.uses.iter().any(|var| bound.contains(var))
            || dependents().any(|node| !node.reads.is_disjoint(&end.consumes));
        between.used = end.uses.iter().any(|var| by_use.contains(var));
        between.ordered = ordered;
        Some(between)
    }

    /// Refuses if the statements between two others keep the second one from moving before them.
    pub fn obstacle(
        &self,
        vars: &VarTable,
        between: &StatementsBetween,
        (first, second): (usize, usize),
    ) -> Option<Refusal> {
        let end = self.node(second)?;
        let dependents = || between.dependents.iter().filter_map(|&at| self.node(at));
        let mut used = dependents().flat_map(|node| node.binders().map(move |binder| (node, binder)));
        let used = used.find(|(_, binder)| end.uses.contains(binder));
        let consumed = || {
            let by_second =
                dependents().find_map(|node| Some((end, end.consumes.intersection(&node.reads).next()?)));
            by_second.or_else(|| dependents().find_map(|node| Some((node, node.consumes.first()?))))
        };
        match (between.used, between.ordered) {
            (true, _) => Some(match used {
                Some((node, binder)) => {
                    // A result without a name gets the name of the first statement.
                    let of_first = || self.node(first)?.hint(vars);
                    let name = vars[binder].hint.or_else(of_first);
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

    /// Fuses two statements at the place of the second, and puts the dependents of the first after it; returns the new
    /// position. Its uses and effects are the union of both, less what passes from the first to the second. So nothing
    /// inside is visited again, and fusing a whole chain takes linear time.
    pub fn unite(
        &mut self,
        (first, second): (usize, usize),
        between: &StatementsBetween,
        make: impl FnOnce(Stm, Stm) -> Option<Stm>,
    ) -> Option<usize> {
        let (earlier, later) = (self.nodes.get_mut(first)?.take()?, self.nodes.get_mut(second)?.take()?);
        let binders: Vec<Var> = earlier.binders().collect();
        let (mut uses, twice) = union(earlier.uses, later.uses);
        let (mut reads, _) = union(earlier.reads, later.reads);
        let (consumes, _) = union(earlier.consumes, later.consumes);
        twice.into_iter().for_each(|var| self.remove_user(var));
        for binder in &binders {
            reads.remove(binder);
            if uses.remove(binder) {
                self.remove_user(*binder);
            }
        }
        let stm = make(earlier.stm, later.stm)?;
        let number = earlier.number.zip(later.number).map(|(a, b)| self.numbers.unite(a, b));
        let node = Node { stm, uses, reads, consumes, attached: Default::default(), number };
        Some(self.place((first, second), between, node))
    }

    /// Removes a statement; [`Graph::join`] adds the one that replaces it.
    pub fn take(&mut self, at: usize) -> Option<Stm> {
        let node = self.nodes.get_mut(at)?.take()?;
        node.uses.iter().for_each(|&var| self.remove_user(var));
        Some(node.stm)
    }

    fn remove_user(&mut self, var: Var) {
        self.users.entry(var).and_modify(|users| users.count -= 1);
    }

    /// Replaces a statement, to test how another one would depend on its neighbours.
    pub fn replace(&mut self, at: usize, mut node: Node) -> Option<Node> {
        let old = self.nodes.get_mut(at)?.take()?;
        old.uses.iter().for_each(|&var| self.remove_user(var));
        self.register(&mut node);
        self.put(at, node);
        Some(old)
    }

    /// Adds the fusion of two removed statements at the place of the second, and puts the dependents of the first
    /// after it. Returns its position.
    pub fn join(&mut self, positions: (usize, usize), between: &StatementsBetween, mut node: Node) -> usize {
        self.register(&mut node);
        self.place(positions, between, node)
    }

    fn place(&mut self, (first, second): (usize, usize), between: &StatementsBetween, node: Node) -> usize {
        let dependents: Vec<Node> =
            between.dependents.iter().filter_map(|&at| self.nodes[at].take()).collect();
        // Close neighbours move together; statements further up stay where they are.
        let near = first.max(second.saturating_sub(NEAR));
        let from = between.dependents.first().map_or(near, |&at| near.min(at));
        let before: Vec<Node> = self.nodes[from..=second].iter_mut().filter_map(Option::take).collect();
        let joined = second - dependents.len();
        let start = joined - before.len();
        for (offset, node) in before.into_iter().chain([node]).chain(dependents).enumerate() {
            self.put(start + offset, node);
        }
        joined
    }
}

/// The union and the intersection of two sets, in the time of the smaller one.
fn union(a: BTreeSet<Var>, b: BTreeSet<Var>) -> (BTreeSet<Var>, Vec<Var>) {
    let (mut all, less) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let twice = less.into_iter().filter(|&var| !all.insert(var)).collect();
    (all, twice)
}
