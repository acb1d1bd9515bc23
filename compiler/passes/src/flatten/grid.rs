//! # segment-map, segment-reduce, segment-scan, segment-write: a construct spreads over the grid
//!
//! ## Rule
//!
//! ```text
//!   let ys = screma n { from xs map \x -> S … }
//!   ---------------------------------------------------------------------
//!   let ys = segment grid (i < n) { map \() -> { let x = xs[i] S } … }
//! ```
//!
//! * *segment-map*: an outermost construct that only maps spreads over the grid, one thread for each element.
//! * *segment-reduce*: an outermost construct that reduces, and does not scan, spreads over the grid.
//! * *segment-scan*: an outermost construct that scans spreads over the grid.
//! * *segment-write*: an outermost construct that writes or combines into arrays, and neither reduces nor scans,
//!   spreads over the grid.
//!
//! Point `i` reads element `i` of each source array. A source `iota 0 1` becomes the counter `i`; any other
//! iota stays a source of the segment, as a recurrence.
//!
//! ## Requires
//!
//! * *scalars-or-bins*: a construct that combines into arrays neither reduces nor scans arrays. The threads of
//!   such a construct would need partial results of two kinds.
//!
//! ## Ensures
//!
//! Every element is computed as before.
//!
//! ## Leaves alone
//!
//! Constructs in the code of a point, which `sequentialise` and `nest` decide about.
//!
//! ## Costs
//!
//! Linear in the number of sources.
//!
//! ## Source
//!
//! Blelloch, "Vector Models for Data-Parallel Computing" (MIT Press, 1990), whose elementwise, scan and permute
//! instructions these segments generalise.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32, *ts: [n]i32) -> (out1: [n]i32, out2: i32, out3: [n]i32, out4: [n]i32) = {
//!   let ys: [n]i32 = screma n { from xs, iota 0 1 map \(a: i32, i: i64) -> { let j: i32 = convert i32 i let b: i32 = mul a j in b } to map }
//!   let sum: i32 = screma n {
//!     from xs
//!     map \(d: i32) -> d
//!     to reduce \(e: i32, f: i32) -> { let g: i32 = add e f in g } (0i32)
//!   }
//!   let sums: [n]i32 = screma n {
//!     from xs
//!     map \(h: i32) -> h
//!     scan \(k: i32, l: i32) -> { let m: i32 = add k l in m } (0i32)
//!     to map
//!   }
//!   let zs: [n]i32 = screma n {
//!     from xs
//!     map \(o: i32) -> { let p: i64 = convert i64 o in (p, o) }
//!     to write ts rank 1
//!   }
//!   in (ys, sum, sums, zs)
//! }
//! entry main = main (xs, *ts) -> (out1, out2, out3, out4)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, *ts_2: [n_0]i32) -> (out1_3: [n_0]i32, out2_4: i32, out3_5: [n_0]i32, out4_6: [n_0]i32) = {
//!   let ys_7: [n_0]i32 = segment grid (i_8 < n_0) {
//!     map \() -> {
//!       let a_9: i32 = xs_1[i_8]
//!       let j_10: i32 = convert i32 i_8
//!       let b_11: i32 = mul a_9 j_10
//!       in b_11
//!     }
//!     to map
//!   }
//!   let sum_12: i32 = segment grid (v13 < n_0) {
//!     map \() -> {
//!       let d_14: i32 = xs_1[v13]
//!       in d_14
//!     }
//!     to reduce \(e_15: i32, f_16: i32) -> {
//!       let g_17: i32 = add e_15 f_16
//!       in g_17
//!     } (0i32)
//!   }
//!   let sums_18: [n_0]i32 = segment grid (v19 < n_0) {
//!     map \() -> {
//!       let h_20: i32 = xs_1[v19]
//!       in h_20
//!     }
//!     scan \(k_21: i32, l_22: i32) -> {
//!       let m_23: i32 = add k_21 l_22
//!       in m_23
//!     } (0i32)
//!     to map
//!   }
//!   let zs_24: [n_0]i32 = segment grid (v25 < n_0) {
//!     map \() -> {
//!       let o_26: i32 = xs_1[v25]
//!       let p_27: i64 = convert i64 o_26
//!       in (p_27, o_26)
//!     }
//!     to write ts_2 rank 1
//!   }
//!   in (ys_7, sum_12, sums_18, zs_24)
//! }
//! entry main = main (xs_1, *ts_2) -> (out1_3, out2_4, out3_5, out4_6)
//! ```

use ravel_core::{
    Atom, DimSlice, Exp, Level, Origin, Screma, Segment, Sink, Source, Stm, Type, Var, VarInfo, VarTable,
    atom_type,
};
use ravel_prim::PrimType;

use crate::{Cx, Premise, Refusal};

/// The rule for constructs that only map.
pub(super) const MAP: &str = "segment-map";
/// The rule for those that reduce.
pub(super) const REDUCE: &str = "segment-reduce";
/// The rule for those that scan.
pub(super) const SCAN: &str = "segment-scan";
/// The rule for those that write or combine.
pub(super) const WRITE: &str = "segment-write";

pub(super) const SCALARS_OR_BINS: Premise = Premise {
    name: "scalars-or-bins",
    about: "a construct that combines into arrays neither reduces nor scans arrays",
    otherwise: "it reduces or scans arrays and combines into arrays as well, so it runs on one thread",
};

/// Spreads a construct of host code over the grid.
pub(super) fn place(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) {
    let Exp::Screma(screma) = &stm.exp else { return };
    let rule = rule(screma);
    if combines(screma) && carries_arrays(vars, screma) {
        let refusal = Refusal::of(SCALARS_OR_BINS).blame(None, stm.origin.place());
        cx.refuse(rule, refusal, &stm.origin);
        return;
    }
    if !cx.fire(rule, &stm.origin) {
        return;
    }
    let mut screma = Screma::clone(screma);
    let point = stm.origin.inside();
    let index = point_code(vars, &mut screma, &[], &point);
    let (level, points, outer) = (Level::Grid, Level::Thread, Vec::new());
    let segment = Segment { level, points, outer, index, screma };
    stm.exp = Exp::Segment(Box::new(segment));
    stm.origin.add_rule(rule);
}

fn rule(screma: &Screma) -> &'static str {
    let is_reduced = |sink: &Sink| matches!(sink, Sink::Reduce { .. });
    match () {
        () if !screma.scans.is_empty() => SCAN,
        () if screma.sinks.iter().any(is_reduced) => REDUCE,
        () if screma.sinks.iter().any(|sink| *sink != Sink::Map) => WRITE,
        () => MAP,
    }
}

pub(crate) fn combines(screma: &Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, Sink::Combine { .. }))
}

/// Whether the construct reduces or scans arrays.
pub(crate) fn carries_arrays(vars: &VarTable, screma: &Screma) -> bool {
    let reduced = screma.sinks.iter().filter_map(|sink| match sink {
        Sink::Reduce { neutral, .. } => Some(neutral),
        _ => None,
    });
    let mut neutral = reduced.chain(screma.scans.iter().map(|scan| &scan.neutral)).flatten();
    neutral.any(|&atom| !atom_type(vars, atom).is_scalar())
}

/// Turns the map lambda of a construct into the code of a point, which begins with reads of the source arrays. Returns the
/// counter. If a source is a row of another array, its elements are read from that array.
pub(super) fn point_code(vars: &mut VarTable, screma: &mut Screma, rows: &[Row], origin: &Origin) -> Var {
    let counts = |source: &Source| *source == Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
    let params = std::mem::take(&mut screma.map.params);
    let sources = std::mem::take(&mut screma.sources);
    let counter = params.iter().zip(&sources).find(|(_, source)| counts(source)).map(|(&param, _)| param);
    let index = counter.unwrap_or_else(|| vars.push(VarInfo { hint: None, ty: Type::scalar(PrimType::I64) }));
    let mut reads = Vec::new();
    for (param, source) in params.into_iter().zip(sources) {
        let exp = match source {
            _ if param == index => continue,
            Source::Array(array) => {
                let row = rows.iter().find(|row| row.name == array);
                let (array, mut at) = row.map_or((array, Vec::new()), |row| (row.array, row.at.clone()));
                at.push(Atom::Var(index));
                read(vars, array, at)
            }
            source if counts(&source) => Exp::Atom(Atom::Var(index)),
            source => {
                screma.map.params.push(param);
                screma.sources.push(source);
                continue;
            }
        };
        reads.push(Stm { binders: vec![param], exp, origin: origin.clone() });
    }
    screma.map.body.stms.splice(0..0, reads);
    index
}

/// A name for a row of an array.
pub(super) struct Row {
    /// The name.
    pub(super) name: Var,
    /// The array.
    pub(super) array: Var,
    /// The positions in the outer dimensions.
    pub(super) at: Vec<Atom>,
}

/// The element or row of an array at these positions.
pub(super) fn read(vars: &VarTable, array: Var, at: Vec<Atom>) -> Exp {
    let whole = vars[array].ty.shape[at.len()..].iter().map(|&size| DimSlice::whole(size));
    let whole: Vec<DimSlice> = whole.collect();
    match whole.is_empty() {
        true => Exp::Index(array, at),
        false => Exp::Slice(array, at.into_iter().map(DimSlice::Fix).chain(whole).collect()),
    }
}
