-- Each block scans a row. The operators are associative but do not commute.

-- ==
-- entry: sums
-- input { [[1i32, 2, 3, 4], [5, -6, 7, 8], [0, 0, 0, 1]] }
-- output { [[1i32, 3, 6, 10], [5, -1, 6, 14], [0, 0, 0, 1]] }
-- input { empty([0][4]i32) }
-- output { empty([0][4]i32) }
-- input { empty([2][0]i32) }
-- output { empty([2][0]i32) }
entry sums [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (scan (+) 0) xss

-- | Composes affine functions: first `(a, b)`, then `(c, d)`.
def compose (a: i64, b: i64) (c: i64, d: i64): (i64, i64) = (a * c, b * c + d)

-- ==
-- entry: affine
-- input { [[1i64, 2, 3], [3, 2, 1]] [[4i64, 5, 6], [-1, -2, -3]] }
-- output { [[1i64, 2, 6], [3, 6, 6]] [[4i64, 13, 45], [-1, -4, -7]] }
entry affine [n] [m] (as: [n][m]i64) (bs: [n][m]i64): ([n][m]i64, [n][m]i64) =
  unzip (map unzip (#[flattening(block)] map2 (\xs ys -> scan compose (1, 0) (zip xs ys)) as bs))

-- The code after the scan uses the scanned value and the element.

-- ==
-- entry: followed
-- input { [[3i32, 1, 2], [-5, 9, 9]] }
-- output { [[0i32, 3, 4], [0, -5, 4]] [6i32, 13] }
entry followed [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32) =
  unzip (#[flattening(block)] map (\xs ->
    let sums = scan (+) 0 xs
    in (map2 (-) sums xs, i32.maximum sums)) xss)
