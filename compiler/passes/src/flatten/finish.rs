//! # finish-scan: what comes after a scan happens where it ends
//!
//! ## Rule
//!
//! ```text
//!   ys, t = segment grid (i < n) { map \() -> S in (a, b)  scan f z  post \p q -> T in (k, x, a')  to write zs  to reduce f z }
//!   ---------------------------------------------------------------------------------------------------------------------------
//!   ts = scratch
//!   ys, us = segment grid (i < n) {
//!     map \() -> S in a  scan f z  post \p -> { S' T  l = if i == n - 1 then 0 else -1 } in (k, x, l, p)  to write zs  to write ts
//!   }
//!   t = if 0 < n then us[0] else z
//! ```
//!
//! * *finish-scan*: the code after the scans runs in the segment that scans, once the scanned values of the point are known.
//!   What it needs besides these it computes again (S'). The total of a scan, as in `scan-total`, is what its last point
//!   stores.
//!
//! So a filter needs no array for the places of its elements.
//!
//! ## Requires
//!
//! * *plain-code*: the code after the scans cannot fail, and has no loops, constructs and arrays.
//! * *short-inputs*: each value that it uses besides the scanned ones takes a few reads and short operations.
//! * *few-arrays*: the arrays of both segments, and one for each scanned value, fit the bindings of a kernel.
//!
//! ## Ensures
//!
//! Every element is computed as before.
//!
//! ## Leaves alone
//!
//! Segments of several dimensions and of workgroups. Segments that only store scanned values, and those that also reduce or
//! combine other values.
//!
//! If threads do not read neighbouring elements together, as on a CPU: segments that store nothing at computed places, and long
//! code after the scans. There the second segment runs in lanes, and what comes after a scan runs one by one. But stores
//! at computed places are done one by one anyway.
//!
//! ## Costs
//!
//! What is computed again, for each point. Linear in the size of the segment.
//!
//! ## Source
//!
//! Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (NVR-2016-002, 2016), where stream
//! compaction writes its elements in the kernel that scans their flags.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, xs: [n]i32, *ys: [n]i32) -> (out: [n]i32, count: i64) = {
//!   let (zs: [n]i32, c: i64) = screma n {
//!     from xs
//!     map \(x: i32) -> { let b: bool = lt 0i32 x let f: i64 = convert i64 b in (f, f, b, x) }
//!     scan \(a: i64, d: i64) -> { let e: i64 = add a d in e } (0i64)
//!     post \(p: i64, f1: i64, b1: bool, x1: i32) -> {
//!       let k: i64 = if b1 then { let q: i64 = sub p 1i64 in q } else -1i64
//!       in (k, x1, f1)
//!     }
//!     to write ys rank 1
//!     to reduce commutative \(g: i64, h: i64) -> { let j: i64 = add g h in j } (0i64)
//!   }
//!   in (zs, c)
//! }
//! entry main = main (n, xs, *ys) -> (out, count)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, *ys_2: [n_0]i32) -> (out_3: [n_0]i32, count_4: i64) = {
//!   let v5: [1]i64 = scratch
//!   let v6: i64 = sub n_0 1i64
//!   let (zs_7: [n_0]i32, v8: [1]i64) = segment grid (v9 < n_0) {
//!     map \() -> {
//!       let x_10: i32 = xs_1[v9]
//!       let b_11: bool = lt 0i32 x_10
//!       let f_12: i64 = convert i64 b_11
//!       in f_12
//!     }
//!     scan \(a_13: i64, d_14: i64) -> {
//!       let e_15: i64 = add a_13 d_14
//!       in e_15
//!     } (0i64)
//!     post \(p_16: i64) -> {
//!       let x_17: i32 = xs_1[v9]
//!       let b_18: bool = lt 0i32 x_17
//!       let k_19: i64 = if b_18 then {
//!         let q_20: i64 = sub p_16 1i64
//!         in q_20
//!       } else -1i64
//!       let v21: bool = eq v9 v6
//!       let v22: i64 = if v21 then 0i64 else -1i64
//!       in (k_19, x_17, v22, p_16)
//!     }
//!     to write ys_2 rank 1
//!     to write v5 rank 1
//!   }
//!   let v23: bool = lt 0i64 n_0
//!   let c_24: i64 = if v23 then {
//!     let v25: i64 = v8[0i64]
//!     in v25
//!   } else 0i64
//!   in (zs_7, c_24)
//! }
//! entry main = main (n_0, xs_1, *ys_2) -> (out_3, count_4)
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use ravel_base::Origin;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Level, Screma, Segment, Sink, Stm, Substitution, Type, Var, VarTable,
    atom_type, copy_body, free_in_body, free_in_exp,
};
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::scan_total::{Total, read_total, totals};
use super::split::{Recomputation, recomputation, remove_dead_code, unchanged_result};
use crate::fuse::compose::identity;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const FINISH_SCAN: &str = "finish-scan";

/// The code after the scans may run where they end.
pub(super) const PLAIN_CODE: Premise = Premise {
    name: "plain-code",
    about: "the code after the scans cannot fail, and has no loops, constructs and arrays",
    otherwise: "the code after the scan has checks, loops, constructs or arrays",
};

/// The code after the scans needs no array of the first values.
pub(super) const SHORT_INPUTS: Premise = Premise {
    name: "short-inputs",
    about: "each value that it uses besides the scanned ones takes a few reads and short operations",
    otherwise: "the code after the scan uses more than short code can compute again",
};

/// One kernel can bind the arrays of two.
pub(super) const FEW_ARRAYS: Premise = Premise {
    name: "few-arrays",
    about: "the arrays of both segments, and one for each scanned value, fit the bindings of a kernel",
    otherwise: "the scan and the code after it use more arrays than a kernel can bind",
};

/// The most operations after the scans on targets whose threads do not read neighbouring elements together.
const MAX_OPERATIONS: usize = 12;

/// The statements in place of a segment whose code after the scans runs where they end; `None` if it does not.
pub(super) fn finish_scan(vars: &mut VarTable, cx: &mut Cx, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::Segment(segment) = &stm.exp else { return None };
    if !applies(vars, segment) {
        return None;
    }
    let screma = &segment.screma;
    let post = screma.post.clone().unwrap_or_else(|| identity(vars, &screma.map.body.result));
    let pays_one_by_one = stores_at_places(screma) && is_short(&post.body);
    if !cx.target.coalesces && !pays_one_by_one {
        return None;
    }
    let most = cx.target.hardware.bindings.unwrap_or(u64::MAX);
    let plan = match () {
        () if !is_plain(&post.body) => Err(PLAIN_CODE),
        () if bound_arrays(vars, stm) > most => Err(FEW_ARRAYS),
        () => inputs(vars, screma, &post).ok_or(SHORT_INPUTS),
    };
    let inputs = match plan {
        Ok(inputs) => inputs,
        Err(premise) => {
            cx.refuse(FINISH_SCAN, Refusal::of(premise).blame(None, stm.origin.place()), &stm.origin);
            return None;
        }
    };
    if !cx.fire(FINISH_SCAN, &stm.origin) {
        return None;
    }
    let mut stm = stm.clone();
    stm.origin.add_rule(FINISH_SCAN);
    let Exp::Segment(segment) = &mut stm.exp else { return None };
    segment.screma.post = Some(post);
    let (mut stms, reads) = store_totals(vars, &mut stm.binders, segment, stm.origin.inside());
    compute_inputs(vars, &mut segment.screma, inputs);
    remove_dead_code(vars, &mut stm);
    stms.push(stm);
    stms.extend(reads);
    Some(stms)
}

/// Lets the last point store the totals of the reductions. Returns the statements before the segment, which make arrays of one
/// element for them, and those after it, which read them.
fn store_totals(
    vars: &mut VarTable,
    binders: &mut [Var],
    segment: &mut Segment,
    origin: Origin,
) -> (Vec<Stm>, Vec<Stm>) {
    let width = segment.screma.width;
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin);
    let (mut arrays, mut reads) = (Vec::new(), Vec::new());
    while let Some(total) = totals(segment).into_iter().next() {
        let stored = store_last(&mut builder, segment, &total);
        arrays.append(&mut builder.take_back(0));
        let reduced = std::mem::replace(&mut binders[total.result], stored);
        read_total(&mut builder, width, (reduced, total.neutral), |builder| {
            builder.index(stored, vec![Atom::i64(0)])
        });
        reads.append(&mut builder.take_back(0));
    }
    (*vars, _) = builder.finish();
    (arrays, reads)
}

/// Lets the code after the scans repeat these statements of the point, so that it takes only the scanned values.
fn compute_inputs(vars: &mut VarTable, screma: &mut Screma, (stms, replacements): Inputs) {
    let scanned = screma.scanned_count();
    let Screma { map: Lambda { body: point, .. }, post: Some(post), .. } = screma else { return };
    replacements.body(vars, &mut post.body);
    post.body.stms.splice(0..0, stms.into_iter().map(|at| point.stms[at].clone()));
    post.body = copy_body(vars, None, Substitution::new(), &post.body);
    post.params.truncate(scanned);
    point.result.truncate(scanned);
}

/// Whether a segment of threads does more than storing scanned values, and neither reduces nor combines others.
fn applies(vars: &VarTable, segment: &Segment) -> bool {
    let Segment { level: Level::Grid, points: Level::Thread, outer, screma, .. } = segment else {
        return false;
    };
    let is_stored = |sink: &Sink| matches!(sink, Sink::Map | Sink::Write { .. });
    let is_unchanged = |mut values: Range<usize>| values.all(|at| unchanged_result(screma, at).is_some());
    let reductions = screma.sinks.iter().filter(|sink| !is_stored(sink)).count();
    let totals = totals(segment).iter().filter(|total| total.is_exact(vars)).count();
    outer.is_empty()
        && !screma.scans.is_empty()
        && screma.map.body.result.iter().all(|&value| atom_type(vars, value).is_scalar())
        && totals == reductions
        && screma.sink_ranges().any(|(sink, _, values)| !is_stored(sink) || !is_unchanged(values))
}

/// Whether a segment stores elements at computed places.
fn stores_at_places(screma: &Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, Sink::Write { .. }))
}

/// Whether the code after the scans consists of a few short operations.
fn is_short(body: &Body) -> bool {
    fn operations(body: &Body) -> Option<usize> {
        let operations = |stm: &Stm| match &stm.exp {
            Exp::Unary(op, _) => op.is_short().then_some(1),
            Exp::Binary(op, ..) => op.is_short().then_some(1),
            Exp::If { then, otherwise, .. } => Some(1 + operations(then)? + operations(otherwise)?),
            _ => Some(1),
        };
        body.stms.iter().map(operations).sum()
    }
    operations(body).is_some_and(|operations| operations <= MAX_OPERATIONS)
}

/// The number of arrays that the kernel binds: those that the segment reads or makes, those of totals, and one for each scanned
/// value, which workgroups pass on.
fn bound_arrays(vars: &VarTable, stm: &Stm) -> u64 {
    let Exp::Segment(segment) = &stm.exp else { return 0 };
    let screma = &segment.screma;
    let used = free_in_exp(vars, &stm.exp).into_iter().filter(|&var| !vars[var].ty.is_scalar()).count();
    let made = screma.sinks.iter().filter(|sink| !matches!(sink, Sink::Write { .. })).count();
    (used + made + screma.scanned_count()) as u64
}

/// Whether the code after the scans may run in any point at any time.
fn is_plain(body: &Body) -> bool {
    body.stms.iter().all(|stm| match &stm.exp {
        Exp::Atom(_) | Exp::Unary(..) | Exp::Binary(..) | Exp::Compare(..) | Exp::Convert(..) => true,
        Exp::Trust(_) | Exp::Param(..) | Exp::Index(..) => true,
        Exp::If { then, otherwise, .. } => is_plain(then) && is_plain(otherwise),
        _ => false,
    })
}

/// The statements of the point that the code after the scans repeats, and what then takes the place of its parameters.
type Inputs = (BTreeSet<usize>, Substitution);

/// How the code after the scans computes its inputs again; `None` if one needs an array.
fn inputs(vars: &VarTable, screma: &Screma, post: &Lambda) -> Option<Inputs> {
    let used = free_in_body(vars, &post.body);
    let (mut stms, mut replacements) = (BTreeSet::new(), Substitution::new());
    for (at, &param) in post.params.iter().enumerate().skip(screma.scanned_count()) {
        if !used.contains(&param) {
            continue;
        }
        let Recomputation::Statements(more) = recomputation(vars, screma, at)? else { return None };
        stms.extend(more);
        replacements.insert(param, screma.map.body.result[at]);
    }
    Some((stms, replacements))
}

/// Lets the last point store its scanned value, in place of the reduction. Returns a name for the array with this element.
fn store_last(builder: &mut Builder, segment: &mut Segment, total: &Total) -> Var {
    let Segment { index, ref mut screma, .. } = *segment;
    let elem = builder.type_of(total.neutral).elem;
    let ty = Type::array(elem, vec![Atom::i64(1)]);
    let (target, stored) = (builder.fresh(None, ty.clone()), builder.fresh(None, ty));
    builder.emit(vec![target], Exp::Scratch);
    let last = builder.binary(BinOp::Sub, screma.width, Atom::i64(1));
    if let Some(post) = &mut screma.post {
        builder.begin();
        std::mem::take(&mut post.body.stms).into_iter().for_each(|stm| builder.push(stm));
        let is_last = builder.compare(CmpOp::Eq, Atom::Var(index), last);
        let place = |at| Body { stms: Vec::new(), result: vec![Atom::i64(at)] };
        let place = Exp::If { cond: is_last, then: place(0), otherwise: place(-1) };
        let place = builder.bind(Type::scalar(PrimType::I64), place);
        let mut result = std::mem::take(&mut post.body.result);
        result.splice(total.value..=total.value, [place, Atom::Var(post.params[total.scanned])]);
        post.body = builder.end(result);
    }
    screma.sinks[total.sink] = Sink::Write { target, rank: 1 };
    stored
}
