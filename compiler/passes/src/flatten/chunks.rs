//! # stream-chunks: the chunks of a stream spread over the grid
//!
//! ## Rule
//!
//! ```text
//!   let (ys, r) = stream n { from xs chunk \(m, at, x) -> { S in (y, p) } to map to reduce op }
//!   -------------------------------------------------------------------------------------------------
//!   let c = n / k, rounded up                                       k: the chunk size of the target
//!   let (ys, ps) = segment grid (i < c) {
//!     map \() -> { at = i * k  m = min (n - at) k  x = slice xs[at : m : 1]  S in (y, p) }
//!     to concat n by k
//!     to map
//!   }
//!   let r = reduce op ps, on one thread and in order
//! ```
//!
//! * *stream-chunks*: the chunks of an outermost stream, of the target's chunk size, are the points of a segment.
//!
//! The last chunk may be smaller. If a sink reduces without a neutral element, there is at least one chunk, which may be
//! empty, and its value comes first. The constructs in a chunk are loops (`sequentialise`).
//!
//! ## Requires
//!
//! Nothing: a stream promises that its result does not depend on the cuts. If the rule is switched off, the stream is one
//! chunk (`one-chunk`).
//!
//! ## Ensures
//!
//! The cuts depend only on the width, so results are the same bit for bit for any number of threads. The size
//! of a thread's arrays is known before the thread runs.
//!
//! ## Leaves alone
//!
//! Streams in the code of a point, each of which is one chunk (`one-chunk`).
//!
//! ## Costs
//!
//! A stream has as many threads as chunks. The values of the chunks are stored before they are combined. Linear in the
//! number of sources and sinks.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), whose streaming operators these are.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: [n]i32, sum: i32) = {
//!   let (ys: [n]i32, total: i32) = stream n {
//!     from xs
//!     chunk \(k: i64, at: i64, x: [k]i32) -> {
//!       let (y: [k]i32, s: i32) = screma k {
//!         from x
//!         map \(a: i32) -> { let b: i32 = add a 1i32 in (b, b) }
//!         to map
//!         to reduce \(c: i32, d: i32) -> { let e: i32 = add c d in e } (0i32)
//!       }
//!       in (y, s)
//!     }
//!     to map
//!     to reduce \(f: i32, g: i32) -> { let h: i32 = add f g in h } (0i32)
//!   }
//!   in (ys, total)
//! }
//! entry main = main (n, xs) -> (out, sum)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: [n_0]i32, sum_3: i32) = {
//!   let v4: i64 = min n_0 1i64
//!   let v5: i64 = sub n_0 v4
//!   let v6: i64 = quot v5 1024i64
//!   let v7: i64 = add v6 v4
//!   let (ys_8: [n_0]i32, total_9: [v7]i32) = segment grid (v10 < v7) {
//!     map \() -> {
//!       let at_11: i64 = mul v10 1024i64
//!       let v12: i64 = sub n_0 at_11
//!       let k_13: i64 = min v12 1024i64
//!       let x_14: [k_13]i32 = slice xs_1[at_11 : k_13 : 1i64]
//!       let (y_15: [k_13]i32, s_16: i32) = screma k_13 {
//!         from x_14
//!         map \(a_17: i32) -> {
//!           let b_18: i32 = add a_17 1i32
//!           in (b_18, b_18)
//!         }
//!         to map
//!         to reduce \(c_19: i32, d_20: i32) -> {
//!           let e_21: i32 = add c_19 d_20
//!           in e_21
//!         } (0i32)
//!       }
//!       in (y_15, s_16)
//!     }
//!     to concat n_0 by 1024i64
//!     to map
//!   }
//!   let total_22: [1]i32 = segment grid (v23 < 1i64) {
//!     map \() -> {
//!       let v24: i32 = screma v7 {
//!         from iota 0i64 1i64
//!         map \(v25: i64) -> {
//!           let v26: i32 = total_9[v25]
//!           in v26
//!         }
//!         to reduce \(f_27: i32, g_28: i32) -> {
//!           let h_29: i32 = add f_27 g_28
//!           in h_29
//!         } (0i32)
//!       }
//!       in v24
//!     }
//!     to map
//!   }
//!   let total_30: i32 = total_22[0i64]
//!   in (ys_8, total_30)
//! }
//! entry main = main (n_0, xs_1) -> (out_2, sum_3)
//! ```

use ravel_core::{Atom, Builder, DimSlice, Exp, Sink, Stm, Stream, StreamSink, VarTable};
use ravel_prim::BinOp;

use super::in_order::{Parts, combine};
use super::points::{Dividend, fresh_like, over_points};
use super::sequentialise;
use crate::Cx;

/// The rule.
pub(super) const STREAM_CHUNKS: &str = "stream-chunks";

/// The statements that replace a stream of host code, in which its chunks are the points of a segment.
pub(super) fn place(vars: &mut VarTable, cx: &mut Cx, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::Stream(stream) = &stm.exp else { return None };
    if !cx.fire(STREAM_CHUNKS, &stm.origin) {
        return None;
    }
    sequentialise::record(cx, stream.lambdas());
    let mut origin = stm.origin.clone();
    origin.add_rule(STREAM_CHUNKS);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin.clone());
    let size = Atom::i64(cx.target.stream_chunk);
    let mut count = Dividend::of(&mut builder, stream.width).by(&mut builder, size);
    if stream.has_empty_chunk() {
        count = builder.binary(BinOp::Max, count, Atom::i64(1));
    }
    let (mut results, mut sinks, mut combinations) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = &stm.binders[..];
    for sink in &stream.sinks {
        let (own, others) = rest.split_at(sink.arity());
        rest = others;
        match sink {
            StreamSink::Map => {
                results.extend(own);
                sinks.push(Sink::Concat { count: stream.width, size });
            }
            StreamSink::Reduce { op, neutral } => {
                let arrays = fresh_like(&mut builder, own, |ty| ty.array_of(count));
                results.extend(&arrays);
                sinks.extend(arrays.iter().map(|_| Sink::Map));
                combinations.push((own, op, Parts { arrays, count, neutral: neutral.clone() }));
            }
        }
    }
    over_points(&mut builder, results, count, sinks, |builder, index| point(builder, stream, size, index));
    for (own, op, parts) in combinations {
        combine(&mut builder, own, op.clone(), parts);
    }
    let stms;
    (*vars, stms) = builder.finish();
    Some(stms)
}

/// The code of the point with this counter: the function of a chunk, after statements that bind its parameters.
fn point(builder: &mut Builder, stream: &Stream, most: Atom, index: Atom) -> Vec<Atom> {
    let [size, start, slices @ ..] = &stream.chunk.params[..] else {
        unreachable!("the function of a chunk takes its size and its start")
    };
    builder.emit(vec![*start], Exp::Binary(BinOp::Mul, index, most));
    let rest = builder.binary(BinOp::Sub, stream.width, Atom::Var(*start));
    builder.emit(vec![*size], Exp::Binary(BinOp::Min, rest, most));
    let range = DimSlice::Range { start: Atom::Var(*start), count: Atom::Var(*size), stride: Atom::i64(1) };
    for (&slice, &source) in slices.iter().zip(&stream.sources) {
        let rows = builder.vars()[source].ty.shape.iter().skip(1).map(|&size| DimSlice::whole(size));
        let dims = std::iter::once(range).chain(rows).collect();
        builder.emit(vec![slice], Exp::Slice(source, dims));
    }
    let body = &stream.chunk.body;
    body.stms.iter().for_each(|stm| builder.push(stm.clone()));
    body.result.clone()
}
