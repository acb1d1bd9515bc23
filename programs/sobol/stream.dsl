-- | Sobol numbers in chunks: the first number of a chunk by the independent formula, every other one
-- from the previous one. The compiler chooses the chunk size, and no number depends on it.
-- ==
-- entry: sum
-- input { 1000 }
-- output { 499.7265625 }
-- input { 100000 }
-- output { 49999.330322265625 }
-- input { 0 }
-- output { 0.0 }

-- ==
-- entry: pi
-- input { 1000 }
-- output { 3.144 }
-- input { 16000 }
-- output { 3.14375 }
-- input { 0 }
-- error: Assertion is false: .n > 0

import "formulas"

-- | The direction numbers of the first dimension: bit t of the index selects 2^(31-t).
def directions_x: [32]u32 =
  map (\t -> 1 << (31 - u32.i64 t)) (iota 32)

-- | The direction numbers of the second dimension, whose primitive polynomial is z + 1: m_1 = 1 and
-- m_(i+1) = m_i xor 2 m_i; bit t selects m_(t+1) 2^(31-t).
def directions_y: [32]u32 =
  let step (m: u32) = m ^ (m << 1)
  let number (t: i64) = (loop m = 1 for _i < t do step m) << (31 - u32.i64 t)
  in map number (iota 32)

-- | The difference of number `first + j` and the previous one; for j = 0, the number itself.
def contribution (directions: [32]u32) (first: u32) (beginning: u32) (j: u32): u32 =
  if j == 0 then beginning else flip_after directions (first + j - 1)

-- | Numbers of one dimension.
def numbers (n: i64): [n]u32 =
  let chunk [k] (is: [k]i64): [k]u32 =
    let first = u32.i64 is[0]
    let beginning = independent directions_x first
    in scan (^) 0 (map (\j -> contribution directions_x first beginning (u32.i64 j)) (iota k))
  in stream_map (\k (is: [k]i64) -> chunk is) (iota n)

-- | Points of two dimensions.
def points (n: i64): [n](u32, u32) =
  let chunk [k] (is: [k]i64): [k](u32, u32) =
    let first = u32.i64 is[0]
    let (x, y) = (independent directions_x first, independent directions_y first)
    let contributions (j: i64) =
      (contribution directions_x first x (u32.i64 j), contribution directions_y first y (u32.i64 j))
    in scan (\(a, b) (c, d) -> (a ^ c, b ^ d)) (0, 0) (map contributions (iota k))
  in stream_map (\k (is: [k]i64) -> chunk is) (iota n)

-- | The sum of the first n numbers of one dimension.
entry sum (n: i32): f64 =
  f64.i64 (i64.sum (map i64.u32 (numbers (i64.i32 n)))) / 4294967296

-- | Pi, from the share of the first n points that lie in the quarter circle.
entry pi (n: i32): f64 =
  let n = assert (n > 0) n
  let unit (x: u32): f64 = f64.u32 x / 4294967296
  let in_circle (x: u32, y: u32): bool = unit x * unit x + unit y * unit y < 1
  in 4 * f64.i64 (i64.sum (map (\point -> i64.bool (in_circle point)) (points (i64.i32 n)))) / f64.i32 n
