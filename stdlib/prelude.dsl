-- | The prelude: the definitions that every program can use without an import.
--
-- A function that the language cannot express is declared `#[intrinsic(name)]`, and the compiler implements
-- it under that name. Everything else is defined here. Scalar intrinsics have the names of the scalar
-- operators; `convert` converts from the type of its parameter to the type of its result.

-- Functions as values

-- | Applies the function on the right to the value on the left: `x |> f |> g` is `g (f x)`.
def (|>) '^a '^b (x: a) (f: a -> b): b = f x

-- | Applies the function on the left to the value on the right: `g <| f <| x` is `g (f x)`.
def (<|) '^a '^b (f: a -> b) (x: a): b = f x

-- | Composition from left to right.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a): c = g (f x)

-- | Composition from right to left.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a): c = g (f x)

-- | The value itself.
def id '^t (x: t): t = x

-- | The first of two values.
def const '^a '^b (x: a) (_: b): a = x

-- | The function with its first two parameters exchanged.
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a): c = f a b

-- | Turns a function of a pair into a function of two parameters.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b): c = f (a, b)

-- | Turns a function of two parameters into a function of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (ab: (a, b)): c = f ab.0 ab.1

-- | The first component of a pair.
def fst '^a '^b (ab: (a, b)): a = ab.0

-- | The second component of a pair.
def snd '^a '^b (ab: (a, b)): b = ab.1

-- | The function applied `n` times.
def iterate 'a (n: i32) (f: a -> a) (x: a): a = loop x for _i < n do f x

-- | The function applied until the predicate holds: possibly zero times, possibly for ever.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a): a = loop x while !(p x) do f x

-- | The function applied as long as the predicate holds.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a): a = loop x while p x do f x

-- | The value itself, which is printed with its place. Compiled code prints it if the host computes it.
def trace 't (x: t): t = #[trace] x

-- | The value itself, at which a debugger may stop; Ravel has none. It is here for programs of Futhark.
def break 't (x: t): t = #[break] x

-- | The value itself, hidden from optimisation in Futhark; here it has no effect.
def opaque 't (x: t): t = #[opaque] x

-- Arrays: intrinsics

-- | The number of elements of the array.
def length [n] 't (_: [n]t): i64 = n

-- | The numbers from 0 up to, but not including, `n`.
#[intrinsic(iota)]
def iota (n: i64): *[n]i64 = ???

-- | An array of `n` copies of the value.
#[intrinsic(replicate)]
def replicate 't (n: i64) (x: t): *[n]t = ???

-- | A value that shares no memory with the argument.
#[intrinsic(copy)]
def copy 't (x: t): *t = ???

-- | As `copy`. Futhark also puts the arrays into row-major order; here all arrays are.
def manifest 't (x: t): *t = copy x

-- | Functions without checks, for the prelude alone.
local module unchecked = {
  -- | An array of `n` unspecified elements; each must be written before it is read.
  #[intrinsic(scratch)] def scratch 't (n: i64): *[n]t = ???

  -- | The element at an index that must be in bounds: it is not checked.
  #[intrinsic(index)] def index [n] 't (xs: [n]t) (i: i64): t = ???

  -- | The first `k` elements of an array that must have as many: the size is not checked.
  #[intrinsic(prefix)] def prefix [n] 't (k: i64) (xs: *[n]t): *[k]t = ???
}

-- | The concatenation of two arrays.
#[intrinsic(concat)]
def concat [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = ???

-- | The concatenation of two arrays.
#[intrinsic(concat)]
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = ???

-- | Rows become columns.
#[intrinsic(transpose)]
def transpose [n] [m] 't (xs: [n][m]t): [m][n]t = ???

-- | Joins the outer two dimensions into one.
#[intrinsic(reshape)]
def flatten [n] [m] 't (xs: [n][m]t): [n * m]t = ???

-- | Splits the outer dimension in two.
#[intrinsic(reshape)]
def unflatten [n] [m] 't (xs: [n * m]t): [n][m]t = ???

-- | Makes an array of pairs of two arrays.
#[intrinsic(zip)]
def zip [n] 'a 'b (as: [n]a) (bs: [n]b): [n](a, b) = ???

-- | As `zip`, of two arrays.
#[intrinsic(zip)]
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b): [n](a, b) = ???

-- | As `zip`, of three arrays.
#[intrinsic(zip)]
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c): [n](a, b, c) = ???

-- | As `zip`, of four arrays.
#[intrinsic(zip)]
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d): [n](a, b, c, d) = ???

-- | As `zip`, of five arrays.
#[intrinsic(zip)]
def zip5 [n] 'a 'b 'c 'd 'e
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e): [n](a, b, c, d, e) = ???

-- | Splits an array of pairs into a pair of arrays.
#[intrinsic(unzip)]
def unzip [n] 'a 'b (xs: [n](a, b)): ([n]a, [n]b) = ???

-- | As `unzip`, of pairs.
#[intrinsic(unzip)]
def unzip2 [n] 'a 'b (xs: [n](a, b)): ([n]a, [n]b) = ???

-- | As `unzip`, of triples.
#[intrinsic(unzip)]
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)): ([n]a, [n]b, [n]c) = ???

-- | As `unzip`, of quadruples.
#[intrinsic(unzip)]
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)): ([n]a, [n]b, [n]c, [n]d) = ???

-- | As `unzip`, of quintuples.
#[intrinsic(unzip)]
def unzip5 [n] 'a 'b 'c 'd 'e
    (xs: [n](a, b, c, d, e)): ([n]a, [n]b, [n]c, [n]d, [n]e) = ???

-- Parallel operations: intrinsics

-- | Applies the function to every element.
#[intrinsic(map)]
def map [n] 'a 'x (f: a -> x) (as: [n]a): *[n]x = ???

-- | Combines all elements. The operator must be associative with `ne` as its neutral element,
-- which is the result for an empty array.
#[intrinsic(reduce)]
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *a = ???

-- | As `reduce`, for an operator that is also commutative, which may be faster. `+`, `*`, `&`, `|`, `^` and `min` and `max` of integers are known to be.
#[intrinsic(reduce_comm)]
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *a = ???

-- | The inclusive prefix scan: element `i` of the result combines the elements up to and
-- including `i`. The operator must be associative with `ne` as its neutral element.
#[intrinsic(scan)]
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a = ???

-- | Writes `vs[j]` to position `is[j]` of `dest`, for all `j` in parallel. Positions out of bounds are
-- ignored; if several values have one position, it is unspecified which of them is written.
#[intrinsic(scatter)]
def scatter [k] [n] 't (dest: *[k]t) (is: [n]i64) (vs: [n]t): *[k]t = ???

-- | As `scatter`, into two dimensions.
#[intrinsic(scatter)]
def scatter_2d [k] [l] [n] 't (dest: *[k][l]t) (is: [n](i64, i64)) (vs: [n]t): *[k][l]t = ???

-- | As `scatter`, into three dimensions.
#[intrinsic(scatter)]
def scatter_3d [k] [l] [m] [n] 't
    (dest: *[k][l][m]t) (is: [n](i64, i64, i64)) (vs: [n]t): *[k][l][m]t = ???

-- | Combines `vs[j]` into position `is[j]` of `dest`, for all `j` in parallel. The operator must be
-- associative and commutative with `ne` as its neutral element. Positions out of bounds are ignored.
#[intrinsic(reduce_by_index)]
def reduce_by_index [k] [n] 'a
    (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (vs: [n]a): *[k]a = ???

-- | Cuts the array into chunks, applies the function to each, and concatenates the results in order.
-- The compiler chooses where to cut the array: the result must not depend on it.
-- The function gets the size of each chunk, which is never 0, and the chunk; parallel operations
-- inside it run sequentially.
#[intrinsic(stream_map)]
def stream_map [n] 'a 'b (f: (k: i64) -> [k]a -> [k]b) (as: [n]a): *[n]b = ???

-- | Cuts the array into chunks, applies the function to each, and combines the results in order. The operator
-- must be associative. If the array is empty, the function gets one empty chunk.
#[intrinsic(stream_red)]
def stream_red [n] 'a 'b (op: b -> b -> b) (f: (k: i64) -> [k]a -> b) (as: [n]a): b = ???

-- Number types: the module types that their modules match.

-- | The types to which the primitive types can be converted. The functions are named after the
-- types that they convert from.
module type from_prim = {
  -- | The type of the numbers.
  type t
  -- | The i8 as a `t`.
  val i8: i8 -> t
  -- | The i16 as a `t`.
  val i16: i16 -> t
  -- | The i32 as a `t`.
  val i32: i32 -> t
  -- | The i64 as a `t`.
  val i64: i64 -> t
  -- | The u8 as a `t`.
  val u8: u8 -> t
  -- | The u16 as a `t`.
  val u16: u16 -> t
  -- | The u32 as a `t`.
  val u32: u32 -> t
  -- | The u64 as a `t`.
  val u64: u64 -> t
  -- | The f16 as a `t`.
  val f16: f16 -> t
  -- | The f32 as a `t`.
  val f32: f32 -> t
  -- | The f64 as a `t`.
  val f64: f64 -> t
  -- | 1 for true, 0 for false.
  val bool: bool -> t
}

-- | Numbers of any kind.
module type numeric = {
  include from_prim

  -- | The sum.
  val (+): t -> t -> t
  -- | The difference.
  val (-): t -> t -> t
  -- | The product.
  val (*): t -> t -> t
  -- | The quotient, rounded down for integers.
  val (/): t -> t -> t
  -- | The remainder of the division, with the sign of the divisor for integers and of the dividend for floats.
  val (%): t -> t -> t
  -- | The first to the power of the second.
  val (**): t -> t -> t

  -- | Are they equal?
  val (==): t -> t -> bool
  -- | Are they different?
  val (!=): t -> t -> bool
  -- | Is the first less than the second?
  val (<): t -> t -> bool
  -- | Is the first less than or equal to the second?
  val (<=): t -> t -> bool
  -- | Is the first greater than the second?
  val (>): t -> t -> bool
  -- | Is the first greater than or equal to the second?
  val (>=): t -> t -> bool

  -- | The number as an i64.
  val to_i64: t -> i64
  -- | The number with the opposite sign.
  val neg: t -> t
  -- | The absolute value.
  val abs: t -> t
  -- | -1, 0 or 1: the sign.
  val sgn: t -> t
  -- | The lesser of two.
  val min: t -> t -> t
  -- | The greater of two.
  val max: t -> t -> t
  -- | The largest number.
  val highest: t
  -- | The smallest number.
  val lowest: t

  -- | The sum of the elements.
  val sum [n]: [n]t -> t
  -- | The product of the elements.
  val product [n]: [n]t -> t
  -- | The largest element; of an empty array, `lowest`.
  val maximum [n]: [n]t -> t
  -- | The smallest element; of an empty array, `highest`.
  val minimum [n]: [n]t -> t
}

-- | Integers, which have bits.
module type integral = {
  include numeric

  -- | The quotient, rounded towards zero.
  val (//): t -> t -> t
  -- | The remainder of that division, with the sign of the dividend.
  val (%%): t -> t -> t
  -- | Bitwise and.
  val (&): t -> t -> t
  -- | Bitwise or.
  val (|): t -> t -> t
  -- | Bitwise exclusive or.
  val (^): t -> t -> t
  -- | Bitwise complement.
  val not: t -> t
  -- | Shift to the left; zeros enter on the right.
  val (<<): t -> t -> t
  -- | Shift to the right; the sign bit enters on the left for signed integers, zeros for unsigned ones.
  val (>>): t -> t -> t
  -- | Shift to the right; zeros enter on the left.
  val (>>>): t -> t -> t

  -- | The number of bits of a number.
  val num_bits: i32
  -- | The bit at a position, counted from the least one.
  val get_bit: (bit: i32) -> (x: t) -> i32
  -- | The number with the bit at a position replaced.
  val set_bit: (bit: i32) -> (x: t) -> (b: i32) -> t
  -- | The number of bits that are one.
  val popc: t -> i32
  -- | The number of zeros above the highest bit that is one.
  val clz: t -> i32
  -- | The number of zeros below the lowest bit that is one.
  val ctz: t -> i32
  -- | The upper half of the product, which has twice as many bits.
  val mul_hi: (x: t) -> (y: t) -> t
  -- | `mul_hi a b + c`.
  val mad_hi: (a: t) -> (b: t) -> (c: t) -> t
}

-- | Approximations of real numbers.
module type real = {
  include numeric

  -- | The number as an f64.
  val to_f64: t -> f64
  -- | The quotient of two integers.
  val from_fraction: (a: i64) -> (b: i64) -> t
  -- | Infinity.
  val inf: t
  -- | Not a number.
  val nan: t
  -- | The ratio of the circumference of a circle to its diameter.
  val pi: t
  -- | The base of the natural logarithm.
  val e: t

  -- | The reciprocal.
  val recip: t -> t
  -- | The square root.
  val sqrt: t -> t
  -- | The reciprocal of the square root.
  val rsqrt: t -> t
  -- | The cube root.
  val cbrt: t -> t
  -- | The distance of the point `(x, y)` from the origin.
  val hypot: (x: t) -> (y: t) -> t
  -- | e to this power.
  val exp: t -> t
  -- | Two to this power.
  val exp2: t -> t
  -- | Ten to this power.
  val exp10: t -> t
  -- | The natural logarithm.
  val log: t -> t
  -- | The natural logarithm of `1 + x`, precise also for `x` near 0.
  val log1p: t -> t
  -- | The logarithm to base 2.
  val log2: t -> t
  -- | The logarithm to base 10.
  val log10: t -> t

  -- | The sine of an angle in radians.
  val sin: t -> t
  -- | The cosine.
  val cos: t -> t
  -- | The tangent.
  val tan: t -> t
  -- | The angle in [-pi/2, pi/2] with this sine.
  val asin: t -> t
  -- | The angle in [0, pi] with this cosine.
  val acos: t -> t
  -- | The angle in (-pi/2, pi/2) with this tangent.
  val atan: t -> t
  -- | The angle of the point `(x, y)`, in radians.
  val atan2: (y: t) -> (x: t) -> t
  -- | The hyperbolic sine.
  val sinh: t -> t
  -- | The hyperbolic cosine.
  val cosh: t -> t
  -- | The hyperbolic tangent.
  val tanh: t -> t
  -- | The number with this hyperbolic sine.
  val asinh: t -> t
  -- | The number, not negative, with this hyperbolic cosine.
  val acosh: t -> t
  -- | The number with this hyperbolic tangent.
  val atanh: t -> t
  -- | The sine of `pi * x`. The functions that end in `pi` measure angles in half turns.
  val sinpi: t -> t
  -- | The cosine of `pi * x`.
  val cospi: t -> t
  -- | The tangent of `pi * x`.
  val tanpi: t -> t
  -- | `asin x / pi`.
  val asinpi: t -> t
  -- | `acos x / pi`.
  val acospi: t -> t
  -- | `atan x / pi`.
  val atanpi: t -> t
  -- | `atan2 y x / pi`.
  val atan2pi: (y: t) -> (x: t) -> t

  -- | The gamma function: `gamma (x + 1)` is `x * gamma x`.
  val gamma: t -> t
  -- | The natural logarithm of the magnitude of `gamma x`.
  val lgamma: t -> t
  -- | The error function.
  val erf: t -> t
  -- | `1 - erf x`, without cancellation where `erf x` is near 1.
  val erfc: t -> t

  -- | The point at `t` on the line that is `v0` at 0 and `v1` at 1.
  val lerp: (v0: t) -> (v1: t) -> (t: t) -> t
  -- | `a * b + c`, rounded once or twice.
  val mad: (a: t) -> (b: t) -> (c: t) -> t
  -- | `a * b + c`, rounded once.
  val fma: (a: t) -> (b: t) -> (c: t) -> t

  -- | Rounds to an integral number, towards plus infinity.
  val ceil: t -> t
  -- | Rounds to an integral number, towards minus infinity.
  val floor: t -> t
  -- | Rounds to an integral number, towards zero.
  val trunc: t -> t
  -- | Rounds to the nearest integral number, ties to the even one.
  val round: t -> t
  -- | Is it not a number?
  val isnan: t -> bool
  -- | Is it infinity or minus infinity?
  val isinf: t -> bool
}

-- | Floating-point numbers in the formats of IEEE 754.
module type float = {
  include real

  -- | The unsigned integer type of the same width.
  type int_t

  -- | The bits of the representation.
  val to_bits: t -> int_t
  -- | The number with these bits.
  val from_bits: int_t -> t
  -- | The number of bits of a number.
  val num_bits: i32
  -- | The bit of the representation at a position, counted from the least one.
  val get_bit: (bit: i32) -> (x: t) -> i32
  -- | The number with the bit of the representation at a position replaced.
  val set_bit: (bit: i32) -> (x: t) -> (b: i32) -> t

  -- | The distance from 1 to the next larger number.
  val epsilon: t
  -- | The number next to `x` in the direction of `y`.
  val nextafter: (x: t) -> (y: t) -> t
  -- | `x` times two to the power of `n`, rounded once.
  val ldexp: (x: t) -> (n: i32) -> t
  -- | The first with the sign of the second.
  val copysign: (x: t) -> (y: t) -> t
}

-- Number types: parts of their modules.

-- | The functions of every number type.
local module numbers (P: { type t val highest: t val lowest: t }) = {
  type t = P.t
  #[intrinsic(convert)] def i8 (x: i8): t = ???
  #[intrinsic(convert)] def i16 (x: i16): t = ???
  #[intrinsic(convert)] def i32 (x: i32): t = ???
  #[intrinsic(convert)] def i64 (x: i64): t = ???
  #[intrinsic(convert)] def u8 (x: u8): t = ???
  #[intrinsic(convert)] def u16 (x: u16): t = ???
  #[intrinsic(convert)] def u32 (x: u32): t = ???
  #[intrinsic(convert)] def u64 (x: u64): t = ???
  #[intrinsic(convert)] def f16 (x: f16): t = ???
  #[intrinsic(convert)] def f32 (x: f32): t = ???
  #[intrinsic(convert)] def f64 (x: f64): t = ???
  #[intrinsic(convert)] def bool (x: bool): t = ???
  #[intrinsic(convert)] def to_i64 (x: t): i64 = ???

  #[intrinsic(add)] def (+) (x: t) (y: t): t = ???
  #[intrinsic(sub)] def (-) (x: t) (y: t): t = ???
  #[intrinsic(mul)] def (*) (x: t) (y: t): t = ???
  #[intrinsic(div)] def (/) (x: t) (y: t): t = ???
  #[intrinsic(mod)] def (%) (x: t) (y: t): t = ???
  #[intrinsic(pow)] def (**) (x: t) (y: t): t = ???
  #[intrinsic(eq)] def (==) (x: t) (y: t): bool = ???
  #[intrinsic(ne)] def (!=) (x: t) (y: t): bool = ???
  #[intrinsic(lt)] def (<) (x: t) (y: t): bool = ???
  #[intrinsic(le)] def (<=) (x: t) (y: t): bool = ???
  def (>) (x: t) (y: t): bool = y < x
  def (>=) (x: t) (y: t): bool = y <= x

  #[intrinsic(neg)] def neg (x: t): t = ???
  #[intrinsic(abs)] def abs (x: t): t = ???
  #[intrinsic(sgn)] def sgn (x: t): t = ???
  #[intrinsic(min)] def min (x: t) (y: t): t = ???
  #[intrinsic(max)] def max (x: t) (y: t): t = ???
  def highest: t = P.highest
  def lowest: t = P.lowest

  def sum [n] (xs: [n]t): t = reduce_comm (+) (i32 0) xs
  def product [n] (xs: [n]t): t = reduce_comm (*) (i32 1) xs
  def maximum [n] (xs: [n]t): t = reduce_comm max lowest xs
  def minimum [n] (xs: [n]t): t = reduce_comm min highest xs
}

-- | Functions for the modules below alone.
local module numerics = {
  #[intrinsic(to_bits)] def bits (x: f64): u64 = ???
  #[intrinsic(from_bits)] def of_bits (x: u64): f64 = ???
  #[intrinsic(exp)] def exp (x: f64): f64 = ???
  #[intrinsic(convert)] def long (x: i32): i64 = ???
  #[intrinsic(convert)] def double (x: i64): f64 = ???
  #[intrinsic(convert)] def single (x: f64): f32 = ???
  #[intrinsic(convert)] def half (x: f32): f16 = ???
  #[intrinsic(convert)] def half_of_double (x: f64): f16 = ???

  -- | The sum, and its rounding error.
  def sum_and_rest (a: f64) (b: f64): (f64, f64) =
    let sum = a + b
    let of_b = sum - a
    in (sum, (a - (sum - of_b)) + (b - of_b))

  -- | The sum, if it is exact; otherwise the one of the two nearest numbers whose last bit is odd.
  def sum_to_odd (a: f64) (b: f64): f64 =
    let (sum, rest) = sum_and_rest a b
    let even = bits sum & 1 == 0
    in if even && rest < 0 then of_bits (if sum > 0 then bits sum - 1 else bits sum + 1)
       else if even && rest > 0 then of_bits (if sum > 0 then bits sum + 1 else bits sum - 1)
       else sum

  -- | The product, and its rounding error: halves of 26 bits have exact products.
  def product_and_rest (a: f64) (b: f64): (f64, f64) =
    let product = a * b
    let halves (x: f64): (f64, f64) =
      let high = of_bits (bits x & !0x7ffffff)
      in (high, x - high)
    let ((a_high, a_low), (b_high, b_low)) = (halves a, halves b)
    in (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)

  -- | The quotient of two numbers, each with a small correction, and the correction of the quotient.
  def quotient (a: f64, a_rest: f64) (b: f64, b_rest: f64): (f64, f64) =
    let quotient = a / b
    let (back, lost) = product_and_rest quotient b
    in (quotient, (((a - back) - lost) + (a_rest - quotient * b_rest)) / b)

  -- | `start * x * (x + 1) * ...`, with `n` factors from `x` on, and its rounding error.
  def rising (start: f64) (x: f64) (n: i64): (f64, f64) =
    loop (product, rest) = (start, 0) for i < n do
      let (y, y_rest) = sum_and_rest x (double i)
      let (next, lost) = product_and_rest product y
      in (next, lost + (rest * y + product * y_rest))

  -- | The reciprocal of the gamma function between 1 and 2, by its Chebyshev series; `x` has a correction.
  def reciprocal_gamma (x: f64, rest: f64): (f64, f64) =
    let y = (x - 1.5) + rest
    let from_center =
      (((((((((((((((-8.521820446681207e-10 * y + 1.6813402437575466e-8) * y - 8.917014541433564e-8) * y
      + 5.8070298070884785e-8) * y + 2.1562113294434155e-6) * y - 1.3896835437533617e-5) * y
      + 2.535520386106474e-5) * y + 0.00015235762470316286) * y - 0.0011107302545151887) * y
      + 0.0021207314422774662) * y + 0.006612897826820958) * y - 0.04215516936852384) * y
      + 0.050966860247706136) * y + 0.17510202604393435) * y - 0.5266544355255445) * y
      - 0.0411745264452831) * y + 0.06587916709551257
    let whole = 1.0625 + from_center
    in (whole, (1.0625 - whole) + from_center)

  -- | The logarithm of the gamma function from 0.5 to 3. Its zeros, 1 and 2, are factors. The other factor is a
  -- constant plus a rational function, which is smaller than the constant.
  def near_log_gamma (x: f64): f64 =
    let (lead, more) =
      if x <= 1.2 then
        let y = x - 0.5
        let over =
          ((((((-0.013437733800141724 * y - 0.2841727828278648) * y - 1.6142300964596392) * y
          - 3.580844969314375) * y - 3.3691124634827205) * y - 1.0509735793723203) * y
          + 0.20264560778682694) * y + 0.12252825723293344
        let under =
          ((((((0.021552359248255017 * y + 0.5509161400073682) * y + 4.071878903735068) * y
          + 12.814322213172415) * y + 19.937939579230417) * y + 16.06710569794018) * y
          + 6.4114485991650945) * y + 1
        in (0.640625, over / under)
      else
        let y = x - 1.9
        let over =
          ((((((-4.68340652433567e-6 * y - 0.00026084135652232435) * y - 0.004309860308049135) * y
          - 0.030701519115557248) * y - 0.10630211903248007) * y - 0.17702093008462366) * y
          - 0.11569911025558542) * y - 0.0043413786324074345
        let under =
          ((((((1.0891935415849232e-5 * y + 0.000696637214432862) * y + 0.013914741644887877) * y
          + 0.1259296225496185) * y + 0.5918423076042465) * y + 1.4974543468916273) * y
          + 1.9339884528748261) * y + 1
        in (0.4375, over / under)
    let (whole, rest) = sum_and_rest lead more
    let (second, second_rest) = sum_and_rest x (-2)
    let (zeros, zeros_rest) = product_and_rest (x - 1) second
    let (product, lost) = product_and_rest zeros whole
    in product + (lost + (zeros * rest + (zeros_rest + (x - 1) * second_rest) * whole))

  -- | Stirling's series, for numbers from 100 on.
  def stirling (x: f64): f64 =
    let z = 1 / (x * x)
    in (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680)))) / x

  -- | The error function of numbers up to 0.477, by a rational function of W. J. Cody, "Rational Chebyshev
  -- approximations for the error function", Mathematics of Computation 23 (1969). The
  -- function is near `x`, so its difference from `x` is computed.
  def erf_near_zero (x: f64): f64 =
    let z = x * x
    let over = (((-0.8142222938153968 * z - 20.440167208473554) * z - 130.16048378339403) * z
                - 905.1312883920702) * z + 365.14075569929884
    let under = (((z + 23.601290952344122) * z + 244.02463793444417) * z
                 + 1282.6165260773723) * z + 2844.2368334391706
    in x + x * (over / under)

  -- | The complement of the error function, for numbers from 0.47 on. `(1 + 2 * x) * exp (x * x) * erfc x` is
  -- between 1.14 and 1.29 there, and has a short Chebyshev series in `(x - 4) / (x + 4)`; after M. M. Shepherd and
  -- J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", Mathematics of
  -- Computation 36 (1981). The square in the exponent is computed in two parts, because its rounding error would
  -- grow with it. A factor near 1 is represented by its difference from 1.
  def erfc_tail (x: f64): f64 =
    if x > 28 then 0 else
    let t = (x - 4) / (x + 4)
    let beyond =
      ((((((((((((((((((((-1.0777816087241176e-8 * t - 1.2378074776075378e-8) * t + 1.0653477846248181e-7) * t
      + 6.743597944336106e-8) * t - 8.235988436249195e-7) * t + 2.990920278684598e-7) * t
      + 5.709350201437539e-6) * t - 1.1224441072966199e-5) * t - 2.4399279030858174e-5) * t
      + 0.00015062238551970193) * t - 0.0001992566356453776) * t - 0.0007577734232398154) * t
      + 0.005031969962759002) * t - 0.01619773404184403) * t + 0.037167515539465956) * t
      - 0.06633036581331948) * t + 0.09373283499821775) * t - 0.10103906603626542) * t
      + 0.06809705425469655) * t + 0.015379652102619209) * t - 0.13962111684056255) * t
      - 0.01700488137444749
    let high = of_bits (bits x & !0x7ffffff)
    let low = (high - x) * (high + x)
    let under = 1 + 2 * x
    let lost = 1 - (under - 2 * x)
    let factor = low + low * low * (0.5 + low * (1.0 / 6))
    let small = beyond + (1.25 + beyond) * factor
    let over = 1.25 + small
    let (whole, rest) = quotient (over, (1.25 - over) + small) (under, lost)
    let power = exp (-high * high)
    -- Scaled, since the rounding error of a subnormal product would not be known.
    let (product, lost) = product_and_rest power (whole * 0x1.0p64)
    in (product + (lost + power * (rest * 0x1.0p64))) * 0x1.0p-64

  -- | The product without its `k` least significant bits.
  def product_above (k: i32) (x: i64) (y: i64): i64 = (x * y) >>> long k
}

-- | The functions of integers except `mul_hi`.
local module integers (P: { type t val highest: t val lowest: t val num_bits: i32 }) = {
  open numbers P

  #[intrinsic(quot)] def (//) (x: t) (y: t): t = ???
  #[intrinsic(rem)] def (%%) (x: t) (y: t): t = ???
  #[intrinsic(and)] def (&) (x: t) (y: t): t = ???
  #[intrinsic(or)] def (|) (x: t) (y: t): t = ???
  #[intrinsic(xor)] def (^) (x: t) (y: t): t = ???
  #[intrinsic(shl)] def (<<) (x: t) (y: t): t = ???
  #[intrinsic(shr)] def (>>) (x: t) (y: t): t = ???
  #[intrinsic(lshr)] def (>>>) (x: t) (y: t): t = ???
  #[intrinsic(not)] def not (x: t): t = ???
  #[intrinsic(popc)] def popc (x: t): i32 = ???
  #[intrinsic(clz)] def clz (x: t): i32 = ???
  #[intrinsic(ctz)] def ctz (x: t): i32 = ???

  def num_bits: i32 = P.num_bits
  def get_bit (bit: i32) (x: t): i32 = if ((x >> i32 bit) & i32 1) == i32 0 then 0 else 1
  def set_bit (bit: i32) (x: t) (b: i32): t =
    (x & not (i32 1 << i32 bit)) | ((i32 b & i32 1) << i32 bit)
}

-- | Integers whose products fit into 64 bits.
local module short_integers (P: { type t val highest: t val lowest: t val num_bits: i32 }) = {
  open integers P

  def mul_hi (x: t) (y: t): t = i64 (numerics.product_above num_bits (to_i64 x) (to_i64 y))
  def mad_hi (a: t) (b: t) (c: t): t = mul_hi a b + c
}

-- | Integers of 64 bits.
local module long_integers (P: { type t val highest: t val lowest: t }) = {
  open integers { open P def num_bits: i32 = 64 }

  -- | Multiplies the factors by their digits to base 2^32.
  def mul_hi (x: t) (y: t): t =
    let half = i32 32
    let digit = not (i32 0) >>> half
    let low = (x & digit) * (y & digit)
    let middle = (x >> half) * (y & digit) + (low >>> half)
    let other = (x & digit) * (y >> half) + (middle & digit)
    in (x >> half) * (y >> half) + (middle >> half) + (other >> half)
  def mad_hi (a: t) (b: t) (c: t): t = mul_hi a b + c
}

-- | The functions of floating-point numbers.
local module elementary (N: numeric) = {
  local open N

  #[intrinsic(convert)] def to_f64 (x: t): f64 = ???
  def from_fraction (a: i64) (b: i64): t = i64 a / i64 b

  def inf: t = highest
  def nan: t = i32 0 / i32 0
  def pi: t = f64 3.141592653589793
  def e: t = f64 2.718281828459045

  #[intrinsic(sqrt)] def sqrt (x: t): t = ???
  #[intrinsic(cbrt)] def cbrt (x: t): t = ???
  #[intrinsic(exp)] def exp (x: t): t = ???
  #[intrinsic(log)] def log (x: t): t = ???
  #[intrinsic(log2)] def log2 (x: t): t = ???
  #[intrinsic(log10)] def log10 (x: t): t = ???
  #[intrinsic(sin)] def sin (x: t): t = ???
  #[intrinsic(cos)] def cos (x: t): t = ???
  #[intrinsic(tan)] def tan (x: t): t = ???
  #[intrinsic(asin)] def asin (x: t): t = ???
  #[intrinsic(acos)] def acos (x: t): t = ???
  #[intrinsic(atan)] def atan (x: t): t = ???
  #[intrinsic(sinh)] def sinh (x: t): t = ???
  #[intrinsic(cosh)] def cosh (x: t): t = ???
  #[intrinsic(tanh)] def tanh (x: t): t = ???
  #[intrinsic(asinh)] def asinh (x: t): t = ???
  #[intrinsic(acosh)] def acosh (x: t): t = ???
  #[intrinsic(atanh)] def atanh (x: t): t = ???
  #[intrinsic(atan2)] def atan2 (y: t) (x: t): t = ???
  #[intrinsic(hypot)] def hypot (x: t) (y: t): t = ???
  #[intrinsic(copysign)] def copysign (x: t) (y: t): t = ???
  def recip (x: t): t = i32 1 / x
  def rsqrt (x: t): t = i32 1 / sqrt x
  def exp2 (x: t): t = i32 2 ** x
  def exp10 (x: t): t = i32 10 ** x
  def mad (a: t) (b: t) (c: t): t = a * b + c
  def lerp (v0: t) (v1: t) (x: t): t = v0 + (v1 - v0) * x

  #[intrinsic(ceil)] def ceil (x: t): t = ???
  #[intrinsic(floor)] def floor (x: t): t = ???
  #[intrinsic(trunc)] def trunc (x: t): t = ???
  #[intrinsic(round)] def round (x: t): t = ???
  #[intrinsic(isnan)] def isnan (x: t): bool = ???
  #[intrinsic(isinf)] def isinf (x: t): bool = ???

  -- | The logarithm of the sum, and a correction for what the sum lost by rounding.
  def log1p (x: t): t =
    let sum = i32 1 + x
    let lost = if isinf sum then i32 0 else (x - (sum - i32 1)) / sum
    in if x == i32 0 then x else if sum == i32 0 then lowest else log sum + lost
}

-- The primitive types: a module for each.

-- | Signed integers of 8 bits. Arithmetic wraps.
module i8: (integral with t = i8) = short_integers {
  type t = i8
  def num_bits: i32 = 8
  def highest: i8 = 127
  def lowest: i8 = !highest
}

-- | Signed integers of 16 bits. Arithmetic wraps.
module i16: (integral with t = i16) = short_integers {
  type t = i16
  def num_bits: i32 = 16
  def highest: i16 = 32767
  def lowest: i16 = !highest
}

-- | Signed integers of 32 bits. Arithmetic wraps.
module i32: (integral with t = i32) = short_integers {
  type t = i32
  def num_bits: i32 = 32
  def highest: i32 = 2147483647
  def lowest: i32 = !highest
}

-- | Unsigned integers of 8 bits. Arithmetic wraps.
module u8: (integral with t = u8) = short_integers {
  type t = u8
  def num_bits: i32 = 8
  def highest: u8 = 255
  def lowest: u8 = !highest
}

-- | Unsigned integers of 16 bits. Arithmetic wraps.
module u16: (integral with t = u16) = short_integers {
  type t = u16
  def num_bits: i32 = 16
  def highest: u16 = 65535
  def lowest: u16 = !highest
}

-- | Unsigned integers of 32 bits. Arithmetic wraps.
module u32: (integral with t = u32) = short_integers {
  type t = u32
  def num_bits: i32 = 32
  def highest: u32 = 4294967295
  def lowest: u32 = !highest
}

-- | Signed integers of 64 bits. Arithmetic wraps.
module i64: (integral with t = i64) = long_integers {
  type t = i64
  def highest: i64 = 9223372036854775807
  def lowest: i64 = !highest
}

-- | Unsigned integers of 64 bits. Arithmetic wraps.
module u64: (integral with t = u64) = long_integers {
  type t = u64
  def highest: u64 = 18446744073709551615
  def lowest: u64 = !highest
}

-- | Floating-point numbers of 64 bits (IEEE 754).
module f64: (float with t = f64 with int_t = u64) = {
  local module number = numbers {
    type t = f64
    def highest: f64 = 1 / 0
    def lowest: f64 = -1 / 0
  }
  local def abs = number.abs
  open elementary number

  type int_t = u64
  def num_bits: i32 = 64
  def epsilon: f64 = 2.220446049250313e-16
  #[intrinsic(to_bits)] def to_bits (x: f64): u64 = ???
  #[intrinsic(from_bits)] def from_bits (x: u64): f64 = ???
  def get_bit (bit: i32) (x: f64): i32 = u64.get_bit bit (to_bits x)
  def set_bit (bit: i32) (x: f64) (b: i32): f64 = from_bits (u64.set_bit bit (to_bits x) b)
  def nextafter (x: f64) (y: f64): f64 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  -- | `x` times two to the power of `n`, rounded once. If `n` is very negative, it multiplies in steps. They are so
  -- short that a number that becomes subnormal before the last step, and is rounded there, has the result 0.
  def ldexp (x: f64) (n: i32): f64 =
    let power (n: i32): f64 = from_bits (u64.i32 (n + 1023) << 52)
    let n = i32.max (-4092) (i32.min 4092 n)
    let (x, n) = loop (x, n) = (x, n) while n > 1023 do (x * power 1023, n - 1023)
    let (x, n) = loop (x, n) = (x, n) while n < -1022 do (x * power (-969), n + 969)
    in x * power n
  def sinpi (x: f64): f64 =
    let rest = x - 2 * round (x / 2)
    in if x == 0 then x else sin (pi * (if abs rest > 0.5 then copysign 1 rest - rest else rest))
  def cospi (x: f64): f64 = sin (pi * (0.5 - abs (x - 2 * round (x / 2))))
  -- | Above an eighth of a turn, computed from the complement of the angle to a quarter turn. The rounding errors of
  -- `pi` and of the product are corrected, since they matter as the tangent grows.
  def tanpi (x: f64): f64 =
    let near (x: f64): (f64, f64) =
      let (angle, lost) = numerics.product_and_rest pi x
      let tangent = tan angle
      in (tangent, (lost + 1.2246467991473532e-16 * x) * (1 + tangent * tangent))
    let rest = x - round x
    in if x == 0 then x
       else if abs rest <= 0.25 then let (tangent, part) = near rest in tangent + part
       else if abs rest == 0.5 then inf
       else let (result, part) = numerics.quotient (1, 0) (near (0.5 - abs rest)) in copysign (result + part) rest
  def asinpi (x: f64): f64 = asin x / pi
  def acospi (x: f64): f64 = acos x / pi
  def atanpi (x: f64): f64 = atan x / pi
  def atan2pi (y: f64) (x: f64): f64 = atan2 y x / pi
  -- | `a * b + c`, rounded once. Product and sum are each a number and its
  -- rounding error. Factors are scaled to about 1, since only there is the error exact.
  def fma (a: f64) (b: f64) (c: f64): f64 =
    if a == 0 || b == 0 || c == 0 || isnan (a * 0 + b * 0 + c * 0) then a * b + c else
    let exponent (x: f64): i32 =
      let field (x: f64) = i32.u64 ((to_bits x >> 52) & 0x7ff) - 1023
      in if abs x < 0x1.0p-1022 then field (x * 0x1.0p64) - 64 else field x
    let scale = exponent a + exponent b
    -- If the smaller term is more than 2^120 times smaller, only whether it is zero matters.
    let distance = exponent c - scale
    let near = i32.max (-120) (i32.min 120 distance)
    let scale = if distance > near then scale + distance - near else scale
    let (a, b) = (ldexp a (-exponent a), ldexp b (-exponent b))
    let c = ldexp c (near - exponent c)
    let (product, lost) = numerics.product_and_rest a b
    let (sum, lost_by_sum) = numerics.sum_and_rest product c
    let rest = numerics.sum_to_odd lost_by_sum lost
    in if sum + rest == 0 then ldexp (sum + rest) scale
       else if exponent (sum + rest) + scale < -1022 then ldexp (numerics.sum_to_odd sum rest) scale
       else ldexp (sum + rest) scale
  -- | The gamma function: `gamma (x + 1)` is `x * gamma x`. So it follows from the gamma function
  -- of a number from 1 to 2 and the product of the numbers between. Products start with a power of two, to avoid overflow.
  def gamma (x: f64): f64 =
    if isnan x || (x < 0 && x == floor x) then nan
    else if abs x < 1e-300 then 1 / x
    else if x < -190 then 0
    else if x > 171.7 then inf
    else
      let n = number.to_i64 (floor x) - 1
      in if n >= 0 then
           let base = x - numerics.double n
           let (half, rest) = numerics.quotient (numerics.rising 0.5 base n) (numerics.reciprocal_gamma (base, 0))
           in 2 * (half + rest)
         else
           let start = if x < -100 then 0x1.0p-200 else 1
           let (product, rest) = numerics.rising start x (-n)
           let (whole, part) = numerics.reciprocal_gamma (numerics.sum_and_rest x (numerics.double (-n)))
           let (under, lost) = numerics.product_and_rest product whole
           let (result, rest) = numerics.quotient (1, 0) (under, lost + (rest * whole + product * part))
           in start * (result + rest)
  def lgamma (x: f64): f64 =
    let far (x: f64) =
      let (product, lost) = numerics.product_and_rest (x - 0.5) (log x - 1)
      in product + (lost + (0.41893853320467274 + numerics.stirling x))
    in if isinf x || (x <= 0 && x == floor x) then inf
       else if x < -100 then log (pi / abs (sinpi x)) - far (1 - x)
       else if abs x < 1e-300 then -log (abs x)
       else if x < 0.5 then log (abs (gamma x))
       else if x < 3 then numerics.near_log_gamma x
       else if x < 171 then log (gamma x)
       else if x > 1e300 then x * (log x - 1)
       else far x
  def erf (x: f64): f64 =
    let size = abs x
    in if size <= 0.477 then numerics.erf_near_zero x
       else if size < 6 then copysign (1 - numerics.erfc_tail size) x
       else if isnan x then x else copysign 1 x
  def erfc (x: f64): f64 =
    if abs x <= 0.477 then 1 - numerics.erf_near_zero x
    else if isnan x then x
    else if x < 0 then 2 - numerics.erfc_tail (-x)
    else numerics.erfc_tail x

  -- Last, because these are operators and names of modules used above.
  open number
}

-- | Floating-point numbers of 32 bits (IEEE 754).
module f32: (float with t = f32 with int_t = u32) = {
  local module number = numbers {
    type t = f32
    def highest: f32 = 1 / 0
    def lowest: f32 = -1 / 0
  }
  local def abs = number.abs
  open elementary number

  type int_t = u32
  def num_bits: i32 = 32
  def epsilon: f32 = 1.1920929e-7
  #[intrinsic(to_bits)] def to_bits (x: f32): u32 = ???
  #[intrinsic(from_bits)] def from_bits (x: u32): f32 = ???
  def get_bit (bit: i32) (x: f32): i32 = u32.get_bit bit (to_bits x)
  def set_bit (bit: i32) (x: f32) (b: i32): f32 = from_bits (u32.set_bit bit (to_bits x) b)
  def nextafter (x: f32) (y: f32): f32 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  -- | `x` times two to the power of `n`, rounded once. If `n` is very negative, it multiplies in steps. They are so
  -- short that a number that becomes subnormal before the last step, and is rounded there, has the result 0.
  def ldexp (x: f32) (n: i32): f32 =
    let power (n: i32): f32 = from_bits (u32.i32 (n + 127) << 23)
    let n = i32.max (-508) (i32.min 508 n)
    let (x, n) = loop (x, n) = (x, n) while n > 127 do (x * power 127, n - 127)
    let (x, n) = loop (x, n) = (x, n) while n < -126 do (x * power (-102), n + 102)
    in x * power n
  def sinpi (x: f32): f32 =
    let rest = x - 2 * round (x / 2)
    in if x == 0 then x else sin (pi * (if abs rest > 0.5 then copysign 1 rest - rest else rest))
  def cospi (x: f32): f32 = sin (pi * (0.5 - abs (x - 2 * round (x / 2))))
  -- | As in 64 bits: above an eighth of a turn, computed from the complement of the angle to a quarter turn. The
  -- rounding errors of `pi`, of products and of the quotient are corrected.
  def tanpi (x: f32): f32 =
    let high (x: f32): f32 = from_bits (to_bits x & 0xfffff000)
    let error (a: f32) (b: f32): f32 =
      let (a_high, b_high) = (high a, high b)
      in ((a_high * b_high - a * b) + a_high * (b - b_high) + (a - a_high) * b_high) + (a - a_high) * (b - b_high)
    let near (x: f32): (f32, f32) =
      let tangent = tan (pi * x)
      in (tangent, (error pi x - 8.742278e-8 * x) * (1 + tangent * tangent))
    let rest = x - round x
    in if x == 0 then x
       else if abs rest <= 0.25 then let (tangent, part) = near rest in tangent + part
       else if abs rest == 0.5 then inf
       else
         let (tangent, part) = near (0.5 - abs rest)
         let result = 1 / tangent
         let lost = (1 - result * tangent) - error result tangent
         in copysign (result + (lost - result * part) / tangent) rest
  def asinpi (x: f32): f32 = asin x / pi
  def acospi (x: f32): f32 = acos x / pi
  def atanpi (x: f32): f32 = atan x / pi
  def atan2pi (y: f32) (x: f32): f32 = atan2 y x / pi
  -- | `a * b + c`, rounded once: the product is exact in 64 bits. A sum that is not exact is rounded to
  -- odd, so that the second rounding never sees a false tie.
  def fma (a: f32) (b: f32) (c: f32): f32 =
    numerics.single (numerics.sum_to_odd (f64.f32 a * f64.f32 b) (f64.f32 c))
  def gamma (x: f32): f32 = numerics.single (f64.gamma (f64.f32 x))
  def lgamma (x: f32): f32 = numerics.single (f64.lgamma (f64.f32 x))
  def erf (x: f32): f32 = numerics.single (f64.erf (f64.f32 x))
  def erfc (x: f32): f32 = numerics.single (f64.erfc (f64.f32 x))

  -- Last, because these are operators and names of modules used above.
  open number
}

-- | Floating-point numbers of 16 bits (IEEE 754). Each operation computes in 32 bits and rounds
-- the result.
module f16: (float with t = f16 with int_t = u16) = {
  local module number = numbers {
    type t = f16
    def highest: f16 = 1 / 0
    def lowest: f16 = -1 / 0
  }
  local def abs = number.abs
  open elementary number

  type int_t = u16
  def num_bits: i32 = 16
  def epsilon: f16 = 9.765625e-4
  #[intrinsic(to_bits)] def to_bits (x: f16): u16 = ???
  #[intrinsic(from_bits)] def from_bits (x: u16): f16 = ???
  def get_bit (bit: i32) (x: f16): i32 = u16.get_bit bit (to_bits x)
  def set_bit (bit: i32) (x: f16) (b: i32): f16 = from_bits (u16.set_bit bit (to_bits x) b)
  def nextafter (x: f16) (y: f16): f16 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  def ldexp (x: f16) (n: i32): f16 = numerics.half (f32.ldexp (f32.f16 x) n)
  def log1p (x: f16): f16 = numerics.half (f32.log1p (f32.f16 x))
  def sinpi (x: f16): f16 = numerics.half (f32.sinpi (f32.f16 x))
  def cospi (x: f16): f16 = numerics.half (f32.cospi (f32.f16 x))
  def tanpi (x: f16): f16 = numerics.half (f32.tanpi (f32.f16 x))
  def asinpi (x: f16): f16 = numerics.half (f32.asinpi (f32.f16 x))
  def acospi (x: f16): f16 = numerics.half (f32.acospi (f32.f16 x))
  def atanpi (x: f16): f16 = numerics.half (f32.atanpi (f32.f16 x))
  def atan2pi (y: f16) (x: f16): f16 = numerics.half (f32.atan2pi (f32.f16 y) (f32.f16 x))
  -- | `a * b + c`, rounded once. In 64 bits no rounding can affect the result.
  def fma (a: f16) (b: f16) (c: f16): f16 =
    numerics.half_of_double (f64.fma (f64.f16 a) (f64.f16 b) (f64.f16 c))
  def gamma (x: f16): f16 = numerics.half (f32.gamma (f32.f16 x))
  def lgamma (x: f16): f16 = numerics.half (f32.lgamma (f32.f16 x))
  def erf (x: f16): f16 = numerics.half (f32.erf (f32.f16 x))
  def erfc (x: f16): f16 = numerics.half (f32.erfc (f32.f16 x))

  -- Last, because these are operators and names of modules used above.
  open number
}

-- | Truth values. A number is true if it is not 0.
module bool: (from_prim with t = bool) = {
  type t = bool
  #[intrinsic(convert)] def i8 (x: i8): bool = ???
  #[intrinsic(convert)] def i16 (x: i16): bool = ???
  #[intrinsic(convert)] def i32 (x: i32): bool = ???
  #[intrinsic(convert)] def i64 (x: i64): bool = ???
  #[intrinsic(convert)] def u8 (x: u8): bool = ???
  #[intrinsic(convert)] def u16 (x: u16): bool = ???
  #[intrinsic(convert)] def u32 (x: u32): bool = ???
  #[intrinsic(convert)] def u64 (x: u64): bool = ???
  #[intrinsic(convert)] def f16 (x: f16): bool = ???
  #[intrinsic(convert)] def f32 (x: f32): bool = ???
  #[intrinsic(convert)] def f64 (x: f64): bool = ???
  #[intrinsic(convert)] def bool (x: bool): bool = ???
}

-- | The other truth value.
def not (x: bool): bool = !x

-- | The f32 nearest to an i32.
def r32 (x: i32): f32 = f32.i32 x

-- | The i32 next to an f32 towards zero.
def t32 (x: f32): i32 = i32.f32 x

-- | The f64 that is equal to an i32.
def r64 (x: i32): f64 = f64.i32 x

-- | The i32 next to an f64 towards zero.
def t64 (x: f64): i32 = i32.f64 x

-- Arrays: definitions

-- | Is the array empty?
def null [n] 't (_: [n]t): bool = n == 0

-- | The first element.
def head [n] 't (xs: [n]t): t = xs[0]

-- | The last element.
def last [n] 't (xs: [n]t): t = xs[n - 1]

-- | All elements but the first.
def tail [n] 't (xs: [n]t): [n - 1]t = xs[1:] :> [n - 1]t

-- | All elements but the last.
def init [n] 't (xs: [n]t): [n - 1]t = xs[:n - 1] :> [n - 1]t

-- | The first `k` elements.
def take [n] 't (k: i64) (xs: [n]t): [k]t = xs[:k] :> [k]t

-- | All elements but the first `k`.
def drop [n] 't (k: i64) (xs: [n]t): [n - k]t = xs[k:] :> [n - k]t

-- | The array with the stated size: if its size is another, the program ends with a message.
def sized [m] 't (n: i64) (xs: [m]t): [n]t = xs :> [n]t

-- | The first elements and the rest.
def split [n] [m] 't (xs: [n + m]t): ([n]t, [m]t) = (xs[:n] :> [n]t, xs[n:] :> [m]t)

-- | The elements in opposite order.
def reverse [n] 't (xs: [n]t): [n]t = xs[::-1] :> [n]t

-- | The elements rotated `r` places to the left:
-- element `i` of the result is element `(i + r) % n`.
def rotate [n] 't (r: i64) (xs: [n]t): *[n]t =
  let k = if n == 0 then 0 else r % n
  -- A map is fused with the readers of its result. The index is in bounds, since i and k are less than n.
  in map (\i -> let j = i + k in #[unsafe] xs[if j < n then j else j - n]) (iota n)

-- | As `concat`, with the size of the result stated.
def concat_to [n] [m] 't (k: i64) (xs: [n]t) (ys: [m]t): *[k]t = concat xs ys :> [k]t

-- | The valid indices of the array.
def indices [n] 't (_: [n]t): *[n]i64 = iota n

-- | As `replicate`, with the size taken from the context.
def rep [n] 't (x: t): *[n]t = replicate n x

-- | Joins the outer three dimensions into one.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t): [n * m * l]t = flatten (flatten xs)

-- | Joins the outer four dimensions into one.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t): [n * m * l * k]t = flatten (flatten_3d xs)

-- | Splits the outer dimension in three.
def unflatten_3d [n] [m] [l] 't (xs: [n * m * l]t): [n][m][l]t = unflatten (unflatten xs)

-- | Splits the outer dimension in four.
def unflatten_4d [n] [m] [l] [k] 't (xs: [n * m * l * k]t): [n][m][l][k]t =
  unflatten (unflatten_3d xs)

-- | Combines the elements from the left, sequentially.
def foldl [n] 'a 'b (f: a -> b -> a) (start: a) (bs: [n]b): a =
  loop acc = start for b in bs do f acc b

-- | Combines the elements from the right, sequentially.
def foldr [n] 'a 'b (f: b -> a -> a) (start: a) (bs: [n]b): a =
  foldl (flip f) start (reverse bs)

-- Parallel operations: definitions

-- | As `map`: over one array.
def map1 [n] 'a 'x (f: a -> x) (as: [n]a): *[n]x = map f as

-- | As `map`, over two arrays.
def map2 [n] 'a 'b 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b): *[n]x =
  map (\(a, b) -> f a b) (zip as bs)

-- | As `map`, over three arrays.
def map3 [n] 'a 'b 'c 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c): *[n]x =
  map (\(a, b, c) -> f a b c) (zip3 as bs cs)

-- | As `map`, over four arrays.
def map4 [n] 'a 'b 'c 'd 'x
    (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d): *[n]x =
  map (\(a, b, c, d) -> f a b c d) (zip4 as bs cs ds)

-- | As `map`, over five arrays.
def map5 [n] 'a 'b 'c 'd 'e 'x
    (f: a -> b -> c -> d -> e -> x)
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e): *[n]x =
  map (\(a, b, c, d, e) -> f a b c d e) (zip5 as bs cs ds es)

-- | The function applied to all indices below `n`.
def tabulate 'a (n: i64) (f: i64 -> a): *[n]a = map f (iota n)

-- | As `tabulate`, in two dimensions.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): *[n][m]a =
  map (\i -> map (f i) (iota m)) (iota n)

-- | As `tabulate`, in three dimensions.
def tabulate_3d 'a (n: i64) (m: i64) (l: i64) (f: i64 -> i64 -> i64 -> a): *[n][m][l]a =
  map (\i -> map (\j -> map (f i j) (iota l)) (iota m)) (iota n)

-- | Does the predicate hold for all elements?
def all [n] 'a (p: a -> bool) (as: [n]a): bool = reduce_comm (&&) true (map p as)

-- | Does the predicate hold for some element?
def any [n] 'a (p: a -> bool) (as: [n]a): bool = reduce_comm (||) false (map p as)

-- | Are all elements true?
def and [n] (xs: [n]bool): bool = all id xs

-- | Is some element true?
def or [n] (xs: [n]bool): bool = any id xs

-- | The exclusive prefix scan: element `i` of the result combines the elements before `i`.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a =
  let inclusive = scan op ne as
  in map (\i -> if i == 0 then ne else unchecked.index inclusive (i - 1)) (iota n)

-- | The marked elements, in their order. This is one traversal, so that others can fuse with it.
-- The inclusive count of a kept element is its position plus one.
local def marked [n] 'a (marks: [n]bool) (as: [n]a): *[]a =
  let ones = map i64.bool marks
  let position (mark: bool) (count: i64) = if mark then count - 1 else -1
  let places = map2 position marks (scan (+) 0 ones)
  in unchecked.prefix (reduce_comm (+) 0 ones) (scatter (unchecked.scratch n) places as)

-- | The elements for which the predicate holds, in their order.
def filter [n] 'a (p: a -> bool) (as: [n]a): *[]a = marked (map p as) as

-- | The elements for which the predicate holds, and the others.
def partition [n] 'a (p: a -> bool) (as: [n]a): ?[k].([k]a, [n - k]a) =
  let marks = map p as
  let [k] (chosen: [k]a) = marked marks as
  in (chosen, marked (map not marks) as :> [n - k]a)

-- | As `partition`, but the other elements are in reverse order. Both parts come from one traversal.
def semipartition [n] 'a (p: a -> bool) (as: [n]a): ?[k].([k]a, [n - k]a) =
  let marks = map p as
  let ones = map i64.bool marks
  let place (i: i64) (mark: bool) (count: i64) = if mark then count - 1 else n - 1 - (i - count)
  let placed = scatter (unchecked.scratch n) (map3 place (iota n) marks (scan (+) 0 ones)) as
  let [k] (chosen: [k]a) = placed[:reduce_comm (+) 0 ones]
  in (chosen, placed[k:] :> [n - k]a)

-- | Three arrays: the elements for which the first predicate holds, the other elements for which the second one holds,
-- and the rest.
def partition2 [n] 'a
    (p: a -> bool) (q: a -> bool) (as: [n]a): ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let marks = map (\a -> if p a then 0u8 else if q a then 1 else 2) as
  let [k] (first: [k]a) = marked (map (== 0) marks) as
  let [l] (second: [l]a) = marked (map (== 1) marks) as
  in (first, second, marked (map (== 2) marks) as :> [n - k - l]a)

-- | As `reduce_by_index`, into two dimensions.
def reduce_by_index_2d [k] [l] [n] 'a
    (dest: *[k][l]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64)) (vs: [n]a): *[k][l]a =
  let position (i, j) = if 0 <= i && i < k && 0 <= j && j < l then i * l + j else -1
  in unflatten (reduce_by_index (flatten dest) op ne (map position is) vs)

-- | As `reduce_by_index`, into three dimensions.
def reduce_by_index_3d [k] [l] [m] [n] 'a
    (dest: *[k][l][m]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64, i64)) (vs: [n]a): *[k][l][m]a =
  let position (i, j, h) = (if 0 <= i && i < k && 0 <= j && j < l then i * l + j else -1, h)
  in unflatten (reduce_by_index_2d (flatten dest) op ne (map position is) vs)

-- | An array of `k` neutral elements into which `vs[j]` is combined at position `is[j]`, for all
-- `j` in parallel. The operator must satisfy the conditions of `reduce_by_index`.
def hist [n] 'a (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (vs: [n]a): *[k]a =
  reduce_by_index (replicate k ne) op ne is vs

-- | An array of `k` copies of `x` in which `vs[j]` is written to position `is[j]`, for all `j` in parallel.
def spread [n] 't (k: i64) (x: t) (is: [n]i64) (vs: [n]t): *[k]t =
  scatter (replicate k x) is vs

-- | Applies the function to every element, and concatenates the arrays that it returns. The results are, in this order:
-- the size of each array; a flag for each element of the concatenation, true where an array begins; the index at which
-- each array begins; the concatenation; and the other results of the function. Each array is computed twice, the first
-- time only for its size. If the sum of the sizes overflows i64, the end of some array is negative.
def flatmap [n] 'a 'b 'c
    (f: a -> ?[k].([k]b, c)) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let (sizes, others) = unzip (map (\a -> let (row, other) = f a in (length row, other)) as)
  let ends = scan (+) 0 sizes
  let starts = map2 (-) ends sizes
  let total = assert (all (>= 0) ends) (if n == 0 then 0 else unchecked.index ends (n - 1))
  let joined =
    loop joined = unchecked.scratch total for i < n do
      let (row, _) = f as[i]
      in joined with [starts[i]:ends[i]] = (row :> [ends[i] - starts[i]]b)
  in (sizes, spread total false starts (replicate n true), starts, joined, others)

-- | As `flatmap`, for a function that returns only an array.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, flags, starts, joined, _) = flatmap (\a -> (f a, ())) as
  in (sizes, flags, starts, joined)

-- | One-dimensional arrays, indexed as if they had more dimensions.
module intrinsics = {
  -- | Element `[i][j]` of the result is element `offset + i * s1 + j * s2` of the array.
  def flat_index_2d [n] 'a
      (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64): [n1][n2]a =
    tabulate_2d n1 n2 (\i j -> as[offset + i * s1 + j * s2])

  -- | As `flat_index_2d`, in three dimensions.
  def flat_index_3d [n] 'a
      (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64): [n1][n2][n3]a =
    tabulate n1 (\i -> flat_index_2d as (offset + i * s1) n2 s2 n3 s3)

  -- | As `flat_index_2d`, in four dimensions.
  def flat_index_4d [n] 'a
      (as: [n]a) (offset: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) (n3: i64) (s3: i64) (n4: i64) (s4: i64)
      : [n1][n2][n3][n4]a =
    tabulate n1 (\i -> flat_index_3d as (offset + i * s1) n2 s2 n3 s3 n4 s4)

  -- | The array with the elements at these positions replaced; each position must be in bounds.
  local def update [n] [m] 'a (as: *[n]a) (positions: [m]i64) (vs: [m]a): *[n]a =
    scatter as (map (\p -> assert (0 <= p && p < n) p) positions) vs

  -- | The array with element `offset + i * s1 + j * s2` replaced by `[i][j]` of the values.
  def flat_update_2d [n] [k] [l] 'a
      (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (vs: [k][l]a): *[n]a =
    update as (flatten (tabulate_2d k l (\i j -> offset + i * s1 + j * s2))) (flatten vs)

  -- | As `flat_update_2d`, in three dimensions.
  def flat_update_3d [n] [k] [l] [m] 'a
      (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (vs: [k][l][m]a): *[n]a =
    let position i j h = offset + i * s1 + j * s2 + h * s3
    in update as (flatten_3d (tabulate_3d k l m position)) (flatten_3d vs)

  -- | As `flat_update_2d`, in four dimensions.
  def flat_update_4d [n] [k] [l] [m] [p] 'a
      (as: *[n]a) (offset: i64) (s1: i64) (s2: i64) (s3: i64) (s4: i64) (vs: [k][l][m][p]a): *[n]a =
    let position g i j h = offset + g * s1 + i * s2 + j * s3 + h * s4
    in update as (flatten_4d (tabulate k (\g -> tabulate_3d l m p (position g)))) (flatten_4d vs)

  -- | As the function of the prelude.
  def opaque 't (x: t): t = opaque x
}
