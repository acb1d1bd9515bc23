-- Parametric modules over `numeric`, applied to the module of every number type.
-- ==
-- entry: polynomials
-- input { 3 } output { [13i64, 13i64, 13i64, 13i64, 13i64, 13i64, 13i64, 13i64, 13i64, 13i64, 13i64] }
-- entry: ranges
-- input { 2 } output { [true, true, true, true, true, true, true, true, true, true, true] }
-- entry: totals
-- input { [1, 2, 3] } output { [6i64, 6i64, 3i64, 1i64] [6i64, 6i64, 3i64, 1i64] [6i64, 6i64, 3i64, 1i64] }

module polynomial (N: numeric) = {
  def at (x: i32): i64 = N.to_i64 (let y = N.i32 x in y N.* y N.+ y N.+ N.u8 1)
}

module range (N: numeric) = {
  def holds (x: i32): bool =
    let y = N.i32 x
    in y N.< N.highest && y N.> N.lowest && N.min y N.highest N.== y && N.max y N.lowest N.== y
       && N.sgn y N.== N.bool true && N.abs y N.>= y && N.neg (N.i32 1) N.** y N.<= y && y N.!= N.neg y
       && N.(y / y - y % y) N.== N.i64 1
}

module folded (N: numeric) = {
  def of [n] (xs: [n]i32): [4]i64 =
    let ys = map N.i32 xs
    in map N.to_i64 [N.sum ys, N.product ys, N.maximum ys, N.minimum ys]
}

module polynomial_i8 = polynomial i8
module polynomial_i16 = polynomial i16
module polynomial_i32 = polynomial i32
module polynomial_i64 = polynomial i64
module polynomial_u8 = polynomial u8
module polynomial_u16 = polynomial u16
module polynomial_u32 = polynomial u32
module polynomial_u64 = polynomial u64
module polynomial_f16 = polynomial f16
module polynomial_f32 = polynomial f32
module polynomial_f64 = polynomial f64

module range_i8 = range i8
module range_i16 = range i16
module range_i32 = range i32
module range_i64 = range i64
module range_u8 = range u8
module range_u16 = range u16
module range_u32 = range u32
module range_u64 = range u64
module range_f16 = range f16
module range_f32 = range f32
module range_f64 = range f64

module folded_i8 = folded i8
module folded_u32 = folded u32
module folded_f64 = folded f64

entry polynomials (x: i32): []i64 =
  [ polynomial_i8.at x
  , polynomial_i16.at x
  , polynomial_i32.at x
  , polynomial_i64.at x
  , polynomial_u8.at x
  , polynomial_u16.at x
  , polynomial_u32.at x
  , polynomial_u64.at x
  , polynomial_f16.at x
  , polynomial_f32.at x
  , polynomial_f64.at x ]

entry ranges (x: i32): []bool =
  [ range_i8.holds x
  , range_i16.holds x
  , range_i32.holds x
  , range_i64.holds x
  , range_u8.holds x
  , range_u16.holds x
  , range_u32.holds x
  , range_u64.holds x
  , range_f16.holds x
  , range_f32.holds x
  , range_f64.holds x ]

entry totals [n] (xs: [n]i32): ([4]i64, [4]i64, [4]i64) =
  (folded_i8.of xs, folded_u32.of xs, folded_f64.of xs)
