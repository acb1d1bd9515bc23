//! # sequentialise: a construct inside a point is a loop of its thread
//!
//! ## Rule
//!
//! ```text
//!   segment grid (i < n) { map \() -> { … screma m { … } … } … }        unchanged
//! ```
//!
//! * *sequentialise*: a construct in the code of a point runs as a loop of its thread.
//!
//! The translation to kernel IR turns a construct in the code of a point into a loop, unless it is a segment. The rule
//! records the decision, so that `ravel explain` can name it at the operator. It cannot be switched off.
//!
//! ## Requires
//!
//! Nothing: a thread can run any construct.
//!
//! ## Ensures
//!
//! The events of the pass name every construct that runs sequentially.
//!
//! ## Leaves alone
//!
//! Inner segments, which run in parallel in a workgroup.
//!
//! ## Costs
//!
//! One walk over the code of each point.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019), one
//! of whose versions of a nest runs the inner constructs sequentially.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n][m]i32) -> (out: [n]i32) = {
//!   let sums: [n]i32 = screma n {
//!     from xs
//!     map \(row: [m]i32) -> {
//!       let sum: i32 = screma m {
//!         from row
//!         map \(x: i32) -> x
//!         to reduce \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!       }
//!       in sum
//!     }
//!     to map
//!   }
//!   in sums
//! }
//! entry main = main (n, m, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]i32) -> (out_3: [n_0]i32) = {
//!   let sums_4: [n_0]i32 = segment grid (v5 < n_0) {
//!     map \() -> {
//!       let row_6: [m_1]i32 = slice xs_2[v5, 0i64 : m_1 : 1i64]
//!       let sum_7: i32 = screma m_1 {
//!         from row_6
//!         map \(x_8: i32) -> x_8
//!         to reduce \(a_9: i32, b_10: i32) -> {
//!           let c_11: i32 = add a_9 b_10
//!           in c_11
//!         } (0i32)
//!       }
//!       in sum_7
//!     }
//!     to map
//!   }
//!   in sums_4
//! }
//! entry main = main (n_0, m_1, xs_2) -> (out_3)
//! ```

use ravel_core::visit::Visit;
use ravel_core::{Exp, Lambda, Stm, Var};

use crate::Cx;

/// The rule.
pub const SEQUENTIALISE: &str = "sequentialise";

/// Records that the constructs in the code of points are loops.
pub(super) fn record<'l>(cx: &mut Cx, points: impl Iterator<Item = &'l Lambda>) {
    points.for_each(|lambda| Constructs { cx }.lambda(lambda));
}

struct Constructs<'a> {
    cx: &'a mut Cx,
}

impl Visit for Constructs<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Screma(_) = stm.exp {
            self.cx.record(SEQUENTIALISE, &stm.origin);
        }
        self.exp(&stm.exp);
    }
}
