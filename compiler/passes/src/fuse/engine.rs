//! Goes over the bodies of a program with one kind of fusion until nothing fuses any more.

use std::collections::BTreeSet;

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::VisitMut;
use ravel_core::{Body, Exp, Function, Origin, Program, Stm, Var, VarTable};

use super::compose::{Bound, Fused, compose};
use super::graph::{Between, Facts, Graph};
use crate::{Cx, Refusal};

/// Two statements that may become one.
pub struct Pair {
    /// The rule that they are a case of.
    pub rule: &'static str,
    /// The first premise of the rule that does not hold.
    pub missing: Option<Refusal>,
    /// Where they stand.
    pub positions: (usize, usize),
    /// What stands between them, as far as it was looked at.
    pub between: Between,
    /// What passes from the first to the second.
    pub fused: Fused,
}

impl Pair {
    /// Two statements of which the second reads what the first maps, in want of this premise or
    /// else of one about what is between.
    pub fn of(
        vars: &VarTable,
        graph: &Graph,
        rule: &'static str,
        positions: (usize, usize),
        mut missing: Option<Refusal>,
        fused: Fused,
    ) -> Pair {
        let mut between = Between::default();
        if missing.is_none() {
            between = graph.between(positions.0, positions.1);
            missing = graph.obstacle(vars, &between, positions.1);
        }
        Pair { rule, missing, positions, between, fused }
    }
}

/// The pairs of earlier statements with the one at a position, the best first.
pub type Pairs = fn(&VarTable, &Facts, &Graph, usize) -> Vec<Pair>;

/// What two statements become, and what it binds.
pub type Compose = fn(&mut VarTable, Stm, Stm, &Fused) -> Option<(Vec<Var>, Exp)>;

/// A kind of fusion: what fuses, and to what.
#[derive(Clone, Copy)]
pub struct Fusion {
    /// What fuses.
    pub pairs: Pairs,
    /// What becomes of it.
    pub compose: Compose,
}

/// Fuses in a whole program.
pub fn fuse_all(program: &mut Program, cx: &mut Cx, fusion: Fusion) {
    in_rounds(program, |function, facts| fuse_once(function, facts, cx, fusion));
}

/// Rewrites every function in rounds, each with analyses made anew, until one says that it changed
/// nothing.
pub fn in_rounds(program: &mut Program, mut round: impl FnMut(&mut Function, &Facts) -> bool) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        loop {
            let facts = Facts { aliases: Aliases::of(function, &summaries), summaries: &summaries };
            if !round(function, &facts) {
                break;
            }
        }
    }
}

/// Two Scremas become one.
pub fn scremas(vars: &mut VarTable, first: Stm, second: Stm, fused: &Fused) -> Option<(Vec<Var>, Exp)> {
    let Bound { binders, screma } = compose(vars, bound(first)?, bound(second)?, fused);
    Some((binders, Exp::Screma(Box::new(screma))))
}

/// Goes over a function once; true if something was fused. The analyses are made once: around a
/// fused statement they stay right, but inside it the element that one lambda gave may now be used
/// many times, so its bodies wait for the next round. What the last round refuses is refused.
fn fuse_once(function: &mut Function, facts: &Facts, cx: &mut Cx, fusion: Fusion) -> bool {
    let Function { vars, body, .. } = function;
    let mut fuser = Fuser { vars, facts, cx, fusion, fused: BTreeSet::new(), refusals: Vec::new() };
    fuser.body(body);
    let Fuser { fused, refusals, cx, .. } = fuser;
    if fused.is_empty() {
        refusals.iter().for_each(|(rule, refusal, origin)| cx.refuse(rule, *refusal, origin));
    }
    !fused.is_empty()
}

struct Fuser<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    cx: &'a mut Cx,
    fusion: Fusion,
    /// The first binders of the statements that were fused.
    fused: BTreeSet<Var>,
    /// The rules, the premises that do not hold, and the statements that stay where they are.
    refusals: Vec<(&'static str, Refusal, Origin)>,
}

impl VisitMut for Fuser<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let constructs = body
            .stms
            .iter()
            .filter(|stm| matches!(stm.exp, Exp::Screma(_) | Exp::Stream(_) | Exp::If { .. }));
        if constructs.count() > 1 {
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
            if stm.binders.first().is_none_or(|binder| !self.fused.contains(binder)) {
                self.stm(stm);
            }
        }
    }
}

impl Fuser<'_> {
    /// Fuses the statement at a position with an earlier one; gives the position of the fusion.
    fn fuse_into(&mut self, graph: &mut Graph, at: usize) -> Option<usize> {
        for pair in (self.fusion.pairs)(self.vars, self.facts, graph, at) {
            self.cx.look(pair.between.looked_at);
            let (first, second) = pair.positions;
            let (earlier, later) = (&graph.node(first)?.stm.origin, &graph.node(second)?.stm.origin);
            if let Some(refusal) = pair.missing {
                let other = earlier.spans.first().copied();
                self.refusals.push((pair.rule, Refusal { other, ..refusal }, later.clone()));
                continue;
            }
            let mut origin = later.union(earlier);
            if !self.cx.fire(pair.rule, &origin) {
                continue;
            }
            origin.rules.push(pair.rule);
            let (first, second) = graph.take(first, second)?;
            let (binders, exp) = (self.fusion.compose)(self.vars, first, second, &pair.fused)?;
            self.fused.extend(binders.first());
            let stm = Stm { binders, exp, origin };
            return Some(graph.join(self.vars, self.facts, pair.positions, &pair.between, stm));
        }
        None
    }
}

/// A statement that is a Screma, taken apart.
fn bound(stm: Stm) -> Option<Bound> {
    match stm.exp {
        Exp::Screma(screma) => Some(Bound { binders: stm.binders, screma: *screma }),
        _ => None,
    }
}
