-- | The prelude: what every program can use without importing anything.
--
-- What the language cannot say is declared `#[intrinsic(name)]` and known to the compiler under
-- that name; everything else is written here. Scalar intrinsics bear the names of the scalar
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

-- | Makes a function of a pair one of two parameters.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b): c = f (a, b)

-- | Makes a function of two parameters one of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (ab: (a, b)): c = f ab.0 ab.1

-- | The first component of a pair.
def fst '^a '^b (ab: (a, b)): a = ab.0

-- | The second component of a pair.
def snd '^a '^b (ab: (a, b)): b = ab.1

-- Arrays: what the compiler knows

-- | How many elements the array has.
def length [n] 't (_: [n]t): i64 = n

-- | The numbers from 0 up to, but not including, `n`.
#[intrinsic(iota)]
def iota (n: i64): *[n]i64 = ???

-- | An array of `n` times the value.
#[intrinsic(replicate)]
def replicate 't (n: i64) (x: t): *[n]t = ???

-- | A value that shares no memory with the argument.
#[intrinsic(copy)]
def copy 't (x: t): *t = ???

-- | What only the prelude itself may use.
module intrinsics = {
  -- | An array of `n` unspecified elements; each must be written before it is read.
  #[intrinsic(scratch)] def scratch 't (n: i64): *[n]t = ???

  -- | The element at an index that is known to be in bounds: nobody checks it.
  #[intrinsic(index)] def index [n] 't (xs: [n]t) (i: i64): t = ???
}

-- | The arrays one behind the other.
#[intrinsic(concat)]
def concat [n] [m] 't (xs: [n]t) (ys: [m]t): *[n + m]t = ???

-- | The arrays one behind the other.
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

-- | Takes an array of pairs apart.
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

-- Parallel operations: what the compiler knows

-- | Applies the function to every element.
#[intrinsic(map)]
def map [n] 'a 'x (f: a -> x) (as: [n]a): *[n]x = ???

-- | Combines all elements. The operator must be associative with `ne` as its neutral element,
-- which is the result for an empty array.
#[intrinsic(reduce)]
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): a = ???

-- | As `reduce`, for an operator that is commutative as well, which may be faster.
#[intrinsic(reduce_comm)]
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): a = ???

-- | All inclusive prefixes combined: element `i` of the result combines the elements up to and
-- including `i`. The operator must be associative with `ne` as its neutral element.
#[intrinsic(scan)]
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a = ???

-- | Writes `vs[j]` to position `is[j]` of `dest`, for all `j` at once. Positions out of bounds are
-- ignored; different values for one position leave an unspecified one of them.
#[intrinsic(scatter)]
def scatter [k] [n] 't (dest: *[k]t) (is: [n]i64) (vs: [n]t): *[k]t = ???

-- | As `scatter`, into two dimensions.
#[intrinsic(scatter)]
def scatter_2d [k] [l] [n] 't (dest: *[k][l]t) (is: [n](i64, i64)) (vs: [n]t): *[k][l]t = ???

-- | As `scatter`, into three dimensions.
#[intrinsic(scatter)]
def scatter_3d [k] [l] [m] [n] 't
    (dest: *[k][l][m]t) (is: [n](i64, i64, i64)) (vs: [n]t): *[k][l][m]t = ???

-- | Combines `vs[j]` into position `is[j]` of `dest`, for all `j` at once. The operator must be
-- associative and commutative with `ne` as its neutral element. Positions out of bounds are ignored.
#[intrinsic(reduce_by_index)]
def reduce_by_index [k] [n] 'a
    (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (vs: [n]a): *[k]a = ???

-- The primitive types: a module for each. The functions named after types convert from them.

-- | Signed integers of 32 bits. Arithmetic wraps.
module i32 = {
  #[intrinsic(convert)] def i32 (x: i32): i32 = ???
  #[intrinsic(convert)] def i64 (x: i64): i32 = ???
  #[intrinsic(convert)] def u32 (x: u32): i32 = ???
  #[intrinsic(convert)] def f32 (x: f32): i32 = ???
  #[intrinsic(convert)] def f64 (x: f64): i32 = ???
  #[intrinsic(convert)] def bool (x: bool): i32 = ???
  #[intrinsic(convert)] def to_i64 (x: i32): i64 = ???

  #[intrinsic(neg)] def neg (x: i32): i32 = ???
  #[intrinsic(abs)] def abs (x: i32): i32 = ???
  #[intrinsic(sgn)] def sgn (x: i32): i32 = ???
  #[intrinsic(min)] def min (x: i32) (y: i32): i32 = ???
  #[intrinsic(max)] def max (x: i32) (y: i32): i32 = ???

  -- | The largest number of the type.
  def highest: i32 = 2147483647
  -- | The smallest number of the type.
  def lowest: i32 = highest + 1

  #[intrinsic(not)] def not (x: i32): i32 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: i32): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: i32): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: i32): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 32
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: i32): i32 = (x >> bit) & 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: i32) (b: i32): i32 = (x & not (1 << bit)) | ((b & 1) << bit)

  -- | The sum of the elements.
  def sum [n] (xs: [n]i32): i32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i32): i32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i32): i32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i32): i32 = reduce_comm min highest xs
}

-- | Signed integers of 64 bits. Arithmetic wraps.
module i64 = {
  #[intrinsic(convert)] def i32 (x: i32): i64 = ???
  #[intrinsic(convert)] def i64 (x: i64): i64 = ???
  #[intrinsic(convert)] def u32 (x: u32): i64 = ???
  #[intrinsic(convert)] def f32 (x: f32): i64 = ???
  #[intrinsic(convert)] def f64 (x: f64): i64 = ???
  #[intrinsic(convert)] def bool (x: bool): i64 = ???
  #[intrinsic(convert)] def to_i64 (x: i64): i64 = ???

  #[intrinsic(neg)] def neg (x: i64): i64 = ???
  #[intrinsic(abs)] def abs (x: i64): i64 = ???
  #[intrinsic(sgn)] def sgn (x: i64): i64 = ???
  #[intrinsic(min)] def min (x: i64) (y: i64): i64 = ???
  #[intrinsic(max)] def max (x: i64) (y: i64): i64 = ???

  -- | The largest number of the type.
  def highest: i64 = 9223372036854775807
  -- | The smallest number of the type.
  def lowest: i64 = highest + 1

  #[intrinsic(not)] def not (x: i64): i64 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: i64): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: i64): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: i64): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 64
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: i64): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: i64) (b: i32): i64 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)

  -- | The sum of the elements.
  def sum [n] (xs: [n]i64): i64 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i64): i64 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i64): i64 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i64): i64 = reduce_comm min highest xs
}

-- | Unsigned integers of 32 bits. Arithmetic wraps.
module u32 = {
  #[intrinsic(convert)] def i32 (x: i32): u32 = ???
  #[intrinsic(convert)] def i64 (x: i64): u32 = ???
  #[intrinsic(convert)] def u32 (x: u32): u32 = ???
  #[intrinsic(convert)] def f32 (x: f32): u32 = ???
  #[intrinsic(convert)] def f64 (x: f64): u32 = ???
  #[intrinsic(convert)] def bool (x: bool): u32 = ???
  #[intrinsic(convert)] def to_i64 (x: u32): i64 = ???

  #[intrinsic(neg)] def neg (x: u32): u32 = ???
  #[intrinsic(abs)] def abs (x: u32): u32 = ???
  #[intrinsic(sgn)] def sgn (x: u32): u32 = ???
  #[intrinsic(min)] def min (x: u32) (y: u32): u32 = ???
  #[intrinsic(max)] def max (x: u32) (y: u32): u32 = ???

  -- | The largest number of the type.
  def highest: u32 = 4294967295
  -- | The smallest number of the type.
  def lowest: u32 = 0

  #[intrinsic(not)] def not (x: u32): u32 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: u32): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: u32): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: u32): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 32
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: u32): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: u32) (b: i32): u32 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)

  -- | The sum of the elements.
  def sum [n] (xs: [n]u32): u32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]u32): u32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]u32): u32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]u32): u32 = reduce_comm min highest xs
}

-- | Floating-point numbers of 32 bits (IEEE 754).
module f32 = {
  #[intrinsic(convert)] def i32 (x: i32): f32 = ???
  #[intrinsic(convert)] def i64 (x: i64): f32 = ???
  #[intrinsic(convert)] def u32 (x: u32): f32 = ???
  #[intrinsic(convert)] def f32 (x: f32): f32 = ???
  #[intrinsic(convert)] def f64 (x: f64): f32 = ???
  #[intrinsic(convert)] def bool (x: bool): f32 = ???
  #[intrinsic(convert)] def to_i64 (x: f32): i64 = ???

  #[intrinsic(neg)] def neg (x: f32): f32 = ???
  #[intrinsic(abs)] def abs (x: f32): f32 = ???
  #[intrinsic(sgn)] def sgn (x: f32): f32 = ???
  #[intrinsic(min)] def min (x: f32) (y: f32): f32 = ???
  #[intrinsic(max)] def max (x: f32) (y: f32): f32 = ???

  -- | Infinity.
  def inf: f32 = 1 / 0
  -- | Not a number.
  def nan: f32 = 0 / 0
  -- | The number above which there is none: infinity.
  def highest: f32 = inf
  -- | The number below which there is none: minus infinity.
  def lowest: f32 = -inf
  -- | The distance from 1 to the next larger number.
  def epsilon: f32 = 1.1920929e-7
  -- | The circumference of a circle of diameter 1.
  def pi: f32 = 3.141592653589793
  -- | The base of the natural logarithm.
  def e: f32 = 2.718281828459045

  #[intrinsic(sqrt)] def sqrt (x: f32): f32 = ???
  #[intrinsic(cbrt)] def cbrt (x: f32): f32 = ???
  #[intrinsic(exp)] def exp (x: f32): f32 = ???
  #[intrinsic(log)] def log (x: f32): f32 = ???
  #[intrinsic(log2)] def log2 (x: f32): f32 = ???
  #[intrinsic(log10)] def log10 (x: f32): f32 = ???
  #[intrinsic(sin)] def sin (x: f32): f32 = ???
  #[intrinsic(cos)] def cos (x: f32): f32 = ???
  #[intrinsic(tan)] def tan (x: f32): f32 = ???
  #[intrinsic(asin)] def asin (x: f32): f32 = ???
  #[intrinsic(acos)] def acos (x: f32): f32 = ???
  #[intrinsic(atan)] def atan (x: f32): f32 = ???
  #[intrinsic(sinh)] def sinh (x: f32): f32 = ???
  #[intrinsic(cosh)] def cosh (x: f32): f32 = ???
  #[intrinsic(tanh)] def tanh (x: f32): f32 = ???
  #[intrinsic(asinh)] def asinh (x: f32): f32 = ???
  #[intrinsic(acosh)] def acosh (x: f32): f32 = ???
  #[intrinsic(atanh)] def atanh (x: f32): f32 = ???
  -- | The angle of the point `(x, y)`, in radians.
  #[intrinsic(atan2)] def atan2 (y: f32) (x: f32): f32 = ???
  -- | The distance of the point `(x, y)` from the origin.
  #[intrinsic(hypot)] def hypot (x: f32) (y: f32): f32 = ???
  -- | The first with the sign of the second.
  #[intrinsic(copysign)] def copysign (x: f32) (y: f32): f32 = ???
  -- | The reciprocal.
  def recip (x: f32): f32 = 1 / x
  -- | The reciprocal of the square root.
  def rsqrt (x: f32): f32 = 1 / sqrt x
  -- | Two to this power.
  def exp2 (x: f32): f32 = 2 ** x
  -- | Ten to this power.
  def exp10 (x: f32): f32 = 10 ** x
  -- | The sine of `pi * x`.
  def sinpi (x: f32): f32 = sin (pi * x)
  -- | The cosine of `pi * x`.
  def cospi (x: f32): f32 = cos (pi * x)
  -- | The tangent of `pi * x`.
  def tanpi (x: f32): f32 = tan (pi * x)
  -- | `a * b + c`, rounded once or twice.
  def mad (a: f32) (b: f32) (c: f32): f32 = a * b + c
  -- | The point at `t` on the line that is `v0` at 0 and `v1` at 1.
  def lerp (v0: f32) (v1: f32) (t: f32): f32 = v0 + (v1 - v0) * t

  -- | To an integral number, towards plus infinity.
  #[intrinsic(ceil)] def ceil (x: f32): f32 = ???
  -- | To an integral number, towards minus infinity.
  #[intrinsic(floor)] def floor (x: f32): f32 = ???
  -- | To an integral number, towards zero.
  #[intrinsic(trunc)] def trunc (x: f32): f32 = ???
  -- | To the nearest integral number, of two equally near ones the even.
  #[intrinsic(round)] def round (x: f32): f32 = ???
  -- | Is it not a number?
  #[intrinsic(isnan)] def isnan (x: f32): bool = ???
  -- | Is it infinity or minus infinity?
  #[intrinsic(isinf)] def isinf (x: f32): bool = ???
  -- | The bits of its representation.
  #[intrinsic(to_bits)] def to_bits (x: f32): u32 = ???
  -- | The number with these bits.
  #[intrinsic(from_bits)] def from_bits (x: u32): f32 = ???

  -- | The sum of the elements.
  def sum [n] (xs: [n]f32): f32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]f32): f32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]f32): f32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]f32): f32 = reduce_comm min highest xs
}

-- | Floating-point numbers of 64 bits (IEEE 754).
module f64 = {
  #[intrinsic(convert)] def i32 (x: i32): f64 = ???
  #[intrinsic(convert)] def i64 (x: i64): f64 = ???
  #[intrinsic(convert)] def u32 (x: u32): f64 = ???
  #[intrinsic(convert)] def f32 (x: f32): f64 = ???
  #[intrinsic(convert)] def f64 (x: f64): f64 = ???
  #[intrinsic(convert)] def bool (x: bool): f64 = ???
  #[intrinsic(convert)] def to_i64 (x: f64): i64 = ???

  #[intrinsic(neg)] def neg (x: f64): f64 = ???
  #[intrinsic(abs)] def abs (x: f64): f64 = ???
  #[intrinsic(sgn)] def sgn (x: f64): f64 = ???
  #[intrinsic(min)] def min (x: f64) (y: f64): f64 = ???
  #[intrinsic(max)] def max (x: f64) (y: f64): f64 = ???

  -- | Infinity.
  def inf: f64 = 1 / 0
  -- | Not a number.
  def nan: f64 = 0 / 0
  -- | The number above which there is none: infinity.
  def highest: f64 = inf
  -- | The number below which there is none: minus infinity.
  def lowest: f64 = -inf
  -- | The distance from 1 to the next larger number.
  def epsilon: f64 = 2.220446049250313e-16
  -- | The circumference of a circle of diameter 1.
  def pi: f64 = 3.141592653589793
  -- | The base of the natural logarithm.
  def e: f64 = 2.718281828459045

  #[intrinsic(sqrt)] def sqrt (x: f64): f64 = ???
  #[intrinsic(cbrt)] def cbrt (x: f64): f64 = ???
  #[intrinsic(exp)] def exp (x: f64): f64 = ???
  #[intrinsic(log)] def log (x: f64): f64 = ???
  #[intrinsic(log2)] def log2 (x: f64): f64 = ???
  #[intrinsic(log10)] def log10 (x: f64): f64 = ???
  #[intrinsic(sin)] def sin (x: f64): f64 = ???
  #[intrinsic(cos)] def cos (x: f64): f64 = ???
  #[intrinsic(tan)] def tan (x: f64): f64 = ???
  #[intrinsic(asin)] def asin (x: f64): f64 = ???
  #[intrinsic(acos)] def acos (x: f64): f64 = ???
  #[intrinsic(atan)] def atan (x: f64): f64 = ???
  #[intrinsic(sinh)] def sinh (x: f64): f64 = ???
  #[intrinsic(cosh)] def cosh (x: f64): f64 = ???
  #[intrinsic(tanh)] def tanh (x: f64): f64 = ???
  #[intrinsic(asinh)] def asinh (x: f64): f64 = ???
  #[intrinsic(acosh)] def acosh (x: f64): f64 = ???
  #[intrinsic(atanh)] def atanh (x: f64): f64 = ???
  -- | The angle of the point `(x, y)`, in radians.
  #[intrinsic(atan2)] def atan2 (y: f64) (x: f64): f64 = ???
  -- | The distance of the point `(x, y)` from the origin.
  #[intrinsic(hypot)] def hypot (x: f64) (y: f64): f64 = ???
  -- | The first with the sign of the second.
  #[intrinsic(copysign)] def copysign (x: f64) (y: f64): f64 = ???
  -- | The reciprocal.
  def recip (x: f64): f64 = 1 / x
  -- | The reciprocal of the square root.
  def rsqrt (x: f64): f64 = 1 / sqrt x
  -- | Two to this power.
  def exp2 (x: f64): f64 = 2 ** x
  -- | Ten to this power.
  def exp10 (x: f64): f64 = 10 ** x
  -- | The sine of `pi * x`.
  def sinpi (x: f64): f64 = sin (pi * x)
  -- | The cosine of `pi * x`.
  def cospi (x: f64): f64 = cos (pi * x)
  -- | The tangent of `pi * x`.
  def tanpi (x: f64): f64 = tan (pi * x)
  -- | `a * b + c`, rounded once or twice.
  def mad (a: f64) (b: f64) (c: f64): f64 = a * b + c
  -- | The point at `t` on the line that is `v0` at 0 and `v1` at 1.
  def lerp (v0: f64) (v1: f64) (t: f64): f64 = v0 + (v1 - v0) * t

  -- | To an integral number, towards plus infinity.
  #[intrinsic(ceil)] def ceil (x: f64): f64 = ???
  -- | To an integral number, towards minus infinity.
  #[intrinsic(floor)] def floor (x: f64): f64 = ???
  -- | To an integral number, towards zero.
  #[intrinsic(trunc)] def trunc (x: f64): f64 = ???
  -- | To the nearest integral number, of two equally near ones the even.
  #[intrinsic(round)] def round (x: f64): f64 = ???
  -- | Is it not a number?
  #[intrinsic(isnan)] def isnan (x: f64): bool = ???
  -- | Is it infinity or minus infinity?
  #[intrinsic(isinf)] def isinf (x: f64): bool = ???

  -- | The sum of the elements.
  def sum [n] (xs: [n]f64): f64 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]f64): f64 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]f64): f64 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]f64): f64 = reduce_comm min highest xs
}

-- | Truth values.
module bool = {
  #[intrinsic(convert)] def i32 (x: i32): bool = ???
  #[intrinsic(convert)] def i64 (x: i64): bool = ???
  #[intrinsic(convert)] def u32 (x: u32): bool = ???
  #[intrinsic(convert)] def f32 (x: f32): bool = ???
  #[intrinsic(convert)] def f64 (x: f64): bool = ???
  #[intrinsic(convert)] def bool (x: bool): bool = ???
  #[intrinsic(convert)] def to_i64 (x: bool): i64 = ???
  #[intrinsic(not)] def not (x: bool): bool = ???
}

-- Arrays: what follows

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

-- | The first elements and the rest.
def split [n] [m] 't (xs: [n + m]t): ([n]t, [m]t) = (xs[:n] :> [n]t, xs[n:] :> [m]t)

-- | The elements in opposite order.
def reverse [n] 't (xs: [n]t): [n]t = xs[::-1] :> [n]t

-- | The elements `r` places to the left, those that fall out entering on the right:
-- element `i` of the result is element `(i + r) % n`.
def rotate [n] 't (r: i64) (xs: [n]t): *[n]t =
  let k = if n == 0 then 0 else r % n
  in concat xs[k:] xs[:k] :> [n]t

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

-- | Combines the elements from the left, one after the other.
def foldl [n] 'a 'b (f: a -> b -> a) (start: a) (bs: [n]b): a =
  loop acc = start for b in bs do f acc b

-- | Combines the elements from the right, one after the other.
def foldr [n] 'a 'b (f: b -> a -> a) (start: a) (bs: [n]b): a =
  foldl (flip f) start (reverse bs)

-- Parallel operations: what follows

-- | As `map`, under the name that says how many arrays it takes.
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

-- | All exclusive prefixes combined: element `i` of the result combines the elements before `i`.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a): *[n]a =
  let inclusive = scan op ne as
  in map (\i -> if i == 0 then ne else intrinsics.index inclusive (i - 1)) (iota n)

-- | The elements for which the predicate holds, in their order.
def filter [n] 'a (p: a -> bool) (as: [n]a): *[]a =
  let counts = scan (+) 0 (map (\a -> i64.bool (p a)) as)
  let position (i: i64) (count: i64) =
    let before = if i == 0 then 0 else intrinsics.index counts (i - 1)
    in if before < count then before else -1
  let kept = if n == 0 then 0 else intrinsics.index counts (n - 1)
  in scatter (intrinsics.scratch kept) (map2 position (iota n) counts) as

-- | The elements for which the predicate holds, and the others.
def partition [n] 'a (p: a -> bool) (as: [n]a): ([]a, []a) =
  (filter p as, filter (\a -> !(p a)) as)

-- | An array of `k` neutral elements into which `vs[j]` is combined at position `is[j]`, for all
-- `j` at once. The conditions are those of `reduce_by_index`.
def hist [n] 'a (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (vs: [n]a): *[k]a =
  reduce_by_index (replicate k ne) op ne is vs

-- | An array of `k` times `x` in which `vs[j]` is written to position `is[j]`, for all `j` at once.
def spread [n] 't (k: i64) (x: t) (is: [n]i64) (vs: [n]t): *[k]t =
  scatter (replicate k x) is vs
