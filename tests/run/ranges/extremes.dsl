-- Slices with starts, ends and strides near the limits of i64: the count never overflows.
-- ==
-- entry: computed
-- input { [1, 2, 3] 0i64 3i64 9223372036854775807i64 } output { [1] }
-- input { [1, 2, 3] 2i64 9223372036854775807i64 9223372036854775807i64 } output { [3] }
-- input { [1, 2, 3] 0i64 9223372036854775807i64 9223372036854775807i64 } output { [1] }
-- input { [1, 2, 3] 0i64 9223372036854775807i64 4611686018427387904i64 }
-- error: Index \[0:9223372036854775807:4611686018427387904\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 0i64 9223372036854775807i64 2i64 } error: out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 9223372036854775807i64 1i64 } error: out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 9223372036854775807i64 9223372036854775807i64 } error: out of bounds
-- input { [1, 2, 3] -5i64 9223372036854775807i64 4611686018427387904i64 } error: out of bounds
-- input { [1, 2, 3] 2i64 -1i64 -9223372036854775808i64 } output { [3] }
-- input { [1, 2, 3] 2i64 -1i64 -9223372036854775807i64 } output { [3] }
-- input { [1, 2, 3] 2i64 -9223372036854775808i64 -9223372036854775808i64 } error: out of bounds
-- input { [1, 2, 3] 9223372036854775807i64 -9223372036854775808i64 -1i64 } error: out of bounds
-- input { [1, 2, 3] 9223372036854775807i64 -1i64 -2i64 } error: out of bounds
-- input { [1, 2, 3] 9223372036854775807i64 9223372036854775807i64 2i64 } output { empty([0]i32) }
-- input { [1, 2, 3] -9223372036854775808i64 -9223372036854775808i64 -9223372036854775808i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 -9223372036854775807i64 9223372036854775807i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 -9223372036854775808i64 9223372036854775807i64 } error: out of bounds
-- input { [1, 2, 3] 1i64 -9223372036854775808i64 9223372036854775807i64 } error: out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 -2i64 -9223372036854775807i64 } output { empty([0]i32) }
-- input { [1, 2, 3] -9223372036854775808i64 -1i64 -9223372036854775807i64 } error: out of bounds

-- The end may lie on the wrong side of the start, by at most twice the stride minus one.
-- ==
-- entry: computed
-- input { [1, 2, 3] 2i64 0i64 2i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 3i64 0i64 2i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 2i64 -2i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 3i64 -2i64 } error: out of bounds

-- ==
-- entry: evens
-- input { [1, 2, 3] 2i64 0i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 3i64 0i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 4i64 } output { [1, 3] }
-- input { [1, 2, 3] 0i64 5i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 9223372036854775807i64 } error: out of bounds

-- ==
-- entry: far
-- input { [1, 2, 3] 4611686018427387904i64 } output { 1i64 [1, 1, 2, 3] }
-- input { [1, 2, 3] 4611686018427387905i64 } error: out of bounds
-- input { [1, 2, 3] 9223372036854775807i64 } error: out of bounds
-- input { [1, 2, 3] 0i64 } output { 0i64 [1, 2, 3] }

-- ==
-- entry: back
-- input { [1, 2, 3] 2i64 -1i64 } output { [3] }
-- input { [1, 2, 3] 9223372036854775807i64 -1i64 } error: out of bounds
-- input { [1, 2, 3] 2i64 -9223372036854775807i64 } error: out of bounds

-- ==
-- entry: whole
-- input { [1, 2, 3] } output { [1] [3] [3] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }

-- ==
-- entry: written
-- input { [1, 2, 3] 9223372036854775807i64 9223372036854775807i64 } output { [9, 2, 3] }
-- input { [1, 2, 3] 9223372036854775807i64 4611686018427387904i64 } error: out of bounds

-- ==
-- entry: in_threads
-- input { [[1, 2, 3], [4, 5, 6]] [9223372036854775807i64, 3i64] 9223372036854775807i64 } output { [1, 4] }
-- input { [[1, 2, 3], [4, 5, 6]] [9223372036854775807i64, 3i64] 4611686018427387904i64 } error: out of bounds

entry computed (xs: []i32) (a: i64) (b: i64) (s: i64): []i32 = copy xs[a:b:s]

entry evens (xs: []i32) (a: i64) (b: i64): []i32 = copy xs[a:b:2]

entry far (xs: []i32) (b: i64): (i64, []i32) =
  let ys = xs[0:b:4611686018427387904]
  in (length ys, ys ++ xs)

entry back (xs: []i32) (a: i64) (b: i64): []i32 = copy xs[a:b:-9223372036854775807]

entry whole (xs: []i32): ([]i32, []i32, []i32) =
  (copy xs[::9223372036854775807], copy xs[::-9223372036854775807], copy xs[::i64.lowest])

entry written (xs: []i32) (b: i64) (s: i64): []i32 = copy xs with [0:b:s] = [9]

entry in_threads [n] (xss: [n][]i32) (bs: [n]i64) (s: i64): [n]i32 =
  map2 (\xs b -> i32.sum xs[0:b:s]) xss bs
