-- Loops that pass one parameter on as another one. Their results never alias each other.
-- ==
-- entry: shifted
-- input { 3i64 [1i64, 2i64] }
-- output { [7i64, 3i64] [3i64, 4i64] }
-- input { 0i64 [1i64, 2i64] }
-- output { [7i64, 2i64] [1i64, 2i64] }

-- ==
-- entry: both
-- input { 2i64 [1i64, 2i64] }
-- output { [9i64, 3i64] [8i64, 2i64] [2i64, 3i64] }

-- ==
-- entry: carried
-- input { 3i64 [1i64, 2i64] }
-- output { [4i64, 5i64] [5i64, 5i64] }

entry shifted [n] (k: i64) (xs: [n]i64) =
  let (a, b) = loop (a, b) = (copy xs, copy xs) for i < k do (b, map (+ i) xs)
  let a[0] = 7
  in (a, copy b)

entry both [n] (k: i64) (xs: [n]i64) =
  let (a, b, c) =
    loop (a, b, c) = (copy xs, copy xs, copy xs) for _i < k do
      let d = map (+ 1) xs in (d, c, a)
  let b = b with [0] = 8
  let a = a with [0] = 9
  in (a, b, copy c)

entry carried [n] (k: i64) (xs: [n]i64) =
  loop (a: *[n]i64, b: *[n]i64) = (copy xs, copy xs) for i < k do
    let (c, d) = loop (c, d) = (a, map (+ i) xs) for _j < 2 do (d, map (+ (i + 1)) xs)
    let c[0] = i + 3
    in (d with [0] = i + 2, c)
