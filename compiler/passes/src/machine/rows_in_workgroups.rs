//! # rows-in-workgroups: reduce and scan rows by workgroups
//!
//! ## Rule
//!
//! ```text
//!   segment reduce (… i < n, j < m) { S }  into out
//!   -->
//!   together = max (workgroup / max m 1) 1
//!   segment blocks (… g < ceil (n / together)) {
//!     first = g * together
//!     segment reduce (r < min (n - first) together, j < m) { i = first + r  S }  into out[…, first ..]
//!   }
//! ```
//!
//! A *row* is the points with the same outer counters.
//!
//! * *rows-in-workgroups*: a reduction or scan of several dimensions becomes a segment of workgroups. A workgroup
//!   combines neighbouring whole rows: so many that each point has a thread, but at least one row.
//!
//! ## Requires
//!
//! Nothing: rows do not depend on each other.
//!
//! ## Ensures
//!
//! On a target without the setting `grid_rows`, reductions and scans of the grid have one dimension. Its backend relies on
//! this, so the rule cannot be switched off. The division into workgroups depends on sizes only, so results are the same in
//! every run. Workgroups have their points in the order of the segment, so the failure with the least index is still the one
//! reported.
//!
//! ## Leaves alone
//!
//! Maps, reductions and scans of one dimension, and all segments if the target has `grid_rows`.
//!
//! ## Costs
//!
//! One walk over the host program. In the program, a workgroup per row if rows are long; a thread per point if they are
//! short.
//!
//! ## Source
//!
//! Larsen and Henriksen, "Strategies for Regular Segmented Reductions on GPU" (FHPC 2017). There, workgroups share the rows
//! that are longer than a workgroup's points; here, a workgroup combines them alone.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! entry "main" [n, m] (xs: block f32 [n, m]) -> ([]f32) {
//!   view xs2: f32 [n, m] = xs + 0i64 * [m, 1i64]
//!   alloc out: block f32 = n
//!   view out1: f32 [n] = out + 0i64 * [1i64]
//!   segment reduce (i < n, j < m) chunk 1i64 {
//!     load x: f32 = xs2[i, j]
//!     yield x
//!   } combine (a: f32) (b: f32) neutral (0f32) into (out1) {
//!     let c: f32 = add(a, b)
//!     yield c
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0, m_1] (xs_2: block f32 [n_0, m_1]) -> ([]f32) {
//!   view xs2_3: f32 [n_0, m_1] = xs_2 + 0i64 * [m_1, 1i64]
//!   alloc out_4: block f32 = n_0
//!   view out1_5: f32 [n_0] = out_4 + 0i64 * [1i64]
//!   let v_6: i64 = max(m_1, 1i64)
//!   let v_7: i64 = quot(256i64, v_6)
//!   let v_8: i64 = max(v_7, 1i64)
//!   let v9: i64 = min(n_0, 1i64)
//!   let v10: i64 = sub(n_0, v9)
//!   let v11: i64 = quot(v10, v_8)
//!   let v12: i64 = add(v11, v9)
//!   segment blocks (group_13 < v12) chunk 1i64 {
//!     let v_14: i64 = mul(group_13, v_8)
//!     let v_15: i64 = sub(n_0, v_14)
//!     let v_16: i64 = min(v_15, v_8)
//!     let v_17: i64 = mul(v_14, 1i64)
//!     let v_18: i64 = add(0i64, v_17)
//!     view out1_19: f32 [v_16] = out_4 + v_18 * [1i64]
//!     segment reduce (row_20 < v_16, j_21 < m_1) {
//!       let i_22: i64 = add(v_14, row_20)
//!       load x_23: f32 = xs2_3[i_22, j_21]
//!       yield x_23
//!     } combine (a_24: f32) (b_25: f32) neutral (0.0f32) into (out1_19) {
//!       let c_26: f32 = add(a_24, b_25)
//!       yield c_26
//!     }
//!   }
//!   yield n_0, out_4
//! }
//! ```

use std::sync::Arc;

use ravel_base::Origin;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use crate::arithmetic::Arithmetic;
use crate::steps::{self, Steps};
use crate::{Cx, KernelPass};

/// The pass `rows-in-workgroups`: its rule, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "rows-in-workgroups",
    about: "Turns reductions and scans of several dimensions into segments of workgroups if only these combine rows.",
    rules: &[RULE],
    premises: &[],
    run,
};

/// The rule, which cannot be switched off: the GPU relies on it.
pub const RULE: &str = "rows-in-workgroups";

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.grid_rows {
        return;
    }
    steps::replace(program, &mut |mut step, vars| match step.stm {
        Stm::Segment(GridSegment { hint, space, points: Points::Threads { kind, body }, .. })
            if kind != SegmentKind::Map && space.len() > 1 =>
        {
            cx.record(RULE, &step.origin);
            Arc::make_mut(&mut step.origin).add_rule(RULE);
            in_workgroups(&step.origin, InnerSegment { hint, space, kind, body }, cx.target.workgroup, vars)
        }
        stm => vec![Step { stm, ..step }],
    });
}

/// The steps that replace a grid segment. `inner` has the space, the kind and the body of the segment. `workgroup` is the
/// number of threads of a workgroup.
fn in_workgroups(
    origin: &Arc<Origin>,
    mut inner: InnerSegment,
    workgroup: u32,
    vars: &mut VarTable,
) -> Vec<Step<Host>> {
    let hint = inner.hint;
    let mut space = std::mem::take(&mut inner.space);
    let (Some((point, points)), Some((counter, rows))) = (space.pop(), space.pop()) else {
        unreachable!("a space of several dimensions");
    };
    let workgroup = Atom::i64(i64::from(workgroup));
    let mut host = Steps::<Host>::new(origin, vars);
    let size = host.binary(BinOp::Max, points, Atom::i64(1));
    let fitting = host.binary(BinOp::Quot, workgroup, size);
    let together = host.binary(BinOp::Max, fitting, Atom::i64(1));
    let groups = host.ceil_div(rows, together);
    let group = host.scalar("group", PrimType::I64);
    let mut steps = host.finish();

    let mut block = Steps::<Workgroup>::new(origin, vars);
    let first = block.binary(BinOp::Mul, Atom::Var(group), together);
    let left = block.binary(BinOp::Sub, rows, first);
    let count = block.binary(BinOp::Min, left, together);
    let mut at: Vec<Atom> = space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
    at.push(first);
    for combiner in inner.kind.combiners_mut() {
        for out in &mut combiner.outs {
            *out = rows_from(&mut block, *out, &at, count);
        }
    }
    let row = block.scalar("row", PrimType::I64);
    let exp = ScalarExp::Binary(BinOp::Add, first, Atom::Var(row));
    inner.body.stms.insert(0, Step::new(origin, Stm::Let { var: counter, exp }));
    inner.space = vec![(row, count), (point, points)];
    block.push(Stm::Segment(inner));
    let points = Points::Workgroups(Body { stms: block.finish(), result: Vec::new() });
    space.push((group, groups));
    let segment = GridSegment { hint, space, chunk: Atom::i64(1), lanes: None, points };
    steps.push(Step::new(origin, Stm::Segment(segment)));
    steps
}

/// A view of `count` rows of an array, beginning at these indices.
fn rows_from(block: &mut Steps<Workgroup>, array: Var, at: &[Atom], count: Atom) -> Var {
    let (hint, View { elem, shape, block: memory, mut offset, strides }) = block.array(array);
    for (&index, &stride) in at.iter().zip(&strides) {
        let distance = block.binary(BinOp::Mul, index, stride);
        offset = block.binary(BinOp::Add, offset, distance);
    }
    let outer = at.len() - 1;
    let shape = [&[count][..], &shape[at.len()..]].concat();
    block.view(hint, View { elem, shape, block: memory, offset, strides: strides[outer..].to_vec() })
}
