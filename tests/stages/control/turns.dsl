-- Two arrays that move up by one place in each round, both begun with an array that the caller keeps: three blocks
-- take turns, of which two begin with copies, and no round makes one.
-- ==
-- input { [1i64, 2i64, 3i64] 4i64 }

entry main [n] (xs: [n]i64) (k: i64): ([n]i64, [n]i64) =
  loop (last, now) = (xs, xs) for i < k do
    (now, tabulate n (\j -> last[(j + 1) % n] + now[j] * i))
