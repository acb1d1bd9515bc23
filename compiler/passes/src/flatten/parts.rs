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
//!   let v7: bool = le 16i64 n_0
//!   let v8: bool = le m_1 49152i64
//!   let v9: bool = and v7 v8
//!   let counts_10: [m_1]i32 = if v9 then {
//!     let v11: i64 = min m_1 3072i64
//!     let v12: i64 = add m_1 3071i64
//!     let v13: i64 = quot v12 3072i64
//!     let v14: i64 = max m_1 1024i64
//!     let v15: i64 = quot n_0 v14
//!     let v16: i64 = min v15 512i64
//!     let v17: i64 = max v16 1i64
//!     let v18: i64 = min n_0 1i64
//!     let v19: i64 = sub n_0 v18
//!     let v20: i64 = quot v19 v17
//!     let v21: i64 = add v20 v18
//!     let v22: i64 = add v21 255i64
//!     let v23: i64 = quot v22 256i64
//!     let v24: i64 = mul v23 256i64
//!     let v25: i64 = quot v19 v24
//!     let v26: i64 = add v25 v18
//!     let counts_27: [v13][v26][v11]i32 = segment grid (v28 < v13, v29 < v26) block {
//!       map \() -> {
//!         let v30: i64 = mul v29 v24
//!         let v31: i64 = sub n_0 v30
//!         let v32: i64 = min v31 v24
//!         let v33: i64 = mul v28 3072i64
//!         let counts_34: [v11]i32 = segment block (v35 < v11) {
//!           map \() -> 0i32
//!           to map
//!         }
//!         let counts_36: [v11]i32 = segment block (v37 < v32) {
//!           map \() -> {
//!             let v38: i64 = add v30 v37
//!             let i_39: i64 = is_2[v38]
//!             let v40: i64 = sub i_39 v33
//!             in (v40, 1i32)
//!           }
//!           to combine (counts_34) \(a_41: i32, b_42: i32) -> {
//!             let c_43: i32 = add a_41 b_42
//!             in c_43
//!           } (0i32)
//!         }
//!         let counts_44: [v11]i32 = segment block (v45 < v11) {
//!           map \() -> {
//!             let v46: i32 = counts_36[v45]
//!             in v46
//!           }
//!           to map
//!         }
//!         in counts_44
//!       }
//!       to map
//!     }
//!     let counts_47: [m_1]i32 = segment grid (v48 < m_1) {
//!       map \() -> {
//!         let v49: i32 = hs_3[v48]
//!         let v50: i64 = quot v48 3072i64
//!         let v51: i64 = rem v48 3072i64
//!         let v52: i32 = screma v26 {
//!           from iota 0i64 1i64
//!           map \(v53: i64) -> {
//!             let v54: i32 = counts_27[v50, v53, v51]
//!             in v54
//!           }
//!           to reduce \(a_55: i32, b_56: i32) -> {
//!             let c_57: i32 = add a_55 b_56
//!             in c_57
//!           } (v49)
//!         }
//!         in v52
//!       }
//!       to map
//!     }
//!     let counts_58: [m_1]i32 = hs_3 with [0i64 : m_1 : 1i64] = counts_47
//!     in counts_58
//!   } else {
//!     let v59: i64 = quot m_1 4i64
//!     let v60: i64 = max v59 16i64
//!     let v61: i64 = quot n_0 v60
//!     let v62: i64 = min v61 4096i64
//!     let v63: bool = lt 1i64 v62
//!     let counts_64: [m_1]i32 = if v63 then {
//!       let v65: i64 = min n_0 1i64
//!       let v66: i64 = sub n_0 v65
//!       let v67: i64 = quot v66 v62
//!       let v68: i64 = add v67 v65
//!       let v69: i64 = max v68 1i64
//!       let v70: i64 = quot v66 v69
//!       let v71: i64 = add v70 v65
//!       let counts_72: [v71][m_1]i32 = segment grid (v73 < v71) {
//!         map \() -> {
//!           let v74: i64 = mul v73 v69
//!           let v75: i64 = sub n_0 v74
//!           let v76: i64 = min v75 v69
//!           let v77: [m_1]i32 = screma m_1 {
//!             from iota 0i64 1i64
//!             map \(v78: i64) -> 0i32
//!             to map
//!           }
//!           let counts_79: [m_1]i32 = screma v76 {
//!             from iota v74 1i64
//!             map \(v80: i64) -> {
//!               let i_81: i64 = is_2[v80]
//!               in (i_81, 1i32)
//!             }
//!             to combine (v77) \(a_82: i32, b_83: i32) -> {
//!               let c_84: i32 = add a_82 b_83
//!               in c_84
//!             } (0i32)
//!           }
//!           in counts_79
//!         }
//!         to map
//!       }
//!       let counts_85: [m_1]i32 = segment grid (v86 < m_1) {
//!         map \() -> {
//!           let v87: i32 = hs_3[v86]
//!           let v88: i32 = screma v71 {
//!             from iota 0i64 1i64
//!             map \(v89: i64) -> {
//!               let v90: i32 = counts_72[v89, v86]
//!               in v90
//!             }
//!             to reduce \(a_91: i32, b_92: i32) -> {
//!               let c_93: i32 = add a_91 b_92
//!               in c_93
//!             } (v87)
//!           }
//!           in v88
//!         }
//!         to map
//!       }
//!       let counts_94: [m_1]i32 = hs_3 with [0i64 : m_1 : 1i64] = counts_85
//!       in counts_94
//!     } else {
//!       let counts_95: [1][m_1]i32 = segment grid (v96 < 1i64) {
//!         map \() -> {
//!           let counts_97: [m_1]i32 = screma n_0 {
//!             from iota 0i64 1i64
//!             map \(v98: i64) -> {
//!               let i_99: i64 = is_2[v98]
//!               in (i_99, 1i32)
//!             }
//!             to combine (hs_3) \(a_100: i32, b_101: i32) -> {
//!               let c_102: i32 = add a_100 b_101
//!               in c_102
//!             } (0i32)
//!           }
//!           in counts_97
//!         }
//!         to map
//!       }
//!       let counts_103: [m_1]i32 = slice counts_95[0i64, 0i64 : m_1 : 1i64]
//!       in counts_103
//!     }
//!     in counts_64
//!   }
//!   let zeros_104: [m_1]i32 = segment grid (v105 < m_1) {
//!     map \() -> 0i32
//!     to map
//!   }
//!   let v106: i64 = add 1i64 m_1
//!   let v107: i64 = quot v106 4i64
//!   let v108: i64 = max v107 16i64
//!   let v109: i64 = quot n_0 v108
//!   let v110: i64 = min v109 4096i64
//!   let v111: i64 = max v110 1i64
//!   let v112: i64 = min n_0 1i64
//!   let v113: i64 = sub n_0 v112
//!   let v114: i64 = quot v113 v111
//!   let v115: i64 = add v114 v112
//!   let v116: i64 = max v115 1i64
//!   let v117: i64 = quot v113 v116
//!   let v118: i64 = add v117 v112
//!   let sums_119: [v118][m_1]i32 = segment grid (v120 < v118) {
//!     map \() -> {
//!       let v121: i64 = mul v120 v116
//!       let v122: i64 = sub n_0 v121
//!       let v123: i64 = min v122 v116
//!       let sums_124: [m_1]i32 = screma v123 {
//!         from iota v121 1i64
//!         map \(v125: i64) -> {
//!           let x_126: [m_1]i32 = slice xs_4[v125, 0i64 : m_1 : 1i64]
//!           in x_126
//!         }
//!         to reduce \(y_127: [m_1]i32, z_128: [m_1]i32) -> {
//!           let s_129: [m_1]i32 = screma m_1 {
//!             from y_127, z_128
//!             map \(d_130: i32, e_131: i32) -> {
//!               let f_132: i32 = add d_130 e_131
//!               in f_132
//!             }
//!             to map
//!           }
//!           in s_129
//!         } (zeros_104)
//!       }
//!       in sums_124
//!     }
//!     to map
//!   }
//!   let sums_133: [1][m_1]i32 = segment grid (v134 < 1i64) {
//!     map \() -> {
//!       let v135: [m_1]i32 = screma v118 {
//!         from iota 0i64 1i64
//!         map \(v136: i64) -> {
//!           let v137: [m_1]i32 = slice sums_119[v136, 0i64 : m_1 : 1i64]
//!           in v137
//!         }
//!         to reduce \(y_138: [m_1]i32, z_139: [m_1]i32) -> {
//!           let s_140: [m_1]i32 = screma m_1 {
//!             from y_138, z_139
//!             map \(d_141: i32, e_142: i32) -> {
//!               let f_143: i32 = add d_141 e_142
//!               in f_143
//!             }
//!             to map
//!           }
//!           in s_140
//!         } (zeros_104)
//!       }
//!       in v135
//!     }
//!     to map
//!   }
//!   let sums_144: [m_1]i32 = slice sums_133[0i64, 0i64 : m_1 : 1i64]
//!   in (counts_10, sums_144)
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
