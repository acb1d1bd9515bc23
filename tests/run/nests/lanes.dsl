-- Attributes that say what runs in lanes change no result.

-- ==
-- entry: chosen outer inner nothing
-- input { [1i64, -2, 3, 40, -5, 6, 7, 8, 9, 10, 11] [2i64, 3, 5] }
-- output { [10i64, 20i64, 30i64, 400i64, 50i64, 60i64, 70i64, 80i64, 90i64, 100i64, 110i64] 240i64 [1i64, 3i64, 40i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] }
-- input { [7i64] empty([0]i64) }
-- output { [0i64] 7i64 [7i64] }
-- input { empty([0]i64) [1i64] }
-- output { empty([0]i64) -9223372036854775808i64 empty([0]i64) }
-- input { [1i64, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0, 19] [1i64] }
-- error: Assertion is false: .x != 0
def weigh [m] (ys: [m]i64) (x: i64): i64 = i64.abs (assert (x != 0) (i64.sum (map (* x) ys)))

entry chosen [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, i64, []i64) =
  let weighed = map (weigh ys) xs
  in (weighed, i64.maximum (map2 (+) xs (map (/ 2) weighed)), filter (> 0) xs)

entry outer [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, i64, []i64) =
  let weighed = #[lanes(outer)] map (weigh ys) xs
  in (weighed, #[lanes(outer)] i64.maximum (map2 (+) xs (map (/ 2) weighed)), #[lanes(outer)] filter (> 0) xs)

entry inner [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, i64, []i64) =
  let weighed = #[lanes(inner)] map (weigh ys) xs
  in (weighed, #[lanes(inner)] i64.maximum (map2 (+) xs (map (/ 2) weighed)), #[lanes(inner)] filter (> 0) xs)

entry nothing [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, i64, []i64) =
  let weighed = #[lanes(no)] map (weigh ys) xs
  in (weighed, #[lanes(no)] i64.maximum (map2 (+) xs (map (/ 2) weighed)), #[lanes(no)] filter (> 0) xs)
