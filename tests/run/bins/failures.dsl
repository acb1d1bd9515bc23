-- Checks in the points of bins, in their lanes, and in rounds that only some points have.

-- ==
-- entry: lanes
-- input { [3i64, 5, 2] [1i64, 4, 9] }
-- error: Index \[9\] out of bounds for array of shape \[2\]
-- input { [3i64, 5, 10] [1i64, 4, 9] }
-- output { [9i64, 39i64, 159i64] }
entry lanes [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let xs = map (* 3) (iota w)
    in i64.sum (map (\i -> xs[if i == 1 then k else i]) (iota w))) ws ks

-- ==
-- entry: rounds
-- input { [3i64, 5, 2] [1i64, 4, 0] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [3i64, 5, 2] [1i64, 3, 0] }
-- output { [18i64, 100i64, 1i64] }
entry rounds [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  let table = [5i64, 6, 7]
  in #[flattening(bins)] map2 (\w t ->
    i64.sum (loop xs = iota w for i < t do map (+ table[i]) xs)) ws ts

-- ==
-- entry: points
-- input { [3i64, 5, 2] [1i64, 4, 2] }
-- error: Index \[2\] out of bounds for array of shape \[2\]
-- input { [3i64, 5, 2] [1i64, 4, 1] }
-- output { [4i64, 20i64, 2i64] }
entry points [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let xs = scan (+) 0 (iota w)
    in xs[k] + i64.maximum xs) ws ks
