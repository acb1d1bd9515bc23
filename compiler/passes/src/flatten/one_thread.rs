//! # one-thread: host code that touches elements runs on a single thread
//!
//! ## Rule
//!
//! ```text
//!   let ys = loop (as = xs) for i < n do { … as[i] … }                       in host code
//!   -------------------------------------------------------------------------------------
//!   let yss = segment grid (k < 1) { map \() -> { let ys = loop (as = xs) … in ys } to map }
//!   let ys = yss[0]
//! ```
//!
//! * *one-thread*: a loop over elements in host code runs on one thread, and so does everything else for which host code
//!   would need the elements of an array.
//!
//! The host of a GPU reaches the elements of an array only by transfers. There the rule takes a loop as a whole, and single
//! stores: an update of one element, and an array of scalars that are not all constants. If the rule is switched off, a loop
//! runs on the host, and each of its stores is a segment.
//!
//! A construct without a level (because its rule was refused or is switched off) is a loop of one thread on every machine.
//! This, and a single store, is not optional.
//!
//! The code of the one point may consume arrays from outside. Its results then take the memory of these arrays.
//!
//! ## Requires
//!
//! Of a loop:
//!
//! * *sequential-body*: an iteration has no construct, call or trace, and makes no array except from listed
//!   elements. A thread would do alone what a segment does in parallel.
//! * *fixed-sizes*: the arrays that the loop carries keep their sizes. So the sizes of the results are known before the
//!   segment.
//!
//! ## Ensures
//!
//! Every element is computed as before. For a GPU, no host code outside of segments stores elements.
//!
//! ## Leaves alone
//!
//! Loops that touch no elements: the host runs them. Loops and stores for a target whose host reaches elements as cheaply as
//! its threads do.
//!
//! ## Costs
//!
//! A launch for a single thread, instead of a transfer for each element.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), whose compiler runs sequential code on arrays that way.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, xs: [n]i32, *ys: [n]i32) -> (last: i32, out: [n]i32) = {
//!   let (sum: i32, zs: [n]i32) = loop (s: i32 = 0i32, as: [n]i32 = ys) for i: i64 < n do {
//!     let x: i32 = xs[i]
//!     let t: i32 = add s x
//!     let bs: [n]i32 = as with [i] = t
//!     in (t, bs)
//!   }
//!   in (sum, zs)
//! }
//! entry main = main (xs, *ys) -> (last, out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, *ys_2: [n_0]i32) -> (last_3: i32, out_4: [n_0]i32) = {
//!   let (sum_5: [1]i32, zs_6: [1][n_0]i32) = segment grid (v7 < 1i64) {
//!     map \() -> {
//!       let (sum_8: i32, zs_9: [n_0]i32) = loop (s_10: i32 = 0i32, as_11: [n_0]i32 = ys_2) for i_12: i64 < n_0 do {
//!         let x_13: i32 = xs_1[i_12]
//!         let t_14: i32 = add s_10 x_13
//!         let bs_15: [n_0]i32 = as_11 with [i_12] = t_14
//!         in (t_14, bs_15)
//!       }
//!       in (sum_8, zs_9)
//!     }
//!     to map
//!     to map
//!   }
//!   let sum_16: i32 = sum_5[0i64]
//!   let zs_17: [n_0]i32 = slice zs_6[0i64, 0i64 : n_0 : 1i64]
//!   in (sum_16, zs_17)
//! }
//! entry main = main (xs_1, *ys_2) -> (last_3, out_4)
//! ```

use ravel_base::Span;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{Atom, Body, Builder, Exp, Loop, Sink, Stm, Var, VarTable, atom_type};

use super::grid::read;
use super::points::{fresh_like, over_points};
use crate::pass::missing;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const ONE_THREAD: &str = "one-thread";

pub(super) const SEQUENTIAL_BODY: Premise = Premise {
    name: "sequential-body",
    about: "an iteration has no construct, call or trace, and makes no array except from listed elements",
    otherwise: "{} is computed in parallel, or by a call",
};

pub(super) const FIXED_SIZES: Premise = Premise {
    name: "fixed-sizes",
    about: "the arrays that the loop carries keep their sizes",
    otherwise: "the size of {} may change in an iteration",
};

/// The maximum number of constants that a thread stores one by one; more become data of the program.
const MAX_STORED: usize = 16;

/// Whether the elements of an array become data of the program.
pub(crate) fn is_data(elements: &[Atom]) -> bool {
    elements.len() > MAX_STORED && elements.iter().all(|element| element.var().is_none())
}

/// Gives one thread to the host code that needs elements, after the other rules have placed constructs.
pub(super) fn in_host_code(vars: &mut VarTable, cx: &mut Cx, body: &mut Body) {
    HostCode { vars, cx }.body(body);
}

/// Walks host code: bodies of branches and loops, but no lambdas.
struct HostCode<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for HostCode<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            if self.needs_thread(&stm) {
                body.stms.extend(in_one_thread(self.vars, stm));
            } else {
                if let Exp::If { .. } | Exp::Loop(_) = stm.exp {
                    self.exp(&mut stm.exp);
                }
                body.stms.push(stm);
            }
        }
    }
}

impl HostCode<'_> {
    /// Whether one thread runs the statement. If so, the rule has fired.
    fn needs_thread(&mut self, stm: &Stm) -> bool {
        let is_scalar = |atom: &Atom| atom_type(self.vars, *atom).is_scalar();
        let stores = match &stm.exp {
            Exp::Screma(_) => true,
            Exp::Update { value, .. } => !self.cx.target.host_elements && is_scalar(value),
            Exp::ArrayLit(elements) => {
                !self.cx.target.host_elements && elements.iter().any(is_scalar) && !is_data(elements)
            }
            Exp::Loop(looped) if !self.cx.target.host_elements => return self.takes_loop(looped, stm),
            _ => false,
        };
        if stores {
            self.cx.record(ONE_THREAD, &stm.origin);
        }
        stores
    }

    /// Whether the rule fires for a loop.
    fn takes_loop(&mut self, looped: &Loop, stm: &Stm) -> bool {
        let mut survey = Survey::default();
        survey.body(&looped.body);
        let Survey { touches, parallel } = survey;
        if !touches {
            return false;
        }
        let resized = looped.params.iter().find(|&&(param, _)| {
            let own = |size: &Atom| looped.params.iter().any(|&(other, _)| Atom::Var(other) == *size);
            self.vars[param].ty.shape.iter().any(own)
        });
        let refused =
            missing(&[(SEQUENTIAL_BODY, &|| parallel.is_none()), (FIXED_SIZES, &|| resized.is_none())]);
        let Some(premise) = refused else { return self.cx.fire(ONE_THREAD, &stm.origin) };
        let (blamed, place) = parallel.unwrap_or((resized.map(|&(param, _)| param), stm.origin.place()));
        let name = blamed.and_then(|var| self.vars[var].hint);
        self.cx.refuse(ONE_THREAD, Refusal::of(premise).blame(name, place), &stm.origin);
        false
    }
}

/// The statement in a segment of one point, and the statements that take its results from there.
fn in_one_thread(vars: &mut VarTable, mut stm: Stm) -> Vec<Stm> {
    stm.origin.add_rule(ONE_THREAD);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.clone());
    let binders = stm.binders;
    let inside = fresh_like(&mut builder, &binders, |ty| ty);
    let results = fresh_like(&mut builder, &binders, |ty| ty.array_of(Atom::i64(1)));
    let sinks = vec![Sink::Map; binders.len()];
    over_points(&mut builder, results.clone(), Atom::i64(1), sinks, |builder, _| {
        builder.emit(inside.clone(), stm.exp);
        inside.into_iter().map(Atom::Var).collect()
    });
    for (binder, result) in binders.into_iter().zip(results) {
        let first = read(builder.vars(), result, vec![Atom::i64(0)]);
        builder.emit(vec![binder], first);
    }
    let stms;
    (*vars, stms) = builder.finish();
    stms
}

/// What the iterations of a loop do.
#[derive(Default)]
struct Survey {
    /// Elements are read or written.
    touches: bool,
    /// The first statement that is not for one thread: its first binder, and its place.
    parallel: Option<(Option<Var>, Option<Span>)>,
}

impl Visit for Survey {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        let is_parallel = match &stm.exp {
            Exp::Index(..) | Exp::Update { .. } | Exp::ArrayLit(_) => {
                self.touches = true;
                false
            }
            Exp::Iota { .. } | Exp::Replicate { .. } => unreachable!("a map by the rule `fill`"),
            Exp::Scratch
            | Exp::Copy(_)
            | Exp::Manifest(..)
            | Exp::Reshape(_)
            | Exp::Concat(_)
            | Exp::Call(..)
            | Exp::Screma(_)
            | Exp::Stream(_)
            | Exp::Segment(_) => true,
            Exp::If { .. } | Exp::Loop(_) => {
                self.exp(&stm.exp);
                false
            }
            _ => stm.trace_label().is_some(),
        };
        if is_parallel {
            self.parallel.get_or_insert((stm.binders.first().copied(), stm.origin.place()));
        }
    }
}
