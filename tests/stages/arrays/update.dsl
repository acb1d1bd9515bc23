-- An in-place update: a check of the index, then a store.
-- ==
-- input { [1, 2, 3] 1i64 }
-- input { [1, 2, 3] 7i64 }

entry main [n] (xs: *[n]i32) (i: i64): [n]i32 = xs with [i] = 0
