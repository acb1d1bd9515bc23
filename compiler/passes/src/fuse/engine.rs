//! Goes over the bodies of a program with one kind of fusion until nothing fuses any more.

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Body, Exp, Function, Origin, Program, Stm, Var, VarTable, statements};
use rustc_hash::FxHashSet;

use super::compose::{Bound, Fused, compose};
use super::graph::{Between, Facts, Graph, Node};
use crate::{Cx, Refusal};

/// Two statements that may become one.
pub struct Pair {
    /// The rule that they are a case of.
    pub rule: &'static str,
    /// The first premise of the rule that does not hold.
    pub missing: Option<Refusal>,
    /// What stands between them, as far as it was looked at.
    pub between: Between,
    /// What passes from the first to the second.
    pub fused: Fused,
}

impl Pair {
    /// Two statements of which the second reads what the first maps, in want of this premise or
    /// else of one about what is between; `None` if there is too much between to tell.
    pub fn of(
        vars: &VarTable,
        graph: &Graph,
        rule: &'static str,
        positions: (usize, usize),
        mut missing: Option<Refusal>,
        fused: Fused,
    ) -> Option<Pair> {
        let mut between = Between::default();
        if missing.is_none() {
            between = graph.between(positions.0, positions.1)?;
            missing = graph.obstacle(vars, &between, positions);
        }
        Some(Pair { rule, missing, between, fused })
    }
}

/// Whether a kind of fusion may have something to do in a body itself, by the forms of its statements: most bodies of
/// most programs need no graph.
pub type Wanted = fn(&Body) -> bool;

/// The positions of earlier statements with which the one at a position may become one, the best first.
pub type Partners = fn(&VarTable, &Graph, usize) -> Vec<usize>;

/// The pair of the statements at two positions, if they are one.
pub type Paired = fn(&VarTable, &Graph, (usize, usize)) -> Option<Pair>;

/// What two statements become, and what it binds.
pub type Compose = fn(&mut VarTable, Stm, Stm, &Fused) -> Option<(Vec<Var>, Exp)>;

/// A kind of fusion: what fuses, and to what.
#[derive(Clone, Copy)]
pub struct Fusion {
    /// Whether a body has statements of the forms that fuse.
    pub wanted: Wanted,
    /// With what a statement may fuse.
    pub partners: Partners,
    /// Whether it does; asked of one partner after the other until it does.
    pub pair: Paired,
    /// What becomes of it.
    pub compose: Compose,
}

/// Fuses in a whole program.
pub fn fuse_all(program: &mut Program, cx: &mut Cx, fusion: Fusion) {
    in_rounds(program, cx, fusion.wanted, |function, facts, cx, round| {
        let Function { vars, body, .. } = function;
        Fuser { vars, facts, cx, fusion, round }.body(body);
    });
}

/// What one round over a function did, and what it did not do.
#[derive(Default)]
pub struct Round {
    /// What the statements bind that were made in it.
    made: FxHashSet<Var>,
    /// The rules, the premises that do not hold, and the statements that stay where they are.
    refusals: Vec<(&'static str, Refusal, Origin)>,
}

impl Round {
    /// A node was made. Around it the analyses stay right, but they do not know what it binds; and inside
    /// it, the element that one lambda gave may now be used many times.
    pub fn made(&mut self, node: &Node) {
        self.made.extend(node.binders());
    }

    /// Was the statement made in this round? Then it waits for the next one.
    pub fn is_new(&self, stm: &Stm) -> bool {
        stm.binders.iter().any(|binder| self.made.contains(binder))
    }

    /// Two statements do not become one. Said of the last round alone, for what another one refuses may come to be.
    pub fn refuse(&mut self, rule: &'static str, refusal: Refusal, origin: &Origin) {
        self.refusals.push((rule, refusal, origin.clone()));
    }
}

/// Rewrites every function with a body where this is wanted, in rounds, each with analyses made anew, until one makes
/// nothing.
pub fn in_rounds(
    program: &mut Program,
    cx: &mut Cx,
    wanted: Wanted,
    mut go: impl FnMut(&mut Function, &Facts, &mut Cx, &mut Round),
) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        let mut search = Search { wanted, found: false };
        search.body(&function.body);
        if !search.found {
            continue;
        }
        loop {
            let facts = Facts { aliases: Aliases::of(function, &summaries), summaries: &summaries };
            cx.look(statements(&function.body));
            let mut round = Round::default();
            go(function, &facts, cx, &mut round);
            if round.made.is_empty() {
                let refusals = round.refusals.iter();
                refusals.for_each(|(rule, refusal, origin)| cx.refuse(rule, *refusal, origin));
                break;
            }
        }
    }
}

/// Looks for a body in which something is wanted.
struct Search {
    wanted: Wanted,
    found: bool,
}

impl Visit for Search {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        self.found |= (self.wanted)(body);
        if !self.found {
            body.stms.iter().for_each(|stm| self.stm(stm));
        }
    }
}

/// Does a body have so many statements of some form?
pub fn has(body: &Body, at_least: usize, form: impl Fn(&Exp) -> bool) -> bool {
    body.stms.iter().filter(|stm| form(&stm.exp)).take(at_least).count() == at_least
}

/// Two Scremas become one.
pub fn scremas(vars: &mut VarTable, first: Stm, second: Stm, fused: &Fused) -> Option<(Vec<Var>, Exp)> {
    let Bound { binders, screma } = compose(vars, bound(first)?, bound(second)?, fused);
    Some((binders, Exp::Screma(Box::new(screma))))
}

struct Fuser<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    cx: &'a mut Cx,
    fusion: Fusion,
    round: &'a mut Round,
}

impl VisitMut for Fuser<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        if (self.fusion.wanted)(body) {
            self.cx.look(body.stms.len());
            let mut graph = Graph::of(self.vars, self.facts, body);
            let mut at = 0;
            while at < graph.positions() {
                // What was fused may fuse again.
                at = self.fuse_into(&mut graph, at).unwrap_or(at + 1);
            }
            body.stms = graph.finish();
        }
        for stm in &mut body.stms {
            if !self.round.is_new(stm) {
                self.stm(stm);
            }
        }
    }
}

impl Fuser<'_> {
    /// Fuses the statement at a position with an earlier one; gives the position of the fusion.
    fn fuse_into(&mut self, graph: &mut Graph, at: usize) -> Option<usize> {
        for first in (self.fusion.partners)(self.vars, graph, at) {
            let Some(pair) = (self.fusion.pair)(self.vars, graph, (first, at)) else { continue };
            self.cx.look(pair.between.looked_at);
            let (earlier, later) = (&graph.node(first)?.stm.origin, &graph.node(at)?.stm.origin);
            if let Some(refusal) = pair.missing {
                let consumer = graph.node(at)?;
                let at = pair.fused.arrays.iter().find_map(|&array| consumer.place_of_element(array));
                self.round.refuse(pair.rule, Refusal { other: earlier.place(), at, ..refusal }, later);
                continue;
            }
            let mut origin = later.union(earlier);
            if !self.cx.fire_with(pair.rule, earlier, &origin) {
                continue;
            }
            origin.add_rule(pair.rule);
            let at = graph.unite((first, at), &pair.between, |earlier, later| {
                let (binders, exp) = (self.fusion.compose)(self.vars, earlier, later, &pair.fused)?;
                Some(Stm { binders, exp, origin })
            })?;
            self.round.made(graph.node(at)?);
            return Some(at);
        }
        None
    }
}

/// A statement that is a Screma, taken apart.
pub fn bound(stm: Stm) -> Option<Bound> {
    match stm.exp {
        Exp::Screma(screma) => Some(Bound { binders: stm.binders, screma: *screma }),
        _ => None,
    }
}
