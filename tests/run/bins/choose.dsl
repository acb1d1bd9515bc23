-- Nests without an attribute: their sizes choose between bins and one point a thread. The file `choose.dsl.tuning` sets the limits to 8
-- threads, a cost of 3, and work of 6 elements and rounds, so that small data are below and above them.

-- ==
-- entry: chosen
-- input { [4i64, 2] [3i64, 2] }
-- output { [2103i64, 31i64] [3i64, 2i64] }
-- input { [3i64, 3] [3i64, 2] }
-- output { [681i64, 115i64] [3i64, 2i64] }
-- input { [4i64, 4, 4] [3i64, 2, 9] }
-- output { [2103i64, 302i64, 1815i64] [3i64, 2i64, 9i64] }
-- input { [1i64, 1, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1] [1i64, 2, 3, 4, 5, 6, 7, 0, 3, 1, 2, 3] }
-- output { [1i64, 5i64, 15i64, 43i64, 2111i64, 489i64, 858i64, 0i64, 15i64, 1i64, 5i64, 15i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 0i64, 3i64, 1i64, 2i64, 3i64] }
-- input { [5i64, 2] [1i64, 1] }
-- output { [81i64, 6i64] [1i64, 1i64] }
-- input { [600i64, 4] [3i64, 3] }
-- output { [301647i64, 2103i64] [3i64, 3i64] }
-- input { [600i64, 2] [3i64, 3] }
-- output { [301647i64, 148i64] [3i64, 3i64] }
-- input { [600i64, 700] [1i64, 2] }
-- output { [299237i64, 349792i64] [1i64, 2i64] }
-- input { [4i64, 0] [3i64, -2] }
-- output { [2103i64, 4i64] [3i64, -2i64] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) }
entry chosen [n] (ws: [n]i64) (ts: [n]i64): [n](i64, i64) =
  map2 (\w t ->
    let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i) % 1009) xs
    in (i64.sum xs + t * t, t)) ws ts

-- A sum of such points, after another nest.

-- ==
-- entry: total
-- input { [4i64, 2] [3i64, 2] 1i64 }
-- output { 3801i64 }
-- input { [3i64, 3] [3i64, 2] 1i64 }
-- output { 1833i64 }
-- input { [4i64, 700, 2] [3i64, 2, 1] 0i64 }
-- output { 350853i64 }
entry total [n] (ws: [n]i64) (ts: [n]i64) (c: i64): i64 =
  let value (w: i64) (t: i64) (c: i64) =
    let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i + c) % 1009) xs
    in i64.sum xs
  let firsts = map2 (\w t -> value w t c) ws ts
  in i64.sum (map3 (\w t first -> value w (t + first % 3) 7) ws ts firsts)

-- ==
-- entry: checked
-- input { [4i64, 2] [3i64, 2] }
-- output { [234i64, 51i64] }
-- input { [3i64, 3] [3i64, 2] }
-- output { [234i64, 126i64] }
-- input { [4i64, 2] [3i64, 4] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [3i64, 3] [3i64, 4] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [4i64, -1, 2] [3i64, 4, 4] }
-- error: Range 0\.\.1\.\.<-1 is invalid
entry checked [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  let table = [5i64, 6, 7]
  in map2 (\w t ->
    i64.sum (loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x + s) % 97 + table[i]) xs)) ws ts

-- Numbers of rounds of another type than the widths.

-- ==
-- entry: short
-- input { [4i64, 2] [3i32, 2] }
-- output { [2094i64, 27i64] }
-- input { [3i64, 3] [3i32, 2] }
-- output { [672i64, 111i64] }
entry short [n] (ws: [n]i64) (ts: [n]i32): [n]i64 =
  map2 (\w t ->
    i64.sum (loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i64.i32 i) % 1009) xs)) ws ts
