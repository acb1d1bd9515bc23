-- | Points of a Sobol sequence in any number of dimensions, as multiples of 2^-32.
--
-- A dimension has a primitive polynomial z^s + a_1 z^(s-1) + ... + a_(s-1) z + 1 over GF(2), given
-- by its degree s and its inner coefficients a_1 ... a_(s-1) as a binary number, and odd initial
-- numbers m_1 ... m_s with m_i < 2^i, padded to one length. The first dimension has degree 0.
-- The result holds the points from index `first` on.
-- ==
-- entry: main
-- input { [0, 1, 2, 3, 3] [0u32, 0u32, 1u32, 1u32, 2u32]
--         [[1u32, 0u32, 0u32], [1u32, 0u32, 0u32], [1u32, 3u32, 0u32], [1u32, 3u32, 1u32], [1u32, 1u32, 1u32]]
--         0 5 }
-- output { [[0u32, 0u32, 0u32, 0u32, 0u32],
--           [2147483648u32, 2147483648u32, 2147483648u32, 2147483648u32, 2147483648u32],
--           [3221225472u32, 1073741824u32, 1073741824u32, 1073741824u32, 3221225472u32],
--           [1073741824u32, 3221225472u32, 3221225472u32, 3221225472u32, 1073741824u32],
--           [1610612736u32, 1610612736u32, 2684354560u32, 3758096384u32, 1610612736u32]] }
-- input { [0, 5] [0u32, 2u32] [[1u32, 0u32, 0u32, 0u32, 0u32], [1u32, 1u32, 5u32, 5u32, 17u32]] 1000 2 }
-- output { [[943718400u32, 3862953984u32], [3091202048u32, 1715470336u32]] }
-- input { [0] [0u32] [[1u32]] -1 2 }
-- error: Assertion is false: .first >= 0

-- ==
-- entry: chunked
-- input { [0, 1, 2, 3, 3] [0u32, 0u32, 1u32, 1u32, 2u32]
--         [[1u32, 0u32, 0u32], [1u32, 0u32, 0u32], [1u32, 3u32, 0u32], [1u32, 3u32, 1u32], [1u32, 1u32, 1u32]]
--         1 4 3 }
-- output { [[2147483648u32, 2147483648u32, 2147483648u32, 2147483648u32, 2147483648u32],
--           [3221225472u32, 1073741824u32, 1073741824u32, 1073741824u32, 3221225472u32],
--           [1073741824u32, 3221225472u32, 3221225472u32, 3221225472u32, 1073741824u32],
--           [1610612736u32, 1610612736u32, 2684354560u32, 3758096384u32, 1610612736u32]] }
-- input { [0] [0u32] [[1u32]] -1 2 1 }
-- error: Assertion is false: .first >= 0
-- input { [0] [0u32] [[1u32]] 1 2 0 }
-- error: Assertion is false: .length > 0

-- ==
-- entry: joe_kuo
-- input { 1i32 0i32 }
-- output { empty([0][1111]u32) }
-- input { -1 2 }
-- error: Assertion is false: .first >= 0

import "formulas"
import "sobol"
import "joe_kuo"

-- | The direction numbers of a dimension: bit t of a Gray code selects m_(t+1) 2^(31-t). From m_s
-- on, m_i = m_(i-s) xor 2^s m_(i-s) xor 2^r m_(i-r) for every r with a_r = 1.
def directions [k] (degree: i32) (coefficients: u32) (initial: [k]u32): [32]u32 =
  let s = i64.i32 degree
  let next (m: [32]u32) (i: i64): u32 =
    let term (r: i64) =
      if u32.get_bit (degree - 1 - i32.i64 r) coefficients == 1
      then m[i - r] << u32.i64 r
      else 0
    in m[i - s] ^ (m[i - s] << u32.i64 s) ^ reduce (^) 0 (map (\r -> term (r + 1)) (iota (s - 1)))
  let start = map (\i -> if i < s then initial[i] else 1) (iota 32)
  let m = if s == 0 then start else loop m = start for i < 32 - s do m with [s + i] = next m (s + i)
  in map2 (\t m -> m << (31 - u32.i64 t)) (iota 32) m

-- | `k` consecutive points of one dimension: the first independently, the others by recurrence,
-- which is a scan of the differences between consecutive points.
def chunk (first: u32) (k: i64) (directions: [32]u32): [k]u32 =
  let contribution (j: i64) =
    if j == 0 then independent directions first else flip_after directions (first + u32.i64 (j - 1))
  in scan (^) 0 (map contribution (iota k))

-- | The index of the first point.
def index (first: i32): i32 = assert (first >= 0) first

-- | Each point by the independent formula.
entry main [d] [k]
    (degrees: [d]i32) (coefficients: [d]u32) (initial: [d][k]u32) (first: i32) (n: i32): [][d]u32 =
  let directions = map3 directions degrees coefficients initial
  let first = u32.i32 (index first)
  let point (i: i64) = map (\dimension -> independent dimension (first + u32.i64 i)) directions
  in map point (iota (i64.i32 n))

-- | The same points in chunks, which need not divide their number.
entry chunked [d] [k]
    (degrees: [d]i32) (coefficients: [d]u32) (initial: [d][k]u32) (first: i32) (n: i32)
    (length: i32): [][d]u32 =
  let directions = map3 directions degrees coefficients initial
  let first = u32.i32 (index first)
  -- no chunk is longer than the number of points
  let length = i64.min (assert (length > 0) (i64.i32 length)) (i64.max 1 (i64.i32 n))
  let chunk_at (c: i64) = transpose (map (chunk (first + u32.i64 (c * length)) length) directions)
  let chunks = map chunk_at (iota ((i64.i32 n + length - 1) / length))
  in take (i64.i32 n) (flatten chunks)

-- | Points of 1111 dimensions, with the library's direction numbers.
module cube = Sobol joe_kuo { def D = 1111i64 }

-- | The same points as `main` gives for these numbers, from index `first` on.
entry joe_kuo (first: i32) (n: i32): [][1111]u32 =
  let first = i64.i32 (index first)
  in map (\i -> cube.independent (first + i) :> [1111]u32) (iota (i64.i32 n))
