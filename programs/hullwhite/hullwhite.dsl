-- | Options on zero-coupon bonds, valued in trinomial trees of the Hull-White one-factor model.
--
-- The short rate reverts to a mean that is fitted to today's zero curve. Each option has a tree of
-- its own: as high as its bond has steps, as wide as its reversion rate demands. The portfolio is a
-- map over options; everything below speaks of one tree.
-- ==
-- entry: main
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [1u16, 5u16, 25u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.879957315, 1.838268650, 1.811206882] }

-- | What the valuation needs of a type of reals.
module type real = {
  type t
  val f64: f64 -> t
  val i64: i64 -> t
  val to_i64: t -> i64
  val neg: t -> t
  val (+): t -> t -> t
  val (-): t -> t -> t
  val (*): t -> t -> t
  val (/): t -> t -> t
  val max: t -> t -> t
  val exp: t -> t
  val sqrt: t -> t
  val tanh: t -> t
  val floor: t -> t
  val round: t -> t
  val sum [n]: [n]t -> t
}

-- | The valuation in any precision.
module hullwhite (R: real) = {
  type real = R.t

  -- | The zero rate for a time in years: between the days of the curve linear, flat outside.
  def zero_rate [m] (rates: [m]real) (days: [m]i32) (years: real): real =
    let day = i32.i64 (R.(to_i64 (floor (years * i64 365 + f64 0.5))))
    in if day <= head days then head rates
       else if day > last days then last rates
       else let after = loop k = 1 while days[k] < day do k + 1
            let before = after - 1
            let (ahead, distance) = (i64.i32 (day - days[before]), i64.i32 (days[after] - days[before]))
            in R.(rates[before] + i64 ahead / i64 distance * (rates[after] - rates[before]))

  -- | Today's price of one unit at that time.
  def zero_bond [m] (rates: [m]real) (days: [m]i32) (years: real): real =
    R.(exp (neg (zero_rate rates days years) * years))

  -- | Probabilities to move up, to stay, and to move down from a node, where `offset` says how far
  -- the mean of the move lies above the middle target.
  def branching (offset: real): (real, real, real) =
    R.(let square = offset * offset
       in (i64 1 / i64 6 + (square + offset) / i64 2,
           i64 2 / i64 3 - square,
           i64 1 / i64 6 + (square - offset) / i64 2))

  -- | How many levels the tree of a bond has behind its root.
  def height (maturity: real) (steps: u16): i64 = R.to_i64 (R.round (maturity R.* R.i64 (i64.u16 steps)))

  -- | `1 - exp (-x)` without the difference of two numbers that are nearly the same: with many steps a
  -- year `x` is small, and in single precision the difference would keep four digits.
  def one_minus_exp (x: real): real = R.(tanh (x / i64 2) * (i64 1 + exp (neg x)))

  -- | What the distance from the middle of the tree shrinks by in one step, relative to it: negative.
  def pull (a: real) (steps: u16): real = R.neg (one_minus_exp (a R./ R.i64 (i64.u16 steps)))

  -- | How many nodes the tree has on each side of the middle one.
  def half_width (a: real) (steps: u16): i64 = R.(to_i64 (floor (f64 (-0.184) / pull a steps))) + 1

  -- | The value of an option. Node `k` of a level stands for the rate `alpha + j * rate_step` with
  -- `j = k - half`, where `alpha` is the level's shift. From the lowest and the highest node all moves
  -- lead inward: the middle target is the nearest node that has two neighbours.
  def valuate [m] (rates: [m]real) (days: [m]i32)
      (strike: real, maturity: real, expiry: real, steps: u16) (a: real, sigma: real, kind: i8): real =
    let dt = R.i64 1 R./ R.i64 (i64.u16 steps)
    let levels = height maturity steps
    let expiry = height expiry steps
    let reversion = pull a steps
    let variance = R.(sigma * sigma * one_minus_exp (i64 2 * a * dt) / (i64 2 * a))
    let rate_step = R.(sqrt (i64 3 * variance))
    let half = half_width a steps
    let width = 2 * half + 1

    let middle (k: i64) = i64.max 1 (i64.min (width - 2) k)
    let from_middle (k: i64): real = R.i64 (k - half)
    let (up, stay, down) =
      unzip3 (map (\k -> branching (from_middle k R.* reversion R.- R.i64 (middle k - k))) (iota width))
    let discount = map (\k -> R.(exp (neg (from_middle k) * rate_step * dt))) (iota width)

    -- forward: today's value of one unit paid at each node, level by level, and the shifts that make
    -- the tree agree with the curve; only exp (-alpha * dt) is ever needed of a shift
    let root = map (\k -> R.i64 (if k == half then 1 else 0)) (iota width)
    let (_, shifts) =
      loop (states, shifts) = (root, replicate levels (R.i64 0)) for i < levels do
        let discounted = map2 (R.*) states discount
        let shift = zero_bond rates days (R.i64 (i + 1) R.* dt) R./ R.sum discounted
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
    let exercise (value: real) = R.(max (i64 0) (if kind == 1 then strike - value else value - strike))
    let values =
      loop values = replicate width (R.i64 100) for j < levels do
        let i = levels - 1 - j
        let value (k: i64): real =
          let target = middle k
          let (below, above) = (target - 1, target + 1)
          let expected = R.(up[k] * values[above] + stay[k] * values[target] + down[k] * values[below])
          let held = R.(shifts[i] * discount[k] * expected)
          in if i == expiry then exercise held else held
        in map value (iota width)
    in values[half]

  type option = ((real, real, real, u16), (real, real, i8))

  -- | The values of a portfolio.
  def main [n] [m] (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    map (\(bond, model) -> valuate rates days bond model) portfolio

  -- | The same, with the options sorted by a size of their trees in the meantime, the largest first:
  -- neighbours then take like time. The sort is by radix.
  def sorted [n] [m] (size: option -> i64) (rates: [m]real) (days: [m]i32) (portfolio: [n]option): [n]real =
    let sizes = map size portfolio
    let order =
      loop order = iota n for bit < i64.num_bits - i64.clz (i64.maximum sizes) do
        let (ones, zeros) = partition (\i -> i64.get_bit bit sizes[i] == 1) order
        in concat ones zeros :> [n]i64
    in scatter (replicate n (R.i64 0)) order (main rates days (map (\i -> portfolio[i]) order))

  def by_height [n] [m]: [m]real -> [m]i32 -> [n]option -> [n]real =
    sorted (\((_, maturity, _, steps), _) -> height maturity steps)

  def by_width [n] [m]: [m]real -> [m]i32 -> [n]option -> [n]real =
    sorted (\((_, _, _, steps), (a, _, _)) -> half_width a steps)
}

module double: real with t = f64 = { open f64 type t = f64 }
module single: real with t = f32 = { open f32 type t = f32 }
module in_f64 = hullwhite double
module in_f32 = hullwhite single

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.main rates days (zip (zip4 strike maturity expiry steps) (zip3 a sigma kind))

-- | Sorted by height while they are valuated.
entry by_height [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.by_height rates days (zip (zip4 strike maturity expiry steps) (zip3 a sigma kind))

-- | Sorted by width while they are valuated.
entry by_width [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  in_f64.by_width rates days (zip (zip4 strike maturity expiry steps) (zip3 a sigma kind))

-- | In single precision.
entry main_f32 [n] [m]
    (strike: [n]f32) (maturity: [n]f32) (expiry: [n]f32) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f32) (sigma: [n]f32) (kind: [n]i8) (rates: [m]f32) (days: [m]i32): [n]f32 =
  in_f32.main rates days (zip (zip4 strike maturity expiry steps) (zip3 a sigma kind))
