-- Conversions between all number types of the slice.
-- ==
-- entry: from_f64
-- input { [1.9f64, -1.9f64, 3e9f64, -5f64] }
-- output { [1i32, -1i32, 2147483647i32, -5i32] [1i64, -1i64, 3000000000i64, -5i64] [1f32, -1f32, 3e9f32, -5f32] }
-- entry: from_i64
-- input { [1i64, -1i64, 4294967297i64] }
-- output { [1i32, -1i32, 1i32] [1u32, 4294967295u32, 1u32] [1f64, -1f64, 4294967297f64] }
-- entry: from_u32
-- input { [1u32, 4294967295u32] }
-- output { [1i32, -1i32] [1i64, 4294967295i64] [1f64, 4294967295f64] }
-- entry: from_bool
-- input { [true, false] }
-- output { [1i32, 0i32] [1f32, 0f32] }

entry from_f64 [n] (xs: [n]f64): ([n]i32, [n]i64, [n]f32) =
  (map i32.f64 xs, map i64.f64 xs, map (\x -> f32.f64 (f64.trunc x)) xs)

entry from_i64 [n] (xs: [n]i64): ([n]i32, [n]u32, [n]f64) =
  (map i32.i64 xs, map u32.i64 xs, map f64.i64 xs)

entry from_u32 [n] (xs: [n]u32): ([n]i32, [n]i64, [n]f64) =
  (map i32.u32 xs, map i64.u32 xs, map f64.u32 xs)

entry from_bool [n] (xs: [n]bool): ([n]i32, [n]f32) = (map i32.bool xs, map f32.bool xs)
