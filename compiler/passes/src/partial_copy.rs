//! # partial-copy: copy no elements that the next loop overwrites
//!
//! ## Rule
//!
//! ```text
//!   let c = copy xs  S  let ys = loop (p = c) for k < n - 1 do { B let q = p with [k + 1] = y in q }
//!   ------------------------------------------------------------------------------------------------
//!   S  let s = scratch  let x = xs[0]  let c = s with [0] = x
//!   let ys = loop (p = c) for k < n - 1 do { B let q = p with [k + 1] = y in q }
//! ```
//!
//! * *partial-copy*: a copy that a loop overwrites has only the elements that the loop leaves.
//!
//! Programs copy an array to get one of its size, which a loop then fills. After the rewrite, the code reads single
//! elements of `xs`, and `fuse-reads` need not store it.
//!
//! ## Requires
//!
//! * *overwritten*: the loop overwrites all elements but the first few, which are known to exist.
//! * *unchanged*: nothing consumes the original between the copy and the loop.
//!
//! The copy has no other use, and an iteration reads of `p` only elements that are copied or written before. The statement
//! is within a point of a construct.
//!
//! ## Ensures
//!
//! The code reads a constant number of elements of `xs`.
//!
//! ## Leaves alone
//!
//! Code of the host, where a copy is made in parallel. Arrays of several dimensions.
//!
//! ## Costs
//!
//! Linear in the size of the function.
//!
//! ## Source
//!
//! Dead store elimination for ranges of elements, as in `partial-fill`.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xss: [n][8]f64) -> (out: [n][8]f64) = {
//!   let out2: [n][8]f64 = screma n {
//!     from xss
//!     map \(xs: [8]f64) -> {
//!       let c: [8]f64 = copy xs
//!       let u: f64 = xs[0]
//!       let (s: f64, ys: [8]f64) = loop (a: f64 = u, p: [8]f64 = c) for k: i64 < 7 do {
//!         let i: i64 = add k 1
//!         let x: f64 = xs[i]
//!         let b: f64 = add a x
//!         let q: [8]f64 = p with [i] = b
//!         in (b, q)
//!       }
//!       in ys
//!     }
//!     to map
//!   }
//!   in out2
//! }
//! entry main = main (xss) -> (*out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xss_1: [n_0][8]f64) -> (out_2: [n_0][8]f64) = {
//!   let out2_3: [n_0][8]f64 = screma n_0 {
//!     from xss_1
//!     map \(xs_4: [8]f64) -> {
//!       let u_5: f64 = xs_4[0i64]
//!       let v6: [8]f64 = scratch
//!       let v7: f64 = xs_4[0i64]
//!       let v8: [8]f64 = v6 with [0i64] = v7
//!       let c_9: [8]f64 = v8
//!       let (s_10: f64, ys_11: [8]f64) = loop (a_12: f64 = u_5, p_13: [8]f64 = c_9) for k_14: i64 < 7i64 do {
//!         let i_15: i64 = add k_14 1i64
//!         let x_16: f64 = xs_4[i_15]
//!         let b_17: f64 = add a_12 x_16
//!         let q_18: [8]f64 = p_13 with [i_15] = b_17
//!         in (b_17, q_18)
//!       }
//!       in ys_11
//!     }
//!     to map
//!   }
//!   in out2_3
//! }
//! entry main = main (xss_1) -> (*out_2)
//! ```

use ravel_core::alias::{Aliases, Summaries, consumed_in};
use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Function, Loop, LoopForm, Program, Stm, Uses, Var, VarTable,
    any_statement, statements,
};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::checked::{Check, Checked, pass};
use crate::inline::Calls;
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `partial-copy`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "partial-copy",
    about: "Copies only the elements of an array that the next loop does not overwrite.",
    rules: &[RULE],
    premises: &[OVERWRITTEN, UNCHANGED],
    run,
};

const RULE: &str = "partial-copy";

const OVERWRITTEN: Premise = Premise {
    name: "overwritten",
    about: "the loop overwrites all elements but the first few, which are known to exist",
    otherwise: "the loop may leave elements of {}",
};

const UNCHANGED: Premise = Premise {
    name: "unchanged",
    about: "nothing consumes the original between the copy and the loop",
    otherwise: "the original of {} is overwritten before the loop",
};

/// The maximum number of elements that are copied one by one.
const MAX_LEFT: i64 = 4;

fn run(program: &mut Program, cx: &mut Cx) {
    let calls = Calls::of(&program.functions);
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        cx.count_visits(statements(&function.body));
        if !any_statement(&function.body, &|stm| matches!(stm.exp, Exp::Copy(_))) {
            continue;
        }
        let uses = Uses::of(function);
        let aliases = Aliases::of(function, &summaries);
        let ranges = calls.ranges_of(function);
        let Function { vars, body, .. } = function;
        Rewriter {
            vars,
            uses,
            aliases: &aliases,
            summaries: &summaries,
            ranges,
            checked: Checked::default(),
            points: 0,
            cx,
        }
        .body(body);
    }
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    uses: Uses,
    aliases: &'a Aliases,
    summaries: &'a Summaries,
    ranges: Ranges,
    checked: Checked,
    /// The number of map lambdas around the current place.
    points: usize,
    cx: &'a mut Cx,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let (mark, checked) = (self.ranges.enter(), self.checked.enter());
        let mut copies: FxHashMap<Var, usize> = FxHashMap::default();
        let mut partial = Vec::new();
        for at in 0..body.stms.len() {
            let inside = usize::from(matches!(body.stms[at].exp, Exp::Screma(_)));
            self.points += inside;
            self.nested(&mut body.stms[at].exp);
            self.points -= inside;
            let stm = &body.stms[at];
            match &stm.exp {
                Exp::Copy(_) if self.is_vector_of_one_use(stm.binders[0]) => {
                    copies.insert(stm.binders[0], at);
                }
                Exp::Loop(looped) => {
                    for param in 0..looped.params.len() {
                        partial.extend(self.partial(&copies, &body.stms[..=at], looped, param));
                    }
                }
                _ => {}
            }
            self.ranges.define(self.vars, stm);
            self.checked.add(self.vars, stm);
        }
        self.ranges.leave(mark);
        self.checked.leave(checked);
        self.rewrite(&mut body.stms, partial);
    }
}

/// A copy of which only some elements are needed.
struct Partial {
    /// The position of the copy.
    copy: usize,
    /// The position of the loop.
    looped: usize,
    /// The number of first elements that the loop leaves.
    left: i64,
    /// The check that says so.
    check: Option<Check>,
}

impl VisitWithFacts for Rewriter<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Rewriter<'_> {
    /// Whether the code of a point uses this array of one dimension once.
    fn is_vector_of_one_use(&self, array: Var) -> bool {
        self.points > 0 && self.vars[array].ty.rank() == 1 && self.uses.count(array) == 1
    }

    /// If the initial value of this parameter of the loop, which is the last of these statements, is one of the copies: whether
    /// the copy may be a partial one.
    fn partial(
        &mut self,
        copies: &FxHashMap<Var, usize>,
        stms: &[Stm],
        looped: &Loop,
        param: usize,
    ) -> Option<Partial> {
        let (_, Atom::Var(init)) = looped.params[param] else { return None };
        let &copy = copies.get(&init)?;
        let left = self.first_written(looped, param)?;
        let Exp::Copy(original) = stms[copy].exp else { return None };
        let mut between = consumed_in(&stms[copy..], self.aliases, self.summaries);
        between.retain(|&consumed| consumed != init);
        let is_overwritten = |ranges: &Ranges| is_overwritten(self.vars, ranges, looped, init, left);
        let is_proved_by = |check: &&Check| {
            let mut ranges = self.ranges.clone();
            ranges.assume(self.vars, check.0, true);
            is_overwritten(&ranges)
        };
        let is_sure = is_overwritten(&self.ranges);
        let check = if is_sure { None } else { self.checked.latest().find(is_proved_by).cloned() };
        let missing = missing(&[
            (OVERWRITTEN, &|| is_sure || check.is_some()),
            (UNCHANGED, &|| !between.iter().any(|&consumed| self.aliases.vars_may_alias(consumed, original))),
        ]);
        if let Some(premise) = missing {
            let refusal = Refusal::of(premise).blame(self.vars[init].hint, stms[copy].origin.place());
            self.cx.refuse(RULE, refusal, &stms[stms.len() - 1].origin);
            return None;
        }
        Some(Partial { copy, looped: stms.len() - 1, left, check })
    }

    /// If all that an iteration does with this parameter is to overwrite the element at its counter plus a constant, and to
    /// read elements before it: the constant.
    fn first_written(&self, looped: &Loop, at: usize) -> Option<i64> {
        let LoopForm::For { index: counter, .. } = looped.form else { return None };
        let body = &looped.body;
        let (param, _) = looped.params[at];
        let next = body.result[at].var()?;
        let update = body.stms.iter().find(|stm| stm.binders.contains(&next))?;
        let Exp::Update { array, slice, .. } = &update.exp else { return None };
        let &[DimSlice::Fix(index)] = &slice[..] else { return None };
        let first = self.distance(body, counter, index)?;
        let is_earlier = |stm: &&Stm| match &stm.exp {
            Exp::Index(array, indices) if *array == param => {
                self.distance(body, counter, indices[0]).is_some_and(|distance| distance < first)
            }
            _ => false,
        };
        let reads = body.stms.iter().filter(is_earlier).count();
        let is_all = *array == param && self.uses.count(param) == 1 + reads && self.uses.count(next) == 1;
        (is_all && first >= 0).then_some(first)
    }

    /// The difference between an index and the counter of a loop, if it is a constant.
    fn distance(&self, body: &Body, counter: Var, index: Atom) -> Option<i64> {
        if index == Atom::Var(counter) {
            return Some(0);
        }
        let definition = body.stms.iter().find(|stm| stm.binders.first().copied() == index.var())?;
        match definition.exp {
            Exp::Binary(BinOp::Add, a, b) => {
                let (moved, by) = match self.constant(b) {
                    Some(by) => (a, by),
                    None => (b, self.constant(a)?),
                };
                self.distance(body, counter, moved)?.checked_add(by)
            }
            Exp::Binary(BinOp::Sub, a, b) => self.distance(body, counter, a)?.checked_sub(self.constant(b)?),
            Exp::Assert { ref values, .. } if definition.trace_label().is_none() => {
                self.distance(body, counter, values[0])
            }
            _ => None,
        }
    }

    fn constant(&self, atom: Atom) -> Option<i64> {
        let interval = self.ranges.interval(self.vars, atom)?;
        (interval.least == interval.greatest).then(|| i64::try_from(interval.least).ok())?
    }

    /// Makes these copies partial, right before their loops.
    fn rewrite(&mut self, stms: &mut Vec<Stm>, partial: Vec<Partial>) {
        let fired = partial.into_iter().filter(|partial| self.cx.fire(RULE, &stms[partial.copy].origin));
        let fired: Vec<Partial> = fired.collect();
        if fired.is_empty() {
            return;
        }
        let mut old: Vec<Option<Stm>> = std::mem::take(stms).into_iter().map(Some).collect();
        let copies: Vec<Option<Stm>> = fired.iter().map(|partial| old[partial.copy].take()).collect();
        for (at, stm) in old.into_iter().enumerate() {
            for (partial, copy) in fired.iter().zip(&copies).filter(|(partial, _)| partial.looped == at) {
                stms.extend(copy.iter().flat_map(|copy| first_elements(self.vars, copy, partial)));
            }
            stms.extend(stm);
        }
    }
}

/// Whether a loop that overwrites an element of the array in each iteration, from this position on, reaches its end, and the
/// elements before exist.
fn is_overwritten(vars: &VarTable, ranges: &Ranges, looped: &Loop, array: Var, first: i64) -> bool {
    let LoopForm::For { bound, .. } = looped.form else { return false };
    let size = vars[array].ty.shape[0];
    first <= MAX_LEFT
        && ranges.at_most(vars, size, bound, i128::from(first))
        && ranges.at_most(vars, Atom::i64(first), size, 0)
}

/// The copy of the first elements of an array, in place of the copy of the whole. It depends on the check that says that the
/// others are overwritten.
fn first_elements(vars: &mut VarTable, copy: &Stm, partial: &Partial) -> Vec<Stm> {
    let (Exp::Copy(from), &[to]) = (&copy.exp, &copy.binders[..]) else { unreachable!("a copy: {copy:?}") };
    let mut origin = copy.origin.clone();
    origin.add_rule(RULE);
    let mut b = Builder::resume(std::mem::take(vars));
    b.set_origin(origin);
    let ty = b.vars()[to].ty.clone();
    let empty = b.bind(ty.clone(), Exp::Scratch);
    let positions = (0..partial.left).map(Atom::i64);
    let mut checked =
        pass(&mut b, partial.check.as_slice(), std::iter::once(empty).chain(positions).collect());
    let mut array = checked.remove(0);
    for position in checked {
        let Atom::Var(before) = array else { unreachable!("an array is no constant") };
        let value = b.index(*from, vec![position]);
        array =
            b.bind(ty.clone(), Exp::Update { array: before, slice: vec![DimSlice::Fix(position)], value });
    }
    b.emit(vec![to], Exp::Atom(array));
    let (restored, stms) = b.finish();
    *vars = restored;
    stms
}
