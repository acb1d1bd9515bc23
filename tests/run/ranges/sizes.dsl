-- Ranges whose sizes are known without evaluation, and ranges of all signed types.
-- ==
-- entry: known
-- input { 3i64 } output { [0i64, 2, 4] [2i64, 4, 6] }
-- input { -1i64 } error: Range 0\.\.1\.\.<-1 is invalid

-- ==
-- entry: narrow
-- input { -2i8 2i8 } output { [-2i8, -1, 0, 1] [-2i16, 0, 2] [2i32, 1, 0, -1] }

entry known (n: i64) = (map2 (+) (0..1..<n) (iota n), map2 (+) (1..2...n) (1...n))

entry narrow (a: i8) (b: i8): ([]i8, []i16, []i32) =
  (a..<b, i16.i8 a..0...i16.i8 b, i32.i8 b..>i32.i8 a)

-- ==
-- entry: between
-- input { 2i64 5i64 } output { [2i64, 3, 4] [2i64, 3, 4, 5] }
-- input { 2i64 2i64 } output { empty([0]i64) [2i64] }
-- input { 5i64 2i64 } error: Range 5\.\.<2 is invalid
entry between (m: i64) (n: i64): ([n - m]i64, [n - m + 1]i64) = (m..<n, m...n)
