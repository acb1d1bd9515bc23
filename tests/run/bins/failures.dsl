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

-- Points of several bins fail, or of one bin: the first one in the source is reported, whatever their order in the bins and the order of
-- their checks. A point of more than 512 lanes has no bin, and one of a negative width no array.

-- ==
-- entry: in_order by_height by_width
-- input { [5i64, 6, 7] [3i64, 5, 2, 4] [2i64, 3, 1, 3] [2i64, 4, 1, 3] }
-- output { [169i64, 296i64, 20i64, 234i64] }
-- input { [5i64, 6, 7] [3i64, 5, 2, 4] [2i64, 3, 4, 9] [2i64, 11, 1, 3] }
-- error: Index \[11\] out of bounds for array of shape \[5\]
-- input { [5i64, 6, 7] [3i64, 5, 2, 4] [2i64, 4, 4, 9] [2i64, 11, 1, 3] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [5i64, 6, 7] [400i64, 500, 450, 4] [2i64, 3, 1, 4] [2i64, 1234, 700, 3] }
-- error: Index \[1234\] out of bounds for array of shape \[500\]
-- input { [5i64, 6, 7] [400i64, 500, 450, 4] [2i64, 1, 3, 4] [2i64, 3, 700, 3] }
-- error: Index \[700\] out of bounds for array of shape \[450\]
-- input { [5i64, 6, 7] [400i64, 500, 600, 7] [2i64, 3, 1, 4] [2i64, 12, 700, 3] }
-- error: Index \[700\] out of bounds for array of shape \[600\]
-- input { [5i64, 6, 7] [400i64, 500, 600, 7] [2i64, 3, 1, 3] [2i64, 777, 700, 3] }
-- error: Index \[777\] out of bounds for array of shape \[500\]
-- input { [5i64, 6, 7] [400i64, 50, -4, 7] [2i64, 3, 1, 4] [2i64, 8, 1, 3] }
-- error: Range 0\.\.1\.\.<-4 is invalid
def value [k] (table: [k]i64) (w: i64) (t: i64) (at: i64): i64 =
  let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x + s + table[i]) % 101) xs
  in xs[at] + i64.sum xs

entry in_order [n] [k] (table: [k]i64) (ws: [n]i64) (ts: [n]i64) (ats: [n]i64): [n]i64 =
  #[flattening(bins)] map3 (value table) ws ts ats

entry by_height [n] [k] (table: [k]i64) (ws: [n]i64) (ts: [n]i64) (ats: [n]i64): [n]i64 =
  #[flattening(bins, by_height)] map3 (value table) ws ts ats

entry by_width [n] [k] (table: [k]i64) (ws: [n]i64) (ts: [n]i64) (ats: [n]i64): [n]i64 =
  #[flattening(bins, by_width)] map3 (value table) ws ts ats
