-- Unsigned integers of 8 bits: wrap-around, division, bits, and the functions of module u8.
-- ==
-- entry: arithmetic
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [255u8, 2u8, 1u8, 255u8, 255u8, 2u8, 254u8, 3u8, 100u8, 5u8] }
-- output { [255u8, 3u8, 0u8, 255u8, 253u8, 3u8, 5u8, 252u8, 200u8, 90u8] [1u8, 255u8, 254u8, 1u8, 255u8, 255u8, 9u8, 246u8, 0u8, 80u8] [0u8, 2u8, 255u8, 0u8, 2u8, 2u8, 242u8, 235u8, 16u8, 169u8] }
-- entry: signs
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] }
-- output { [0u8, 255u8, 1u8, 0u8, 2u8, 255u8, 249u8, 7u8, 156u8, 171u8] [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [0u8, 1u8, 1u8, 0u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8] }
-- entry: division
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [255u8, 2u8, 1u8, 255u8, 255u8, 2u8, 254u8, 3u8, 100u8, 5u8] }
-- output { [0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 83u8, 1u8, 17u8] [0u8, 1u8, 0u8, 0u8, 254u8, 1u8, 7u8, 0u8, 0u8, 0u8] [0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 83u8, 1u8, 17u8] [0u8, 1u8, 0u8, 0u8, 254u8, 1u8, 7u8, 0u8, 0u8, 0u8] }
-- entry: division
-- input { [1u8] [0u8] }
-- error: division by zero
-- entry: powers
-- input { [0u8, 3u8, 255u8, 0u8, 2u8, 2u8, 255u8, 10u8] [0u8, 5u8, 2u8, 3u8, 7u8, 8u8, 7u8, 4u8] }
-- output { [1u8, 243u8, 1u8, 0u8, 128u8, 0u8, 255u8, 16u8] }
-- entry: bits
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [255u8, 2u8, 1u8, 255u8, 255u8, 2u8, 254u8, 3u8, 100u8, 5u8] }
-- output { [0u8, 0u8, 1u8, 0u8, 254u8, 0u8, 6u8, 1u8, 100u8, 5u8] [255u8, 3u8, 255u8, 255u8, 255u8, 3u8, 255u8, 251u8, 100u8, 85u8] [255u8, 3u8, 254u8, 255u8, 1u8, 3u8, 249u8, 250u8, 0u8, 80u8] [255u8, 254u8, 0u8, 255u8, 1u8, 254u8, 248u8, 6u8, 155u8, 170u8] }
-- entry: shifts
-- input { [1u8, 255u8, 0u8, 248u8, 248u8, 5u8, 5u8, 255u8] [7u8, 1u8, 7u8, 2u8, 8u8, 0u8, 9u8, 7u8] }
-- output { [128u8, 254u8, 0u8, 224u8, 0u8, 5u8, 0u8, 128u8] [0u8, 127u8, 0u8, 62u8, 0u8, 5u8, 0u8, 1u8] [0u8, 127u8, 0u8, 62u8, 0u8, 5u8, 0u8, 1u8] }
-- entry: counts
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] }
-- output { [0i32, 1i32, 8i32, 0i32, 7i32, 1i32, 3i32, 6i32, 3i32, 4i32] [8i32, 7i32, 0i32, 8i32, 0i32, 7i32, 5i32, 0i32, 1i32, 1i32] [8i32, 0i32, 0i32, 8i32, 1i32, 0i32, 0i32, 0i32, 2i32, 0i32] 8i32 }
-- entry: single_bits
-- input { [0i32, 1i32, 7i32, 4i32] 90u8 }
-- output { [0i32, 1i32, 0i32, 1i32] [91u8, 90u8, 218u8, 90u8] [90u8, 88u8, 90u8, 74u8] }
-- entry: upper_halves
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [255u8, 2u8, 1u8, 255u8, 255u8, 2u8, 254u8, 3u8, 100u8, 5u8] }
-- output { [0u8, 0u8, 0u8, 0u8, 253u8, 0u8, 6u8, 2u8, 39u8, 1u8] [7u8, 7u8, 7u8, 7u8, 4u8, 7u8, 13u8, 9u8, 46u8, 8u8] }
-- entry: comparisons
-- input { [0u8, 1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] [255u8, 2u8, 1u8, 255u8, 255u8, 2u8, 254u8, 3u8, 100u8, 5u8] }
-- output { [true, true, false, true, true, true, true, false, false, false] [true, true, false, true, true, true, true, false, true, false] [false, false, false, false, false, false, false, false, true, false] [0u8, 1u8, 1u8, 0u8, 254u8, 1u8, 7u8, 3u8, 100u8, 5u8] [255u8, 2u8, 255u8, 255u8, 255u8, 2u8, 254u8, 249u8, 100u8, 85u8] }
-- entry: folds
-- input { [1u8, 255u8, 0u8, 254u8, 1u8, 7u8, 249u8, 100u8, 85u8] }
-- output { 184u8 0u8 255u8 0u8 }
-- input { empty([0]u8) }
-- output { 0u8 1u8 0u8 255u8 }
-- entry: operators
-- input { 100u8 7u8 }
-- output { 107u8 93u8 188u8 14u8 2u8 14u8 2u8 4u8 103u8 99u8 0u8 0u8 0u8 true false }

entry arithmetic [n] (xs: [n]u8) (ys: [n]u8): ([n]u8, [n]u8, [n]u8) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)

entry signs [n] (xs: [n]u8): ([n]u8, [n]u8, [n]u8) =
  (map (\x -> -x) xs, map u8.abs xs, map u8.sgn xs)

entry division [n] (xs: [n]u8) (ys: [n]u8): ([n]u8, [n]u8, [n]u8, [n]u8) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry powers [n] (xs: [n]u8) (ys: [n]u8): [n]u8 = map2 (**) xs ys

entry bits [n] (xs: [n]u8) (ys: [n]u8): ([n]u8, [n]u8, [n]u8, [n]u8) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map (\x -> !x) xs)

entry shifts [n] (xs: [n]u8) (ys: [n]u8): ([n]u8, [n]u8, [n]u8) =
  (map2 (<<) xs ys, map2 (>>) xs ys, map2 (>>>) xs ys)

entry counts [n] (xs: [n]u8): ([n]i32, [n]i32, [n]i32, i32) =
  (map u8.popc xs, map u8.clz xs, map u8.ctz xs, u8.num_bits)

entry single_bits [n] (bits: [n]i32) (x: u8): ([n]i32, [n]u8, [n]u8) =
  ( map (\bit -> u8.get_bit bit x) bits
  , map (\bit -> u8.set_bit bit x 1) bits
  , map (\bit -> u8.set_bit bit x 0) bits )

entry upper_halves [n] (xs: [n]u8) (ys: [n]u8): ([n]u8, [n]u8) =
  (map2 u8.mul_hi xs ys, map2 (\x y -> u8.mad_hi x y 7) xs ys)

entry comparisons [n] (xs: [n]u8) (ys: [n]u8): ([n]bool, [n]bool, [n]bool, [n]u8, [n]u8) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (==) xs ys, map2 u8.min xs ys, map2 u8.max xs ys)

entry folds (xs: []u8): (u8, u8, u8, u8) =
  (u8.sum xs, u8.product xs, u8.maximum xs, u8.minimum xs)

entry operators (x: u8) (y: u8): (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, bool, bool) =
  ( x u8.+ y, x u8.- y, x u8.* y, x u8./ y, x u8.% y, x u8.// y, x u8.%% y
  , x u8.& y, x u8.| y, x u8.^ y, x u8.<< y, x u8.>> y, x u8.>>> y, x u8.> y, x u8.== y )
