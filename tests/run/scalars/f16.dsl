-- Floating-point numbers of 16 bits: exact operations are compared bit by bit, functions within 2e-3 of their result.
-- ==
-- entry: arithmetic
-- input { [1.0f16, 0.0999755859375f16, -2.5f16, 65504.0f16, 5.960464477539063e-08f16, 6.103515625e-05f16, 3.0f16, -1.0f16, 0.0010004043579101562f16] [3.0f16, 0.199951171875f16, 0.5f16, 2.0f16, 0.5f16, -5.960464477539063e-08f16, -7.0f16, 1.0009765625f16, 0.333251953125f16] }
-- output { [17408u16, 13516u16, 49152u16, 31743u16, 14336u16, 1023u16, 50176u16, 5120u16, 13657u16] [49152u16, 44646u16, 49664u16, 31743u16, 47104u16, 1025u16, 18688u16, 49152u16, 46417u16] [16896u16, 9502u16, 48384u16, 31744u16, 0u16, 32768u16, 52544u16, 48129u16, 3446u16] [13653u16, 14336u16, 50432u16, 30719u16, 2u16, 58368u16, 46811u16, 48126u16, 6694u16] }
-- entry: tests
-- input { [0.0f16, -0.0f16, 1.0f16, -1.0f16, f16.inf, -f16.inf, f16.nan, 5.960464477539063e-08f16, -65504.0f16] }
-- output { [false, false, false, false, false, false, true, false, false] [false, false, false, false, true, true, false, false, false] [true, true, true, true, true, true, false, true, true] [false, false, false, true, false, true, false, false, true] [true, true, true, false, true, false, false, true, false] }
-- entry: signs
-- input { [0.0f16, -0.0f16, 1.0f16, -1.0f16, f16.inf, -f16.inf, 5.960464477539063e-08f16, -65504.0f16] }
-- output { [32768u16, 0u16, 48128u16, 15360u16, 64512u16, 31744u16, 32769u16, 31743u16] [0u16, 0u16, 15360u16, 15360u16, 31744u16, 31744u16, 1u16, 31743u16] [0u16, 0u16, 15360u16, 48128u16, 15360u16, 48128u16, 15360u16, 48128u16] [16384u16, 49152u16, 16384u16, 49152u16, 16384u16, 49152u16, 16384u16, 49152u16] }
-- entry: rounding
-- input { [0.5f16, 1.5f16, 2.5f16, -0.5f16, -1.5f16, -2.5f16, 0.25f16, -0.75f16, 1000.5f16, f16.inf] }
-- output { [0u16, 15360u16, 16384u16, 48128u16, 49152u16, 49664u16, 0u16, 48128u16, 25552u16, 31744u16] [15360u16, 16384u16, 16896u16, 32768u16, 48128u16, 49152u16, 15360u16, 32768u16, 25554u16, 31744u16] [0u16, 15360u16, 16384u16, 32768u16, 48128u16, 49152u16, 0u16, 32768u16, 25552u16, 31744u16] [0u16, 16384u16, 16384u16, 32768u16, 49152u16, 49152u16, 0u16, 48128u16, 25552u16, 31744u16] }
-- entry: extremes
-- input { [1.0f16, f16.nan, 2.0f16, -1.0f16, 5.960464477539063e-08f16] [2.0f16, 1.0f16, f16.nan, -f16.inf, 0.0f16] }
-- output { [1.0f16, 1.0f16, 2.0f16, -f16.inf, 0.0f16] [2.0f16, 1.0f16, 2.0f16, -1.0f16, 5.960464477539063e-08f16] }
-- entry: folds
-- input { [1.0f16, -2.0f16, 3.5f16] }
-- output { 2.5f16 -7.0f16 3.5f16 -2.0f16 }
-- input { empty([0]f16) }
-- output { 0.0f16 1.0f16 -f16.inf f16.inf }
-- entry: constants
-- input {  }
-- output { 16i32 [31744u16, 64512u16, 5120u16, 16968u16, 16752u16] true }
-- entry: single_bits
-- input { 1.0f16 }
-- output { 0i32 1i32 -1.0f16 1.0009765625f16 0.75f16 }
-- entry: neighbours
-- input { [1.0f16, 1.0f16, 0.0f16, 0.0f16, -1.0f16, 65504.0f16, f16.inf, 6.103515625e-05f16, 5.960464477539063e-08f16, 2.0f16] [2.0f16, 0.0f16, 1.0f16, -1.0f16, 0.0f16, f16.inf, 0.0f16, 0.0f16, -1.0f16, 2.0f16] }
-- output { [15361u16, 15359u16, 1u16, 32769u16, 48127u16, 31744u16, 31743u16, 1023u16, 0u16, 16384u16] }
-- entry: scaling
-- input { [1.0f16, 1.0f16, 3.0f16, 1.5f16, 5.960464477539063e-08f16, 65504.0f16, 65504.0f16, 0.0f16, 1.0f16, 1.0f16, 1.0009765625f16, 1.5009765625f16] [3i32, -3i32, -24i32, -24i32, 39i32, 1i32, -40i32, 100i32, 2147483647i32, -2147483648i32, -15i32, -16i32] }
-- output { [18432u16, 12288u16, 3u16, 2u16, 30720u16, 31744u16, 1u16, 0u16, 31744u16, 0u16, 512u16, 384u16] }
-- entry: fused
-- input { [2.0f16, 1.0009765625f16, 1.0009765625f16, 0.0999755859375f16, 1.0009765625f16, 65504.0f16, 5.960464477539063e-08f16, 6.103515625e-05f16, 1.0f16, 0.333251953125f16, 6.103515625e-05f16, 65504.0f16, 1.0009765625f16, 0.0010004043579101562f16] [3.0f16, 1.0009765625f16, 0.99951171875f16, 10.0f16, 0.0078125f16, 2.0f16, 0.5f16, 0.5f16, 1.0f16, 3.0f16, 1.0009765625f16, 5.960464477539063e-08f16, 0.00048828125f16, 0.0010004043579101562f16] [4.0f16, -1.0f16, -1.0f16, -1.0f16, 1.0f16, -65504.0f16, 5.960464477539063e-08f16, 5.960464477539063e-08f16, -1.0f16, -1.0f16, -6.103515625e-05f16, 1.0f16, 1.0f16, 65504.0f16] }
-- output { [18688u16, 6144u16, 4094u16, 35840u16, 15368u16, 31743u16, 2u16, 513u16, 0u16, 35840u16, 1u16, 15364u16, 15361u16, 31743u16] }
-- input { [f16.inf, 1.0f16, f16.inf] [1.0f16, 1.0f16, 2.0f16] [1.0f16, -f16.inf, 3.0f16] }
-- output { [31744u16, 64512u16, 31744u16] }
-- entry: mixtures
-- input { 2.0f16 10.0f16 0.25f16 }
-- output { 20.25f16 4.0f16 0.5f16 0.70703125f16 }
-- entry: sqrt
-- input { [0.25f16, 1.0f16, 2.0f16, 10.0f16, 1000.5f16] [0.5f16, 1.0f16, 1.4140625f16, 3.162109375f16, 31.625f16] }
-- output { [true, true, true, true, true] }
-- entry: cbrt
-- input { [0.25f16, 1.0f16, 2.0f16, 10.0f16, 1000.5f16] [0.6298828125f16, 1.0f16, 1.259765625f16, 2.154296875f16, 10.0f16] }
-- output { [true, true, true, true, true] }
-- entry: log
-- input { [0.25f16, 1.0f16, 2.0f16, 10.0f16, 1000.5f16] [-1.38671875f16, 0.0f16, 0.693359375f16, 2.302734375f16, 6.91015625f16] }
-- output { [true, true, true, true, true] }
-- entry: log2
-- input { [0.25f16, 1.0f16, 2.0f16, 10.0f16, 1000.5f16] [-2.0f16, 0.0f16, 1.0f16, 3.322265625f16, 9.96875f16] }
-- output { [true, true, true, true, true] }
-- entry: log10
-- input { [0.25f16, 1.0f16, 2.0f16, 10.0f16, 1000.5f16] [-0.60205078125f16, 0.0f16, 0.301025390625f16, 1.0f16, 3.0f16] }
-- output { [true, true, true, true, true] }
-- entry: exp
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [1.0f16, 2.71875f16, 0.367919921875f16, 1.6484375f16, 0.038787841796875f16, 244.75f16] }
-- output { [true, true, true, true, true, true] }
-- entry: exp2
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [1.0f16, 2.0f16, 0.5f16, 1.4140625f16, 0.1051025390625f16, 45.25f16] }
-- output { [true, true, true, true, true, true] }
-- entry: sin
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [0.0f16, 0.84130859375f16, -0.84130859375f16, 0.4794921875f16, 0.10821533203125f16, -0.70556640625f16] }
-- output { [true, true, true, true, true, true] }
-- entry: cos
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [1.0f16, 0.54052734375f16, 0.54052734375f16, 0.87744140625f16, -0.994140625f16, 0.70849609375f16] }
-- output { [true, true, true, true, true, true] }
-- entry: tan
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [0.0f16, 1.5576171875f16, -1.5576171875f16, 0.54638671875f16, -0.10882568359375f16, -0.99560546875f16] }
-- output { [true, true, true, true, true, true] }
-- entry: atan
-- input { [0.0f16, 1.0f16, -1.0f16, 0.5f16, -3.25f16, 5.5f16] [0.0f16, 0.78515625f16, -0.78515625f16, 0.463623046875f16, -1.2724609375f16, 1.390625f16] }
-- output { [true, true, true, true, true, true] }
-- entry: asin
-- input { [-0.89990234375f16, -0.25f16, 0.0f16, 0.0010004043579101562f16, 0.5f16, 0.75f16] [-1.119140625f16, -0.252685546875f16, 0.0f16, 0.0010004043579101562f16, 0.5234375f16, 0.84814453125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: acos
-- input { [-0.89990234375f16, -0.25f16, 0.0f16, 0.0010004043579101562f16, 0.5f16, 0.75f16] [2.689453125f16, 1.8232421875f16, 1.5703125f16, 1.5693359375f16, 1.046875f16, 0.72265625f16] }
-- output { [true, true, true, true, true, true] }
-- entry: atanh
-- input { [-0.89990234375f16, -0.25f16, 0.0f16, 0.0010004043579101562f16, 0.5f16, 0.75f16] [-1.4716796875f16, -0.25537109375f16, 0.0f16, 0.0010004043579101562f16, 0.54931640625f16, 0.97314453125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: log1p
-- input { [-0.89990234375f16, -0.25f16, 0.0f16, 0.0010004043579101562f16, 0.5f16, 0.75f16] [-2.30078125f16, -0.28759765625f16, 0.0f16, 0.00099945068359375f16, 0.405517578125f16, 0.5595703125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: sinh
-- input { [-5.0f16, -0.5f16, 0.0f16, 0.01000213623046875f16, 1.0f16, 3.0f16] [-74.1875f16, -0.52099609375f16, 0.0f16, 0.01000213623046875f16, 1.1748046875f16, 10.015625f16] }
-- output { [true, true, true, true, true, true] }
-- entry: cosh
-- input { [-5.0f16, -0.5f16, 0.0f16, 0.01000213623046875f16, 1.0f16, 3.0f16] [74.1875f16, 1.1279296875f16, 1.0f16, 1.0f16, 1.54296875f16, 10.0703125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: tanh
-- input { [-5.0f16, -0.5f16, 0.0f16, 0.01000213623046875f16, 1.0f16, 3.0f16] [-1.0f16, -0.462158203125f16, 0.0f16, 0.01000213623046875f16, 0.76171875f16, 0.9951171875f16] }
-- output { [true, true, true, true, true, true] }
-- entry: asinh
-- input { [-5.0f16, -0.5f16, 0.0f16, 0.01000213623046875f16, 1.0f16, 3.0f16] [-2.3125f16, -0.481201171875f16, 0.0f16, 0.01000213623046875f16, 0.88134765625f16, 1.818359375f16] }
-- output { [true, true, true, true, true, true] }
-- entry: acosh
-- input { [1.0f16, 1.5f16, 2.0f16, 100.0f16] [0.0f16, 0.96240234375f16, 1.3173828125f16, 5.296875f16] }
-- output { [true, true, true, true] }
-- entry: sinpi
-- input { [0.0f16, 0.25f16, 0.5f16, 1.0f16, -1.5f16, 2.75f16, -0.125f16] [0.0f16, 0.70703125f16, 1.0f16, 0.0f16, 1.0f16, 0.70703125f16, -0.382568359375f16] }
-- output { [true, true, true, true, true, true, true] }
-- entry: cospi
-- input { [0.0f16, 0.25f16, 0.5f16, 1.0f16, -1.5f16, 2.75f16, -0.125f16] [1.0f16, 0.70703125f16, 0.0f16, -1.0f16, 0.0f16, -0.70703125f16, 0.923828125f16] }
-- output { [true, true, true, true, true, true, true] }
-- entry: tanpi
-- input { [0.0f16, 0.25f16, -0.125f16, 1.099609375f16] [0.0f16, 1.0f16, -0.414306640625f16, 0.323486328125f16] }
-- output { [true, true, true, true] }
-- entry: asinpi
-- input { [0.0f16, 0.5f16, -0.75f16, 1.0f16] [0.0f16, 0.1666259765625f16, -0.27001953125f16, 0.5f16] }
-- output { [true, true, true, true] }
-- entry: acospi
-- input { [0.0f16, 0.5f16, -0.75f16, 1.0f16] [0.5f16, 0.333251953125f16, 0.77001953125f16, 0.0f16] }
-- output { [true, true, true, true] }
-- entry: atanpi
-- input { [0.0f16, 0.5f16, -0.75f16, 1.0f16] [0.0f16, 0.1475830078125f16, -0.204833984375f16, 0.25f16] }
-- output { [true, true, true, true] }
-- entry: atan2
-- input { [1.0f16, -1.0f16, 1.0f16, -3.0f16, 0.0f16, 2.0f16] [2.0f16, 2.0f16, -2.0f16, -0.5f16, 1.0f16, 0.0f16] [0.463623046875f16, -0.463623046875f16, 2.677734375f16, -1.736328125f16, 0.0f16, 1.5703125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: atan2pi
-- input { [1.0f16, -1.0f16, 1.0f16, -3.0f16, 0.0f16, 2.0f16] [2.0f16, 2.0f16, -2.0f16, -0.5f16, 1.0f16, 0.0f16] [0.1475830078125f16, -0.1475830078125f16, 0.8525390625f16, -0.552734375f16, 0.0f16, 0.5f16] }
-- output { [true, true, true, true, true, true] }
-- entry: hypot
-- input { [1.0f16, -1.0f16, 1.0f16, -3.0f16, 0.0f16, 2.0f16] [2.0f16, 2.0f16, -2.0f16, -0.5f16, 1.0f16, 0.0f16] [2.236328125f16, 2.236328125f16, 2.236328125f16, 3.041015625f16, 1.0f16, 2.0f16] }
-- output { [true, true, true, true, true, true] }
-- entry: powers
-- input { [2.0f16, 2.0f16, 0.5f16, -2.0f16, -2.0f16, 1.5f16, 10.0f16] [10.0f16, -2.0f16, 0.5f16, 3.0f16, -1.0f16, 7.25f16, 2.0f16] [1024.0f16, 0.25f16, 0.70703125f16, -8.0f16, -0.5f16, 18.90625f16, 100.0f16] }
-- output { [true, true, true, true, true, true, true] }
-- entry: gamma
-- input { [0.5f16, 1.0f16, 2.0f16, 5.0f16, 7.5f16, -0.5f16, -1.5f16, 0.0010004043579101562f16] [1.7724609375f16, 1.0f16, 1.0f16, 24.0f16, 1871.0f16, -3.544921875f16, 2.36328125f16, 999.0f16] }
-- output { [true, true, true, true, true, true, true, true] }
-- entry: lgamma
-- input { [0.5f16, 3.0f16, 10.0f16, 100.5f16, -0.5f16, -1.5f16] [0.572265625f16, 0.693359375f16, 12.8046875f16, 361.5f16, 1.265625f16, 0.85986328125f16] }
-- output { [true, true, true, true, true, true] }
-- entry: erf
-- input { [0.0f16, 0.0999755859375f16, -0.5f16, 1.0f16, 1.900390625f16, 2.099609375f16, -3.0f16] [0.0f16, 0.1124267578125f16, -0.5205078125f16, 0.8427734375f16, 0.99267578125f16, 0.9970703125f16, -1.0f16] }
-- output { [true, true, true, true, true, true, true] }
-- entry: erfc
-- input { [0.0f16, 0.5f16, -1.0f16, 2.0f16] [1.0f16, 0.4794921875f16, 1.8427734375f16, 0.00467681884765625f16] }
-- output { [true, true, true, true] }

-- Whether the numbers are equal, or differ by less than this fraction of the second.
def close (x: f16) (y: f16): bool =
  x == y || (f16.isnan x && f16.isnan y) || f16.abs (x - y) <= 2e-3 * f16.abs y

entry arithmetic [n] (xs: [n]f16) (ys: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
  let bits (f: f16 -> f16 -> f16) = map2 (\x y -> f16.to_bits (f x y)) xs ys
  in (bits (+), bits (-), bits (*), bits (/))

entry tests [n] (xs: [n]f16): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  (map f16.isnan xs, map f16.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

entry signs [n] (xs: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
  let bits (f: f16 -> f16) = map (\x -> f16.to_bits (f x)) xs
  in (bits f16.neg, bits f16.abs, bits f16.sgn, bits (\x -> f16.copysign 2 x))

entry rounding [n] (xs: [n]f16): ([n]u16, [n]u16, [n]u16, [n]u16) =
  let bits (f: f16 -> f16) = map (\x -> f16.to_bits (f x)) xs
  in (bits f16.floor, bits f16.ceil, bits f16.trunc, bits f16.round)

entry extremes [n] (xs: [n]f16) (ys: [n]f16): ([n]f16, [n]f16) = (map2 f16.min xs ys, map2 f16.max xs ys)

entry folds (xs: []f16): (f16, f16, f16, f16) =
  (f16.sum xs, f16.product xs, f16.maximum xs, f16.minimum xs)

entry constants: (i32, []u16, bool) =
  ( f16.num_bits
  , map f16.to_bits [f16.highest, f16.lowest, f16.epsilon, f16.pi, f16.e]
  , f16.isnan f16.nan )

entry single_bits (x: f16): (i32, i32, f16, f16, f16) =
  ( f16.get_bit 0 x, f16.get_bit 10 x, f16.set_bit 15 x 1, f16.set_bit 0 x 1
  , f16.from_fraction 3 4 * x )

entry neighbours [n] (xs: [n]f16) (ys: [n]f16): [n]u16 =
  map2 (\x y -> f16.to_bits (f16.nextafter x y)) xs ys

entry scaling [n] (xs: [n]f16) (ns: [n]i32): [n]u16 =
  map2 (\x n -> f16.to_bits (f16.ldexp x n)) xs ns

entry fused [n] (xs: [n]f16) (ys: [n]f16) (zs: [n]f16): [n]u16 =
  map3 (\x y z -> f16.to_bits (f16.fma x y z)) xs ys zs

entry mixtures (x: f16) (y: f16) (z: f16): (f16, f16, f16, f16) =
  (f16.mad x y z, f16.lerp x y z, f16.recip x, f16.rsqrt x)

entry sqrt [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.sqrt xs) expected

entry cbrt [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.cbrt xs) expected

entry log [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.log xs) expected

entry log2 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.log2 xs) expected

entry log10 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.log10 xs) expected

entry exp [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.exp xs) expected

entry exp2 [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.exp2 xs) expected

entry sin [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.sin xs) expected

entry cos [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.cos xs) expected

entry tan [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.tan xs) expected

entry atan [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.atan xs) expected

entry asin [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.asin xs) expected

entry acos [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.acos xs) expected

entry atanh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.atanh xs) expected

entry log1p [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.log1p xs) expected

entry sinh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.sinh xs) expected

entry cosh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.cosh xs) expected

entry tanh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.tanh xs) expected

entry asinh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.asinh xs) expected

entry acosh [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.acosh xs) expected

entry sinpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.sinpi xs) expected

entry cospi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.cospi xs) expected

entry tanpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.tanpi xs) expected

entry asinpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.asinpi xs) expected

entry acospi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.acospi xs) expected

entry atanpi [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.atanpi xs) expected

entry atan2 [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map2 f16.atan2 xs ys) expected

entry atan2pi [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map2 f16.atan2pi xs ys) expected

entry hypot [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map2 f16.hypot xs ys) expected

entry powers [n] (xs: [n]f16) (ys: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map2 (**) xs ys) expected

entry gamma [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.gamma xs) expected

entry lgamma [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.lgamma xs) expected

entry erf [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.erf xs) expected

entry erfc [n] (xs: [n]f16) (expected: [n]f16): [n]bool =
  map2 close (map f16.erfc xs) expected
