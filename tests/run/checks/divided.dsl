-- Checks that run before an inner map, whose array they guard. The construct around them is divided, so each part must keep
-- the checks that its code needs.

-- ==
-- entry: positive_firsts
-- input { [1i64, 0i64, 2i64] [3i32, -7i32] } output { [6i32, 3i32, 12i32] }
-- input { [1i64] empty([0]i32) } error: Index \[0\] out of bounds
-- input { empty([0]i64) empty([0]i32) } output { empty([0]i32) }
entry positive_firsts (ks: []i64) (xs: []i32): []i32 =
  filter (> 0) (map (\k -> let ys = loop ys = xs for _round < k % 4 do map (\y -> y + y) ys in ys[0]) ks)

-- On a GPU, the sizes of the inner arrays are computed first.
-- ==
-- entry: sums_of_firsts
-- input { [1i64, 0i64, 2i64] [3i64, 7i64] } output { [15i64, 3i64, 67i64] }
-- input { [1i64] empty([0]i64) } error: Index \[0\] out of bounds
entry sums_of_firsts (ks: []i64) (xs: []i64): []i64 =
  map (\k -> let ys = loop ys = xs for _round < k % 4 do map (\y -> y + y) ys
             let zs = scan (+) 0 (iota (ys[0] % 100))
             in last zs + zs[length zs / 9]) ks
