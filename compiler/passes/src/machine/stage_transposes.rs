//! # stage-transposes: transpose arrays through workgroup memory
//!
//! ## Rule
//!
//! ```text
//!   segment map (i < n, j < m) { load x = xs[i, j]  store ys[i, j] = x }   -->
//!   segment blocks (p < n/32, q < m/32) {
//!     alloc tile: workgroup
//!     segment map (b < 32, a < 32) { load x = xs[32p + a, 32q + b]  store tile[b, a] = x }
//!     segment map (a < 32, b < 32) { load x = tile[b, a]  store ys[32p + a, 32q + b] = x }
//!   }
//! ```
//!
//! where neighbouring elements of `xs` along `i`, and of `ys` along `j`, are neighbours in memory.
//!
//! * *stage-transposes*: a copy that transposes an array goes through square tiles in workgroup memory.
//!
//! ## Requires
//!
//! * *large-sides*: both sides of the array have at least 16 elements, or an unknown number.
//!
//! ## Ensures
//!
//! The same elements are copied. Neighbouring threads load neighbouring elements and store neighbouring elements. The rows of a
//! tile are one element longer than its side, so that threads that access a column use different banks of the workgroup memory.
//!
//! ## Leaves alone
//!
//! Other segments than copies. All segments if neighbouring threads of the target do not access memory together (`coalesces`).
//!
//! ## Costs
//!
//! A tile at the edge has idle threads.
//!
//! ## Source
//!
//! Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (NVIDIA, 2009).
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! entry "main" [n, m] (xs: block f32 [m, n], *out: block f32 [n, m]) -> ([][]f32) {
//!   view xs1: f32 [n, m] = xs + 0i64 * [1i64, n]
//!   view out1: f32 [n, m] = out + 0i64 * [m, 1i64]
//!   segment map "copy" (i < n, j < m) chunk 1i64 {
//!     load x: f32 = xs1[i, j]
//!     store out1[i, j] = x
//!   }
//!   yield n, m, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0, m_1] (xs_2: block f32 [m_1, n_0], *out_3: block f32 [n_0, m_1]) -> ([][]f32) {
//!   view xs1_4: f32 [n_0, m_1] = xs_2 + 0i64 * [1i64, n_0]
//!   view out1_5: f32 [n_0, m_1] = out_3 + 0i64 * [m_1, 1i64]
//!   let v6: i64 = min(n_0, 1i64)
//!   let v7: i64 = sub(n_0, v6)
//!   let v8: i64 = quot(v7, 32i64)
//!   let v9: i64 = add(v8, v6)
//!   let v10: i64 = min(m_1, 1i64)
//!   let v11: i64 = sub(m_1, v10)
//!   let v12: i64 = quot(v11, 32i64)
//!   let v13: i64 = add(v12, v10)
//!   segment blocks "copy" (tile_14 < v9, tile_15 < v13) chunk 1i64 {
//!     let v_16: i64 = mul(tile_14, 32i64)
//!     let v_17: i64 = sub(n_0, v_16)
//!     let v_18: i64 = mul(tile_15, 32i64)
//!     let v_19: i64 = sub(m_1, v_18)
//!     alloc v20: workgroup f32 = 1056i64
//!     view v21: f32 [32i64, 32i64] = v20 + 0i64 * [33i64, 1i64]
//!     segment map "copy" (v22 < 32i64, v23 < 32i64) {
//!       let v_24: bool = lt(v23, v_17)
//!       let v_25: bool = lt(v22, v_19)
//!       let v26: bool = and(v_24, v_25)
//!       if v26 {
//!         let v_27: i64 = add(v_16, v23)
//!         let v_28: i64 = add(v_18, v22)
//!         load x_29: f32 = xs1_4[v_27, v_28]
//!         store v21[v22, v23] = x_29
//!       } else {
//!       }
//!     }
//!     segment map "copy" (v30 < 32i64, v31 < 32i64) {
//!       let v_32: bool = lt(v30, v_17)
//!       let v_33: bool = lt(v31, v_19)
//!       let v34: bool = and(v_32, v_33)
//!       if v34 {
//!         let v_35: i64 = add(v_16, v30)
//!         let v_36: i64 = add(v_18, v31)
//!         load x_37: f32 = v21[v31, v30]
//!         store out1_5[v_35, v_36] = x_37
//!       } else {
//!       }
//!     }
//!   }
//!   yield n_0, m_1, out_3
//! }
//! ```

use std::sync::Arc;

use ravel_base::Origin;
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use crate::arithmetic::{Arithmetic, ONE, ZERO};
use crate::pass::missing;
use crate::steps::{self, Steps};
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `stage-transposes`: its rule, its premise, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "stage-transposes",
    about: "Copies transposed arrays through tiles in workgroup memory.",
    rules: &[RULE],
    premises: &[LARGE_SIDES],
    run,
};

const RULE: &str = "stage-transposes";

const LARGE_SIDES: Premise = Premise {
    name: "large-sides",
    about: "both sides of the array have at least 16 elements, or an unknown number",
    otherwise: "most threads of a tile would be idle",
};

/// The side of a tile: as many elements as the threads of a subgroup access together.
const SIDE: i64 = 32;

/// The fewest elements of a side for which tiles pay.
const FEWEST: i64 = 16;

fn run(program: &mut Program, cx: &mut Cx) {
    if !cx.target.coalesces {
        return;
    }
    steps::replace(program, &mut |mut step, vars| {
        let Stm::Segment(segment) = &step.stm else { return vec![step] };
        let Some(copy) = transposing_copy(segment, vars) else { return vec![step] };
        let is_large = |&(_, size): &(Var, Atom)| match size {
            Atom::Const(size) => size.as_i64().is_none_or(|size| size >= FEWEST),
            Atom::Var(_) => true,
        };
        let sides_are_large =
            || [copy.along_from, copy.along_to].iter().all(|&dim| is_large(&segment.space[dim]));
        match missing(&[(LARGE_SIDES, &sides_are_large)]) {
            Some(premise) => cx.refuse(RULE, Refusal::of(premise), &step.origin),
            None if cx.fire(RULE, &step.origin) => {
                step.add_rule(RULE);
                let Step { origin, stm: Stm::Segment(segment) } = step else { unreachable!("a segment") };
                return staged(&origin, segment, &copy, vars);
            }
            None => (),
        }
        vec![step]
    });
}

/// A copy of an array to another layout.
struct TransposingCopy {
    from: Var,
    to: Var,
    /// The dimension along which neighbours of the array that is read are neighbours in memory.
    along_from: usize,
    /// The same of the array that is written.
    along_to: usize,
}

/// The copy that a segment is, if it transposes an array.
fn transposing_copy(segment: &GridSegment, vars: &VarTable) -> Option<TransposingCopy> {
    let (SegmentKind::Map, body) = segment.threads()? else { return None };
    let [Step { stm: load, .. }, Step { stm: store, .. }] = &body.stms[..] else { return None };
    let Stm::Load { var, array: from, indices: of_load } = load else { return None };
    let Stm::Store { array: to, indices: of_store, value } = store else { return None };
    let counters: Vec<Atom> = segment.space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
    let along = |array: Var| match &vars[array].ty {
        Type::Array(view) => view.strides.iter().position(|&stride| stride == ONE),
        other => unreachable!("verified: an array, not {other:?}"),
    };
    let (along_from, along_to) = (along(*from)?, along(*to)?);
    let copies = *value == Atom::Var(*var) && [of_load, of_store].iter().all(|indices| **indices == counters);
    (copies && along_from != along_to).then_some(TransposingCopy {
        from: *from,
        to: *to,
        along_from,
        along_to,
    })
}

/// The steps that copy in tiles.
fn staged(
    origin: &Arc<Origin>,
    segment: GridSegment,
    copy: &TransposingCopy,
    vars: &mut VarTable,
) -> Vec<Step<Host>> {
    let GridSegment { hint, mut space, .. } = segment;
    let elem = match &vars[copy.from].ty {
        Type::Array(view) => view.elem,
        other => unreachable!("verified: an array, not {other:?}"),
    };
    let sides = [copy.along_from, copy.along_to];
    let mut host = Steps::<Host>::new(origin, vars);
    let mut tiles = Vec::new();
    for dim in sides {
        let count = host.ceil_div(space[dim].1, Atom::i64(SIDE));
        tiles.push((host.scalar("tile", PrimType::I64), count));
    }
    let mut steps = host.finish();

    let mut block = Steps::<Workgroup>::new(origin, vars);
    // The first position of the tile along each side, and the number of elements from there on.
    let corners = [0, 1].map(|side| {
        let first = block.binary(BinOp::Mul, Atom::Var(tiles[side].0), Atom::i64(SIDE));
        (first, block.binary(BinOp::Sub, space[sides[side]].1, first))
    });
    let memory = BlockType { elem, space: Space::Workgroup };
    let memory = block.vars.push(VarInfo { hint: None, ty: Type::Block(memory) });
    block.push(Stm::Alloc { block: memory, count: Atom::i64(SIDE * (SIDE + 1)) });
    let (shape, strides) = (vec![Atom::i64(SIDE); 2], vec![Atom::i64(SIDE + 1), ONE]);
    let tile = block.view(None, View { elem, shape, block: memory, offset: ZERO, strides });
    for innermost in [0, 1] {
        let counters = [0, 1].map(|_| block.counter());
        let mut thread = Steps::<Thread>::new(origin, block.vars);
        let insides =
            [0, 1].map(|side| thread.compare(CmpOp::Lt, Atom::Var(counters[side]), corners[side].1));
        let cond = thread.and(insides[0], insides[1]);
        let then = thread.body(|thread| {
            let mut at: Vec<Atom> = space.iter().map(|&(counter, _)| Atom::Var(counter)).collect();
            for side in [0, 1] {
                at[sides[side]] = thread.binary(BinOp::Add, corners[side].0, Atom::Var(counters[side]));
            }
            let in_tile = vec![Atom::Var(counters[1]), Atom::Var(counters[0])];
            let value = thread.scalar("x", elem);
            let (load, store) = match innermost {
                0 => ((copy.from, at), (tile, in_tile)),
                _ => ((tile, in_tile), (copy.to, at)),
            };
            thread.push(Stm::Load { var: value, array: load.0, indices: load.1 });
            thread.push(Stm::Store { array: store.0, indices: store.1, value: Atom::Var(value) });
        });
        let otherwise = Body { stms: Vec::new(), result: Vec::new() };
        thread.push(Stm::If { binders: Vec::new(), cond, then, otherwise });
        let body = Body { stms: thread.finish(), result: Vec::new() };
        let space = [1 - innermost, innermost].map(|side| (counters[side], Atom::i64(SIDE))).to_vec();
        block.push(Stm::Segment(InnerSegment { hint, space, kind: SegmentKind::Map, body }));
    }
    let points = Points::Workgroups(Body { stms: block.finish(), result: Vec::new() });
    let mut dim = 0;
    space.retain(|_| {
        dim += 1;
        !sides.contains(&(dim - 1))
    });
    space.extend(tiles);
    steps.push(Step::new(origin, Stm::Segment(GridSegment { hint, space, chunk: ONE, lanes: None, points })));
    steps
}
