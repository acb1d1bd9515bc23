-- A parametric module over `integral`, applied to the module of every integer type.
-- ==
-- input { 28 }
-- output { [true, true, true, true, true, true, true, true] }

module bits (I: integral) = {
  def hold (x: i32): bool =
    let (y, two) = (I.i32 x, I.i32 2)
    let high = I.num_bits - 1
    in I.popc y == 3 && I.ctz y == 2 && I.clz y == I.num_bits - 5
       && I.get_bit 3 y == 1 && I.set_bit 3 y 0 I.== I.i32 (x - 8)
       && y I.<< two I.>> two I.== y I.& I.not (I.not I.lowest) I.| y && y I.^ y I.== I.u8 0
       && I.to_i64 (I.i32 1 I.<< I.i32 high I.>>> I.i32 high) == 1
       && y I.// two I.== y I./ two && y I.%% two I.== y I.% two
       && I.mul_hi (I.i32 1 I.<< I.i32 high I.>>> two) (I.i32 8) I.== I.i32 1
       && I.mad_hi (I.i32 1 I.<< I.i32 high I.>>> two) (I.i32 8) y I.== y I.+ I.i32 1
}

module bits_i8 = bits i8
module bits_i16 = bits i16
module bits_i32 = bits i32
module bits_i64 = bits i64
module bits_u8 = bits u8
module bits_u16 = bits u16
module bits_u32 = bits u32
module bits_u64 = bits u64

entry main (x: i32): []bool =
  [ bits_i8.hold x
  , bits_i16.hold x
  , bits_i32.hold x
  , bits_i64.hold x
  , bits_u8.hold x
  , bits_u16.hold x
  , bits_u32.hold x
  , bits_u64.hold x ]
