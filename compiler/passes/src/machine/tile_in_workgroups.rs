//! # tile-in-workgroups: compute a product of matrices in tiles that a workgroup shares
//!
//! ## Rule
//!
//! ```text
//!   segment map (i < n, j < m) { loop (c = 0) for k < K { c + a[i,k] * b[k,j] }  out[i,j] = c }   -->
//!   segment blocks (p < n/32, q < m/32) {
//!     segment map (r < 16, s < 16) { sums = 0 }
//!     loop for t < K/16 {
//!       segment map (x < 32, y < 16) { rows[x,y] = a[32p + x, 16t + y] }
//!       segment map (x < 32, y < 16) { columns[y,x] = b[16t + y, 32q + x] }
//!       segment map (r < 16, s < 16) { loop (c = sums) for y < 16 { c + rows[r,y] * columns[y,s] }  sums = c }
//!     }
//!     segment map (r < 16, s < 16) { out[i,j] = sums }
//!   }
//! ```
//!
//! * *tile-in-workgroups*: a workgroup computes a square of 32 by 32 points that each sum over a row and a column, such as a
//!   product of matrices. For 16 iterations at a time, its threads copy the elements that the points share to workgroup memory.
//!   Then each thread continues the loops of 2 by 2 points as one loop. Outer dimensions stay as they are.
//!
//! ## Requires
//!
//! * *straight*: a point consists of arithmetic, loads, stores and one counted loop, which only computes and loads.
//! * *same-bound*: the loop has the same number of iterations for all points, and its counter is an i64.
//! * *small*: an iteration has at most as many statements as the target's setting `max_tiled` permits, and the loop
//!   carries at most half as many numbers as a thread computes points. A thread computes four.
//! * *shared*: the loop loads an element whose position depends on the inner counter and the loop's counter, but neither on
//!   the outer counter nor on other elements.
//! * *shared-by-columns*: the loop loads an element whose position depends on the outer counter and the loop's counter, but
//!   neither on the inner counter nor on other elements.
//! * *separate*: the points load from no memory block to which they store, and they store only after the loop.
//! * *fits*: the tiles and the sums fit into workgroup memory.
//!
//! ## Ensures
//!
//! A shared element is loaded from device memory once for 32 points, and from workgroup memory once for two. Each point computes
//! the same numbers in the same order as before. At an edge, threads without a point repeat the last row or column, and store
//! nothing.
//!
//! At run time, the new segment replaces the old one if there are at least 32 rows, 32 columns, 16 iterations and 32 tiles.
//! Outer dimensions multiply the tiles.
//!
//! ## Leaves alone
//!
//! All segments if neighbouring threads of the target do not access memory together (`coalesces`).
//!
//! ## Costs
//!
//! Linear in the code. A point is there as it was, and four times for the points of a thread. In the program, threads copy their
//! sums from workgroup memory and back for each 16 iterations. With few tiles that costs more than the loads that it saves: on
//! the machine model of an A100, a product of 128 by 128 `f32`, which has 16 tiles, would take 7 % longer. So small products
//! keep the old segment, also if their sizes are constants.
//!
//! ## Source
//!
//! Lam, Rothberg and Wolf, "The cache performance and optimizations of blocked algorithms" (ASPLOS 1991), for tiles in fast
//! memory. Volkov and Demmel, "Benchmarking GPUs to tune dense linear algebra" (SC 2008), for several points a thread.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! entry "main" [n, k, m] (a: block f32 [n, k], b: block f32 [k, m], *out: block f32 [n, m]) -> ([][]f32) {
//!   view a1: f32 [n, k] = a + 0i64 * [k, 1i64]
//!   view b1: f32 [k, m] = b + 0i64 * [m, 1i64]
//!   view out1: f32 [n, m] = out + 0i64 * [m, 1i64]
//!   segment map (i < n, j < m) chunk 1024i64 {
//!     loop (sum: f32 = 0.0f32) for l: i64 < k {
//!       load x: f32 = a1[i, l]
//!       load y: f32 = b1[l, j]
//!       let xy: f32 = mul(x, y)
//!       let next: f32 = add(sum, xy)
//!       yield next
//!     } -> (total: f32)
//!     store out1[i, j] = total
//!   }
//!   yield n, m, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0, k_1, m_2] (a_3: block f32 [n_0, k_1], b_4: block f32 [k_1, m_2], *out_5: block f32 [n_0, m_2]) -> ([][]f32) {
//!   view a1_6: f32 [n_0, k_1] = a_3 + 0i64 * [k_1, 1i64]
//!   view b1_7: f32 [k_1, m_2] = b_4 + 0i64 * [m_2, 1i64]
//!   view out1_8: f32 [n_0, m_2] = out_5 + 0i64 * [m_2, 1i64]
//!   let v_9: bool = le(32i64, n_0)
//!   let v_10: bool = le(32i64, m_2)
//!   let v_11: bool = le(16i64, k_1)
//!   let v12: i64 = min(n_0, 1i64)
//!   let v13: i64 = sub(n_0, v12)
//!   let v14: i64 = quot(v13, 32i64)
//!   let v15: i64 = add(v14, v12)
//!   let v16: i64 = min(m_2, 1i64)
//!   let v17: i64 = sub(m_2, v16)
//!   let v18: i64 = quot(v17, 32i64)
//!   let v19: i64 = add(v18, v16)
//!   let v20: i64 = mul(v15, v19)
//!   let v_21: bool = le(32i64, v20)
//!   let v22: bool = and(v_9, v_10)
//!   let v23: bool = and(v_11, v_21)
//!   let v24: bool = and(v22, v23)
//!   if v24 {
//!     let v25: i64 = min(n_0, 1i64)
//!     let v26: i64 = sub(n_0, v25)
//!     let v27: i64 = quot(v26, 32i64)
//!     let v28: i64 = add(v27, v25)
//!     let v29: i64 = min(m_2, 1i64)
//!     let v30: i64 = sub(m_2, v29)
//!     let v31: i64 = quot(v30, 32i64)
//!     let v32: i64 = add(v31, v29)
//!     let v33: i64 = min(k_1, 1i64)
//!     let v34: i64 = sub(k_1, v33)
//!     let v35: i64 = quot(v34, 16i64)
//!     let v36: i64 = add(v35, v33)
//!     segment blocks (tile_37 < v28, tile_38 < v32) chunk 1i64 {
//!       let v_39: i64 = mul(tile_37, 32i64)
//!       let v_40: i64 = mul(tile_38, 32i64)
//!       alloc sum_41: workgroup f32 = 1024i64
//!       view v42: f32 [16i64, 16i64, 4i64] = sum_41 + 0i64 * [16i64, 1i64, 256i64]
//!       alloc x_43: workgroup f32 = 544i64
//!       view v44: f32 [32i64, 16i64] = x_43 + 0i64 * [17i64, 1i64]
//!       alloc y_45: workgroup f32 = 528i64
//!       view v46: f32 [16i64, 32i64] = y_45 + 0i64 * [33i64, 1i64]
//!       segment map (v47 < 16i64, v48 < 16i64) {
//!         store v42[v47, v48, 0i64] = 0.0f32
//!         store v42[v47, v48, 1i64] = 0.0f32
//!         store v42[v47, v48, 2i64] = 0.0f32
//!         store v42[v47, v48, 3i64] = 0.0f32
//!       }
//!       loop () for round_49: i64 < v36 {
//!         let v_50: i64 = mul(round_49, 16i64)
//!         segment map (v51 < 32i64, v52 < 16i64) {
//!           let v53: i64 = add(v_39, v51)
//!           let v54: i64 = sub(n_0, 1i64)
//!           let v55: i64 = min(v53, v54)
//!           let v56: i64 = add(v_50, v52)
//!           let v57: i64 = sub(k_1, 1i64)
//!           let v58: i64 = min(v56, v57)
//!           load x_59: f32 = a1_6[v55, v58]
//!           store v44[v51, v52] = x_59
//!         }
//!         segment map (v60 < 16i64, v61 < 32i64) {
//!           let v62: i64 = add(v_40, v61)
//!           let v63: i64 = sub(m_2, 1i64)
//!           let v64: i64 = min(v62, v63)
//!           let v65: i64 = add(v_50, v60)
//!           let v66: i64 = sub(k_1, 1i64)
//!           let v67: i64 = min(v65, v66)
//!           load y_68: f32 = b1_7[v67, v64]
//!           store v46[v60, v61] = y_68
//!         }
//!         let v69: i64 = sub(k_1, v_50)
//!         let v70: i64 = min(v69, 16i64)
//!         segment map (v71 < 16i64, v72 < 16i64) {
//!           let v73: i64 = add(v71, 16i64)
//!           let v74: i64 = add(v72, 16i64)
//!           load sum_75: f32 = v42[v71, v72, 0i64]
//!           load sum_76: f32 = v42[v71, v72, 1i64]
//!           load sum_77: f32 = v42[v71, v72, 2i64]
//!           load sum_78: f32 = v42[v71, v72, 3i64]
//!           loop (sum_79: f32 = sum_75, sum_80: f32 = sum_76, sum_81: f32 = sum_77, sum_82: f32 = sum_78) for k_83: i64 < v70 {
//!             load x_84: f32 = v44[v71, k_83]
//!             load y_85: f32 = v46[k_83, v72]
//!             let xy_86: f32 = mul(x_84, y_85)
//!             let next_87: f32 = add(sum_79, xy_86)
//!             load y_88: f32 = v46[k_83, v74]
//!             let xy_89: f32 = mul(x_84, y_88)
//!             let next_90: f32 = add(sum_80, xy_89)
//!             load x_91: f32 = v44[v73, k_83]
//!             let xy_92: f32 = mul(x_91, y_85)
//!             let next_93: f32 = add(sum_81, xy_92)
//!             let xy_94: f32 = mul(x_91, y_88)
//!             let next_95: f32 = add(sum_82, xy_94)
//!             yield next_87, next_90, next_93, next_95
//!           } -> (total_96: f32, total_97: f32, total_98: f32, total_99: f32)
//!           store v42[v71, v72, 0i64] = total_96
//!           store v42[v71, v72, 1i64] = total_97
//!           store v42[v71, v72, 2i64] = total_98
//!           store v42[v71, v72, 3i64] = total_99
//!         }
//!       }
//!       segment map (v100 < 16i64, v101 < 16i64) {
//!         let v102: i64 = add(v100, 16i64)
//!         let v103: i64 = add(v101, 16i64)
//!         let v104: i64 = add(v_39, v100)
//!         let v105: i64 = add(v_40, v101)
//!         let v_106: bool = lt(v104, n_0)
//!         let v_107: bool = lt(v105, m_2)
//!         let v108: bool = and(v_106, v_107)
//!         if v108 {
//!           load total_109: f32 = v42[v100, v101, 0i64]
//!           store out1_8[v104, v105] = total_109
//!         } else {
//!         }
//!         let v110: i64 = add(v_39, v100)
//!         let v111: i64 = add(v_40, v103)
//!         let v_112: bool = lt(v110, n_0)
//!         let v_113: bool = lt(v111, m_2)
//!         let v114: bool = and(v_112, v_113)
//!         if v114 {
//!           load total_115: f32 = v42[v100, v101, 1i64]
//!           store out1_8[v110, v111] = total_115
//!         } else {
//!         }
//!         let v116: i64 = add(v_39, v102)
//!         let v117: i64 = add(v_40, v101)
//!         let v_118: bool = lt(v116, n_0)
//!         let v_119: bool = lt(v117, m_2)
//!         let v120: bool = and(v_118, v_119)
//!         if v120 {
//!           load total_121: f32 = v42[v100, v101, 2i64]
//!           store out1_8[v116, v117] = total_121
//!         } else {
//!         }
//!         let v122: i64 = add(v_39, v102)
//!         let v123: i64 = add(v_40, v103)
//!         let v_124: bool = lt(v122, n_0)
//!         let v_125: bool = lt(v123, m_2)
//!         let v126: bool = and(v_124, v_125)
//!         if v126 {
//!           load total_127: f32 = v42[v100, v101, 3i64]
//!           store out1_8[v122, v123] = total_127
//!         } else {
//!         }
//!       }
//!     }
//!   } else {
//!     segment map (i_128 < n_0, j_129 < m_2) chunk 1024i64 {
//!       loop (sum_130: f32 = 0.0f32) for l_131: i64 < k_1 {
//!         load x_132: f32 = a1_6[i_128, l_131]
//!         load y_133: f32 = b1_7[l_131, j_129]
//!         let xy_134: f32 = mul(x_132, y_133)
//!         let next_135: f32 = add(sum_130, xy_134)
//!         yield next_135
//!       } -> (total_136: f32)
//!       store out1_8[i_128, j_129] = total_136
//!     }
//!   }
//!   yield n_0, m_2, out_5
//! }
//! ```

mod segments;

use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::CmpOp;

use self::segments::{Point, in_workgroups};
use super::tile::plane::{Limits, Plane, SAME_BOUND, SHARED, SMALL, STRAIGHT};
use crate::arithmetic::Arithmetic;
use crate::pass::missing;
use crate::steps::{self, Steps};
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `tile-in-workgroups`: its rule, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "tile-in-workgroups",
    about: "Computes products of matrices in tiles that the threads of a workgroup share.",
    rules: &[RULE],
    premises: &[STRAIGHT, SAME_BOUND, SMALL, SHARED, SHARED_BY_COLUMNS, SEPARATE, FITS],
    run,
};

const RULE: &str = "tile-in-workgroups";

const SHARED_BY_COLUMNS: Premise = Premise {
    name: "shared-by-columns",
    about: "the loop loads an element whose position depends on the outer counter and the loop's counter, but neither on the inner counter nor on other elements",
    otherwise: "the loop loads no element that is the same for all columns and different for each row and iteration",
};

const SEPARATE: Premise = Premise {
    name: "separate",
    about: "the points load from no memory block to which they store, and they store only after the loop",
    otherwise: "a point may load what another point stores, or it stores before its loop",
};

const FITS: Premise = Premise {
    name: "fits",
    about: "the tiles and the sums fit into workgroup memory",
    otherwise: "the tiles and the sums take more workgroup memory than the target has",
};

/// The threads of a workgroup along each side of its tile.
const THREADS: i64 = 16;

/// The points that a thread computes along each side of the tile.
const POINTS: i64 = 2;

/// The rows and the columns of a tile.
const SIDE: i64 = THREADS * POINTS;

/// The iterations whose elements are in workgroup memory together.
const DEPTH: i64 = 16;

/// The fewest tiles that are computed by workgroups. Fewer of them leave most of a GPU idle.
const FEWEST_TILES: i64 = 32;

fn run(program: &mut Program, cx: &mut Cx) {
    if !cx.target.coalesces {
        return;
    }
    let before = cx.firing_count();
    steps::replace(program, &mut |mut step, vars| {
        let Stm::Segment(segment) = &step.stm else { return vec![step] };
        // The old segment stays, for few rows and columns; and another run finds it again.
        if step.origin.rules.contains(&RULE) {
            return vec![step];
        }
        let limits = Limits { rows: POINTS * POINTS, statements: cx.target.max_tiled };
        let plane = match Plane::of(segment, vars, limits) {
            None => return vec![step],
            Some(plane) => plane.and_then(|plane| match refused(segment, &plane, &cx.target, vars) {
                None => Ok(plane),
                Some(premise) => Err(premise),
            }),
        };
        match plane {
            Err(premise) => cx.refuse(RULE, Refusal::of(premise), &step.origin),
            Ok(plane) if cx.fire(RULE, &step.origin) => {
                step.add_rule(RULE);
                return tiled(step, &plane, vars);
            }
            Ok(_) => {}
        }
        vec![step]
    });
    if cx.firing_count() > before {
        // The segments of a workgroup begin as copies of whole points.
        program.remove_dead_code();
    }
}

/// The premise of this pass alone that does not hold.
fn refused(segment: &GridSegment, plane: &Plane, target: &Target, vars: &VarTable) -> Option<Premise> {
    let point = Point::of(segment);
    let shares = || !plane.shared_by_columns.is_empty();
    let is_separate = || {
        let uses = Uses::of_segment(segment, vars);
        let stores = |step: &Step<Thread>| matches!(step.stm, Stm::Store { .. });
        !uses.blocks.iter().any(|used| used.read && used.written) && !point.before.iter().any(stores)
    };
    let fits = || {
        let bytes = |var: Var, count: i64| match vars[var].ty {
            Type::Scalar(elem) => Some(count * BlockType { elem, space: Space::Workgroup }.workgroup_bytes()),
            _ => None,
        };
        let rows = plane.shared_by_columns.iter().map(|shared| bytes(shared.var, SIDE * (DEPTH + 1)));
        let columns = plane.shared.iter().map(|shared| bytes(shared.var, DEPTH * (SIDE + 1)));
        let sums = point.params.iter().map(|&(param, _)| bytes(param, SIDE * SIDE));
        let all: Option<i64> = rows.chain(columns).chain(sums).sum();
        all.is_some_and(|all| target.workgroup_bytes.is_none_or(|most| all <= most))
    };
    missing(&[(SHARED_BY_COLUMNS, &shares), (SEPARATE, &is_separate), (FITS, &fits)])
}

/// The steps that replace a segment.
fn tiled(step: Step<Host>, plane: &Plane, vars: &mut VarTable) -> Vec<Step<Host>> {
    let Stm::Segment(segment) = &step.stm else { unreachable!("a segment") };
    let mut host = Steps::<Host>::new(&step.origin, vars);
    let cond = pays(&mut host, segment, plane);
    let mut steps = host.finish();
    let then = Body { stms: in_workgroups(&step.origin, segment, plane, vars), result: Vec::new() };
    let origin = Arc::clone(&step.origin);
    let otherwise = Body { stms: vec![step], result: Vec::new() };
    steps.push(Step::new(&origin, Stm::If { binders: Vec::new(), cond, then, otherwise }));
    steps
}

/// Whether each side has a full tile, there are iterations for full copies, and there are enough tiles.
fn pays(host: &mut Steps<'_, Host>, segment: &GridSegment, plane: &Plane) -> Atom {
    let sizes = [plane.row.1, plane.column.1];
    let tall = host.compare(CmpOp::Le, Atom::i64(SIDE), sizes[0]);
    let broad = host.compare(CmpOp::Le, Atom::i64(SIDE), sizes[1]);
    let long = host.compare(CmpOp::Le, Atom::i64(DEPTH), plane.iteration.1);
    let mut tiles = Atom::i64(1);
    for &(_, size) in &segment.space[..segment.space.len() - 2] {
        tiles = host.mul(tiles, size);
    }
    for size in sizes {
        let along = host.ceil_div(size, Atom::i64(SIDE));
        tiles = host.mul(tiles, along);
    }
    let many = host.compare(CmpOp::Le, Atom::i64(FEWEST_TILES), tiles);
    let full = host.and(tall, broad);
    let enough = host.and(long, many);
    host.and(full, enough)
}
