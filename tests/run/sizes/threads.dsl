-- Arrays whose size is computed by each thread.
-- ==
-- entry: sums
-- input { [3i64, 0i64, 5i64, 1i64] } output { [3i64, 0i64, 10i64, 0i64] }
-- input { [0i64, 0i64] } output { [0i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [3i64, -1i64, 5i64] } error: Range 0\.\.1\.\.<-1 is invalid.
-- entry: triangles
-- input { [3i64, 0i64, 5i64, 1i64] } output { [4i64, 0i64, 20i64, 0i64] }
-- entry: tables
-- input { [3i64, 0i64, 5i64, 1i64] } output { [18i64, 0i64, 10i64, 10i64] }
-- entry: filters
-- input { [3i64, 0i64, 6i64, 1i64] } output { [1i64, -1i64, 9i64, -1i64] }
-- entry: states
-- input { [1i64, 2i64, 0i64] [1i64, 4i64, 0i64] } output { [12i64, 0i64, 0i64] }
-- input { [2i64, 3i64, 1i64] [1i64, 4i64, 0i64] } error: Index \[3\] out of bounds for array of shape \[3\]

-- | The last of as many prefix sums as the element says.
entry sums [n] (ks: [n]i64): [n]i64 =
  map (\k -> let sums = scan (+) 0 (iota k) in if k == 0 then 0 else sums[k - 1]) ks

-- | A different size in every iteration.
entry triangles [n] (ks: [n]i64): [n]i64 =
  map (\k -> loop sum = 0 for i < k do let sums = scan (+) 0 (iota (i + 1)) in sum + sums[i]) ks

-- | Two sizes, one of which decreases as the other increases.
entry tables [n] (ks: [n]i64): [n]i64 =
  map (\k -> let wide = 6 - k
             let table = transpose (tabulate_2d k wide (\i j -> i + j))
             in loop sum = 0 for j < wide do sum + i64.sum (scan i64.max 0 table[j]))
      ks

-- | Loop-carried arrays whose size is an element of another array.
entry states [n] [m] (at: [n]i64) (widths: [m]i64): [n]i64 =
  map (\i -> let width = widths[i]
             let states = loop states = iota width for _round < 3 do map2 (+) states (reverse states)
             in if width == 0 then 0 else states[width - 1])
      at

-- | The sum of the elements that pass a filter, computed by an array of prefix sums of that size.
entry filters [n] (ks: [n]i64): [n]i64 =
  map (\k -> let odd = filter (\i -> i % 2 == 1) (iota k)
             let sums = scan (+) 0 odd
             in if null sums then -1 else last sums)
      ks
