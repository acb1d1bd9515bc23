//! # split-scan, split-combine, split-write: split a segment that does several things with its points
//!
//! ## Rule
//!
//! ```text
//!   rs = segment grid (i < n) { map \() -> S in (a, b)  scan f z  post \p q -> T  to … }
//!   -----------------------------------------------------------------------------------------
//!   ps, qs = segment grid (i < n) { map \() -> S in (a, b)  scan f z  to map  to map }
//!   rs = segment grid (i < n) { map \() -> { let p = ps[i]  let q = qs[i]  T }  to … }
//! ```
//!
//! * *split-scan*: a segment that scans and does more is split: the first part scans and stores the scanned values,
//!   the second one has the code after the scans and the other results.
//! * *split-combine*: if a segment combines into arrays, and also reduces, writes into arrays, or computes scalars from
//!   arrays in loops, a second one combines.
//! * *split-write*: if a segment reduces arrays, and also writes into arrays, a second one writes.
//!
//! A segment of kernel IR does one thing with the values of its points: it stores, reduces or scans them. These rules
//! split segments of core IR until each does one thing only, except that a segment that scans or reduces may also store
//! other values.
//!
//! The second segment reads a value of the first from the array of a sink that keeps it unchanged, if there is one. It
//! uses a counter, an iota or a variable from outside directly, reads an element of an array from outside again, also at a
//! constant distance, and repeats a few short operations and branches on these. For any other value, the first segment
//! stores an array. A sink whose values bypass the scans unchanged stays in the first.
//!
//! ## Requires
//!
//! Nothing: the second segment can read every value that it needs from memory, or has it in scope.
//!
//! ## Ensures
//!
//! Every element is computed as before. If a rule is switched off, the construct runs on a single thread. In a workgroup,
//! and for a segment of several dimensions, it cannot be switched off.
//!
//! ## Leaves alone
//!
//! Segments of workgroups, and segments that scan or reduce arrays without writing into others: these run in parts, and the
//! thread of a part does everything with its points in one loop.
//!
//! ## Costs
//!
//! An array over all points for each value that is neither kept nor computed again. What is computed again takes at most
//! `MAX_OPERATIONS` operations and `MAX_READS` reads.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019), whose segmented
//! operators also do one thing each.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n]i32, is: [n]i64, *hs: [m]i32, xss: [n][2]i32, *ys: [n]i64) -> (out: [n]i32, most: i32, bins: [m]i32, row: [2]i32, rest: [n]i64) = {
//!   let (sums: [n]i32, t: i32, counts: [m]i32) = screma n {
//!     from xs, is
//!     map \(x: i32, i: i64) -> { let y: i32 = mul x x in (x, i, y) }
//!     scan \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!     post \(p: i32, k: i64, q: i32) -> { let r: i32 = sub p q in (p, r, k, p) }
//!     to map
//!     to reduce \(d: i32, e: i32) -> { let f: i32 = max d e in f } (0i32)
//!     to combine (hs) \(g: i32, h: i32) -> { let j: i32 = add g h in j } (0i32)
//!   }
//!   let first: [2]i32 = [0i32, 0i32]
//!   let (rows: [2]i32, zs: [n]i64) = screma n {
//!     from xss, is, iota 0 1
//!     map \(xs1: [2]i32, i1: i64, k1: i64) -> (xs1, i1, k1)
//!     to reduce \(u: [2]i32, v: [2]i32) -> {
//!       let w: [2]i32 = screma 2 { from u, v map \(u1: i32, v1: i32) -> { let w1: i32 = add u1 v1 in w1 } to map }
//!       in w
//!     } (first)
//!     to write ys rank 1
//!   }
//!   in (sums, t, counts, rows, zs)
//! }
//! entry main = main (n, m, xs, is, *hs, xss, *ys) -> (out, most, bins, row, rest)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0]i32, is_3: [n_0]i64, *hs_4: [m_1]i32, xss_5: [n_0][2]i32, *ys_6: [n_0]i64) -> (out_7: [n_0]i32, most_8: i32, bins_9: [m_1]i32, row_10: [2]i32, rest_11: [n_0]i64) = {
//!   let sums_12: [n_0]i32 = segment grid (v13 < n_0) {
//!     map \() -> {
//!       let x_14: i32 = xs_2[v13]
//!       in x_14
//!     }
//!     scan \(a_15: i32, b_16: i32) -> {
//!       let c_17: i32 = add a_15 b_16
//!       in c_17
//!     } (0i32)
//!     to map
//!   }
//!   let t_18: i32 = segment grid (v19 < n_0) {
//!     map \() -> {
//!       let p_20: i32 = sums_12[v19]
//!       let x_21: i32 = xs_2[v19]
//!       let y_22: i32 = mul x_21 x_21
//!       let r_23: i32 = sub p_20 y_22
//!       in r_23
//!     }
//!     to reduce \(d_24: i32, e_25: i32) -> {
//!       let f_26: i32 = max d_24 e_25
//!       in f_26
//!     } (0i32)
//!   }
//!   let v27: i64 = quot m_1 1i64
//!   let v28: i64 = max v27 1024i64
//!   let v29: i64 = quot n_0 v28
//!   let v30: i64 = min v29 64i64
//!   let v31: bool = lt 1i64 v30
//!   let counts_32: [m_1]i32 = if v31 then {
//!     let v33: i64 = min n_0 1i64
//!     let v34: i64 = sub n_0 v33
//!     let v35: i64 = quot v34 v30
//!     let v36: i64 = add v35 v33
//!     let v37: i64 = max v36 1i64
//!     let v38: i64 = quot v34 v37
//!     let v39: i64 = add v38 v33
//!     let counts_40: [v39][m_1]i32 = segment grid (v41 < v39) {
//!       map \() -> {
//!         let v42: i64 = mul v41 v37
//!         let v43: i64 = sub n_0 v42
//!         let v44: i64 = min v43 v37
//!         let v45: [m_1]i32 = screma m_1 {
//!           from iota 0i64 1i64
//!           map \(v46: i64) -> 0i32
//!           to map
//!         }
//!         let counts_47: [m_1]i32 = screma v44 {
//!           from iota v42 1i64
//!           map \(v48: i64) -> {
//!             let p_49: i32 = sums_12[v48]
//!             let i_50: i64 = is_3[v48]
//!             in (i_50, p_49)
//!           }
//!           to combine (v45) \(g_51: i32, h_52: i32) -> {
//!             let j_53: i32 = add g_51 h_52
//!             in j_53
//!           } (0i32)
//!         }
//!         let v54: [m_1]i32 = copy counts_47
//!         in v54
//!       }
//!       to map
//!     }
//!     let counts_55: [m_1]i32 = segment grid (v56 < m_1) {
//!       map \() -> {
//!         let v57: i32 = hs_4[v56]
//!         let v58: i32 = screma v39 {
//!           from iota 0i64 1i64
//!           map \(v59: i64) -> {
//!             let v60: i32 = counts_40[v59, v56]
//!             in v60
//!           }
//!           to reduce \(g_61: i32, h_62: i32) -> {
//!             let j_63: i32 = add g_61 h_62
//!             in j_63
//!           } (v57)
//!         }
//!         in v58
//!       }
//!       to map
//!     }
//!     let counts_64: [m_1]i32 = hs_4 with [0i64 : m_1 : 1i64] = counts_55
//!     in counts_64
//!   } else {
//!     let counts_65: [1][m_1]i32 = segment grid (v66 < 1i64) {
//!       map \() -> {
//!         let counts_67: [m_1]i32 = screma n_0 {
//!           from iota 0i64 1i64
//!           map \(v68: i64) -> {
//!             let p_69: i32 = sums_12[v68]
//!             let i_70: i64 = is_3[v68]
//!             in (i_70, p_69)
//!           }
//!           to combine (hs_4) \(g_71: i32, h_72: i32) -> {
//!             let j_73: i32 = add g_71 h_72
//!             in j_73
//!           } (0i32)
//!         }
//!         in counts_67
//!       }
//!       to map
//!     }
//!     let counts_74: [m_1]i32 = slice counts_65[0i64, 0i64 : m_1 : 1i64]
//!     in counts_74
//!   }
//!   let first_75: [2]i32 = [0i32, 0i32]
//!   let v76: i64 = add 1i64 2i64
//!   let v77: i64 = quot v76 1i64
//!   let v78: i64 = max v77 16i64
//!   let v79: i64 = quot n_0 v78
//!   let v80: i64 = min v79 64i64
//!   let v81: i64 = max v80 1i64
//!   let v82: i64 = min n_0 1i64
//!   let v83: i64 = sub n_0 v82
//!   let v84: i64 = quot v83 v81
//!   let v85: i64 = add v84 v82
//!   let v86: i64 = max v85 1i64
//!   let v87: i64 = quot v83 v86
//!   let v88: i64 = add v87 v82
//!   let rows_89: [v88][2]i32 = segment grid (v90 < v88) {
//!     map \() -> {
//!       let v91: i64 = mul v90 v86
//!       let v92: i64 = sub n_0 v91
//!       let v93: i64 = min v92 v86
//!       let rows_94: [2]i32 = screma v93 {
//!         from iota v91 1i64
//!         map \(k1_95: i64) -> {
//!           let xs1_96: [2]i32 = slice xss_5[k1_95, 0i64 : 2i64 : 1i64]
//!           in xs1_96
//!         }
//!         to reduce \(u_97: [2]i32, v_98: [2]i32) -> {
//!           let w_99: [2]i32 = screma 2i64 {
//!             from u_97, v_98
//!             map \(u1_100: i32, v101: i32) -> {
//!               let w1_102: i32 = add u1_100 v101
//!               in w1_102
//!             }
//!             to map
//!           }
//!           in w_99
//!         } (first_75)
//!       }
//!       in rows_94
//!     }
//!     to map
//!   }
//!   let rows_103: [1][2]i32 = segment grid (v104 < 1i64) {
//!     map \() -> {
//!       let v105: [2]i32 = screma v88 {
//!         from iota 0i64 1i64
//!         map \(v106: i64) -> {
//!           let v107: [2]i32 = slice rows_89[v106, 0i64 : 2i64 : 1i64]
//!           in v107
//!         }
//!         to reduce \(u_108: [2]i32, v_109: [2]i32) -> {
//!           let w_110: [2]i32 = screma 2i64 {
//!             from u_108, v_109
//!             map \(u1_111: i32, v112: i32) -> {
//!               let w1_113: i32 = add u1_111 v112
//!               in w1_113
//!             }
//!             to map
//!           }
//!           in w_110
//!         } (first_75)
//!       }
//!       in v105
//!     }
//!     to map
//!   }
//!   let rows_114: [2]i32 = slice rows_103[0i64, 0i64 : 2i64 : 1i64]
//!   let zs_115: [n_0]i64 = segment grid (k1_116 < n_0) {
//!     map \() -> {
//!       let i1_117: i64 = is_3[k1_116]
//!       in (i1_117, k1_116)
//!     }
//!     to write ys_6 rank 1
//!   }
//!   in (sums_12, t_18, counts_32, rows_114, zs_115)
//! }
//! entry main = main (n_0, m_1, xs_2, is_3, *hs_4, xss_5, *ys_6) -> (out_7, most_8, bins_9, row_10, rest_11)
//! ```

use std::collections::BTreeSet;

use ravel_base::Symbol;
use ravel_core::{
    Atom, Body, DimSlice, Exp, Lambda, Level, Screma, Segment, Sink, Source, Stm, Substitution, Var, VarInfo,
    VarTable, atom_type, copy_body, free_in_body, free_in_exp, free_in_lambda,
};
use ravel_prim::BinOp;

use super::grid::{carries_arrays, combines, read};
use crate::Cx;
use crate::fuse::compose::identity;
use crate::simplify::dead;

/// The rule for segments that scan.
pub(super) const SPLIT_SCAN: &str = "split-scan";
/// The rule for segments that reduce, and combine into arrays.
pub(super) const SPLIT_COMBINE: &str = "split-combine";

/// The rule for segments that reduce arrays, and write into others.
pub(super) const SPLIT_WRITE: &str = "split-write";

/// The most operations by which the second segment computes a value again.
const MAX_OPERATIONS: usize = 8;

/// The most elements that the second segment reads again for a value. To store the value and read it would be two accesses.
const MAX_READS: usize = 2;

/// Splits a segment that does several things. Returns the second segment.
pub(super) fn split(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) -> Option<Stm> {
    let Exp::Segment(segment) = &stm.exp else { return None };
    let screma = &segment.screma;
    let has = |is: fn(&Sink) -> bool| screma.sinks.iter().any(is);
    let reduces = has(|sink| matches!(sink, Sink::Reduce { .. }));
    let writes = has(|sink| matches!(sink, Sink::Write { .. }));
    let carries_arrays = carries_arrays(vars, screma);
    let (rule, is_needed) = match () {
        () if segment.points == Level::Workgroup || carries_arrays && !writes => return None,
        () if !screma.scans.is_empty() => (SPLIT_SCAN, true),
        () if carries_arrays => (SPLIT_WRITE, true),
        () if combines(screma) && (reduces || writes || computes_in_loops(vars, segment)) => {
            (SPLIT_COMBINE, reduces || writes)
        }
        () => return None,
    };
    let shares = SinkParts::of(vars, &stm.binders, segment);
    if !shares.second.is_empty() {
        let is_optional = segment.level == Level::Grid && segment.outer.is_empty();
        if !is_optional {
            cx.record(rule, &stm.origin);
        } else if !cx.fire(rule, &stm.origin) {
            if is_needed {
                stm.exp = Exp::Screma(Box::new(construct_of(vars, segment)));
            }
            return None;
        }
        stm.origin.add_rule(rule);
    }
    separate(vars, stm, shares)
}

/// Whether the points of a segment compute in loops what it combines: scalars, from arrays that have as many elements as it
/// has points. These loops run in lanes, or in one thread for each point, only if the points are not those of parts.
fn computes_in_loops(vars: &VarTable, segment: &Segment) -> bool {
    let Segment { level, ref outer, index, ref screma, .. } = *segment;
    let body = &screma.map.body;
    let reads_point = |stm: &Stm| match &stm.exp {
        Exp::Index(_, at) => at.first() == Some(&Atom::Var(index)),
        Exp::Slice(_, at) => at.first() == Some(&DimSlice::Fix(Atom::Var(index))),
        _ => false,
    };
    let is_short = |(at, &result): (usize, &Atom)| {
        atom_type(vars, result).is_scalar() || recomputation(vars, screma, at).is_some()
    };
    level == Level::Grid
        && outer.is_empty()
        && has_loop(body)
        && body.stms.iter().any(reads_point)
        && body.result.iter().enumerate().all(is_short)
}

fn has_loop(body: &Body) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Loop(_) | Exp::Screma(_) | Exp::Stream(_) | Exp::Call(_) => true,
        Exp::If { then, otherwise, .. } => has_loop(then) || has_loop(otherwise),
        _ => false,
    })
}

/// Replaces a segment of one dimension that combines arrays by a construct without a level, which does this on one thread.
/// A segment before the construct keeps everything else, also the computation of the values that the construct combines.
pub(super) fn in_one_thread(vars: &mut VarTable, mut stm: Stm) -> Vec<Stm> {
    let Exp::Segment(segment) = &stm.exp else { return vec![stm] };
    let mut stms = Vec::new();
    if combines(&segment.screma) {
        let shares = SinkParts::of(vars, &stm.binders, segment);
        if let Some(next) = separate(vars, &mut stm, shares) {
            stms.push(std::mem::replace(&mut stm, next));
        }
    }
    if let Exp::Segment(segment) = &stm.exp {
        stm.exp = Exp::Screma(Box::new(construct_of(vars, segment)));
    }
    stms.retain(|stm| !stm.binders.is_empty());
    stms.push(stm);
    stms
}

/// The construct of a segment of one dimension, without a level. Its counter is a source. If the code after the scans uses it
/// too, this code gets it from the map.
fn construct_of(vars: &mut VarTable, segment: &Segment) -> Screma {
    let mut screma = segment.screma.clone();
    screma.sources.insert(0, Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) });
    screma.map.params.insert(0, segment.index);
    if let Some(post) = &mut screma.post
        && free_in_lambda(vars, post).contains(&segment.index)
    {
        let param = vars.push(vars[segment.index].clone());
        screma.map.body.result.push(Atom::Var(segment.index));
        post.params.push(param);
        let mut counter = Substitution::new();
        counter.insert(segment.index, Atom::Var(param));
        counter.body(vars, &mut post.body);
    }
    screma
}

/// A sink with its results and values.
struct SinkPart {
    sink: Sink,
    binders: Vec<Var>,
    /// The positions of its values: in the first segment among the results of `map`, in the second among those of the
    /// last lambda.
    values: Vec<usize>,
}

impl SinkPart {
    /// A new array for a value.
    fn array(array: Var, value: usize) -> SinkPart {
        SinkPart { sink: Sink::Map, binders: vec![array], values: vec![value] }
    }
}

/// The sinks of the two segments.
struct SinkParts {
    /// The scanned values are first, in order.
    first: Vec<SinkPart>,
    second: Vec<SinkPart>,
}

impl SinkParts {
    fn of(vars: &mut VarTable, binders: &[Var], segment: &Segment) -> SinkParts {
        let Segment { screma, .. } = segment;
        let in_parts = carries_arrays(vars, screma);
        let scanned = screma.scanned_count();
        let mut scans: Vec<Option<Var>> = vec![None; scanned];
        let (mut passing, mut second) = (Vec::new(), Vec::new());
        for (sink, own, values) in screma.sink_ranges() {
            let binders = binders[own].to_vec();
            let unchanged: Option<Vec<usize>> =
                values.clone().map(|at| unchanged_result(screma, at)).collect();
            match (sink, unchanged.as_deref()) {
                (Sink::Map, Some(&[at])) if at < scanned && scans[at].is_none() => {
                    scans[at] = Some(binders[0])
                }
                (Sink::Map | Sink::Write { .. }, Some(unchanged))
                    if unchanged.iter().all(|&at| at >= scanned) && (!in_parts || *sink == Sink::Map) =>
                {
                    passing.push(SinkPart { sink: sink.clone(), binders, values: unchanged.to_vec() });
                }
                (Sink::Reduce { .. }, _) if scanned == 0 => {
                    passing.push(SinkPart { sink: sink.clone(), binders, values: values.collect() });
                }
                _ => second.push(SinkPart { sink: sink.clone(), binders, values: values.collect() }),
            }
        }
        let kept = scans.into_iter().enumerate();
        let kept = kept.map(|(at, array)| {
            let hint = screma.post.as_ref().and_then(|post| vars[post.params[at]].hint);
            SinkPart::array(array.unwrap_or_else(|| store(vars, segment, at, hint)), at)
        });
        SinkParts { first: kept.chain(passing).collect(), second }
    }
}

/// The result of `map` that this result of the last lambda equals, if the code after the scans does not change it.
pub(super) fn unchanged_result(screma: &Screma, value: usize) -> Option<usize> {
    let Some(post) = &screma.post else { return Some(value) };
    let unchanged = post.body.result.get(value)?.var()?;
    post.params.iter().position(|&param| param == unchanged)
}

/// A name for an array of this result of `map` at all points.
fn store(vars: &mut VarTable, segment: &Segment, at: usize, hint: Option<Symbol>) -> Var {
    let ty = atom_type(vars, segment.screma.map.body.result[at]);
    let ty = ty.over(segment.space().map(|(_, size)| size));
    vars.push(VarInfo { hint, ty })
}

/// Leaves the first segment in the statement, and returns the second, unless it has nothing to do.
fn separate(vars: &mut VarTable, stm: &mut Stm, shares: SinkParts) -> Option<Stm> {
    let Exp::Segment(segment) = &mut stm.exp else { return None };
    let SinkParts { mut first, second } = shares;
    let counters: Vec<Atom> = segment.space().map(|(counter, _)| Atom::Var(counter)).collect();
    let mut next =
        Segment { screma: continuation(vars, &mut segment.screma, &second), ..(**segment).clone() };
    let (mut params, mut reads, mut replacements) = (Vec::new(), Vec::new(), Substitution::new());
    let mut repeated = BTreeSet::new();
    let used = free_in_body(vars, &next.screma.map.body);
    for (at, param) in std::mem::take(&mut next.screma.map.params).into_iter().enumerate() {
        if !used.contains(&param) {
            continue;
        }
        let kept =
            first.iter().find(|share| share.sink == Sink::Map && is_same(&segment.screma, &share.values, at));
        let exp = match (kept.map(|share| share.binders[0]), recomputation(vars, &segment.screma, at)) {
            (Some(array), _) => read(vars, array, counters.clone()),
            (None, Some(Recomputation::Statements(stms))) => {
                repeated.extend(stms);
                replacements.insert(param, segment.screma.map.body.result[at]);
                continue;
            }
            (None, Some(Recomputation::Source(source))) => {
                next.screma.sources.push(source);
                params.push(param);
                continue;
            }
            (None, None) => {
                let array = store(vars, segment, at, vars[param].hint);
                first.push(SinkPart::array(array, at));
                read(vars, array, counters.clone())
            }
        };
        reads.push(Stm { binders: vec![param], exp, origin: stm.origin.inside() });
    }
    next.screma.map.params = params;
    replacements.body(vars, &mut next.screma.map.body);
    reads.extend(repeated.into_iter().map(|at| segment.screma.map.body.stms[at].clone()));
    next.screma.map.body.stms.splice(0..0, reads);
    let results = &mut segment.screma.map.body.result;
    *results = first.iter().flat_map(|share| &share.values).map(|&at| results[at]).collect();
    segment.screma.sinks = first.iter().map(|share| share.sink.clone()).collect();
    stm.binders = first.into_iter().flat_map(|share| share.binders).collect();
    if second.is_empty() {
        return None;
    }
    remove_dead_code(vars, stm);
    // The counters of the second segment are new, and so are the variables that it computes again.
    let exp = Exp::Segment(Box::new(next));
    let body = vec![Stm { binders: Vec::new(), exp, origin: stm.origin.clone() }];
    let copy = copy_body(vars, None, Substitution::new(), &Body { stms: body, result: Vec::new() });
    let mut next = copy.stms.into_iter().next()?;
    next.binders = second.into_iter().flat_map(|share| share.binders).collect();
    Some(next)
}

/// Whether this is the one value, or another one that equals it.
fn is_same(screma: &Screma, values: &[usize], at: usize) -> bool {
    let scanned = screma.scanned_count();
    let results = &screma.map.body.result;
    match *values {
        [value] => value == at || (value.min(at) >= scanned && results[value] == results[at]),
        _ => false,
    }
}

/// Removes code of the first segment that only the second needs, which has a copy.
pub(super) fn remove_dead_code(vars: &VarTable, stm: &mut Stm) {
    let result = stm.binders.iter().map(|&binder| Atom::Var(binder)).collect();
    let mut body = Body { stms: vec![stm.clone()], result };
    dead::slice(vars, &mut body);
    body.stms.into_iter().for_each(|live| *stm = live);
}

/// Takes the code after the scans, or code that does nothing, with these sinks: the construct of the second segment. Its
/// parameters are all results of `map`.
fn continuation(vars: &mut VarTable, screma: &mut Screma, second: &[SinkPart]) -> Screma {
    let mut map = screma.post.take().unwrap_or_else(|| identity(vars, &screma.map.body.result));
    let results = &mut map.body.result;
    *results = second.iter().flat_map(|share| &share.values).map(|&at| results[at]).collect();
    let sinks = second.iter().map(|share| share.sink.clone()).collect();
    Screma { width: screma.width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks }
}

/// How the second segment gets a value of the first without an array.
pub(super) enum Recomputation {
    /// From this source.
    Source(Source),
    /// By these statements of the first; none if the value is from outside.
    Statements(BTreeSet<usize>),
}

/// How the second segment gets this result of `map` without an array, if that takes less than storing and reading one.
pub(super) fn recomputation(vars: &VarTable, screma: &Screma, at: usize) -> Option<Recomputation> {
    let Lambda { params, body } = &screma.map;
    let result = body.result[at];
    if let Some(number) = params.iter().position(|&param| Atom::Var(param) == result) {
        return Some(Recomputation::Source(screma.sources[number].clone()));
    }
    let binding = |var: Var| body.stms.iter().position(|stm| stm.binders.contains(&var));
    let (mut stms, mut cost) = (BTreeSet::new(), Cost::default());
    let mut needed: Vec<Var> = result.var().into_iter().collect();
    while let Some(var) = needed.pop() {
        let Some(stm) = binding(var) else {
            match params.contains(&var) {
                true => return None,
                false => continue,
            }
        };
        if !stms.insert(stm) {
            continue;
        }
        let exp = &body.stms[stm].exp;
        cost.add(vars, exp, &[body])?;
        needed.extend(free_in_exp(vars, exp));
    }
    let Cost { reads, operations } = cost;
    (reads <= MAX_READS && operations <= MAX_OPERATIONS).then_some(Recomputation::Statements(stms))
}

/// What a value costs when it is computed again.
#[derive(Default)]
struct Cost {
    reads: usize,
    operations: usize,
}

impl Cost {
    /// Adds the cost of an expression in these bodies, each inside the one before, if it is short.
    fn add(&mut self, vars: &VarTable, exp: &Exp, bodies: &[&Body]) -> Option<()> {
        match exp {
            Exp::Index(..) | Exp::Slice(..) => {
                if !free_in_exp(vars, exp).into_iter().all(|var| is_near(bodies, var)) {
                    return None;
                }
                self.reads += 1;
            }
            Exp::Compare(..) | Exp::Convert(..) => self.operations += 1,
            Exp::Unary(op, _) if op.is_short() => self.operations += 1,
            Exp::Binary(op, ..) if op.is_short() => self.operations += 1,
            Exp::If { then, otherwise, .. } => {
                self.operations += 1;
                for branch in [then, otherwise] {
                    let bodies = [bodies, &[branch]].concat();
                    branch.stms.iter().try_for_each(|stm| self.add(vars, &stm.exp, &bodies))?;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether a variable comes from outside of these bodies, or is at a constant distance of such a variable. As indices, these let
/// neighbouring points read neighbouring elements.
fn is_near(bodies: &[&Body], var: Var) -> bool {
    let atom = |atom: &Atom| atom.var().is_none_or(|var| is_near(bodies, var));
    let mut stms = bodies.iter().flat_map(|body| &body.stms);
    match stms.find(|stm| stm.binders.contains(&var)).map(|stm| &stm.exp) {
        None => true,
        Some(
            Exp::Binary(BinOp::Add, Atom::Const(_), a)
            | Exp::Binary(BinOp::Add | BinOp::Sub, a, Atom::Const(_)),
        ) => atom(a),
        Some(_) => false,
    }
}
