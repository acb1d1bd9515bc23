-- | Loops in a map that overwrite an array which has just been filled or copied: all of it, or all but one end.

-- | All elements but the first one.
-- ==
-- entry: upwards
-- input { [3i64, 5i64] 0i64 }
-- output { empty([2][0]i64) }
-- input { [3i64, 5i64] 1i64 }
-- output { [[3i64], [5i64]] }
-- input { [3i64, 5i64] 4i64 }
-- output { [[3i64, 0i64, 1i64, 2i64], [5i64, 0i64, 1i64, 2i64]] }
entry upwards [r] (starts: [r]i64) (n: i64): [r][n]i64 =
  map (\start -> loop xs = replicate n start for k < n - 1 do xs with [k + 1] = k) starts

-- | All elements but the last one.
-- ==
-- entry: downwards
-- input { [3i64, 5i64] 0i64 }
-- output { empty([2][0]i64) }
-- input { [3i64, 5i64] 1i64 }
-- output { [[3i64], [5i64]] }
-- input { [3i64, 5i64] 4i64 }
-- output { [[2i64, 1i64, 0i64, 3i64], [2i64, 1i64, 0i64, 5i64]] }
entry downwards [r] (starts: [r]i64) (n: i64): [r][n]i64 =
  map (\start -> loop xs = replicate n start for k < n - 1 do xs with [n - 2 - k] = k) starts

-- | All elements, from the last one on.
-- ==
-- entry: backwards
-- input { [3i64, 5i64] 0i64 }
-- output { empty([2][0]i64) }
-- input { [3i64, 5i64] 3i64 }
-- output { [[2i64, 1i64, 0i64], [2i64, 1i64, 0i64]] }
entry backwards [r] (starts: [r]i64) (n: i64): [r][n]i64 =
  map (\start -> loop xs = replicate n start for k < n do xs with [n - 1 - k] = k) starts

-- | As many as a number says, which may be negative.
-- ==
-- entry: as_many
-- input { [3i64, 5i64] 4i64 2i64 }
-- output { [[0i64, 1i64, 3i64, 3i64], [0i64, 1i64, 5i64, 5i64]] }
-- input { [3i64] 2i64 -9223372036854775808i64 }
-- output { [[3i64, 3i64]] }
-- input { [3i64] 2i64 0i64 }
-- output { [[3i64, 3i64]] }
-- input { [3i64] 2i64 2i64 }
-- output { [[0i64, 1i64]] }
-- input { [3i64] 2i64 3i64 }
-- error: out of bounds
entry as_many [r] (starts: [r]i64) (n: i64) (m: i64): [r][n]i64 =
  map (\start -> loop xs = replicate n start for k < m do xs with [k] = k) starts

-- | A part in the middle: both ends keep what they had.
-- ==
-- entry: middle
-- input { [3i64] 5i64 }
-- output { [[3i64, 0i64, 1i64, 2i64, 3i64]] }
-- input { [3i64] 2i64 }
-- output { [[3i64, 3i64]] }
-- input { [3i64] 1i64 }
-- output { [[3i64]] }
entry middle [r] (starts: [r]i64) (n: i64): [r][n]i64 =
  map (\start -> loop xs = replicate n start for k < n - 2 do xs with [k + 1] = k) starts

-- | A copy whose source the loop reads, and one whose source changes before the loop.
-- ==
-- entry: copies
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- output { [[1i64, 3i64, 5i64], [4i64, 9i64, 11i64]] [[9i64, 1i64, 2i64], [9i64, 4i64, 5i64]] }
-- input { empty([1][0]i64) }
-- error: out of bounds
entry copies [r] [n] (rows: [r][n]i64): ([r][n]i64, [r][n]i64) =
  let sums (row: [n]i64) =
    let xs = copy row
    in loop xs for k < n - 1 do xs with [k + 1] = row[k] + row[k + 1]
  let shifted (row: [n]i64) =
    let own = copy row
    let xs = copy own
    let own = own with [0] = 9
    let xs = loop xs for k < n - 1 do xs with [k + 1] = row[k]
    in xs with [0] = own[0]
  in (map sums rows, map shifted rows)

-- | The loop reads what it overwrites, or the array is read before the loop.
-- ==
-- entry: read
-- input { [[1i64, 2i64, 3i64]] }
-- output { [[1i64, 2i64, 3i64]] [7i64] }
entry read [r] [n] (rows: [r][n]i64): ([r][n]i64, [r]i64) =
  let counted (start: i64) =
    loop xs = replicate n start for k < n - 1 do xs with [k + 1] = xs[k] + 1
  let both (row: [n]i64) =
    let xs = copy row
    let sum = i64.sum xs
    let xs = loop xs for k < n - 1 do xs with [k + 1] = k
    in sum + xs[0] * xs[n - 1]
  in (map (\row -> counted row[0]) rows, map both rows)

-- | The greatest difference between an elimination and the same without arrays, with more points than lanes. One element
-- is left in each array.
-- ==
-- entry: elimination
-- input { 19i64 5i64 }
-- output { 0.0 }
-- input { 19i64 1i64 }
-- output { 0.0 }
entry elimination (r: i64) (n: i64): f64 =
  let solve (p: i64): f64 =
    let right = tabulate n (\i -> f64.i64 (p + i))
    let (_, pivots, rest) =
      loop (pivot, pivots, rest) = (0.5, replicate n 0.5, copy right) for k < n - 1 do
        let next = 1 / (2.5 - pivot)
        in (next, pivots with [k + 1] = next, rest with [k + 1] = right[k + 1] - right[k] * next)
    let last = rest[n - 1] * pivots[n - 1]
    let (_, xs) =
      loop (x, xs) = (last, replicate n last) for k < n - 1 do
        let x = (rest[n - 2 - k] - x) * pivots[n - 2 - k]
        in (x, xs with [n - 2 - k] = x)
    in f64.sum xs
  let again (p: i64): f64 =
    let pivot (i: i64): f64 = loop pivot = 0.5 for _k < i do 1 / (2.5 - pivot)
    let rest (i: i64): f64 = if i == 0 then f64.i64 p else f64.i64 (p + i) - f64.i64 (p + i - 1) * pivot i
    let last = rest (n - 1) * pivot (n - 1)
    let (_, sum) =
      loop (x, sum) = (last, last) for k < n - 1 do
        let x = (rest (n - 2 - k) - x) * pivot (n - 2 - k)
        in (x, sum + x)
    in sum
  in f64.maximum (tabulate r (\p -> f64.abs (solve p - again p)))

-- | The rows of a table, each from the one before and from its own elements: a position is a sum of the beginning of a
-- row, a counter and a constant.
-- ==
-- entry: table
-- input { 19i64 3i64 4i64 }
-- output { [9.0, 37.0, 65.0, 93.0, 121.0, 149.0, 177.0, 205.0, 233.0, 261.0, 289.0, 317.0, 345.0, 373.0, 401.0, 429.0, 457.0, 485.0, 513.0] }
entry table (r: i64) (m: i64) (n: i64): [r]f64 =
  let point (p: i64): f64 =
    let rows = replicate m (replicate n (f64.i64 p))
    let rows =
      loop rows for i < m - 1 do
        loop rows for k < n - 1 do
          rows with [i + 1, k + 1] = rows[i, k] + rows[i + 1, k] + f64.i64 k
    in f64.sum (flatten rows)
  in tabulate r point
