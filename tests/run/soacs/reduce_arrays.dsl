-- Reductions of arrays, in parts of the points: in order, beginning with the neutral element, and
-- fused with other constructs.
-- ==
-- entry: sums
-- input { 0i64 3i64 }
-- output { [0i64, 0i64, 0i64] }
-- input { 1i64 3i64 }
-- output { [0i64, 1i64, 2i64] }
-- input { 31i64 2i64 }
-- output { [465i64, 496i64] }
-- input { 1000i64 3i64 }
-- output { [499500i64, 500500i64, 501500i64] }
-- input { 1000i64 0i64 }
-- output { empty([0]i64) }

-- ==
-- entry: products
-- input { 0i64 }
-- output { [[1u32, 0u32], [0u32, 1u32]] }
-- input { 3i64 }
-- output { [[11u32, 7u32], [7u32, 4u32]] }
-- input { 40i64 }
-- output { [[769226316u32, 3231606498u32], [1745925802u32, 263118215u32]] }
-- input { 1000i64 }
-- output { [[2880568246u32, 1616192484u32], [1409776845u32, 4109696894u32]] }

-- ==
-- entry: beside
-- input { [3i32, 1i32, 4i32, 1i32, 5i32, 9i32, 2i32, 6i32, 5i32, 3i32, 5i32, 8i32, 9i32, 7i32, 9i32, 3i32, 2i32, 3i32, 8i32,
--          4i32, 6i32, 2i32, 6i32, 4i32, 3i32, 3i32, 8i32, 3i32, 2i32, 7i32, 9i32, 5i32, 0i32, 2i32, 8i32, 8i32, 4i32, 1i32,
--          9i32, 7i32, 1i32, 6i32, 9i32, 3i32, 9i32, 9i32, 3i32, 7i32, 5i32, 1i32] }
-- output { [247i32, 494i32] 9i32 [9i32, 3i32, 12i32] }

-- ==
-- entry: failing
-- input { 1000i64 1000i64 }
-- output { [499500i64, 1000i64] }
-- input { 1000i64 700i64 }
-- error: Index \[700\] out of bounds

entry sums (n: i64) (m: i64): [m]i64 =
  reduce (map2 (+)) (replicate m 0) (map (\i -> map (\j -> i + j) (iota m)) (iota n))

-- | A product of matrices, which does not commute.
entry products (n: i64): [2][2]u32 =
  let times (a: [2][2]u32) (b: [2][2]u32): [2][2]u32 =
    map (\row -> map (\column -> u32.sum (map2 (*) row column)) (transpose b)) a
  let factor (i: i64): [2][2]u32 = [[u32.i64 (i % 7) + 1, 1], [1, u32.i64 (i % 3)]]
  in reduce times [[1, 0], [0, 1]] (map factor (iota n))

-- | A sum of arrays, a maximum, and a map, in one traversal.
entry beside [n] (xs: [n]i32): ([2]i32, i32, [3]i32) =
  let rows = map (\x -> [x, 2 * x]) xs
  let thrice = map (* 3) xs
  in (reduce (map2 (+)) [0, 0] rows, i32.maximum xs, take 3 thrice)

-- | Of several points that fail, the first one is reported.
entry failing (n: i64) (m: i64): [2]i64 =
  let table = iota m
  in reduce (map2 (+)) [0, 0] (map (\i -> [table[i], 1]) (iota n))
