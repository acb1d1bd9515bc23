-- Maps over two dimensions between segments that go through rows or columns: for a GPU, `layout` chooses which of their
-- counters is innermost (`coalesce-points`).

def matrix (n: i64) (m: i64): [n][m]i64 =
  map (\i -> map (\j -> (i * 31 + j * 17 + 5) % 101) (iota m)) (iota n)

def checksum [n] [m] (xss: [n][m]i64): i64 =
  loop s = 7 for i < n do
    loop s for j < m do (s * 3 + xss[i, j] + j) % 1000003

def checksum_1d [n] (xs: [n]i64): i64 = loop s = 7 for x in xs do (s * 3 + x) % 1000003

-- Elements of a transposed matrix, then a loop over each row of them.

-- ==
-- entry: checked_points
-- input { 0i64 5i64 } output { 7i64 }
-- input { 3i64 0i64 } output { 189i64 }
-- input { 1i64 1i64 } output { 41i64 }
-- input { 1i64 70i64 } output { 451230i64 }
-- input { 31i64 33i64 } output { 791642i64 }
-- input { 64i64 32i64 } output { 548015i64 }
-- input { 97i64 101i64 } output { 766713i64 }
-- input { 300i64 7i64 } output { 259341i64 }
-- input { 257i64 64i64 } output { 488121i64 }
entry checked_points (n: i64) (m: i64): i64 =
  checksum_1d (#[flattening(full)] map (\xs ->
    let ys = map (\j -> xs[j] * 2 + j % 5) (iota m)
    in loop s = 0 for j < m do (s * 2 + ys[j] + ys[(j + 1) % m]) % 1000003) (transpose (matrix m n)))

-- Recurrences along both directions in turn, as in a solver that splits the directions.

def along [n] [m] (factor: i64) (xss: [n][m]i64): [n][m]i64 =
  map (\xs ->
    loop ys = copy xs for j < m - 1 do
      ys with [j + 1] = (ys[j + 1] + factor * ys[j]) % 1009) xss

-- ==
-- entry: checked_steps
-- input { 0i64 5i64 3i64 } output { 7i64 }
-- input { 3i64 0i64 3i64 } output { 7i64 }
-- input { 1i64 1i64 3i64 } output { 26i64 }
-- input { 1i64 70i64 3i64 } output { 571664i64 }
-- input { 31i64 33i64 3i64 } output { 328616i64 }
-- input { 64i64 32i64 3i64 } output { 69387i64 }
-- input { 97i64 101i64 3i64 } output { 569741i64 }
-- input { 300i64 7i64 3i64 } output { 408079i64 }
-- input { 257i64 64i64 3i64 } output { 125097i64 }
entry checked_steps (n: i64) (m: i64) (k: i64): i64 =
  checksum (loop xss = matrix n m for _i < k do
    transpose (along 3 (transpose (along 2 xss))))

-- The same with arithmetic on all elements between them.

def shifted [n] [m] (xss: [n][m]i64): [n][m]i64 =
  map (\i -> map (\j -> (xss[i, j] + xss[i, i64.max 0 (j - 1)]) % 1009) (iota m)) (iota n)

-- ==
-- entry: checked_shifts
-- input { 1i64 1i64 1i64 }
-- output { 41i64 }
-- input { 0i64 5i64 2i64 }
-- output { 7i64 }
entry checked_shifts (n: i64) (m: i64) (k: i64): i64 =
  checksum (loop xss = matrix n m for _i < k do
    transpose (along 3 (shifted (transpose (shifted (along 2 xss))))))

-- Steps that split the directions: elements and recurrences along columns, then along rows.

-- ==
-- entry: checked_splits
-- input { 0i64 5i64 3i64 } output { 7i64 }
-- input { 3i64 0i64 3i64 } output { 7i64 }
-- input { 1i64 1i64 3i64 } output { 61i64 }
-- input { 1i64 70i64 3i64 } output { 806593i64 }
-- input { 31i64 33i64 3i64 } output { 658747i64 }
-- input { 64i64 32i64 3i64 } output { 486753i64 }
-- input { 97i64 101i64 3i64 } output { 520606i64 }
-- input { 300i64 7i64 3i64 } output { 304078i64 }
-- input { 257i64 64i64 3i64 } output { 479735i64 }
entry checked_splits (n: i64) (m: i64) (k: i64): i64 =
  let split (xss: [n][m]i64): [n][m]i64 =
    let yss = map2 (\i xs -> map2 (\j x -> x * 2 + i - j) (iota m) xs) (iota n) xss
    let zss = #[flattening(full)] map (\ys ->
      let zs = loop zs = copy ys for j < n - 1 do
        zs with [j + 1] = (zs[j + 1] + 3 * zs[j]) % 1009
      in map2 (\j z -> z + j % 7) (iota n) zs) (transpose yss)
    in along 2 (transpose zss)
  in checksum (loop xss = matrix n m for _i < k do split xss)

-- The failure of the least point is reported: the points of a check that depends on them keep their order.

-- ==
-- entry: looked_up
-- input { [[0i64, 1], [2, 1], [2, 0]] }
-- output { [130i64, 130] }
-- input { [[0i64, 7], [2, 1], [9, 0]] }
-- error: Index \[9\] out of bounds for array of shape \[3\]
entry looked_up [n] [m] (xss: [n][m]i64): [m]i64 =
  let table = map (* 10) (iota 3)
  in #[flattening(full)] map (\xs ->
    let ys = map (\x -> table[x] + 10) xs
    in loop s = 0 for j < n do s * 2 + ys[j]) (transpose xss)
