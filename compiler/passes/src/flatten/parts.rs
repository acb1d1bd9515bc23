//! # histogram-in-parts, arrays-in-parts
//!
//! ```text
//!   segment grid (i < n) { … to combine … }
//!   --------------------------------------------------------------
//!   segment grid (i < n) parts most p points q spread s { … to combine … }
//! ```
//!
//! The operator of a segment takes only scalars, but a thread can combine arrays sequentially. The points are divided
//! into parts, and each part gets a thread and private arrays. The private arrays are then combined in the order of the
//! parts. *histogram-in-parts* applies to a segment that combines into arrays, *arrays-in-parts* to a segment that
//! reduces or scans arrays.
//!
//! There are at most `p` parts, each has at least `q` points, and all private arrays together have at most `s` elements for
//! each point. These are settings of the target. So the number of parts depends only on sizes, and results are the same bit
//! for bit for any number of threads. If two private histograms would have too many bins, there is one part.
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
//!   let counts_5: [m_1]i32 = segment grid (v6 < n_0) parts most 64 points 1024 spread 1 {
//!     map \() -> {
//!       let i_7: i64 = is_2[v6]
//!       in (i_7, 1i32)
//!     }
//!     to combine (hs_3) \(a_8: i32, b_9: i32) -> {
//!       let c_10: i32 = add a_8 b_9
//!       in c_10
//!     } (0i32)
//!   }
//!   in counts_5
//! }
//! entry main = main (n_0, m_1, is_2, *hs_3) -> (out_4)
//! ```

use ravel_core::{Exp, Level, Parts, Stm, VarTable};

use super::grid::{carries_arrays, combines};
use crate::Cx;

/// The rule for segments that combine into arrays.
pub(super) const HISTOGRAM: &str = "histogram-in-parts";
/// The rule for those that reduce or scan arrays.
pub(super) const ARRAYS: &str = "arrays-in-parts";

/// Divides the points of a segment into parts, if it combines arrays.
pub(super) fn cut(vars: &VarTable, cx: &mut Cx, stm: &mut Stm) {
    let Exp::Segment(segment) = &mut stm.exp else { return };
    let target = &cx.target;
    let (rule, points) = match () {
        () if combines(&segment.screma) => (HISTOGRAM, target.histogram_points),
        () if carries_arrays(vars, &segment.screma) => (ARRAYS, target.part_points),
        () => return,
    };
    let parts = Parts { most: target.histogram_parts, points, spread: target.histogram_spread };
    let is_whole = segment.parts.is_none() && segment.points == Level::Thread && segment.outer.is_empty();
    if is_whole && cx.fire(rule, &stm.origin) {
        segment.parts = Some(parts);
        stm.origin.add_rule(rule);
    }
}
