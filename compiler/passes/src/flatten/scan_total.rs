//! # scan-total: a scan gives the total of its values
//!
//! ## Rule
//!
//! ```text
//!   ys, t = segment grid (i < n) { map \() -> S in (a, a)  scan f z  post \p q -> T in (y, q)  to map  to reduce f z }
//!   -----------------------------------------------------------------------------------------------------------------
//!   ys, ps = segment grid (i < n) { map \() -> S in (a, a)  scan f z  post \p q -> T in (y, p)  to map  to map }
//!   t = if 0 < n then ps[n - 1] else z
//! ```
//!
//! * *scan-total*: a segment that scans values, and reduces the same values by the same operator, only scans them. The
//!   total is the last scanned value. The array of these values is that of another sink, if one stores them.
//!
//! A filter is such a segment: it scans the flags of the elements for their places, and counts them. Without the
//! reduction, its points only store once their places are known.
//!
//! ## Requires
//!
//! * *exact-operator*: the operator is one operation on integers or booleans, which is associative to the last bit. A
//!   reduction may combine in another order than a scan.
//!
//! ## Ensures
//!
//! Every element is computed as before, and the total is the same.
//!
//! ## Leaves alone
//!
//! Segments of several dimensions, which have a total for each row, and segments of workgroups. A reduction with another operator
//! or neutral element, or of other values.
//!
//! ## Costs
//!
//! The array of the scanned values, which the segment that scans stores anyway. The search is linear in the size of the
//! segment's lists.
//!
//! ## Source
//!
//! Blelloch, "Prefix Sums and Their Applications" (CMU-CS-90-190, 1990): the last element of an inclusive scan is the
//! reduction.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: [n]i32, total: i32) = {
//!   let (places: [n]i32, t: i32) = screma n {
//!     from xs
//!     map \(x: i32) -> { let y: i32 = and x 1i32 in (y, y) }
//!     scan \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!     post \(p: i32, q: i32) -> { let r: i32 = sub p 1i32 in (r, q) }
//!     to map
//!     to reduce commutative \(d: i32, e: i32) -> { let f: i32 = add d e in f } (0i32)
//!   }
//!   in (places, t)
//! }
//! entry main = main (n, xs) -> (out, total)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: [n_0]i32, total_3: i32) = {
//!   let v4: [n_0]i32 = segment grid (v5 < n_0) {
//!     map \() -> {
//!       let x_6: i32 = xs_1[v5]
//!       let y_7: i32 = and x_6 1i32
//!       in y_7
//!     }
//!     scan \(a_8: i32, b_9: i32) -> {
//!       let c_10: i32 = add a_8 b_9
//!       in c_10
//!     } (0i32)
//!     to map
//!   }
//!   let places_11: [n_0]i32 = segment grid (v12 < n_0) {
//!     map \() -> {
//!       let p_13: i32 = v4[v12]
//!       let r_14: i32 = sub p_13 1i32
//!       in r_14
//!     }
//!     to map
//!   }
//!   let v15: bool = lt 0i64 n_0
//!   let t_16: i32 = if v15 then {
//!     let v17: i64 = sub n_0 1i64
//!     let v18: i32 = v4[v17]
//!     in v18
//!   } else 0i32
//!   in (places_11, t_16)
//! }
//! entry main = main (n_0, xs_1) -> (out_2, total_3)
//! ```

use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Level, Screma, Segment, Sink, Stm, Var, VarInfo, VarTable, atom_type,
};
use ravel_prim::{BinOp, CmpOp};

use super::split::unchanged_result;
use crate::fuse::compose::identity;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const SCAN_TOTAL: &str = "scan-total";

/// The operator combines the same values to the same bits in any order.
pub(super) const EXACT_OPERATOR: Premise = Premise {
    name: "exact-operator",
    about: "the operator is one operation on integers or booleans, which is associative to the last bit",
    otherwise: "the operator is not exact: a reduction may combine in another order than a scan",
};

/// A reduction whose total a scan of the same segment computes as well.
pub(super) struct Total {
    /// The number of the reduction's sink.
    pub sink: usize,
    /// Its place among the results of the segment.
    pub result: usize,
    /// The place of its value among the results of the last lambda.
    pub value: usize,
    /// The place of the scanned value among the results of `map`.
    pub scanned: usize,
    /// The neutral element.
    pub neutral: Atom,
}

impl Total {
    /// Whether a reduction and a scan combine to the same bits.
    pub fn is_exact(&self, vars: &VarTable) -> bool {
        !atom_type(vars, self.neutral).elem.is_float()
    }
}

/// The statements in place of this one: a segment that scans and reduces the same values no longer reduces them.
pub(super) fn scan_total(vars: &mut VarTable, cx: &mut Cx, mut stm: Stm) -> Vec<Stm> {
    let Exp::Segment(segment) = &mut stm.exp else { return vec![stm] };
    let Some(total) = totals(segment).into_iter().next() else { return vec![stm] };
    if !total.is_exact(vars) {
        cx.refuse(SCAN_TOTAL, Refusal::of(EXACT_OPERATOR).blame(None, stm.origin.place()), &stm.origin);
        return vec![stm];
    }
    if !cx.fire(SCAN_TOTAL, &stm.origin) {
        return vec![stm];
    }
    stm.origin.add_rule(SCAN_TOTAL);
    let width = segment.screma.width;
    let reduced = stm.binders[total.result];
    let prefixes = store_prefixes(vars, &mut stm.binders, &mut segment.screma, &total);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.inside());
    read_total(&mut builder, width, (reduced, total.neutral), |builder| {
        let last = builder.binary(BinOp::Sub, width, Atom::i64(1));
        builder.index(prefixes, vec![last])
    });
    let (all, after) = builder.finish();
    *vars = all;
    let mut stms = scan_total(vars, cx, stm);
    stms.extend(after);
    stms
}

/// The reductions of a segment of one dimension that combine the values of a scan by the same operator.
pub(super) fn totals(segment: &Segment) -> Vec<Total> {
    let Segment { level: Level::Grid, points: Level::Thread, outer, screma, .. } = segment else {
        return Vec::new();
    };
    if !outer.is_empty() {
        return Vec::new();
    }
    let values = &screma.map.body.result;
    // The scans of single values by one operation: this, the neutral element, and the place of the value.
    let mut scans = Vec::new();
    let mut scanned = 0;
    for scan in &screma.scans {
        if let (&[neutral], Some(op)) = (&scan.neutral[..], operation(&scan.op)) {
            scans.push((op, neutral, scanned));
        }
        scanned += scan.neutral.len();
    }
    let totals = screma.sink_ranges().enumerate().filter_map(|(sink, (kind, results, from))| {
        let Sink::Reduce { op, neutral, .. } = kind else { return None };
        let (&[neutral], op) = (&neutral[..], operation(op)?) else { return None };
        let at = unchanged_result(screma, from.start).filter(|&at| at >= scanned)?;
        let is_scanned = |&&(scan, start, place): &&(BinOp, Atom, usize)| {
            (scan, start) == (op, neutral) && values[place] == values[at]
        };
        let &(.., scanned) = scans.iter().find(is_scanned)?;
        Some(Total { sink, result: results.start, value: from.start, scanned, neutral })
    });
    totals.collect()
}

/// The operation, if this is the operator `\a b -> op a b`.
pub(super) fn operation(lambda: &Lambda) -> Option<BinOp> {
    let Lambda { params, body: Body { stms, result } } = lambda;
    match (&stms[..], &params[..]) {
        ([Stm { binders, exp: Exp::Binary(op, left, right), .. }], &[a, b])
            if (*left, *right) == (Atom::Var(a), Atom::Var(b)) && result[..] == [Atom::Var(binders[0])] =>
        {
            Some(*op)
        }
        _ => None,
    }
}

/// Binds a total, which `read` reads if the width is not 0.
pub(super) fn read_total(
    builder: &mut Builder,
    width: Atom,
    (binder, neutral): (Var, Atom),
    read: impl FnOnce(&mut Builder) -> Atom,
) {
    let is_any = builder.compare(CmpOp::Lt, Atom::i64(0), width);
    let then = builder.body(|builder| vec![read(builder)]);
    let otherwise = Body { stms: Vec::new(), result: vec![neutral] };
    builder.emit(vec![binder], Exp::If { cond: is_any, then, otherwise });
}

/// Stores the scanned values in place of the reduction, unless another sink does. Returns their array.
fn store_prefixes(vars: &mut VarTable, binders: &mut Vec<Var>, screma: &mut Screma, total: &Total) -> Var {
    let stored = screma.sink_ranges().find_map(|(sink, results, values)| {
        let is_stored = *sink == Sink::Map && unchanged_result(screma, values.start) == Some(total.scanned);
        is_stored.then(|| binders[results.start])
    });
    if let Some(array) = stored {
        let last = screma.post.as_mut().unwrap_or(&mut screma.map);
        last.body.result.remove(total.value);
        binders.remove(total.result);
        screma.sinks.remove(total.sink);
        return array;
    }
    let mut post = screma.post.take().unwrap_or_else(|| identity(vars, &screma.map.body.result));
    let prefix = Atom::Var(post.params[total.scanned]);
    post.body.result[total.value] = prefix;
    screma.post = Some(post);
    let ty = atom_type(vars, prefix).array_of(screma.width);
    let array = vars.push(VarInfo { hint: None, ty });
    binders[total.result] = array;
    screma.sinks[total.sink] = Sink::Map;
    array
}
