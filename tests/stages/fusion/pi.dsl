-- Pi by Sobol points, each computed by the independent formula. The points are counted without being stored.
-- ==
-- input { 1000 } output { 3.144 }

-- | Direction numbers of the first dimension: bit t of the index selects 2^(31-t).
def directions_x: [32]u32 =
  map (\t -> 1 << (31 - u32.i64 t)) (iota 32)

-- | Direction numbers of the second dimension, whose primitive polynomial is z + 1: m_1 = 1 and
-- m_(i+1) = m_i xor 2 m_i; bit t selects m_(t+1) 2^(31-t).
def directions_y: [32]u32 =
  let step (m: u32) = m ^ (m << 1)
  let number (t: i64) = (loop m = 1 for _i < t do step m) << (31 - u32.i64 t)
  in map number (iota 32)

-- | Point i of one dimension, as a multiple of 2^-32.
def sobol (directions: [32]u32) (i: u32): u32 =
  let gray = i ^ (i >> 1)
  let choose (t: i64) (direction: u32) = if (gray >> u32.i64 t) & 1 == 1 then direction else 0
  in reduce (^) 0 (map2 choose (iota 32) directions)

def unit (x: u32): f64 = f64.u32 x / 4294967296

def in_circle (i: i64): bool =
  let x = unit (sobol directions_x (u32.i64 i))
  let y = unit (sobol directions_y (u32.i64 i))
  in x * x + y * y < 1

entry main (n: i32): f64 =
  let hits = reduce (+) 0 (map (\i -> i64.bool (in_circle i)) (iota (i64.i32 n)))
  in 4 * f64.i64 hits / f64.i32 n
