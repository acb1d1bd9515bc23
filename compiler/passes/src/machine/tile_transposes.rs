//! # tile-transposes: walk arrays that are read or written against their layout in tiles
//!
//! ## Rule
//!
//! ```text
//!   segment map (i < n, j < m) { … xs[i, j] … }   -->
//!   segment map (p < n/16, q < m/64) { loop i in tile p { loop j in tile q { … xs[i, j] … } } }
//! ```
//!
//! where neighbouring elements of `xs` along `i` are neighbours in memory, as in the transpose of a matrix.
//!
//! * *tile-transposes*: the points of a map that accesses a transposed array are computed in tiles of 16 by 64 points, one tile
//!   after the other.
//!
//! ## Requires
//!
//! * *only-maps*: the segment only maps: the order of its points does not change a result.
//! * *straight*: a point consists of loads, stores and arithmetic, and cannot fail.
//! * *small*: a point has at most as many statements as the target's setting `max_transposed` permits.
//!
//! ## Ensures
//!
//! A point computes what it did before. The points along a row access a different cache line of a transposed array each. In a tile,
//! the 16 points that access the same line run before it leaves the cache.
//!
//! ## Leaves alone
//!
//! Arrays with a constant distance below 16 between the elements of a row, because neighbouring points share cache lines. All
//! segments if the target's `max_transposed` is 0.
//!
//! ## Costs
//!
//! A few scalars of the host. The points of a tile run in loops, so lanes run along a row of a tile, which is shorter than
//! a row of the segment. So the rule leaves points with much arithmetic alone.
//!
//! ## Source
//!
//! Lam, Rothberg and Wolf, "The cache performance and optimizations of blocked algorithms" (ASPLOS 1991).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n, m] (xs: block f32 [m, n], *out: block f32 [n, m]) -> ([][]f32) {
//!   view xs1: f32 [n, m] = xs + 0i64 * [1i64, n]
//!   view out1: f32 [n, m] = out + 0i64 * [m, 1i64]
//!   segment map "copy" (i < n, j < m) chunk 1024i64 {
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
//!   let v8: i64 = quot(v7, 16i64)
//!   let v9: i64 = add(v8, v6)
//!   let v10: i64 = min(m_1, 1i64)
//!   let v11: i64 = sub(m_1, v10)
//!   let v12: i64 = quot(v11, 64i64)
//!   let v13: i64 = add(v12, v10)
//!   segment map "copy" (tile_14 < v9, tile_15 < v13) chunk 1i64 {
//!     let v_16: i64 = mul(tile_14, 16i64)
//!     let v_17: i64 = sub(n_0, v_16)
//!     let v_18: i64 = min(v_17, 16i64)
//!     loop () for k_19: i64 < v_18 {
//!       let i_20: i64 = add(v_16, k_19)
//!       let v_21: i64 = mul(tile_15, 64i64)
//!       let v_22: i64 = sub(m_1, v_21)
//!       let v_23: i64 = min(v_22, 64i64)
//!       loop () for k_24: i64 < v_23 {
//!         let j_25: i64 = add(v_21, k_24)
//!         load x_26: f32 = xs1_4[i_20, j_25]
//!         store out1_5[i_20, j_25] = x_26
//!       }
//!     }
//!   }
//!   yield n_0, m_1, out_3
//! }
//! ```

use std::sync::Arc;

use ravel_base::Origin;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::size::statements;
use crate::arithmetic::Arithmetic;
use crate::pass::missing;
use crate::steps::{self, Steps};
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `tile-transposes`: its rule, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "tile-transposes",
    about: "Walks arrays that are read or written against their layout in tiles that stay in the cache.",
    rules: &[RULE],
    premises: &[ONLY_MAPS, STRAIGHT, SMALL],
    run,
};

const RULE: &str = "tile-transposes";

const ONLY_MAPS: Premise = Premise {
    name: "only-maps",
    about: "the segment only maps: the order of its points does not change a result",
    otherwise: "it reduces or scans, which combines the points in order",
};

const STRAIGHT: Premise = Premise {
    name: "straight",
    about: "a point consists of loads, stores and arithmetic, and cannot fail",
    otherwise: "a point has a branch, a loop, a check or other code besides loads, stores and arithmetic",
};

const SMALL: Premise = Premise {
    name: "small",
    about: "a point has at most as many statements as the target's setting `max_transposed` permits",
    otherwise: "a point has too many statements",
};

/// The rows of a tile: the elements of 4 bytes in a cache line.
const ROWS: i64 = 16;

/// The columns of a tile. Its rows are several cache lines of an array that is accessed along its layout.
const COLUMNS: i64 = 64;

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_transposed == 0 {
        return;
    }
    steps::replace(program, &mut |step, vars| match &step.stm {
        Stm::Segment(segment) if is_transposed(segment, vars) && tiles(segment, &step.origin, cx) => {
            tiled(step, vars)
        }
        _ => vec![step],
    });
}

/// Whether the code of a point accesses an array against its layout.
fn is_transposed(segment: &GridSegment, vars: &VarTable) -> bool {
    let [.., (row, _), (column, _)] = segment.space[..] else { return false };
    let counters = [Atom::Var(row), Atom::Var(column)];
    let against = |array: Var, indices: &[Atom]| {
        let Type::Array(view) = &vars[array].ty else { unreachable!("verified: an array") };
        let [.., across, along] = view.strides[..] else { return false };
        let is_near = matches!(along, Atom::Const(stride) if stride.bits() < ROWS as u64);
        indices.ends_with(&counters) && across == Atom::i64(1) && !is_near
    };
    segment.threads().is_some_and(|(_, body)| {
        body.stms.iter().any(|step| match &step.stm {
            Stm::Load { array, indices, .. } | Stm::Store { array, indices, .. } => against(*array, indices),
            _ => false,
        })
    })
}

/// Whether a segment is computed in tiles.
fn tiles(segment: &GridSegment, origin: &Origin, cx: &mut Cx) -> bool {
    let Some((kind, body)) = segment.threads() else { return false };
    let is_map = || matches!(kind, SegmentKind::Map);
    let is_straight = || {
        body.stms.iter().all(|step| {
            matches!(
                step.stm,
                Stm::Let { .. }
                    | Stm::SineCosine { .. }
                    | Stm::View(_)
                    | Stm::Load { .. }
                    | Stm::Store { .. }
            )
        })
    };
    let is_small =
        || statements(body).is_some_and(|statements| statements <= cx.target.max_transposed.unsigned_abs());
    match missing(&[(ONLY_MAPS, &is_map), (STRAIGHT, &is_straight), (SMALL, &is_small)]) {
        None => cx.fire(RULE, origin),
        Some(premise) => {
            cx.refuse(RULE, Refusal::of(premise), origin);
            false
        }
    }
}

/// The steps that compute a map of threads in tiles.
fn tiled(mut step: Step<Host>, vars: &mut VarTable) -> Vec<Step<Host>> {
    step.add_rule(RULE);
    let Step { stm: Stm::Segment(mut segment), origin, .. } = step else { unreachable!("a segment") };
    let Points::Threads { kind: SegmentKind::Map, mut body } = segment.points else {
        unreachable!("a map of threads")
    };
    let (column, row) = segment.space.pop().zip(segment.space.pop()).expect("two dimensions");
    let mut host = Steps::new(&origin, vars);
    let mut space = Vec::new();
    for ((_, size), side) in [(row, ROWS), (column, COLUMNS)] {
        let count = host.ceil_div(size, Atom::i64(side));
        space.push((host.scalar("tile", PrimType::I64), count));
    }
    let chunk = host.ceil_div(segment.chunk, Atom::i64(ROWS * COLUMNS));
    let mut steps = host.finish();
    for (((counter, size), side), &(tile, _)) in
        [(column, COLUMNS), (row, ROWS)].into_iter().zip(space.iter().rev())
    {
        body = along(&origin, vars, (counter, size), (tile, side), body);
    }
    segment.space.extend(space);
    segment.chunk = chunk;
    segment.points = Points::Threads { kind: SegmentKind::Map, body };
    steps.push(Step::new(&origin, Stm::Segment(segment)));
    steps
}

/// Runs code for each value of a counter in the tile of this number along its dimension.
fn along(
    origin: &Arc<Origin>,
    vars: &mut VarTable,
    (counter, size): (Var, Atom),
    (tile, side): (Var, i64),
    mut body: Body<Thread>,
) -> Body<Thread> {
    let mut outside = Steps::new(origin, vars);
    let first = outside.binary(BinOp::Mul, Atom::Var(tile), Atom::i64(side));
    let rest = outside.binary(BinOp::Sub, size, first);
    let bound = outside.binary(BinOp::Min, rest, Atom::i64(side));
    let index = outside.scalar("k", PrimType::I64);
    let value = Stm::Let { var: counter, exp: ScalarExp::Binary(BinOp::Add, first, Atom::Var(index)) };
    body.stms.insert(0, Step::new(origin, value));
    outside.push(Stm::Loop {
        binders: Vec::new(),
        params: Vec::new(),
        form: LoopForm::For { index, bound, reduces: false },
        body,
    });
    Body { stms: outside.finish(), result: Vec::new() }
}
