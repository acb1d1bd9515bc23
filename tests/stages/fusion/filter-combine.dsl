-- The sums of the numbers with equal low bits, without multiples of three.
-- ==
-- input { [1i64, 2i64, 3i64, 7i64, 9i64, 12i64, 13i64] }
-- output { [0i64, 1i64, 2i64, 0i64, 0i64, 13i64, 0i64, 7i64] }

entry main (xs: []i64): [8]i64 =
  let ys = filter (\x -> x % 3 != 0) xs
  in hist (+) 0 8 (map (% 8) ys) ys
