-- Each block reduces a row.

-- ==
-- entry: largest
-- input { [[3.0f64, 7.5, 7.5, -2.0], [-1.0, -3.0, -2.0, -9.0]] }
-- output { [7.5f64, -1.0] [1i64, 0] }
entry largest [n] [m] (xss: [n][m]f64): ([n]f64, [n]i64) =
  let later (x, i) (y, j) = if y > x then (y, j) else (x, i)
  in unzip (#[flattening(block)] map (\xs -> reduce later (-f64.inf, -1) (zip xs (iota m))) xss)

-- The whole block uses the result afterwards.

-- ==
-- entry: centred
-- input { [[1i32, 2, 6], [0, 0, 0]] }
-- output { [[-2i32, -1, 3], [0, 0, 0]] }
-- input { empty([3][0]i32) }
-- output { empty([3][0]i32) }
entry centred [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\xs -> let mean = if m == 0 then 0 else i32.sum xs / i32.i64 m in map (\x -> x - mean) xs) xss

-- Several reductions of one row, in sequence.

-- ==
-- entry: spread
-- input { [[1i32, 2, 6], [4, 4, 4]] }
-- output { [14i32, 0] }
entry spread [n] [m] (xss: [n][m]i32): [n]i32 =
  xss |> #[flattening(block)] map (\xs ->
    let mean = i32.sum xs / i32.i64 (i64.max 1 m)
    in i32.sum (map (\x -> (x - mean) * (x - mean)) xs))
