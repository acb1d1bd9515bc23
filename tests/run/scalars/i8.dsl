-- Signed integers of 8 bits: wrap-around, division, bits, and the functions of module i8.
-- ==
-- entry: arithmetic
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] [-1i8, 2i8, 1i8, -1i8, 127i8, 2i8, -2i8, 3i8, 100i8, 5i8] }
-- output { [-1i8, 3i8, -128i8, 127i8, -3i8, -125i8, 5i8, -4i8, -56i8, 47i8] [1i8, -1i8, 126i8, -127i8, -1i8, 127i8, 9i8, -10i8, 0i8, 37i8] [0i8, 2i8, 127i8, -128i8, -126i8, 2i8, -14i8, -21i8, 16i8, -46i8] }
-- entry: signs
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] }
-- output { [0i8, -1i8, -127i8, -128i8, -126i8, 127i8, -7i8, 7i8, -100i8, -42i8] [0i8, 1i8, 127i8, -128i8, 126i8, 127i8, 7i8, 7i8, 100i8, 42i8] [0i8, 1i8, 1i8, -1i8, 1i8, -1i8, 1i8, -1i8, 1i8, 1i8] }
-- entry: division
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] [-1i8, 2i8, 1i8, -1i8, 127i8, 2i8, -2i8, 3i8, 100i8, 5i8] }
-- output { [0i8, 0i8, 127i8, -128i8, 0i8, -64i8, -4i8, -3i8, 1i8, 8i8] [0i8, 1i8, 0i8, 0i8, 126i8, 1i8, -1i8, 2i8, 0i8, 2i8] [0i8, 0i8, 127i8, -128i8, 0i8, -63i8, -3i8, -2i8, 1i8, 8i8] [0i8, 1i8, 0i8, 0i8, 126i8, -1i8, 1i8, -1i8, 0i8, 2i8] }
-- entry: division
-- input { [1i8] [0i8] }
-- error: division by zero
-- entry: powers
-- input { [0i8, 3i8, 127i8, -128i8, 2i8, 2i8, -1i8, 10i8] [0i8, 5i8, 2i8, 3i8, 7i8, 8i8, 7i8, 4i8] }
-- output { [1i8, -13i8, 1i8, 0i8, -128i8, 0i8, -1i8, 16i8] }
-- entry: powers
-- input { [2i8] [-1i8] }
-- error: negative
-- entry: bits
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] [-1i8, 2i8, 1i8, -1i8, 127i8, 2i8, -2i8, 3i8, 100i8, 5i8] }
-- output { [0i8, 0i8, 1i8, -128i8, 126i8, 0i8, 6i8, 1i8, 100i8, 0i8] [-1i8, 3i8, 127i8, -1i8, 127i8, -125i8, -1i8, -5i8, 100i8, 47i8] [-1i8, 3i8, 126i8, 127i8, 1i8, -125i8, -7i8, -6i8, 0i8, 47i8] [-1i8, -2i8, -128i8, 127i8, -127i8, 126i8, -8i8, 6i8, -101i8, -43i8] }
-- entry: shifts
-- input { [1i8, 127i8, -128i8, -8i8, -8i8, 5i8, 5i8, -1i8] [7i8, 1i8, 7i8, 2i8, 8i8, 0i8, 9i8, 7i8] }
-- output { [-128i8, -2i8, 0i8, -32i8, 0i8, 5i8, 0i8, -128i8] [0i8, 63i8, -1i8, -2i8, -1i8, 5i8, 0i8, -1i8] [0i8, 63i8, 1i8, 62i8, 0i8, 5i8, 0i8, 1i8] }
-- entry: counts
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] }
-- output { [0i32, 1i32, 7i32, 1i32, 6i32, 2i32, 3i32, 6i32, 3i32, 3i32] [8i32, 7i32, 1i32, 0i32, 1i32, 0i32, 5i32, 0i32, 1i32, 2i32] [8i32, 0i32, 0i32, 7i32, 1i32, 0i32, 0i32, 0i32, 2i32, 1i32] 8i32 }
-- entry: single_bits
-- input { [0i32, 1i32, 7i32, 4i32] 90i8 }
-- output { [0i32, 1i32, 0i32, 1i32] [91i8, 90i8, -38i8, 90i8] [90i8, 88i8, 90i8, 74i8] }
-- entry: upper_halves
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] [-1i8, 2i8, 1i8, -1i8, 127i8, 2i8, -2i8, 3i8, 100i8, 5i8] }
-- output { [0i8, 0i8, 0i8, 0i8, 62i8, -1i8, -1i8, -1i8, 39i8, 0i8] [7i8, 7i8, 7i8, 7i8, 69i8, 6i8, 6i8, 6i8, 46i8, 7i8] }
-- entry: comparisons
-- input { [0i8, 1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] [-1i8, 2i8, 1i8, -1i8, 127i8, 2i8, -2i8, 3i8, 100i8, 5i8] }
-- output { [false, true, false, true, true, true, false, true, false, false] [false, true, false, true, true, true, false, true, true, false] [false, false, false, false, false, false, false, false, true, false] [-1i8, 1i8, 1i8, -128i8, 126i8, -127i8, -2i8, -7i8, 100i8, 5i8] [0i8, 2i8, 127i8, -1i8, 127i8, 2i8, 7i8, 3i8, 100i8, 42i8] }
-- entry: folds
-- input { [1i8, 127i8, -128i8, 126i8, -127i8, 7i8, -7i8, 100i8, 42i8] }
-- output { -115i8 0i8 127i8 -128i8 }
-- input { empty([0]i8) }
-- output { 0i8 1i8 -128i8 127i8 }
-- entry: operators
-- input { 100i8 7i8 }
-- output { 107i8 93i8 -68i8 14i8 2i8 14i8 2i8 4i8 103i8 99i8 0i8 0i8 0i8 true false }

entry arithmetic [n] (xs: [n]i8) (ys: [n]i8): ([n]i8, [n]i8, [n]i8) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)

entry signs [n] (xs: [n]i8): ([n]i8, [n]i8, [n]i8) =
  (map (\x -> -x) xs, map i8.abs xs, map i8.sgn xs)

entry division [n] (xs: [n]i8) (ys: [n]i8): ([n]i8, [n]i8, [n]i8, [n]i8) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry powers [n] (xs: [n]i8) (ys: [n]i8): [n]i8 = map2 (**) xs ys

entry bits [n] (xs: [n]i8) (ys: [n]i8): ([n]i8, [n]i8, [n]i8, [n]i8) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map (\x -> !x) xs)

entry shifts [n] (xs: [n]i8) (ys: [n]i8): ([n]i8, [n]i8, [n]i8) =
  (map2 (<<) xs ys, map2 (>>) xs ys, map2 (>>>) xs ys)

entry counts [n] (xs: [n]i8): ([n]i32, [n]i32, [n]i32, i32) =
  (map i8.popc xs, map i8.clz xs, map i8.ctz xs, i8.num_bits)

entry single_bits [n] (bits: [n]i32) (x: i8): ([n]i32, [n]i8, [n]i8) =
  ( map (\bit -> i8.get_bit bit x) bits
  , map (\bit -> i8.set_bit bit x 1) bits
  , map (\bit -> i8.set_bit bit x 0) bits )

entry upper_halves [n] (xs: [n]i8) (ys: [n]i8): ([n]i8, [n]i8) =
  (map2 i8.mul_hi xs ys, map2 (\x y -> i8.mad_hi x y 7) xs ys)

entry comparisons [n] (xs: [n]i8) (ys: [n]i8): ([n]bool, [n]bool, [n]bool, [n]i8, [n]i8) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (==) xs ys, map2 i8.min xs ys, map2 i8.max xs ys)

entry folds (xs: []i8): (i8, i8, i8, i8) =
  (i8.sum xs, i8.product xs, i8.maximum xs, i8.minimum xs)

entry operators (x: i8) (y: i8): (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, bool, bool) =
  ( x i8.+ y, x i8.- y, x i8.* y, x i8./ y, x i8.% y, x i8.// y, x i8.%% y
  , x i8.& y, x i8.| y, x i8.^ y, x i8.<< y, x i8.>> y, x i8.>>> y, x i8.> y, x i8.== y )
