-- Signed integers of 32 bits: wrap-around, division, bits, and the functions of module i32.
-- ==
-- entry: arithmetic
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] [-1i32, 2i32, 1i32, -1i32, 2147483647i32, 2i32, -2i32, 3i32, 100i32, 5i32] }
-- output { [-1i32, 3i32, -2147483648i32, 2147483647i32, -3i32, -2147483645i32, 5i32, -4i32, 200i32, 715827887i32] [1i32, -1i32, 2147483646i32, -2147483647i32, -1i32, 2147483647i32, 9i32, -10i32, 0i32, 715827877i32] [0i32, 2i32, 2147483647i32, -2147483648i32, -2147483646i32, 2i32, -14i32, -21i32, 10000i32, -715827886i32] }
-- entry: signs
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] }
-- output { [0i32, -1i32, -2147483647i32, -2147483648i32, -2147483646i32, 2147483647i32, -7i32, 7i32, -100i32, -715827882i32] [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, 2147483647i32, 7i32, 7i32, 100i32, 715827882i32] [0i32, 1i32, 1i32, -1i32, 1i32, -1i32, 1i32, -1i32, 1i32, 1i32] }
-- entry: division
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] [-1i32, 2i32, 1i32, -1i32, 2147483647i32, 2i32, -2i32, 3i32, 100i32, 5i32] }
-- output { [0i32, 0i32, 2147483647i32, -2147483648i32, 0i32, -1073741824i32, -4i32, -3i32, 1i32, 143165576i32] [0i32, 1i32, 0i32, 0i32, 2147483646i32, 1i32, -1i32, 2i32, 0i32, 2i32] [0i32, 0i32, 2147483647i32, -2147483648i32, 0i32, -1073741823i32, -3i32, -2i32, 1i32, 143165576i32] [0i32, 1i32, 0i32, 0i32, 2147483646i32, -1i32, 1i32, -1i32, 0i32, 2i32] }
-- entry: division
-- input { [1i32] [0i32] }
-- error: division by zero
-- entry: powers
-- input { [0i32, 3i32, 2147483647i32, -2147483648i32, 2i32, 2i32, -1i32, 10i32] [0i32, 5i32, 2i32, 3i32, 31i32, 32i32, 7i32, 4i32] }
-- output { [1i32, 243i32, 1i32, 0i32, -2147483648i32, 0i32, -1i32, 10000i32] }
-- entry: powers
-- input { [2i32] [-1i32] }
-- error: negative
-- entry: bits
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] [-1i32, 2i32, 1i32, -1i32, 2147483647i32, 2i32, -2i32, 3i32, 100i32, 5i32] }
-- output { [0i32, 0i32, 1i32, -2147483648i32, 2147483646i32, 0i32, 6i32, 1i32, 100i32, 0i32] [-1i32, 3i32, 2147483647i32, -1i32, 2147483647i32, -2147483645i32, -1i32, -5i32, 100i32, 715827887i32] [-1i32, 3i32, 2147483646i32, 2147483647i32, 1i32, -2147483645i32, -7i32, -6i32, 0i32, 715827887i32] [-1i32, -2i32, -2147483648i32, 2147483647i32, -2147483647i32, 2147483646i32, -8i32, 6i32, -101i32, -715827883i32] }
-- entry: shifts
-- input { [1i32, 2147483647i32, -2147483648i32, -8i32, -8i32, 5i32, 5i32, -1i32] [31i32, 1i32, 31i32, 2i32, 32i32, 0i32, 33i32, 31i32] }
-- output { [-2147483648i32, -2i32, 0i32, -32i32, 0i32, 5i32, 0i32, -2147483648i32] [0i32, 1073741823i32, -1i32, -2i32, -1i32, 5i32, 0i32, -1i32] [0i32, 1073741823i32, 1i32, 1073741822i32, 0i32, 5i32, 0i32, 1i32] }
-- entry: counts
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] }
-- output { [0i32, 1i32, 31i32, 1i32, 30i32, 2i32, 3i32, 30i32, 3i32, 15i32] [32i32, 31i32, 1i32, 0i32, 1i32, 0i32, 29i32, 0i32, 25i32, 2i32] [32i32, 0i32, 0i32, 31i32, 1i32, 0i32, 0i32, 0i32, 2i32, 1i32] 32i32 }
-- entry: single_bits
-- input { [0i32, 1i32, 31i32, 16i32] 1515870810i32 }
-- output { [0i32, 1i32, 0i32, 0i32] [1515870811i32, 1515870810i32, -631612838i32, 1515936346i32] [1515870810i32, 1515870808i32, 1515870810i32, 1515870810i32] }
-- entry: upper_halves
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] [-1i32, 2i32, 1i32, -1i32, 2147483647i32, 2i32, -2i32, 3i32, 100i32, 5i32] }
-- output { [0i32, 0i32, 0i32, 0i32, 1073741822i32, -1i32, -1i32, -1i32, 0i32, 0i32] [7i32, 7i32, 7i32, 7i32, 1073741829i32, 6i32, 6i32, 6i32, 7i32, 7i32] }
-- entry: comparisons
-- input { [0i32, 1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] [-1i32, 2i32, 1i32, -1i32, 2147483647i32, 2i32, -2i32, 3i32, 100i32, 5i32] }
-- output { [false, true, false, true, true, true, false, true, false, false] [false, true, false, true, true, true, false, true, true, false] [false, false, false, false, false, false, false, false, true, false] [-1i32, 1i32, 1i32, -2147483648i32, 2147483646i32, -2147483647i32, -2i32, -7i32, 100i32, 5i32] [0i32, 2i32, 2147483647i32, -1i32, 2147483647i32, 2i32, 7i32, 3i32, 100i32, 715827882i32] }
-- entry: folds
-- input { [1i32, 2147483647i32, -2147483648i32, 2147483646i32, -2147483647i32, 7i32, -7i32, 100i32, 715827882i32] }
-- output { 715827981i32 0i32 2147483647i32 -2147483648i32 }
-- input { empty([0]i32) }
-- output { 0i32 1i32 -2147483648i32 2147483647i32 }
-- entry: operators
-- input { 100i32 7i32 }
-- output { 107i32 93i32 700i32 14i32 2i32 14i32 2i32 4i32 103i32 99i32 12800i32 0i32 0i32 true false }

entry arithmetic [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32) =
  (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)

entry signs [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32) =
  (map (\x -> -x) xs, map i32.abs xs, map i32.sgn xs)

entry division [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry powers [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (**) xs ys

entry bits [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (&) xs ys, map2 (|) xs ys, map2 (^) xs ys, map (\x -> !x) xs)

entry shifts [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32) =
  (map2 (<<) xs ys, map2 (>>) xs ys, map2 (>>>) xs ys)

entry counts [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32, i32) =
  (map i32.popc xs, map i32.clz xs, map i32.ctz xs, i32.num_bits)

entry single_bits [n] (bits: [n]i32) (x: i32): ([n]i32, [n]i32, [n]i32) =
  ( map (\bit -> i32.get_bit bit x) bits
  , map (\bit -> i32.set_bit bit x 1) bits
  , map (\bit -> i32.set_bit bit x 0) bits )

entry upper_halves [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
  (map2 i32.mul_hi xs ys, map2 (\x y -> i32.mad_hi x y 7) xs ys)

entry comparisons [n] (xs: [n]i32) (ys: [n]i32): ([n]bool, [n]bool, [n]bool, [n]i32, [n]i32) =
  (map2 (<) xs ys, map2 (<=) xs ys, map2 (==) xs ys, map2 i32.min xs ys, map2 i32.max xs ys)

entry folds (xs: []i32): (i32, i32, i32, i32) =
  (i32.sum xs, i32.product xs, i32.maximum xs, i32.minimum xs)

entry operators (x: i32) (y: i32): (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, bool, bool) =
  ( x i32.+ y, x i32.- y, x i32.* y, x i32./ y, x i32.% y, x i32.// y, x i32.%% y
  , x i32.& y, x i32.| y, x i32.^ y, x i32.<< y, x i32.>> y, x i32.>>> y, x i32.> y, x i32.== y )
