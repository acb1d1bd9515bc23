-- Array literals, iota, replicate and concat.
-- ==
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [7i32, 7i32, 7i32] [[1i32, 2i32], [3i32, 4i32]] [0i64, 1i64, 2i64, 0i64, 1i64] 5i64 }
-- input { 0i64 }
-- output { empty([0]i64) empty([0]i32) [[1i32, 2i32], [3i32, 4i32]] [0i64, 1i64] 2i64 }

-- Rows that are known to be empty.
-- ==
-- entry: empty_rows
-- input { 2i64 }
-- output { empty([2][0]i64) empty([2][3][0]i64) }
-- input { 0i64 }
-- output { empty([0][0]i64) empty([0][3][0]i64) }

entry main (n: i64): ([n]i64, [n]i32, [2][2]i32, []i64, i64) =
  let longer = concat (iota n) (iota 2)
  in (iota n, replicate n 7, [[1, 2], [3, 4]], longer, length longer)

entry empty_rows (n: i64): ([n][0]i64, [n][3][0]i64) =
  (replicate n (iota 0), map (\i -> tabulate_2d 3 0 (\j k -> i + j + k)) (iota n))
