-- Parametric modules over `real` and `float`, applied to the modules of all floating-point types.
-- ==
-- entry: reals
-- input { 2.0 } output { [true, true, true] }
-- entry: floats
-- input { 1.5 } output { [true, true, true] [16i32, 32i32, 64i32] [15872i64, 1069547520i64, 4609434218613702656i64] }

module laws (R: real) = {
  def close (x: R.t) (y: R.t): bool = R.to_f64 (R.abs (x R.- y)) < 0.01

  def hold (x: f64): bool =
    let y = R.f64 x
    in close (R.sqrt y R.* R.sqrt y) y && close (R.cbrt y R.** R.i32 3) y && close (R.recip y R.* y) (R.i32 1)
       && close (R.exp (R.log y)) y && close (R.exp2 (R.log2 y)) y && close (R.exp10 (R.log10 y)) y
       && close (R.log1p y) (R.log (y R.+ R.i32 1)) && close (R.rsqrt y) (R.recip (R.sqrt y))
       && close (R.tan y) (R.sin y R./ R.cos y) && close (R.asin (R.sin R.e)) (R.pi R.- R.e)
       && close (R.acos (R.cos y)) y && close (R.atan2 y y) (R.pi R./ R.i32 4) && close (R.atan R.inf) (R.pi R./ R.i32 2)
       && close (R.tanh y) (R.sinh y R./ R.cosh y) && close (R.asinh (R.sinh y)) y
       && close (R.acosh (R.cosh y)) y && close (R.atanh (R.tanh y)) y
       && close (R.sinpi y) (R.i32 0) && close (R.cospi y) (R.i32 1) && close (R.tanpi y) (R.i32 0)
       && close (R.asinpi (R.i32 1)) (R.from_fraction 1 2) && close (R.acospi (R.i32 1)) (R.i32 0)
       && close (R.atanpi (R.i32 1)) (R.from_fraction 1 4) && close (R.atan2pi y y) (R.from_fraction 1 4)
       && close (R.hypot (R.i32 3) (R.i32 4)) (R.i32 5) && close (R.gamma (R.i32 5)) (R.i32 24)
       && close (R.lgamma y) (R.i32 0) && close (R.erf y R.+ R.erfc y) (R.i32 1)
       && close (R.lerp y R.pi (R.i32 1)) R.pi && R.mad y y y R.== R.fma y y y
       && R.ceil R.e R.== R.i32 3 && R.floor R.pi R.== R.round R.pi && R.trunc R.e R.== y
       && R.isnan R.nan && R.isinf R.inf && R.isinf R.lowest
}

module laws_f16 = laws f16
module laws_f32 = laws f32
module laws_f64 = laws f64

module parts (F: float) = {
  def again (x: f64): bool =
    let y = F.f64 x
    in F.from_bits (F.to_bits y) F.== y && F.get_bit (F.num_bits - 1) (F.neg y) == 1
       && F.set_bit (F.num_bits - 1) y 1 F.== F.neg y && F.nextafter (F.i32 1) y F.- F.i32 1 F.== F.epsilon
       && F.ldexp y 3 F.== y F.* F.i32 8 && F.copysign y F.lowest F.== F.neg y
}

module parts_f16 = parts f16
module parts_f32 = parts f32
module parts_f64 = parts f64

-- The definitions of the types in the module types are known.
module bits (F: float) (I: integral with t = F.int_t) = {
  def of (x: f64): i64 = I.to_i64 (F.to_bits (F.f64 x))
}

module bits_f16 = bits f16 u16
module bits_f32 = bits f32 u32
module bits_f64 = bits f64 u64

entry reals (x: f64): []bool = [laws_f16.hold x, laws_f32.hold x, laws_f64.hold x]

entry floats (x: f64): ([3]bool, [3]i32, [3]i64) =
  ( [parts_f16.again x, parts_f32.again x, parts_f64.again x], [f16.num_bits, f32.num_bits, f64.num_bits]
  , [bits_f16.of x, bits_f32.of x, bits_f64.of x] )
