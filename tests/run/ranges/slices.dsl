-- The positions of slices and ranges, and slices that are out of bounds.
-- ==
-- entry: strided
-- input { [0, 1, 2, 3, 4, 5, 6] 1i64 6i64 2i64 } output { [1, 3, 5] }
-- input { [0, 1, 2, 3, 4, 5, 6] 5i64 0i64 -2i64 } output { [5, 3, 1] }
-- input { [0, 1, 2] 0i64 3i64 0i64 }
-- error: out of bounds
-- input { [0, 1, 2] 2i64 1i64 1i64 }
-- error: Index \[2:1:1\] out of bounds for array of shape \[3\].
-- input { [0, 1, 2] 0i64 4i64 1i64 }
-- error: Index \[0:4:1\] out of bounds for array of shape \[3\].
-- entry: plain
-- input { [0, 1, 2, 3] 1i64 3i64 } output { [1, 2] }
-- input { [0, 1, 2, 3] 3i64 1i64 }
-- error: Index \[3:1\] out of bounds for array of shape \[4\].
-- input { [0, 1, 2, 3] 4i64 4i64 } output { empty([0]i32) }
-- entry: from
-- input { [0, 1, 2, 3] 2i64 } output { [2, 3] }
-- input { [0, 1, 2, 3] 5i64 }
-- error: Index \[5:\] out of bounds for array of shape \[4\].
-- entry: reversed
-- input { [0, 1, 2, 3] } output { [3, 2, 1, 0] [3, 1] [2, 1, 0] }
-- input { empty([0]i32) }
-- error: out of bounds
-- entry: multi
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 3], [5, 6]] [2, 5] [[4, 5, 6]] }
-- entry: ranges
-- input { 2i64 6i64 } output { [2i64, 3i64, 4i64, 5i64] [2i64, 3i64, 4i64, 5i64, 6i64] [6i64, 5i64, 4i64, 3i64] [2i64, 4i64] [6i64, 4i64, 2i64] }
-- entry: bad_range
-- input { 1i64 2i64 0i64 }
-- error: Range 1..2...0 is invalid.
-- input { 1i64 1i64 3i64 }
-- error: Range 1..1...3 is invalid.
-- entry: below
-- input { 3i32 1i32 }
-- error: Range 3..<1 is invalid.
-- input { 3i32 3i32 } output { empty([0]i32) }
-- entry: above
-- input { 1i32 3i32 }
-- error: Range 1..>3 is invalid.
-- input { 3i32 1i32 } output { [3, 2] }
-- entry: slice_update
-- input { [1, 2, 3, 4] } output { [1, 9, 9, 4] [9, 2, 9, 4] }
-- entry: row_update
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [7, 8]] [[1, 5], [3, 5]] }
-- entry: bad_update
-- input { [1, 2, 3, 4] [9, 9, 9] }
-- error: cannot match shape

entry strided (xs: []i32) (a: i64) (b: i64) (s: i64): []i32 = xs[a:b:s]

entry plain (xs: []i32) (a: i64) (b: i64): []i32 = xs[a:b]

entry from (xs: []i32) (a: i64): []i32 = xs[a:]

entry reversed (xs: []i32): ([]i32, []i32, []i32) = (xs[::-1], xs[::-2], xs[2::-1])

entry multi (xss: [][]i32): ([][]i32, []i32, [][]i32) = (xss[:, 1:], xss[:, 1], xss[1:2])

entry ranges (a: i64) (b: i64): ([]i64, []i64, []i64, []i64, []i64) =
  (a..<b, a...b, b..>a, a..(a + 2)..<b, b..(b - 2)...a)

entry bad_range (a: i64) (b: i64) (c: i64): []i64 = a..b...c

entry below (a: i32) (b: i32): []i32 = a..<b

entry above (a: i32) (b: i32): []i32 = a..>b

entry slice_update (xs: []i32): ([]i32, []i32) =
  (copy xs with [1:3] = [9, 9], copy xs with [0:4:2] = [9, 9])

entry row_update (xss: [][2]i32): ([][]i32, [][]i32) =
  (copy xss with [1] = [7, 8], copy xss with [:, 1] = replicate (length xss) 5)

entry bad_update (xs: []i32) (ys: []i32): []i32 = copy xs with [1:3] = ys
