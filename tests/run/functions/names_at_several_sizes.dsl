-- A local name for functions of arrays of any size may be used at several sizes.
-- ==
-- entry: record
-- input { [1, 2, 3] [4, 5] } output { [3, 2, 1] [5, 4] [2, 1] [1] }
-- entry: name
-- input { [1, 2, 3] } output { [3, 2, 1] [2, 1] 3i64 2i64 }
-- entry: pair
-- input { [1, 2, 3] } output { [3, 2, 1] [2, 1] 3i64 2i64 }
-- entry: mixed
-- input { [1, 2, 3] } output { [13, 12, 11] [12, 11] 10i32 [9, 2, 3] }
-- entry: nested
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] [[7]] 3i64 1i64 }
-- entry: in_functions
-- input { [1, 2, 3] } output { [[3, 2, 1], [3, 2, 1]] [2, 1] 3i64 }

entry record [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let r = {f = reverse, g = reverse}
  in (r.f xs, r.f ys, r.g [1i32, 2], r.g [1i32])

entry name [n] (xs: [n]i32) =
  let f = reverse
  let g = f
  let size = length
  in (f xs, g [1i32, 2], size xs, size [4, 5])

entry pair [n] (xs: [n]i32) =
  let (f, (g, _)) = (reverse, (length, 3i32))
  in (f xs, f [1i32, 2], g xs, g [4, 5i32])

entry mixed [n] (xs: [n]i32) =
  let r = {back = reverse, add = \(x: i32) -> x + 10, ten = 10i32, start = copy xs}
  let start = r.start with [0] = 9
  in (map r.add (r.back xs), map r.add (r.back [1, 2]), r.ten, start)

entry nested [n] [m] (xss: [n][m]i32) =
  let r = {of_rows = {flip = transpose}, size = length}
  in (r.of_rows.flip xss, r.of_rows.flip [[7]], r.size [1, 2, 3], r.size [7])

entry in_functions [n] (xs: [n]i32) =
  let r = {f = reverse, size = length}
  let twice [k] (ys: [k]i32) = [r.f ys, r.f ys]
  in (twice xs, (\ys -> r.f ys) [1, 2], if n > 2 then r.size xs else r.size [1i32])
