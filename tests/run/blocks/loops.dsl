-- Loops whose bound is the same for all threads of a block, but differs between blocks.

-- ==
-- entry: summed
-- input { [[1i32, 2], [3, 4], [5, 6]] [0i64, 1, 3] }
-- output { [[1i32, 2], [10, 11], [148, 149]] }
entry summed [n] [m] (xss: [n][m]i32) (times: [n]i64): [n][m]i32 =
  #[flattening(block)] map2 (\xs t -> loop xs for _i < t do let s = i32.sum xs in map (+ s) xs) xss times

-- Odd-even transposition sort, repeated until the row is sorted.

-- ==
-- entry: sorted
-- input { [[3i32, 1, 2], [9, 8, 7], [1, 2, 3]] }
-- output { [[1i32, 2, 3], [7, 8, 9], [1, 2, 3]] [2i64, 3, 0] }
entry sorted [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i64) =
  let is_sorted [k] (xs: [k]i32) = and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota k))
  let swap [k] (from: i64) (xs: [k]i32): [k]i32 =
    map (\i ->
      let first = i % 2 == from % 2
      in if first then (if i + 1 < k then i32.min xs[i] xs[i + 1] else xs[i])
         else (if i > 0 then i32.max xs[i - 1] xs[i] else xs[i])) (iota k)
  in unzip (#[flattening(block)] map (\xs ->
    loop (xs, rounds) = (copy xs, 0) while !(is_sorted xs) do (swap rounds xs, rounds + 1)) xss)
