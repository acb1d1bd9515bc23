-- Floating-point numbers of 32 bits: exact operations are compared bit by bit, functions within 2e-6 of their result.
-- ==
-- entry: arithmetic
-- input { [1.0f32, 0.10000000149011612f32, -2.5f32, 3.4028234663852886e+38f32, 1.401298464324817e-45f32, 1.1754943508222875e-38f32, 3.0f32, -1.0f32, 0.0010000000474974513f32] [3.0f32, 0.20000000298023224f32, 0.5f32, 2.0f32, 0.5f32, -1.401298464324817e-45f32, -7.0f32, 1.0000001192092896f32, 0.3333333432674408f32] }
-- output { [1082130432u32, 1050253722u32, 3221225472u32, 2139095039u32, 1056964608u32, 8388607u32, 3229614080u32, 872415232u32, 1051405757u32] [3221225472u32, 3184315597u32, 3225419776u32, 2139095039u32, 3204448256u32, 8388609u32, 1092616192u32, 3221225472u32, 3198822297u32] [1077936128u32, 1017370379u32, 3214934016u32, 2139095040u32, 0u32, 2147483648u32, 3249012736u32, 3212836865u32, 967754559u32] [1051372203u32, 1056964608u32, 3231711232u32, 2130706431u32, 2u32, 3405774848u32, 3202051511u32, 3212836862u32, 994352038u32] }
-- entry: tests
-- input { [0.0f32, -0.0f32, 1.0f32, -1.0f32, f32.inf, -f32.inf, f32.nan, 1.401298464324817e-45f32, -3.4028234663852886e+38f32] }
-- output { [false, false, false, false, false, false, true, false, false] [false, false, false, false, true, true, false, false, false] [true, true, true, true, true, true, false, true, true] [false, false, false, true, false, true, false, false, true] [true, true, true, false, true, false, false, true, false] }
-- entry: signs
-- input { [0.0f32, -0.0f32, 1.0f32, -1.0f32, f32.inf, -f32.inf, 1.401298464324817e-45f32, -3.4028234663852886e+38f32] }
-- output { [2147483648u32, 0u32, 3212836864u32, 1065353216u32, 4286578688u32, 2139095040u32, 2147483649u32, 2139095039u32] [0u32, 0u32, 1065353216u32, 1065353216u32, 2139095040u32, 2139095040u32, 1u32, 2139095039u32] [0u32, 0u32, 1065353216u32, 3212836864u32, 1065353216u32, 3212836864u32, 1065353216u32, 3212836864u32] [1073741824u32, 3221225472u32, 1073741824u32, 3221225472u32, 1073741824u32, 3221225472u32, 1073741824u32, 3221225472u32] }
-- entry: rounding
-- input { [0.5f32, 1.5f32, 2.5f32, -0.5f32, -1.5f32, -2.5f32, 0.25f32, -0.75f32, 1000.5f32, f32.inf] }
-- output { [0u32, 1065353216u32, 1073741824u32, 3212836864u32, 3221225472u32, 3225419776u32, 0u32, 3212836864u32, 1148846080u32, 2139095040u32] [1065353216u32, 1073741824u32, 1077936128u32, 2147483648u32, 3212836864u32, 3221225472u32, 1065353216u32, 2147483648u32, 1148862464u32, 2139095040u32] [0u32, 1065353216u32, 1073741824u32, 2147483648u32, 3212836864u32, 3221225472u32, 0u32, 2147483648u32, 1148846080u32, 2139095040u32] [0u32, 1073741824u32, 1073741824u32, 2147483648u32, 3221225472u32, 3221225472u32, 0u32, 3212836864u32, 1148846080u32, 2139095040u32] }
-- entry: extremes
-- input { [1.0f32, f32.nan, 2.0f32, -1.0f32, 1.401298464324817e-45f32] [2.0f32, 1.0f32, f32.nan, -f32.inf, 0.0f32] }
-- output { [1.0f32, 1.0f32, 2.0f32, -f32.inf, 0.0f32] [2.0f32, 1.0f32, 2.0f32, -1.0f32, 1.401298464324817e-45f32] }
-- entry: folds
-- input { [1.0f32, -2.0f32, 3.5f32] }
-- output { 2.5f32 -7.0f32 3.5f32 -2.0f32 }
-- input { empty([0]f32) }
-- output { 0.0f32 1.0f32 -f32.inf f32.inf }
-- entry: constants
-- input {  }
-- output { 32i32 [2139095040u32, 4286578688u32, 872415232u32, 1078530011u32, 1076754516u32] true }
-- entry: single_bits
-- input { 1.0f32 }
-- output { 0i32 1i32 -1.0f32 1.0000001192092896f32 0.75f32 }
-- entry: neighbours
-- input { [1.0f32, 1.0f32, 0.0f32, 0.0f32, -1.0f32, 3.4028234663852886e+38f32, f32.inf, 1.1754943508222875e-38f32, 1.401298464324817e-45f32, 2.0f32] [2.0f32, 0.0f32, 1.0f32, -1.0f32, 0.0f32, f32.inf, 0.0f32, 0.0f32, -1.0f32, 2.0f32] }
-- output { [1065353217u32, 1065353215u32, 1u32, 2147483649u32, 3212836863u32, 2139095040u32, 2139095039u32, 8388607u32, 0u32, 1073741824u32] }
-- entry: scaling
-- input { [1.0f32, 1.0f32, 3.0f32, 1.5f32, 1.401298464324817e-45f32, 3.4028234663852886e+38f32, 3.4028234663852886e+38f32, 0.0f32, 1.0f32, 1.0f32, 1.0000001192092896f32, 1.5000001192092896f32] [3i32, -3i32, -149i32, -149i32, 276i32, 1i32, -277i32, 100i32, 2147483647i32, -2147483648i32, -127i32, -128i32] }
-- output { [1090519040u32, 1040187392u32, 3u32, 2u32, 2130706432u32, 2139095040u32, 1u32, 0u32, 2139095040u32, 0u32, 4194304u32, 3145728u32] }
-- entry: fused
-- input { [2.0f32, 1.0000001192092896f32, 1.0000001192092896f32, 0.10000000149011612f32, 1.0000001192092896f32, 3.4028234663852886e+38f32, 1.401298464324817e-45f32, 1.1754943508222875e-38f32, 1.0f32, 0.3333333432674408f32, 1.1754943508222875e-38f32, 3.4028234663852886e+38f32, 1.0000001192092896f32, 0.0010000000474974513f32] [3.0f32, 1.0000001192092896f32, 0.9999999403953552f32, 10.0f32, 0.0001220703125f32, 2.0f32, 0.5f32, 0.5f32, 1.0f32, 3.0f32, 1.0000001192092896f32, 1.401298464324817e-45f32, 5.960464477539063e-08f32, 0.0010000000474974513f32] [4.0f32, -1.0f32, -1.0f32, -1.0f32, 1.0f32, -3.4028234663852886e+38f32, 1.401298464324817e-45f32, 1.401298464324817e-45f32, -1.0f32, -1.0f32, -1.1754943508222875e-38f32, 1.0f32, 1.0f32, 3.4028234663852886e+38f32] }
-- output { [1092616192u32, 880803840u32, 864026622u32, 847249408u32, 1065354240u32, 2139095039u32, 2u32, 4194305u32, 0u32, 855638016u32, 1u32, 1065353220u32, 1065353217u32, 2139095039u32] }
-- input { [f32.inf, 1.0f32, f32.inf] [1.0f32, 1.0f32, 2.0f32] [1.0f32, -f32.inf, 3.0f32] }
-- output { [2139095040u32, 4286578688u32, 2139095040u32] }
-- entry: mixtures
-- input { 2.0f32 10.0f32 0.25f32 }
-- output { 20.25f32 4.0f32 0.5f32 0.7071067690849304f32 }
-- entry: sqrt
-- input { [0.25f32, 1.0f32, 2.0f32, 10.0f32, 1000.5f32] [0.5f32, 1.0f32, 1.4142135381698608f32, 3.1622776985168457f32, 31.63068199157715f32] }
-- output { [true, true, true, true, true] }
-- entry: cbrt
-- input { [0.25f32, 1.0f32, 2.0f32, 10.0f32, 1000.5f32] [0.6299605369567871f32, 1.0f32, 1.2599210739135742f32, 2.1544346809387207f32, 10.001666069030762f32] }
-- output { [true, true, true, true, true] }
-- entry: log
-- input { [0.25f32, 1.0f32, 2.0f32, 10.0f32, 1000.5f32] [-1.3862943649291992f32, 0.0f32, 0.6931471824645996f32, 2.3025851249694824f32, 6.908255100250244f32] }
-- output { [true, true, true, true, true] }
-- entry: log2
-- input { [0.25f32, 1.0f32, 2.0f32, 10.0f32, 1000.5f32] [-2.0f32, 0.0f32, 1.0f32, 3.321928024291992f32, 9.96650505065918f32] }
-- output { [true, true, true, true, true] }
-- entry: log10
-- input { [0.25f32, 1.0f32, 2.0f32, 10.0f32, 1000.5f32] [-0.6020600199699402f32, 0.0f32, 0.3010300099849701f32, 1.0f32, 3.0002171993255615f32] }
-- output { [true, true, true, true, true] }
-- entry: exp
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [1.0f32, 2.7182817459106445f32, 0.3678794503211975f32, 1.6487212181091309f32, 0.03877420723438263f32, 244.69192504882812f32] }
-- output { [true, true, true, true, true, true] }
-- entry: exp2
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [1.0f32, 2.0f32, 0.5f32, 1.4142135381698608f32, 0.10511205345392227f32, 45.25483322143555f32] }
-- output { [true, true, true, true, true, true] }
-- entry: sin
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [0.0f32, 0.8414709568023682f32, -0.8414709568023682f32, 0.4794255495071411f32, 0.10819513350725174f32, -0.7055402994155884f32] }
-- output { [true, true, true, true, true, true] }
-- entry: cos
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [1.0f32, 0.5403022766113281f32, 0.5403022766113281f32, 0.8775825500488281f32, -0.9941296577453613f32, 0.7086697816848755f32] }
-- output { [true, true, true, true, true, true] }
-- entry: tan
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [0.0f32, 1.5574077367782593f32, -1.5574077367782593f32, 0.5463024973869324f32, -0.10883402824401855f32, -0.9955840706825256f32] }
-- output { [true, true, true, true, true, true] }
-- entry: atan
-- input { [0.0f32, 1.0f32, -1.0f32, 0.5f32, -3.25f32, 5.5f32] [0.0f32, 0.7853981852531433f32, -0.7853981852531433f32, 0.46364760398864746f32, -1.2722973823547363f32, 1.3909428119659424f32] }
-- output { [true, true, true, true, true, true] }
-- entry: exp10
-- input { [-4.0f32, -1.0f32, 0.0f32, 1.0f32, 2.5f32] [9.999999747378752e-05f32, 0.10000000149011612f32, 1.0f32, 10.0f32, 316.2277526855469f32] }
-- output { [true, true, true, true, true] }
-- entry: asin
-- input { [-0.8999999761581421f32, -0.25f32, 0.0f32, 0.0010000000474974513f32, 0.5f32, 0.75f32] [-1.1197694540023804f32, -0.252680242061615f32, 0.0f32, 0.0010000001639127731f32, 0.5235987901687622f32, 0.8480620980262756f32] }
-- output { [true, true, true, true, true, true] }
-- entry: acos
-- input { [-0.8999999761581421f32, -0.25f32, 0.0f32, 0.0010000000474974513f32, 0.5f32, 0.75f32] [2.690565824508667f32, 1.8234765529632568f32, 1.5707963705062866f32, 1.5697963237762451f32, 1.0471975803375244f32, 0.722734272480011f32] }
-- output { [true, true, true, true, true, true] }
-- entry: atanh
-- input { [-0.8999999761581421f32, -0.25f32, 0.0f32, 0.0010000000474974513f32, 0.5f32, 0.75f32] [-1.4722193479537964f32, -0.2554128170013428f32, 0.0f32, 0.0010000003967434168f32, 0.5493061542510986f32, 0.972955048084259f32] }
-- output { [true, true, true, true, true, true] }
-- entry: log1p
-- input { [-0.8999999761581421f32, -0.25f32, 0.0f32, 0.0010000000474974513f32, 0.5f32, 0.75f32] [-2.3025848865509033f32, -0.28768208622932434f32, 0.0f32, 0.00099950039293617f32, 0.40546509623527527f32, 0.5596157908439636f32] }
-- output { [true, true, true, true, true, true] }
-- entry: sinh
-- input { [-5.0f32, -0.5f32, 0.0f32, 0.009999999776482582f32, 1.0f32, 3.0f32] [-74.20320892333984f32, -0.5210952758789062f32, 0.0f32, 0.010000166483223438f32, 1.175201177597046f32, 10.017874717712402f32] }
-- output { [true, true, true, true, true, true] }
-- entry: cosh
-- input { [-5.0f32, -0.5f32, 0.0f32, 0.009999999776482582f32, 1.0f32, 3.0f32] [74.20994567871094f32, 1.1276259422302246f32, 1.0f32, 1.0000499486923218f32, 1.5430806875228882f32, 10.067662239074707f32] }
-- output { [true, true, true, true, true, true] }
-- entry: tanh
-- input { [-5.0f32, -0.5f32, 0.0f32, 0.009999999776482582f32, 1.0f32, 3.0f32] [-0.9999092221260071f32, -0.46211716532707214f32, 0.0f32, 0.00999966636300087f32, 0.7615941762924194f32, 0.9950547814369202f32] }
-- output { [true, true, true, true, true, true] }
-- entry: asinh
-- input { [-5.0f32, -0.5f32, 0.0f32, 0.009999999776482582f32, 1.0f32, 3.0f32] [-2.3124382495880127f32, -0.4812118113040924f32, 0.0f32, 0.009999833069741726f32, 0.8813735842704773f32, 1.8184465169906616f32] }
-- output { [true, true, true, true, true, true] }
-- entry: acosh
-- input { [1.0f32, 1.5f32, 2.0f32, 100.0f32] [0.0f32, 0.9624236226081848f32, 1.316957950592041f32, 5.29829216003418f32] }
-- output { [true, true, true, true] }
-- entry: sinpi
-- input { [0.0f32, 0.25f32, 0.5f32, 1.0f32, -1.5f32, 2.75f32, -0.125f32] [0.0f32, 0.7071067690849304f32, 1.0f32, 0.0f32, 1.0f32, 0.7071067690849304f32, -0.3826834261417389f32] }
-- output { [true, true, true, true, true, true, true] }
-- entry: cospi
-- input { [0.0f32, 0.25f32, 0.5f32, 1.0f32, -1.5f32, 2.75f32, -0.125f32] [1.0f32, 0.7071067690849304f32, 0.0f32, -1.0f32, 0.0f32, -0.7071067690849304f32, 0.9238795042037964f32] }
-- output { [true, true, true, true, true, true, true] }
-- entry: tanpi
-- input { [0.0f32, 0.25f32, -0.125f32, 1.100000023841858f32] [0.0f32, 1.0f32, -0.4142135679721832f32, 0.32491979002952576f32] }
-- output { [true, true, true, true] }
-- entry: asinpi
-- input { [0.0f32, 0.5f32, -0.75f32, 1.0f32] [0.0f32, 0.1666666716337204f32, -0.26994654536247253f32, 0.5f32] }
-- output { [true, true, true, true] }
-- entry: acospi
-- input { [0.0f32, 0.5f32, -0.75f32, 1.0f32] [0.5f32, 0.3333333432674408f32, 0.7699465155601501f32, 0.0f32] }
-- output { [true, true, true, true] }
-- entry: atanpi
-- input { [0.0f32, 0.5f32, -0.75f32, 1.0f32] [0.0f32, 0.14758361876010895f32, -0.2048327624797821f32, 0.25f32] }
-- output { [true, true, true, true] }
-- entry: atan2
-- input { [1.0f32, -1.0f32, 1.0f32, -3.0f32, 0.0f32, 2.0f32] [2.0f32, 2.0f32, -2.0f32, -0.5f32, 1.0f32, 0.0f32] [0.46364760398864746f32, -0.46364760398864746f32, 2.677945137023926f32, -1.7359449863433838f32, 0.0f32, 1.5707963705062866f32] }
-- output { [true, true, true, true, true, true] }
-- entry: atan2pi
-- input { [1.0f32, -1.0f32, 1.0f32, -3.0f32, 0.0f32, 2.0f32] [2.0f32, 2.0f32, -2.0f32, -0.5f32, 1.0f32, 0.0f32] [0.14758361876010895f32, -0.14758361876010895f32, 0.8524163961410522f32, -0.5525684356689453f32, 0.0f32, 0.5f32] }
-- output { [true, true, true, true, true, true] }
-- entry: hypot
-- input { [1.0f32, -1.0f32, 1.0f32, -3.0f32, 0.0f32, 2.0f32] [2.0f32, 2.0f32, -2.0f32, -0.5f32, 1.0f32, 0.0f32] [2.2360680103302f32, 2.2360680103302f32, 2.2360680103302f32, 3.041381359100342f32, 1.0f32, 2.0f32] }
-- output { [true, true, true, true, true, true] }
-- entry: powers
-- input { [2.0f32, 2.0f32, 0.5f32, -2.0f32, -2.0f32, 1.5f32, 10.0f32] [10.0f32, -2.0f32, 0.5f32, 3.0f32, -1.0f32, 7.25f32, 2.0f32] [1024.0f32, 0.25f32, 0.7071067690849304f32, -8.0f32, -0.5f32, 18.90869903564453f32, 100.0f32] }
-- output { [true, true, true, true, true, true, true] }
-- entry: gamma
-- input { [0.5f32, 1.0f32, 2.0f32, 5.0f32, 7.5f32, -0.5f32, -1.5f32, 0.0010000000474974513f32] [1.7724539041519165f32, 1.0f32, 1.0f32, 24.0f32, 1871.2542724609375f32, -3.544907808303833f32, 2.363271713256836f32, 999.4237060546875f32] }
-- output { [true, true, true, true, true, true, true, true] }
-- entry: lgamma
-- input { [0.5f32, 3.0f32, 10.0f32, 100.5f32, -0.5f32, -1.5f32] [0.5723649263381958f32, 0.6931471824645996f32, 12.801827430725098f32, 361.435546875f32, 1.2655121088027954f32, 0.8600470423698425f32] }
-- output { [true, true, true, true, true, true] }
-- entry: erf
-- input { [0.0f32, 0.10000000149011612f32, -0.5f32, 1.0f32, 1.899999976158142f32, 2.0999999046325684f32, -3.0f32] [0.0f32, 0.11246291548013687f32, -0.5204998850822449f32, 0.8427007794380188f32, 0.9927904009819031f32, 0.9970205426216125f32, -0.9999778866767883f32] }
-- output { [true, true, true, true, true, true, true] }
-- entry: erfc
-- input { [0.0f32, 0.5f32, -1.0f32, 2.0f32, 3.0f32, 5.0f32] [1.0f32, 0.4795001149177551f32, 1.8427008390426636f32, 0.004677734803408384f32, 2.2090496713644825e-05f32, 1.5374598295869735e-12f32] }
-- output { [true, true, true, true, true, true] }

-- Whether the numbers are equal, or differ by less than this fraction of the second.
def close (x: f32) (y: f32): bool =
  x == y || (f32.isnan x && f32.isnan y) || f32.abs (x - y) <= 2e-6 * f32.abs y

entry arithmetic [n] (xs: [n]f32) (ys: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
  let bits (f: f32 -> f32 -> f32) = map2 (\x y -> f32.to_bits (f x y)) xs ys
  in (bits (+), bits (-), bits (*), bits (/))

entry tests [n] (xs: [n]f32): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  (map f32.isnan xs, map f32.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

entry signs [n] (xs: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
  let bits (f: f32 -> f32) = map (\x -> f32.to_bits (f x)) xs
  in (bits f32.neg, bits f32.abs, bits f32.sgn, bits (\x -> f32.copysign 2 x))

entry rounding [n] (xs: [n]f32): ([n]u32, [n]u32, [n]u32, [n]u32) =
  let bits (f: f32 -> f32) = map (\x -> f32.to_bits (f x)) xs
  in (bits f32.floor, bits f32.ceil, bits f32.trunc, bits f32.round)

entry extremes [n] (xs: [n]f32) (ys: [n]f32): ([n]f32, [n]f32) = (map2 f32.min xs ys, map2 f32.max xs ys)

entry folds (xs: []f32): (f32, f32, f32, f32) =
  (f32.sum xs, f32.product xs, f32.maximum xs, f32.minimum xs)

entry constants: (i32, []u32, bool) =
  ( f32.num_bits
  , map f32.to_bits [f32.highest, f32.lowest, f32.epsilon, f32.pi, f32.e]
  , f32.isnan f32.nan )

entry single_bits (x: f32): (i32, i32, f32, f32, f32) =
  ( f32.get_bit 0 x, f32.get_bit 23 x, f32.set_bit 31 x 1, f32.set_bit 0 x 1
  , f32.from_fraction 3 4 * x )

entry neighbours [n] (xs: [n]f32) (ys: [n]f32): [n]u32 =
  map2 (\x y -> f32.to_bits (f32.nextafter x y)) xs ys

entry scaling [n] (xs: [n]f32) (ns: [n]i32): [n]u32 =
  map2 (\x n -> f32.to_bits (f32.ldexp x n)) xs ns

entry fused [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32): [n]u32 =
  map3 (\x y z -> f32.to_bits (f32.fma x y z)) xs ys zs

entry mixtures (x: f32) (y: f32) (z: f32): (f32, f32, f32, f32) =
  (f32.mad x y z, f32.lerp x y z, f32.recip x, f32.rsqrt x)

entry sqrt [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.sqrt xs) expected

entry cbrt [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.cbrt xs) expected

entry log [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.log xs) expected

entry log2 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.log2 xs) expected

entry log10 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.log10 xs) expected

entry exp [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.exp xs) expected

entry exp2 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.exp2 xs) expected

entry sin [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.sin xs) expected

entry cos [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.cos xs) expected

entry tan [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.tan xs) expected

entry atan [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.atan xs) expected

entry exp10 [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.exp10 xs) expected

entry asin [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.asin xs) expected

entry acos [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.acos xs) expected

entry atanh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.atanh xs) expected

entry log1p [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.log1p xs) expected

entry sinh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.sinh xs) expected

entry cosh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.cosh xs) expected

entry tanh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.tanh xs) expected

entry asinh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.asinh xs) expected

entry acosh [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.acosh xs) expected

entry sinpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.sinpi xs) expected

entry cospi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.cospi xs) expected

entry tanpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.tanpi xs) expected

entry asinpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.asinpi xs) expected

entry acospi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.acospi xs) expected

entry atanpi [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.atanpi xs) expected

entry atan2 [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map2 f32.atan2 xs ys) expected

entry atan2pi [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map2 f32.atan2pi xs ys) expected

entry hypot [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map2 f32.hypot xs ys) expected

entry powers [n] (xs: [n]f32) (ys: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map2 (**) xs ys) expected

entry gamma [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.gamma xs) expected

entry lgamma [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.lgamma xs) expected

entry erf [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.erf xs) expected

entry erfc [n] (xs: [n]f32) (expected: [n]f32): [n]bool =
  map2 close (map f32.erfc xs) expected

-- Results near 0 have as many correct digits as others.
-- ==
-- entry: log1p_near_0
-- input { [-2.990474712305513e-08f32, 0.0010000000474974513f32, -0.06169389188289642f32]
--         [-2.990474757020209e-08f32, 0.00099950039293617f32, -0.06367904193741471f32] }
-- output { true }
entry log1p_near_0 [n] (xs: [n]f32) (expected: [n]f32): bool =
  all id (map2 (\x y -> f32.abs (f32.log1p x / y - 1) < 3e-7) xs expected)
