-- A size that is computed by a division is one size in types, before a loop and in it.
-- ==
-- entry: halves
-- input { 7i64 2i64 } output { [3, 3, 3] [1, 1, 1] [4] }
-- input { 1i64 3i64 } output { empty([0]i32) empty([0]i32) [8] }
-- input { 7i64 0i64 } error: division by zero

-- ==
-- entry: several
-- input { [1, 2, 3] } output { [1, 3, 9] 3i64 }

entry halves (n: i64) (m: i64): ([]i32, []i32, []i32) =
  let a = loop a = replicate (n / m) 0 for i < 3 do if i < 5 then map (+ 1) a else a
  let (b, _) = loop (b, i) = (replicate (n // m) 1, 0) while i < 2 do (copy b, i + 1)
  let c = loop c = replicate (n % m + 0 ** m) 1 for _i < m do map2 (+) c c
  in (a, b, c)

entry several [n] (xs: [n]i32): ([]i32, i64) =
  let (kept, count, _) =
    loop (kept, count, rest) = (replicate ((n * 8 + 6) / 7) 0, 0, 0) for x in xs do
      let rest = rest * 2 + x
      in if count < 9 then (kept with [count] = rest - x + 1, count + 1, rest) else (kept, count, rest)
  in (kept[:count], count)
