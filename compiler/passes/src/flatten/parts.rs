//! # histogram-in-parts, arrays-in-parts
//!
//! ```text
//!   rs = segment grid (i < n) { … to combine … }
//!   --------------------------------------------------------------------------------------------------
//!   points = max (elements / spread) least
//!   k = min (n / points) most
//!   rs = if 1 < k then segment grid (i < n) parts k { … to combine … } else segment grid (i < n) { … to combine … }
//! ```
//!
//! The operator of a segment takes only scalars, but a thread can combine arrays sequentially. The points are divided
//! into parts, and each part gets a thread and private arrays. The private arrays are then combined in the order of the
//! parts. *histogram-in-parts* applies to a segment that combines into arrays, *arrays-in-parts* to a segment that
//! reduces or scans arrays.
//!
//! There are at most `most` parts, each has at least `least` points, and all private arrays together have at most `spread`
//! elements for each point. These are settings of the target. So the number of parts depends only on sizes, and results
//! are the same bit for bit for any number of threads. If two private histograms would have too many bins, the values to
//! combine are computed for all points in parallel, and one thread combines them: hence the branch. Arrays are reduced
//! and scanned in at least one part.
//!
//! The rules have no premise: the operators are associative, and those of histograms commute.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, is: [n]i64, *hs: [m]i32) -> (out: [m]i32) = {
//!   let counts: [m]i32 = screma n {
//!     from is
//!     map \(i: i64) -> (i, 1i32)
//!     to combine (hs) \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!   }
//!   in counts
//! }
//! entry main = main (n, m, is, *hs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, is_2: [n_0]i64, *hs_3: [m_1]i32) -> (out_4: [m_1]i32) = {
//!   let v5: i64 = quot m_1 1i64
//!   let v6: i64 = max v5 1024i64
//!   let v7: i64 = quot n_0 v6
//!   let v8: i64 = min v7 64i64
//!   let v9: bool = lt 1i64 v8
//!   let counts_10: [m_1]i32 = if v9 then {
//!     let counts_11: [m_1]i32 = segment grid (v12 < n_0) parts v8 {
//!       map \() -> {
//!         let i_13: i64 = is_2[v12]
//!         in (i_13, 1i32)
//!       }
//!       to combine (hs_3) \(a_14: i32, b_15: i32) -> {
//!         let c_16: i32 = add a_14 b_15
//!         in c_16
//!       } (0i32)
//!     }
//!     in counts_11
//!   } else {
//!     let counts_17: [m_1]i32 = segment grid (v18 < n_0) {
//!       map \() -> {
//!         let i_19: i64 = is_2[v18]
//!         in (i_19, 1i32)
//!       }
//!       to combine (hs_3) \(a_20: i32, b_21: i32) -> {
//!         let c_22: i32 = add a_20 b_21
//!         in c_22
//!       } (0i32)
//!     }
//!     in counts_17
//!   }
//!   in counts_10
//! }
//! entry main = main (n_0, m_1, is_2, *hs_3) -> (out_4)
//! ```

use ravel_core::{
    Atom, Body, Builder, Exp, Level, Screma, Segment, Sink, Stm, Substitution, Type, VarTable, atom_type,
    copy_body,
};
use ravel_prim::{BinOp, CmpOp};

use super::grid::{carries_arrays, combines};
use crate::Cx;

/// The rule for segments that combine into arrays.
pub(super) const HISTOGRAM: &str = "histogram-in-parts";
/// The rule for those that reduce or scan arrays.
pub(super) const ARRAYS: &str = "arrays-in-parts";

/// Divides the points of a segment into parts, if it combines arrays. Returns the statements that must precede it.
pub(super) fn cut(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) -> Vec<Stm> {
    let Exp::Segment(segment) = &mut stm.exp else { return Vec::new() };
    let Segment { level, points, parts: None, ref outer, ref screma, .. } = **segment else {
        return Vec::new();
    };
    let rule = match () {
        () if combines(screma) => HISTOGRAM,
        () if carries_arrays(vars, screma) => ARRAYS,
        () => return Vec::new(),
    };
    let is_whole = (level, points) == (Level::Grid, Level::Thread) && outer.is_empty();
    if !is_whole || !cx.fire(rule, &stm.origin) {
        return Vec::new();
    }
    stm.origin.add_rule(rule);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.clone());
    let target = &cx.target;
    let least = if rule == HISTOGRAM { target.histogram_points } else { target.part_points };
    let elements = elements(&mut builder, screma);
    let points = builder.binary(BinOp::Quot, elements, Atom::i64(target.histogram_spread));
    let points = builder.binary(BinOp::Max, points, Atom::i64(least));
    let count = builder.binary(BinOp::Quot, screma.width, points);
    let count = builder.binary(BinOp::Min, count, Atom::i64(target.histogram_parts));
    let parts = match rule {
        HISTOGRAM => count,
        _ => builder.binary(BinOp::Max, count, Atom::i64(1)),
    };
    let is_cut = match rule {
        HISTOGRAM => Some(builder.compare(CmpOp::Lt, Atom::i64(1), count)),
        _ => None,
    };
    let before;
    (*vars, before) = builder.finish();
    let whole = Exp::Segment(segment.clone());
    segment.parts = Some(parts);
    if let Some(cond) = is_cut {
        let [then, otherwise] = [stm.exp.clone(), whole].map(|exp| alternative(vars, stm, exp));
        stm.exp = Exp::If { cond, then, otherwise };
    }
    before
}

/// The number of elements of the private arrays of a part: its histograms, or what it reduces and scans, and one more.
fn elements(builder: &mut Builder, screma: &Screma) -> Atom {
    let mut types: Vec<Type> = Vec::new();
    let mut sum = Atom::i64(0);
    if !combines(screma) {
        let reduced = screma.sinks.iter().filter_map(|sink| match sink {
            Sink::Reduce { neutral, .. } => Some(neutral),
            _ => None,
        });
        let neutral = screma.scans.iter().map(|scan| &scan.neutral).chain(reduced).flatten();
        types.extend(neutral.map(|&atom| atom_type(builder.vars(), atom)));
        sum = Atom::i64(1);
    }
    for sink in &screma.sinks {
        if let Sink::Combine { targets, .. } = sink {
            types.extend(targets.iter().map(|&target| builder.vars()[target].ty.clone()));
        }
    }
    for ty in types {
        // The array exists, so the product does not overflow.
        let count = ty.shape.into_iter().reduce(|count, size| builder.binary(BinOp::Mul, count, size));
        let count = count.unwrap_or(Atom::i64(1));
        sum = match sum {
            _ if sum == Atom::i64(0) => count,
            _ => builder.binary(BinOp::Add, sum, count),
        };
    }
    sum
}

/// A side of the branch: this expression, with copies of its variables.
fn alternative(vars: &mut VarTable, stm: &Stm, exp: Exp) -> Body {
    let result = stm.binders.iter().map(|&binder| Atom::Var(binder)).collect();
    let stms = vec![Stm { binders: stm.binders.clone(), exp, origin: stm.origin.clone() }];
    copy_body(vars, None, Substitution::new(), &Body { stms, result })
}
