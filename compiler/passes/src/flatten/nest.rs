//! # nest: perfectly nested maps become one index space
//!
//! ## Rule
//!
//! ```text
//!   segment grid (i < n) { map \() -> { views  let ys = screma m { map \() -> S to map } in ys } to map }
//!   ---------------------------------------------------------------------------------------------------
//!   segment grid (i < n, j < m) { map \() -> { views  S } to map }
//! ```
//!
//! * *nest*: perfectly nested maps become one segment, with a dimension for each map.
//!
//! The rule repeats, so that a nest of any depth becomes one index space. Every element then has its
//! own thread on a GPU, and its own lane on a CPU. So neighbours in a row, which are neighbours in memory, are
//! computed together. In an inner segment, the innermost construct may scan and reduce scalars along the last
//! dimension.
//!
//! ## Requires
//!
//! * *only-maps*: the outer map and the construct inside only map, except for scans and reductions of scalars in a
//!   workgroup. The points are then independent of each other. The operators of a workgroup's scans and
//!   reductions, and the code after the scans, may use no variable of the outer map.
//! * *perfect-nest*: before the inner map, the outer one computes only views, index arithmetic and
//!   conditions. These cannot fail, and every point repeats them.
//! * *same-results*: the outer map returns exactly the results of the inner map, each once. So the inner width is the
//!   same for all outer points and known outside, since shapes of results name no variable of a lambda.
//!
//! ## Ensures
//!
//! Every element is computed as before. The same failure is reported, since points have the order of the
//! iterations of nested loops.
//!
//! ## Leaves alone
//!
//! Nests that are not perfect: each point runs the inner constructs as loops.
//!
//! ## Costs
//!
//! The views are computed for each element. If elements need memory of their own, more of them are live at the
//! same time, in several batches if necessary.
//!
//! ## Source
//!
//! Blelloch and Sabot, "Compiling Collection-Oriented Languages onto Massively Parallel Computers" (Journal of
//! Parallel and Distributed Computing 8, 1990), flatten nested maps into one vector. Here the nest is regular,
//! so the vector has dimensions instead of a segment descriptor.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n][m]i32, ks: [n]i32) -> (out: [n][m]i32) = {
//!   let ys: [n][m]i32 = screma n {
//!     from xs, ks
//!     map \(row: [m]i32, k: i32) -> {
//!       let last: i64 = sub m 1
//!       let turned: [m]i32 = slice row[last : m : -1]
//!       let zs: [m]i32 = screma m {
//!         from row, turned
//!         map \(a: i32, b: i32) -> { let p: i32 = mul a b let q: i32 = add p k in q }
//!         to map
//!       }
//!       in zs
//!     }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (n, m, xs, ks) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]i32, ks_3: [n_0]i32) -> (out_4: [n_0][m_1]i32) = {
//!   let ys_5: [n_0][m_1]i32 = segment grid (v6 < n_0, v7 < m_1) {
//!     map \() -> {
//!       let row_8: [m_1]i32 = slice xs_2[v6, 0i64 : m_1 : 1i64]
//!       let k_9: i32 = ks_3[v6]
//!       let last_10: i64 = sub m_1 1i64
//!       let turned_11: [m_1]i32 = slice row_8[last_10 : m_1 : -1i64]
//!       let a_12: i32 = xs_2[v6, v7]
//!       let b_13: i32 = turned_11[v7]
//!       let p_14: i32 = mul a_12 b_13
//!       let q_15: i32 = add p_14 k_9
//!       in q_15
//!     }
//!     to map
//!   }
//!   in ys_5
//! }
//! entry main = main (n_0, m_1, xs_2, ks_3) -> (out_4)
//! ```

use ravel_core::{
    Atom, Body, DimSlice, Exp, Lambda, Level, Origin, Screma, Segment, Sink, Source, Stm, Type, Var, VarInfo,
    VarTable, atom_type, free_in_body, free_in_lambda,
};
use ravel_prim::{BinOp, PrimType, PrimValue, convert};

use super::grid::{Row, point_code};
use crate::pass::missing;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const NEST: &str = "nest";

pub(super) const ONLY_MAPS: Premise = Premise {
    name: "only-maps",
    about: "the outer map and the construct inside only map, except for scans and reductions of scalars in a workgroup",
    otherwise: "one of the two constructs scans, reduces or writes",
};

pub(super) const PERFECT_NEST: Premise = Premise {
    name: "perfect-nest",
    about: "before the inner map, the outer one computes only views, index arithmetic and conditions",
    otherwise: "{} is computed before the inner map",
};

pub(super) const SAME_RESULTS: Premise = Premise {
    name: "same-results",
    about: "the outer map returns exactly the results of the inner map, each once",
    otherwise: "the outer map has other results than the inner one",
};

/// Merges the map that is the last statement of a segment's points into the segment.
pub(super) fn merge(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) {
    let Exp::Segment(segment) = &mut stm.exp else { return };
    let Body { stms, result } = &segment.screma.map.body;
    let Some((last, before)) = stms.split_last() else { return };
    let Exp::Screma(inner) = &last.exp else { return };
    let counters: Vec<Atom> = segment.space().map(|(counter, _)| Atom::Var(counter)).collect();
    let between = before.iter().find(|stm| !is_free(stm, &counters));
    let order = order(&last.binders, result);
    let refused = missing(&[
        (ONLY_MAPS, &|| {
            is_mapped(&segment.screma) && (is_mapped(inner) || is_segmented(vars, segment, inner))
        }),
        (PERFECT_NEST, &|| between.is_none()),
        (SAME_RESULTS, &|| order.is_some()),
    ]);
    match (refused, order) {
        (Some(premise), _) => {
            let blamed = between.filter(|_| premise == PERFECT_NEST).unwrap_or(last);
            let name = blamed.binders.first().and_then(|&binder| vars[binder].hint);
            let refusal = Refusal::of(premise).blame(name, blamed.origin.place());
            cx.refuse(NEST, refusal, &stm.origin);
        }
        (None, Some(order)) if cx.fire(NEST, &stm.origin) => {
            stm.binders = order.iter().map(|&number| stm.binders[number]).collect();
            add_dimension(vars, segment);
            stm.origin.add_rule(NEST);
        }
        // The rule is switched off, or no fuel is left.
        (None, Some(_)) => {}
        (None, None) => unreachable!("the premise `same-results` has failed"),
    }
}

/// Whether the construct only maps.
pub(super) fn is_mapped(screma: &Screma) -> bool {
    screma.scans.is_empty() && screma.sinks.iter().all(|sink| *sink == Sink::Map)
}

/// Whether the construct may scan and reduce along the innermost dimension of an inner segment. All rows then share its
/// operators and the code after its scans, so these may use no variable of a row.
fn is_segmented(vars: &VarTable, segment: &Segment, inner: &Screma) -> bool {
    let Lambda { params, body } = &segment.screma.map;
    let of_rows = [&bound_in(segment, &body.stms)[..], params].concat();
    let is_shared = |lambda: &Lambda| free_in_lambda(vars, lambda).iter().all(|var| !of_rows.contains(var));
    let is_alike = |op: &Lambda, neutral: &[Atom]| {
        neutral.iter().all(|&atom| atom_type(vars, atom).is_scalar())
            && neutral.iter().filter_map(|atom| atom.var()).all(|var| !of_rows.contains(&var))
            && is_shared(op)
    };
    segment.level == Level::Workgroup
        && inner.post.iter().all(is_shared)
        && inner.scans.iter().all(|scan| is_alike(&scan.op, &scan.neutral))
        && inner.sinks.iter().all(|sink| match sink {
            Sink::Map => true,
            Sink::Reduce { op, neutral, .. } => is_alike(op, neutral),
            Sink::Concat { .. } | Sink::Write { .. } | Sink::Combine { .. } => false,
        })
}

/// Whether the statement is a view, arithmetic or a condition on positions that cannot fail, or a read of the element at the
/// counters.
fn is_free(stm: &Stm, counters: &[Atom]) -> bool {
    match &stm.exp {
        Exp::Slice(..)
        | Exp::Rearrange(..)
        | Exp::Atom(_)
        | Exp::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or, ..)
        | Exp::Compare(..) => true,
        Exp::Convert(_, value) => counters.contains(value),
        Exp::Index(_, at) => at.iter().all(|position| counters.contains(position)),
        Exp::If { then, otherwise, .. } => {
            [then, otherwise].iter().all(|side| side.stms.iter().all(|stm| is_free(stm, counters)))
        }
        _ => false,
    }
}

/// If the outer map's results are a permutation of the inner construct's results: for each inner result, the number of the
/// outer result.
fn order(binders: &[Var], results: &[Atom]) -> Option<Vec<usize>> {
    let number = |binder: &Var| results.iter().position(|result| *result == Atom::Var(*binder));
    let order = binders.iter().map(number).collect();
    if binders.len() == results.len() { order } else { None }
}

/// Makes the inner construct the innermost dimension. Its results are the results of the segment.
pub(super) fn add_dimension(vars: &mut VarTable, segment: &mut Segment) {
    let Lambda { params, body } = std::mem::take(&mut segment.screma.map);
    let mut before = body.stms;
    let Some(Stm { exp: Exp::Screma(inner), origin, .. }) = before.pop() else {
        unreachable!("the premises hold: the last statement is the inner construct")
    };
    let origin = origin.inside();
    let mut screma = *inner;
    for (param, source) in params.into_iter().zip(std::mem::take(&mut segment.screma.sources)).rev() {
        if let Source::Iota { start, stride } = source {
            before.splice(0..0, progression(vars, param, (start, stride), segment.index, &origin));
        }
    }
    let counters: Vec<Atom> = segment.space().map(|(counter, _)| Atom::Var(counter)).collect();
    let rows: Vec<Row> = before.iter().filter_map(|stm| row(vars, stm, &counters)).collect();
    let index = point_code(vars, &mut screma, &rows, &origin);
    count_up(vars, &mut screma, &bound_in(segment, &before), index, &origin);
    // Rows that were sources alone are read through their arrays.
    let mut code = std::mem::take(&mut screma.map.body);
    for stm in before.into_iter().rev() {
        let is_row = stm.binders.iter().any(|binder| rows.iter().any(|row| row.name == *binder));
        if !is_row || stm.binders.iter().any(|binder| free_in_body(vars, &code).contains(binder)) {
            code.stms.insert(0, stm);
        }
    }
    screma.map.body = code;
    segment.outer.push((segment.index, segment.screma.width));
    segment.index = index;
    segment.screma = screma;
}

/// The variables of a row: the counters, and the binders of these statements.
fn bound_in(segment: &Segment, stms: &[Stm]) -> Vec<Var> {
    let bound = stms.iter().flat_map(|stm| &stm.binders).copied();
    bound.chain(segment.space().map(|(counter, _)| counter)).collect()
}

/// Replaces recurrences whose start or stride is a variable of the row by code that computes them from the counter, because
/// they differ from row to row.
fn count_up(vars: &mut VarTable, screma: &mut Screma, of_row: &[Var], index: Var, origin: &Origin) {
    let params = std::mem::take(&mut screma.map.params);
    for (param, source) in params.into_iter().zip(std::mem::take(&mut screma.sources)).rev() {
        let differs = |atom: Atom| atom.var().is_some_and(|var| of_row.contains(&var));
        match source {
            Source::Iota { start, stride } if differs(start) || differs(stride) => {
                let stms = progression(vars, param, (start, stride), index, origin);
                screma.map.body.stms.splice(0..0, stms);
            }
            source => {
                screma.map.params.insert(0, param);
                screma.sources.insert(0, source);
            }
        }
    }
}

/// The row that a statement binds, if it slices a row at counters of the segment.
fn row(vars: &VarTable, stm: &Stm, counters: &[Atom]) -> Option<Row> {
    let (Exp::Slice(array, dims), [name]) = (&stm.exp, &stm.binders[..]) else { return None };
    let fixed = |dim: &DimSlice| match dim {
        DimSlice::Fix(at) if counters.contains(at) => Some(*at),
        _ => None,
    };
    let at: Vec<Atom> = dims.iter().map_while(fixed).collect();
    let rest = dims[at.len()..].iter().zip(&vars[*array].ty.shape[at.len()..]);
    let is_whole = rest.into_iter().all(|(dim, &size)| *dim == DimSlice::whole(size));
    (is_whole && !at.is_empty()).then_some(Row { name: *name, array: *array, at })
}

/// Statements that compute a recurrence at a counter: `start + counter * stride`, in the type of `start`.
pub(crate) fn progression(
    vars: &mut VarTable,
    param: Var,
    (start, stride): (Atom, Atom),
    counter: Var,
    origin: &Origin,
) -> Vec<Stm> {
    let ty = atom_type(vars, start).elem;
    let is = |atom, number| atom == Atom::Const(convert(PrimValue::I64(number), ty));
    let mut steps: Vec<Box<dyn Fn(Atom) -> Exp>> = Vec::new();
    if ty != PrimType::I64 {
        steps.push(Box::new(move |value| Exp::Convert(ty, value)));
    }
    if !is(stride, 1) {
        steps.push(Box::new(move |value| Exp::Binary(BinOp::Mul, value, stride)));
    }
    if !is(start, 0) || steps.is_empty() {
        steps.push(match is(start, 0) {
            true => Box::new(Exp::Atom),
            false => Box::new(move |value| Exp::Binary(BinOp::Add, value, start)),
        });
    }
    let (mut value, last) = (Atom::Var(counter), steps.len() - 1);
    let bound = |(at, step): (usize, Box<dyn Fn(Atom) -> Exp>)| {
        let var = match at == last {
            true => param,
            false => vars.push(VarInfo { hint: None, ty: Type::scalar(ty) }),
        };
        let exp = step(std::mem::replace(&mut value, Atom::Var(var)));
        Stm { binders: vec![var], exp, origin: origin.clone() }
    };
    steps.into_iter().enumerate().map(bound).collect()
}
