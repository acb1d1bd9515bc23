-- | Complex numbers over any floating-point type.

-- | The functions of complex numbers.
module type complex = {
  -- | The type of the parts.
  type real
  -- | A complex number.
  type complex

  -- | The number with this real and this imaginary part.
  val mk: (re: real) -> (im: real) -> complex
  -- | The number with this real part, and imaginary part 0.
  val mk_re: real -> complex
  -- | An imaginary number.
  val mk_im: real -> complex
  -- | The imaginary unit.
  val i: complex
  -- | Zero.
  val zero: complex
  -- | One.
  val one: complex

  -- | The real part.
  val re: complex -> real
  -- | The imaginary part.
  val im: complex -> real
  -- | The absolute value.
  val mag: complex -> real
  -- | The angle, in (-pi, pi].
  val arg: complex -> real
  -- | The conjugate: the number with its imaginary part negated.
  val conj: complex -> complex
  -- | The number times a real number.
  val scale: real -> complex -> complex

  -- | The sum.
  val (+): complex -> complex -> complex
  -- | The difference.
  val (-): complex -> complex -> complex
  -- | The product.
  val (*): complex -> complex -> complex
  -- | The quotient.
  val (/): complex -> complex -> complex
  -- | The number with the opposite sign.
  val neg: complex -> complex
  -- | Are they equal?
  val (==): complex -> complex -> bool

  -- | The principal square root: its real part is not negative.
  val sqrt: complex -> complex
  -- | e to this power.
  val exp: complex -> complex
  -- | The principal logarithm: its imaginary part is in (-pi, pi].
  val log: complex -> complex
  -- | The principal logarithm of one plus the number, precise also for numbers near 0.
  val log1p: complex -> complex
}

-- | Complex numbers with parts of type `R.t`.
module mk_complex (R: float): complex with real = R.t = {
  type real = R.t
  type complex = (real, real)

  def mk (re: real) (im: real): complex = (re, im)
  def mk_re (re: real): complex = (re, R.i32 0)
  def mk_im (im: real): complex = (R.i32 0, im)
  def i: complex = mk_im (R.i32 1)
  def zero: complex = mk_re (R.i32 0)
  def one: complex = mk_re (R.i32 1)

  def re ((a, _): complex): real = a
  def im ((_, b): complex): real = b
  def mag ((a, b): complex): real = R.hypot a b
  def arg ((a, b): complex): real = R.atan2 b a
  def conj ((a, b): complex): complex = (a, R.neg b)
  def scale (s: real) ((a, b): complex): complex = (R.(s * a), R.(s * b))

  def (+) ((a, b): complex) ((c, d): complex): complex = (a R.+ c, b R.+ d)
  def (-) ((a, b): complex) ((c, d): complex): complex = (a R.- c, b R.- d)
  def (*) ((a, b): complex) ((c, d): complex): complex =
    ((a R.* c) R.- (b R.* d), (a R.* d) R.+ (b R.* c))

  -- Smith, Algorithm 116: Complex Division, Communications of the ACM 5(8), 1962: scaled by the
  -- larger part of the divisor, to avoid needless overflow. A quarter turn of both numbers makes this
  -- part the real one, and does not change the quotient.
  def (/) ((a, b): complex) ((c, d): complex): complex =
    let ((a, b), (c, d)) =
      if R.abs c R.>= R.abs d then ((a, b), (c, d)) else ((b, R.neg a), (d, R.neg c))
    let r = d R./ c
    let s = c R.+ (d R.* r)
    in ((a R.+ (b R.* r)) R./ s, (b R.- (a R.* r)) R./ s)

  def neg ((a, b): complex): complex = (R.neg a, R.neg b)
  def (==) ((a, b): complex) ((c, d): complex): bool = a R.== c && b R.== d

  def sqrt ((a, b): complex): complex =
    let half x = x R./ R.i32 2
    let m = R.hypot a b
    in if m R.== R.i32 0 then zero
       else let root = R.sqrt (half (m R.+ R.abs a))
            let other = half (b R./ root)
            in if a R.>= R.i32 0 then (root, other) else (R.abs other, R.copysign root b)

  def exp ((a, b): complex): complex = scale (R.exp a) (R.cos b, R.sin b)
  def log (z: complex): complex = (R.log (mag z), arg z)
  def log1p ((a, b): complex): complex =
    (R.log1p ((a R.* (a R.+ R.i32 2)) R.+ (b R.* b)) R./ R.i32 2, R.atan2 b (a R.+ R.i32 1))
}
