-- A block reduces and scans all rows of its matrix at the same time.

-- ==
-- entry: sums
-- input { [[[1i32, 2, 3], [4, 5, 6]], [[7, 8, 9], [-1, -2, -3]]] }
-- output { [[6i32, 15], [24, -6]] }
-- input { empty([2][0][3]i32) }
-- output { empty([2][0]i32) }
-- input { empty([1][2][0]i32) }
-- output { [[0i32, 0]] }
entry sums [n] [m] [k] (xsss: [n][m][k]i32): [n][m]i32 =
  #[flattening(block)] map (map i32.sum) xsss

-- ==
-- entry: prefixes
-- input { [[[1i32, 2, 3], [4, 5, 6]], [[7, 8, 9], [-1, -2, -3]]] }
-- output { [[[1i32, 3, 6], [4, 9, 15]], [[7, 15, 24], [-1, -3, -6]]] }
entry prefixes [n] [m] [k] (xsss: [n][m][k]i32): [n][m][k]i32 =
  #[flattening(block)] map (map (scan (+) 0)) xsss

-- A product of matrices for each block: a reduction for each element.

-- ==
-- entry: squares
-- input { [[[1i32, 2], [3, 4]], [[0, 1], [1, 0]]] }
-- output { [[[7i32, 10], [15, 22]], [[1, 0], [0, 1]]] }
entry squares [n] [m] (xsss: [n][m][m]i32): [n][m][m]i32 =
  #[flattening(block)] map (\xss -> map (\xs -> map (\ys -> i32.sum (map2 (*) xs ys)) (transpose xss)) xss) xsss

-- Sums of rows, which the whole block then compares.

-- ==
-- entry: ranked
-- input { [[[1i32, 2], [3, 4], [0, 0]], [[5, 5], [1, 1], [5, 6]]] }
-- output { [[1i64, 0, 2], [1, 2, 0]] }
entry ranked [n] [m] [k] (xsss: [n][m][k]i32): [n][m]i64 =
  #[flattening(block)] map (\xss ->
    let sums = map i32.sum xss
    in map (\s -> i64.sum (map (\t -> i64.bool (t > s)) sums)) sums) xsss
