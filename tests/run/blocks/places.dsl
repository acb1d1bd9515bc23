-- Blocks in loops and branches of the host, in functions, and in large numbers.

def sums [n] [m] (xss: [n][m]i32): [n][m]i32 = #[flattening(block)] map (scan (+) 0) xss

-- ==
-- entry: repeated
-- input { [[1i32, 2], [3, 4]] 3i64 }
-- output { [[1i32, 5], [3, 13]] }
-- input { [[1i32, 2], [3, 4]] 0i64 }
-- output { [[1i32, 2], [3, 4]] }
entry repeated [n] [m] (xss: [n][m]i32) (times: i64): [n][m]i32 =
  loop xss for _i < times do sums xss

-- ==
-- entry: chosen
-- input { true [[1i32, 2], [3, 4]] }
-- output { [[1i32, 3], [3, 7]] }
-- input { false [[1i32, 2], [3, 4]] }
-- output { [[-1i32, -2], [-3, -4]] }
entry chosen [n] [m] (scans: bool) (xss: [n][m]i32): [n][m]i32 =
  if scans then sums xss else map (map i32.neg) xss

-- In threads the attribute has no effect.

-- ==
-- entry: nested
-- input { [[[1i32, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- output { [[[1i32, 3], [3, 7]], [[5, 11], [7, 15]]] [[1i32, 3], [3, 7]] }
entry nested [l] [n] [m] (xsss: [l][n][m]i32): ([l][n][m]i32, [n][m]i32) =
  (map sums xsss, sums xsss[0])

-- ==
-- entry: many
-- input { 70000i64 } output { 4900000000i64 }
entry many (n: i64): i64 =
  #[flattening(block)] i64.sum (map (\i -> i64.sum (scan (+) 0 [i, 1])) (iota n))

-- Consumed arrays are overwritten only after all blocks have read them.

-- ==
-- entry: shifted
-- input { [[1i32, 2], [3, 4], [5, 6]] }
-- output { [[1i32, 3], [4, 8], [6, 12]] }
entry shifted [n] [m] (xss: *[n][m]i32): *[n][m]i32 =
  #[flattening(block)] map (\i ->
    let before = if i == 0 then replicate m 0 else xss[i - 1]
    in map2 (\s b -> s + i32.bool (b > 0)) (scan (+) 0 xss[i]) before) (iota n)
