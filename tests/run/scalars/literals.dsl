-- Literals of all forms, and the types of literals without a suffix.
-- ==
-- input { }
-- output { 255i32 5i32 1000000i64 1500f64 0.25f32 4u32 3f64 true }

entry main: (i32, i32, i64, f64, f32, u32, f64, bool) =
  (0xff, 0b101, 1_000_000i64, 1.5e3, 25e-2f32, 4, 3, true)
