//! The driver of the fusion passes: applies one kind of fusion to all bodies of a program until nothing fuses.

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Body, Exp, Function, Origin, Program, Stm, Var, VarTable, statements};
use rustc_hash::FxHashSet;

use super::compose::{Bound, FusedArrays, compose};
use super::graph::{Facts, Graph, Node, StatementsBetween};
use crate::{Cx, Refusal};

/// Two statements that may fuse.
pub struct Pair {
    /// The rule for them.
    pub rule: &'static str,
    /// The first premise of the rule that does not hold.
    pub missing: Option<Refusal>,
    /// The statements between them that matter.
    pub between: StatementsBetween,
    /// The arrays that pass from the first to the second.
    pub fused: FusedArrays,
}

impl Pair {
    /// A pair whose second statement reads mapped results of the first. `missing` is the first premise about the two
    /// statements that fails. If there is none, this function tests the premises about the statements between them. `None`
    /// if there are too many statements between them.
    pub fn of(
        vars: &VarTable,
        graph: &Graph,
        rule: &'static str,
        positions: (usize, usize),
        mut missing: Option<Refusal>,
        fused: FusedArrays,
    ) -> Option<Pair> {
        let mut between = StatementsBetween::default();
        if missing.is_none() {
            between = graph.statements_between(positions.0, positions.1)?;
            missing = graph.obstacle(vars, &between, positions);
        }
        Some(Pair { rule, missing, between, fused })
    }
}

/// Whether a body has statements of the forms that fuse: most bodies do not, and need no graph.
pub type HasCandidates = fn(&Body) -> bool;

/// The positions of earlier statements with which the one at a position may fuse, the best first.
pub type Partners = fn(&VarTable, &Graph, usize) -> Vec<usize>;

/// The pair of the statements at two positions, if they match a rule.
pub type PairAt = fn(&VarTable, &Graph, (usize, usize)) -> Option<Pair>;

/// The fusion of two statements: its binders and its expression.
pub type Compose = fn(&mut VarTable, Stm, Stm, &FusedArrays) -> Option<(Vec<Var>, Exp)>;

/// A kind of fusion.
#[derive(Clone, Copy)]
pub struct Fusion {
    /// Whether a body has statements of the forms that fuse.
    pub has_candidates: HasCandidates,
    /// The candidates for fusion with a statement.
    pub partners: Partners,
    /// Decides about a candidate; called for each until one fuses.
    pub pair: PairAt,
    /// Builds the fused statement.
    pub compose: Compose,
}

/// Fuses statements in a whole program.
pub fn fuse_all(program: &mut Program, cx: &mut Cx, fusion: Fusion) {
    repeat_rounds(program, cx, fusion.has_candidates, |function, facts, cx, round| {
        let Function { vars, body, .. } = function;
        Fuser { vars, facts, cx, fusion, round }.body(body);
    });
}

/// The record of one round over a function.
#[derive(Default)]
pub struct Round {
    /// The variables bound by statements created in this round.
    created: FxHashSet<Var>,
    /// The refusals, each with its rule and the origin of the statement.
    refusals: Vec<(&'static str, Refusal, Origin)>,
}

impl Round {
    /// Records a new node. The analyses of the round have no facts about its binders. Their other facts stay true, except
    /// the number of uses of an element inside the node: it may grow from one to several.
    pub fn record(&mut self, node: &Node) {
        self.created.extend(node.binders());
    }

    /// Whether the statement was created in this round, so that it may fuse only in the next one.
    pub fn is_new(&self, stm: &Stm) -> bool {
        stm.binders.iter().any(|binder| self.created.contains(binder))
    }

    /// Records a refusal. Only the refusals of the last round are reported, because a later round may fuse what an earlier
    /// round refused.
    pub fn refuse(&mut self, rule: &'static str, refusal: Refusal, origin: &Origin) {
        self.refusals.push((rule, refusal, origin.clone()));
    }
}

/// Rewrites every function that has a body with candidates. Rounds, each with fresh analyses, repeat until one creates
/// nothing.
pub fn repeat_rounds(
    program: &mut Program,
    cx: &mut Cx,
    has_candidates: HasCandidates,
    mut go: impl FnMut(&mut Function, &Facts, &mut Cx, &mut Round),
) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        let mut search = Search { has_candidates, found: false };
        search.body(&function.body);
        if !search.found {
            continue;
        }
        loop {
            let facts = Facts { aliases: Aliases::of(function, &summaries), summaries: &summaries };
            cx.count_visits(statements(&function.body));
            let mut round = Round::default();
            go(function, &facts, cx, &mut round);
            if round.created.is_empty() {
                let refusals = round.refusals.iter();
                refusals.for_each(|(rule, refusal, origin)| cx.refuse(rule, *refusal, origin));
                break;
            }
        }
    }
}

/// Searches for a body with candidates.
struct Search {
    has_candidates: HasCandidates,
    found: bool,
}

impl Visit for Search {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        self.found |= (self.has_candidates)(body);
        if !self.found {
            body.stms.iter().for_each(|stm| self.stm(stm));
        }
    }
}

/// Whether a body has at least this many statements of a form.
pub fn has(body: &Body, at_least: usize, form: impl Fn(&Exp) -> bool) -> bool {
    body.stms.iter().filter(|stm| form(&stm.exp)).take(at_least).count() == at_least
}

/// Fuses two scremas.
pub fn scremas(vars: &mut VarTable, first: Stm, second: Stm, fused: &FusedArrays) -> Option<(Vec<Var>, Exp)> {
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
        if (self.fusion.has_candidates)(body) {
            self.cx.count_visits(body.stms.len());
            let mut graph = Graph::of(self.vars, self.facts, body);
            let mut at = 0;
            while at < graph.positions() {
                // The fused statement may fuse again.
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
    /// Fuses the statement at a position with an earlier one; returns the position of the result.
    fn fuse_into(&mut self, graph: &mut Graph, at: usize) -> Option<usize> {
        for first in (self.fusion.partners)(self.vars, graph, at) {
            let Some(pair) = (self.fusion.pair)(self.vars, graph, (first, at)) else { continue };
            self.cx.count_visits(pair.between.examined);
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
            self.round.record(graph.node(at)?);
            return Some(at);
        }
        None
    }
}

/// A screma statement as its binders and construct.
pub fn bound(stm: Stm) -> Option<Bound> {
    match stm.exp {
        Exp::Screma(screma) => Some(Bound { binders: stm.binders, screma: *screma }),
        _ => None,
    }
}
