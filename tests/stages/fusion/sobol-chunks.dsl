-- The sum of Sobol numbers computed in chunks: the first number of a chunk from its bits, each of the
-- others from the previous one. No number is stored.
-- ==
-- input { 1000i64 }
def independent (i: i64): u32 =
  let gray = u32.i64 (i ^ (i >> 1))
  in loop x = 0 for t < 32 do x | (gray >> u32.i32 t & 1) << (31 - u32.i32 t)

def flip_behind (i: i64): u32 = 1 << (31 - u32.i32 (i64.ctz (!i)))

def chunk [k] (is: [k]i64): [k]u32 =
  let first = is[0]
  let beginning = independent first
  in scan (^) 0 (map (\j -> if j == 0 then beginning else flip_behind (first + j - 1)) (iota k))

entry main (n: i64): i64 =
  iota n
  |> stream_map (\k (is: [k]i64) -> chunk is)
  |> map i64.u32
  |> reduce (+) 0
