-- Signed integers of 16 bits: wrap-around, division, bits, and the functions of module i16.
-- ==
-- entry: arithmetic
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] [-1i16, 2i16, 1i16, -1i16, 32767i16, 2i16, -2i16, 3i16, 100i16, 5i16] }
-- output { [-1i16, 3i16, -32768i16, 32767i16, -3i16, -32765i16, 5i16, -4i16, 200i16, 10927i16] [1i16, -1i16, 32766i16, -32767i16, -1i16, 32767i16, 9i16, -10i16, 0i16, 10917i16] [0i16, 2i16, 32767i16, -32768i16, -32766i16, 2i16, -14i16, -21i16, 10000i16, -10926i16] }
-- entry: signs
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] }
-- output { [0i16, -1i16, -32767i16, -32768i16, -32766i16, 32767i16, -7i16, 7i16, -100i16, -10922i16] [0i16, 1i16, 32767i16, -32768i16, 32766i16, 32767i16, 7i16, 7i16, 100i16, 10922i16] [0i16, 1i16, 1i16, -1i16, 1i16, -1i16, 1i16, -1i16, 1i16, 1i16] }
-- entry: division
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] [-1i16, 2i16, 1i16, -1i16, 32767i16, 2i16, -2i16, 3i16, 100i16, 5i16] }
-- output { [0i16, 0i16, 32767i16, -32768i16, 0i16, -16384i16, -4i16, -3i16, 1i16, 2184i16] [0i16, 1i16, 0i16, 0i16, 32766i16, 1i16, -1i16, 2i16, 0i16, 2i16] [0i16, 0i16, 32767i16, -32768i16, 0i16, -16383i16, -3i16, -2i16, 1i16, 2184i16] [0i16, 1i16, 0i16, 0i16, 32766i16, -1i16, 1i16, -1i16, 0i16, 2i16] }
-- entry: division
-- input { [1i16] [0i16] }
-- error: division by zero
-- entry: powers
-- input { [0i16, 3i16, 32767i16, -32768i16, 2i16, 2i16, -1i16, 10i16] [0i16, 5i16, 2i16, 3i16, 15i16, 16i16, 7i16, 4i16] }
-- output { [1i16, 243i16, 1i16, 0i16, -32768i16, 0i16, -1i16, 10000i16] }
-- entry: powers
-- input { [2i16] [-1i16] }
-- error: negative
-- entry: bits
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] [-1i16, 2i16, 1i16, -1i16, 32767i16, 2i16, -2i16, 3i16, 100i16, 5i16] }
-- output { [0i16, 0i16, 1i16, -32768i16, 32766i16, 0i16, 6i16, 1i16, 100i16, 0i16] [-1i16, 3i16, 32767i16, -1i16, 32767i16, -32765i16, -1i16, -5i16, 100i16, 10927i16] [-1i16, 3i16, 32766i16, 32767i16, 1i16, -32765i16, -7i16, -6i16, 0i16, 10927i16] [-1i16, -2i16, -32768i16, 32767i16, -32767i16, 32766i16, -8i16, 6i16, -101i16, -10923i16] }
-- entry: shifts
-- input { [1i16, 32767i16, -32768i16, -8i16, -8i16, 5i16, 5i16, -1i16] [15i16, 1i16, 15i16, 2i16, 16i16, 0i16, 17i16, 15i16] }
-- output { [-32768i16, -2i16, 0i16, -32i16, 0i16, 5i16, 0i16, -32768i16] [0i16, 16383i16, -1i16, -2i16, -1i16, 5i16, 0i16, -1i16] [0i16, 16383i16, 1i16, 16382i16, 0i16, 5i16, 0i16, 1i16] }
-- entry: counts
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] }
-- output { [0i32, 1i32, 15i32, 1i32, 14i32, 2i32, 3i32, 14i32, 3i32, 7i32] [16i32, 15i32, 1i32, 0i32, 1i32, 0i32, 13i32, 0i32, 9i32, 2i32] [16i32, 0i32, 0i32, 15i32, 1i32, 0i32, 0i32, 0i32, 2i32, 1i32] 16i32 }
-- entry: single_bits
-- input { [0i32, 1i32, 15i32, 8i32] 23130i16 }
-- output { [0i32, 1i32, 0i32, 0i32] [23131i16, 23130i16, -9638i16, 23386i16] [23130i16, 23128i16, 23130i16, 23130i16] }
-- entry: upper_halves
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] [-1i16, 2i16, 1i16, -1i16, 32767i16, 2i16, -2i16, 3i16, 100i16, 5i16] }
-- output { [0i16, 0i16, 0i16, 0i16, 16382i16, -1i16, -1i16, -1i16, 0i16, 0i16] [7i16, 7i16, 7i16, 7i16, 16389i16, 6i16, 6i16, 6i16, 7i16, 7i16] }
-- entry: comparisons
-- input { [0i16, 1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] [-1i16, 2i16, 1i16, -1i16, 32767i16, 2i16, -2i16, 3i16, 100i16, 5i16] }
-- output { [false, true, false, true, true, true, false, true, false, false] [false, true, false, true, true, true, false, true, true, false] [false, false, false, false, false, false, false, false, true, false] [-1i16, 1i16, 1i16, -32768i16, 32766i16, -32767i16, -2i16, -7i16, 100i16, 5i16] [0i16, 2i16, 32767i16, -1i16, 32767i16, 2i16, 7i16, 3i16, 100i16, 10922i16] }
-- entry: folds
-- input { [1i16, 32767i16, -32768i16, 32766i16, -32767i16, 7i16, -7i16, 100i16, 10922i16] }
-- output { 11021i16 0i16 32767i16 -32768i16 }
-- input { empty([0]i16) }
-- output { 0i16 1i16 -32768i16 32767i16 }
-- entry: operators
-- input { 100i16 7i16 }
-- output { 107i16 93i16 700i16 14i16 2i16 14i16 2i16 4i16 103i16 99i16 12800i16 0i16 0i16 true false }

entry arithmetic [n] (xs: [n]i16) (ys: [n]i16): ([n]i16, [n]i16, [n]i16) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)

entry signs [n] (xs: [n]i16): ([n]i16, [n]i16, [n]i16) =
  (map (\x -> -x) xs, map i16.abs xs, map i16.sgn xs)

entry division [n] (xs: [n]i16) (ys: [n]i16): ([n]i16, [n]i16, [n]i16, [n]i16) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry powers [n] (xs: [n]i16) (ys: [n]i16): [n]i16 = map2 (**) xs ys

entry bits [n] (xs: [n]i16) (ys: [n]i16): ([n]i16, [n]i16, [n]i16, [n]i16) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map (\x -> !x) xs)

entry shifts [n] (xs: [n]i16) (ys: [n]i16): ([n]i16, [n]i16, [n]i16) =
  (map2 (<<) xs ys, map2 (>>) xs ys, map2 (>>>) xs ys)

entry counts [n] (xs: [n]i16): ([n]i32, [n]i32, [n]i32, i32) =
  (map i16.popc xs, map i16.clz xs, map i16.ctz xs, i16.num_bits)

entry single_bits [n] (bits: [n]i32) (x: i16): ([n]i32, [n]i16, [n]i16) =
  ( map (\bit -> i16.get_bit bit x) bits
  , map (\bit -> i16.set_bit bit x 1) bits
  , map (\bit -> i16.set_bit bit x 0) bits )

entry upper_halves [n] (xs: [n]i16) (ys: [n]i16): ([n]i16, [n]i16) =
  (map2 i16.mul_hi xs ys, map2 (\x y -> i16.mad_hi x y 7) xs ys)

entry comparisons [n] (xs: [n]i16) (ys: [n]i16): ([n]bool, [n]bool, [n]bool, [n]i16, [n]i16) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (==) xs ys, map2 i16.min xs ys, map2 i16.max xs ys)

entry folds (xs: []i16): (i16, i16, i16, i16) =
  (i16.sum xs, i16.product xs, i16.maximum xs, i16.minimum xs)

entry operators (x: i16) (y: i16): (i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, i16, bool, bool) =
  ( x i16.+ y, x i16.- y, x i16.* y, x i16./ y, x i16.% y, x i16.// y, x i16.%% y
  , x i16.& y, x i16.| y, x i16.^ y, x i16.<< y, x i16.>> y, x i16.>>> y, x i16.> y, x i16.== y )
