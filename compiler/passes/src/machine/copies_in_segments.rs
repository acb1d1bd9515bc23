//! # copies-in-segments: copy arrays of the host by segments
//!
//! ## Rule
//!
//! ```text
//!   copy to = from      -->      segment map (i < count) { load x = from'[i]  store to'[i] = x }
//! ```
//!
//! where `from'` and `to'` are one-dimensional views of the same elements.
//!
//! * *copies-in-segments*: a copy in host code becomes a segment whose points copy one element each.
//!
//! ## Requires
//!
//! Nothing: both sides of a copy in host code are contiguous, so one counter runs over both.
//!
//! ## Ensures
//!
//! A target without the setting `host_elements` writes device memory only in segments, and each copy is a launch like any
//! other. Its backend relies on this, so the rule cannot be switched off.
//!
//! ## Leaves alone
//!
//! Copies in the code of threads, and all copies if the target's host accesses elements.
//!
//! ## Costs
//!
//! One walk over the host program.
//!
//! ## Source
//!
//! The definition of WGSL: only shaders access the elements of a buffer.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! entry "main" [n] (xs: block f32 [n], ys: block f32 [n]) -> ([]f32) {
//!   let count: i64 = add(n, n)
//!   alloc out: block f32 = count
//!   view first: f32 [n] = out + 0i64 * [1i64]
//!   view second: f32 [n] = out + n * [1i64]
//!   view xs1: f32 [n] = xs + 0i64 * [1i64]
//!   view ys1: f32 [n] = ys + 0i64 * [1i64]
//!   copy first = xs1
//!   copy second = ys1
//!   yield count, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f32 [n_0], ys_2: block f32 [n_0]) -> ([]f32) {
//!   let count_3: i64 = add(n_0, n_0)
//!   alloc out_4: block f32 = count_3
//!   view first_5: f32 [n_0] = out_4 + 0i64 * [1i64]
//!   view second_6: f32 [n_0] = out_4 + n_0 * [1i64]
//!   view xs1_7: f32 [n_0] = xs_1 + 0i64 * [1i64]
//!   view ys1_8: f32 [n_0] = ys_2 + 0i64 * [1i64]
//!   view first_9: f32 [n_0] = out_4 + 0i64 * [1i64]
//!   view xs1_10: f32 [n_0] = xs_1 + 0i64 * [1i64]
//!   segment map "copy" (i_11 < n_0) chunk 1i64 {
//!     load x_12: f32 = xs1_10[i_11]
//!     store first_9[i_11] = x_12
//!   }
//!   view second_13: f32 [n_0] = out_4 + n_0 * [1i64]
//!   view ys1_14: f32 [n_0] = ys_2 + 0i64 * [1i64]
//!   segment map "copy" (i_15 < n_0) chunk 1i64 {
//!     load x_16: f32 = ys1_14[i_15]
//!     store second_13[i_15] = x_16
//!   }
//!   yield count_3, out_4
//! }
//! ```

use std::sync::Arc;

use ravel_base::{Origin, Symbol};
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use crate::steps::{self, Steps};
use crate::{Cx, KernelPass};

/// The pass `copies-in-segments`: its rule, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "copies-in-segments",
    about: "Turns the copies of the host into segments if only segments can access elements.",
    rules: &[RULE],
    premises: &[],
    run,
};

/// The rule, which cannot be switched off: the GPU relies on it.
pub const RULE: &str = "copies-in-segments";

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.host_elements {
        return;
    }
    steps::replace(program, &mut |mut step, vars| match step.stm {
        Stm::Copy { to, from } => {
            cx.record(RULE, &step.origin);
            step.add_rule(RULE);
            copy(&step.origin, to, from, vars)
        }
        _ => vec![step],
    });
}

/// The steps that copy `from` to `to`.
fn copy(origin: &Arc<Origin>, to: Var, from: Var, vars: &mut VarTable) -> Vec<Step<Host>> {
    let mut host = Steps::new(origin, vars);
    let (_, View { elem, shape, .. }) = host.array(to);
    let count = shape.into_iter().reduce(|count, size| host.binary(BinOp::Mul, count, size));
    let count = count.unwrap_or(Atom::i64(1));
    let i = host.scalar("i", PrimType::I64);
    let x = host.scalar("x", elem);
    let mut row = |array: Var| {
        let (hint, view) = host.array(array);
        host.view(hint, View { shape: vec![count], strides: vec![Atom::i64(1)], ..view })
    };
    let (to, from) = (row(to), row(from));
    let indices = vec![Atom::Var(i)];
    let element = [
        Stm::Load { var: x, array: from, indices: indices.clone() },
        Stm::Store { array: to, indices, value: Atom::Var(x) },
    ];
    let body = Body { stms: Step::all(origin, element).collect(), result: Vec::new() };
    host.push(Stm::Segment(GridSegment {
        hint: Some(Symbol::new("copy")),
        space: vec![(i, count)],
        chunk: Atom::i64(1),
        lanes: None,
        points: Points::Threads { kind: SegmentKind::Map, body },
    }));
    host.finish()
}
