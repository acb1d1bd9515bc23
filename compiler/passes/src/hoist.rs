//! # hoist: loop-invariant code motion, out of loops and lambdas
//!
//! ## Rule
//!
//! ```text
//!   let xs = loop … do { stms let y = e in … }   -->   let y = e let xs = loop … do { stms in … }
//!   let xs = screma n { map \(p) -> { stms let y = e in … } … }   likewise, of every lambda
//! ```
//!
//! * *hoist-scalar*: a loop-invariant scalar is computed before the loop.
//! * *hoist-view*: a loop-invariant view is taken before the loop.
//! * *hoist-construct*: a loop-invariant array is produced before the loop.
//!
//! `e` is invariant: `e` and the types of `y` mention nothing bound in the body, except statements that are
//! hoisted too.
//!
//! ## Requires
//!
//! * *speculatable*: it may be computed speculatively: it cannot fail, does not index an array, and runs for few
//!   iterations. So `e` may be evaluated even if the body never runs. Scalar arithmetic qualifies, except
//!   division by a variable and integer powers. So do slices that lie within their array wherever they are
//!   evaluated, other views, and branches, counted loops and constructs whose parts qualify, if constants bound
//!   the product of their iteration counts. A traversal of an array that is bound outside the body counts as
//!   few iterations, because producing that array took as long. If the elements are rows, this holds only if
//!   constants say that the rows are not empty, because 10¹² empty rows take no time to produce. An assertion
//!   does not qualify: hoisting it could introduce a failure.
//! * *shareable*, of hoist-construct: the body neither consumes the arrays nor returns them, so that all
//!   iterations can share them.
//!
//! ## Ensures
//!
//! Inner bodies come first, so one run moves a statement as far as it can go.
//!
//! ## Leaves alone
//!
//! Code in branches: a side runs only if it is taken.
//!
//! ## Costs
//!
//! A loop without iterations still runs the hoisted code, which takes a few iterations, or a few for each
//! element of an array. Linear in the size of the program times its nesting depth.
//!
//! ## Source
//!
//! Aho, Lam, Sethi and Ullman, "Compilers" (2nd ed., 2007), section 9.5, with lambdas of parallel constructs
//! treated as loops. Operations that may fail stay, as in Futhark.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, x: i32, xs: [n]i32) -> (out: i32) = {
//!   let r: i32 = loop (a: i32 = x) for i: i64 < m do {
//!     let b: i32 = mul x x
//!     let v: [n]i32 = slice xs[0 : n : 1]
//!     let t: [8]i32 = screma 8 {
//!       from iota 0i32 1i32
//!       map \(j: i32) -> { let k: i32 = mul j x in k }
//!       to map
//!     }
//!     let l: i64 = mod i 8
//!     let y: i32 = t[l]
//!     let z: i32 = v[i]
//!     let c: i32 = add y z
//!     let d: i32 = add c b
//!     let e: i32 = sub a d
//!     in e
//!   }
//!   in r
//! }
//! entry main = main (m, x, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, x_2: i32, xs_3: [n_0]i32) -> (out_4: i32) = {
//!   let b_5: i32 = mul x_2 x_2
//!   let v_6: [n_0]i32 = slice xs_3[0i64 : n_0 : 1i64]
//!   let t_7: [8]i32 = screma 8i64 {
//!     from iota 0i32 1i32
//!     map \(j_8: i32) -> {
//!       let k_9: i32 = mul j_8 x_2
//!       in k_9
//!     }
//!     to map
//!   }
//!   let r_10: i32 = loop (a_11: i32 = x_2) for i_12: i64 < m_1 do {
//!     let l_13: i64 = mod i_12 8i64
//!     let y_14: i32 = t_7[l_13]
//!     let z_15: i32 = v_6[i_12]
//!     let c_16: i32 = add y_14 z_15
//!     let d_17: i32 = add c_16 b_5
//!     let e_18: i32 = sub a_11 d_17
//!     in e_18
//!   }
//!   in r_10
//! }
//! entry main = main (m_1, x_2, xs_3) -> (out_4)
//! ```

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::range::{Ranges, VisitWithFacts};
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

/// The pass `hoist`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "hoist",
    about: "Moves loop-invariant code out of loops and lambdas.",
    rules: &[SCALAR, VIEW, CONSTRUCT],
    premises: &[SPECULATABLE, SHAREABLE],
    run,
};

const SCALAR: &str = "hoist-scalar";
const VIEW: &str = "hoist-view";
const CONSTRUCT: &str = "hoist-construct";

const SPECULATABLE: Premise = Premise {
    name: "speculatable",
    about: "it may be computed speculatively: it cannot fail, does not index an array, and runs for few iterations",
    otherwise: "{} is invariant, but may fail or take long",
};

const SHAREABLE: Premise = Premise {
    name: "shareable",
    about: "the body neither consumes the arrays nor returns them, so that all iterations can share them",
    otherwise: "{} is invariant, but every iteration needs a copy of its own",
};

/// The maximum number of iterations of speculative work, multiplied over nested constructs. In a traversal of an array
/// that exists already, it is the maximum for each element.
const MAX_ITERATIONS: i64 = 1024;

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        let aliases = Aliases::of(function, &summaries);
        cx.count_visits(statements(&function.body));
        let ranges = calls.ranges_of(function);
        let Function { vars, body, .. } = function;
        Hoister { vars, aliases: &aliases, ranges, cx }.body(body);
    }
}

struct Hoister<'a> {
    vars: &'a VarTable,
    aliases: &'a Aliases,
    /// The ranges before the current statement.
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
            for (inside, repeated) in repeating_bodies(&mut stm.exp) {
                self.hoist(inside, repeated, &mut body.stms);
            }
            self.ranges.define(self.vars, &stm);
            body.stms.push(stm);
        }
        self.ranges.leave(mark);
    }
}

impl VisitWithFacts for Hoister<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Hoister<'_> {
    /// Moves invariant statements out of a body, to the end of `outside`.
    fn hoist(&mut self, mut inside: FxHashSet<Var>, body: &mut Body, outside: &mut Vec<Stm>) {
        self.cx.count_visits(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            let rule = self.rule(&stm).filter(|_| {
                let used = free_in_stm(self.vars, &stm);
                used.iter().all(|var| !inside.contains(var))
            });
            if let Some(rule) = rule
                && self.may_move(rule, &stm, &body.result)
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

    /// The rule for statements of this form.
    fn rule(&self, stm: &Stm) -> Option<&'static str> {
        match stm.exp {
            Exp::Slice(..) | Exp::Rearrange(..) => Some(VIEW),
            Exp::Screma(_) | Exp::Stream(_) => Some(CONSTRUCT),
            _ => stm.binders.iter().all(|&binder| self.vars[binder].ty.is_scalar()).then_some(SCALAR),
        }
    }

    /// Whether the other premises hold for an invariant statement.
    fn may_move(&mut self, rule: &'static str, stm: &Stm, result: &[Atom]) -> bool {
        let arrays = || stm.binders.iter().filter(|&&binder| !self.vars[binder].ty.is_scalar());
        let kept = |&array: &Var| {
            let given = result.iter().any(|&atom| self.aliases.of_atom(atom).contains(&array));
            !self.aliases.is_consumed(array) && !given
        };
        let speculatable = is_speculatable_once(self.vars, &mut self.ranges, &stm.exp);
        let missing = missing(&[
            (SPECULATABLE, &|| speculatable),
            (SHAREABLE, &|| rule != CONSTRUCT || arrays().all(kept)),
        ]);
        if let Some(premise) = missing {
            let name = stm.binders.first().and_then(|&binder| self.vars[binder].hint);
            let refusal = Refusal::of(premise).blame(name, stm.origin.place());
            self.cx.refuse(rule, refusal, &stm.origin);
            return false;
        }
        self.cx.fire(rule, &stm.origin)
    }
}

/// The bodies in an expression that may run many times, with their parameters.
fn repeating_bodies(exp: &mut Exp) -> Vec<(FxHashSet<Var>, &mut Body)> {
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
                Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => None,
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

/// The lambdas of a construct other than its map lambda.
fn later_lambdas(screma: &Screma) -> impl Iterator<Item = &Lambda> {
    let operators = screma.sinks.iter().filter_map(|sink| match sink {
        Sink::Reduce { op, .. } | Sink::Combine { op, .. } => Some(op),
        Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => None,
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

/// Recomputes ranges of a moved statement: before the loop, less may be known.
pub fn redefine(ranges: &mut Ranges, vars: &VarTable, stm: &Stm) {
    stm.binders.iter().for_each(|&binder| ranges.forget(binder));
    ranges.define(vars, stm);
}

/// Whether the expression may be evaluated speculatively, any number of times.
pub fn is_speculatable(vars: &VarTable, exp: &Exp) -> bool {
    is_speculatable_over(vars, &mut Ranges::default(), exp, FxHashSet::default())
}

/// As [`is_speculatable`], with these ranges. The expression may also index arrays, if the ranges prove that the indices are
/// within them.
pub fn may_run_early(vars: &VarTable, ranges: &mut Ranges, exp: &Exp) -> bool {
    match exp {
        Exp::Index(array, indices) => is_within(vars, ranges, *array, indices),
        exp => is_speculatable_over(vars, ranges, exp, FxHashSet::default()),
    }
}

/// Whether the ranges prove that an element exists.
pub fn is_within(vars: &VarTable, ranges: &Ranges, array: Var, indices: &[Atom]) -> bool {
    indices.iter().zip(&vars[array].ty.shape).all(|(&index, &size)| {
        let index = ranges.before_checks(index);
        ranges.at_most(vars, Atom::i64(0), index, 0) && ranges.at_most(vars, index, size, -1)
    })
}

/// Whether the expression may be evaluated speculatively once, given these ranges.
fn is_speculatable_once(vars: &VarTable, ranges: &mut Ranges, exp: &Exp) -> bool {
    is_speculatable_over(vars, ranges, exp, free_in_exp(vars, exp).into_iter().collect())
}

fn is_speculatable_over(vars: &VarTable, ranges: &mut Ranges, exp: &Exp, existing: FxHashSet<Var>) -> bool {
    let mut speculation = Speculation { vars, ranges, iterations: 1, existing, is_harmful: false };
    speculation.exp(exp);
    !speculation.is_harmful
}

/// The search for operations that are unsafe to speculate: they may fail, index arrays, or take long.
struct Speculation<'a> {
    vars: &'a VarTable,
    /// The ranges at the place of evaluation.
    ranges: &'a mut Ranges,
    /// The number of times that the current code runs, per element of the traversed array.
    iterations: i64,
    /// The existing arrays whose elements may be traversed.
    existing: FxHashSet<Var>,
    is_harmful: bool,
}

impl Visit for Speculation<'_> {
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
            Exp::Atom(Atom::Const(_))
            | Exp::Unary(..)
            | Exp::Compare(..)
            | Exp::Convert(..)
            | Exp::Param(..) => {}
            Exp::Atom(Atom::Var(var)) => self.is_harmful |= !self.vars[*var].ty.is_scalar(),
            Exp::Binary(op, _, b) => {
                let divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow);
                self.is_harmful |= divides && !self.divides_safely(*op, *b);
            }
            Exp::Slice(array, dims) => {
                let sizes = &self.vars[*array].ty.shape;
                let operands = slice_operands(dims);
                let is_within = |(dim, &size): (&DimSlice, &Atom)| self.is_within(dim, size, &operands);
                self.is_harmful |= !dims.iter().zip(sizes).all(is_within);
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
                LoopForm::For { bound, .. } => self.repeat(bound, false, FxHashSet::default(), |inside| {
                    let mark = inside.ranges.enter();
                    inside.ranges.loop_exp(inside.vars, looped);
                    inside.body(&looped.body);
                    inside.ranges.leave(mark);
                }),
                LoopForm::While(_) => self.is_harmful = true,
            },
            Exp::Screma(screma) => {
                let consumes = |sink: &Sink| matches!(sink, Sink::Write { .. } | Sink::Combine { .. });
                self.is_harmful |= screma.sinks.iter().any(consumes);
                let (amortised, rows) = (self.is_amortised(screma), self.rows(screma));
                self.repeat(screma.width, amortised, rows, |inside| {
                    let mark = inside.ranges.enter();
                    inside.ranges.point(inside.vars, screma);
                    inside.body(&screma.map.body);
                    inside.ranges.leave(mark);
                    later_lambdas(screma).for_each(|lambda| inside.body(&lambda.body));
                });
            }
            _ => self.is_harmful = true,
        }
    }
}

impl Speculation<'_> {
    /// Whether a slice of a dimension provably lies within it. The proof may use a check only if an operand of the
    /// slice is a result of that check.
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

    /// The parameters of the map lambda that stand for elements or rows of existing arrays.
    fn rows(&self, screma: &Screma) -> FxHashSet<Var> {
        let exists = |source: &Source| source.array().is_some_and(|array| self.existing.contains(&array));
        let elements = screma.sources.iter().zip(&screma.map.params);
        elements.filter(|(source, _)| exists(source)).map(|(_, &element)| element).collect()
    }

    /// Whether producing an array that the construct traverses took at least as long as the construct takes: the array
    /// exists, and its rows are not empty.
    fn is_amortised(&self, screma: &Screma) -> bool {
        let arrays = screma.sources.iter().filter_map(Source::array);
        let has_elements = |&size: &Atom| matches!(size, Atom::Const(size) if size.as_i64() > Some(0));
        arrays
            .filter(|array| self.existing.contains(array))
            .any(|array| self.vars[array].ty.row().shape.iter().all(has_elements))
    }

    /// Visits code that runs `times` times. Unless a small constant bounds that, the cost must be `amortised` over an
    /// existing array that has as many elements; nested constructs may then traverse only `rows`.
    fn repeat(&mut self, times: Atom, amortised: bool, rows: FxHashSet<Var>, visit: impl FnOnce(&mut Self)) {
        let times = match times {
            Atom::Const(times) => times.as_i64(),
            Atom::Var(_) => None,
        };
        let all = times.and_then(|times| self.iterations.checked_mul(times.max(1)));
        let (iterations, existing) = match all.filter(|&all| all <= MAX_ITERATIONS) {
            Some(all) => (all, &self.existing | &rows),
            None if amortised => (self.iterations, rows),
            None => {
                self.is_harmful = true;
                return;
            }
        };
        let outer = (
            std::mem::replace(&mut self.iterations, iterations),
            std::mem::replace(&mut self.existing, existing),
        );
        visit(self);
        (self.iterations, self.existing) = outer;
    }

    /// Whether the operator cannot fail with this second operand.
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
