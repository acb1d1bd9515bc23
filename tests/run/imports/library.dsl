-- Files of the library are imported by their names.
-- ==
-- input { [true, false, false, true, false] [1, 2, 3, 4, 5] [2i64, 0i64, 3i64] }
-- output { [1, 3, 6, 4, 9] [6, 9] [0i64, 0i64, 2i64, 2i64, 2i64] [20i64, 21i64, 30i64, 31i64, 32i64] }

import "segmented"

entry main [n] (flags: [n]bool) (xs: [n]i32) (reps: []i64): ([n]i32, []i32, []i64, []i64) =
  ( segmented_scan (+) 0 flags xs
  , segmented_reduce (+) 0 flags xs
  , replicated_iota reps
  , expand (\r -> r) (\r i -> 10 * (if r == 2 then 2 else 3) + i) reps
  )
