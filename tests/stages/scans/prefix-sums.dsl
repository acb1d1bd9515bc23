-- A scan, and an existential size: what filter gives is as long as it turns out to be.
-- ==
-- input { [3, -1, 4] }

entry main [n] (xs: [n]i32): ([n]i32, []i32) = (scan (+) 0 xs, filter (> 0) xs)
