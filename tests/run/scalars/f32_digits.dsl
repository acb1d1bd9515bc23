-- Functions of 32-bit numbers within eight units in the last place: where devices guarantee only an absolute error, far from 0 and near zeros, and for
-- subnormal numbers.
-- The expected numbers are correctly rounded.
-- ==
-- entry: sin
-- input { [0.7f32, -2.5f32, 100.5f32, 27903.625f32, -1e+05f32, 1e+07f32, 1e+09f32, -1e+10f32, 1.2345679e+20f32, 3e+38f32, -86093.43f32, 1e-30f32, 16367173.0f32] [0.64421767f32, -0.5984721f32, -0.030959968f32, -0.0009491844f32, -0.0357488f32, 0.42054778f32, 0.5458434f32, 0.48750603f32, -0.99535316f32, 0.8749049f32, -0.94067305f32, 1e-30f32, 0.07914681f32] }
-- output { true }
-- entry: cos
-- input { [0.7f32, -2.5f32, 100.5f32, 27903.625f32, -1e+05f32, 1e+07f32, 1e+09f32, -1e+10f32, 1.2345679e+20f32, 3e+38f32, -86093.43f32, 1e-30f32, 16367173.0f32] [0.7648422f32, -0.8011436f32, 0.9995206f32, 0.9999995f32, -0.9993608f32, -0.9072704f32, 0.83788717f32, 0.87311965f32, -0.09629173f32, -0.48429477f32, 0.33931425f32, 1.0f32, -0.99686295f32] }
-- output { true }
-- entry: tan
-- input { [0.7f32, -2.5f32, 100.5f32, 27903.625f32, -1e+05f32, 1e+07f32, 1e+09f32, -1e+10f32, 1.2345679e+20f32, 3e+38f32, -86093.43f32, 1e-30f32, 16367173.0f32] [0.8422884f32, 0.7470223f32, -0.030974815f32, -0.0009491848f32, 0.035771664f32, -0.46353084f32, 0.6514522f32, 0.5583496f32, 10.33685f32, -1.8065544f32, -2.7722769f32, 1e-30f32, -0.079395875f32] }
-- output { true }
-- entry: log
-- input { [0.99999994f32, 1.0000001f32, 0.9999f32, 1.0001f32, 0.95f32, 1.2f32, 0.75f32, 1.25f32, 1.3f32, 2.0f32, 1e-30f32, 1e+30f32, 1e-40f32, 1e-45f32] [-5.9604645e-08f32, 1.1920928e-07f32, -0.00010002159f32, 0.000100011595f32, -0.051293306f32, 0.1823216f32, -0.2876821f32, 0.22314355f32, 0.26236424f32, 0.6931472f32, -69.07755f32, 69.07755f32, -92.10341f32, -103.27893f32] }
-- output { true }
-- entry: log2
-- input { [0.99999994f32, 1.0000001f32, 0.9999f32, 1.0001f32, 0.95f32, 1.2f32, 0.75f32, 1.25f32, 1.3f32, 2.0f32, 1e-30f32, 1e+30f32, 1e-40f32, 1e-45f32] [-8.599133e-08f32, 1.7198263e-07f32, -0.00014430066f32, 0.00014428623f32, -0.0740006f32, 0.26303446f32, -0.4150375f32, 0.32192808f32, 0.37851158f32, 1.0f32, -99.657845f32, 99.657845f32, -132.87714f32, -149.0f32] }
-- output { true }
-- entry: log10
-- input { [0.99999994f32, 1.0000001f32, 0.9999f32, 1.0001f32, 0.95f32, 1.2f32, 0.75f32, 1.25f32, 1.3f32, 2.0f32, 1e-30f32, 1e+30f32, 1e-40f32, 1e-45f32] [-2.5885969e-08f32, 5.1771934e-08f32, -4.3438828e-05f32, 4.3434484e-05f32, -0.0222764f32, 0.07918126f32, -0.124938734f32, 0.096910015f32, 0.11394334f32, 0.30103f32, -3e+01f32, 3e+01f32, -40.000004f32, -44.85347f32] }
-- output { true }
-- entry: log1p
-- input { [1e-07f32, -1e-07f32, 0.001f32, -0.001f32, 0.1f32, -0.1f32, 0.2f32] [9.9999994e-08f32, -1.0000001e-07f32, 0.0009995004f32, -0.0010005004f32, 0.09531018f32, -0.105360515f32, 0.18232156f32] }
-- output { true }
-- entry: exp
-- input { [88.7f32, -87.3f32, -76.99534f32, 0.1f32, -1e-05f32, 5.0f32] [3.3259769e+38f32, 1.2192433e-38f32, 3.6420791e-34f32, 1.105171f32, 0.99999f32, 148.41316f32] }
-- output { true }
-- entry: cbrt
-- input { [0.001f32, -27.0f32, 2.0f32, 3e+38f32, 1e-30f32, 1e-40f32, -1e-40f32, 1e-45f32] [0.1f32, -3.0f32, 1.2599211f32, 6.6943294e+12f32, 1e-10f32, 4.6415806e-14f32, -4.6415806e-14f32, 1.1190347e-15f32] }
-- output { true }
-- entry: sinh
-- input { [89.0f32, -89.2f32, 0.5f32, -1.5f32, 2e+01f32] [2.2448064e+38f32, -2.7418043e+38f32, 0.5210953f32, -2.1292794f32, 2.425826e+08f32] }
-- output { true }
-- entry: cosh
-- input { [89.0f32, -89.2f32, 0.5f32, -1.5f32, 2e+01f32] [2.2448064e+38f32, 2.7418043e+38f32, 1.127626f32, 2.3524096f32, 2.425826e+08f32] }
-- output { true }
-- entry: acosh
-- input { [1.0f32, 1.0000001f32, 1.001f32, 1.5f32, 1e+04f32, 1e+20f32, 4.83e+27f32, 3e+38f32] [0.0f32, 0.00048828125f32, 0.04471868f32, 0.9624236f32, 9.903487f32, 46.74485f32, 64.43779f32, 89.28999f32] }
-- output { true }
-- entry: power
-- input { [0.9f32, 1.5f32, 1e+01f32, 1.0001f32, 2.5f32, 1.3819917f32, 2.0f32, 1e-40f32, 1e-40f32, 1.5f32, 0.5f32, 3e+38f32, 7.0f32] [8e+02f32, 2e+02f32, 38.0f32, 8e+05f32, -9e+01f32, -260.4268f32, -125.5f32, -0.9f32, 0.25f32, 1e+38f32, 3e+38f32, -1e+30f32, 0.5f32] [2.4774127e-37f32, 1.6529199e+35f32, 1e+38f32, 5.5922456e+34f32, 1.5324955e-36f32, 2.5622251e-37f32, 1.6624e-38f32, 1.00000266e+36f32, 9.999986e-11f32, f32.inf, 0.0f32, 0.0f32, 2.6457512f32] }
-- output { true }

-- Whether each number is within eight units in the last place of the expected one. The bits of numbers of one sign have the order of the numbers.
def exact [n] (given: [n]f32) (expected: [n]f32): bool =
  let near (x: f32) (y: f32) = i64.abs (i64.u32 (f32.to_bits x) - i64.u32 (f32.to_bits y)) <= 8
  in and (map2 near given expected)

entry exp [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.exp xs) expected

entry sin [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.sin xs) expected

entry cos [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.cos xs) expected

entry tan [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.tan xs) expected

entry log [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.log xs) expected

entry log2 [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.log2 xs) expected

entry log10 [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.log10 xs) expected

entry log1p [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.log1p xs) expected

entry cbrt [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.cbrt xs) expected

entry sinh [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.sinh xs) expected

entry cosh [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.cosh xs) expected

entry acosh [n] (xs: [n]f32) (expected: [n]f32): bool = exact (map f32.acosh xs) expected

entry power [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): bool = exact (map2 (**) xs ys) expected
