//! # histogram-in-parts, arrays-in-parts: combine arrays in parts of the points
//!
//! ## Rule
//!
//! ```text
//!   let (xs, r) = segment grid (i < n) { map \() -> S in (x, y)  to map  to reduce op z }
//!   ---------------------------------------------------------------------------------------------------------
//!   let (xs, rs) = segment grid (p < k) {                         k parts, of which all but the last have m points
//!     map \() -> {
//!       start = p * m
//!       (xs, r) = screma min (n - start) m { from iota start 1 map \i -> S in (x, y)  to map  to reduce op z }
//!       in (xs, r)
//!     }
//!     to concat n by m
//!     to map
//!   }
//!   let r = reduce op rs, on one thread and in order
//! ```
//!
//! * *histogram-in-parts*: the points of a segment that combines into arrays are divided into parts with
//!   private arrays.
//! * *arrays-in-parts*: the points of a segment that reduces or scans arrays are divided into parts with private arrays.
//!
//! The operator of a segment takes only scalars, but a thread can combine arrays sequentially. So each part has
//! a thread. The private arrays are then combined in the order of the parts (`parts/segments.rs`).
//!
//! There are at most `most` parts, each has at least `least` points, and all private arrays together have at
//! most `spread` elements for each point: `k = min (n / max (elements / spread) least) most`. These are settings of the
//! target. If two private histograms would have too many bins, one thread combines the values: hence a branch on `1 < k`.
//! A segment stores what is computed for them (`split.rs`).
//!
//! ## Requires
//!
//! No premises: the language guarantees that the operators are associative, and commutative for histograms.
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
//! fun main (n: i64, m: i64, is: [n]i64, *hs: [m]i64, xs: [n][m]i32) -> (out1: [m]i64, out2: [m]i32) = {
//!   let most: [m]i64 = screma n {
//!     from is, iota 0 1
//!     map \(i: i64, k: i64) -> (i, k)
//!     to combine (hs) \(a: i64, b: i64) -> { let c: i64 = max a b in c } (0i64)
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
//!   in (most, sums)
//! }
//! entry main = main (n, m, is, *hs, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, is_2: [n_0]i64, *hs_3: [m_1]i64, xs_4: [n_0][m_1]i32) -> (out1_5: [m_1]i64, out2_6: [m_1]i32) = {
//!   let v7: i64 = quot m_1 4i64
//!   let v8: i64 = max v7 16i64
//!   let v9: i64 = quot n_0 v8
//!   let v10: i64 = min v9 4096i64
//!   let v11: bool = lt 1i64 v10
//!   let most_12: [m_1]i64 = if v11 then {
//!     let v13: i64 = min n_0 1i64
//!     let v14: i64 = sub n_0 v13
//!     let v15: i64 = quot v14 v10
//!     let v16: i64 = add v15 v13
//!     let v17: i64 = max v16 1i64
//!     let v18: i64 = quot v14 v17
//!     let v19: i64 = add v18 v13
//!     let most_20: [v19][m_1]i64 = segment grid (v21 < v19) {
//!       map \() -> {
//!         let v22: i64 = mul v21 v17
//!         let v23: i64 = sub n_0 v22
//!         let v24: i64 = min v23 v17
//!         let v25: [m_1]i64 = screma m_1 {
//!           from iota 0i64 1i64
//!           map \(v26: i64) -> 0i64
//!           to map
//!         }
//!         let most_27: [m_1]i64 = screma v24 {
//!           from iota v22 1i64
//!           map \(k_28: i64) -> {
//!             let i_29: i64 = is_2[k_28]
//!             in (i_29, k_28)
//!           }
//!           to combine (v25) \(a_30: i64, b_31: i64) -> {
//!             let c_32: i64 = max a_30 b_31
//!             in c_32
//!           } (0i64)
//!         }
//!         in most_27
//!       }
//!       to map
//!     }
//!     let most_33: [m_1]i64 = segment grid (v34 < m_1) {
//!       map \() -> {
//!         let v35: i64 = hs_3[v34]
//!         let v36: i64 = screma v19 {
//!           from iota 0i64 1i64
//!           map \(v37: i64) -> {
//!             let v38: i64 = most_20[v37, v34]
//!             in v38
//!           }
//!           to reduce \(a_39: i64, b_40: i64) -> {
//!             let c_41: i64 = max a_39 b_40
//!             in c_41
//!           } (v35)
//!         }
//!         in v36
//!       }
//!       to map
//!     }
//!     let most_42: [m_1]i64 = hs_3 with [0i64 : m_1 : 1i64] = most_33
//!     in most_42
//!   } else {
//!     let most_43: [1][m_1]i64 = segment grid (v44 < 1i64) {
//!       map \() -> {
//!         let most_45: [m_1]i64 = screma n_0 {
//!           from iota 0i64 1i64
//!           map \(k_46: i64) -> {
//!             let i_47: i64 = is_2[k_46]
//!             in (i_47, k_46)
//!           }
//!           to combine (hs_3) \(a_48: i64, b_49: i64) -> {
//!             let c_50: i64 = max a_48 b_49
//!             in c_50
//!           } (0i64)
//!         }
//!         in most_45
//!       }
//!       to map
//!     }
//!     let most_51: [m_1]i64 = slice most_43[0i64, 0i64 : m_1 : 1i64]
//!     in most_51
//!   }
//!   let zeros_52: [m_1]i32 = segment grid (v53 < m_1) {
//!     map \() -> 0i32
//!     to map
//!   }
//!   let v54: i64 = add 1i64 m_1
//!   let v55: i64 = quot v54 4i64
//!   let v56: i64 = max v55 16i64
//!   let v57: i64 = quot n_0 v56
//!   let v58: i64 = min v57 4096i64
//!   let v59: i64 = max v58 1i64
//!   let v60: i64 = min n_0 1i64
//!   let v61: i64 = sub n_0 v60
//!   let v62: i64 = quot v61 v59
//!   let v63: i64 = add v62 v60
//!   let v64: i64 = max v63 1i64
//!   let v65: i64 = quot v61 v64
//!   let v66: i64 = add v65 v60
//!   let sums_67: [v66][m_1]i32 = segment grid (v68 < v66) {
//!     map \() -> {
//!       let v69: i64 = mul v68 v64
//!       let v70: i64 = sub n_0 v69
//!       let v71: i64 = min v70 v64
//!       let sums_72: [m_1]i32 = screma v71 {
//!         from iota v69 1i64
//!         map \(v73: i64) -> {
//!           let x_74: [m_1]i32 = slice xs_4[v73, 0i64 : m_1 : 1i64]
//!           in x_74
//!         }
//!         to reduce \(y_75: [m_1]i32, z_76: [m_1]i32) -> {
//!           let s_77: [m_1]i32 = screma m_1 {
//!             from y_75, z_76
//!             map \(d_78: i32, e_79: i32) -> {
//!               let f_80: i32 = add d_78 e_79
//!               in f_80
//!             }
//!             to map
//!           }
//!           in s_77
//!         } (zeros_52)
//!       }
//!       in sums_72
//!     }
//!     to map
//!   }
//!   let sums_81: [1][m_1]i32 = segment grid (v82 < 1i64) {
//!     map \() -> {
//!       let v83: [m_1]i32 = screma v66 {
//!         from iota 0i64 1i64
//!         map \(v84: i64) -> {
//!           let v85: [m_1]i32 = slice sums_67[v84, 0i64 : m_1 : 1i64]
//!           in v85
//!         }
//!         to reduce \(y_86: [m_1]i32, z_87: [m_1]i32) -> {
//!           let s_88: [m_1]i32 = screma m_1 {
//!             from y_86, z_87
//!             map \(d_89: i32, e_90: i32) -> {
//!               let f_91: i32 = add d_89 e_90
//!               in f_91
//!             }
//!             to map
//!           }
//!           in s_88
//!         } (zeros_52)
//!       }
//!       in v83
//!     }
//!     to map
//!   }
//!   let sums_92: [m_1]i32 = slice sums_81[0i64, 0i64 : m_1 : 1i64]
//!   in (most_12, sums_92)
//! }
//! entry main = main (n_0, m_1, is_2, *hs_3, xs_4) -> (out1_5, out2_6)
//! ```

pub(super) mod segments;

use ravel_core::{
    Atom, Body, Builder, Exp, Level, Screma, Segment, Sink, Stm, Substitution, Type, Var, VarTable,
    atom_type, copy_body,
};
use ravel_kernel::Target;
use ravel_prim::{BinOp, CmpOp};

use self::segments::in_parts;
use super::grid::{carries_arrays, combines};
use super::split::in_one_thread;
use super::tables;
use crate::Cx;

/// The rule for segments that combine into arrays.
pub(super) const HISTOGRAM: &str = "histogram-in-parts";
/// The rule for those that reduce or scan arrays.
pub(super) const ARRAYS: &str = "arrays-in-parts";

/// Divides the points of a segment into parts, if it combines arrays. Returns the statements that replace it. May take
/// statements out of those before it.
pub(super) fn divide(vars: &mut VarTable, cx: &mut Cx, before: &mut Vec<Stm>, stm: Stm) -> Vec<Stm> {
    let Exp::Segment(segment) = &stm.exp else { return vec![stm] };
    let Segment { level, points, ref outer, ref screma, .. } = **segment;
    let is_row_of_threads = (level, points) == (Level::Grid, Level::Thread) && outer.is_empty();
    let rule = match () {
        () if is_row_of_threads && combines(screma) => HISTOGRAM,
        () if is_row_of_threads && carries_arrays(vars, screma) => ARRAYS,
        () => return vec![stm],
    };
    if rule == HISTOGRAM && tables::applies(vars, cx, &stm) {
        return tables::or_otherwise(vars, cx, before, stm, |vars, cx, stm| {
            divide_by(vars, cx, stm, HISTOGRAM)
        });
    }
    divide_by(vars, cx, stm, rule)
}

/// Divides the points of a segment into parts by one of the two rules.
fn divide_by(vars: &mut VarTable, cx: &mut Cx, mut stm: Stm, rule: &'static str) -> Vec<Stm> {
    let Exp::Segment(segment) = &stm.exp else { return vec![stm] };
    let screma = &segment.screma;
    let is_histogram = rule == HISTOGRAM;
    if !cx.fire(rule, &stm.origin) {
        return in_one_thread(vars, stm);
    }
    stm.origin.add_rule(rule);
    let target = &cx.target;
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.clone());
    let number = number(&mut builder, target, screma);
    let cond = is_histogram.then(|| builder.compare(CmpOp::Lt, Atom::i64(1), number));
    let number = if is_histogram { number } else { builder.binary(BinOp::Max, number, Atom::i64(1)) };
    let mut stms;
    (*vars, stms) = builder.finish();
    if let Some(cond) = cond {
        let Stm { binders, origin, .. } = stm.clone();
        let then = in_parts(vars, target, stm.clone(), number);
        let then = side(vars, then, &binders);
        let otherwise = in_one_thread(vars, stm);
        let otherwise = side(vars, otherwise, &binders);
        stms.push(Stm { binders, exp: Exp::If { cond, then, otherwise }, origin });
    } else {
        stms.extend(in_parts(vars, target, stm, number));
    }
    stms
}

/// A side of the branch: copies of these statements.
pub(super) fn side(vars: &mut VarTable, stms: Vec<Stm>, binders: &[Var]) -> Body {
    let result = binders.iter().map(|&binder| Atom::Var(binder)).collect();
    copy_body(vars, None, Substitution::new(), &Body { stms, result })
}

/// The number of parts, 0 if there are too few points for one.
fn number(builder: &mut Builder, target: &Target, screma: &Screma) -> Atom {
    let least = if combines(screma) { target.histogram_points } else { target.part_points };
    let elements = elements(builder, screma);
    let points = builder.binary(BinOp::Quot, elements, Atom::i64(target.histogram_spread));
    let points = builder.binary(BinOp::Max, points, Atom::i64(least));
    let number = builder.binary(BinOp::Quot, screma.width, points);
    builder.binary(BinOp::Min, number, Atom::i64(target.histogram_parts))
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
