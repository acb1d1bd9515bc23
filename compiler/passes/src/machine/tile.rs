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
//!   carries at most half as many numbers as a tile has rows.
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
//!   let v_11: bool = and(v_9, v_10)
//!   let v_12: i64 = mul(n_0, m_2)
//!   let v_13: i64 = mul(v_12, 2i64)
//!   let v_14: i64 = max(m_2, 1i64)
//!   let v_15: i64 = mul(1i64, k_1)
//!   let v_16: i64 = mul(v_15, m_2)
//!   let v_17: i64 = max(v_13, v_16)
//!   let v_18: i64 = quot(v_17, v_14)
//!   let v_19: bool = le(k_1, v_18)
//!   let v_20: bool = and(v_11, v_19)
//!   if v_20 {
//!     let v_21: i64 = quot(m_2, 16i64)
//!     let v_22: i64 = mul(v_21, 16i64)
//!     let v_23: i64 = sub(m_2, v_22)
//!     let v_24: i64 = max(k_1, 0i64)
//!     let v_25: i64 = mul(v_24, 16i64)
//!     let v_26: i64 = mul(v_21, v_25)
//!     let v_27: i64 = sub(v_26, 1i64)
//!     let v_28: i64 = quot(v_27, 1024i64)
//!     let v_29: i64 = add(v_28, 1i64)
//!     let v_30: i64 = max(v_29, 1024i64)
//!     alloc y_31: block f32 = v_26
//!     segment map (panel_32 < v_21, iteration_33 < v_24, lane_34 < 16i64) chunk v_30 {
//!       let v_35: i64 = mul(panel_32, 16i64)
//!       let v_36: i64 = add(v_35, lane_34)
//!       view v37: f32 [v_21, v_24, 16i64] = y_31 + 0i64 * [v_25, 16i64, 1i64]
//!       load shared_38: f32 = b1_7[iteration_33, v_36]
//!       store v37[panel_32, iteration_33, lane_34] = shared_38
//!     }
//!     let v_39: i64 = quot(n_0, 4i64)
//!     let v_40: i64 = mul(v_39, 4i64)
//!     let v_41: i64 = sub(n_0, v_40)
//!     let v_42: i64 = mul(v_21, v_39)
//!     let v_43: i64 = sub(v_42, 1i64)
//!     let v_44: i64 = quot(v_43, 1024i64)
//!     let v_45: i64 = add(v_44, 1i64)
//!     let v_46: i64 = mul(v_45, 16i64)
//!     segment map (panel_47 < v_21, tile_48 < v_39, lane_49 < 16i64) chunk v_46 {
//!       let v_50: i64 = mul(panel_47, 16i64)
//!       let v_51: i64 = add(v_50, lane_49)
//!       let v_52: i64 = mul(panel_47, v_25)
//!       view v53: f32 [v_24, 16i64] = y_31 + v_52 * [16i64, 1i64]
//!       let v_54: i64 = mul(tile_48, 4i64)
//!       let v_55: i64 = add(v_54, 1i64)
//!       let v_56: i64 = add(v_54, 2i64)
//!       let v_57: i64 = add(v_54, 3i64)
//!       loop (sum_58: f32 = 0.0f32, sum_59: f32 = 0.0f32, sum_60: f32 = 0.0f32, sum_61: f32 = 0.0f32) for l_62: i64 < k_1 {
//!         load x_63: f32 = a1_6[v_54, l_62]
//!         load y_64: f32 = v53[l_62, lane_49]
//!         let xy_65: f32 = mul(x_63, y_64)
//!         let next_66: f32 = add(sum_58, xy_65)
//!         load x_67: f32 = a1_6[v_55, l_62]
//!         let xy_68: f32 = mul(x_67, y_64)
//!         let next_69: f32 = add(sum_59, xy_68)
//!         load x_70: f32 = a1_6[v_56, l_62]
//!         let xy_71: f32 = mul(x_70, y_64)
//!         let next_72: f32 = add(sum_60, xy_71)
//!         load x_73: f32 = a1_6[v_57, l_62]
//!         let xy_74: f32 = mul(x_73, y_64)
//!         let next_75: f32 = add(sum_61, xy_74)
//!         yield next_66, next_69, next_72, next_75
//!       } -> (total_76: f32, total_77: f32, total_78: f32, total_79: f32)
//!       store out1_8[v_54, v_51] = total_76
//!       store out1_8[v_55, v_51] = total_77
//!       store out1_8[v_56, v_51] = total_78
//!       store out1_8[v_57, v_51] = total_79
//!     }
//!     segment map (row_80 < v_41, column_81 < v_22) chunk 1024i64 {
//!       let v_82: i64 = add(v_40, row_80)
//!       let v_83: i64 = add(0i64, column_81)
//!       loop (sum_84: f32 = 0.0f32) for l_85: i64 < k_1 {
//!         load x_86: f32 = a1_6[v_82, l_85]
//!         load y_87: f32 = b1_7[l_85, v_83]
//!         let xy_88: f32 = mul(x_86, y_87)
//!         let next_89: f32 = add(sum_84, xy_88)
//!         yield next_89
//!       } -> (total_90: f32)
//!       store out1_8[v_82, v_83] = total_90
//!     }
//!     segment map (row_91 < n_0, column_92 < v_23) chunk 1024i64 {
//!       let v_93: i64 = add(0i64, row_91)
//!       let v_94: i64 = add(v_22, column_92)
//!       loop (sum_95: f32 = 0.0f32) for l_96: i64 < k_1 {
//!         load x_97: f32 = a1_6[v_93, l_96]
//!         load y_98: f32 = b1_7[l_96, v_94]
//!         let xy_99: f32 = mul(x_97, y_98)
//!         let next_100: f32 = add(sum_95, xy_99)
//!         yield next_100
//!       } -> (total_101: f32)
//!       store out1_8[v_93, v_94] = total_101
//!     }
//!   } else {
//!     segment map (i_102 < n_0, j_103 < m_2) chunk 1024i64 {
//!       loop (sum_104: f32 = 0.0f32) for l_105: i64 < k_1 {
//!         load x_106: f32 = a1_6[i_102, l_105]
//!         load y_107: f32 = b1_7[l_105, j_103]
//!         let xy_108: f32 = mul(x_106, y_107)
//!         let next_109: f32 = add(sum_104, xy_108)
//!         yield next_109
//!       } -> (total_110: f32)
//!       store out1_8[i_102, j_103] = total_110
//!     }
//!   }
//!   yield n_0, m_2, out_5
//! }
//! ```

#[cfg(test)]
mod tests;

mod jam;
mod plane;
mod segments;

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp};

use self::plane::{Limits, Plane, SAME_BOUND, SHARED, SMALL, STRAIGHT};
use super::steps::{self, Steps};
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
            Stm::Segment(segment) if !step.origin.rules.contains(&RULE) => {
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
            _ => {}
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
