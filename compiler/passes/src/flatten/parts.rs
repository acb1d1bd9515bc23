//! # histogram-in-parts, arrays-in-parts: combine arrays in parts of the points
//!
//! ## Rule
//!
//! ```text
//!   rs = segment grid (i < n) { … to combine … }
//!   --------------------------------------------------------------------------------------------------
//!   points = max (elements / spread) least
//!   k = min (n / points) most
//!   rs = if 1 < k then segment grid (i < n) parts k { … to combine … } else screma n { … to combine … }
//! ```
//!
//! * *histogram-in-parts*: the points of a segment that combines into arrays are divided into parts with
//!   private arrays.
//! * *arrays-in-parts*: the points of a segment that reduces or scans arrays are divided into one or more parts with
//!   private arrays.
//!
//! The operator of a segment takes only scalars, but a thread can combine arrays sequentially. So each part has
//! a thread. The private arrays are then combined in the order of the parts.
//!
//! There are at most `most` parts, each has at least `least` points, and all private arrays together have at
//! most `spread` elements for each point. These are settings of the target. If two private histograms would
//! have too many bins, one thread combines the values: hence the branch. A segment stores what is computed for
//! them (`split.rs`).
//!
//! ## Requires
//!
//! Nothing: the operators are associative, and those of histograms commute.
//!
//! ## Ensures
//!
//! The number of parts depends only on sizes, so results are the same bit for bit for any number of threads.
//!
//! ## Leaves alone
//!
//! Segments whose points are computed by workgroups, segments of several dimensions, and inner segments.
//!
//! ## Costs
//!
//! Memory for the private arrays, and the time to combine them. The code of a histogram is duplicated.
//!
//! ## Source
//!
//! Henriksen, Hellfritzsch, Sadayappan and Oancea, "Compiling Generalized Histograms for GPU" (SC 2020), where
//! the parts are called subhistograms.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, m: i64, is: [n]i64, *hs: [m]i32, xs: [n][m]i32) -> (out1: [m]i32, out2: [m]i32) = {
//!   let counts: [m]i32 = screma n {
//!     from is
//!     map \(i: i64) -> (i, 1i32)
//!     to combine (hs) \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!   }
//!   let zeros: [m]i32 = replicate m 0i32
//!   let sums: [m]i32 = screma n {
//!     from xs
//!     map \(x: [m]i32) -> x
//!     to reduce \(y: [m]i32, z: [m]i32) -> {
//!       let s: [m]i32 = screma m { from y, z map \(d: i32, e: i32) -> { let f: i32 = add d e in f } to map }
//!       in s
//!     } (zeros)
//!   }
//!   in (counts, sums)
//! }
//! entry main = main (n, m, is, *hs, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, is_2: [n_0]i64, *hs_3: [m_1]i32, xs_4: [n_0][m_1]i32) -> (out1_5: [m_1]i32, out2_6: [m_1]i32) = {
//!   let v7: i64 = quot m_1 4i64
//!   let v8: i64 = max v7 16i64
//!   let v9: i64 = quot n_0 v8
//!   let v10: i64 = min v9 4096i64
//!   let v11: bool = lt 1i64 v10
//!   let counts_12: [m_1]i32 = if v11 then {
//!     let counts_13: [m_1]i32 = segment grid (v14 < n_0) parts v10 {
//!       map \() -> {
//!         let i_15: i64 = is_2[v14]
//!         in (i_15, 1i32)
//!       }
//!       to combine (hs_3) \(a_16: i32, b_17: i32) -> {
//!         let c_18: i32 = add a_16 b_17
//!         in c_18
//!       } (0i32)
//!     }
//!     in counts_13
//!   } else {
//!     let counts_19: [m_1]i32 = screma n_0 {
//!       from iota 0i64 1i64
//!       map \(v20: i64) -> {
//!         let i_21: i64 = is_2[v20]
//!         in (i_21, 1i32)
//!       }
//!       to combine (hs_3) \(a_22: i32, b_23: i32) -> {
//!         let c_24: i32 = add a_22 b_23
//!         in c_24
//!       } (0i32)
//!     }
//!     in counts_19
//!   }
//!   let zeros_25: [m_1]i32 = replicate m_1 0i32
//!   let v26: i64 = add 1i64 m_1
//!   let v27: i64 = quot v26 4i64
//!   let v28: i64 = max v27 16i64
//!   let v29: i64 = quot n_0 v28
//!   let v30: i64 = min v29 4096i64
//!   let v31: i64 = max v30 1i64
//!   let sums_32: [m_1]i32 = segment grid (v33 < n_0) parts v31 {
//!     map \() -> {
//!       let x_34: [m_1]i32 = slice xs_4[v33, 0i64 : m_1 : 1i64]
//!       in x_34
//!     }
//!     to reduce \(y_35: [m_1]i32, z_36: [m_1]i32) -> {
//!       let s_37: [m_1]i32 = screma m_1 {
//!         from y_35, z_36
//!         map \(d_38: i32, e_39: i32) -> {
//!           let f_40: i32 = add d_38 e_39
//!           in f_40
//!         }
//!         to map
//!       }
//!       in s_37
//!     } (zeros_25)
//!   }
//!   in (counts_12, sums_32)
//! }
//! entry main = main (n_0, m_1, is_2, *hs_3, xs_4) -> (out1_5, out2_6)
//! ```

use ravel_core::{
    Atom, Body, Builder, Exp, Level, Screma, Segment, Sink, Stm, Substitution, Type, Var, VarTable,
    atom_type, copy_body,
};
use ravel_prim::{BinOp, CmpOp};

use super::grid::{carries_arrays, combines};
use super::split::combine_in_one_thread;
use crate::Cx;

/// The rule for segments that combine into arrays.
pub(super) const HISTOGRAM: &str = "histogram-in-parts";
/// The rule for those that reduce or scan arrays.
pub(super) const ARRAYS: &str = "arrays-in-parts";

/// Divides the points of a segment into parts, if it combines arrays. Returns the statements that must precede it.
pub(super) fn cut(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) -> Vec<Stm> {
    let Exp::Segment(segment) = &stm.exp else { return Vec::new() };
    let Segment { level, points, parts: None, ref outer, ref screma, .. } = **segment else {
        return Vec::new();
    };
    let rule = match () {
        () if combines(screma) => HISTOGRAM,
        () if carries_arrays(vars, screma) => ARRAYS,
        () => return Vec::new(),
    };
    if (level, points) != (Level::Grid, Level::Thread) || !outer.is_empty() {
        return Vec::new();
    }
    if !cx.fire(rule, &stm.origin) {
        return if rule == HISTOGRAM { combine_in_one_thread(vars, stm) } else { Vec::new() };
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
    let whole = stm.clone();
    if let Exp::Segment(segment) = &mut stm.exp {
        segment.parts = Some(parts);
    }
    if let Some(cond) = is_cut {
        let then = side(vars, vec![stm.clone()], &stm.binders);
        let mut combination = whole;
        let mut stms = combine_in_one_thread(vars, &mut combination);
        stms.push(combination);
        let otherwise = side(vars, stms, &stm.binders);
        stm.exp = Exp::If { cond, then, otherwise };
    }
    before
}

/// A side of the branch: copies of these statements.
fn side(vars: &mut VarTable, stms: Vec<Stm>, binders: &[Var]) -> Body {
    let result = binders.iter().map(|&binder| Atom::Var(binder)).collect();
    copy_body(vars, None, Substitution::new(), &Body { stms, result })
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
