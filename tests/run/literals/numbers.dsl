-- The forms of number literals and their types.
-- ==
-- entry: integers
-- input { }
-- output { 255 5 1000000 -128 10i64 4294967295u32 }
-- entry: roman
-- input { }
-- output { 42 1999 1000000000i64 14u8 3 }
-- entry: floats
-- input { }
-- output { 1.5 1500.0 0.25 3.0f32 1.0e-3f32 2.0 }
-- entry: hexadecimal_floats
-- input { }
-- output { 1.5 12.0 -0.25 16.0f32 0.1015625f32 }
-- entry: bits
-- input { }
-- output { -1 -2147483648 -1i64 }
-- entry: overloaded
-- input { }
-- output { 1.0 2.0f32 3i64 4u32 5 }
-- entry: defaults
-- input { }
-- output { 1 1.0 }
-- entry: negative
-- input { }
-- output { -2147483648 -9223372036854775808i64 -1.5 }
-- entry: characters
-- input { }
-- output { 97 10 39 92 65 65 8364i64 98.0f32 9 }
-- entry: negated_characters
-- input { }
-- output { -97 }
-- entry: suffixed
-- input { }
-- output { 255u8 -128i8 -128i8 -1i8 255u8 -1i64 -1i64 128u8 }
-- entry: suffixed_patterns
-- input { -128i8 }
-- output { 1 }
-- input { -1i8 }
-- output { 2 }

entry integers: (i32, i32, i32, i32, i64, u32) =
  (0xff, 0b101, 1_000_000, -1_2_8, 0xAi64, 0xffff_ffffu32)

entry roman: (i32, i32, i64, u8, i32) =
  (0rXLII, 0RMCM_XC_IX, 0rMi64 * 0rM_ * 0rM, 0rXIVu8, 0rIII)

entry floats: (f64, f64, f64, f32, f32, f64) =
  (1.5, 1.5e3, 2_5e-2, 3f32, 1e-3f32, 2f64)

entry hexadecimal_floats: (f64, f64, f64, f32, f32) =
  (0x1.8p0, 0x1.8p+3, -0x1.0p-2, 0x1.0p4f32, 0x1.ap-4)

entry bits: (i32, i32, i64) = (0xffffffffi32, 0x80000000i32, 0xffffffffffffffffi64)

entry overloaded: (f64, f32, i64, u32, i32) = (1, 2, 3, 4, 5)

entry defaults =
  let integer = 1
  let float = 1.0
  in (integer, float)

entry negative: (i32, i64, f64) = (-2147483648, -9223372036854775808, -1.5)

entry characters: (i32, i32, i32, i32, i32, i32, i64, f32, i32) =
  ('a', '\n', '\'', '\\', '\x41', '\65', '€', 'b', '\t')

entry negated_characters: i32 = -'a'

entry suffixed: (u8, i8, i8, i8, u8, i64, i64, u8) =
  (255u8, 128i8, -128i8, 255i8, -1u8, 0xffff_ffff_ffff_ffffi64, 18446744073709551615i64, -128u8)

entry suffixed_patterns (x: i8): i32 = match x case -128i8 -> 1 case 255i8 -> 2 case _ -> 3
