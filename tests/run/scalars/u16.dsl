-- Unsigned integers of 16 bits: wrap-around, division, bits, and the functions of module u16.
-- ==
-- entry: arithmetic
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [65535u16, 2u16, 1u16, 65535u16, 65535u16, 2u16, 65534u16, 3u16, 100u16, 5u16] }
-- output { [65535u16, 3u16, 0u16, 65535u16, 65533u16, 3u16, 5u16, 65532u16, 200u16, 21850u16] [1u16, 65535u16, 65534u16, 1u16, 65535u16, 65535u16, 9u16, 65526u16, 0u16, 21840u16] [0u16, 2u16, 65535u16, 0u16, 2u16, 2u16, 65522u16, 65515u16, 10000u16, 43689u16] }
-- entry: signs
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] }
-- output { [0u16, 65535u16, 1u16, 0u16, 2u16, 65535u16, 65529u16, 7u16, 65436u16, 43691u16] [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [0u16, 1u16, 1u16, 0u16, 1u16, 1u16, 1u16, 1u16, 1u16, 1u16] }
-- entry: division
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [65535u16, 2u16, 1u16, 65535u16, 65535u16, 2u16, 65534u16, 3u16, 100u16, 5u16] }
-- output { [0u16, 0u16, 65535u16, 0u16, 0u16, 0u16, 0u16, 21843u16, 1u16, 4369u16] [0u16, 1u16, 0u16, 0u16, 65534u16, 1u16, 7u16, 0u16, 0u16, 0u16] [0u16, 0u16, 65535u16, 0u16, 0u16, 0u16, 0u16, 21843u16, 1u16, 4369u16] [0u16, 1u16, 0u16, 0u16, 65534u16, 1u16, 7u16, 0u16, 0u16, 0u16] }
-- entry: division
-- input { [1u16] [0u16] }
-- error: division by zero
-- entry: powers
-- input { [0u16, 3u16, 65535u16, 0u16, 2u16, 2u16, 65535u16, 10u16] [0u16, 5u16, 2u16, 3u16, 15u16, 16u16, 7u16, 4u16] }
-- output { [1u16, 243u16, 1u16, 0u16, 32768u16, 0u16, 65535u16, 10000u16] }
-- entry: bits
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [65535u16, 2u16, 1u16, 65535u16, 65535u16, 2u16, 65534u16, 3u16, 100u16, 5u16] }
-- output { [0u16, 0u16, 1u16, 0u16, 65534u16, 0u16, 6u16, 1u16, 100u16, 5u16] [65535u16, 3u16, 65535u16, 65535u16, 65535u16, 3u16, 65535u16, 65531u16, 100u16, 21845u16] [65535u16, 3u16, 65534u16, 65535u16, 1u16, 3u16, 65529u16, 65530u16, 0u16, 21840u16] [65535u16, 65534u16, 0u16, 65535u16, 1u16, 65534u16, 65528u16, 6u16, 65435u16, 43690u16] }
-- entry: shifts
-- input { [1u16, 65535u16, 0u16, 65528u16, 65528u16, 5u16, 5u16, 65535u16] [15u16, 1u16, 15u16, 2u16, 16u16, 0u16, 17u16, 15u16] }
-- output { [32768u16, 65534u16, 0u16, 65504u16, 0u16, 5u16, 0u16, 32768u16] [0u16, 32767u16, 0u16, 16382u16, 0u16, 5u16, 0u16, 1u16] [0u16, 32767u16, 0u16, 16382u16, 0u16, 5u16, 0u16, 1u16] }
-- entry: counts
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] }
-- output { [0i32, 1i32, 16i32, 0i32, 15i32, 1i32, 3i32, 14i32, 3i32, 8i32] [16i32, 15i32, 0i32, 16i32, 0i32, 15i32, 13i32, 0i32, 9i32, 1i32] [16i32, 0i32, 0i32, 16i32, 1i32, 0i32, 0i32, 0i32, 2i32, 0i32] 16i32 }
-- entry: single_bits
-- input { [0i32, 1i32, 15i32, 8i32] 23130u16 }
-- output { [0i32, 1i32, 0i32, 0i32] [23131u16, 23130u16, 55898u16, 23386u16] [23130u16, 23128u16, 23130u16, 23130u16] }
-- entry: upper_halves
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [65535u16, 2u16, 1u16, 65535u16, 65535u16, 2u16, 65534u16, 3u16, 100u16, 5u16] }
-- output { [0u16, 0u16, 0u16, 0u16, 65533u16, 0u16, 6u16, 2u16, 0u16, 1u16] [7u16, 7u16, 7u16, 7u16, 4u16, 7u16, 13u16, 9u16, 7u16, 8u16] }
-- entry: comparisons
-- input { [0u16, 1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] [65535u16, 2u16, 1u16, 65535u16, 65535u16, 2u16, 65534u16, 3u16, 100u16, 5u16] }
-- output { [true, true, false, true, true, true, true, false, false, false] [true, true, false, true, true, true, true, false, true, false] [false, false, false, false, false, false, false, false, true, false] [0u16, 1u16, 1u16, 0u16, 65534u16, 1u16, 7u16, 3u16, 100u16, 5u16] [65535u16, 2u16, 65535u16, 65535u16, 65535u16, 2u16, 65534u16, 65529u16, 100u16, 21845u16] }
-- entry: folds
-- input { [1u16, 65535u16, 0u16, 65534u16, 1u16, 7u16, 65529u16, 100u16, 21845u16] }
-- output { 21944u16 0u16 65535u16 0u16 }
-- input { empty([0]u16) }
-- output { 0u16 1u16 0u16 65535u16 }
-- entry: operators
-- input { 100u16 7u16 }
-- output { 107u16 93u16 700u16 14u16 2u16 14u16 2u16 4u16 103u16 99u16 12800u16 0u16 0u16 true false }

entry arithmetic [n] (xs: [n]u16) (ys: [n]u16): ([n]u16, [n]u16, [n]u16) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)

entry signs [n] (xs: [n]u16): ([n]u16, [n]u16, [n]u16) =
  (map (\x -> -x) xs, map u16.abs xs, map u16.sgn xs)

entry division [n] (xs: [n]u16) (ys: [n]u16): ([n]u16, [n]u16, [n]u16, [n]u16) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry powers [n] (xs: [n]u16) (ys: [n]u16): [n]u16 = map2 (**) xs ys

entry bits [n] (xs: [n]u16) (ys: [n]u16): ([n]u16, [n]u16, [n]u16, [n]u16) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map (\x -> !x) xs)

entry shifts [n] (xs: [n]u16) (ys: [n]u16): ([n]u16, [n]u16, [n]u16) =
  (map2 (<<) xs ys, map2 (>>) xs ys, map2 (>>>) xs ys)

entry counts [n] (xs: [n]u16): ([n]i32, [n]i32, [n]i32, i32) =
  (map u16.popc xs, map u16.clz xs, map u16.ctz xs, u16.num_bits)

entry single_bits [n] (bits: [n]i32) (x: u16): ([n]i32, [n]u16, [n]u16) =
  ( map (\bit -> u16.get_bit bit x) bits
  , map (\bit -> u16.set_bit bit x 1) bits
  , map (\bit -> u16.set_bit bit x 0) bits )

entry upper_halves [n] (xs: [n]u16) (ys: [n]u16): ([n]u16, [n]u16) =
  (map2 u16.mul_hi xs ys, map2 (\x y -> u16.mad_hi x y 7) xs ys)

entry comparisons [n] (xs: [n]u16) (ys: [n]u16): ([n]bool, [n]bool, [n]bool, [n]u16, [n]u16) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (==) xs ys, map2 u16.min xs ys, map2 u16.max xs ys)

entry folds (xs: []u16): (u16, u16, u16, u16) =
  (u16.sum xs, u16.product xs, u16.maximum xs, u16.minimum xs)

entry operators (x: u16) (y: u16): (u16, u16, u16, u16, u16, u16, u16, u16, u16, u16, u16, u16, u16, bool, bool) =
  ( x u16.+ y, x u16.- y, x u16.* y, x u16./ y, x u16.% y, x u16.// y, x u16.%% y
  , x u16.& y, x u16.| y, x u16.^ y, x u16.<< y, x u16.>> y, x u16.>>> y, x u16.> y, x u16.== y )
