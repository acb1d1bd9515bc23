-- | The Hull-White one-factor model and the shapes of its trees, in any precision, shared by all versions.

-- | The number of steps per year, which must be positive. Terms are in years of 365 days.
def yearly [n] (unit: [n]u16) (steps: [n]u16): [n]u16 =
  map2 (\unit steps -> assert (unit == 365 && steps > 0) steps) unit steps

-- | The model.
module model (R: real) = {
  type real = R.t

  -- | The zero curve: its rates, and the days for which they hold, which must be numbers and ascend; and the
  -- maximum absolute value of the rates.
  def curve [m] (rates: [m]real) (days: [m]i32): ([m]real, [m]i32, real) =
    let follows (k: i64): bool = days[k] > (if k == 0 then -1 else days[k - 1])
    let is_curve = and (map (\k -> R.(abs rates[k] < inf) && follows k) (iota m))
    in assert (m > 0 && is_curve) (rates, days, R.maximum (map R.abs rates))

  -- | Whether it is a valid time in years, whose days can be counted.
  def is_term (years: real): bool = R.(i64 0 <= years && years <= i64 1_000_000)

  -- | The zero rate for a time in years: linear between the days of the curve, constant outside.
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

  -- | Probabilities to move up, to stay, and to move down from a node; `offset` is the distance of the
  -- mean of the move from the middle target, upwards.
  def branching (offset: real): (real, real, real) =
    R.(let square = offset * offset
       in (i64 1 / i64 6 + (square + offset) / i64 2,
           i64 2 / i64 3 - square,
           i64 1 / i64 6 + (square - offset) / i64 2))

  -- | The time between levels, the drift towards the middle in steps of the rate, and that step.
  type moves = (real, real, real)

  -- | The number of levels after the root, the level of the expiry, and the number of nodes on each side
  -- of the middle one.
  type shape = (i64, i64, i64)

  -- | `1 - exp (-x)` without cancellation: with many steps per year `x` is small, and in single precision
  -- the difference would keep only four digits.
  def one_minus_exp (x: real): real = R.(tanh (x / i64 2) * (i64 1 + exp (neg x)))

  -- | The tree of an option to sell at a strike (kind 1, a put) or to buy at it (kind 0, a call). The number of its nodes
  -- must fit an i32. The discounts of all its rates must be finite, and so must bond prices until its end at the rates of
  -- the zero curve, which are at most `steepest`.
  def tree (steepest: real) (strike: real, kind: i8) (maturity: real, length: real, steps: u16) (a: real, sigma: real)
      : (moves, shape) =
    let maturity = assert (R.(abs strike < inf) && (kind == 0 || kind == 1)) maturity
    let (maturity, length) = assert (is_term maturity && is_term length) (maturity, length)
    let (a, sigma) = assert R.(i64 0 < a && a < inf && i64 0 <= sigma) (a, sigma)
    let steps = R.i64 (i64.u16 steps)
    let dt = R.(i64 1 / steps)
    let reversion = R.neg (one_minus_exp (a R.* dt))
    let variance = R.(sigma * sigma * one_minus_exp (i64 2 * a * dt) / (i64 2 * a))
    let rate_step = R.(sqrt (i64 3 * variance))
    let half = R.(floor (f64 (-0.184) / reversion) + i64 1)
    let half = assert R.(half < i64 (1 << 30) && exp (half * rate_step * dt) < inf) half
    let half = assert R.(exp (steepest * (maturity + dt)) < inf) half
    in ((dt, reversion, rate_step),
        (R.to_i64 (R.round (maturity R.* steps)), R.to_i64 (R.round (length R.* steps)), R.to_i64 half))

  -- | The value of an option at its exercise.
  def exercise (strike: real, kind: i8) (value: real): real =
    let is_put = kind == 1
    in R.(max (i64 0) (if is_put then strike - value else value - strike))

  -- | The nearest node that has two neighbours in a tree of this width: the middle target of the moves.
  def middle (width: i64) (k: i64): i64 = i64.max 1 (i64.min (width - 2) k)
}
