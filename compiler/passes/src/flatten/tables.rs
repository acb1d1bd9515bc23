//! # histogram-in-workgroups: combine into tables of workgroups
//!
//! ## Rule
//!
//! ```text
//!   let h = segment grid (i < n) { map \() -> S in (bin, x)  to combine (t) op z }      t: [m]
//!   --------------------------------------------------------------------------------------------
//!   let h = if m <= passes * c && least <= n && n <= most then {
//!     let tables = segment grid (p < m / c, g < k) block {                k groups of s points
//!       let empty = segment block (b < min m c) { map z  to map }
//!       let table = segment block (j < min (n - g * s) s) {
//!         map { i = g * s + j  S in (bin - p * c, x) }
//!         to combine (empty) op
//!       }
//!       in table
//!     }
//!     in segment grid (b < m) { map t[b] op tables[b / c, 0, b % c] op … op tables[b / c, k - 1, b % c]  to map }
//!   } else {
//!     the histogram in parts
//!   }
//! ```
//!
//! * *histogram-in-workgroups*: the points of a segment that combines into arrays are divided into groups. A workgroup
//!   combines each group into a table in its memory, which its threads share.
//!
//! The threads of a workgroup take neighbouring points at the same time, so they read neighbouring elements. They may
//! combine into the same bin: they do so in one step (an *atomic* operation). Then the tables of all groups are combined bin
//! by bin, and neighbouring threads read neighbouring bins.
//!
//! A table has at most `c` bins, as many as fit into the memory of a workgroup: the tables of all sinks share it. If
//! there are more bins, each group of points is run in several passes, and each pass combines only into its own bins. The
//! setting `histogram_passes` of the target limits them. At run time, the segment is computed in parts if there are more
//! bins, only a few points, or more points than workgroups can number (`parts.rs`).
//!
//! If the segment combines into an array of equal elements that nothing else uses, only the other version fills this array.
//!
//! ## Requires
//!
//! * *only-bins*: the segment combines into arrays, and does nothing else.
//! * *atomic-operator*: each operator is `add`, `and`, `or` or `xor` on integers of 32 or 64 bits, or `min` or `max` on
//!   integers of 32 bits.
//! * *few-bins*: if a number of bins is constant, the passes suffice for it.
//! * *private-arrays*: the arrays that a point makes have constant sizes and fit the private memory of a thread.
//!
//! ## Ensures
//!
//! The results are the same bit for bit in every run: the operators are exact, so their order does not matter. If
//! points fail, the first one is reported.
//!
//! ## Leaves alone
//!
//! Segments for a target whose threads do not combine in one step, such as a CPU. Segments whose points are computed by
//! workgroups, and segments of several dimensions.
//!
//! ## Costs
//!
//! Every pass runs the code of all points. Memory for the tables, which have at most as many elements as there are points. The
//! code of the segment is duplicated.
//!
//! ## Source
//!
//! Henriksen, Hellfritzsch, Sadayappan and Oancea, "Compiling Generalized Histograms for GPU" (SC 2020), where workgroups have
//! several tables and also combine into tables in device memory. Here they have one, and its threads combine by atomic
//! operations only; other operators combine in parts.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
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
//!   let v5: bool = le 16i64 n_0
//!   let v6: bool = le n_0 1099511627776i64
//!   let v7: bool = and v5 v6
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
//!   in counts_10
//! }
//! entry main = main (n_0, m_1, is_2, *hs_3) -> (out_4)
//! ```

use std::collections::BTreeSet;

use ravel_core::{
    Atom, Builder, Exp, Lambda, Level, Screma, Segment, Sink, Stm, Type, Var, VarTable, free_in_exp,
    free_in_lambda,
};
use ravel_kernel::{BlockType, Space, Target, is_atomic};
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::block_level::body::large_array;
use super::in_order::reads;
use super::parts::segments::{Bins, Division, combine_bins, counted_construct, fresh_sinks};
use super::parts::side;
use super::points::{Dividend, over_points_at};
use super::scan_total::operation;
use crate::pass::missing;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const TABLES: &str = "histogram-in-workgroups";

pub(super) const ONLY_BINS: Premise = Premise {
    name: "only-bins",
    about: "the segment combines into arrays, and does nothing else",
    otherwise: "it also stores values or scans, so its points would run in several passes",
};

pub(super) const ATOMIC_OPERATOR: Premise = Premise {
    name: "atomic-operator",
    about: "each operator is `add`, `and`, `or` or `xor` on integers of 32 or 64 bits, or `min` or `max` on integers of 32 bits",
    otherwise: "its operator is no atomic operation on integers of 32 or 64 bits",
};

pub(super) const FEW_BINS: Premise = Premise {
    name: "few-bins",
    about: "if a number of bins is constant, the passes suffice for it",
    otherwise: "it has too many bins for tables in the memory of a workgroup",
};

pub(super) const PRIVATE_ARRAYS: Premise = Premise {
    name: "private-arrays",
    about: "the arrays that a point makes have constant sizes and fit the private memory of a thread",
    otherwise: "{} is an array of a point; its size is not constant, or too large",
};

/// The minimum number of points of a group for each thread of its workgroup, so that a table is worth filling.
const POINTS: i64 = 4;

/// The maximum number of groups. A thread combines a bin of all of them, one after the other.
const GROUPS: i64 = 512;

/// The maximum number of points, so that a workgroup numbers those of its group in 32 bits.
const MOST_POINTS: i64 = GROUPS << 31;

/// The operator, if threads can combine by it in one step.
pub(crate) fn atomic_operation(vars: &VarTable, op: &Lambda) -> Option<BinOp> {
    let ty = vars[*op.params.first()?].ty.clone();
    operation(op).filter(|&op| ty.is_scalar() && is_atomic(op, ty.elem))
}

/// Whether a segment of threads that combines into arrays does so in tables of workgroups.
pub(super) fn applies(vars: &VarTable, cx: &mut Cx, stm: &Stm) -> bool {
    let Exp::Segment(segment) = &stm.exp else { return false };
    let screma = &segment.screma;
    let Some(capacity) = capacity(vars, &cx.target, screma) else { return false };
    let most = capacity.saturating_mul(cx.target.histogram_passes);
    let is_atomic = |sink: &Sink| match sink {
        Sink::Combine { op, .. } => atomic_operation(vars, op).is_some(),
        _ => true,
    };
    let is_combine = |sink: &Sink| matches!(sink, Sink::Combine { .. });
    let only_bins = || screma.scans.is_empty() && screma.sinks.iter().all(is_combine);
    let has_few =
        || bins(vars, screma).into_iter().all(|bins| constant(bins).is_none_or(|bins| bins <= most));
    let large = large_array(vars, &cx.target, screma);
    let wrong = missing(&[
        (ONLY_BINS, &only_bins),
        (ATOMIC_OPERATOR, &|| screma.sinks.iter().all(is_atomic)),
        (FEW_BINS, &has_few),
        (PRIVATE_ARRAYS, &|| large.is_none()),
    ]);
    let Some(premise) = wrong else { return cx.fire(TABLES, &stm.origin) };
    let blamed = large.filter(|_| premise == PRIVATE_ARRAYS).unwrap_or(stm);
    let name = blamed.binders.iter().find_map(|&binder| vars[binder].hint);
    cx.refuse(TABLES, Refusal::of(premise).blame(name, blamed.origin.place()), &stm.origin);
    false
}

/// The statement that computes a segment in tables of workgroups, or `otherwise` if it has too many bins, or too few or too many points.
/// Takes the fills of its targets out of the statements before it.
pub(super) fn or_otherwise(
    vars: &mut VarTable,
    cx: &mut Cx,
    before: &mut Vec<Stm>,
    mut stm: Stm,
    otherwise: impl FnOnce(&mut VarTable, &mut Cx, Stm) -> Vec<Stm>,
) -> Vec<Stm> {
    let binders = stm.binders.clone();
    let fills = fills(vars, before, &stm);
    let mut others: Vec<Stm> = fills.iter().flatten().map(|(fill, _)| fill.clone()).collect();
    others.extend(otherwise(vars, cx, stm.clone()));
    let otherwise = side(vars, others, &binders);
    stm.origin.add_rule(TABLES);
    let origin = stm.origin.clone();
    let Exp::Segment(segment) = &stm.exp else { return vec![stm] };
    let most = capacity(vars, &cx.target, &segment.screma).unwrap_or(0) * cx.target.histogram_passes;
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin.clone());
    let width = segment.screma.width;
    let some = builder.compare(CmpOp::Le, Atom::i64(cx.target.histogram_points), width);
    let numbered = builder.compare(CmpOp::Le, width, Atom::i64(MOST_POINTS));
    let mut cond = builder.binary(BinOp::And, some, numbered);
    for bins in bins(builder.vars(), &segment.screma) {
        if constant(bins).is_none() {
            let fits = builder.compare(CmpOp::Le, bins, Atom::i64(most));
            cond = builder.binary(BinOp::And, cond, fits);
        }
    }
    let mut stms;
    (*vars, stms) = builder.finish();
    let values = fills.into_iter().map(|fill| fill.map(|(_, value)| value)).collect();
    let tables = in_workgroups(vars, &cx.target, stm, values);
    let then = side(vars, tables, &binders);
    stms.push(Stm { binders, exp: Exp::If { cond, then, otherwise }, origin });
    stms
}

/// For each target, the statement that fills it with one value, and the value, if nothing else uses the target. Takes these
/// statements out.
fn fills(vars: &VarTable, before: &mut Vec<Stm>, stm: &Stm) -> Vec<Option<(Stm, Atom)>> {
    let Exp::Segment(segment) = &stm.exp else { return Vec::new() };
    let read: BTreeSet<Var> =
        segment.screma.lambdas().flat_map(|lambda| free_in_lambda(vars, lambda)).collect();
    let mut fill = |target: Var| {
        let at = before.iter().rposition(|stm| stm.binders == [target])?;
        let value = value_of_fill(&before[at])?;
        let is_used = |stm: &Stm| free_in_exp(vars, &stm.exp).contains(&target);
        let is_other = read.contains(&target) || before[at + 1..].iter().any(is_used);
        (!is_other).then(|| (before.remove(at), value))
    };
    let sinks = segment.screma.sinks.iter();
    let fill_of = |sink: &Sink| match sink {
        Sink::Combine { targets, .. } => fill(targets[0]),
        _ => None,
    };
    sinks.map(fill_of).collect()
}

/// The value of all elements, if the statement fills an array with it.
fn value_of_fill(stm: &Stm) -> Option<Atom> {
    let Exp::Segment(segment) = &stm.exp else { return None };
    let Segment { level: Level::Grid, points: Level::Thread, outer, index, screma } = &**segment else {
        return None;
    };
    let fills = outer.is_empty() && screma.scans.is_empty() && screma.sinks == [Sink::Map];
    match (&screma.map.body.stms[..], &screma.map.body.result[..]) {
        ([], &[value]) if fills && value != Atom::Var(*index) && screma.map.params.is_empty() => Some(value),
        _ => None,
    }
}

/// The maximum number of bins of each table of a workgroup; `None` if the target has no tables.
fn capacity(vars: &VarTable, target: &Target, screma: &Screma) -> Option<i64> {
    let most = target.workgroup_bytes.filter(|_| target.histogram_passes > 0)?;
    let bytes = |elem| BlockType { elem, space: Space::Workgroup }.workgroup_bytes();
    let widths = targets(screma).map(|target| bytes(vars[target].ty.elem));
    Some(most / widths.sum::<i64>().max(1)).filter(|&capacity| capacity > 0)
}

/// The numbers of bins of a segment.
fn bins(vars: &VarTable, screma: &Screma) -> Vec<Atom> {
    targets(screma).map(|target| vars[target].ty.shape[0]).collect()
}

/// The first target of each histogram; the only one if its operator is atomic.
fn targets(screma: &Screma) -> impl Iterator<Item = Var> {
    screma.sinks.iter().filter_map(|sink| match sink {
        Sink::Combine { targets, .. } => Some(targets[0]),
        _ => None,
    })
}

fn constant(number: Atom) -> Option<i64> {
    match number {
        Atom::Const(number) => number.as_i64(),
        Atom::Var(_) => None,
    }
}

/// The value of an operator, computed here if the operands are constants.
fn binary(builder: &mut Builder, op: BinOp, a: Atom, b: Atom) -> Atom {
    let folded = match (a, b) {
        (Atom::Const(a), Atom::Const(b)) => ravel_prim::binary(op, a, b),
        _ => None,
    };
    folded.map_or_else(|| builder.binary(op, a, b), Atom::Const)
}

/// The least multiple of a constant, at least 1, that is not less than the number.
fn multiple(builder: &mut Builder, number: Atom, of: i64) -> Atom {
    let sum = builder.binary(BinOp::Add, number, Atom::i64(of - 1));
    let quotient = builder.binary(BinOp::Quot, sum, Atom::i64(of));
    builder.binary(BinOp::Mul, quotient, Atom::i64(of))
}

/// The statements that compute a segment in tables of workgroups. `values` are the values with which its targets would be
/// filled.
fn in_workgroups(vars: &mut VarTable, target: &Target, stm: Stm, values: Vec<Option<Atom>>) -> Vec<Stm> {
    let Stm { binders, exp: Exp::Segment(segment), origin } = stm else { return vec![stm] };
    let points = counted_construct(vars, *segment, &origin.inside());
    let combinations = fresh_sinks(vars, &points);
    let capacity = Atom::i64(capacity(vars, target, &points).unwrap_or(1));
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin);
    let bins = bins(builder.vars(), &points);
    let sizes: Vec<Atom> =
        bins.iter().map(|&bins| binary(&mut builder, BinOp::Min, bins, capacity)).collect();
    let mut of_all = |op| bins.iter().copied().reduce(|a, b| binary(&mut builder, op, a, b));
    let (most, all) = (of_all(BinOp::Max).unwrap_or(capacity), of_all(BinOp::Add).unwrap_or(capacity));
    let passes = {
        let last = binary(&mut builder, BinOp::Sub, capacity, Atom::i64(1));
        let sum = binary(&mut builder, BinOp::Add, most, last);
        binary(&mut builder, BinOp::Quot, sum, capacity)
    };
    let least = Atom::i64(POINTS * i64::from(target.workgroup));
    let least = binary(&mut builder, BinOp::Max, all, least);
    let groups = builder.binary(BinOp::Quot, points.width, least);
    let groups = builder.binary(BinOp::Min, groups, Atom::i64(GROUPS));
    let groups = builder.binary(BinOp::Max, groups, Atom::i64(1));
    // Each thread has as many points, and where a group begins, a sector of memory does.
    let dividend = Dividend::of(&mut builder, points.width);
    let size = dividend.by(&mut builder, groups);
    let size = multiple(&mut builder, size, i64::from(target.workgroup));
    let division = Division { width: points.width, count: dividend.by(&mut builder, size), size };
    let tables = arrays(&mut builder, &binders, &sizes, &[passes, division.count]);
    let [pass, group] = [(); 2].map(|()| builder.fresh(None, Type::scalar(PrimType::I64)));
    let origin = builder.set_origin(ravel_core::Origin::default());
    builder.set_origin(origin.inside());
    let body = builder.body(|builder| {
        let (start, count) = division.part(builder, Atom::Var(group));
        let first = (passes != Atom::i64(1)).then(|| builder.binary(BinOp::Mul, Atom::Var(pass), capacity));
        tables_of_group(builder, points, &binders, (start, count, first), &sizes)
    });
    builder.set_origin(origin);
    let sinks = vec![Sink::Map; tables.len()];
    let map = Lambda { params: Vec::new(), body };
    let width = division.count;
    let screma = Screma { width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks };
    let (level, inner, outer) = (Level::Grid, Level::Workgroup, vec![(pass, passes)]);
    let segment = Segment { level, points: inner, outer, index: group, screma };
    builder.emit(tables.clone(), Exp::Segment(Box::new(segment)));
    for (((sink, own), table), value) in combinations.into_iter().zip(tables).zip(values) {
        let Sink::Combine { op, targets, .. } = sink else { continue };
        let number = builder.vars()[targets[0]].ty.shape[0];
        let first = value.map_or(Bins::Of(targets), |value| Bins::Equal(value, number));
        combine_bins(&mut builder, &binders[own], op, &first, (&[table], width), |builder, bin| {
            let pass = builder.binary(BinOp::Quot, bin, capacity);
            (vec![pass], builder.binary(BinOp::Rem, bin, capacity))
        });
    }
    let stms;
    (*vars, stms) = builder.finish();
    stms
}

/// Fresh variables for an array of each of these sizes, with the names and element types of the binders, and outer
/// dimensions.
fn arrays(builder: &mut Builder, binders: &[Var], sizes: &[Atom], outer: &[Atom]) -> Vec<Var> {
    let array = |(&binder, &size): (&Var, &Atom)| {
        let info = builder.vars()[binder].clone();
        builder.fresh(info.hint, Type::array(info.ty.elem, [outer, &[size]].concat()))
    };
    binders.iter().zip(sizes).map(array).collect()
}

/// The code of a workgroup: its tables for the points of a group, of which `start` is the first and which are `count`. If
/// there are several passes, `first` is the first bin of this one.
fn tables_of_group(
    builder: &mut Builder,
    points: Screma,
    binders: &[Var],
    (start, count, first): (Atom, Atom, Option<Atom>),
    sizes: &[Atom],
) -> Vec<Atom> {
    let over = |builder: &mut Builder, array: Var, code: &dyn Fn(&mut Builder, Atom) -> Vec<Atom>| {
        let size = builder.vars()[array].ty.shape[0];
        over_points_at(builder, Level::Workgroup, vec![array], size, vec![Sink::Map], code);
    };
    let Screma { map: Lambda { params, body }, mut sinks, .. } = points;
    let empty = arrays(builder, binders, sizes, &[]);
    for (sink, &empty) in sinks.iter_mut().zip(&empty) {
        if let Sink::Combine { targets, neutral, .. } = sink {
            *targets = vec![empty];
            over(builder, empty, &|_, _| neutral.clone());
        }
    }
    let full = arrays(builder, binders, sizes, &[]);
    over_points_at(builder, Level::Workgroup, full.clone(), count, sinks, |builder, point| {
        builder.emit(params, Exp::Binary(BinOp::Add, start, point));
        body.stms.into_iter().for_each(|stm| builder.push(stm));
        let mut results = body.result;
        for bin in results.iter_mut().step_by(2) {
            *bin = first.map_or(*bin, |first| builder.binary(BinOp::Sub, *bin, first));
        }
        results
    });
    let stored = arrays(builder, binders, sizes, &[]);
    for (&stored, &full) in stored.iter().zip(&full) {
        over(builder, stored, &|builder, bin| reads(builder, &[full], &[bin]));
    }
    stored.into_iter().map(Atom::Var).collect()
}
