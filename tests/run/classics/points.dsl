-- Much arithmetic for each point: elementary functions, loops of a length that differs from point to point, sums over
-- all other points.

-- The acceleration of each body by the others. The softening keeps the distance of a body to itself from zero.
-- ==
-- entry: n_body
-- input { [0f32, 1f32] [0f32, 0f32] [0f32, 0f32] [0f32, 1000f32] }
-- output { [985.1853f32, 0f32] [0f32, 0f32] [0f32, 0f32] }
entry n_body [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (masses: [n]f32): ([n]f32, [n]f32, [n]f32) =
  let softening = 0.01
  let add (a, b, c) (d, e, f): (f32, f32, f32) = (a + d, b + e, c + f)
  let acceleration x y z =
    let pull x' y' z' mass =
      let (dx, dy, dz) = (x' - x, y' - y, z' - z)
      let square = dx * dx + dy * dy + dz * dz + softening
      let factor = mass / (square * f32.sqrt square)
      in (dx * factor, dy * factor, dz * factor)
    in reduce add (0, 0, 0) (map4 pull xs ys zs masses)
  in unzip3 (map3 acceleration xs ys zs)

-- The number of iterations after which each pixel leaves the circle of radius 2.
-- ==
-- entry: mandelbrot
-- input { 4i64 3i64 50 } output { [[1, 3, 4, 4], [1, 18, 50, 50], [1, 18, 50, 50]] }
entry mandelbrot (width: i64) (height: i64) (limit: i32): [height][width]i32 =
  tabulate_2d height width (\row column ->
    let a = 3 * f64.i64 column / f64.i64 width - 2
    let b = 2 * f64.i64 row / f64.i64 height - 1
    let (_, _, count) =
      loop (x, y, count) = (0, 0, 0) while count < limit && x * x + y * y <= 4 do
        (x * x - y * y + a, 2 * x * y + b, count + 1)
    in count)

-- The most steps that a number below `n` takes to 1, if each step halves it or, if it is odd, triples it and adds one.
-- ==
-- entry: collatz
-- input { 10i64 } output { 19 }
-- input { 1000i64 } output { 178 }
entry collatz (n: i64): i32 =
  let steps (i: i64) =
    let (_, count) =
      loop (x, count) = (i + 1, 0i32) while x != 1 do
        (if x % 2 == 0 then x / 2 else 3 * x + 1, count + 1)
    in count
  in i32.maximum (map steps (iota (n - 1)))

-- Prices of European calls and puts. The normal distribution is a polynomial with an error below 1e-7.
--
-- Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
module black_scholes (R: real) = {
  local def number (x: f64) = R.f64 x
  local def normal (x: R.t): R.t =
    let t = R.(number 1 / (number 1 + number 0.2316419 * abs x))
    let polynomial =
      R.(t * (number 0.319381530
              + t * (number (-0.356563782)
                     + t * (number 1.781477937 + t * (number (-1.821255978) + t * number 1.330274429)))))
    let tail = R.(number 0.39894228040143268 * exp (number (-0.5) * x * x) * polynomial)
    in if R.(x > number 0) then R.(number 1 - tail) else tail
  def prices (rate: R.t) (volatility: R.t) (spot: R.t) (strike: R.t) (years: R.t): (R.t, R.t) =
    let deviation = R.(volatility * sqrt years)
    let d1 = R.((log (spot / strike) + (rate + number 0.5 * volatility * volatility) * years) / deviation)
    let d2 = R.(d1 - deviation)
    let discounted = R.(strike * exp (neg rate * years))
    let (n1, n2) = (normal d1, normal d2)
    let call = R.(spot * n1 - discounted * n2)
    in (call, R.(call + discounted - spot))
}

module in_f32 = black_scholes f32
module in_f64 = black_scholes f64

-- ==
-- entry: black_scholes_f32
-- input { [100f32] [100f32] [1f32] } output { [9.307073f32] [7.3269415f32] }
entry black_scholes_f32 [n] (spots: [n]f32) (strikes: [n]f32) (years: [n]f32): ([n]f32, [n]f32) =
  unzip (map3 (in_f32.prices 0.02 0.21) spots strikes years)

-- ==
-- entry: black_scholes_f64
-- input { [100f64] [100f64] [1f64] } output { [9.30707374184447f64] [7.326941072519986f64] }
entry black_scholes_f64 [n] (spots: [n]f64) (strikes: [n]f64) (years: [n]f64): ([n]f64, [n]f64) =
  unzip (map3 (in_f64.prices 0.02 0.21) spots strikes years)

-- Rounds of Lloyd's algorithm: each centre becomes the mean of the points that are nearest to it.
-- ==
-- entry: k_means
-- input { [[0f32, 0f32], [2f32, 0f32], [10f32, 10f32]] [[0f32, 1f32], [9f32, 9f32]] 2 }
-- output { [[1f32, 0f32], [10f32, 10f32]] }
entry k_means [n] [k] [d] (points: [n][d]f32) (centres: [k][d]f32) (rounds: i32): [k][d]f32 =
  loop centres for _round < rounds do
    let nearest (point: [d]f32): i64 =
      let (best, _) =
        loop (best, least) = (0, f32.inf) for c < k do
          let distance = f32.sum (map2 (\x y -> (x - y) * (x - y)) point centres[c])
          in if distance < least then (c, distance) else (best, least)
      in best
    let bins = map nearest points
    let counts = hist (+) 0 k bins (replicate n 1)
    let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) bins points
    in map2 (\sum count -> map (/ f32.i32 (i32.max 1 count)) sum) sums counts

-- The least assignment of twelve variables that satisfies each formula; 4096 if none does. A formula has a row of clauses. The bits of
-- two numbers are the variables that satisfy a clause if they are true, and those that satisfy it if they are false.
-- ==
-- entry: satisfy
-- input { [[1u32, 2u32], [1u32, 0u32]] [[0u32, 0u32], [0u32, 1u32]] } output { [3u32, 4096u32] }
-- input { empty([2][0]u32) empty([2][0]u32) } output { [0u32, 0u32] }
entry satisfy [n] [m] (trues: [n][m]u32) (falses: [n][m]u32): [n]u32 =
  let holds (trues: [m]u32) (falses: [m]u32) (assigned: u32): bool =
    let (_, holds) =
      loop (clause, holds) = (0, true) while holds && clause < m do
        (clause + 1, (trues[clause] & assigned) | (falses[clause] & !assigned) != 0)
    in holds
  in map2 (\trues falses -> loop assigned = 0 while assigned < 4096 && !(holds trues falses assigned) do assigned + 1)
          trues falses
