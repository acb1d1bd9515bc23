-- A scan, and an existential size: the size of a filter's result.
-- ==
-- input { [3, -1, 4] }

entry main [n] (xs: [n]i32): ([n]i32, []i32) = (scan (+) 0 xs, filter (> 0) xs)
