//! # tile: compute several rows of a product of matrices together, in panels of columns
//!
//! ## Rule
//!
//! ```text
//!   segment (i < n, j < m)             { loop (c = 0) for k < K { c + a[i,k] * b[k,j] } }   -->
//!   segment (p < m/C, k < K, l < C)    { panels[p,k,l] = b[k, p*C + l] }
//!   segment (p < m/C, t < n/R, l < C)  { loop (c = 0, d = 0) for k < K { c + a[t*R, k] * panels[p,k,l]
//!                                                                        d + a[t*R + 1, k] * panels[p,k,l] } }
//! ```
//!
//! * *tile*: in a segment whose points each sum over a row and a column, such as a product of matrices, each point computes *R*
//!   rows of a column (a *tile*). The loops of the rows become one loop, which loads once what the rows share. The shared elements
//!   are first copied to *panels*: *C* neighbouring columns, in the order in which the iterations load them.
//!
//! ## Requires
//!
//! * *straight*: a point consists of arithmetic, loads, stores and one counted loop, which only computes and loads.
//! * *same-bound*: the loop has the same number of iterations for all points, and its counter is an i64.
//! * *small*: an iteration has at most as many statements as the target's setting `max_tiled` permits, and the loop
//!   carries at most half as many numbers as a thread computes points.
//! * *shared*: the loop loads an element whose position depends on the inner counter and the loop's counter, but neither on
//!   the outer counter nor on other elements.
//!
//! ## Ensures
//!
//! A shared element is loaded once for all rows of a tile, from a panel that stays in the cache while all tiles of its columns
//! are computed. The sums of the rows do not wait for each other. Each point computes the same numbers in the same
//! order as before.
//!
//! At run time, the new segments replace the old one if there are enough rows and columns, and if the panels take at most
//! twice the memory of the results, or as much as the array that they copy. Rows that fill no tile and columns that fill no panel
//! are computed as before, in two more segments.
//!
//! ## Leaves alone
//!
//! All segments if the target's setting `tile_rows` is 0.
//!
//! ## Costs
//!
//! Linear in the code. The code of a point is there five times: as it was; for tiles; for the rows and for the columns
//! that are left; and without its sums for the copy to panels.
//!
//! ## Source
//!
//! Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (TOMS 2008). Callahan, Carr and Kennedy,
//! "Improving register allocation for subscripted variables" (PLDI 1990), for *unroll and jam*.
//!
//! ## Before
//!
//! ```text
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
//!   let v_9: bool = le(16i64, n_0)
//!   let v_10: bool = le(16i64, m_2)
//!   let v11: bool = and(v_9, v_10)
//!   let v_12: i64 = mul(n_0, m_2)
//!   let v_13: i64 = mul(v_12, 2i64)
//!   let v_14: i64 = max(m_2, 1i64)
//!   let v_15: i64 = mul(1i64, k_1)
//!   let v_16: i64 = mul(v_15, m_2)
//!   let v_17: i64 = max(v_13, v_16)
//!   let v_18: i64 = quot(v_17, v_14)
//!   let v_19: bool = le(k_1, v_18)
//!   let v20: bool = and(v11, v_19)
//!   if v20 {
//!     let v_21: i64 = quot(m_2, 16i64)
//!     let v_22: i64 = mul(v_21, 16i64)
//!     let v_23: i64 = sub(m_2, v_22)
//!     let v_24: i64 = max(k_1, 0i64)
//!     let v_25: i64 = mul(v_24, 16i64)
//!     let v_26: i64 = mul(v_21, v_25)
//!     let v27: i64 = min(v_26, 1i64)
//!     let v28: i64 = sub(v_26, v27)
//!     let v29: i64 = quot(v28, 1024i64)
//!     let v30: i64 = add(v29, v27)
//!     let v_31: i64 = max(v30, 4096i64)
//!     alloc y_32: block f32 = v_26
//!     segment map (panel_33 < v_21, iteration_34 < v_24, lane_35 < 16i64) chunk v_31 {
//!       let v_36: i64 = mul(panel_33, 16i64)
//!       let v_37: i64 = add(v_36, lane_35)
//!       view v38: f32 [v_21, v_24, 16i64] = y_32 + 0i64 * [v_25, 16i64, 1i64]
//!       load shared_39: f32 = b1_7[iteration_34, v_37]
//!       store v38[panel_33, iteration_34, lane_35] = shared_39
//!     }
//!     let v_40: i64 = quot(n_0, 4i64)
//!     let v_41: i64 = mul(v_40, 4i64)
//!     let v_42: i64 = sub(n_0, v_41)
//!     let v_43: i64 = mul(v_21, v_40)
//!     let v44: i64 = min(v_43, 1i64)
//!     let v45: i64 = sub(v_43, v44)
//!     let v46: i64 = quot(v45, 1024i64)
//!     let v47: i64 = add(v46, v44)
//!     let v_48: i64 = mul(v47, 16i64)
//!     segment map (panel_49 < v_21, tile_50 < v_40, lane_51 < 16i64) chunk v_48 {
//!       let v_52: i64 = mul(panel_49, 16i64)
//!       let v_53: i64 = add(v_52, lane_51)
//!       let v_54: i64 = mul(panel_49, v_25)
//!       view v55: f32 [v_24, 16i64] = y_32 + v_54 * [16i64, 1i64]
//!       let v_56: i64 = mul(tile_50, 4i64)
//!       let v_57: i64 = add(v_56, 1i64)
//!       let v_58: i64 = add(v_56, 2i64)
//!       let v_59: i64 = add(v_56, 3i64)
//!       loop (sum_60: f32 = 0.0f32, sum_61: f32 = 0.0f32, sum_62: f32 = 0.0f32, sum_63: f32 = 0.0f32) for l_64: i64 < k_1 {
//!         load x_65: f32 = a1_6[v_56, l_64]
//!         load y_66: f32 = v55[l_64, lane_51]
//!         let xy_67: f32 = mul(x_65, y_66)
//!         let next_68: f32 = add(sum_60, xy_67)
//!         load x_69: f32 = a1_6[v_57, l_64]
//!         let xy_70: f32 = mul(x_69, y_66)
//!         let next_71: f32 = add(sum_61, xy_70)
//!         load x_72: f32 = a1_6[v_58, l_64]
//!         let xy_73: f32 = mul(x_72, y_66)
//!         let next_74: f32 = add(sum_62, xy_73)
//!         load x_75: f32 = a1_6[v_59, l_64]
//!         let xy_76: f32 = mul(x_75, y_66)
//!         let next_77: f32 = add(sum_63, xy_76)
//!         yield next_68, next_71, next_74, next_77
//!       } -> (total_78: f32, total_79: f32, total_80: f32, total_81: f32)
//!       store out1_8[v_56, v_53] = total_78
//!       store out1_8[v_57, v_53] = total_79
//!       store out1_8[v_58, v_53] = total_80
//!       store out1_8[v_59, v_53] = total_81
//!     }
//!     segment map (row_82 < v_42, column_83 < v_22) chunk 1024i64 {
//!       let v_84: i64 = add(v_41, row_82)
//!       let v_85: i64 = add(0i64, column_83)
//!       loop (sum_86: f32 = 0.0f32) for l_87: i64 < k_1 {
//!         load x_88: f32 = a1_6[v_84, l_87]
//!         load y_89: f32 = b1_7[l_87, v_85]
//!         let xy_90: f32 = mul(x_88, y_89)
//!         let next_91: f32 = add(sum_86, xy_90)
//!         yield next_91
//!       } -> (total_92: f32)
//!       store out1_8[v_84, v_85] = total_92
//!     }
//!     segment map (row_93 < n_0, column_94 < v_23) chunk 1024i64 {
//!       let v_95: i64 = add(0i64, row_93)
//!       let v_96: i64 = add(v_22, column_94)
//!       loop (sum_97: f32 = 0.0f32) for l_98: i64 < k_1 {
//!         load x_99: f32 = a1_6[v_95, l_98]
//!         load y_100: f32 = b1_7[l_98, v_96]
//!         let xy_101: f32 = mul(x_99, y_100)
//!         let next_102: f32 = add(sum_97, xy_101)
//!         yield next_102
//!       } -> (total_103: f32)
//!       store out1_8[v_95, v_96] = total_103
//!     }
//!   } else {
//!     segment map (i_104 < n_0, j_105 < m_2) chunk 1024i64 {
//!       loop (sum_106: f32 = 0.0f32) for l_107: i64 < k_1 {
//!         load x_108: f32 = a1_6[i_104, l_107]
//!         load y_109: f32 = b1_7[l_107, j_105]
//!         let xy_110: f32 = mul(x_108, y_109)
//!         let next_111: f32 = add(sum_106, xy_110)
//!         yield next_111
//!       } -> (total_112: f32)
//!       store out1_8[i_104, j_105] = total_112
//!     }
//!   }
//!   yield n_0, m_2, out_5
//! }
//! ```

#[cfg(test)]
mod tests;

pub mod jam;
pub mod plane;
mod segments;

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp};

use self::plane::{Limits, Plane, SAME_BOUND, SHARED, SMALL, STRAIGHT};
use crate::arithmetic::Arithmetic;
use crate::steps::{self, Steps};
use crate::{Cx, KernelPass, Refusal};

/// The pass `tile`: its rule, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "tile",
    about: "Computes several rows of products of matrices together, in panels of columns.",
    rules: &[RULE],
    premises: &[STRAIGHT, SAME_BOUND, SMALL, SHARED],
    run,
};

const RULE: &str = "tile";

/// The fewest tiles of a column for which it pays to copy it to a panel.
const FEWEST_TILES: i64 = 4;

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.tile_rows == 0 {
        return;
    }
    let before = cx.firing_count();
    for function in &mut program.host_functions {
        let mut tiles = Tiles { cx, sizes: BTreeMap::new() };
        steps::replace_in(&mut function.body, &mut function.vars, &mut |step, vars| tiles.step(step, vars));
    }
    for entry in &mut program.entries {
        let sizes = entry.params.iter().map(|param| (param.var, param.shape.clone())).collect();
        let mut tiles = Tiles { cx, sizes };
        steps::replace_in(&mut entry.body, &mut entry.vars, &mut |step, vars| tiles.step(step, vars));
    }
    if cx.firing_count() > before {
        // The points of panels and tiles begin as copies of whole points.
        program.remove_dead_code();
    }
}

struct Tiles<'a> {
    cx: &'a mut Cx,
    /// For each block, if known, numbers whose product is the number of its elements.
    sizes: BTreeMap<Var, Vec<Atom>>,
}

impl Tiles<'_> {
    /// The steps that replace a step of the host.
    fn step(&mut self, mut step: Step<Host>, vars: &mut VarTable) -> Vec<Step<Host>> {
        match &step.stm {
            Stm::Alloc { block, count } => _ = self.sizes.insert(*block, vec![*count]),
            // The old segment stays, for few rows and columns; and another run finds it again.
            Stm::Segment(segment) if segment.space.len() == 2 && !step.origin.rules.contains(&RULE) => {
                let target = &self.cx.target;
                let limits = Limits { rows: target.tile_rows, statements: target.max_tiled };
                match Plane::of(segment, vars, limits) {
                    Some(Ok(plane)) if self.cx.fire(RULE, &step.origin) => {
                        step.add_rule(RULE);
                        return self.tiled(step, &plane, vars);
                    }
                    Some(Err(premise)) => self.cx.refuse(RULE, Refusal::of(premise), &step.origin),
                    Some(Ok(_)) | None => {}
                }
            }
            Stm::If { .. } | Stm::Loop { .. } | Stm::Segment(_) | stm_without_bodies!() => {}
        }
        vec![step]
    }

    /// The steps that replace a segment.
    fn tiled(&self, step: Step<Host>, plane: &Plane, vars: &mut VarTable) -> Vec<Step<Host>> {
        let mut host = Steps::<Host>::new(&step.origin, vars);
        let cond = self.pays(&mut host, plane);
        let mut steps = host.finish();
        let Stm::Segment(segment) = &step.stm else { unreachable!("a segment") };
        let tiles = segments::in_tiles(&step.origin, segment, plane, &self.cx.target, vars);
        let then = Body { stms: tiles, result: Vec::new() };
        let origin = Arc::clone(&step.origin);
        let otherwise = Body { stms: vec![step], result: Vec::new() };
        steps.push(Step::new(&origin, Stm::If { binders: Vec::new(), cond, then, otherwise }));
        steps
    }

    /// Whether there are enough rows and columns, and the panels take no more memory than they may.
    fn pays(&self, host: &mut Steps<'_, Host>, plane: &Plane) -> Atom {
        let (rows, columns) = (plane.row.1, plane.column.1);
        let tall = host.compare(CmpOp::Le, Atom::i64(FEWEST_TILES * plane.rows), rows);
        let broad = host.compare(CmpOp::Le, Atom::i64(self.cx.target.tile_columns), columns);
        let mut all = host.and(tall, broad);
        let results = host.binary(BinOp::Mul, rows, columns);
        let twice = host.binary(BinOp::Mul, results, Atom::i64(2));
        let some_columns = host.binary(BinOp::Max, columns, Atom::i64(1));
        for shared in &plane.shared {
            let (_, View { block, .. }) = host.array(shared.array);
            let size = self.sizes.get(&block).map(|sizes| {
                let product = |host: &mut Steps<'_, Host>, size, next| host.binary(BinOp::Mul, size, next);
                sizes.iter().fold(Atom::i64(1), |size, &next| product(host, size, next))
            });
            let most = size.map_or(twice, |size| host.binary(BinOp::Max, twice, size));
            let most = host.binary(BinOp::Quot, most, some_columns);
            let fits = host.compare(CmpOp::Le, plane.iteration.1, most);
            all = host.and(all, fits);
        }
        all
    }
}
