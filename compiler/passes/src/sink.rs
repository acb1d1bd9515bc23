//! # sink: compute in one side of a branch what only that side needs
//!
//! ## Rule
//!
//! ```text
//!   let y = e
//!   stms
//!   let zs = if c then { A } else { B }
//!   ---------------------------------------------
//!   stms
//!   let zs = if c then { let y = e A } else { B }          the other side likewise
//! ```
//!
//! * *sink*: a statement moves into the side of a branch that is its only use.
//!
//! ## Requires
//!
//! * *one-side*: one side of the branch is its only use. Uses in `c` and in the types of `zs` count as other
//!   uses.
//! * *consumes-nothing*: the statement that moves into a side consumes no array.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//! * *live-range-not-extended*: the arrays that it reads stay live up to the branch anyway, or no array is produced in
//!   between. Otherwise sinking `e` would extend a live range across another allocation.
//!
//! ## Ensures
//!
//! Nothing is computed more often, and an array that only one side needs is not produced for the other.
//! Producer and consumer are then in one body and can fuse. Statements are visited from last to first, so one
//! run sinks a whole chain. A body is visited before the bodies nested in it, so a statement sinks as deep as
//! it can.
//!
//! ## Leaves alone
//!
//! Scalar arithmetic and reads of single elements, since a branch between scalars can become a select.
//! Assertions, since they should fail early. Lambdas and loop bodies, which would repeat the computation.
//!
//! ## Costs
//!
//! Linear in the size of the function. Each candidate adds the number of statements between it and the branch.
//!
//! ## Source
//!
//! Knoop, Rüthing and Steffen, "Partial Dead Code Elimination" (PLDI 1994), restricted to whole statements and
//! sides of branches.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, c: bool, xs: [n]i32) -> (out: i32) = {
//!   let as: [n]i32 = screma n {
//!     from xs
//!     map \(e: i32) -> { let f: i32 = mul e e in f }
//!     to map
//!   }
//!   let r: i32 = if c then { let g: i32 = as[0] in g } else 1i32
//!   in r
//! }
//! entry main = main (c, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, c_1: bool, xs_2: [n_0]i32) -> (out_3: i32) = {
//!   let r_4: i32 = if c_1 then {
//!     let as_5: [n_0]i32 = screma n_0 {
//!       from xs_2
//!       map \(e_6: i32) -> {
//!         let f_7: i32 = mul e_6 e_6
//!         in f_7
//!       }
//!       to map
//!     }
//!     let g_8: i32 = as_5[0i64]
//!     in g_8
//!   } else 1i32
//!   in r_4
//! }
//! entry main = main (c_1, xs_2) -> (out_3)
//! ```

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Exp, Function, Origin, Program, Source, Stm, Var, VarTable, free_in_body, statements,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fuse::NO_CONSUMPTION_BETWEEN;
use crate::fuse::graph::{Facts, Node};
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `sink`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "sink",
    about: "Moves a statement into the side of a branch that is its only use.",
    rules: &[SINK],
    premises: &[ONE_SIDE, CONSUMES_NOTHING, NO_CONSUMPTION_BETWEEN, LIVE_RANGE_NOT_EXTENDED],
    run,
};

const SINK: &str = "sink";

const ONE_SIDE: Premise = Premise {
    name: "one-side",
    about: "one side of the branch is its only use",
    otherwise: "{} is needed elsewhere",
};

pub(crate) const CONSUMES_NOTHING: Premise = Premise {
    name: "consumes-nothing",
    about: "the statement that moves into a side consumes no array",
    otherwise: "{} consumes another array",
};

const LIVE_RANGE_NOT_EXTENDED: Premise = Premise {
    name: "live-range-not-extended",
    about: "the arrays that it reads stay live up to the branch anyway, or no array is produced in between",
    otherwise: "{} would extend the lifetime of the arrays that it reads",
};

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        let facts = Facts { aliases: Aliases::of(function, &summaries), summaries: &summaries };
        cx.count_visits(statements(&function.body));
        let Function { vars, body, .. } = function;
        Sinker { vars, facts: &facts, cx }.body(body);
    }
}

struct Sinker<'a> {
    vars: &'a VarTable,
    facts: &'a Facts<'a>,
    cx: &'a mut Cx,
}

impl VisitMut for Sinker<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        // A quick test: most branches have no statement before them that could move.
        let mut from_first = body.stms.iter().skip_while(|stm| !is_worth_it(self.vars, stm)).skip(1);
        if from_first.any(|stm| matches!(stm.exp, Exp::If { .. })) {
            self.cx.count_visits(body.stms.len());
            let mut sinking = Sinking::of(self.vars, self.facts, body);
            for at in (0..sinking.nodes.len()).rev() {
                sinking.sink(self.vars, self.cx, at);
            }
            body.stms = sinking.nodes.into_iter().flatten().map(|node| node.stm).collect();
        }
        for stm in &mut body.stms {
            self.stm(stm);
        }
    }
}

/// The variables that a branch uses, by side.
struct Sides {
    then: BTreeSet<Var>,
    otherwise: BTreeSet<Var>,
    /// The variables in the condition and in the sizes of the results.
    outside: BTreeSet<Var>,
    /// For each array, the first construct in the sides that reads it element by element.
    readers: FxHashMap<Var, Origin>,
}

impl Sides {
    /// The uses of a statement, if it is a branch.
    fn of(vars: &VarTable, stm: &Stm) -> Option<Sides> {
        let Exp::If { cond, then, otherwise } = &stm.exp else { return None };
        let types = stm.binders.iter().flat_map(|&binder| &vars[binder].ty.shape);
        let mut readers = FxHashMap::default();
        for stm in [then, otherwise].into_iter().flat_map(|side| &side.stms) {
            let arrays: Vec<Var> = match &stm.exp {
                Exp::Screma(screma) => screma.sources.iter().filter_map(Source::array).collect(),
                Exp::Stream(stream) => stream.sources.clone(),
                _ => continue,
            };
            arrays.into_iter().for_each(|array| _ = readers.entry(array).or_insert(stm.origin.clone()));
        }
        Some(Sides {
            then: free_in_body(vars, then),
            otherwise: free_in_body(vars, otherwise),
            outside: std::iter::once(cond).chain(types).copied().filter_map(Atom::var).collect(),
            readers,
        })
    }
}

/// The statements of a body while some of them move.
struct Sinking {
    nodes: Vec<Option<Node>>,
    /// The positions of the users of a variable; the result of the body counts as the position after the last
    /// statement.
    users: FxHashMap<Var, BTreeSet<usize>>,
    /// The position of the last statement that reads a piece of memory allocated in this body.
    last_read: FxHashMap<Var, usize>,
    /// The uses of branches, computed on demand.
    sides: FxHashMap<usize, Sides>,
}

impl Sinking {
    /// Takes the statements of a body.
    fn of(vars: &VarTable, facts: &Facts, body: &mut Body) -> Sinking {
        let made: FxHashSet<Var> = body.stms.iter().flat_map(|stm| stm.binders.iter().copied()).collect();
        let mut users: FxHashMap<Var, BTreeSet<usize>> = FxHashMap::default();
        let mut last_read = FxHashMap::default();
        let mut nodes = Vec::new();
        for (at, stm) in body.stms.drain(..).enumerate() {
            let node = Node::of(vars, facts, stm);
            node.uses.iter().for_each(|&var| _ = users.entry(var).or_default().insert(at));
            let reads = node.reads.iter().filter(|place| made.contains(place));
            last_read.extend(reads.map(|&place| (place, at)));
            nodes.push(Some(node));
        }
        for &atom in &body.result {
            atom.var().into_iter().for_each(|var| _ = users.entry(var).or_default().insert(nodes.len()));
            let aliases = &facts.aliases;
            last_read.extend(aliases.memory(aliases.of_atom(atom)).map(|place| (place, nodes.len())));
        }
        Sinking { nodes, users, last_read, sides: FxHashMap::default() }
    }

    /// Moves the statement at a position into a side of a branch, if that is its only use.
    fn sink(&mut self, vars: &VarTable, cx: &mut Cx, at: usize) {
        let Some(node) = self.nodes[at].as_ref().filter(|node| is_worth_it(vars, &node.stm)) else { return };
        let binders = &node.stm.binders;
        let users = binders.iter().filter_map(|binder| self.users.get(binder)).flatten().copied();
        let users: BTreeSet<usize> = users.collect();
        let (Some(&branch), Some(&last)) = (users.first(), users.last()) else { return };
        if branch != last {
            return self.refuse(vars, cx, at, &users);
        }
        let Some(Some(user)) = self.nodes.get(branch) else { return };
        let Some(sides) = sides_of(&mut self.sides, vars, branch, &user.stm) else { return };
        let uses = |side: &BTreeSet<Var>| binders.iter().any(|binder| side.contains(binder));
        let (in_then, in_otherwise) = (uses(&sides.then), uses(&sides.otherwise));
        let between = || self.nodes[at + 1..branch].iter().flatten();
        let makes_array = |node: &Node| node.stm.binders.iter().any(|&binder| !vars[binder].ty.is_scalar());
        let needed =
            || node.reads.iter().all(|place| self.last_read.get(place).is_none_or(|&last| last >= branch));
        cx.count_visits(branch - at);
        let missing = missing(&[
            (ONE_SIDE, &|| in_then != in_otherwise && !uses(&sides.outside)),
            (CONSUMES_NOTHING, &|| node.consumes.is_empty()),
            (NO_CONSUMPTION_BETWEEN, &|| between().all(|other| other.consumes.is_disjoint(&node.reads))),
            (LIVE_RANGE_NOT_EXTENDED, &|| needed() || !between().any(makes_array)),
        ]);
        if let Some(premise) = missing {
            let name = binders.iter().find_map(|&binder| vars[binder].hint);
            let refusal = Refusal::of(premise).blame(name, node.span());
            cx.refuse(SINK, Refusal { other: user.span(), ..refusal }, &node.stm.origin);
        } else if cx.fire(SINK, &node.stm.origin) {
            let side = if in_then { &mut sides.then } else { &mut sides.otherwise };
            side.extend(&node.uses);
            self.move_into(at, branch, in_then);
        }
    }

    /// Records a refusal for a producer that has several users. If only one side of a branch uses the producer's result,
    /// the refusal is recorded at the first construct there that reads the result.
    fn refuse(&mut self, vars: &VarTable, cx: &mut Cx, at: usize, users: &BTreeSet<usize>) {
        let makes = |node: &&Node| matches!(node.stm.exp, Exp::Screma(_) | Exp::Stream(_));
        if self.nodes[at].as_ref().filter(makes).is_none() {
            return;
        }
        for &branch in users {
            let (Some(made), Some(Some(user))) = (&self.nodes[at], self.nodes.get(branch)) else { continue };
            let Some(sides) = sides_of(&mut self.sides, vars, branch, &user.stm) else { continue };
            let read = |array: &Var| Some((*array, sides.readers.get(array)?));
            let Some((array, reader)) = made.stm.binders.iter().find_map(read) else { continue };
            if sides.then.contains(&array) == sides.otherwise.contains(&array) {
                continue;
            }
            let others = users.iter().filter(|&&other| other != branch);
            let place =
                others.filter_map(|&other| self.nodes.get(other)?.as_ref()?.place_of_use(array)).next();
            let refusal = Refusal::of(ONE_SIDE).blame(vars[array].hint, place);
            cx.refuse(SINK, Refusal { other: made.span(), ..refusal }, reader);
        }
    }

    /// Moves the statement at a position to the start of a side of a branch.
    fn move_into(&mut self, at: usize, branch: usize, in_then: bool) {
        let (Some(mut node), Some(Some(user))) = (self.nodes[at].take(), self.nodes.get_mut(branch)) else {
            return;
        };
        for var in &node.uses {
            let users = self.users.entry(*var).or_default();
            users.remove(&at);
            users.insert(branch);
        }
        for place in &node.reads {
            self.last_read.entry(*place).and_modify(|last| *last = branch.max(*last));
        }
        user.uses.extend(&node.uses);
        user.reads.extend(&node.reads);
        node.stm.origin.add_rule(SINK);
        if let Exp::If { then, otherwise, .. } = &mut user.stm.exp {
            let side = if in_then { then } else { otherwise };
            side.stms.insert(0, node.stm);
        }
    }
}

/// The uses of the statement at a position, if it is a branch.
fn sides_of<'s>(
    known: &'s mut FxHashMap<usize, Sides>,
    vars: &VarTable,
    at: usize,
    stm: &Stm,
) -> Option<&'s mut Sides> {
    Some(match known.entry(at) {
        Entry::Occupied(sides) => sides.into_mut(),
        Entry::Vacant(place) => place.insert(Sides::of(vars, stm)?),
    })
}

/// Whether sinking a statement can pay: the statement produces or views an array, or may take long. An assertion does
/// not sink, since it must fail at its place.
fn is_worth_it(vars: &VarTable, stm: &Stm) -> bool {
    match stm.exp {
        Exp::Assert { .. } => false,
        Exp::Screma(_) | Exp::Stream(_) | Exp::Loop(_) | Exp::Call(..) => true,
        _ => stm.binders.iter().any(|&binder| !vars[binder].ty.is_scalar()),
    }
}

#[cfg(test)]
mod tests;
