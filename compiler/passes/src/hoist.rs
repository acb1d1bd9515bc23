//! # hoist: what is the same in every round is computed once
//!
//! ## Rules (hoist-scalar, hoist-view, hoist-construct)
//!
//! ```text
//!   let xs = loop … do { stms let y = e in … }   -->   let y = e let xs = loop … do { stms in … }
//!   let xs = screma n { map \(p) -> { stms let y = e in … } … }   likewise, of every lambda
//! ```
//!
//! ## Requires
//!
//! What moves is the same in every round: `e` and the types of `y` name nothing that is bound in the body, but
//! for what has been hoisted itself. And:
//!
//! * *harmless*: `e` cannot fail, reads no element by its index, and comes to an end soon, so that it may be
//!   evaluated where the body never is. Scalar arithmetic is harmless but for division by what is
//!   no constant and integer powers; so are slices that lie within their array wherever they are evaluated, not only
//!   where there is a round, other views, and branches, counted loops and constructs whose parts are harmless, as long as constants say that they have few rounds, nested ones taken together. What goes over the
//!   elements of an array that is bound outside, or inside of that over those of its rows, has few rounds if it has few
//!   for each of them: to make that array took as long. Of rows this is said only if constants say that they have
//!   elements: 10¹² rows without any take no time to make. Assertions are not harmless: one that was never reached would
//!   come to fail.
//! * *kept*, of hoist-construct: the arrays are not consumed, since each round would need its own,
//!   and are no results of the body, which make them where they belong.
//!
//! ## Ensures, leaves alone, costs
//!
//! Bodies inside first, so that one run moves a statement as far as it can go. Leaves alone the
//! sides of branches: what they do not need in every case they compute in their case only. What had no round at
//! all pays for one: a few rounds, or a few for each element of an array. Linear in the size of the program times the
//! depth of its nesting.
//!
//! ## Source
//!
//! Loop-invariant code motion as in Aho, Lam, Sethi and Ullman, "Compilers" (2nd ed., 2007), §9.5,
//! with the lambdas of parallel constructs as loops; failing operations stay, as in Futhark.

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::range::{Ranged, Ranges};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, DimSlice, Exp, Function, Lambda, LoopForm, Program, Screma, Sink, Source, Stm, StreamSink,
    Var, VarTable, free_in_exp, free_in_stm, statements,
};
use ravel_prim::BinOp;
use rustc_hash::FxHashSet;

use crate::inline::Calls;
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "hoist",
    about: "Moves what is the same in every round out of loops and lambdas.",
    rules: &[SCALAR, VIEW, CONSTRUCT],
    premises: &[HARMLESS, KEPT],
    run,
};

const SCALAR: &str = "hoist-scalar";
const VIEW: &str = "hoist-view";
const CONSTRUCT: &str = "hoist-construct";

const HARMLESS: Premise = Premise {
    name: "harmless",
    about: "it cannot fail, reads no element by its index, and comes to an end soon, so that it may be done for nothing",
    otherwise: "{} is the same every time, but may fail or take long",
};

const KEPT: Premise = Premise {
    name: "kept",
    about: "the arrays are neither consumed nor given by the body, so that one will do for all rounds",
    otherwise: "{} is the same every time, but each time needs its own",
};

/// The most rounds, those inside of others multiplied, of what is computed where it may not be needed; for each element
/// of an array that it goes over.
const SMALL: i64 = 1024;

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        let aliases = Aliases::of(function, &summaries);
        cx.look(statements(&function.body));
        let ranges = calls.ranges_of(function);
        let Function { vars, body, .. } = function;
        Hoister { vars, aliases: &aliases, ranges, cx }.body(body);
    }
}

struct Hoister<'a> {
    vars: &'a VarTable,
    aliases: &'a Aliases,
    /// What is known before the statement at hand.
    ranges: Ranges,
    cx: &'a mut Cx,
}

impl VisitMut for Hoister<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let mark = self.ranges.enter();
        for mut stm in std::mem::take(&mut body.stms) {
            self.nested(&mut stm.exp);
            for (inside, repeated) in repeated(&mut stm.exp) {
                self.hoist(inside, repeated, &mut body.stms);
            }
            self.ranges.define(self.vars, &stm);
            body.stms.push(stm);
        }
        self.ranges.leave(mark);
    }
}

impl Ranged for Hoister<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Hoister<'_> {
    /// Moves what may move out of a body, behind what is outside already.
    fn hoist(&mut self, mut inside: FxHashSet<Var>, body: &mut Body, outside: &mut Vec<Stm>) {
        self.cx.look(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            let rule = self.rule(&stm).filter(|_| {
                let used = free_in_stm(self.vars, &stm);
                used.iter().all(|var| !inside.contains(var))
            });
            if let Some(rule) = rule
                && self.may_leave(rule, &stm, &body.result)
            {
                stm.origin.add_rule(rule);
                redefine(&mut self.ranges, self.vars, &stm);
                outside.push(stm);
            } else {
                inside.extend(&stm.binders);
                body.stms.push(stm);
            }
        }
    }

    /// The rule that moves statements of this form.
    fn rule(&self, stm: &Stm) -> Option<&'static str> {
        match stm.exp {
            Exp::Slice(..) | Exp::Rearrange(..) => Some(VIEW),
            Exp::Screma(_) | Exp::Stream(_) => Some(CONSTRUCT),
            _ => stm.binders.iter().all(|&binder| self.vars[binder].ty.is_scalar()).then_some(SCALAR),
        }
    }

    /// Do the other premises hold of a statement that is the same in every round?
    fn may_leave(&mut self, rule: &'static str, stm: &Stm, result: &[Atom]) -> bool {
        let arrays = || stm.binders.iter().filter(|&&binder| !self.vars[binder].ty.is_scalar());
        let kept = |&array: &Var| {
            let given = result.iter().any(|&atom| self.aliases.of_atom(atom).contains(&array));
            !self.aliases.is_consumed(array) && !given
        };
        let harmless = is_harmless_once(self.vars, &mut self.ranges, &stm.exp);
        let missing =
            missing(&[(HARMLESS, &|| harmless), (KEPT, &|| rule != CONSTRUCT || arrays().all(kept))]);
        if let Some(premise) = missing {
            let name = stm.binders.first().and_then(|&binder| self.vars[binder].hint);
            let refusal = Refusal::of(premise).blame(name, stm.origin.place());
            self.cx.refuse(rule, refusal, &stm.origin);
            return false;
        }
        self.cx.fire(rule, &stm.origin)
    }
}

/// The bodies inside of an expression that may be evaluated many times, with their parameters.
fn repeated(exp: &mut Exp) -> Vec<(FxHashSet<Var>, &mut Body)> {
    fn inside(lambda: &mut Lambda) -> (FxHashSet<Var>, &mut Body) {
        (lambda.params.iter().copied().collect(), &mut lambda.body)
    }
    match exp {
        Exp::Loop(looped) => {
            let index = match looped.form {
                LoopForm::For { index, .. } => Some(index),
                LoopForm::While(_) => None,
            };
            vec![(looped.params.iter().map(|&(param, _)| param).chain(index).collect(), &mut looped.body)]
        }
        Exp::Screma(screma) => {
            let Screma { map, scans, post, sinks, .. } = &mut **screma;
            let operators = sinks.iter_mut().filter_map(|sink| match sink {
                Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
                Sink::Map | Sink::Write { .. } => None,
            });
            let lambdas = std::iter::once(map)
                .chain(scans.iter_mut().map(|scan| &mut scan.op))
                .chain(post)
                .chain(operators);
            lambdas.map(inside).collect()
        }
        Exp::Stream(stream) => {
            let operators = stream.sinks.iter_mut().filter_map(|sink| match sink {
                StreamSink::Reduce { op, .. } => Some(op),
                StreamSink::Map => None,
            });
            std::iter::once(&mut stream.chunk).chain(operators).map(inside).collect()
        }
        _ => Vec::new(),
    }
}

/// The lambdas of a construct but for its first.
fn behind_map(screma: &Screma) -> impl Iterator<Item = &Lambda> {
    let operators = screma.sinks.iter().filter_map(|sink| match sink {
        Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
        Sink::Map | Sink::Write { .. } => None,
    });
    screma.scans.iter().map(|scan| &scan.op).chain(&screma.post).chain(operators)
}

/// The positions, counts and strides of a slice.
fn slice_operands(dims: &[DimSlice]) -> Vec<Atom> {
    let operands = dims.iter().flat_map(|dim| match *dim {
        DimSlice::Fix(position) => vec![position],
        DimSlice::Range { start, count, stride } => vec![start, count, stride],
    });
    operands.collect()
}

/// Where a statement stands now, less may be known than where it stood.
fn redefine(ranges: &mut Ranges, vars: &VarTable, stm: &Stm) {
    stm.binders.iter().for_each(|&binder| ranges.forget(binder));
    ranges.define(vars, stm);
}

/// May the expression be evaluated where it would not have been, as often as one likes?
pub fn is_harmless(vars: &VarTable, exp: &Exp) -> bool {
    is_harmless_over(vars, &mut Ranges::default(), exp, FxHashSet::default())
}

/// May it be evaluated once, where this is known and it would not have been at all?
fn is_harmless_once(vars: &VarTable, ranges: &mut Ranges, exp: &Exp) -> bool {
    is_harmless_over(vars, ranges, exp, free_in_exp(vars, exp).into_iter().collect())
}

fn is_harmless_over(vars: &VarTable, ranges: &mut Ranges, exp: &Exp, there: FxHashSet<Var>) -> bool {
    let mut search = Harm { vars, ranges, rounds: 1, there, found: false };
    search.exp(exp);
    !search.found
}

/// Looks for what may fail, read elements by index, or not come to an end soon.
struct Harm<'a> {
    vars: &'a VarTable,
    /// What is known where it would be evaluated.
    ranges: &'a mut Ranges,
    /// How often what is looked at is done, for each element of what is gone over.
    rounds: i64,
    /// The arrays whose elements may be gone over.
    there: FxHashSet<Var>,
    found: bool,
}

impl Visit for Harm<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, body: &Body) {
        let mark = self.ranges.enter();
        for stm in &body.stms {
            self.exp(&stm.exp);
            redefine(self.ranges, self.vars, stm);
        }
        self.ranges.leave(mark);
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Atom(Atom::Const(_)) | Exp::Unary(..) | Exp::Compare(..) | Exp::Convert(..) => {}
            Exp::Atom(Atom::Var(var)) => self.found |= !self.vars[*var].ty.is_scalar(),
            Exp::Binary(op, _, b) => {
                let divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow);
                self.found |= divides && !self.divides_safely(*op, *b);
            }
            Exp::Slice(array, dims) => {
                let sizes = &self.vars[*array].ty.shape;
                let operands = slice_operands(dims);
                let is_within = |(dim, &size): (&DimSlice, &Atom)| self.is_within(dim, size, &operands);
                self.found |= !dims.iter().zip(sizes).all(is_within);
            }
            Exp::Rearrange(..) => {}
            Exp::If { cond, then, otherwise } => {
                for (truth, side) in [(true, then), (false, otherwise)] {
                    let mark = self.ranges.enter();
                    self.ranges.assume(self.vars, *cond, truth);
                    self.body(side);
                    self.ranges.leave(mark);
                }
            }
            Exp::Loop(looped) => match looped.form {
                LoopForm::For { bound, .. } => self.rounds(bound, false, FxHashSet::default(), |inside| {
                    let mark = inside.ranges.enter();
                    inside.ranges.looped(inside.vars, looped);
                    inside.body(&looped.body);
                    inside.ranges.leave(mark);
                }),
                LoopForm::While(_) => self.found = true,
            },
            Exp::Screma(screma) => {
                let consumes = |sink: &Sink| matches!(sink, Sink::Write { .. } | Sink::Combine { .. });
                self.found |= screma.sinks.iter().any(consumes);
                let (paid, rows) = (self.is_paid(screma), self.rows(screma));
                self.rounds(screma.width, paid, rows, |inside| {
                    let mark = inside.ranges.enter();
                    inside.ranges.point(inside.vars, screma);
                    inside.body(&screma.map.body);
                    inside.ranges.leave(mark);
                    behind_map(screma).for_each(|lambda| inside.body(&lambda.body));
                });
            }
            _ => self.found = true,
        }
    }
}

impl Harm<'_> {
    /// Does the part of a dimension certainly lie within it? What says so only because it was checked must be the
    /// result of the check.
    fn is_within(&self, dim: &DimSlice, size: Atom, operands: &[Atom]) -> bool {
        let at_most = |a, b, more| self.ranges.at_most_for(self.vars, operands, a, b, more);
        let zero = Atom::i64(0);
        match *dim {
            DimSlice::Fix(position) => at_most(zero, position, 0) && at_most(position, size, -1),
            _ if *dim == DimSlice::whole(size) => true,
            DimSlice::Range { start, count, stride } => {
                let constant = |atom: Atom| match atom {
                    Atom::Const(value) => value.as_i64().map(i128::from),
                    Atom::Var(_) => None,
                };
                let ends = match (constant(stride), constant(start), constant(count)) {
                    (Some(1), Some(start), _) => start >= 0 && at_most(count, size, -start),
                    (Some(1), _, Some(count)) => at_most(zero, start, 0) && at_most(start, size, -count),
                    (Some(-1), ..) => at_most(count, start, 1) && at_most(start, size, -1),
                    (Some(0), ..) => at_most(zero, start, 0) && at_most(start, size, -1),
                    _ => false,
                };
                ends && at_most(zero, count, 0)
            }
        }
    }

    /// The elements, or rows, of what a construct goes over that is there.
    fn rows(&self, screma: &Screma) -> FxHashSet<Var> {
        let is_there = |source: &Source| source.array().is_some_and(|array| self.there.contains(&array));
        let elements = screma.sources.iter().zip(&screma.map.params);
        elements.filter(|(source, _)| is_there(source)).map(|(_, &element)| element).collect()
    }

    /// Are there no more rows in what the construct goes over than elements in an array that is there?
    fn is_paid(&self, screma: &Screma) -> bool {
        let arrays = screma.sources.iter().filter_map(Source::array);
        let has_elements = |&size: &Atom| matches!(size, Atom::Const(size) if size.as_i64() > Some(0));
        arrays
            .filter(|array| self.there.contains(array))
            .any(|array| self.vars[array].ty.row().shape.iter().all(has_elements))
    }

    /// Looks into what is done so many times. Where a constant does not say that it is seldom, it must be *paid*: there
    /// is an array with as many elements; then only these rows are left to be gone over.
    fn rounds(&mut self, times: Atom, paid: bool, rows: FxHashSet<Var>, look: impl FnOnce(&mut Self)) {
        let times = match times {
            Atom::Const(times) => times.as_i64(),
            Atom::Var(_) => None,
        };
        let all = times.and_then(|times| self.rounds.checked_mul(times.max(1)));
        let (rounds, there) = match all.filter(|&all| all <= SMALL) {
            Some(all) => (all, &self.there | &rows),
            None if paid => (self.rounds, rows),
            None => {
                self.found = true;
                return;
            }
        };
        let around = (std::mem::replace(&mut self.rounds, rounds), std::mem::replace(&mut self.there, there));
        look(self);
        (self.rounds, self.there) = around;
    }

    /// Does the operator not fail with this second operand, whatever the first?
    fn divides_safely(&self, op: BinOp, b: Atom) -> bool {
        match b {
            Atom::Const(value) if value.ty().is_float() => true,
            Atom::Const(value) => op != BinOp::Pow && value.bits() != 0,
            Atom::Var(var) => self.vars[var].ty.elem.is_float(),
        }
    }
}

#[cfg(test)]
mod tests;
