-- Points with arrays of their own, whose sizes they compute, and loops over these arrays in loops. In lanes, neighbouring points
-- run at once where the sizes are equal; the others run one by one.
-- ==
-- entry: points
-- input { [3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64]
--         [1i64, 2i64, 0i64, 4i64, 1i64, 5i64, 2i64, 3i64, 2i64, 6i64, 1i64] }
-- output { [3.0, 6.0, 3.0, 24.0, 6.0, 15.0, 6.0, 21.0, 12.0, 20.0, 3.0] }
-- input { [5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 6i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64, 5i64]
--         [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] }
-- output { [14.0, 16.0, 22.0, 18.0, 12.0, 14.0, 16.0, 22.0, 20.0, 18.0, 17.0, 20.0, 21.0, 20.0, 18.0, 17.0, 20.0, 22.0, 18.0, 12.0, 14.0, 16.0, 22.0, 18.0] }
-- input { [35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64, 35i64]
--         [3i64, 1i64, 2i64, 3i64, 1i64, 2i64, 3i64, 1i64, 2i64, 3i64, 1i64, 2i64, 3i64, 1i64, 2i64, 1i64, 1i64] }
-- output { [154.0, 70.0, 106.0, 160.0, 70.0, 98.0, 154.0, 73.0, 102.0, 150.0, 70.0, 100.0, 164.0, 71.0, 96.0, 70.0, 70.0] }
-- input { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64]
--         [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] }
-- output { [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0] }
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64]
--         [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] }
-- output { [-1.0, 3.0, 11.0, 12.0, 11.0, 14.0, 20.0, 23.0, 26.0, 26.0] }
-- input { [40i64, 40i64, 40i64, 40i64, 40i64, 40i64, 40i64, 33i64, 31i64, 31i64, 31i64, 31i64, 31i64, 31i64, 31i64, 31i64, 32i64, 32i64, 32i64, 32i64, 32i64, 32i64, 32i64, 32i64]
--         [1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64, 1i64, 2i64] }
-- output { [81.0, 112.0, 80.0, 118.0, 83.0, 113.0, 80.0, 102.0, 63.0, 91.0, 61.0, 88.0, 62.0, 92.0, 67.0, 85.0, 63.0, 95.0, 70.0, 89.0, 61.0, 88.0, 65.0, 99.0] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]f64) }
-- input { [3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, -3i64, 3i64] [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] }
-- error: .*-3

-- ==
-- entry: large
-- input { 16i64 5000i64 }
-- output { true }

-- ==
-- entry: histories
-- input { [3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64, 3i64]
--         [5000i64, 4096i64, 4097i64, 1i64, 0i64, 4095i64, 5000i64, 9000i64, 5000i64, 4096i64, 4097i64, 1i64, 0i64, 4095i64, 5000i64, 9000i64] }
-- output { [22503.0, 18435.0, 18438.0, 6.0, -1.0, 18429.0, 22503.0, 40503.0, 22503.0, 18435.0, 18438.0, 6.0, -1.0, 18429.0, 22503.0, 40503.0] }

-- ==
-- entry: failing
-- input { [4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64] 20i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64] }
-- input { [4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64] 11i64 }
-- error: Index \[7\] out of bounds for array of shape \[4\]
-- input { [4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64, 4i64] 16i64 }
-- error: Index \[7\] out of bounds for array of shape \[4\]

-- | Rounds of a stencil in an array of `width` elements, and the sum of the elements before each.
def point (i: i64) (width: i64) (count: i64): f64 =
  let first = map (\k -> f64.i64 ((k + i) % 5)) (iota width)
  let (last, total) =
    loop (xs, total) = (first, 0) for _i < count do
      let next (k: i64): f64 =
        let left = if k > 0 then xs[k - 1] else 0
        let right = if k + 1 < width then xs[k + 1] else 0
        let y = left + 2 * xs[k] + right
        in y - 4 * f64.trunc (y / 4)
      in (map next (iota width), total + f64.sum xs)
  in total + (if width > 0 then last[width / 2] else -1)

entry points [n] (widths: [n]i64) (counts: [n]i64): [n]f64 =
  map3 point (iota n) widths counts

-- | Arrays that do not fit the memory of lanes.
entry large (n: i64) (width: i64): bool =
  let values = map (\i -> point (i % 2) (width + i / n) 2) (iota n)
  in and (map (\i -> values[i] == values[i % 2]) (iota n))

-- | Sums of few elements, as many as the point has rounds: more than the memory of lanes holds in some points.
entry histories [n] (widths: [n]i64) (counts: [n]i64): [n]f64 =
  map2 (\width count ->
          let ones = map (\k -> f64.i64 (k % 2 + 1)) (iota width)
          let sums = loop sums = replicate count 0.0 for j < count do
                       sums with [j] = f64.sum (map (\k -> f64.i64 j + ones[k] * f64.i64 k - f64.i64 (k % 2)) (iota width))
          in if count > 0 then sums[count - 1] + sums[count / 2] else -1)
       widths counts

-- | The point `bad` reads an element that its array lacks.
entry failing [n] (widths: [n]i64) (bad: i64): [n]i64 =
  map2 (\i width ->
          let first = map (+ i) (iota width)
          let last = loop xs = first for j < 2 do
                       map (\k -> if i == bad && j == 1 && k == 3 then xs[k + width] else xs[(k + 1) % width]) (iota width)
          in last[width - 2]) (iota n) widths
