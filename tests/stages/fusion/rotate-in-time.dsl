-- Every round adds to an array the same array, rotated: the map of the library's `rotate` is fused into the sum. Rounds take
-- turns with two blocks, and make none.
-- ==
-- input { [1.0, 2.0, 3.0] 2i64 } output { [8.0, 9.0, 7.0] }
-- structure { assert 0 screma 1 concat 0 }

entry main [n] (xs: [n]f64) (k: i64) = loop r = copy xs for _i < k do map2 (+) r (rotate 1 r)
