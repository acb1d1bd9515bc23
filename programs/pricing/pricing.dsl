-- | Contracts on several underlyings, priced by quasi-Monte-Carlo: the mean of their discounted
-- payoffs over many paths of the market.
--
-- A path starts as a point of a Sobol sequence, one coordinate for every date and underlying. Its
-- coordinates become normal deviates, these by a Brownian bridge the increments of independent
-- Brownian motions, these the prices of correlated underlyings at all dates, and these a payoff.
-- ==
-- entry: main by_index by_recurrence
-- input { 1 1024
--   [[536870912, 268435456, 134217728, 67108864, 33554432, 16777216, 8388608, 4194304, 2097152, 1048576,
--     524288, 262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 1024,
--     512, 256, 128, 64, 32, 16, 8, 4, 2, 1]]
--   [[[1.0]]] [[[0.19]]] [[[-0.0276481070940405]]] [[3758.05]] [[0.9997817434496459]] [[0.9805494836196852]]
--   [[1], [0], [0]] [[0.9889803798765787], [0.0], [0.0]] }
-- output { [165.52568817883116] }
-- input { 1 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- output { [186.2347755668013] }
-- input { 1 32 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .*paths < 1 << b
-- input { 1 0 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .*1 <= paths
-- input { 1 31 [[-16, -8, -4, -2, -1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all are_directions
-- input { 1 31 [[16, 8, 4, 2, 0]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all are_directions
-- input { 1 31 [[16, 8, 4, 4, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all are_directions
-- input { 1 31 [[16, 8, 4, 2, 33]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all are_directions
-- input { 4 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .*contract <= 3
-- input { 1 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[f64.nan]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all is_market
-- input { 1 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[f64.inf]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .all is_market
-- input { 1 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[0], [0], [0]] [[1.0], [0.0], [0.0]] }
-- error: Assertion is false: .is_bridge
-- input { 1 31 [[16, 8, 4, 2, 1], [16, 24, 20, 30, 31]] [[[1.0]]] [[[0.1], [0.1]]] [[[0.0], [0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[2, 2], [0, 0], [0, 2]] [[1.0, 0.7], [0.0, 0.5], [0.0, 0.5]] }
-- error: Assertion is false: .is_bridge
-- input { 1 31 [[16, 8, 4, 2, 1], [16, 24, 20, 30, 31]] [[[1.0]]] [[[0.1], [0.1]]] [[[0.0], [0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1, 2], [0, 1], [2, 0]] [[1.0, 0.7], [0.0, 0.5], [0.0, 0.5]] }
-- error: Assertion is false: .is_bridge

-- ==
-- entry: main_f32
-- input { 1 31 [[16, 8, 4, 2, 1]] [[[1.0]]] [[[0.19]]] [[[0.0]]] [[3758.05]] [[1.0]] [[0.98]]
--   [[1], [0], [0]] [[1.0], [0.0], [0.0]] }
-- output { [186.2347755668013] }

-- Quasi-random points

-- | Point `i` of a Sobol sequence, as multiples of 2^-b in every dimension.
def point [s] [b] (directions: [s][b]i32) (i: i64): [s]i32 =
  let gray = i32.i64 (i ^ (i >> 1))
  let coordinate (dimension: [b]i32): i32 =
    reduce (^) 0 (map2 (\bit direction -> (gray >> i32.i64 bit & 1) * direction) (iota b) dimension)
  in map coordinate directions

-- | The difference of point `i` and the next one: the direction numbers of the lowest zero bit of `i`.
def difference [s] [b] (directions: [s][b]i32) (i: i64): [s]i32 =
  directions[:, i64.ctz (i64.not i)]

-- | Whether it is a direction number of this bit out of `b`: an odd multiple of 2^(b-1-bit). With such numbers the first
-- 2^b points differ in every dimension, and only the origin has a coordinate 0.
def is_direction (b: i64) (bit: i64) (direction: i32): bool =
  let number = i64.i32 direction
  in 0 < number && number < 1 << b && i64.i32 (i64.ctz number) == b - 1 - bit

-- | The points of a sequence.
module type sequence = {
  -- | The first `n` points after the origin.
  val points [s] [b]: (n: i64) -> (directions: [s][b]i32) -> [n][s]i32
}

-- | Each point independently, from the bits of its index.
module independent: sequence = {
  def points [s] [b] (n: i64) (directions: [s][b]i32): [n][s]i32 =
    map (\i -> point directions (i + 1)) (iota n)
}

-- | Each point from the previous one.
module recurrent: sequence = {
  def points [s] [b] (n: i64) (directions: [s][b]i32): [n][s]i32 =
    scan (map2 (^)) (replicate s 0) (map (difference directions) (iota n))
}

-- | In chunks: the first point of each independently, all others from the previous one.
module streamed: sequence = {
  def points [s] [b] (n: i64) (directions: [s][b]i32): [n][s]i32 =
    let step (first: i64) (i: i64): [s]i32 =
      if i == first then point directions (i + 1) else difference directions i
    let chunk [k] (is: [k]i64): [k][s]i32 =
      scan (map2 (^)) (replicate s 0) (map (step is[0]) is)
    in stream_map (\k (is: [k]i64) -> chunk is) (iota n)
}

-- | Prices in any precision, with any module of points.
module pricing (R: float) (S: sequence) = {
  type real = R.t

  -- Normal deviates

  -- | A polynomial of degree 7, its coefficients from the constant upwards.
  def polynomial (c0: f64, c1: f64, c2: f64, c3: f64) (c4: f64, c5: f64, c6: f64, c7: f64) (x: real): real =
    R.(let above (c: f64) (y: t): t = f64 c + x * y
       in above c0 (above c1 (above c2 (above c3 (above c4 (above c5 (above c6 (f64 c7))))))))

  -- | The quantile of the normal distribution, by rational approximations for its middle and its
  -- two tails (Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution",
  -- Applied Statistics, 1988).
  def inverse_normal (p: real): real =
    let middle (x: real): real =
      polynomial (3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125)
                 (45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727) x
      R./ polynomial (1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077)
                     (21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852854561) x
    let near (x: real): real =
      polynomial (1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504)
                 (1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4) x
      R./ polynomial (1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455)
                     (0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9) x
    let far (x: real): real =
      polynomial (6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123)
                 (0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7) x
      R./ polynomial (1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525)
                     (7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15) x
    in R.(let q = p - f64 0.5
          in if abs q <= f64 0.425
             then q * middle (f64 0.180625 - q * q)
             else let r = sqrt (neg (log (min p (i64 1 - p))))
                  let tail = if r <= i64 5 then near (r - f64 1.6) else far (r - i64 5)
                  in copysign tail q)

  -- Market

  -- | Whether a bridge sets every date, and only from dates that are already set.
  def is_bridge [d] (dates: [3][d]i32): bool =
    let turns = scatter (replicate d d) (map (\date -> i64.i32 date - 1) dates[0]) (iota d)
    let is_date (date: i32): bool = 1 <= date && i64.i32 date <= d
    let is_known (q: i64) (date: i32): bool = date == 0 || (is_date date && turns[date - 1] < q)
    let is_step (q: i64): bool =
      is_date dates[0, q] && turns[dates[0, q] - 1] == q && is_known q dates[1, q] && is_known q dates[2, q]
    in all is_step (iota d)

  -- | The increments of Brownian motions from date to date. Step `q` of the bridge sets the date
  -- `targets[q]` from two dates that are known already: their weighted mean plus a deviation. Dates
  -- count from 1; at date 0 every motion is 0.
  def brownian_bridge [d] [u]
      (dates: [3][d]i32) (weights: [3][d]real) (deviates: [d][u]real): [d][u]real =
    let (targets, lefts, rights) = (dates[0], dates[1], dates[2])
    let (deviations, left_weights, right_weights) = (weights[0], weights[1], weights[2])
    let motion =
      loop motion = replicate (d + 1) (replicate u (R.i64 0)) for q < d do
        let set (left: real) (right: real) (deviate: real) =
          R.(left_weights[q] * left + right_weights[q] * right + deviations[q] * deviate)
        let at = map3 set motion[lefts[q]] motion[rights[q]] deviates[q]
        in motion with [targets[q]] = at
    in map (\n -> map2 (R.-) motion[n + 1] motion[n]) (iota d)

  -- | Increments of correlated motions, by the lower Cholesky factor of their correlation.
  def correlate [u] (factor: [u][u]real) (increments: [u]real): [u]real =
    let product (j: i64) (l: i64) (c: real) (w: real): real = if l <= j then c R.* w else R.i64 0
    in map (\j -> R.sum (map3 (product j) (iota u) factor[j] increments)) (iota u)

  -- | The prices of all underlyings at all dates: from date to date each grows log-normally
  -- (Black and Scholes).
  def evolve [d] [u]
      (factor: [u][u]real) (volatilities: [d][u]real) (drifts: [d][u]real) (start: [u]real)
      (increments: [d][u]real): [d][u]real =
    let growth (volatility: [u]real) (drift: [u]real) (increments: [u]real): [u]real =
      map3 (\v m w -> R.(exp (w * v + m))) volatility drift (correlate factor increments)
    let growths = map3 growth volatilities drifts increments
    in map (map2 (R.*) start) (scan (map2 (R.*)) (replicate u (R.i64 1)) growths)

  -- Contracts

  -- | The price of the worst underlying at a date, relative to its level.
  def worst [u] (prices: [u]real): real =
    R.minimum (map2 (\price level -> R.(price / f64 level)) prices (take u [3758.05, 11840, 1200]))

  -- | A European call on the first underlying.
  def simple [d] [u] [k] [f] (deterministic: [k]real) (discounts: [f]real) (prices: [d][u]real): real =
    R.(max (i64 0) (prices[0, 0] - i64 4000) * deterministic[0] * discounts[0])

  -- | Pays and ends at the first of four dates on which all underlyings are above their levels; the
  -- later, the more. Otherwise the fifth date decides.
  def medium [d] [u] [f] (discounts: [f]real) (prices: [d][u]real): real =
    let early = loop n = 0 while n < 4 && R.(worst prices[n] < i64 1) do n + 1
    let last = worst prices[4]
    let amount =
      if early < 4 then R.i64 (1150 + 150 * early)
      else R.(if last >= i64 1 then i64 1750 else if last > f64 0.75 then i64 1000 else i64 1000 * last)
    in amount R.* discounts[early]

  -- | Pays a coupon and at the end the notional, reduced if some underlying once touched its barrier
  -- and one ends below its level.
  def complex [d] [u] [f] (discounts: [f]real) (prices: [d][u]real): real =
    let touched (prices: [u]real): bool =
      any (\(price, barrier) -> R.(price <= f64 barrier)) (zip prices (take u [2630.635, 8288, 840]))
    let last = worst prices[d - 1]
    let reduced = any touched prices && R.(last < i64 1)
    in R.(i64 100 * discounts[0] + i64 1000 * (if reduced then last else i64 1) * discounts[1])

  -- | The discounted payoff of a contract, known by its number.
  def payoff [d] [u] [k] [f]
      (contract: i32) (deterministic: [k]real) (discounts: [f]real) (prices: [d][u]real): real =
    match contract
    case 1 -> simple deterministic discounts prices
    case 2 -> medium discounts prices
    case _ -> complex discounts prices

  -- | Whether all are finite. Payoffs compare prices, and would turn a NaN into a number.
  def are_numbers [n]: [n]real -> bool = all R.(\x -> abs x < inf)

  -- | The price under each model of the market. The payoffs are added in f64, since there are many.
  def main [s] [b] [m] [d] [u] [k] [f]
      (contract: i32) (paths: i32) (directions: [s][b]i32)
      (factors: [m][u][u]real) (volatilities: [m][d][u]real) (drifts: [m][d][u]real) (starts: [m][u]real)
      (deterministic: [m][k]real) (discounts: [m][f]real)
      (bridge_dates: [3][d]i32) (bridge_weights: [3][d]real): [m]real =
    let contract = assert (1 <= contract && contract <= 3) contract
    -- b bits distinguish 2^b points, including the origin
    let n = assert (1 <= paths && b < 32 && i64.i32 paths < 1 << b) (i64.i32 paths)
    let are_directions (dimension: [b]i32): bool = and (map2 (is_direction b) (iota b) dimension)
    let directions = assert (all are_directions directions) directions
    let is_market (i: i64): bool =
      are_numbers (flatten volatilities[i]) && are_numbers (flatten drifts[i]) && are_numbers starts[i]
      && all (\j -> are_numbers (take (j + 1) factors[i, j])) (iota u)
      && are_numbers deterministic[i] && are_numbers discounts[i]
      && are_numbers (flatten bridge_weights)
    let factors = assert (all is_market (iota m)) factors
    let bridge_dates = assert (is_bridge bridge_dates) bridge_dates
    let scale = R.i64 (1 << b)
    let uniform (x: i32): real = R.i64 (i64.i32 x) R./ scale
    let deviates (point: [s]i32): [d][u]real =
      unflatten (map (\x -> inverse_normal (uniform x)) point :> [d * u]real)
    let values (increments: [d][u]real): [m]f64 =
      map (\i -> evolve factors[i] volatilities[i] drifts[i] starts[i] increments
                 |> payoff contract deterministic[i] discounts[i]
                 |> R.to_f64)
          (iota m)
    in S.points n directions
       |> map deviates
       |> map (brownian_bridge bridge_dates bridge_weights)
       |> map values
       |> reduce (map2 (+)) (replicate m 0)
       |> map (\total -> R.f64 (total / f64.i64 n))
}

module in_f64 = pricing f64 streamed
module in_f32 = pricing f32 streamed
module in_f64_by_index = pricing f64 independent
module in_f64_by_recurrence = pricing f64 recurrent

entry main [s] [b] [m] [d] [u] [k] [f]
    (contract: i32) (n: i32) (directions: [s][b]i32)
    (factors: [m][u][u]f64) (volatilities: [m][d][u]f64) (drifts: [m][d][u]f64) (starts: [m][u]f64)
    (deterministic: [m][k]f64) (discounts: [m][f]f64)
    (bridge_dates: [3][d]i32) (bridge_weights: [3][d]f64): [m]f64 =
  in_f64.main contract n directions factors volatilities drifts starts deterministic discounts
             bridge_dates bridge_weights

-- | The same in single precision.
entry main_f32 [s] [b] [m] [d] [u] [k] [f]
    (contract: i32) (n: i32) (directions: [s][b]i32)
    (factors: [m][u][u]f32) (volatilities: [m][d][u]f32) (drifts: [m][d][u]f32) (starts: [m][u]f32)
    (deterministic: [m][k]f32) (discounts: [m][f]f32)
    (bridge_dates: [3][d]i32) (bridge_weights: [3][d]f32): [m]f32 =
  in_f32.main contract n directions factors volatilities drifts starts deterministic discounts
             bridge_dates bridge_weights

-- | The same as `main`, each point from the bits of its index.
entry by_index [s] [b] [m] [d] [u] [k] [f]
    (contract: i32) (n: i32) (directions: [s][b]i32)
    (factors: [m][u][u]f64) (volatilities: [m][d][u]f64) (drifts: [m][d][u]f64) (starts: [m][u]f64)
    (deterministic: [m][k]f64) (discounts: [m][f]f64)
    (bridge_dates: [3][d]i32) (bridge_weights: [3][d]f64): [m]f64 =
  in_f64_by_index.main contract n directions factors volatilities drifts starts deterministic discounts
                       bridge_dates bridge_weights

-- | The same as `main`, each point from the previous one.
entry by_recurrence [s] [b] [m] [d] [u] [k] [f]
    (contract: i32) (n: i32) (directions: [s][b]i32)
    (factors: [m][u][u]f64) (volatilities: [m][d][u]f64) (drifts: [m][d][u]f64) (starts: [m][u]f64)
    (deterministic: [m][k]f64) (discounts: [m][f]f64)
    (bridge_dates: [3][d]i32) (bridge_weights: [3][d]f64): [m]f64 =
  in_f64_by_recurrence.main contract n directions factors volatilities drifts starts deterministic discounts
                            bridge_dates bridge_weights
