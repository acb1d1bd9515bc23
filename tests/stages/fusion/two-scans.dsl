-- Running maximum and minimum of the mapped elements of a chunk. Only the last values are used, so a chunk is
-- one loop.
-- ==
-- input { [1i64, -2i64, 5i64, 3i64] }
-- output { 15i64 -6i64 }

def chunk (k: i64) (ys: [k]i64): (i64, i64) =
  let zs = map (* 3) ys
  in (i64.maximum (scan i64.max i64.lowest zs), i64.minimum (scan i64.min i64.highest zs))

entry main [n] (xs: [n]i64): (i64, i64) =
  stream_red (\(a, b) (c, d) -> (i64.max a c, i64.min b d)) (\k (ys: [k]i64) -> chunk k ys) xs
