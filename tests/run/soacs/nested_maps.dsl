-- Perfectly nested maps, which may become one index space.
-- ==
-- entry: products
-- input { [1, 2] [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 2, 3], [8, 10, 12]] [[2, 3, 4], [5, 6, 7]] }
-- input { empty([0]i32) empty([0][3]i32) }
-- output { empty([0][3]i32) empty([0][3]i32) }
-- input { [1, 2] empty([2][0]i32) }
-- output { empty([2][0]i32) empty([2][0]i32) }
-- entry: cubes
-- input { 2i64 3i64 4i64 }
-- output { [[[0i64, 1i64, 2i64, 3i64], [10i64, 11i64, 12i64, 13i64], [20i64, 21i64, 22i64, 23i64]],
--           [[100i64, 101i64, 102i64, 103i64], [110i64, 111i64, 112i64, 113i64], [120i64, 121i64, 122i64, 123i64]]] }
-- input { 2i64 0i64 4i64 }
-- output { empty([2][0][4]i64) }
-- entry: ratios
-- input { [[1, 2], [4, 5]] }
-- output { [[100, 50], [25, 20]] }
-- input { [[1, 2], [0, 5], [0, 0]] }
-- error: division by zero
-- entry: fibonacci
-- input { [[1i64, 2i64], [10i64, 90i64]] }
-- output { [[1i64, 1i64], [55i64, 2880067194370816120i64]] }

entry products [n] [m] (ks: [n]i32) (xss: [n][m]i32): ([n][m]i32, [n][m]i32) =
  unzip (map unzip (map2 (\k xs -> map (\x -> (k * x, x + 1)) xs) ks xss))

entry cubes (n: i64) (m: i64) (l: i64): [n][m][l]i64 =
  tabulate n (\i -> tabulate m (\j -> tabulate l (\k -> 100 * i + 10 * j + k)))

entry ratios [n] [m] (xss: [n][m]i32): [n][m]i32 = map (map (\x -> 100 / x)) xss

-- Each element has a private array.
entry fibonacci [n] [m] (ns: [n][m]i64): [n][m]i64 =
  map (map (\k ->
              let xs = loop xs = replicate (k + 1) 1 with [0] = 0 for i < k - 1 do xs with [i + 2] = xs[i] + xs[i + 1]
              in xs[k]))
      ns

-- A row that is read again after a loop with invariant loads and checks has filled it.
-- ==
-- entry: row_read_after_it_is_filled
-- input { [2f64, 3f64] [1f64, 10f64] [1i64, 0i64] } output { [[33f64, 30f64], [24f64, 21f64]] }
-- input { [2f64] [1f64, 10f64, 100f64] [2i64] } error: Index .2. out of bounds
-- input { empty([0]f64) [1f64, 10f64] empty([0]i64) } output { empty([0][2]f64) }
entry row_read_after_it_is_filled [n] [m] (ys: [n]f64) (zs: [m]f64) (k: [n]i64): [n][m]f64 =
  tabulate n (\i ->
    let row = map (\z -> ys[k[i]] * z + f64.i64 i) zs
    in row with [0] = row[k[0]] + row[0])
