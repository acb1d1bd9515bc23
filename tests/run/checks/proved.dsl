-- Idioms whose checks are proved from sizes and ranges. `structure` counts the remaining checks: that a product
-- of two sizes does not overflow, once, and checks of positions computed from such a product.
-- ==
-- entry: rotated
-- structure { assert 0 screma 1 concat 0 }
-- input { 2i64 [1, 2, 3, 4, 5] } output { [3, 4, 5, 1, 2] }
-- input { -7i64 [1, 2, 3, 4, 5] } output { [4, 5, 1, 2, 3] }
-- input { 3i64 empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: in_time
-- structure { assert 0 loop 1 screma 1 concat 0 }
-- input { [1, 2, 3] 2i64 } output { [8, 9, 7] }
-- input { empty([0]i32) 2i64 } output { empty([0]i32) }

-- ==
-- entry: turned_by_half
-- structure { assert 0 }
-- input { [1, 2, 3, 4, 5] 1i64 } output { [3, 4, 5, 1, 2] }

-- ==
-- entry: ring
-- structure { assert 0 }
-- input { [1, 2, 3, 4] } output { [6, 4, 6, 4] }

-- ==
-- entry: ring_towards_zero
-- structure { assert 0 }
-- input { [1, 2, 3, 4] } output { [2, 3, 4, 1] }

-- ==
-- entry: clamped
-- structure { assert 0 }
-- input { [1, 2, 3, 4] } output { [3, 4, 6, 7] }

-- ==
-- entry: clamped_by_branches
-- structure { assert 0 }
-- input { [1, 2, 3, 4] } output { [3, 4, 6, 7] }

-- ==
-- entry: clamped_anywhere
-- structure { assert 0 }
-- input { -3i64 [1, 2, 3, 4] } output { [1, 1, 1, 1] }
-- input { 2i64 [1, 2, 3, 4] } output { [3, 4, 4, 4] }

-- ==
-- entry: inner_points
-- structure { assert 0 }
-- input { [1, 2, 3, 5] } output { [0, 4, 7, 0] }

-- ==
-- entry: shifted
-- structure { assert 0 }
-- input { [1, 2, 3, 5] 2i64 } output { [1, 1, 1, 2] }

-- ==
-- entry: backwards
-- structure { assert 0 }
-- input { [1, 2, 3] } output { [3, 2, 1] }

-- ==
-- entry: downwards
-- structure { assert 0 }
-- input { [1, 2, 3] } output { 321 }

-- ==
-- entry: pairs
-- structure { assert 0 }
-- input { [1, 2, 3, 4, 5] } output { [12, 34] }

-- ==
-- entry: halves
-- structure { assert 0 }
-- input { [1, 2, 3, 4, 5] } output { [4, 6] }

-- ==
-- entry: split_by_half
-- structure { assert 0 }
-- input { [1, 2, 3, 4, 5] } output { -9 }

-- ==
-- entry: differences
-- structure { assert 0 }
-- input { [1, 2, 4] } output { [1, 2] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: head_and_tail
-- structure { assert 0 }
-- input { [1, 2, 4] } output { 61 }

-- ==
-- entry: taken_and_dropped
-- structure { assert 0 }
-- input { [1, 2, 4] 2i64 } output { -1 }

-- ==
-- entry: in_blocks
-- structure { assert 0 }
-- input { [1, 2, 3, 4, 5] 2i64 } output { [3, 7] }

-- ==
-- entry: below_the_diagonal
-- structure { assert 0 }
-- input { [1, 2, 3] } output { 4 }

-- ==
-- entry: row_and_column
-- structure { assert 1 }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] }
-- input { empty([2][0]i32) } output { empty([0]i32) }

-- ==
-- entry: row_and_column_towards_zero
-- structure { assert 1 }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] }

-- ==
-- entry: row_major
-- structure { assert 2 }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 2, 3], [4, 5, 6]] }

-- ==
-- entry: column_major
-- structure { assert 2 }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }

-- ==
-- entry: three_dimensions
-- structure { assert 3 }
-- input { [[[1, 2], [3, 4]]] } output { [[[1, 2], [3, 4]]] }

-- ==
-- entry: there_and_back
-- structure { assert 0 }
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6, 15] }

entry rotated [n] (k: i64) (xs: [n]i32) = rotate k xs

entry in_time [n] (xs: [n]i32) (k: i64) = loop r = copy xs for _i < k do map2 (+) r (rotate 1 r)

entry turned_by_half [n] (xs: [n]i32) (k: i64): [n]i32 =
  loop r = copy xs for _i < k do
    let h = n / 2
    in concat r[h:] r[:h] :> [n]i32

entry ring [n] (r: [n]i32) = map (\i -> r[(i + 1) % n] + r[(i - 1 + n) % n]) (iota n)

entry ring_towards_zero [n] (r: [n]i32) = map (\i -> r[(i + 1) %% n]) (iota n)

entry clamped [n] (r: [n]i32) = map (\i -> r[i64.max 0 (i - 1)] + r[i64.min (n - 1) (i + 1)]) (iota n)

entry clamped_by_branches [n] (r: [n]i32) =
  map (\i -> r[if i == 0 then 0 else i - 1] + r[if i == n - 1 then i else i + 1]) (iota n)

entry clamped_anywhere [n] (k: i64) (r: [n]i32) =
  map (\i ->
         let j = if i < 1000 then i + k % 1000 - (if k < 0 then 1000 else 0) else i
         in r[if j < 0 then 0 else if j >= n then n - 1 else j])
      (iota n)

entry inner_points [n] (r: [n]i32) = map (\i -> if i > 0 && i < n - 1 then r[i - 1] + r[i + 1] else 0) (iota n)

entry shifted [n] (xs: [n]i32) (k: i64) =
  loop r = copy xs for _t < k do map (\i -> if i == 0 then r[0] else r[i - 1]) (iota n)

entry backwards [n] (r: [n]i32) = map (\i -> r[n - 1 - i]) (iota n)

entry downwards [n] (xs: [n]i32) = loop s = 0 for i < n do s * 10 + xs[n - i - 1]

entry pairs [n] (xs: [n]i32) = map (\i -> xs[2 * i] * 10 + xs[2 * i + 1]) (iota (n / 2))

entry halves [n] (xs: [n]i32) =
  let h = n / 2
  in map2 (+) (xs[:h] :> [h]i32) (xs[h:2 * h] :> [h]i32)

entry split_by_half [n] (xs: [n]i32) =
  let (a, b) = split (xs :> [n / 2 + (n - n / 2)]i32)
  in i32.sum a - i32.sum b

entry differences [n] (xs: [n]i32) = if n < 1 then [] else map2 (-) (xs[1:] :> [n - 1]i32) xs[:n - 1]

entry head_and_tail [n] (xs: [n]i32) = if n == 0 then 0 else i32.sum (tail xs) * 10 + head xs

entry taken_and_dropped [n] (xs: [n]i32) (k: i64) =
  let k = i64.max 0 (i64.min k n)
  in i32.sum (take k xs) - i32.sum (drop k xs)

entry in_blocks [n] (xs: [n]i32) (b: i64) =
  if b <= 0 then [] else map (\k -> i32.sum xs[k * b:(k + 1) * b]) (iota (n / b))

entry below_the_diagonal [n] (xs: [n]i32) = loop s = 0 for i < n do s + (loop t = 0 for j < i do t + xs[j])

entry row_and_column [n] [m] (xs: [n][m]i32) = map (\k -> xs[k / m, k % m]) (iota (n * m))

entry row_and_column_towards_zero [n] [m] (xs: [n][m]i32) = map (\k -> xs[k // m, k %% m]) (iota (n * m))

entry row_major [n] [m] (xs: [n][m]i32) =
  let ys = flatten xs
  in tabulate_2d n m (\i j -> ys[i * m + j])

entry column_major [n] [m] (xs: [n][m]i32) =
  let ys = copy (flatten xs)
  in tabulate_2d m n (\j i -> ys[j + m * i])

entry three_dimensions [n] [m] [l] (xs: [n][m][l]i32) =
  let ys = copy (flatten_3d xs)
  in tabulate_3d n m l (\i j k -> ys[(i * m + j) * l + k])

entry there_and_back [n] [m] (xs: [n][m]i32) = map i32.sum (unflatten (map (+ 0) (flatten xs)) :> [n][m]i32)
