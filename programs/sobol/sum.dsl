-- | The sum of the first n numbers of the one-dimensional Sobol sequence.
--
-- Every number is a multiple of 2^-32, so the multiples are added: exactly, in any order. The
-- mean of the first n numbers tends to 1/2.
-- ==
-- entry: main
-- input { 1000 }
-- output { 499.7265625 }
-- input { 100000 }
-- output { 49999.330322265625 }
-- input { 0 }
-- output { 0.0 }

-- ==
-- entry: main_f32
-- input { 100000 }
-- output { 49999.33f32 }

import "sobol"

-- | The line: the first dimension has no polynomial.
module line_directions: sobol_directions = {
  def dimensions = 1i64
  def polynomials = [1] :> [dimensions]u32
  def words = 0i64
  def initial = [] :> [words]u32
}

module line = Sobol line_directions { def D = 1i64 }

-- | The sum as a multiple of 2^-32.
def multiples (n: i32): i64 =
  i64.sum (map (\i -> i64.u32 (line.independent i :> [1]u32)[0]) (iota (i64.i32 n)))

entry main (n: i32): f64 = f64.i64 (multiples n) / line.norm

-- | Rounded to single precision, once.
entry main_f32 (n: i32): f32 = f32.f64 (f64.i64 (multiples n) / line.norm)
