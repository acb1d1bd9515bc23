-- | Options on zero-coupon bonds in Hull-White trees, flattened by hand: one thread values one option,
-- in arrays padded to the widest and the highest tree of the portfolio, with nothing parallel inside.
--
-- It computes what hullwhite.dsl computes, which explains the model.
-- ==
-- entry: main
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [1u16, 5u16, 25u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.879957315, 1.838268650, 1.811206882] }

-- | The zero rate for a time in years: between the days of the curve linear, flat outside.
def zero_rate [m] (rates: [m]f64) (days: [m]i32) (years: f64): f64 =
  let day = i32.f64 (f64.floor (365 * years + 0.5))
  in if day <= head days then head rates
     else if day > last days then last rates
     else let after = loop k = 1 while days[k] < day do k + 1
          let before = after - 1
          let share = f64.i32 (day - days[before]) / f64.i32 (days[after] - days[before])
          in rates[before] + share * (rates[after] - rates[before])

-- | Today's price of one unit at that time.
def zero_bond [m] (rates: [m]f64) (days: [m]i32) (years: f64): f64 =
  f64.exp (- (zero_rate rates days years) * years)

-- | Probabilities to move up, to stay, and to move down from a node, where `offset` says how far
-- the mean of the move lies above the middle target.
def branching (offset: f64): (f64, f64, f64) =
  let square = offset * offset
  in (1 / 6 + (square + offset) / 2, 2 / 3 - square, 1 / 6 + (square - offset) / 2)

-- | What shapes the tree of an option: the time between levels, how many levels follow the root,
-- the level of the expiry, how many nodes lie on each side of the middle one, the drift towards
-- it in steps of the rate, and that step.
def tree (maturity: f64, length: f64, steps: u16) (a: f64, sigma: f64): (f64, i64, i64, i64, f64, f64) =
  let dt = 1 / f64.u16 steps
  let reversion = f64.exp (-a * dt) - 1
  let variance = sigma * sigma * (1 - f64.exp (-2 * a * dt)) / (2 * a)
  in (dt,
      i64.f64 (f64.round (maturity * f64.u16 steps)),
      i64.f64 (f64.round (length * f64.u16 steps)),
      i64.f64 (f64.floor (-0.184 / reversion)) + 1,
      reversion,
      f64.sqrt (3 * variance))

-- | The nearest node that has two neighbours in a tree of this width: the middle target of the moves.
def middle (width: i64) (k: i64): i64 = i64.max 1 (i64.min (width - 2) k)

-- | The value of an option, in room for the widest and the highest tree.
def valuate [m] (rates: [m]f64) (days: [m]i32) (widest: i64) (highest: i64)
    (strike: f64, kind: i8)
    (dt: f64, levels: i64, expiry: i64, half: i64, reversion: f64, rate_step: f64): f64 =
  let width = 2 * half + 1
  let moves (k: i64) = branching (f64.i64 (k - half) * reversion - f64.i64 (middle width k - k))
  let discount (k: i64) = f64.exp (-(f64.i64 (k - half)) * rate_step * dt)

  let from (discounted: [widest]f64) (node: i64) (to: i64): f64 =
    if node < 0 || node >= width then 0
    else let (up, stay, down) = moves node
         let move = to - middle width node
         let probability = if move == 1 then up else if move == 0 then stay else if move == -1 then down else 0
         in probability * discounted[node]
  let receive (discounted: [widest]f64) (k: i64): f64 =
    from discounted (k - 2) k + from discounted (k - 1) k + from discounted k k
    + from discounted (k + 1) k + from discounted (k + 2) k

  let states = replicate widest 0 with [half] = 1
  let (_, shifts) =
    loop (states, shifts) = (states, replicate highest 0) for i < levels do
      let discounted = loop xs = states for k < width do let x = xs[k] * discount k in xs with [k] = x
      let sum = loop sum = 0 for k < width do sum + discounted[k]
      let shift = zero_bond rates days (f64.i64 (i + 1) * dt) / sum
      let states =
        loop xs = replicate widest 0 for k < width do
          let x = shift * receive discounted k
          in xs with [k] = x
      in (states, shifts with [i] = shift)

  let exercise (value: f64) = f64.max 0 (if kind == 1 then strike - value else value - strike)
  let values =
    loop values = replicate widest 100 for j < levels do
      let i = levels - 1 - j
      in loop xs = replicate widest 0 for k < width do
           let (up, stay, down) = moves k
           let target = middle width k
           let expected = up * values[target + 1] + stay * values[target] + down * values[target - 1]
           let held = shifts[i] * discount k * expected
           in xs with [k] = if i == expiry then exercise held else held
  in values[half]

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (length: [n]f64) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  let trees = map2 tree (zip3 maturity length steps) (zip a sigma)
  let highest = i64.maximum (map (.1) trees)
  let widest = 2 * i64.maximum (map (.3) trees) + 1
  in map2 (valuate rates days widest highest) (zip strike kind) trees
