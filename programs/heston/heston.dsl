-- | Calibration of the Heston model: the parameters under which the prices of European calls agree
-- best with quoted ones, in the sense of least squares.
--
-- The variance of the asset starts at v0, reverts to theta at the rate kappa, has the volatility
-- eta, and moves with the correlation rho to the asset. Calls come from the characteristic function
-- of the model by Gauss-Laguerre quadrature; the minimum is sought by differential evolution.
-- ==
-- entry: calls
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 0.1 [0.6, 0.8, 0.95, 1.0, 1.05, 1.2, 1.6] }
-- output { [0.4, 0.20010436242127433, 0.05880581606099016, 0.025044169809317295,
--           0.0065105633991802735, 5.6744195747112175e-06, 2.8313462666090915e-06] }
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 0.0 [0.6, 1.0, 1.6] }
-- output { [0.4, 0.0, 0.0] }
-- input { [0.04, 0.06, 0.9, 0.45, 0.5] 1.0 [0.9, 1.0, 1.1] }
-- output { [0.1148713, 0.0736868, 0.0526081] }
-- input { [0.04, 0.06, 0.9, 0.4500001, 0.5] 1.0 [0.9, 1.0, 1.1] }
-- output { [0.1148713, 0.0736868, 0.0526081] }
-- input { [f64.nan, 0.06, -0.6, 1.5, 0.5] 1.0 [0.9] }
-- output { [f64.nan] }
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] -0.1 [0.6, 1.6] }
-- error: Assertion is false: ...i64 0 <= tau
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 0.1 [0.6, 0.0] }
-- error: Assertion is false: ...i64 0 < strike

-- ==
-- entry: main
-- input { 0 20 40 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 6.635406662418794 0 0.04 0.04 0.01 0.4 -0.5 }
-- input { 0 10 40 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 6.645388715044468 0 0.04 0.04 0.01 0.4 -0.5 }
-- input { 200 20 10 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 0.179133508 200 0.022286025 0.727516056 0.187536483 0.361928980 -0.878432113 }
-- input { 0 15 40 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- error: Assertion is false: .points == 10
-- input { 2000 20 3 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- error: Assertion is false: .members >= 4
-- input { 2000 20 40 20170126 empty([0]i32) empty([0]f64) empty([0]f64) }
-- error: Assertion is false: .q > 0

-- ==
-- entry: main_f32
-- input { 0 20 40 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 6.635407 0 0.04 0.04 0.01 0.4 -0.5 }

-- ==
-- entry: objective
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 0.003994751870094874 }
-- input { [1e-6, 1.0, 0.0, 1e-4, 2.0] 20 20170126 [20170217, 20180126] [0.999, 1.002] [0.2, 0.25] }
-- output { 0.09649411436864928 }
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170125, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- error: Assertion is false: .*today <= date
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180230] [0.9, 1.1] [0.2, 0.25] }
-- error: Assertion is false: .*today <= date
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180126] [0.9, -1.1] [0.2, 0.25] }
-- error: Assertion is false: ...i64 0 < strike
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180126] [f64.nan, 1.1] [0.2, 0.25] }
-- error: Assertion is false: ...i64 0 < strike
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, f64.nan] }
-- error: Assertion is false: ...i64 0 <= volatility
-- input { [0.04, 0.06, -0.6, 1.5, 0.5] 20 20170126 [20170217, 20180126] [0.9, 1.1] [-0.2, 0.25] }
-- error: Assertion is false: ...i64 0 <= volatility

-- ==
-- entry: objective_f32
-- input { [0.5, 0.5, -0.1, 0.001, 1.0] 20 20170126 [20170217, 20180126] [0.9, 1.1] [0.2, 0.25] }
-- output { 0.2299627 }
-- input { [1e-6, 1.0, 0.0, 1e-4, 2.0] 20 20170126 [20170217, 20180126] [0.999, 1.002] [0.2, 0.25] }
-- output { 0.09649411 }

-- ==
-- entry: quotes
-- input { 3 2 20170230 0.0 }
-- error: Assertion is false: .is_date today
-- input { 3 0 20170126 0.0 }
-- error: Assertion is false: .distinct > 0
-- input { 3 2 20170126 f64.nan }
-- error: Assertion is false: ...i64 0 <= noise
-- input { 3 2 20170126 0.0 }
-- output { [20170217, 20170217, 20270124] [0.919774, 1.087224, 0.317454] [0.247520, 0.171679, 0.290411] }

import "complex"
module random = import "random"

-- The calendar

-- | The number of a day, such as 20170126, in a count without gaps (Fliegel and Van Flandern, "A
-- machine algorithm for processing calendar dates", CACM, 1968).
def day_number (date: i32): i32 =
  let (year, month, day) = (date / 10000, date / 100 % 100, date % 100)
  let shift = (month - 14) // 12
  in (1461 * (year + 4800 + shift)) // 4 + (367 * (month - 2 - 12 * shift)) // 12
     - (3 * ((year + 4900 + shift) // 100)) // 4 + day - 32075

-- | The date of a day with that number.
def date_of (day_number: i32): i32 =
  let l = day_number + 68569
  let century = 4 * l // 146097
  let l = l - (146097 * century + 3) // 4
  let year = 4000 * (l + 1) // 1461001
  let l = l - 1461 * year // 4 + 31
  let month = 80 * l // 2447
  let day = l - 2447 * month // 80
  let l = month // 11
  in (100 * (century - 49) + year + l) * 10000 + (month + 2 - 12 * l) * 100 + day

def is_date (date: i32): bool = date_of (day_number date) == date

-- | The days from a date to another one, which is not earlier.
def days_until (today: i32) (date: i32): i32 =
  assert (is_date today && is_date date && today <= date) (day_number date - day_number today)

-- | Minimisation of any function of a vector.
module differential_evolution (R: real) = {
  type real = R.t

  -- | Random bits as a number from 0 to 1.
  def uniform (bits: u32): real = R.(u32 bits / i64 4294967296)

  -- | A trial vector to replace member `i` of a population of at least four: coordinates
  -- of a base vector moved by the difference of two members, mixed with those of the member itself.
  def trial [m] [n]
      (lower: [n]real) (upper: [n]real) (population: [m][n]real) (best: [n]real) (weight: real)
      (key: random.key) (i: i64): [n]real =
    let draws = map (random.bits key) (iota (5 + n))
    let below (k: i64) (bound: i64): i64 = (i64.u32 draws[k] * bound) >> 32
    let past (taken: i64) (x: i64): i64 = if x >= taken then x + 1 else x
    -- three distinct distances from i, modulo the size
    let first = 1 + below 0 (m - 1)
    let second = past first (1 + below 1 (m - 2))
    let third = 1 + below 2 (m - 3) |> past (i64.min first second) |> past (i64.max first second)
    let member (distance: i64): [n]real = population[(i + distance) % m]
    let base = if below 3 2 == 0 then best else member first
    let forced = below 4 n
    let coordinate (j: i64): real =
      let moved = R.(base[j] + weight * ((member second)[j] - (member third)[j]))
      let taken = j == forced || uniform draws[5 + j] R.<= R.f64 0.9
      in if taken && R.(lower[j] <= moved) && R.(moved <= upper[j]) then moved else population[i, j]
    in map coordinate (iota n)

  -- | The least value (the first if there are several) and its position.
  def least [m] (values: [m]real): (real, i64) =
    let lesser (x: real, i: i64) (y: real, j: i64) =
      if R.(y < x) || (R.(y == x) && j < i) then (y, j) else (x, i)
    in reduce lesser (R.inf, i64.highest) (zip values (iota m))

  -- | Differential evolution (Storn and Price, 1997) in a box: a vector with a small value of the
  -- objective, the value, and the number of evaluations of the objective. All members of a generation are
  -- evaluated in parallel.
  def minimise [n]
      (objective: [n]real -> real) (lower: [n]real) (upper: [n]real) (members: i64) (evaluations: i32)
      : ([n]real, real, i32) =
    -- every generation has a stream of random numbers, and every member a substream
    let stream (generation: i32): random.key = random.split (random.key 1) (i64.i32 generation)
    let value (x: [n]real): real = let y = objective x in if R.isnan y then R.inf else y
    let member (i: i64): [n]real =
      let key = random.split (stream 0) i
      in map3 (\j low high -> R.(low + (high - low) * uniform (random.bits key j))) (iota n) lower upper
    let population = map member (iota members)
    let values = map value population
    let (population, values, _, evaluated) =
      loop (population, values, generation, evaluated) = (population, values, 1, i32.i64 members)
      while evaluated < evaluations && R.((least values).0 > i64 0) do
        let best = population[(least values).1]
        let key = stream generation
        let weight = R.((i64 1 + uniform (random.bits key 0)) / i64 2)
        let trials =
          map (\i -> trial lower upper population best weight (random.split key i) i) (iota members)
        let (population, values) =
          unzip (map3 (\old old_value new ->
                         let new_value = value new
                         in if R.(new_value < old_value) then (new, new_value) else (old, old_value))
                      population values trials)
        in (population, values, generation + 1, evaluated + i32.i64 members)
    let (smallest, i) = least values
    in (population[i], smallest, evaluated)
}

-- | Nodes and weights of Gauss-Laguerre quadrature, each weight multiplied by `exp node`.
def laguerre_10: [10](f64, f64) =
  [(0.13779347054049243, 0.3540097386069963), (0.72945454950317046, 0.83190230104358076),
   (1.8083429017403161, 1.3302885617493281), (3.4014336978548996, 1.8630639031111309),
   (5.5524961400638038, 2.4502555580830103), (8.3301527467644974, 3.1227641551351826),
   (11.843785837900066, 3.9341526955615209), (16.279257831378104, 4.9924148721930228),
   (21.996585811980761, 6.572202485130803), (29.920697012273891, 9.7846958403746314)]

def laguerre_20: [20](f64, f64) =
  [(0.070539889691988752, 0.18108006241898925), (0.37212681800161146, 0.422556767878564),
   (0.91658210248327354, 0.6669095467018481), (1.707306531028344, 0.91535237278307369),
   (2.7491992553094322, 1.169539707195546), (4.0489253138508872, 1.431354985928206),
   (5.6151749708616165, 1.7029811379850228), (7.4590174536710636, 1.9870158907927473),
   (9.5943928695810961, 2.2866357812534308), (12.038802546964316, 2.6058347275538334),
   (14.81429344263074, 2.949783734213951), (17.948895520519375, 3.3253957820093194),
   (21.478788240285009, 3.7422554705898108), (25.451702793186904, 4.2142367102518801),
   (29.932554631700611, 4.7625184614902096), (35.013434240479, 5.4217260442455739),
   (40.83305705672857, 6.2540123569324209), (47.619994047346502, 7.3873143890544348),
   (55.810795750063896, 9.1513287309874798), (66.524416525615749, 12.893388645939996)]

-- | The calibration in any precision.
module heston (R: float) = {
  type real = R.t
  module C = mk_complex R
  module search = differential_evolution R

  -- | v0, theta, rho, kappa, eta.
  type parameters = (real, real, real, real, real)

  def in_years (days: i32): real = R.i64 (i64.i32 days) R./ R.i64 365

  def nodes (points: i32): [](real, real) =
    map (\(x, weight) -> (R.f64 x, R.f64 weight))
        (assert (points == 10 || points == 20) (if points == 10 then laguerre_10 else laguerre_20))

  -- Black and Scholes, for a forward of 1

  def normal_distribution (x: real): real = R.((i64 1 + erf (x / sqrt (i64 2))) / i64 2)

  -- | The distance of the forward from the strike in deviations, and the deviation of the log-price.
  def moneyness (log_strike: real) (deviation: real): (real, real) =
    R.(let d1 = deviation / i64 2 - log_strike / deviation in (d1, d1 - deviation))

  def black_scholes_call (strike: real) (log_strike: real) (deviation: real): real =
    R.(let (d1, d2) = moneyness log_strike deviation
       in if deviation == i64 0
          then max (i64 0) (i64 1 - strike)
          else normal_distribution d1 - strike * normal_distribution d2)

  -- | The price for a quoted implied volatility, and the derivative of the price with respect to the
  -- volatility, at least 0.1.
  def market (tau: real) (strike: real) (volatility: real): (real, real) =
    let volatility = assert R.(i64 0 <= volatility && volatility < inf) volatility
    in if R.(tau == i64 0) || R.(volatility <= f64 1e-15)
       then R.((max (i64 0) (i64 1 - strike), f64 0.1))
       else R.(let deviation = volatility * sqrt tau
               let log_strike = log strike
               let (d1, _) = moneyness log_strike deviation
               let vega = sqrt (tau / (i64 2 * pi)) * exp (neg d1 * d1 / i64 2)
               in (black_scholes_call strike log_strike deviation, max (f64 0.1) vega))

  -- The model

  -- | The terms of a node of the quadrature that do not depend on the maturity and the strike:
  -- the node's weight over z x at the argument z = x - i, and the terms of the characteristic
  -- function at z.
  type node_part = {weight: C.complex, square: C.complex, d: C.complex, below: C.complex, g: C.complex}

  def node_part (_v0: real, _theta: real, rho: real, kappa: real, eta: real) (x: real, weight: real): node_part =
    let scale_by_eta = C.scale R.(eta * eta)
    in C.(let z = mk_re x - i
          let square = z * (i + z)
          let d0 = mk_re kappa - mk_im (rho R.* eta) * z
          let d = sqrt (d0 * d0 + scale_by_eta square)
          -- (d0 - d) / eta^2 without cancellation, also for an eta close to 0
          let below = neg square / (d0 + d)
          in {weight = mk_re weight / scale x z, square, d, below, g = scale_by_eta below / (d0 + d)})

  -- | The characteristic function of the logarithm of the asset at time tau, in the form that
  -- crosses no branch cut.
  def characteristic (v0: real, theta: real, _rho: real, kappa: real, eta: real) (tau: real) (node: node_part): C.complex =
    C.(let e = exp (scale (R.neg tau) node.d)
       let decay = node.g * (one - e) / (one - node.g)
       let drift = scale tau node.below - scale (R.(i64 2 / (eta * eta))) (log1p decay)
       let start = node.below * (one - e) / (one - node.g * e)
       in exp (scale (R.(kappa * theta)) drift + scale v0 start))

  -- | The mean variance until time tau under the measure of the asset. Prices of the Black-Scholes
  -- model with this variance are close, so only the difference is integrated. If the reversion is close to 0, half the
  -- initial drift is accurate enough.
  def control_variance (v0: real, theta: real, rho: real, kappa: real, eta: real) (tau: real): real =
    R.(let reversion = kappa - rho * eta
       let x = reversion * tau
       let mean = kappa * theta / reversion
       -- 1 - exp (-x) without cancellation
       let reverted = tanh (x / i64 2) * (i64 1 + exp (neg x))
       in if abs x < f64 1e-4
          then v0 + (kappa * theta - reversion * v0) * tau / i64 2
          else mean + (v0 - mean) * reverted / x)

  -- | The terms that depend only on the maturity: the control variance, and for each node of the
  -- quadrature the coefficient of the wave of a strike.
  def maturity_parts [p] [m] (nodes: [p](real, real)) (parameters: parameters) (taus: [m]real): [m](real, [p]C.complex) =
    let node_parts = map (node_part parameters) nodes
    let part (tau: real): (real, [p]C.complex) =
      let variance = control_variance parameters tau
      let coefficient (node: node_part): C.complex =
        C.(let black_scholes = exp (scale (R.(neg tau * variance / i64 2)) node.square)
           in node.weight * (black_scholes - characteristic parameters tau node))
      in (variance, map coefficient node_parts)
    in map part taus

  -- | The terms of a call that depend only on the strike: the strike, its logarithm, and for each node
  -- the wave `exp (i x ln strike)`.
  def strike_part [p] (nodes: [p](real, real)) (strike: real): (real, real, [p]C.complex) =
    let log_strike = R.log strike
    in (strike, log_strike, map (\(x, _) -> C.exp (C.mk_im R.(x * log_strike))) nodes)

  -- | The price of a call, clamped to its bounds against rounding. It is NaN if a parameter is NaN or eta is 0.
  def call [p]
      (variance: real, coefficients: [p]C.complex) (tau: real)
      (strike: real, log_strike: real, waves: [p]C.complex): real =
    let real_part (coefficient: C.complex) (wave: C.complex): real = C.(re (coefficient * conj wave))
    let integral = R.sum (map2 real_part coefficients waves)
    let price = R.(integral / pi + black_scholes_call strike log_strike (sqrt (variance * tau)))
    let least = R.(max (i64 0) (i64 1 - strike))
    in R.(if price < least then least else if price > i64 1 then i64 1 else price)

  -- | The strike, which for a forward of 1 is a positive number.
  def checked (strike: real): real = assert R.(i64 0 < strike && strike < inf) strike

  -- | Prices of calls of one maturity.
  def calls [k] (x: [5]real) (tau: real) (strikes: [k]real): [k]real =
    let tau = assert R.(i64 0 <= tau && tau < inf) tau
    let nodes = nodes 20
    let parts = maturity_parts nodes (x[0], x[1], x[2], x[3], x[4]) [tau]
    in map (\strike -> call parts[0] tau (strike_part nodes (checked strike))) strikes

  -- | The weighted sum of squared price errors, as a function of v0, theta, rho, kappa and eta.
  -- Quotes of one maturity are adjacent. Terms of the maturity are computed once for each vector,
  -- and terms of the strike once for all vectors.
  def errors [q]
      (points: i32) (today: i32) (maturities: [q]i32) (strikes: [q]real) (volatilities: [q]real)
      : [5]real -> real =
    let nodes = assert (q > 0) (nodes points)
    let first = map (\i -> i == 0 || maturities[i] != maturities[i - 1]) (iota q)
    let group = map (\count -> count - 1) (scan (+) 0 (map i64.bool first))
    let taus =
      map (\i -> in_years (days_until today maturities[i])) (filter (\i -> first[i]) (iota q))
    let strikes = map checked strikes
    let markets = map3 (\g strike volatility -> market taus[g] strike volatility) group strikes volatilities
    let strike_parts = map (strike_part nodes) strikes
    in \x ->
      let parts = maturity_parts nodes (x[0], x[1], x[2], x[3], x[4]) taus
      let square (g: i64) (strike: (real, real, []C.complex)) (price: real, vega: real): real =
        R.(let error = (call parts[g] taus[g] strike - price) / vega in error * error)
      in R.sum (map3 square group strike_parts markets)

  -- | Root-mean-square error in percent, evaluations, v0, theta, kappa, eta, rho.
  def main [q]
      (max_evaluations: i32) (points: i32) (members: i32) (today: i32)
      (maturities: [q]i32) (strikes: [q]real) (volatilities: [q]real)
      : (real, i32, real, real, real, real, real) =
    let objective = errors points today maturities strikes volatilities
    let (x, _, evaluated) =
      if max_evaluations == 0
      then (map R.f64 [0.04, 0.04, -0.5, 0.01, 0.4], R.i64 0, 0)
      else search.minimise objective (map R.f64 [1e-6, 1e-6, -1, 1e-4, 1e-4]) (map R.f64 [1, 1, 0, 4, 2])
                           (assert (members >= 4) (i64.i32 members)) max_evaluations
    let rmse = R.(i64 100 * sqrt (objective x / i64 q))
    in (rmse, evaluated, x[0], x[1], x[3], x[4], x[2])

  -- Quotes to calibrate against

  -- | The volatility for which a call has this price, by bisection.
  def implied_volatility (tau: real) (strike: real) (price: real): real =
    let log_strike = R.log strike
    let (low, high) =
      loop (low, high) = (R.i64 0, R.i64 5) for _i < 60 do
        R.(let middle = (low + high) / i64 2
           in if black_scholes_call strike log_strike (middle * sqrt tau) < price
              then (middle, high)
              else (low, middle))
    in R.((low + high) / i64 2)

  -- | Maturities, strikes and implied volatilities of `n` calls priced in a known model, with normal
  -- noise on the volatilities. The maturities lie between 22 days and ten years, each a little further
  -- from the one before; the strikes of each spread around the forward, wider the later it is.
  def quotes (n: i64) (distinct: i64) (today: i32) (noise: real): [n](i32, real, real) =
    let first_day = day_number (assert (is_date today) today)
    let noise = assert R.(i64 0 <= noise && noise < inf) noise
    let model = (R.f64 0.045, R.f64 0.07, R.f64 (-0.7), R.f64 1.2, R.f64 0.6)
    let distinct = assert (distinct > 0) distinct
    let growth = 165.9090909090909 ** (1 / f64.i64 (distinct - 1))
    let ahead (i: i64): i32 = i32.f64 (f64.round (22 * growth ** f64.i64 i)) - i32.i64 i
    -- all on different days
    let days = map2 (\i days -> days + i32.i64 i) (iota distinct) (scan i32.max 0 (map ahead (iota distinct)))
    let nodes = nodes 20
    let parts = maturity_parts nodes model (map in_years days)
    let first (group: i64): i64 = (group * n + distinct - 1) / distinct
    let quote (i: i64): (i32, real, real) =
      let group = i * distinct / n
      let (tau, part) = (in_years days[group], parts[group])
      let before = i - first group
      let others = i64.max 1 (first (group + 1) - first group - 1)
      let position = R.(i64 2 * i64 before / i64 others - i64 1)
      let strike = R.(exp (f64 1.6 * position * sqrt (part.0 * tau)))
      let exact = implied_volatility tau strike (call part tau (strike_part nodes strike))
      let normal = R.f64 (random.normal_f64 (random.key 7) i)
      in (date_of (first_day + days[group]), strike, R.(max (f64 0.01) (exact + noise * normal)))
    in map quote (iota n)
}

module in_f64 = heston f64
module in_f32 = heston f32

entry main [q]
    (max_evaluations: i32) (points: i32) (members: i32) (today: i32)
    (maturities: [q]i32) (strikes: [q]f64) (volatilities: [q]f64): (f64, i32, f64, f64, f64, f64, f64) =
  in_f64.main max_evaluations points members today maturities strikes volatilities

-- | The objective at one vector.
entry objective [q]
    (x: [5]f64) (points: i32) (today: i32) (maturities: [q]i32) (strikes: [q]f64) (volatilities: [q]f64): f64 =
  in_f64.errors points today maturities strikes volatilities x

entry main_f32 [q]
    (max_evaluations: i32) (points: i32) (members: i32) (today: i32)
    (maturities: [q]i32) (strikes: [q]f32) (volatilities: [q]f32): (f32, i32, f32, f32, f32, f32, f32) =
  in_f32.main max_evaluations points members today maturities strikes volatilities

-- | The objective at one vector.
entry objective_f32 [q]
    (x: [5]f32) (points: i32) (today: i32) (maturities: [q]i32) (strikes: [q]f32) (volatilities: [q]f32): f32 =
  in_f32.errors points today maturities strikes volatilities x

-- | Prices of calls that expire in tau years.
entry calls [k] (x: [5]f64) (tau: f64) (strikes: [k]f64): [k]f64 = in_f64.calls x tau strikes

-- | Quotes of this many maturities, for a calibration.
entry quotes (n: i32) (distinct: i32) (today: i32) (noise: f64): ([]i32, []f64, []f64) =
  unzip3 (in_f64.quotes (i64.i32 n) (i64.i32 distinct) today noise)
