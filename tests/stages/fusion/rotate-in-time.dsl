-- Each iteration adds to an array the same array, rotated. The map of the library's `rotate` is fused into the sum. The
-- loop alternates between two blocks and allocates none in an iteration.
-- ==
-- input { [1.0, 2.0, 3.0] 2i64 } output { [8.0, 9.0, 7.0] }
-- structure { assert 0 screma 1 concat 0 }

entry main [n] (xs: [n]f64) (k: i64) = loop r = copy xs for _i < k do map2 (+) r (rotate 1 r)
