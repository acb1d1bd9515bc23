-- | Options on zero-coupon bonds in Hull-White trees, flattened by hand: one thread values one option,
-- in arrays padded to the widest and the highest tree of the portfolio, with nothing parallel inside.
--
-- It computes the same values as hullwhite.dsl, which explains the model.
-- ==
-- entry: main
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [1u16, 5u16, 25u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.879957315, 1.838268650, 1.811206882] }
-- input { [f64.nan] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .*abs strike
-- input { [f64.nan] [3.0] [9.0] [365u16] [1u16] [0.1] [0.01] [1i8] [0.05] [365] }
-- error: Assertion is false: .*abs strike
-- input { [63.0] [3.0] [9.0] [365u16] [1u16] [0.1] [0.01] [5i8] [0.05] [365] }
-- error: Assertion is false: .*kind == 0
-- input { [63.0] [9.0] [3.0] [365u16] [1u16] [0.1] [0.01] [5i8] [0.05] [365] }
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
-- entry: main_f32
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [5u16, 25u16, 1u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.838268650, 1.811206882, 1.879957315] }

import "model"

module one_per_thread (R: real) = {
  module M = model R
  type real = R.t

  -- | The value of an option, in arrays for the widest and the highest tree.
  def valuate [m] (rates: [m]real) (days: [m]i32) (widest: i64) (highest: i64)
      (right: (real, i8))
      ((dt, reversion, rate_step), (levels, expiry, half)): real =
    let width = 2 * half + 1
    let from_middle (k: i64): real = R.i64 (k - half)
    let moves (k: i64) = M.branching (from_middle k R.* reversion R.- R.i64 (M.middle width k - k))
    let discount (k: i64): real = R.(exp (neg (from_middle k) * rate_step * dt))

    let from (discounted: [widest]real) (node: i64) (to: i64): real =
      if node < 0 || node >= width then R.i64 0
      else let (up, stay, down) = moves node
           let move = to - M.middle width node
           let probability =
             if move == 1 then up else if move == 0 then stay else if move == -1 then down else R.i64 0
           in probability R.* discounted[node]
    let receive (discounted: [widest]real) (k: i64): real =
      let from (distance: i64) = from discounted (k + distance) k
      in R.(from (-2) + from (-1) + from 0 + from 1 + from 2)

    let states = replicate widest (R.i64 0) with [half] = R.i64 1
    let (_, shifts) =
      loop (states, shifts) = (states, replicate highest (R.i64 0)) for i < levels do
        let discounted =
          loop xs = replicate widest (R.i64 0) for k < width do xs with [k] = states[k] R.* discount k
        let sum = loop sum = R.i64 0 for k < width do sum R.+ discounted[k]
        let shift = M.zero_bond rates days (R.i64 (i + 1) R.* dt) R./ sum
        let states =
          loop xs = replicate widest (R.i64 0) for k < width do
            let x = shift R.* receive discounted k
            in xs with [k] = x
        in (states, shifts with [i] = shift)

    let values =
      loop values = replicate widest (R.i64 100) for j < levels do
        let i = levels - 1 - j
        in loop xs = replicate widest (R.i64 0) for k < width do
             let (up, stay, down) = moves k
             let target = M.middle width k
             let (below, above) = (target - 1, target + 1)
             let expected = R.(up * values[above] + stay * values[target] + down * values[below])
             let held = R.(shifts[i] * discount k * expected)
             in xs with [k] = if i == expiry then M.exercise right held else held
    in values[half]

  def main [n] [m] (rates: [m]real) (days: [m]i32)
      (options: [n](real, i8)) (terms: [n](real, real, u16)) (models: [n](real, real)): [n]real =
    let (rates, days, steepest) = M.curve rates days
    let trees = map3 (M.tree steepest) options terms models
    let highest = i64.maximum (map (\(_, shape) -> shape.0) trees)
    let widest = 2 * i64.maximum (map (\(_, shape) -> shape.2) trees) + 1
    in map2 (valuate rates days widest highest) options trees
}

module in_f64 = one_per_thread f64
module in_f32 = one_per_thread f32

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (length: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.main rates days (zip strike kind) (zip3 maturity length (yearly unit steps)) (zip a sigma)

-- | In single precision.
entry main_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (length: [n]f32) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.main rates days (zip strike kind) (zip3 maturity length (yearly unit steps)) (zip a sigma)
