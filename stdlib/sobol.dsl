-- | Sobol sequences: quasi-random points that fill the unit cube evenly.
--
-- The points by the independent and the recurrent formula: Bratley and Fox, Algorithm 659:
-- Implementing Sobol's Quasirandom Sequence Generator, ACM TOMS 14(1), 1988. The parametric module:
-- Elsman, Henriksen and others, in the proceedings of FHPC'18.
--
-- Points are counted from 0, the origin.

-- | The data from which the direction numbers of each dimension are computed.
module type sobol_directions = {
  -- | The number of dimensions.
  val dimensions: i64
  -- | The primitive polynomial of each dimension, its coefficients as bits, both ends included; 1
  -- for the first dimension, which has none.
  val polynomials: [dimensions]u32
  -- | The number of all initial numbers.
  val words: i64
  -- | The odd initial numbers of each dimension, as many as the degree of its polynomial, one
  -- dimension after the other.
  val initial: [words]u32
}

-- | A Sobol sequence.
module type sobol = {
  -- | The number of dimensions.
  val D: i64
  -- | 2^32, by which the coordinates of `independent` and `recurrent` are divided to lie in the unit cube.
  val norm: f64
  -- | The direction numbers of each dimension. A point combines the numbers `t` for which bit `t` of the Gray
  -- code of its index is set.
  val directions: [D][32]u32
  -- | A point by its index, which is below 2^32, as multiples of 2^-32.
  val independent: (i: i64) -> [D]u32
  -- | The point that follows the point of index `i`.
  val recurrent: (i: i64) -> (point: [D]u32) -> [D]u32
  -- | The points `first`, `first + 1`, … : the first by the independent formula, the others by
  -- the recurrent one.
  val chunk: (first: i64) -> (n: i64) -> [n][D]u32
  -- | A point in the unit cube.
  val unit: (point: [D]u32) -> [D]f64
  -- | The first `n` points.
  val sobol: (n: i64) -> [n][D]f64
}

-- | The sequence of `X.D` dimensions.
module Sobol (T: sobol_directions) (X: { val D: i64 }): sobol = {
  def D = X.D
  def norm = 4294967296f64

  -- With the polynomial z^s + a_1 z^(s-1) + … + 1, number m_i for i > s is the exclusive or of
  -- m_(i-s), 2^s m_(i-s), and 2^r m_(i-r) for all r < s with a_r = 1.
  local def numbers (polynomial: u32) (begin: i64): [32]u32 =
    let degree = i64.i32 (31 - u32.clz polynomial)
    let ms =
      loop ms = replicate 32 1 for i < 32 do
        if degree == 0 then ms
        else if i < degree then ms with [i] = T.initial[begin + i]
        else let oldest = ms[i - degree]
             let m =
               loop m = oldest ^ (oldest << u32.i64 degree) for k < degree - 1 do
                 let r = k + 1
                 let selected = (polynomial >> u32.i64 (degree - r)) & 1 == 1
                 in if selected then m ^ (ms[i - r] << u32.i64 r) else m
             in ms with [i] = m
    in map2 (\m t -> m << (31 - u32.i64 t)) ms (iota 32)

  def directions: [D][32]u32 =
    let degree polynomial = i64.i32 (31 - u32.clz polynomial)
    let polynomials = take D (assert (0 <= D && D <= T.dimensions) T.polynomials)
    in map2 numbers polynomials (exscan (+) 0 (map degree polynomials))

  def independent (i: i64): [D]u32 =
    let gray = i ^ (i >> 1)
    let select t direction = if (gray >> t) & 1 == 1 then direction else 0
    in map (\numbers -> reduce (^) 0 (map2 select (iota 32) numbers)) directions

  -- The Gray codes of neighbours differ in the bit where the smaller index has its lowest zero.
  local def step (i: i64): [D]u32 = map (\numbers -> numbers[i64.i32 (i64.ctz (i64.not i))]) directions

  def recurrent (i: i64) (point: [D]u32): [D]u32 = map2 (^) point (step i)

  def chunk (first: i64) (n: i64): [n][D]u32 =
    let contribution k = if k == 0 then independent first else step (first + k - 1)
    in scan (map2 (^)) (replicate D 0) (map contribution (iota n))

  def unit (point: [D]u32): [D]f64 = map (\x -> f64.u32 x / norm) point

  def sobol (n: i64): [n][D]f64 = map (\i -> unit (independent i)) (iota n)
}
