-- | Calls in a local-volatility model, priced by Crank-Nicolson in two dimensions.
--
-- The price f(x, y, t) of a call on an asset x whose log-volatility y is stochastic obeys
--
--   df/dt + vx/2 d2f/dx2 + nu^2/2 d2f/dy2 = 0,   vx = exp (2 (beta ln x + y - nu^2 t / 2)),
--
-- and is max(x - strike, 0) at the end. It is followed backwards in time on a grid; each step splits
-- the directions (Douglas) and solves one tridiagonal system for every line of the grid. The
-- result holds the prices today for the strikes 0.001 q.
-- ==
-- entry: main
-- input { 4 8 12 10 0.03 5.0 0.2 0.6 0.5 }
-- output { [0.03, 0.029, 0.028, 0.027] }
-- input { 4 8 12 0 0.03 5.0 0.2 0.6 0.5 }
-- error: Assertion is false: .nt >= 1
-- input { 4 8 12 10 0.03 -5.0 0.2 0.6 0.5 }
-- error: Assertion is false: .is_positive s0
-- input { 4 8 12 10 0.03 5.0 0.2 0.0 0.5 }
-- error: Assertion is false: .is_positive alpha
-- input { 4 8 12 10 0.03 5.0 0.02 0.6 0.5 }
-- error: Assertion is false: .x0 < nx
-- input { 4 8 12 10 0.03 5.0 0.2 0.6 f64.nan }
-- error: Assertion is false: ...abs f
-- input { 8 32 32 16 0.03 5.0 0.2 0.6 0.5 }
-- output { [0.030000000000000065, 0.029000000000000085, 0.02800000000000009, 0.02700000000000008,
--           0.026000000000000082, 0.02510786564051073, 0.024800356352795254, 0.02449284706507977] }

-- ==
-- entry: main by_scans main_f32 by_scans_f32
-- input { 2 32 12 10 0.03 4.0 0.2 0.6 0.0 }
-- output { [0.03, 0.029] }

-- ==
-- entry: by_scans main_f32 by_scans_f32
-- input { 8 32 32 16 0.03 5.0 0.2 0.6 0.5 }
-- output { [0.030000000000000065, 0.029000000000000085, 0.02800000000000009, 0.02700000000000008,
--           0.026000000000000082, 0.02510786564051073, 0.024800356352795254, 0.02449284706507977] }

-- | A solver of tridiagonal systems. A matrix is an array of rows: the coefficients left of the
-- diagonal, on it, and right of it. The left one of the first row and the right one of the last
-- row are zero.
module type solver = {
  type real
  val solve [n]: [n](real, real, real) -> [n]real -> [n]real
}

-- | Elimination and back substitution. There is one division per row, and each depends on the previous one.
module elimination (R: real): solver with real = R.t = {
  type real = R.t

  def solve [n] (matrix: [n](real, real, real)) (right: [n]real): [n]real =
    let (lower, diagonal, upper) = unzip3 matrix
    let first = R.recip diagonal[0]
    let (_, inverses, _, rest) =
      loop (inverse, inverses, remaining, rest) = (first, replicate n first, right[0], copy right) for k < n - 1 do
        let i = k + 1
        let factor = lower[i] R.* inverse
        let inverse = R.(recip (diagonal[i] - factor * upper[k]))
        let remaining = R.(right[i] - factor * remaining)
        in (inverse, inverses with [i] = inverse, remaining, rest with [i] = remaining)
    let last = rest[n - 1] R.* inverses[n - 1]
    let (_, solution) =
      loop (unknown, solution) = (last, replicate n last) for k < n - 1 do
        let i = n - 2 - k
        let unknown = R.((rest[i] - upper[i] * unknown) * inverses[i])
        in (unknown, solution with [i] = unknown)
    in solution
}

-- | Three scans: of the pivots, which are a recurrence of fractions, of the right-hand sides forwards, and of
-- the unknowns backwards.
module three_scans (R: real): solver with real = R.t = {
  type real = R.t

  -- | The numbers z_0 = add_0, z_i = add_i + factor_i z_(i-1), where factor_0 = 0: a scan, since the
  -- composition of two affine functions is affine.
  def recurrence [n] (steps: [n](real, real)): [n]real =
    let compose (add: real, factor: real) (next_add: real, next_factor: real) =
      R.((next_add + next_factor * add, next_factor * factor))
    in map (.0) (scan compose (R.i64 0, R.i64 1) steps)

  -- | The product of two matrices of 2 rows, divided by its largest element, since only ratios matter.
  def multiply (a: real, b: real, c: real, d: real) (p: real, q: real, r: real, s: real): (real, real, real, real) =
    R.(let (a', b', c', d') = (p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d)
       let largest = max (max (abs a') (abs b')) (max (abs c') (abs d'))
       in (a' / largest, b' / largest, c' / largest, d' / largest))

  def solve [n] (matrix: [n](real, real, real)) (right: [n]real): [n]real =
    let (lower, diagonal, upper) = unzip3 matrix
    let (zero, one) = (R.i64 0, R.i64 1)
    -- pivot_i = diagonal_i - lower_i upper_(i-1) / pivot_(i-1) is the image of pivot_0 under a
    -- product of matrices
    let fraction (i: i64) =
      if i == 0 then (one, zero, zero, one)
      else let above = upper[i - 1] in (diagonal[i], R.(neg lower[i] * above), one, zero)
    let pivot (a: real, b: real, c: real, d: real): real = R.((a * diagonal[0] + b) / (c * diagonal[0] + d))
    let pivots = map pivot (scan multiply (one, zero, zero, one) (map fraction (iota n)))
    let down (i: i64) = if i == 0 then (right[0], zero) else (right[i], R.neg lower[i] R./ pivots[i - 1])
    let rest = recurrence (map down (iota n))
    let up (i: i64) =
      (rest[i] R./ pivots[i], if i == n - 1 then zero else R.(neg upper[i] / pivots[i]))
    in reverse (recurrence (reverse (map up (iota n))))
}

-- | The calibration in any precision, with any solver.
module calibration (R: real) (S: solver with real = R.t) = {
  type real = R.t

  -- | The product of a matrix whose first and last rows are zero with a vector.
  def multiply [n] (matrix: [n](real, real, real)) (f: [n]real): [n]real =
    let row (i: i64) (lower: real, diagonal: real, upper: real) =
      if i == 0 || i == n - 1
      then R.i64 0
      else let (before, after) = (f[i - 1], f[i + 1])
           in R.(lower * before + diagonal * f[i] + upper * after)
    in map2 row (iota n) matrix

  -- | The second derivative on a grid, zero at both ends.
  def second_difference [n] (grid: [n]real): [n](real, real, real) =
    let row (i: i64) =
      if i == 0 || i == n - 1
      then (R.i64 0, R.i64 0, R.i64 0)
      else let left = grid[i] R.- grid[i - 1]
           let right = grid[i + 1] R.- grid[i]
           let lower = R.(i64 2 / (left * (left + right)))
           let upper = R.(i64 2 / (right * (left + right)))
           in (lower, R.(neg (lower + upper)), upper)
    in map row (iota n)

  -- | A row with every coefficient multiplied.
  def scale (factor: real) (lower: real, diagonal: real, upper: real): (real, real, real) =
    R.((factor * lower, factor * diagonal, factor * upper))

  -- | `r - matrix / 2`, the implicit half of a step.
  def implicit [n] (r: real) (matrix: [n](real, real, real)): [n](real, real, real) =
    let half = R.f64 0.5
    in map (\(lower, diagonal, upper) -> R.((neg half * lower, r - half * diagonal, neg half * upper))) matrix

  -- | The prices for `n` strikes on a grid of `nx` by `ny` points and `nt` moments.
  def prices (n: i64) (nx: i64) (ny: i64) (nt: i64)
      (s0: real) (t: real) (alpha: real) (nu: real) (beta: real): [n]real =
    let is_positive (x: real): bool = R.(i64 0 < x && x < inf)
    let (s0, t) = assert (is_positive s0 && is_positive t) (s0, t)
    let (alpha, nu) = assert (is_positive alpha && is_positive nu) (alpha, nu)
    let nt = assert (nt >= 1) nt
    let dx = R.(i64 20 * alpha * s0 * sqrt t / i64 nx)
    let dy = R.(i64 10 * nu * sqrt t / i64 ny)
    let x0 = R.(to_i64 (s0 / dx))
    -- today's asset and volatility lie on the grid
    let x0 = assert (x0 < nx && ny >= 1) x0
    let y0 = ny / 2
    let xs = map (\i -> s0 R.+ R.i64 (i - x0) R.* dx) (iota nx)
    let ys = map (\j -> R.log alpha R.+ R.i64 (j - y0) R.* dy) (iota ny)
    let time (g: i64): real = t R.* R.i64 g R./ R.i64 (nt - 1)

    -- the variance along x is a product of a factor for each of x, y and t; zero if the grid begins at 0
    let variance_of_x = map (\x -> R.(if x > i64 0 then exp (i64 2 * beta * log x) else i64 0)) xs
    let variance_of_y = map (\y -> R.(exp (i64 2 * y))) ys
    let dxx = second_difference xs
    let ay = map (scale (R.(nu * nu / i64 2))) (second_difference ys)

    -- one step back from moment g + 1 to g
    let step (g: i64) (f: [nx][ny]real): [nx][ny]real =
      let r = R.i64 1 R./ (time (g + 1) R.- time g)
      let decay = R.(exp (neg nu * nu * time g) / i64 2)
      let v = map (multiply ay) f
      let along_x (variance: real) (f: [nx]real) (v: [nx]real): [nx]real =
        let ax = map2 (\x -> scale (R.(x * variance * decay))) variance_of_x dxx
        let explicit = map3 (\f df v -> R.(r * f + df / i64 2 + v)) f (multiply ax f) v
        in S.solve (implicit r ax) explicit
      let along_y (u: [ny]real) (v: [ny]real): [ny]real =
        S.solve (implicit r ay) (map2 (\u v -> R.(r * u - v / i64 2)) u v)
      let u = map3 along_x variance_of_y (transpose f) (transpose v)
      in map2 along_y (transpose u) v

    let price (strike: real): real =
      let payoff = map (\x -> replicate ny (R.(max (i64 0) (x - strike)))) xs
      let f = loop f = payoff for k < nt - 1 do step (nt - 2 - k) f
      in assert R.(abs f[x0, y0] < inf) f[x0, y0]
    in map (\q -> price (R.f64 0.001 R.* R.i64 q)) (iota n)

  def main (n: i32) (nx: i32) (ny: i32) (nt: i32)
      (s0: real) (t: real) (alpha: real) (nu: real) (beta: real): []real =
    prices (i64.i32 n) (i64.i32 nx) (i64.i32 ny) (i64.i32 nt) s0 t alpha nu beta
}

module in_f64 = calibration f64 (elimination f64)
module in_f32 = calibration f32 (elimination f32)
module by_scans_in_f64 = calibration f64 (three_scans f64)
module by_scans_in_f32 = calibration f32 (three_scans f32)

entry main
    (n: i32) (nx: i32) (ny: i32) (nt: i32)
    (s0: f64) (t: f64) (alpha: f64) (nu: f64) (beta: f64): []f64 =
  in_f64.main n nx ny nt s0 t alpha nu beta

-- | The same in single precision.
entry main_f32
    (n: i32) (nx: i32) (ny: i32) (nt: i32)
    (s0: f32) (t: f32) (alpha: f32) (nu: f32) (beta: f32): []f32 =
  in_f32.main n nx ny nt s0 t alpha nu beta

-- | As `main`, with the parallel solver.
entry by_scans
    (n: i32) (nx: i32) (ny: i32) (nt: i32)
    (s0: f64) (t: f64) (alpha: f64) (nu: f64) (beta: f64): []f64 =
  by_scans_in_f64.main n nx ny nt s0 t alpha nu beta

-- | The same in single precision.
entry by_scans_f32
    (n: i32) (nx: i32) (ny: i32) (nt: i32)
    (s0: f32) (t: f32) (alpha: f32) (nu: f32) (beta: f32): []f32 =
  by_scans_in_f32.main n nx ny nt s0 t alpha nu beta
