-- map over one and several arrays, nested, and of tuples.
-- ==
-- entry: several
-- input { [1, 2, 3] [10, 20, 30] }
-- output { [11, 22, 33] [10, 40, 90] [111, 222, 333] }
-- input { empty([0]i32) empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- entry: nested
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [[2, 3], [4, 5], [6, 7]] [3, 7, 11] [[1, 3], [3, 7], [5, 11]] }
-- entry: outer
-- input { [1, 2] [3, 4, 5] }
-- output { [[3, 4, 5], [6, 8, 10]] }

entry several [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32) =
  let (sums, products) = unzip (map2 (\x y -> (x + y, x * y)) xs ys)
  in (sums, products, map3 (\x y z -> x + y + z) xs ys (map (* 100) xs))

entry nested [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32, [n][m]i32) =
  (map (map (+ 1)) xss, map (reduce (+) 0) xss, map (scan (+) 0) xss)

entry outer [n] [m] (xs: [n]i32) (ys: [m]i32): [n][m]i32 =
  map (\x -> map (\y -> x * y) ys) xs
