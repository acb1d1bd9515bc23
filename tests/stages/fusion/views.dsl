-- A mapped array is read through a view and then summed: by columns, as one row, as rows of another width,
-- and reversed. No array is materialised.
-- ==
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [10i64, 14i64, 18i64] 42i64 [12i64, 30i64] 24i64 }

entry main [n][m] (xss: [n][m]i64): ([m]i64, i64, []i64, i64) =
  let columns = map i64.sum (transpose (map (map (* 2)) xss))
  let row = i64.sum (flatten (map (map (* 2)) xss))
  let rows = map i64.sum (unflatten (sized (n * m) (map (* 2) (flatten xss))))
  let (as, bs) = unzip (reverse (map (\xs -> (xs[0], xs[1])) xss))
  in (columns, row, rows, i64.sum (map3 (\i a b -> a * b + i * b) (iota n) as bs))
