//! # fuse-vertical: one traversal instead of two
//!
//! ## Rules (map-map, map-reduce, map-scan, map-write, map-combine, scan-map)
//!
//! ```text
//!   let xs, os = screma n { P to map to … }         the producer
//!   stms
//!   let ys = screma n { from xs, … C }              the consumer
//!   --------------------------------------------
//!   stms
//!   let ys, os = screma n { C ∘ P }
//! ```
//!
//! The rule is named after what the consumer does with what the producer maps; scan-map has a
//! producer that scans, behind which the consumer's map goes into the post lambda. How the two
//! are put together stands in [`super::compose`]. The widths are one because a source has the
//! width as its outer size.
//!
//! ## Requires
//!
//! * *map-result*: `xs` is what a map sink made, not a reduced or a written array.
//! * *used-once*: only the consumer uses `xs`, and only as sources.
//! * *independent*: the consumer uses no other result of the producer: those are not there before
//!   the whole traversal is over.
//! * *unused-between*: `stms` use no result of the producer, since it moves behind them.
//! * *no-consumption-between*: `stms` consume nothing that the producer reads.
//! * *target-not-read*: the consumer writes into nothing that the producer reads. Apart, all reads
//!   come before all writes; together, they take turns.
//! * *one-scan*: not both scan.
//!
//! ## Ensures, leaves alone, costs
//!
//! The array `xs` is never made, and nothing is computed twice. Consumers of the same array are
//! left alone: fusing them side by side is another pass. Linear in the statements between.
//!
//! ## Paper
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming
//! with Nested Parallelism and In-Place Array Updates" (PLDI 2017), whose rules for each pair of
//! operators are here one composition, since sources and sinks are data.

use std::collections::BTreeSet;

use ravel_core::alias::{Aliases, Summaries, consumed_by};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Body, Exp, Function, Origin, Program, Screma, Sink, Source, Stm, Uses, Var, VarTable, free_in_exp,
    free_in_stm,
};

use super::compose::{Bound, compose};
use crate::{Cx, Pass};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-vertical",
    about: "Fuses a parallel construct with the one that reads what it maps.",
    rules: &["map-map", "map-reduce", "map-scan", "map-write", "map-combine", "scan-map"],
    run,
};

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        loop {
            let (fused, refusals) = round(function, &summaries, cx);
            if !fused {
                refusals.iter().for_each(|(rule, premise, origin)| cx.refuse(rule, premise, origin));
                break;
            }
        }
    }
}

/// A rule, the premise that does not hold, and where.
type Refusal = (&'static str, &'static str, Origin);

/// Goes over a function once; true if something was fused, with what was not. The analyses are
/// made once. Around a fused statement variables keep their places and uses only become fewer, so
/// that a pair refused here may fuse in the next round; but inside it the element that one
/// lambda gave may now be used many times, so its bodies wait for the next round. What the last
/// round refuses is refused.
fn round(function: &mut Function, summaries: &Summaries, cx: &mut Cx) -> (bool, Vec<Refusal>) {
    let facts = Facts { aliases: Aliases::of(function, summaries), uses: Uses::of(function), summaries };
    let Function { vars, body, .. } = function;
    let mut fuser = Fuser { vars, facts: &facts, cx, fused: BTreeSet::new(), refusals: Vec::new() };
    fuser.body(body);
    (!fuser.fused.is_empty(), fuser.refusals)
}

struct Facts<'a> {
    aliases: Aliases,
    uses: Uses,
    summaries: &'a Summaries,
}

struct Fuser<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    cx: &'a mut Cx,
    /// The first binders of the statements that were fused.
    fused: BTreeSet<Var>,
    refusals: Vec<Refusal>,
}

impl VisitMut for Fuser<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let mut at = 0;
        while at < body.stms.len() {
            // A fused statement moves up to where the next one was; it may fuse again.
            if self.fuse_into(body, at) {
                at -= 1;
                self.fused.extend(body.stms[at].binders.first());
            } else {
                at += 1;
            }
        }
        for stm in &mut body.stms {
            if stm.binders.first().is_none_or(|binder| !self.fused.contains(binder)) {
                self.stm(stm);
            }
        }
    }
}

impl Fuser<'_> {
    /// Fuses the statement at `consumer` with one of its producers; true if there was one.
    fn fuse_into(&mut self, body: &mut Body, consumer: usize) -> bool {
        let Exp::Screma(screma) = &body.stms[consumer].exp else { return false };
        let producers: BTreeSet<usize> =
            screma.sources.iter().filter_map(|source| producer(&body.stms[..consumer], source)).collect();
        // The nearest first: fewer statements lie between.
        for producer in producers.into_iter().rev() {
            let pair = Pair::of(&body.stms, producer, consumer);
            let Some(pair) = pair else { continue };
            let origin = body.stms[consumer].origin.union(&body.stms[producer].origin);
            let rule = pair.rule();
            if let Some(premise) = pair.missing(self.vars, self.facts) {
                self.refusals.push((rule, premise, origin));
            } else if self.cx.fire(rule, &origin) {
                let fused = pair.fused;
                let mut first = body.stms.remove(producer);
                let second = &mut body.stms[consumer - 1];
                second.origin = origin;
                second.origin.rules.push(rule);
                let bound = |stm: &mut Stm| {
                    let exp = std::mem::replace(&mut stm.exp, Exp::Scratch);
                    let binders = std::mem::take(&mut stm.binders);
                    match exp {
                        Exp::Screma(screma) => Some(Bound { binders, screma: *screma }),
                        _ => None,
                    }
                };
                if let (Some(first), Some(last)) = (bound(&mut first), bound(second)) {
                    let Bound { binders, screma } = compose(self.vars, first, last, &fused);
                    second.binders = binders;
                    second.exp = Exp::Screma(Box::new(screma));
                }
                return true;
            }
        }
        false
    }
}

/// The Screma among the statements that binds this source.
fn producer(stms: &[Stm], source: &Source) -> Option<usize> {
    let Source::Array(array) = source else { return None };
    let at = stms.iter().rposition(|stm| stm.binders.contains(array))?;
    matches!(stms[at].exp, Exp::Screma(_)).then_some(at)
}

/// A consumer, one of its producers, and what stands between.
struct Pair<'a> {
    producer: &'a Stm,
    first: &'a Screma,
    between: &'a [Stm],
    consumer: &'a Stm,
    second: &'a Screma,
    /// The results of the producer that are sources of the consumer.
    fused: Vec<Var>,
}

impl<'a> Pair<'a> {
    fn of(stms: &'a [Stm], producer: usize, consumer: usize) -> Option<Pair<'a>> {
        let between = &stms[producer + 1..consumer];
        let (producer, consumer) = (&stms[producer], &stms[consumer]);
        let (Exp::Screma(first), Exp::Screma(second)) = (&producer.exp, &consumer.exp) else { return None };
        let is_source = |binder: &&Var| second.sources.contains(&Source::Array(**binder));
        let fused = producer.binders.iter().filter(is_source).copied().collect();
        Some(Pair { producer, first, between, consumer, second, fused })
    }

    /// The rule that this pair is a case of.
    fn rule(&self) -> &'static str {
        let has = |test: fn(&Sink) -> bool| self.second.sinks.iter().any(test);
        if !self.first.scans.is_empty() {
            "scan-map"
        } else if !self.second.scans.is_empty() {
            "map-scan"
        } else if has(|sink| matches!(sink, Sink::Write { .. })) {
            "map-write"
        } else if has(|sink| matches!(sink, Sink::Combine { .. })) {
            "map-combine"
        } else if has(|sink| matches!(sink, Sink::Reduce { .. })) {
            "map-reduce"
        } else {
            "map-map"
        }
    }

    /// The first premise that does not hold.
    fn missing(&self, vars: &VarTable, facts: &Facts) -> Option<&'static str> {
        let premises: [(&'static str, bool); 7] = [
            ("map-result", self.map_result()),
            ("used-once", self.used_once(facts)),
            ("independent", self.independent(vars)),
            ("unused-between", self.unused_between(vars)),
            ("no-consumption-between", self.no_consumption_between(vars, facts)),
            ("target-not-read", self.target_not_read(vars, facts)),
            ("one-scan", self.first.scans.is_empty() || self.second.scans.is_empty()),
        ];
        premises.into_iter().find(|(_, holds)| !holds).map(|(name, _)| name)
    }

    fn map_result(&self) -> bool {
        let mut mapped: BTreeSet<&Var> = BTreeSet::new();
        let mut at = 0;
        for sink in &self.first.sinks {
            if matches!(sink, Sink::Map) {
                mapped.extend(self.producer.binders.get(at));
            }
            at += sink.results();
        }
        self.fused.iter().all(|array| mapped.contains(array))
    }

    fn used_once(&self, facts: &Facts) -> bool {
        self.fused.iter().all(|&array| {
            let as_source = self.second.sources.iter().filter(|source| **source == Source::Array(array));
            facts.uses.count(array) == as_source.count()
        })
    }

    /// The results of the producer that remain.
    fn others(&self) -> impl Iterator<Item = &Var> {
        self.producer.binders.iter().filter(|binder| !self.fused.contains(binder))
    }

    fn independent(&self, vars: &VarTable) -> bool {
        let used = free_in_exp(vars, &self.consumer.exp);
        self.others().all(|other| !used.contains(other))
    }

    fn unused_between(&self, vars: &VarTable) -> bool {
        self.between.iter().all(|stm| {
            let used = free_in_stm(vars, stm);
            self.producer.binders.iter().all(|binder| !used.contains(binder))
        })
    }

    fn no_consumption_between(&self, vars: &VarTable, facts: &Facts) -> bool {
        let mut consumed = Consumed { facts, arrays: Vec::new() };
        self.between.iter().for_each(|stm| consumed.stm(stm));
        self.reads_none_of(vars, facts, &consumed.arrays)
    }

    fn target_not_read(&self, vars: &VarTable, facts: &Facts) -> bool {
        let targets = consumed_by(&self.consumer.exp, &facts.aliases, facts.summaries);
        self.reads_none_of(vars, facts, &targets)
    }

    /// The producer reads none of these arrays, under whatever name.
    fn reads_none_of(&self, vars: &VarTable, facts: &Facts, arrays: &[Var]) -> bool {
        let read = free_in_exp(vars, &self.producer.exp);
        !read.iter().any(|&read| arrays.iter().any(|&array| facts.aliases.may_share(read, array)))
    }
}

/// Collects the arrays that statements consume, nested ones included.
struct Consumed<'a> {
    facts: &'a Facts<'a>,
    arrays: Vec<Var>,
}

impl Visit for Consumed<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn exp(&mut self, exp: &Exp) {
        self.arrays.extend(consumed_by(exp, &self.facts.aliases, self.facts.summaries));
        match exp {
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
            }
            Exp::Loop(looped) => self.looped(looped),
            Exp::Screma(screma) => self.screma(screma),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
