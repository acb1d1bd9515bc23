-- Maps whose results update part of an array. If the map reads what the update overwrites, it must read the old elements.

-- Each column is computed from itself.
-- ==
-- entry: columns
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[2i64, 5i64, 8i64], [8i64, 11i64, 14i64]] }
entry columns [n] [m] (a: *[n][m]i64): [n][m]i64 =
  loop a for j < m do
    let column = map (\x -> 2 * x + j) a[:, j]
    in a with [:, j] = column

-- Each column is computed from the column before it.
-- ==
-- entry: from_before
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[1i64, 10i64, 100i64], [4i64, 41i64, 411i64]] }
entry from_before [n] [m] (a: *[n][m]i64): [n][m]i64 =
  loop a for j < m - 1 do
    let column = map (\i -> 10 * a[i, j] + i) (iota n)
    in a with [:, j + 1] = column

-- Each column is turned round, so a point reads the element of another one.
-- ==
-- entry: turned
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- output { [[5i64, 7i64], [3i64, 5i64], [1i64, 3i64]] }
entry turned [n] [m] (a: *[n][m]i64): [n][m]i64 =
  loop a for j < m do
    let column = map (\i -> a[n - 1 - i, j] + j) (iota n)
    in a with [:, j] = column

-- The rest of the matrix is computed from rows and columns that stay, from itself, and from all of its old elements.
-- ==
-- entry: rests
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] }
-- output { [[1i64, 2i64, 3i64], [4i64, -3i64, -6i64], [7i64, -6i64, -48i64]]
--   [[6i64, 7i64, 8i64], [15i64, 33i64, 34i64], [24i64, 51i64, 52i64]] }
entry rests [n] (a: *[n][n]i64): ([n][n]i64, [n][n]i64) =
  let eliminated =
    loop a = copy a for k < n do
      let rest =
        map (\i -> map (\j -> a[k + 1 + i, k + 1 + j] - a[k + 1 + i, k] * a[k, k + 1 + j]) (iota (n - k - 1)))
            (iota (n - k - 1))
      in a with [k + 1:, k + 1:] = rest
  let summed =
    loop a for k < n do
      let rest = map (\i -> map (\j -> i64.sum a[k + i, k:] + j) (iota (n - k))) (iota (n - k))
      in a with [k:, k:] = rest
  in (eliminated, summed)

-- The old column is needed after the new one is known.
-- ==
-- entry: old_and_new
-- input { [[1i64, 2i64], [3i64, 4i64]] }
-- output { [[11i64, 12i64], [13i64, 14i64]] 102i64 }
entry old_and_new [n] [m] (a: *[n][m]i64): ([n][m]i64, i64) =
  loop (a, sum) = (a, 0) for j < m do
    let column = map (+ 10) a[:, j]
    let old = a[0, j]
    in (a with [:, j] = column, sum * 100 + old)

-- A map that may fail updates a column that it reads: the message has the operand of the first failure.
-- ==
-- entry: failing
-- input { [1i64, 0i64, 4i64] [[1i64], [2i64], [3i64]] } error: division by zero
entry failing [n] (divisors: [n]i64) (a: *[n][1]i64): [n][1]i64 =
  let column = map2 (\x d -> 12 / d + x) a[:, 0] divisors
  in a with [:, 0] = column
