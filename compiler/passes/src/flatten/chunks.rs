//! # stream-chunks: the chunks of a stream spread over the grid
//!
//! ## Rule
//!
//! ```text
//!   let ys = stream n { … }
//!   -----------------------------------      k: the chunk size of the target
//!   let ys = stream grid n by k { … }
//! ```
//!
//! * *stream-chunks*: an outermost stream is cut into chunks of the target's size, each of which is the code of one thread.
//!
//! The last chunk may be smaller. The constructs in a chunk are loops (`sequentialise`).
//!
//! ## Requires
//!
//! Nothing: a stream promises that its result does not depend on the cuts.
//!
//! ## Ensures
//!
//! The cuts depend only on the width, so results are the same bit for bit for any number of threads. The size
//! of a thread's arrays is known before the thread runs.
//!
//! ## Leaves alone
//!
//! Streams in the code of a point.
//!
//! ## Costs
//!
//! A stream has as many threads as chunks. Constant time for each stream.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), whose streaming operators these are.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: [n]i32) = {
//!   let ys: [n]i32 = stream n {
//!     from xs
//!     chunk \(k: i64, at: i64, x: [k]i32) -> {
//!       let y: [k]i32 = screma k { from x map \(a: i32) -> { let b: i32 = add a 1i32 in b } to map }
//!       in y
//!     }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (n, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: [n_0]i32) = {
//!   let ys_3: [n_0]i32 = stream grid n_0 by 1024 {
//!     from xs_1
//!     chunk \(k_4: i64, at_5: i64, x_6: [k_4]i32) -> {
//!       let y_7: [k_4]i32 = screma k_4 {
//!         from x_6
//!         map \(a_8: i32) -> {
//!           let b_9: i32 = add a_8 1i32
//!           in b_9
//!         }
//!         to map
//!       }
//!       in y_7
//!     }
//!     to map
//!   }
//!   in ys_3
//! }
//! entry main = main (n_0, xs_1) -> (out_2)
//! ```

use ravel_core::{Exp, Stm};

use super::sequentialise;
use crate::Cx;

/// The rule.
pub(super) const STREAM_CHUNKS: &str = "stream-chunks";

/// Spreads the chunks of a stream of host code over the grid.
pub(super) fn place(cx: &mut Cx, stm: &mut Stm) {
    let Exp::Stream(stream) = &mut stm.exp else { return };
    if stream.chunk_size.is_some() || !cx.fire(STREAM_CHUNKS, &stm.origin) {
        return;
    }
    stream.chunk_size = Some(cx.target.stream_chunk);
    stm.origin.add_rule(STREAM_CHUNKS);
    sequentialise::record(cx, stream.lambdas());
}
