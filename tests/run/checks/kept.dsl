-- Programs that are one step away from idioms whose checks are proved. Their checks can fail, and do.
-- ==
-- entry: rotated
-- input { 2i64 [1, 2, 3] } output { [3, 1, 2] }
-- input { 4i64 [1, 2, 3] } error: Index \[:4\] out of bounds for array of shape \[3\]

-- ==
-- entry: beside_in_a_literal
-- input { 1i64 [1, 2, 3] } output { 4 2 [7, 7, 7] 9 }
-- input { 5i64 [1, 2, 3] } error: Index \[5\] out of bounds for array of shape \[3\]

-- ==
-- entry: in_a_reversed_literal
-- input { 5i64 [1, 2, 3] } error: Index \[5\] out of bounds for array of shape \[3\]

-- ==
-- entry: ring
-- input { [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: ring_towards_zero
-- input { [1, 2, 3] } error: Index \[-1\] out of bounds for array of shape \[3\]

-- ==
-- entry: clamped
-- input { 0i64 [1, 2, 3] } output { 1 }
-- input { 9i64 [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { -9i64 [1, 2, 3] } error: Index \[-1\] out of bounds for array of shape \[3\]
-- input { 0i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

-- ==
-- entry: pairs
-- input { [1, 2, 3, 4] } output { [2, 4] }
-- input { [1, 2, 3] } error: Index \[3\] out of bounds for array of shape \[3\]

-- ==
-- entry: in_blocks
-- input { [1, 2, 3, 4, 5] 2i64 } error: Index \[4:6\] out of bounds for array of shape \[5\]

-- ==
-- entry: row_and_column
-- input { 4i64 [[1, 2], [3, 4]] } output { [1, 2, 3, 4] }
-- input { 5i64 [[1, 2], [3, 4]] } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[2\]
-- input { 1i64 empty([2][0]i32) } error: division by zero

-- ==
-- entry: column_and_row
-- input { [[1, 2], [3, 4]] } output { [1, 3, 2, 4] }
-- input { [[1, 2, 3], [4, 5, 6]] } error: Index \[2, 0\] out of bounds for array of shape \[2\]\[3\]

-- ==
-- entry: row_major
-- input { 0i64 [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] }
-- input { 1i64 [[1, 2], [3, 4]] } error: Index \[4\] out of bounds for array of shape \[4\]

-- The product of these, 2⁶⁴ + 1, wraps to 1.
-- ==
-- entry: wrapped
-- input { 2i64 2i64 1i64 1i64 [1, 2, 3, 4] } output { 4 }
-- input { 274177i64 67280421310721i64 1i64 0i64 [7] }
-- error: Index \[67280421310721\] out of bounds for array of shape \[1\]

-- Nothing follows from a side of a branch that is not taken.
-- ==
-- entry: beside
-- input { 0i64 0i64 [7] } output { 7 }
-- input { 0i64 1i64 [7] } error: Index \[1\] out of bounds for array of shape \[1\]
-- input { 1i64 1i64 empty([0]i32) } error: Index \[0\] out of bounds for array of shape \[0\]

entry rotated [n] (k: i64) (xs: [n]i32): [n]i32 =
  let k = k % (n + 2)
  in concat xs[k:] xs[:k] :> [n]i32

entry ring [n] (r: [n]i32) = map (\i -> r[(i + 1) % (n + 1)]) (iota n)

entry ring_towards_zero [n] (r: [n]i32) = map (\i -> r[(i - 1) %% n]) (iota n)

entry clamped [n] (k: i64) (r: [n]i32) = r[if k < 0 then k / 9 else if k >= n then n else k]

entry pairs [n] (xs: [n]i32) = map (\i -> xs[2 * i + 1]) (iota ((n + 1) / 2))

entry in_blocks [n] (xs: [n]i32) (b: i64) = map (\k -> i32.sum xs[k * b:(k + 1) * b]) (iota (n / b + 1))

entry row_and_column [n] [m] (l: i64) (xs: [n][m]i32) = map (\k -> xs[k / m, k % m]) (iota l)

entry column_and_row [n] [m] (xs: [n][m]i32) = map (\k -> xs[k % m, k / m]) (iota (n * m))

entry row_major [n] [m] (k: i64) (xs: [n][m]i32) =
  let ys = flatten xs
  in tabulate_2d n m (\i j -> ys[i * m + j + k])

entry wrapped [l] (n: i64) (m: i64) (i: i64) (j: i64) (ys: [l]i32) =
  if 0 <= i && i < n && 0 <= j && j < m && n * m == l then ys[i * m + j] else 0

entry beside [n] (k: i64) (l: i64) (xs: [n]i32) =
  let j = if k == 0 then l else if n > 0 then n - 1 else 0
  in xs[j]

-- A checked size proves nothing about numbers that do not depend on the check: these have the same factors, but
-- may overflow.
-- ==
-- entry: unchecked_factors
-- input { [1i64, 2i64, 3i64] 4611686018427387904i64 4i64 2305843009213693952i64 0i64 }
-- error:
entry unchecked_factors [n] (xs: [n]i64) (r: i64) (w: i64) (i: i64) (j: i64): i64 =
  if 0 <= i && i < r && 0 <= j && j < w && n > 0
  then (flatten (replicate r (replicate w 1i64)))[0] * 0 + xs[(i * w + j) %% n]
  else 7

-- If a loop has an iteration, a last element exists. If it has none, the array may be empty.
-- ==
-- entry: last_of_a_round
-- input { [1i64, 2i64, 3i64] -1000000000i64 } output { 0i64 }
-- input { [1i64, 2i64, 3i64] 3i64 } output { 27i64 }
entry last_of_a_round [n] (xs: [n]i64) (k: i64): i64 =
  if k <= n then loop s = 0 for _i < k do s + i64.sum (map (\x -> x * x) xs[k-1:k]) else 99

-- ==
-- entry: rest_of_a_round
-- input { empty([0]i64) } output { 0i64 }
entry rest_of_a_round [n] (xs: [n]i64): i64 =
  loop s = 0 for i < n do let ys = scan (+) 0 xs[1:] in s + (if i > 0 then ys[i-1] else 3)

-- A fact that follows from a check depends on the check, even if the values in between turn out to be known. Here
-- `a` is known to be `i - 1` only after `j` has been shown to be a position.
-- ==
-- entry: through_a_condition through_a_minimum through_a_remainder through_a_bound through_a_choice through_a_branch
-- input { [1i64, 2i64, 3i64] 2u32 2i64 } output { 2i64 }
-- input { [1i64, 2i64, 3i64] 1000000000u32 2i64 } error: Assertion is false: \(i < n\)
def before (i: i64) (m: i64): i64 = loop q = i - 1 for t < m do q + t - t

entry through_a_condition [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  let a = before i m
  in if 0 <= a && a <= j then xs[a] else 0

entry through_a_minimum [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  let a = before i m
  in if 0 <= a then xs[i64.min a j] else 0

entry through_a_remainder [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  let a = before i m
  in if 0 <= a then xs[a % (j + 1)] else 0

entry through_a_bound [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  let a = before i m
  in loop s = 0 for k < i64.min a j do s * 0 + 2 * xs[k]

entry through_a_choice [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  let a = before i m
  in if 0 <= a then xs[if a <= j then a else j] else 0

entry through_a_branch [n] (xs: [n]i64) (p: u32) (m: i64): i64 =
  let i = i64.u32 p
  let j = if m > 0 then assert (i < n) i else 0
  let a = before i m
  in if 0 <= a && a <= j then xs[a] else 0

-- ==
-- entry: through_fusion
-- input { [1i64, 2i64, 3i64] 2i64 2i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64, 3i64] 1000000000i64 5i64 } error: (Assertion is false: \(i < n\))|(Index \[3\] out of bounds)
entry through_fusion [n] (xs: [n]i64) (i: i64) (m: i64): [m]i64 =
  let j = assert (i < n) i
  let as = map (\t -> i64.min t i) (iota m)
  in map (\a -> xs[i64.min a j]) as

-- ==
-- entry: beside_another
-- input { [0i64, 2i64, 4i64] 2u32 2i64 } output { [0i64, 2i64, 4i64] [2i64, 2i64, 2i64] }
-- input { [0i64, 2i64, 4i64] 1000000000u32 2i64 } error: Assertion is false
entry beside_another [n] (xs: [n]i64) (p: u32) (m: i64): ([n]i64, [n]i64) =
  let i = i64.u32 p
  let evens = map (\x -> x & 1) xs
  let odd = i64.sum evens
  let j = assert (odd == 0 && i < n) i
  let a = before i m
  in (map2 (+) evens xs, map (\e -> if 0 <= a && a <= j then xs[a] + e else 0) evens)

-- ==
-- entry: nothing_of_it
-- input { [1i64, 2i64, 3i64] 2u32 } output { 3i64 }
-- input { empty([0]i64) 0u32 } error: (Assertion is false: \(i < n\))|(Index \[0\] out of bounds)
entry nothing_of_it [n] (xs: [n]i64) (p: u32): i64 =
  let i = i64.u32 p
  let j = assert (i < n) i
  in xs[j - j] + xs[j * 0] + xs[[j, 0][1]]

-- A fact about the position of a slice depends on the check of the slice.
-- ==
-- entry: in_a_part
-- input { [1i64, 2i64, 3i64] 1i64 1i64 } output { 2i64 }
-- input { [1i64, 2i64, 3i64] 1000000000i64 1000000000i64 } error: Assertion is false
entry in_a_part [n] (xs: [n]i64) (p: i64) (q: i64): i64 =
  let j = assert (0 <= p && p < n) p
  let ys = xs[j:j + 1]
  in if q == p then (let t = q - j in if t == 0 then ys[t] else 0) else 0

-- The number is a size only because it was checked, and no one uses the array of this size.
-- ==
-- entry: size_of_a_parameter
-- input { [1i64, 2i64, 3i64] 2i64 } output { 30i64 }
-- input { [1i64, 2i64, 3i64] -1000000000i64 } error: Range 0..1..<-1000000000 is invalid
entry size_of_a_parameter [n] (xs: [n]i64) (k: i64): i64 =
  let (s, _) =
    loop (s, ys) = (0, replicate k 0i64) for _i < 10i64 do
      (s + (if k < n then xs[k] else 1), ys with [0] = s)
  in s

-- ==
-- entry: size_of_a_row size_of_a_computed_row
-- input { [1i64, 2i64] 1i64 2i64 } output { [2i64, 2i64] }
-- input { [1i64, 2i64] -1000000000i64 2i64 } error: Range 0..1..<-1000000000 is invalid
entry size_of_a_row [n] (xs: [n]i64) (k: i64) (m: i64): [m]i64 =
  map (\_ -> if k < n then xs[k] else 1) (replicate m (replicate k 0i64))

entry size_of_a_computed_row [n] (xs: [n]i64) (k: i64) (m: i64): [m]i64 =
  let rows = map (\i -> map (+ i) (iota k)) (iota m)
  in map2 (\_ i -> if k < n then xs[k] else i) rows (iota m)

-- ==
-- entry: size_of_a_stretch
-- input { [1i64, 2i64] -1000000000i64 2i64 } error: Range 0..1..<-1000000000 is invalid
entry size_of_a_stretch [n] (xs: [n]i64) (k: i64) (m: i64): i64 =
  stream_red (+) (\c (_: [c][k]i64) -> if k < n then xs[k] else c) (replicate m (replicate k 0i64))

-- If a map has a point, an element exists. A view of the array may have a point although the array has no element.
-- ==
-- entry: first_of_none
-- input { [1i64, 2i64] empty([0]i64) 2i64 3i64 } error: Value of shape \[0\] cannot match
entry first_of_none [n] [l] (zs: [l]i64) (xs: [n]i64) (a: i64) (b: i64): i64 =
  let f x w = (if n < 1000 && (n - 1) * 1000000000 < l then zs[(n - 1) * 1000000000] else 0) + (x & w)
  let ys = map2 f xs (map (\_ -> 0) (iota n))
  in i64.sum (map i64.sum (unflatten (ys :> [a * b]i64)))

-- ==
-- entry: row_of_a_position
-- input { [1i64, 2i64, 3i64] [[1i64], [2i64], [3i64]] [0i64, 0i64, 0i64] } output { 6i64 }
-- input { [1i64, 2i64, 3i64] [[1i64], [2i64], [3i64]] [0i64, 0i64, 0i64, 0i64, 0i64] } error: cannot match
entry row_of_a_position [n] [m] [k] (xs: [n]i64) (xss: [n][m]i64) (ks: [k]i64): i64 =
  let yss = map2 (\x row -> map2 (\e w -> x + (e & w)) row (map (\_ -> 0) (iota m))) xs xss
  in i64.sum (map2 (+) ks (flatten yss :> [k]i64))

-- ==
-- entry: last_of_a_part
-- input { [1i64, 2i64, 3i64] [1i64, 2i64] } output { 6i64 }
-- input { empty([0]i64) [1i64, 2i64] } error: Index \[:2\] out of bounds for array of shape \[0\]
entry last_of_a_part [n] [k] (zs: [n]i64) (_: [k]i64): i64 = i64.sum (map (\_ -> zs[n - 1]) zs)[:k]

-- ==
-- entry: last_of_a_column
-- input { [1i64, 2i64, 3i64] [1i64, 2i64] 0i64 } output { 6i64 }
-- input { empty([0]i64) [1i64, 2i64] 0i64 } error: Index \[:, 0\] out of bounds for array of shape \[2\]\[0\]
entry last_of_a_column [n] [m] (zs: [m]i64) (xs: [n]i64) (j: i64): i64 =
  i64.sum (map (\_ -> map (\_ -> zs[m - 1]) zs) xs)[:, j]

entry beside_in_a_literal (i: i64) (xs: []i32): (i32, i32, []i32, i32) =
  ([4, xs[i]][0], [xs[i], 4][0], map (\x -> [x + 7, xs[i] / 3][0] - x) xs, [[1, 9], [xs[i], 2]][0][1])

entry in_a_reversed_literal (i: i64) (xs: []i32): i32 = (reverse [xs[i] + 1, 4])[0]
