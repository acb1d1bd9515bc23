-- A program's own module of numbers matches the module types of the prelude.
-- ==
-- input { [4, 5, 6] }
-- output { 77i64 0i64 }

-- | Numbers modulo 7, with the operations of integers.
module modular: numeric = {
  local module whole = i64
  open whole
  local def wrap (x: i64): i64 = whole.(x % i32 7)
  def i32 (x: i32): i64 = wrap (whole.i32 x)
  def (+) (x: i64) (y: i64): i64 = wrap (whole.(x + y))
  def (*) (x: i64) (y: i64): i64 = wrap (whole.(x * y))
  def sum [n] (xs: [n]i64): i64 = reduce (+) (i32 0) xs
}

module squares (N: numeric) = {
  def total [n] (xs: [n]i32): i64 = N.to_i64 (N.sum (map (\x -> N.(i32 x * i32 x)) xs))
}

module in_i16 = squares i16
module in_modular = squares modular

entry main [n] (xs: [n]i32): (i64, i64) = (in_i16.total xs, in_modular.total xs)
