//! # inspect: compute the sizes of the threads' arrays before their segment
//!
//! ## Rule
//!
//! ```text
//!   rs = segment grid (i < n) { map \() -> { S  let k = e  S', with arrays of k elements } … }
//!   -----------------------------------------------------------------------------------------------------
//!   most = segment grid (i < n) { map \() -> { what e needs of S  let k = e  in k } to reduce max (0) }
//!   rs = segment grid (i < n) { map \() -> { S  let k = e  let k1 = min k most  S'[k1 / k] } … }
//! ```
//!
//! * *inspect*: before a segment whose threads need arrays of unknown size, another segment over the same
//!   points computes the greatest size.
//!
//! On a GPU a thread cannot allocate. The memory for arrays of threads is allocated before the segment, with
//! the same size for each point. The *inspector* is a copy of the construct, with the sizes as its results and
//! without the code on which they do not depend (`inspect/maximum.rs`). The minimum equals the size, and shows
//! the bound to the translation to kernel IR (`inspect/bounds.rs`).
//!
//! If a size is computed in a loop, a branch or a construct of the point, all its values count. If it depends
//! on an array whose own size needs an inspector, the inspector of that size is first, and bounds the array in
//! the inspector of the other.
//!
//! ## Requires
//!
//! * *same-size*: no branch or loop in the code of a point determines the size of an array that it returns. A
//!   loop whose array grows does so.
//! * *no-operator*: no size of an array is computed in an operator. The results of an operator are fixed.
//! * *single-row*: a construct of several dimensions computes nothing after its scans.
//! * *no-cycle*: no size of an array depends on elements of an array of that size.
//!
//! ## Ensures
//!
//! No point needs more memory than the host has allocated. The inspector has the checks on which the sizes
//! depend, and they fail only if they fail in the segment too.
//!
//! ## Leaves alone
//!
//! Targets whose threads can allocate, and sizes that are arithmetic on values from outside of the segment, or
//! bounded by it.
//!
//! ## Costs
//!
//! The code that computes the sizes runs twice, and the host waits for the results. All points have as much
//! memory as the one that needs most.
//!
//! ## Source
//!
//! The inspector and the executor of Saltz, Mirchandaney and Crowley, "Run-Time Parallelization and Scheduling
//! of Loops" (IEEE Transactions on Computers 40, 1991). There the inspector computes a schedule; here it
//! computes sizes.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, xs: [n]i64) -> (out: [n]i64) = {
//!   let ys: [n]i64 = screma n {
//!     from xs
//!     map \(x: i64) -> {
//!       let k: i64 = max x 0
//!       let zs: [k]i64 = iota k x 1
//!       let y: i64 = screma k { from zs map \(z: i64) -> z to reduce \(a: i64, b: i64) -> { let c: i64 = add a b in c } (0) }
//!       in y
//!     }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (n, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i64) -> (out_2: [n_0]i64) = {
//!   let most_3: i64 = segment grid (v4 < n_0) {
//!     map \() -> {
//!       let x_5: i64 = xs_1[v4]
//!       let k_6: i64 = max x_5 0i64
//!       let v7: i64 = max 0i64 k_6
//!       in v7
//!     }
//!     to reduce commutative \(v8: i64, v9: i64) -> {
//!       let v10: i64 = max v8 v9
//!       in v10
//!     } (0i64)
//!   }
//!   let ys_11: [n_0]i64 = segment grid (v12 < n_0) {
//!     map \() -> {
//!       let x_13: i64 = xs_1[v12]
//!       let k_14: i64 = max x_13 0i64
//!       let k_15: i64 = min k_14 most_3
//!       let zs_16: [k_15]i64 = screma k_15 {
//!         from iota x_13 1i64
//!         map \(v17: i64) -> v17
//!         to map
//!       }
//!       let y_18: i64 = screma k_15 {
//!         from zs_16
//!         map \(z_19: i64) -> z_19
//!         to reduce \(a_20: i64, b_21: i64) -> {
//!           let c_22: i64 = add a_20 b_21
//!           in c_22
//!         } (0i64)
//!       }
//!       in y_18
//!     }
//!     to map
//!   }
//!   in ys_11
//! }
//! entry main = main (n_0, xs_1) -> (out_2)
//! ```

mod bounds;
mod maximum;

use std::collections::BTreeMap;

use ravel_core::{
    Atom, Body, Builder, Exp, Level, Origin, Screma, Segment, Source, Stm, Substitution, Type, Var, VarInfo,
    VarTable, copy_body,
};
use ravel_prim::{BinOp, PrimType};

use self::bounds::{Bound, Sizes};
use self::maximum::{Maxima, in_operator};
use super::nest::progression;
use crate::pass::missing;
use crate::simplify::dead;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const INSPECT: &str = "inspect";

pub(super) const SAME_SIZE: Premise = Premise {
    name: "same-size",
    about: "no branch or loop in the code of a point determines the size of an array that it returns",
    otherwise: "the size of {} is a result of the statement that makes it",
};

pub(super) const NO_OPERATOR: Premise = Premise {
    name: "no-operator",
    about: "no size of an array is computed in an operator",
    otherwise: "an operator computes the size of an array",
};

pub(super) const SINGLE_ROW: Premise = Premise {
    name: "single-row",
    about: "a construct of several dimensions computes nothing after its scans",
    otherwise: "it scans rows, and has code after the scans",
};

pub(super) const NO_CYCLE: Premise = Premise {
    name: "no-cycle",
    about: "no size of an array depends on elements of an array of that size",
    otherwise: "a size depends on elements of an array of that size",
};

/// Bounds the sizes of the arrays in the points of a construct of host code. Returns the inspectors, which must precede
/// it.
pub(super) fn bound_sizes(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) -> Vec<Stm> {
    if cx.target.thread_allocation || !has_threads(&stm.exp) {
        return Vec::new();
    }
    let Sizes { unbounded, pairs, resizing, .. } = Sizes::of(vars, stm);
    if unbounded.is_empty() {
        return Vec::new();
    }
    let (mut bounded_vars, mut bounded) = (vars.clone(), stm.clone());
    let number = VarInfo { hint: Some("most".into()), ty: Type::scalar(PrimType::I64) };
    let (mut bounds, mut known) = (Vec::new(), BTreeMap::new());
    for size in unbounded {
        let others =
            pairs.iter().filter_map(|&(a, b)| if a == size { Some(b) } else { (b == size).then_some(a) });
        let other = others.filter_map(|other| known.get(&other)).next();
        let product = other.map(|&other| (other, bounded_vars.push(number.clone())));
        let most = bounded_vars.push(number.clone());
        let bound = Bound { size, most, product };
        let is_product_bounded = bound.insert(&mut bounded_vars, &mut bounded);
        bounds.push(most);
        bounds.extend(product.filter(|_| is_product_bounded).map(|(_, product)| product));
        known.insert(size, most);
    }
    let refused = missing(&[
        (SAME_SIZE, &|| resizing.is_none()),
        (NO_OPERATOR, &|| !in_operator(&bounded_vars, &bounded, &bounds)),
        (SINGLE_ROW, &|| !continues_rows(&bounded.exp)),
    ]);
    let inspectors = match refused {
        Some(premise) => Err(premise),
        None => inspectors(&mut bounded_vars, &bounded, bounds).ok_or(NO_CYCLE),
    };
    match inspectors {
        Err(premise) => {
            let (name, place) =
                resizing.filter(|_| premise == SAME_SIZE).unwrap_or((None, stm.origin.place()));
            cx.refuse(INSPECT, Refusal::of(premise).blame(name, place), &stm.origin);
            Vec::new()
        }
        Ok(inspectors) if cx.fire(INSPECT, &stm.origin) => {
            (*vars, *stm) = (bounded_vars, bounded);
            stm.origin.add_rule(INSPECT);
            inspectors
        }
        Ok(_) => Vec::new(),
    }
}

/// Whether the points of the construct are threads.
fn has_threads(exp: &Exp) -> bool {
    match exp {
        Exp::Screma(_) => true,
        Exp::Segment(segment) => (segment.level, segment.points) == (Level::Grid, Level::Thread),
        _ => false,
    }
}

/// Whether the construct scans rows and has code after the scans. The points of an inspector are in a single row.
fn continues_rows(exp: &Exp) -> bool {
    matches!(exp, Exp::Segment(segment) if !segment.outer.is_empty() && segment.screma.post.is_some())
}

/// The inspectors that compute these bounds of a construct, or none if a bound depends on itself.
fn inspectors(vars: &mut VarTable, stm: &Stm, mut bounds: Vec<Var>) -> Option<Vec<Stm>> {
    let mut inspectors = Vec::new();
    while !bounds.is_empty() {
        let mut is_ready = |most: &Var| {
            let alone = inspector(vars, stm, &bounds, &[*most]);
            alone.iter().all(|stm| Sizes::of(vars, stm).unbounded.is_empty())
        };
        let (ready, others): (Vec<Var>, Vec<Var>) = bounds.iter().partition(|most| is_ready(most));
        if ready.is_empty() {
            return None;
        }
        inspectors.extend(inspector(vars, stm, &bounds, &ready));
        bounds = others;
    }
    Some(inspectors)
}

/// The statements that compute the `wanted` bounds of a construct. Those in `missing` have no value yet.
fn inspector(vars: &mut VarTable, stm: &Stm, missing: &[Var], wanted: &[Var]) -> Vec<Stm> {
    let body = Body { stms: vec![stm.clone()], result: Vec::new() };
    let mut body = copy_body(vars, None, Substitution::new(), &body);
    let mut before = Vec::new();
    for inspector in &mut body.stms {
        inspector.binders.clear();
        drop_results(&mut inspector.exp);
        inspector.origin.add_rule(INSPECT);
        Maxima { vars, wanted, missing, quotients: Vec::new() }.construct(inspector);
        inspector.binders = wanted.to_vec();
        if let Exp::Segment(segment) = &mut inspector.exp {
            before = merge_dimensions(vars, segment, &inspector.origin);
        }
    }
    body.stms.splice(0..0, before);
    body.result = wanted.iter().map(|&most| Atom::Var(most)).collect();
    dead::slice(vars, &mut body);
    body.stms
}

/// Removes the results of a construct.
fn drop_results(exp: &mut Exp) {
    let of_screma = |screma: &mut Screma| {
        screma.sinks.clear();
        match &mut screma.post {
            Some(post) => post.body.result.clear(),
            None => {
                screma.scans.clear();
                screma.map.body.result.clear();
            }
        }
    };
    match exp {
        Exp::Screma(screma) => of_screma(screma),
        Exp::Segment(segment) => {
            of_screma(&mut segment.screma);
        }
        _ => unreachable!("only constructs have inspectors"),
    }
}

/// Makes one dimension of all dimensions of a segment, because a reduction gives a value for each row. Returns the
/// statements that compute its size.
fn merge_dimensions(vars: &mut VarTable, segment: &mut Segment, origin: &Origin) -> Vec<Stm> {
    let space: Vec<(Var, Atom)> = segment.space().collect();
    let [(first, outermost), inner @ ..] = &space[..] else { return Vec::new() };
    if inner.is_empty() {
        return Vec::new();
    }
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin.clone());
    let count = inner.iter().fold(*outermost, |count, &(_, size)| builder.binary(BinOp::Mul, count, size));
    // Without points there is nothing to divide.
    let divisors: Vec<Atom> =
        inner.iter().map(|&(_, size)| builder.binary(BinOp::Max, size, Atom::i64(1))).collect();
    let line = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
    let mut rest = Atom::Var(line);
    for (&(counter, _), divisor) in inner.iter().zip(divisors).rev() {
        builder.emit(vec![counter], Exp::Binary(BinOp::Rem, rest, divisor));
        rest = builder.binary(BinOp::Quot, rest, divisor);
    }
    builder.emit(vec![*first], Exp::Atom(rest));
    let mut counters = builder.end(Vec::new()).stms;
    let before;
    (*vars, before) = builder.finish();
    let params = std::mem::take(&mut segment.screma.map.params);
    for (param, source) in params.into_iter().zip(std::mem::take(&mut segment.screma.sources)) {
        if let Source::Iota { start, stride } = source {
            counters.extend(progression(vars, param, (start, stride), segment.index, origin));
        }
    }
    segment.screma.map.body.stms.splice(0..0, counters);
    segment.outer.clear();
    (segment.index, segment.screma.width) = (line, count);
    before
}
