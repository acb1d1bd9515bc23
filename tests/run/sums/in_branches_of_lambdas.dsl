-- A lambda whose written result type completes the sums of its branches. Threads of a GPU allocate no arrays of sizes that only they
-- know.
-- ==
-- tags { no_gpu }
-- input { [5i64, 0i64, -1i64] } output { [10i64, 1i64, -1i64] }

type~ opt = #some ([]i64) | #none

entry main (xs: []i64) =
  let f = \x : opt -> if x > 0 then #some (iota x) else if x == 0 then let k = x + 2 in #some (iota k) else #none
  in map (\x -> match f x case #some ys -> i64.sum ys case #none -> -1) xs
