-- Both sides of a branch sum an array, and its map moves into both sides. Both sides map an array that is summed
-- after the branch, and the sum moves into both sides.
-- ==
-- input { true [1i64, 2i64, 3i64] } output { 18i64 18i64 }
-- input { false [1i64, 2i64, 3i64] } output { 162i64 9i64 }

entry main [n] (c: bool) (xs: [n]i64): (i64, i64) =
  let ys = map (* 3) xs
  let zs = if c then map (* 3) xs else filter (< 4) (map (+ 1) xs)
  in (if c then i64.sum ys else i64.product ys, i64.sum zs + (if c then 0 else 4))
