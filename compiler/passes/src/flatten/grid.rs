//! # segment-map, segment-reduce, segment-scan, segment-write
//!
//! ```text
//!   let ys = screma n { from xs map \x -> S … }
//!   ---------------------------------------------------------------------
//!   let ys = segment grid (i < n) { map \() -> { let x = xs[i] S } … }
//! ```
//!
//! An outermost construct spreads over the grid, one thread for each element. Point `i` reads element `i` of each
//! source array. A source `iota 0 1` becomes the counter `i`; any other iota stays a source of the segment, as a
//! recurrence. The rule is named for what happens to the elements: *scan* if they are scanned, else *reduce* if they
//! are reduced, else *write* if they are written or combined, else *map*.
//!
//! ## Requires
//!
//! * *scalars-or-bins*: a construct that combines into arrays neither reduces nor scans arrays. The threads of such
//!   a construct would need partial results of two kinds.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: i32) = {
//!   let sum: i32 = screma n {
//!     from xs, iota 0 1
//!     map \(x: i32, i: i64) -> { let k: i32 = convert i32 i let y: i32 = mul x k in y }
//!     to reduce \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!   }
//!   in sum
//! }
//! entry main = main (n, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: i32) = {
//!   let sum_3: i32 = segment grid (i_4 < n_0) {
//!     map \() -> {
//!       let x_5: i32 = xs_1[i_4]
//!       let k_6: i32 = convert i32 i_4
//!       let y_7: i32 = mul x_5 k_6
//!       in y_7
//!     }
//!     to reduce \(a_8: i32, b_9: i32) -> {
//!       let c_10: i32 = add a_8 b_9
//!       in c_10
//!     } (0i32)
//!   }
//!   in sum_3
//! }
//! entry main = main (n_0, xs_1) -> (out_2)
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
    let segment = Segment { level, points, parts: None, outer, index, screma };
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

pub(super) fn combines(screma: &Screma) -> bool {
    screma.sinks.iter().any(|sink| matches!(sink, Sink::Combine { .. }))
}

/// Whether the construct reduces or scans arrays.
pub(super) fn carries_arrays(vars: &VarTable, screma: &Screma) -> bool {
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
fn read(vars: &VarTable, array: Var, at: Vec<Atom>) -> Exp {
    let whole = vars[array].ty.shape[at.len()..].iter().map(|&size| DimSlice::whole(size));
    let whole: Vec<DimSlice> = whole.collect();
    match whole.is_empty() {
        true => Exp::Index(array, at),
        false => Exp::Slice(array, at.into_iter().map(DimSlice::Fix).chain(whole).collect()),
    }
}
