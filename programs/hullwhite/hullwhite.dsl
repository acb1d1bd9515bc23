-- | Options on zero-coupon bonds, valued in trinomial trees of the Hull-White one-factor model.
--
-- The short rate reverts to a mean that is fitted to today's zero curve. Each option has a tree of
-- its own: its height is the number of steps of the bond, its width depends on the reversion rate. The
-- portfolio is a map over options; the code below is for one tree.
-- ==
-- entry: main in_bins
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [1u16, 5u16, 25u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.879957315, 1.838268650, 1.811206882] }
-- input { [63.0] [9.0] [3.0] [30u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .unit == 365
-- input { [63.0] [9.0] [3.0] [365u16] [0u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .unit == 365
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [5i8] [0.05] [365] }
-- error: Assertion is false: .*kind == 0
-- input { [f64.nan] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .*abs strike
-- input { [f64.nan] [3.0] [9.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .*abs strike
-- input { [63.0] [3.0] [9.0] [365u16] [1u16] [0.1] [0.01] [5i8] [0.05] [365] }
-- error: Assertion is false: .*kind == 0
-- input { [63.0] [f64.inf] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .is_term maturity
-- input { [63.0] [9.0] [f64.nan] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .is_term maturity
-- input { [63.0] [9.0] [1e300] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .is_term maturity
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.0] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: ...i64 0 < a
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [f64.inf] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: ...i64 0 < a
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [f64.nan] [1i8] [0.05] [365] }
-- error: Assertion is false: ...i64 0 < a
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [1e-300] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: ...half
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [1e200] [1i8] [0.05] [365] }
-- error: Assertion is false: ...half
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [f64.nan] [365] }
-- error: Assertion is false: .*is_curve
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05, 0.06] [365, 365] }
-- error: Assertion is false: .*is_curve
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [-80.0] [365] }
-- error: Assertion is false: .*steepest
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] empty([0]f64) empty([0]i32) }
-- error: Assertion is false: .*is_curve

-- ==
-- entry: by_height by_width by_shape main_f32 in_bins in_bins_f32 in_bins_by_height in_bins_by_width in_bins_by_height_f32
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [5u16, 25u16, 1u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.838268650, 1.811206882, 1.879957315] }

import "model"
import "sorts"

-- | The valuation in any precision.
module hullwhite (R: real) = {
  module M = model R
  type real = R.t

  -- | A bond (its maturity, the expiry of the option on it, steps per year) and a model (the reversion
  -- rate and the volatility); the strike, and 1 for a put or 0 for a call.
  type option = ((real, real, u16), (real, real), (real, i8))

  -- | The value of an option. Node `k` of a level has the rate `alpha + j * rate_step` with
  -- `j = k - half`, where `alpha` is the level's shift. From the lowest and the highest node all moves
  -- lead inward: the middle target is the nearest node that has two neighbours.
  def valuate [m] (rates: [m]real, days: [m]i32, steepest: real)
      ((bond, model, right): option): real =
    let ((dt, reversion, rate_step), (levels, expiry, half)) = M.tree steepest right bond model
    let width = 2 * half + 1
    let middle = M.middle width
    let from_middle (k: i64): real = R.i64 (k - half)
    let (up, stay, down) =
      unzip3 (map (\k -> M.branching (from_middle k R.* reversion R.- R.i64 (middle k - k))) (iota width))
    let discount = map (\k -> R.(exp (neg (from_middle k) * rate_step * dt))) (iota width)

    -- forward: today's value of one unit paid at each node, level by level, and the shifts that make
    -- the tree agree with the curve; of a shift, only exp (-alpha * dt) is needed
    let root = map (\k -> R.i64 (if k == half then 1 else 0)) (iota width)
    let (_, shifts) =
      loop (states, shifts) = (root, replicate levels (R.i64 0)) for i < levels do
        let discounted = map2 (R.*) states discount
        let shift = M.zero_bond rates days (R.i64 (i + 1) R.* dt) R./ R.sum discounted
        let from (node: i64) (to: i64): real =
          if node < 0 || node >= width then R.i64 0
          else let move = to - middle node
               let probability = if move == 1 then up[node]
                                 else if move == 0 then stay[node]
                                 else if move == -1 then down[node]
                                 else R.i64 0
               in probability R.* discounted[node]
        let receive (k: i64): real =
          if k > 2 && k < width - 3
          then let (below, above) = (k - 1, k + 1)
               in R.(up[below] * discounted[below] + stay[k] * discounted[k] + down[above] * discounted[above])
          else R.sum (map (\distance -> from (k + distance) k) [-2, -1, 0, 1, 2])
        let states = map (\k -> shift R.* receive k) (iota width)
        in (states, shifts with [i] = shift)

    -- backward: the value at each node, from the face value at maturity
    let values =
      loop values = replicate width (R.i64 100) for j < levels do
        let i = levels - 1 - j
        let value (k: i64): real =
          let target = middle k
          let (below, above) = (target - 1, target + 1)
          let expected = R.(up[k] * values[above] + stay[k] * values[target] + down[k] * values[below])
          let held = R.(shifts[i] * discount[k] * expected)
          in if i == expiry then M.exercise right held else held
        in map value (iota width)
    in values[half]

  -- | The values of a portfolio.
  def main [n] [m] (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    map (valuate (M.curve rates days)) portfolio

  -- | The same, with the trees of many options side by side in the memory of a workgroup.
  def in_bins [n] [m] (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    #[flattening(bins)] map (valuate (M.curve rates days)) portfolio

  -- | The same, with the options sorted by the height of their trees before they share workgroups.
  def in_bins_by_height [n] [m] (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    #[flattening(bins, by_height)] map (valuate (M.curve rates days)) portfolio

  -- | The same, sorted by the width of the trees.
  def in_bins_by_width [n] [m] (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    #[flattening(bins, by_width)] map (valuate (M.curve rates days)) portfolio

  -- | The same, with the options sorted by a size of their trees in the meantime, the largest first:
  -- neighbours then take like time.
  def sorted [n] [m] (size: M.shape -> i64) (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    let (_, _, steepest) = M.curve rates days
    let sizes = map (\(bond, model, right) -> size (M.tree steepest right bond model).1) portfolio
    let bits = i64.num_bits - i64.clz (i64.maximum sizes)
    let order = radix_sort_by_key (\i -> sizes[i]) bits (\bit size -> 1 - i64.get_bit bit size) (iota n)
    in scatter (replicate n (R.i64 0)) order (main rates days (map (\i -> portfolio[i]) order))

  def by_height [n] [m]: [m]real -> [m]i32 -> [n]option -> [n]real =
    sorted (\(levels, _, _) -> levels)

  def by_width [n] [m]: [m]real -> [m]i32 -> [n]option -> [n]real =
    sorted (\(_, _, half) -> half)

  -- | By width, and by height where widths are equal: neighbours then have trees of like shape, so that they run in lanes.
  def by_shape [n] [m]: [m]real -> [m]i32 -> [n]option -> [n]real =
    sorted (\(levels, _, half) -> half * 4096 + i64.min levels 4095)
}

module in_f64 = hullwhite f64
module in_f32 = hullwhite f32

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.main rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Sorted by height while they are valuated.
entry by_height [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.by_height rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Sorted by width while they are valuated.
entry by_width [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.by_width rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Sorted by width and height while they are valuated.
entry by_shape [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.by_shape rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | In single precision.
entry main_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (expiry: [n]f32) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.main rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Many options in a workgroup, on a GPU.
entry in_bins [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.in_bins rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Many options in a workgroup, in single precision.
entry in_bins_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (expiry: [n]f32) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.in_bins rates days (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Many options of like heights in a workgroup.
entry in_bins_by_height [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.in_bins_by_height rates days
    (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Many options of like widths in a workgroup.
entry in_bins_by_width [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.in_bins_by_width rates days
    (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))

-- | Many options of like heights in a workgroup, in single precision.
entry in_bins_by_height_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (expiry: [n]f32) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.in_bins_by_height rates days
    (zip3 (zip3 maturity expiry (yearly unit steps)) (zip a sigma) (zip strike kind))
