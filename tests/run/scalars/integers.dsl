-- Integer arithmetic wraps; `/` rounds down, `//` towards zero.
-- ==
-- entry: division
-- input { [7, -7, 7, -7] [2, 2, -2, -2] }
-- output { [3, -4, -4, 3] [1, 1, -1, -1] [3, -3, -3, 3] [1, -1, 1, -1] }
-- entry: wrapping
-- input { 2147483647i32 1i32 }
-- output { -2147483648i32 -2i32 }
-- entry: least
-- input { -2147483648i32 }
-- output { -2147483648i32 -2147483648i32 -2147483648i32 0i32 }
-- entry: bits
-- input { 12u32 10u32 }
-- output { 8u32 14u32 6u32 4294967283u32 }
-- entry: shifts
-- input { -8i32 1i32 }
-- output { -16i32 -4i32 2147483644i32 }
-- input { -8i32 40i32 }
-- output { 0i32 -1i32 0i32 }
-- entry: wide
-- input { 9223372036854775807i64 }
-- output { -9223372036854775808i64 -2i64 }
-- entry: powers
-- input { 3i32 4i32 }
-- output { 81i32 1i64 }

entry division [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)

entry wrapping (x: i32) (y: i32): (i32, i32) = (x + y, x + x)

entry least (x: i32): (i32, i32, i32, i32) = (-x, i32.abs x, x / -1, x % -1)

entry bits (x: u32) (y: u32): (u32, u32, u32, u32) = (x & y, x | y, x ^ y, !x)

entry shifts (x: i32) (s: i32): (i32, i32, i32) = (x << s, x >> s, x >>> s)

entry wide (x: i64): (i64, i64) = (x + 1, x * 2)

entry powers (x: i32) (y: i32): (i32, i64) = (x ** y, i64.i32 x ** 0)
