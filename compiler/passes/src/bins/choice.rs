//! The choice between bins and one point a thread, for a nest without an attribute.
//!
//! Both versions compute rounds; the choice compares how many of them a lane of the device waits for, in units of the greatest
//! height. One point a thread takes `max(points, threads) * widest / threads` of them: a thread computes a point alone, as long as
//! its neighbour with the widest one. Bins take `max(lanes, threads) / threads` rounds of all lanes, but these are slower by a
//! factor, since they exchange values through workgroup memory, and some lanes idle. If there is little to do, the launches that make
//! bins cost more than they save.

use ravel_core::{Atom, Builder};
use ravel_prim::{BinOp, CmpOp, UnOp};

use super::inspector::Totals;
use crate::flatten::{is_less, limit};

/// The default of the limit `work`: the greatest width times the greatest height from which bins may pay.
const WORK: i64 = 1024;
/// The default of the limit `cost`: how much slower a round of a lane is in bins.
const COST: i64 = 3;

/// Adds the condition that nests run in bins. The runtime sets this limit to 0 if a call failed, and runs it again: then the failure is
/// that of the first point.
pub(super) fn enabled(builder: &mut Builder, nest: &str) -> Atom {
    let enabled = limit(builder, nest, "enabled", 1);
    builder.compare(CmpOp::Lt, Atom::i64(0), enabled)
}

/// Adds the condition that bins pay for so many points. `threads` is the default of the limit `threads`: the number of threads that
/// keep the device busy.
pub(super) fn pays(builder: &mut Builder, nest: &str, threads: i64, count: Atom, totals: &Totals) -> Atom {
    let work = limit(builder, nest, "work", WORK);
    let threads = limit(builder, nest, "threads", threads);
    let cost = limit(builder, nest, "cost", COST);
    let is_little = is_less(builder, &[totals.widest, totals.tallest], work);
    let alone = builder.binary(BinOp::Max, count, threads);
    let alone = builder.binary(BinOp::Mul, alone, totals.widest);
    let in_bins = builder.binary(BinOp::Max, totals.lanes, threads);
    let in_bins = builder.binary(BinOp::Mul, in_bins, cost);
    let is_less = builder.compare(CmpOp::Lt, in_bins, alone);
    let is_much = builder.unary(UnOp::Not, is_little);
    builder.binary(BinOp::And, is_much, is_less)
}
