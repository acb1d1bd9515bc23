-- | Options on zero-coupon bonds in Hull-White trees, flattened by hand: the trees of several options
-- are adjacent in bins of 1024 slots, and all slots of a bin compute the same level together.
--
-- It computes the same values as hullwhite.dsl, which explains the model. The options are sorted by
-- height and width, so that a bin has trees of similar height; slots of finished trees idle.
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
import "segmented"
import "sorts"

-- | The number of slots in a bin. A wider tree has a bin for itself, of which the result keeps this many slots; its
-- root, in the middle, must be among them.
def capacity: i64 = 1024

-- | The first options of the bins, if each bin takes as many trees as fit. For every option, `next` is the
-- first option of the next bin if a bin began with this one. Following `next` from option 0 gives
-- the bins; this is done in parallel, in strides that double.
def bins [n] (widths: [n]i64): []i64 =
  let ends = scan (+) 0 widths
  let next (i: i64): i64 =
    if i == n then n
    else let room = ends[i] - widths[i] + capacity
         let (fits, _) =
           loop (fits, beyond) = (i, n) while beyond - fits > 1 do
             let middle = (fits + beyond) / 2
             in if ends[middle] <= room then (middle, beyond) else (fits, middle)
         in fits + 1
  let (begins, _, _) =
    loop (begins, ahead, stride) = (map (== 0) (iota (n + 1)), map next (iota (n + 1)), 1) while stride < n do
      let reached = map2 (\begins to -> if begins then to else -1) begins ahead
      in (scatter (copy begins) reached (map (const true) reached), map (\to -> ahead[to]) ahead, 2 * stride)
  in filter (\i -> begins[i]) (iota n)

module flat (R: real) = {
  module M = model R
  type real = R.t

  -- | The values at the roots of the options in a bin; other slots have other numbers.
  def valuate [m] [c] (rates: [m]real) (days: [m]i32)
      (contents: [c]((real, i8), (M.moves, M.shape))): [capacity]real =
    let (options, trees) = unzip contents
    let (moves, shapes) = unzip trees
    let widths = map (\(_, _, half) -> 2 * half + 1) shapes
    let offsets = exscan (+) 0 widths
    let used = i64.sum widths
    let owner = scan i64.max 0 (spread used 0 offsets (iota c))
    let first = map (\o -> offsets[o]) owner
    let node = map2 (-) (iota used) first
    let from_middle (o: i64) (k: i64): real = R.i64 (k - shapes[o].2)
    let move (o: i64) (k: i64): (real, real, real) =
      M.branching (from_middle o k R.* moves[o].1 R.- R.i64 (M.middle widths[o] k - k))
    let (up, stay, down) = unzip3 (map2 move owner node)
    let discount_at (o: i64) (k: i64): real =
      let (dt, _, rate_step) = moves[o]
      in R.(exp (neg (from_middle o k) * rate_step * dt))
    let discount = map2 discount_at owner node
    let highest = i64.maximum (map (.0) shapes)
    let roots = map2 (\o k -> R.i64 (i64.bool (k == shapes[o].2))) owner node

    let (_, shifts) =
      loop (states, shifts) = (roots, replicate highest (replicate c (R.i64 0))) for i < highest do
        let discounted = map2 (R.*) states discount
        let sums = segmented_scan (R.+) (R.i64 0) (map (== 0) node) discounted
        let shift_of (dt: real) (end: i64) = M.zero_bond rates days (R.i64 (i + 1) R.* dt) R./ sums[end - 1]
        let shift = map3 (\(dt, _, _) offset width -> shift_of dt (offset + width)) moves offsets widths
        let receive (slot: i64): real =
          let width = widths[owner[slot]]
          let from (distance: i64): real =
            let k = node[slot] + distance
            in if k < 0 || k >= width then R.i64 0
               else let move = node[slot] - M.middle width k
                    let source = slot + distance
                    let probability = if move == 1 then up[source]
                                      else if move == 0 then stay[source]
                                      else if move == -1 then down[source]
                                      else R.i64 0
                    in probability R.* discounted[source]
          in R.(shift[owner[slot]] * (from (-2) + from (-1) + from 0 + from 1 + from 2))
        let states =
          map (\slot -> if i < shapes[owner[slot]].0 then receive slot else states[slot]) (iota used)
        in (states, shifts with [i] = shift)

    let values =
      loop values = replicate used (R.i64 100) for j < highest do
        let i = highest - 1 - j
        let value (slot: i64): real =
          let (levels, expiry, _) = shapes[owner[slot]]
          let target = first[slot] + M.middle widths[owner[slot]] node[slot]
          let (below, above) = (target - 1, target + 1)
          let expected = R.(up[slot] * values[above] + stay[slot] * values[target] + down[slot] * values[below])
          let held = R.(shifts[i, owner[slot]] * discount[slot] * expected)
          in if i >= levels then values[slot]
             else if i != expiry then held
             else M.exercise options[owner[slot]] held
        in map value (iota used)
    in scatter (replicate capacity (R.i64 0)) (iota used) values

  def main [n] [m] (rates: [m]real) (days: [m]i32)
      (options: [n](real, i8)) (terms: [n](real, real, u16)) (models: [n](real, real)): [n]real =
    let (rates, days, steepest) = M.curve rates days
    let trees = map3 (M.tree steepest) options terms models
    let sizes = map (\(_, (levels, _, half)) -> levels * capacity + half) trees
    let order = radix_sort_by_key (\i -> sizes[i]) 32 (\bit size -> 1 - i64.get_bit bit size) (iota n)
    let sorted = map (\i -> (options[i], trees[i])) order
    let widths = map (\(_, (_, (_, _, half))) -> 2 * half + 1) sorted
    let begins = bins (map (\width -> assert (width / 2 < capacity) width) widths)
    let values =
      map (\bin -> let from = begins[bin]
                   let to = if bin + 1 < length begins then begins[bin + 1] else n
                   in valuate rates days sorted[from:to])
          (indices begins)
    -- the value of an option is that of its root
    let bin_of = map (\count -> count - 1) (scan (+) 0 (spread n 0 begins (map (const 1) begins)))
    let offsets = exscan (+) 0 widths
    let value (o: i64): real =
      let bin = bin_of[o]
      in values[bin, offsets[o] - offsets[begins[bin]] + widths[o] / 2]
    in scatter (replicate n (R.i64 0)) order (map value (iota n))
}

module in_f64 = flat f64
module in_f32 = flat f32

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.main rates days (zip strike kind) (zip3 maturity expiry (yearly unit steps)) (zip a sigma)

-- | In single precision.
entry main_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (expiry: [n]f32) (unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.main rates days (zip strike kind) (zip3 maturity expiry (yearly unit steps)) (zip a sigma)
