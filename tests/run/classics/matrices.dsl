-- Dense matrices, transforms and grids.

-- ==
-- entry: product
-- input { [[1f32, 2f32], [3f32, 4f32]] [[5f32, 6f32], [7f32, 8f32]] } output { [[19f32, 22f32], [43f32, 50f32]] }
entry product [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32): [n][k]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

-- The factors of a matrix in its own memory, without pivoting: U on and above the diagonal, L below it.
-- ==
-- entry: lu
-- input { [[4f64, 2f64], [2f64, 3f64]] } output { [[4f64, 2f64], [0.5f64, 2f64]] }
-- input { [[2f64, 1f64, 1f64], [4f64, 3f64, 3f64], [8f64, 7f64, 9f64]] }
-- output { [[2f64, 1f64, 1f64], [2f64, 1f64, 1f64], [4f64, 3f64, 2f64]] }
entry lu [n] (a: *[n][n]f64): [n][n]f64 =
  loop a for k < n do
    let factors = map (/ a[k, k]) a[k + 1:, k]
    let pivots = copy a[k, k + 1:]
    let rest = map2 (\factor row -> map2 (\x pivot -> x - factor * pivot) row pivots) factors a[k + 1:, k + 1:]
    let a[k + 1:, k] = factors
    let a[k + 1:, k + 1:] = rest
    in a

-- The discrete Fourier transform of complex numbers, whose count is a power of two.
--
-- Source: Stockham, High-speed convolution and correlation (Spring Joint Computer Conference 1966).
-- ==
-- entry: fft
-- input { [1f64, 2f64, 3f64, 4f64] [0f64, 0f64, 0f64, 0f64] }
-- output { [10f64, -2f64, -2f64, -2f64] [0f64, 2f64, 0f64, -2f64] }
-- input { [5f64] [1f64] } output { [5f64] [1f64] }
entry fft [n] (re: [n]f64) (im: [n]f64): ([n]f64, [n]f64) =
  let half = n / 2
  let angle (i: i64) = 2 * f64.pi * f64.i64 i / f64.i64 n
  let cosines = tabulate half (\i -> f64.cos (angle i))
  let sines = tabulate half (\i -> - (f64.sin (angle i)))
  -- Each round doubles the length of the transforms that are complete.
  let (re, im, _) =
    loop (re, im, done) = (re, im, 1) while done < n do
      let element (i: i64) =
        let (block, place) = (i / (2 * done), i % (2 * done))
        let first = block * done + place % done
        let (a, b) = (re[first], im[first])
        let (c, d) = (re[first + half], im[first + half])
        in if place < done
           then (a + c, b + d)
           else let (cosine, sine) = (cosines[block * done], sines[block * done])
                let (x, y) = (a - c, b - d)
                in (x * cosine - y * sine, x * sine + y * cosine)
      let (re, im) = unzip (tabulate n element)
      in (re, im, 2 * done)
  in (re, im)

-- Rounds of a five-point stencil; the border keeps its values.
-- ==
-- entry: stencil_2d
-- input { [[1f32, 1f32, 1f32], [1f32, 6f32, 1f32], [1f32, 1f32, 1f32]] 1 }
-- output { [[1f32, 1f32, 1f32], [1f32, 2f32, 1f32], [1f32, 1f32, 1f32]] }
-- input { [[1f32, 2f32], [3f32, 4f32]] 5 } output { [[1f32, 2f32], [3f32, 4f32]] }
entry stencil_2d [n] [m] (grid: [n][m]f32) (rounds: i32): [n][m]f32 =
  loop grid for _round < rounds do
    tabulate_2d n m (\i j ->
      if i == 0 || i == n - 1 || j == 0 || j == m - 1
      then grid[i, j]
      else 0.2 * (grid[i, j] + grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]))

-- Rounds of a seven-point stencil in a box; its surface keeps its values.
-- ==
-- entry: stencil_3d
-- input { [[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]],
--          [[1f32, 1f32, 1f32], [1f32, 5f32, 1f32], [1f32, 1f32, 1f32]],
--          [[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]] 1 }
-- output { [[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]],
--           [[1f32, 1f32, 1f32], [1f32, 2f32, 1f32], [1f32, 1f32, 1f32]],
--           [[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]] }
entry stencil_3d [n] [m] [k] (box: [n][m][k]f32) (rounds: i32): [n][m][k]f32 =
  loop box for _round < rounds do
    tabulate_3d n m k (\x y z ->
      if x == 0 || x == n - 1 || y == 0 || y == m - 1 || z == 0 || z == k - 1
      then box[x, y, z]
      else 0.25 * box[x, y, z]
           + 0.125 * (box[x - 1, y, z] + box[x + 1, y, z] + box[x, y - 1, z]
                      + box[x, y + 1, z] + box[x, y, z - 1] + box[x, y, z + 1]))
