-- Text data: an integer that fits the width of its type, signed or unsigned, denotes its bits, in
-- arguments and in expected values.

-- ==
-- entry: signed
-- input { 255i8 0x8407i16 4294967295i32 0xffffffffffffffffi64 } output { -1i8 -31737i16 -1i32 -1i64 }
-- input { -1 -31737 -1 -1 } output { 255 33799 4294967295 18446744073709551615 }
-- input { 0b11111111i8 0x8000 0x8000_0000 0x8000_0000_0000_0000 } output { -1 -32768 -2147483648 -9223372036854775808 }
-- input { 256i8 0i16 0i32 0i64 } error: `256i8` does not fit in i8
-- input { 0i8 0x10000i16 0i32 0i64 } error: `0x10000i16` does not fit in i16
-- input { 0i8 0i16 -2147483649 0i64 } error: `-2147483649` does not fit in i32
-- input { 0i8 0i16 0i32 18446744073709551616 } error: `18446744073709551616` does not fit in i64
entry signed (a: i8) (b: i16) (c: i32) (d: i64): (i8, i16, i32, i64) = (a, b, c, d)

-- ==
-- entry: unsigned
-- input { -1u8 -31737u16 -271733879u32 -1u64 } output { 255u8 33799u16 4023233417u32 18446744073709551615u64 }
-- input { -128 -32768 -2147483648 -9223372036854775808 } output { 128 32768 2147483648 9223372036854775808 }
-- input { -129u8 0u16 0u32 0u64 } error: `-129u8` does not fit in u8
-- input { 0u8 65536 0u32 0u64 } error: `65536` does not fit in u16
entry unsigned (a: u8) (b: u16) (c: u32) (d: u64): (u8, u16, u32, u64) = (a, b, c, d)

-- ==
-- entry: sum
-- input { [0xff, 1, -1] } output { -1 }
-- script input { [255i8, 1i8, -1i8] } output { 255 }
-- input { [0xff, 0x100] } error: `0x100` does not fit in i8
entry sum (xs: []i8): i8 = i8.sum xs
