-- Floating-point numbers of 64 bits: exact operations are compared bit by bit, functions within 1e-14 of their result (`f64_digits` compares the last digits).
-- ==
-- entry: arithmetic
-- input { [1.0f64, 0.1f64, -2.5f64, 1.7976931348623157e+308f64, 5e-324f64, 2.2250738585072014e-308f64, 3.0f64, -1.0f64, 0.001f64] [3.0f64, 0.2f64, 0.5f64, 2.0f64, 0.5f64, -5e-324f64, -7.0f64, 1.0000000000000002f64, 0.3333333333333333f64] }
-- output { [4616189618054758400u64, 4599075939470750516u64, 13835058055282163712u64, 9218868437227405311u64, 4602678819172646912u64, 4503599627370495u64, 13839561654909534208u64, 4372995238176751616u64, 4599694433819576063u64] [13835058055282163712u64, 13815242216921733530u64, 13837309855095848960u64, 9218868437227405311u64, 13826050856027422720u64, 4503599627370497u64, 4621819117588971520u64, 13835058055282163712u64, 13823030441877332907u64] [4613937818241073152u64, 4581421828931458172u64, 13831680355561635840u64, 9218868437227405312u64, 0u64, 9223372036854775808u64, 13849976229047828480u64, 13830554455654793217u64, 4554784538335437477u64] [4599676419421066581u64, 4602678819172646912u64, 13840687554816376832u64, 9214364837600034815u64, 2u64, 14064741636278059008u64, 13824764113276745435u64, 13830554455654793214u64, 4569063951553953530u64] }
-- entry: tests
-- input { [0.0f64, -0.0f64, 1.0f64, -1.0f64, f64.inf, -f64.inf, f64.nan, 5e-324f64, -1.7976931348623157e+308f64] }
-- output { [false, false, false, false, false, false, true, false, false] [false, false, false, false, true, true, false, false, false] [true, true, true, true, true, true, false, true, true] [false, false, false, true, false, true, false, false, true] [true, true, true, false, true, false, false, true, false] }
-- entry: signs
-- input { [0.0f64, -0.0f64, 1.0f64, -1.0f64, f64.inf, -f64.inf, 5e-324f64, -1.7976931348623157e+308f64] }
-- output { [9223372036854775808u64, 0u64, 13830554455654793216u64, 4607182418800017408u64, 18442240474082181120u64, 9218868437227405312u64, 9223372036854775809u64, 9218868437227405311u64] [0u64, 0u64, 4607182418800017408u64, 4607182418800017408u64, 9218868437227405312u64, 9218868437227405312u64, 1u64, 9218868437227405311u64] [0u64, 0u64, 4607182418800017408u64, 13830554455654793216u64, 4607182418800017408u64, 13830554455654793216u64, 4607182418800017408u64, 13830554455654793216u64] [4611686018427387904u64, 13835058055282163712u64, 4611686018427387904u64, 13835058055282163712u64, 4611686018427387904u64, 13835058055282163712u64, 4611686018427387904u64, 13835058055282163712u64] }
-- entry: rounding
-- input { [0.5f64, 1.5f64, 2.5f64, -0.5f64, -1.5f64, -2.5f64, 0.25f64, -0.75f64, 1000.5f64, f64.inf] }
-- output { [0u64, 4607182418800017408u64, 4611686018427387904u64, 13830554455654793216u64, 13835058055282163712u64, 13837309855095848960u64, 0u64, 13830554455654793216u64, 4652007308841189376u64, 9218868437227405312u64] [4607182418800017408u64, 4611686018427387904u64, 4613937818241073152u64, 9223372036854775808u64, 13830554455654793216u64, 13835058055282163712u64, 4607182418800017408u64, 9223372036854775808u64, 4652016104934211584u64, 9218868437227405312u64] [0u64, 4607182418800017408u64, 4611686018427387904u64, 9223372036854775808u64, 13830554455654793216u64, 13835058055282163712u64, 0u64, 9223372036854775808u64, 4652007308841189376u64, 9218868437227405312u64] [0u64, 4611686018427387904u64, 4611686018427387904u64, 9223372036854775808u64, 13835058055282163712u64, 13835058055282163712u64, 0u64, 13830554455654793216u64, 4652007308841189376u64, 9218868437227405312u64] }
-- entry: extremes
-- input { [1.0f64, f64.nan, 2.0f64, -1.0f64, 5e-324f64] [2.0f64, 1.0f64, f64.nan, -f64.inf, 0.0f64] }
-- output { [1.0f64, 1.0f64, 2.0f64, -f64.inf, 0.0f64] [2.0f64, 1.0f64, 2.0f64, -1.0f64, 5e-324f64] }
-- entry: folds
-- input { [1.0f64, -2.0f64, 3.5f64] }
-- output { 2.5f64 -7.0f64 3.5f64 -2.0f64 }
-- input { empty([0]f64) }
-- output { 0.0f64 1.0f64 -f64.inf f64.inf }
-- entry: constants
-- input {  }
-- output { 64i32 [9218868437227405312u64, 18442240474082181120u64, 4372995238176751616u64, 4614256656552045848u64, 4613303445314885481u64] true }
-- entry: single_bits
-- input { 1.0f64 }
-- output { 0i32 1i32 -1.0f64 1.0000000000000002f64 0.75f64 }
-- entry: neighbours
-- input { [1.0f64, 1.0f64, 0.0f64, 0.0f64, -1.0f64, 1.7976931348623157e+308f64, f64.inf, 2.2250738585072014e-308f64, 5e-324f64, 2.0f64] [2.0f64, 0.0f64, 1.0f64, -1.0f64, 0.0f64, f64.inf, 0.0f64, 0.0f64, -1.0f64, 2.0f64] }
-- output { [4607182418800017409u64, 4607182418800017407u64, 1u64, 9223372036854775809u64, 13830554455654793215u64, 9218868437227405312u64, 9218868437227405311u64, 4503599627370495u64, 0u64, 4611686018427387904u64] }
-- entry: scaling
-- input { [1.0f64, 1.0f64, 3.0f64, 1.5f64, 5e-324f64, 1.7976931348623157e+308f64, 1.7976931348623157e+308f64, 0.0f64, 1.0f64, 1.0f64, 1.0000000000000002f64, 1.5000000000000002f64] [3i32, -3i32, -1074i32, -1074i32, 2097i32, 1i32, -2098i32, 100i32, 2147483647i32, -2147483648i32, -1023i32, -1024i32] }
-- output { [4620693217682128896u64, 4593671619917905920u64, 3u64, 2u64, 9214364837600034816u64, 9218868437227405312u64, 1u64, 0u64, 9218868437227405312u64, 0u64, 2251799813685248u64, 1688849860263936u64] }
-- entry: fused
-- input { [2.0f64, 1.0000000000000002f64, 1.0000000000000002f64, 0.1f64, 1.0000000000000002f64, 1.7976931348623157e+308f64, 5e-324f64, 2.2250738585072014e-308f64, 1.0f64, 0.3333333333333333f64, 2.2250738585072014e-308f64, 1.7976931348623157e+308f64, 1.0000000000000002f64, 0.001f64] [3.0f64, 1.0000000000000002f64, 0.9999999999999999f64, 10.0f64, 3.725290298461914e-09f64, 2.0f64, 0.5f64, 0.5f64, 1.0f64, 3.0f64, 1.0000000000000002f64, 5e-324f64, 1.1102230246251565e-16f64, 0.001f64] [4.0f64, -1.0f64, -1.0f64, -1.0f64, 1.0f64, -1.7976931348623157e+308f64, 5e-324f64, 5e-324f64, -1.0f64, -1.0f64, -2.2250738585072014e-308f64, 1.0f64, 1.0f64, 1.7976931348623157e+308f64] }
-- output { [4621819117588971520u64, 4377498837804122112u64, 4368491638549381118u64, 4363988038922010624u64, 4607182418816794624u64, 9218868437227405311u64, 2u64, 2251799813685249u64, 0u64, 13587360075776786432u64, 1u64, 4607182418800017412u64, 4607182418800017409u64, 9218868437227405311u64] }
-- input { [f64.inf, 1.0f64, f64.inf] [1.0f64, 1.0f64, 2.0f64] [1.0f64, -f64.inf, 3.0f64] }
-- output { [9218868437227405312u64, 18442240474082181120u64, 9218868437227405312u64] }
-- entry: mixtures
-- input { 2.0f64 10.0f64 0.25f64 }
-- output { 20.25f64 4.0f64 0.5f64 0.7071067811865476f64 }
-- entry: sqrt
-- input { [0.25f64, 1.0f64, 2.0f64, 10.0f64, 1000.5f64] [0.5f64, 1.0f64, 1.4142135623730951f64, 3.1622776601683795f64, 31.63068130786942f64] }
-- output { [true, true, true, true, true] }
-- entry: cbrt
-- input { [0.25f64, 1.0f64, 2.0f64, 10.0f64, 1000.5f64] [0.6299605249474366f64, 1.0f64, 1.2599210498948732f64, 2.154434690031884f64, 10.001666388966024f64] }
-- output { [true, true, true, true, true] }
-- entry: log
-- input { [0.25f64, 1.0f64, 2.0f64, 10.0f64, 1000.5f64] [-1.3862943611198906f64, 0.0f64, 0.6931471805599453f64, 2.302585092994046f64, 6.908255154023788f64] }
-- output { [true, true, true, true, true] }
-- entry: log2
-- input { [0.25f64, 1.0f64, 2.0f64, 10.0f64, 1000.5f64] [-2.0f64, 0.0f64, 1.0f64, 3.321928094887362f64, 9.966505451905741f64] }
-- output { [true, true, true, true, true] }
-- entry: log10
-- input { [0.25f64, 1.0f64, 2.0f64, 10.0f64, 1000.5f64] [-0.6020599913279624f64, 0.0f64, 0.3010299956639812f64, 1.0f64, 3.00021709297223f64] }
-- output { [true, true, true, true, true] }
-- entry: exp
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [1.0f64, 2.718281828459045f64, 0.36787944117144233f64, 1.6487212707001282f64, 0.03877420783172201f64, 244.69193226422038f64] }
-- output { [true, true, true, true, true, true] }
-- entry: exp2
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [1.0f64, 2.0f64, 0.5f64, 1.4142135623730951f64, 0.10511205190671431f64, 45.254833995939045f64] }
-- output { [true, true, true, true, true, true] }
-- entry: sin
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [0.0f64, 0.8414709848078965f64, -0.8414709848078965f64, 0.479425538604203f64, 0.10819513453010837f64, -0.7055403255703919f64] }
-- output { [true, true, true, true, true, true] }
-- entry: cos
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [1.0f64, 0.5403023058681398f64, 0.5403023058681398f64, 0.8775825618903728f64, -0.9941296760805463f64, 0.70866977429126f64] }
-- output { [true, true, true, true, true, true] }
-- entry: tan
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [0.0f64, 1.5574077246549023f64, -1.5574077246549023f64, 0.5463024898437905f64, -0.10883402551332971f64, -0.995584052213885f64] }
-- output { [true, true, true, true, true, true] }
-- entry: atan
-- input { [0.0f64, 1.0f64, -1.0f64, 0.5f64, -3.25f64, 5.5f64] [0.0f64, 0.7853981633974483f64, -0.7853981633974483f64, 0.4636476090008061f64, -1.2722973952087173f64, 1.3909428270024184f64] }
-- output { [true, true, true, true, true, true] }
-- entry: exp10
-- input { [-4.0f64, -1.0f64, 0.0f64, 1.0f64, 2.5f64] [0.0001f64, 0.1f64, 1.0f64, 10.0f64, 316.22776601683796f64] }
-- output { [true, true, true, true, true] }
-- entry: asin
-- input { [-0.9f64, -0.25f64, 0.0f64, 0.001f64, 0.5f64, 0.75f64] [-1.1197695149986342f64, -0.25268025514207865f64, 0.0f64, 0.0010000001666667416f64, 0.5235987755982989f64, 0.848062078981481f64] }
-- output { [true, true, true, true, true, true] }
-- entry: acos
-- input { [-0.9f64, -0.25f64, 0.0f64, 0.001f64, 0.5f64, 0.75f64] [2.6905658417935308f64, 1.8234765819369754f64, 1.5707963267948966f64, 1.56979632662823f64, 1.0471975511965979f64, 0.7227342478134157f64] }
-- output { [true, true, true, true, true, true] }
-- entry: atanh
-- input { [-0.9f64, -0.25f64, 0.0f64, 0.001f64, 0.5f64, 0.75f64] [-1.4722194895832204f64, -0.25541281188299536f64, 0.0f64, 0.0010000003333335333f64, 0.5493061443340549f64, 0.9729550745276566f64] }
-- output { [true, true, true, true, true, true] }
-- entry: log1p
-- input { [-0.9f64, -0.25f64, 0.0f64, 0.001f64, 0.5f64, 0.75f64] [-2.302585092994046f64, -0.2876820724517809f64, 0.0f64, 0.0009995003330835331f64, 0.4054651081081644f64, 0.5596157879354227f64] }
-- output { [true, true, true, true, true, true] }
-- entry: sinh
-- input { [-5.0f64, -0.5f64, 0.0f64, 0.01f64, 1.0f64, 3.0f64] [-74.20321057778875f64, -0.5210953054937474f64, 0.0f64, 0.010000166667500003f64, 1.1752011936438014f64, 10.017874927409903f64] }
-- output { [true, true, true, true, true, true] }
-- entry: cosh
-- input { [-5.0f64, -0.5f64, 0.0f64, 0.01f64, 1.0f64, 3.0f64] [74.20994852478785f64, 1.1276259652063807f64, 1.0f64, 1.0000500004166681f64, 1.5430806348152437f64, 10.067661995777765f64] }
-- output { [true, true, true, true, true, true] }
-- entry: tanh
-- input { [-5.0f64, -0.5f64, 0.0f64, 0.01f64, 1.0f64, 3.0f64] [-0.9999092042625951f64, -0.46211715726000974f64, 0.0f64, 0.00999966667999946f64, 0.7615941559557649f64, 0.9950547536867305f64] }
-- output { [true, true, true, true, true, true] }
-- entry: asinh
-- input { [-5.0f64, -0.5f64, 0.0f64, 0.01f64, 1.0f64, 3.0f64] [-2.3124383412727525f64, -0.48121182505960347f64, 0.0f64, 0.009999833340832888f64, 0.881373587019543f64, 1.8184464592320668f64] }
-- output { [true, true, true, true, true, true] }
-- entry: acosh
-- input { [1.0f64, 1.5f64, 2.0f64, 100.0f64] [0.0f64, 0.9624236501192069f64, 1.3169578969248168f64, 5.298292365610485f64] }
-- output { [true, true, true, true] }
-- entry: sinpi
-- input { [0.0f64, 0.25f64, 0.5f64, 1.0f64, -1.5f64, 2.75f64, -0.125f64] [0.0f64, 0.7071067811865476f64, 1.0f64, 0.0f64, 1.0f64, 0.7071067811865476f64, -0.3826834323650898f64] }
-- output { [true, true, true, true, true, true, true] }
-- entry: cospi
-- input { [0.0f64, 0.25f64, 0.5f64, 1.0f64, -1.5f64, 2.75f64, -0.125f64] [1.0f64, 0.7071067811865476f64, 0.0f64, -1.0f64, 0.0f64, -0.7071067811865476f64, 0.9238795325112867f64] }
-- output { [true, true, true, true, true, true, true] }
-- entry: tanpi
-- input { [0.0f64, 0.25f64, -0.125f64, 1.1f64] [0.0f64, 1.0f64, -0.41421356237309503f64, 0.3249196962329066f64] }
-- output { [true, true, true, true] }
-- entry: asinpi
-- input { [0.0f64, 0.5f64, -0.75f64, 1.0f64] [0.0f64, 0.16666666666666666f64, -0.2699465438373841f64, 0.5f64] }
-- output { [true, true, true, true] }
-- entry: acospi
-- input { [0.0f64, 0.5f64, -0.75f64, 1.0f64] [0.5f64, 0.3333333333333333f64, 0.7699465438373841f64, 0.0f64] }
-- output { [true, true, true, true] }
-- entry: atanpi
-- input { [0.0f64, 0.5f64, -0.75f64, 1.0f64] [0.0f64, 0.14758361765043326f64, -0.20483276469913345f64, 0.25f64] }
-- output { [true, true, true, true] }
-- entry: atan2
-- input { [1.0f64, -1.0f64, 1.0f64, -3.0f64, 0.0f64, 2.0f64] [2.0f64, 2.0f64, -2.0f64, -0.5f64, 1.0f64, 0.0f64] [0.4636476090008061f64, -0.4636476090008061f64, 2.677945044588987f64, -1.7359450042095235f64, 0.0f64, 1.5707963267948966f64] }
-- output { [true, true, true, true, true, true] }
-- entry: atan2pi
-- input { [1.0f64, -1.0f64, 1.0f64, -3.0f64, 0.0f64, 2.0f64] [2.0f64, 2.0f64, -2.0f64, -0.5f64, 1.0f64, 0.0f64] [0.14758361765043326f64, -0.14758361765043326f64, 0.8524163823495667f64, -0.5525684567112534f64, 0.0f64, 0.5f64] }
-- output { [true, true, true, true, true, true] }
-- entry: hypot
-- input { [1.0f64, -1.0f64, 1.0f64, -3.0f64, 0.0f64, 2.0f64] [2.0f64, 2.0f64, -2.0f64, -0.5f64, 1.0f64, 0.0f64] [2.23606797749979f64, 2.23606797749979f64, 2.23606797749979f64, 3.0413812651491097f64, 1.0f64, 2.0f64] }
-- output { [true, true, true, true, true, true] }
-- entry: powers
-- input { [2.0f64, 2.0f64, 0.5f64, -2.0f64, -2.0f64, 1.5f64, 10.0f64] [10.0f64, -2.0f64, 0.5f64, 3.0f64, -1.0f64, 7.25f64, 2.0f64] [1024.0f64, 0.25f64, 0.7071067811865476f64, -8.0f64, -0.5f64, 18.908698112379714f64, 100.0f64] }
-- output { [true, true, true, true, true, true, true] }
-- entry: gamma
-- input { [0.5f64, 1.0f64, 2.0f64, 5.0f64, 7.5f64, -0.5f64, -1.5f64, 0.001f64] [1.772453850905516f64, 1.0f64, 1.0f64, 24.0f64, 1871.2543057977884f64, -3.544907701811032f64, 2.363271801207355f64, 999.4237724845955f64] }
-- output { [true, true, true, true, true, true, true, true] }
-- entry: lgamma
-- input { [0.5f64, 3.0f64, 10.0f64, 100.5f64, -0.5f64, -1.5f64] [0.5723649429247001f64, 0.6931471805599453f64, 12.801827480081469f64, 361.4355404677776f64, 1.2655121234846454f64, 0.860047015376481f64] }
-- output { [true, true, true, true, true, true] }
-- entry: erf
-- input { [0.0f64, 0.1f64, -0.5f64, 1.0f64, 1.9f64, 2.1f64, -3.0f64] [0.0f64, 0.1124629160182849f64, -0.5204998778130465f64, 0.8427007929497149f64, 0.9927904292352575f64, 0.997020533343667f64, -0.9999779095030014f64] }
-- output { [true, true, true, true, true, true, true] }
-- entry: erfc
-- input { [0.0f64, 0.5f64, -1.0f64, 2.0f64, 3.0f64, 5.0f64, 10.0f64] [1.0f64, 0.4795001221869535f64, 1.8427007929497148f64, 0.004677734981047266f64, 2.209049699858544e-05f64, 1.537459794428035e-12f64, 2.088487583762545e-45f64] }
-- output { [true, true, true, true, true, true, true] }

-- Whether the numbers are equal, or differ by less than this fraction of the second.
def close (x: f64) (y: f64): bool =
  x == y || (f64.isnan x && f64.isnan y) || f64.abs (x - y) <= 1e-14 * f64.abs y

entry arithmetic [n] (xs: [n]f64) (ys: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
  let bits (f: f64 -> f64 -> f64) = map2 (\x y -> f64.to_bits (f x y)) xs ys
  in (bits (+), bits (-), bits (*), bits (/))

entry tests [n] (xs: [n]f64): ([n]bool, [n]bool, [n]bool, [n]bool, [n]bool) =
  (map f64.isnan xs, map f64.isinf xs, map (\x -> x == x) xs, map (< 0) xs, map (>= 0) xs)

entry signs [n] (xs: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
  let bits (f: f64 -> f64) = map (\x -> f64.to_bits (f x)) xs
  in (bits f64.neg, bits f64.abs, bits f64.sgn, bits (\x -> f64.copysign 2 x))

entry rounding [n] (xs: [n]f64): ([n]u64, [n]u64, [n]u64, [n]u64) =
  let bits (f: f64 -> f64) = map (\x -> f64.to_bits (f x)) xs
  in (bits f64.floor, bits f64.ceil, bits f64.trunc, bits f64.round)

entry extremes [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) = (map2 f64.min xs ys, map2 f64.max xs ys)

entry folds (xs: []f64): (f64, f64, f64, f64) =
  (f64.sum xs, f64.product xs, f64.maximum xs, f64.minimum xs)

entry constants: (i32, []u64, bool) =
  ( f64.num_bits
  , map f64.to_bits [f64.highest, f64.lowest, f64.epsilon, f64.pi, f64.e]
  , f64.isnan f64.nan )

entry single_bits (x: f64): (i32, i32, f64, f64, f64) =
  ( f64.get_bit 0 x, f64.get_bit 52 x, f64.set_bit 63 x 1, f64.set_bit 0 x 1
  , f64.from_fraction 3 4 * x )

entry neighbours [n] (xs: [n]f64) (ys: [n]f64): [n]u64 =
  map2 (\x y -> f64.to_bits (f64.nextafter x y)) xs ys

entry scaling [n] (xs: [n]f64) (ns: [n]i32): [n]u64 =
  map2 (\x n -> f64.to_bits (f64.ldexp x n)) xs ns

entry fused [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64): [n]u64 =
  map3 (\x y z -> f64.to_bits (f64.fma x y z)) xs ys zs

entry mixtures (x: f64) (y: f64) (z: f64): (f64, f64, f64, f64) =
  (f64.mad x y z, f64.lerp x y z, f64.recip x, f64.rsqrt x)

entry sqrt [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.sqrt xs) expected

entry cbrt [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.cbrt xs) expected

entry log [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.log xs) expected

entry log2 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.log2 xs) expected

entry log10 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.log10 xs) expected

entry exp [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.exp xs) expected

entry exp2 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.exp2 xs) expected

entry sin [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.sin xs) expected

entry cos [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.cos xs) expected

entry tan [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.tan xs) expected

entry atan [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.atan xs) expected

entry exp10 [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.exp10 xs) expected

entry asin [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.asin xs) expected

entry acos [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.acos xs) expected

entry atanh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.atanh xs) expected

entry log1p [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.log1p xs) expected

entry sinh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.sinh xs) expected

entry cosh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.cosh xs) expected

entry tanh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.tanh xs) expected

entry asinh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.asinh xs) expected

entry acosh [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.acosh xs) expected

entry sinpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.sinpi xs) expected

entry cospi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.cospi xs) expected

entry tanpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.tanpi xs) expected

entry asinpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.asinpi xs) expected

entry acospi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.acospi xs) expected

entry atanpi [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.atanpi xs) expected

entry atan2 [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map2 f64.atan2 xs ys) expected

entry atan2pi [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map2 f64.atan2pi xs ys) expected

entry hypot [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map2 f64.hypot xs ys) expected

entry powers [n] (xs: [n]f64) (ys: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map2 (**) xs ys) expected

entry gamma [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.gamma xs) expected

entry lgamma [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.lgamma xs) expected

entry erf [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.erf xs) expected

entry erfc [n] (xs: [n]f64) (expected: [n]f64): [n]bool =
  map2 close (map f64.erfc xs) expected
