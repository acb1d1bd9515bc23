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

-- | Applies the function to stretches of the array, one behind the other, and gives what comes out in
-- the same order. Where the array is cut is the compiler's choice: the result must not depend on it.
-- The function gets the size of each stretch, which is never 0, and the stretch; parallel operations
-- inside it run one after the other.
#[intrinsic(stream_map)]
def stream_map [n] 'a 'b (f: (k: i64) -> [k]a -> [k]b) (as: [n]a): *[n]b = ???

-- | As `stream_map`, of a function that makes one value of a stretch; the operator, which must be
-- associative, combines these in order. Of an empty array the function gets the one empty stretch.
#[intrinsic(stream_red)]
def stream_red [n] 'a 'b (op: b -> b -> b) (f: (k: i64) -> [k]a -> b) (as: [n]a): b = ???

-- The primitive types: a module for each. The functions named after types convert from them.

-- | What the modules of the primitive types share; not for programs.
module numerics = {
  #[intrinsic(to_bits)] def bits (x: f64): u64 = ???
  #[intrinsic(from_bits)] def of_bits (x: u64): f64 = ???
  #[intrinsic(exp)] def exp (x: f64): f64 = ???
  #[intrinsic(convert)] def single (x: f64): f32 = ???
  #[intrinsic(convert)] def half (x: f32): f16 = ???
  #[intrinsic(convert)] def half_of_double (x: f64): f16 = ???

  -- | The sum, and what it lost to rounding.
  def sum_and_rest (a: f64) (b: f64): (f64, f64) =
    let sum = a + b
    let of_b = sum - a
    in (sum, (a - (sum - of_b)) + (b - of_b))

  -- | The sum; of the two numbers next to it that with an odd last bit, unless it is exact.
  def sum_to_odd (a: f64) (b: f64): f64 =
    let (sum, rest) = sum_and_rest a b
    let even = bits sum & 1 == 0
    in if even && rest < 0 then of_bits (if sum > 0 then bits sum - 1 else bits sum + 1)
       else if even && rest > 0 then of_bits (if sum > 0 then bits sum + 1 else bits sum - 1)
       else sum

  -- | The number, counted up to 10 or more, and the product of the numbers passed.
  def ten_or_more (x: f64): (f64, f64) =
    loop (x, passed) = (x, 1) while x < 10 do (x + 1, passed * x)

  -- | Stirling's series, for numbers from 10 on.
  def stirling (x: f64): f64 =
    let z = 1 / (x * x)
    let tail = 1.0 / 1188 - z * (691.0 / 360360 - z * (1.0 / 156))
    in (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * tail)))) / x

  -- | The error function, for numbers between -2 and 2: a series without a change of sign.
  def erf_series (x: f64): f64 =
    let z = 2 * x * x
    let (sum, _) = loop (sum, k) = (1, 91) while k > 1 do (1 + z / k * sum, k - 2)
    in 1.1283791670955126 * x * exp (-x * x) * sum

  -- | The complement of the error function, for numbers from 2 on: a continued fraction. The square
  -- in the exponent is computed in two parts, because its rounding errors would grow with it.
  def erfc_fraction (x: f64): f64 =
    if x > 27 then 0 else
    let high = of_bits (bits x & !0x7ffffff)
    let (sum, _) = loop (sum, k) = (x, 25) while k > 0 do (x + k / sum, k - 0.5)
    in 0.56418958354775629 * exp (-high * high) * exp ((high - x) * (high + x)) / sum
}

-- | Signed integers of 8 bits. Arithmetic wraps.
module i8 = {
  #[intrinsic(convert)] def i8 (x: i8): i8 = ???
  #[intrinsic(convert)] def i16 (x: i16): i8 = ???
  #[intrinsic(convert)] def i32 (x: i32): i8 = ???
  #[intrinsic(convert)] def i64 (x: i64): i8 = ???
  #[intrinsic(convert)] def u8 (x: u8): i8 = ???
  #[intrinsic(convert)] def u16 (x: u16): i8 = ???
  #[intrinsic(convert)] def u32 (x: u32): i8 = ???
  #[intrinsic(convert)] def u64 (x: u64): i8 = ???
  #[intrinsic(convert)] def f16 (x: f16): i8 = ???
  #[intrinsic(convert)] def f32 (x: f32): i8 = ???
  #[intrinsic(convert)] def f64 (x: f64): i8 = ???
  #[intrinsic(convert)] def bool (x: bool): i8 = ???
  #[intrinsic(convert)] def to_i64 (x: i8): i64 = ???

  #[intrinsic(neg)] def neg (x: i8): i8 = ???
  #[intrinsic(abs)] def abs (x: i8): i8 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: i8): i8 = ???
  #[intrinsic(min)] def min (x: i8) (y: i8): i8 = ???
  #[intrinsic(max)] def max (x: i8) (y: i8): i8 = ???

  -- | The largest number of the type.
  def highest: i8 = 127
  -- | The smallest number of the type.
  def lowest: i8 = highest + 1

  -- | Every bit replaced by the other one.
  #[intrinsic(not)] def not (x: i8): i8 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: i8): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: i8): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: i8): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 8
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: i8): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: i8) (b: i32): i8 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: i8) (y: i8): i8 = i64 ((to_i64 x * to_i64 y) >> 8)
  -- | `mul_hi a b + c`.
  def mad_hi (a: i8) (b: i8) (c: i8): i8 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]i8): i8 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i8): i8 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i8): i8 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i8): i8 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: i8) (y: i8): i8 = ???
  #[intrinsic(sub)] def (-) (x: i8) (y: i8): i8 = ???
  #[intrinsic(mul)] def (*) (x: i8) (y: i8): i8 = ???
  #[intrinsic(div)] def (/) (x: i8) (y: i8): i8 = ???
  #[intrinsic(mod)] def (%) (x: i8) (y: i8): i8 = ???
  #[intrinsic(pow)] def (**) (x: i8) (y: i8): i8 = ???
  #[intrinsic(quot)] def (//) (x: i8) (y: i8): i8 = ???
  #[intrinsic(rem)] def (%%) (x: i8) (y: i8): i8 = ???
  #[intrinsic(and)] def (&) (x: i8) (y: i8): i8 = ???
  #[intrinsic(or)] def (|) (x: i8) (y: i8): i8 = ???
  #[intrinsic(xor)] def (^) (x: i8) (y: i8): i8 = ???
  #[intrinsic(shl)] def (<<) (x: i8) (y: i8): i8 = ???
  #[intrinsic(shr)] def (>>) (x: i8) (y: i8): i8 = ???
  #[intrinsic(lshr)] def (>>>) (x: i8) (y: i8): i8 = ???
  #[intrinsic(eq)] def (==) (x: i8) (y: i8): bool = ???
  #[intrinsic(ne)] def (!=) (x: i8) (y: i8): bool = ???
  #[intrinsic(lt)] def (<) (x: i8) (y: i8): bool = ???
  #[intrinsic(le)] def (<=) (x: i8) (y: i8): bool = ???
  def (>) (x: i8) (y: i8): bool = y < x
  def (>=) (x: i8) (y: i8): bool = y <= x
}

-- | Signed integers of 16 bits. Arithmetic wraps.
module i16 = {
  #[intrinsic(convert)] def i8 (x: i8): i16 = ???
  #[intrinsic(convert)] def i16 (x: i16): i16 = ???
  #[intrinsic(convert)] def i32 (x: i32): i16 = ???
  #[intrinsic(convert)] def i64 (x: i64): i16 = ???
  #[intrinsic(convert)] def u8 (x: u8): i16 = ???
  #[intrinsic(convert)] def u16 (x: u16): i16 = ???
  #[intrinsic(convert)] def u32 (x: u32): i16 = ???
  #[intrinsic(convert)] def u64 (x: u64): i16 = ???
  #[intrinsic(convert)] def f16 (x: f16): i16 = ???
  #[intrinsic(convert)] def f32 (x: f32): i16 = ???
  #[intrinsic(convert)] def f64 (x: f64): i16 = ???
  #[intrinsic(convert)] def bool (x: bool): i16 = ???
  #[intrinsic(convert)] def to_i64 (x: i16): i64 = ???

  #[intrinsic(neg)] def neg (x: i16): i16 = ???
  #[intrinsic(abs)] def abs (x: i16): i16 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: i16): i16 = ???
  #[intrinsic(min)] def min (x: i16) (y: i16): i16 = ???
  #[intrinsic(max)] def max (x: i16) (y: i16): i16 = ???

  -- | The largest number of the type.
  def highest: i16 = 32767
  -- | The smallest number of the type.
  def lowest: i16 = highest + 1

  -- | Every bit replaced by the other one.
  #[intrinsic(not)] def not (x: i16): i16 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: i16): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: i16): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: i16): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 16
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: i16): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: i16) (b: i32): i16 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: i16) (y: i16): i16 = i64 ((to_i64 x * to_i64 y) >> 16)
  -- | `mul_hi a b + c`.
  def mad_hi (a: i16) (b: i16) (c: i16): i16 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]i16): i16 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i16): i16 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i16): i16 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i16): i16 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: i16) (y: i16): i16 = ???
  #[intrinsic(sub)] def (-) (x: i16) (y: i16): i16 = ???
  #[intrinsic(mul)] def (*) (x: i16) (y: i16): i16 = ???
  #[intrinsic(div)] def (/) (x: i16) (y: i16): i16 = ???
  #[intrinsic(mod)] def (%) (x: i16) (y: i16): i16 = ???
  #[intrinsic(pow)] def (**) (x: i16) (y: i16): i16 = ???
  #[intrinsic(quot)] def (//) (x: i16) (y: i16): i16 = ???
  #[intrinsic(rem)] def (%%) (x: i16) (y: i16): i16 = ???
  #[intrinsic(and)] def (&) (x: i16) (y: i16): i16 = ???
  #[intrinsic(or)] def (|) (x: i16) (y: i16): i16 = ???
  #[intrinsic(xor)] def (^) (x: i16) (y: i16): i16 = ???
  #[intrinsic(shl)] def (<<) (x: i16) (y: i16): i16 = ???
  #[intrinsic(shr)] def (>>) (x: i16) (y: i16): i16 = ???
  #[intrinsic(lshr)] def (>>>) (x: i16) (y: i16): i16 = ???
  #[intrinsic(eq)] def (==) (x: i16) (y: i16): bool = ???
  #[intrinsic(ne)] def (!=) (x: i16) (y: i16): bool = ???
  #[intrinsic(lt)] def (<) (x: i16) (y: i16): bool = ???
  #[intrinsic(le)] def (<=) (x: i16) (y: i16): bool = ???
  def (>) (x: i16) (y: i16): bool = y < x
  def (>=) (x: i16) (y: i16): bool = y <= x
}

-- | Signed integers of 32 bits. Arithmetic wraps.
module i32 = {
  #[intrinsic(convert)] def i8 (x: i8): i32 = ???
  #[intrinsic(convert)] def i16 (x: i16): i32 = ???
  #[intrinsic(convert)] def i32 (x: i32): i32 = ???
  #[intrinsic(convert)] def i64 (x: i64): i32 = ???
  #[intrinsic(convert)] def u8 (x: u8): i32 = ???
  #[intrinsic(convert)] def u16 (x: u16): i32 = ???
  #[intrinsic(convert)] def u32 (x: u32): i32 = ???
  #[intrinsic(convert)] def u64 (x: u64): i32 = ???
  #[intrinsic(convert)] def f16 (x: f16): i32 = ???
  #[intrinsic(convert)] def f32 (x: f32): i32 = ???
  #[intrinsic(convert)] def f64 (x: f64): i32 = ???
  #[intrinsic(convert)] def bool (x: bool): i32 = ???
  #[intrinsic(convert)] def to_i64 (x: i32): i64 = ???

  #[intrinsic(neg)] def neg (x: i32): i32 = ???
  #[intrinsic(abs)] def abs (x: i32): i32 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: i32): i32 = ???
  #[intrinsic(min)] def min (x: i32) (y: i32): i32 = ???
  #[intrinsic(max)] def max (x: i32) (y: i32): i32 = ???

  -- | The largest number of the type.
  def highest: i32 = 2147483647
  -- | The smallest number of the type.
  def lowest: i32 = highest + 1

  -- | Every bit replaced by the other one.
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
  def get_bit (bit: i32) (x: i32): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: i32) (b: i32): i32 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: i32) (y: i32): i32 = i64 ((to_i64 x * to_i64 y) >> 32)
  -- | `mul_hi a b + c`.
  def mad_hi (a: i32) (b: i32) (c: i32): i32 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]i32): i32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i32): i32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i32): i32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i32): i32 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: i32) (y: i32): i32 = ???
  #[intrinsic(sub)] def (-) (x: i32) (y: i32): i32 = ???
  #[intrinsic(mul)] def (*) (x: i32) (y: i32): i32 = ???
  #[intrinsic(div)] def (/) (x: i32) (y: i32): i32 = ???
  #[intrinsic(mod)] def (%) (x: i32) (y: i32): i32 = ???
  #[intrinsic(pow)] def (**) (x: i32) (y: i32): i32 = ???
  #[intrinsic(quot)] def (//) (x: i32) (y: i32): i32 = ???
  #[intrinsic(rem)] def (%%) (x: i32) (y: i32): i32 = ???
  #[intrinsic(and)] def (&) (x: i32) (y: i32): i32 = ???
  #[intrinsic(or)] def (|) (x: i32) (y: i32): i32 = ???
  #[intrinsic(xor)] def (^) (x: i32) (y: i32): i32 = ???
  #[intrinsic(shl)] def (<<) (x: i32) (y: i32): i32 = ???
  #[intrinsic(shr)] def (>>) (x: i32) (y: i32): i32 = ???
  #[intrinsic(lshr)] def (>>>) (x: i32) (y: i32): i32 = ???
  #[intrinsic(eq)] def (==) (x: i32) (y: i32): bool = ???
  #[intrinsic(ne)] def (!=) (x: i32) (y: i32): bool = ???
  #[intrinsic(lt)] def (<) (x: i32) (y: i32): bool = ???
  #[intrinsic(le)] def (<=) (x: i32) (y: i32): bool = ???
  def (>) (x: i32) (y: i32): bool = y < x
  def (>=) (x: i32) (y: i32): bool = y <= x
}

-- | Signed integers of 64 bits. Arithmetic wraps.
module i64 = {
  #[intrinsic(convert)] def i8 (x: i8): i64 = ???
  #[intrinsic(convert)] def i16 (x: i16): i64 = ???
  #[intrinsic(convert)] def i32 (x: i32): i64 = ???
  #[intrinsic(convert)] def i64 (x: i64): i64 = ???
  #[intrinsic(convert)] def u8 (x: u8): i64 = ???
  #[intrinsic(convert)] def u16 (x: u16): i64 = ???
  #[intrinsic(convert)] def u32 (x: u32): i64 = ???
  #[intrinsic(convert)] def u64 (x: u64): i64 = ???
  #[intrinsic(convert)] def f16 (x: f16): i64 = ???
  #[intrinsic(convert)] def f32 (x: f32): i64 = ???
  #[intrinsic(convert)] def f64 (x: f64): i64 = ???
  #[intrinsic(convert)] def bool (x: bool): i64 = ???
  #[intrinsic(convert)] def to_i64 (x: i64): i64 = ???

  #[intrinsic(neg)] def neg (x: i64): i64 = ???
  #[intrinsic(abs)] def abs (x: i64): i64 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: i64): i64 = ???
  #[intrinsic(min)] def min (x: i64) (y: i64): i64 = ???
  #[intrinsic(max)] def max (x: i64) (y: i64): i64 = ???

  -- | The largest number of the type.
  def highest: i64 = 9223372036854775807
  -- | The smallest number of the type.
  def lowest: i64 = highest + 1

  -- | Every bit replaced by the other one.
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
  -- | The upper half of the product, which has twice as many bits: the digits to base 2^32 of
  -- the factors are multiplied crosswise.
  def mul_hi (x: i64) (y: i64): i64 =
    let digit = 0xffffffff
    let low = (x & digit) * (y & digit)
    let middle = (x >> 32) * (y & digit) + (low >>> 32)
    let other = (x & digit) * (y >> 32) + (middle & digit)
    in (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32)
  -- | `mul_hi a b + c`.
  def mad_hi (a: i64) (b: i64) (c: i64): i64 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]i64): i64 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]i64): i64 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]i64): i64 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]i64): i64 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: i64) (y: i64): i64 = ???
  #[intrinsic(sub)] def (-) (x: i64) (y: i64): i64 = ???
  #[intrinsic(mul)] def (*) (x: i64) (y: i64): i64 = ???
  #[intrinsic(div)] def (/) (x: i64) (y: i64): i64 = ???
  #[intrinsic(mod)] def (%) (x: i64) (y: i64): i64 = ???
  #[intrinsic(pow)] def (**) (x: i64) (y: i64): i64 = ???
  #[intrinsic(quot)] def (//) (x: i64) (y: i64): i64 = ???
  #[intrinsic(rem)] def (%%) (x: i64) (y: i64): i64 = ???
  #[intrinsic(and)] def (&) (x: i64) (y: i64): i64 = ???
  #[intrinsic(or)] def (|) (x: i64) (y: i64): i64 = ???
  #[intrinsic(xor)] def (^) (x: i64) (y: i64): i64 = ???
  #[intrinsic(shl)] def (<<) (x: i64) (y: i64): i64 = ???
  #[intrinsic(shr)] def (>>) (x: i64) (y: i64): i64 = ???
  #[intrinsic(lshr)] def (>>>) (x: i64) (y: i64): i64 = ???
  #[intrinsic(eq)] def (==) (x: i64) (y: i64): bool = ???
  #[intrinsic(ne)] def (!=) (x: i64) (y: i64): bool = ???
  #[intrinsic(lt)] def (<) (x: i64) (y: i64): bool = ???
  #[intrinsic(le)] def (<=) (x: i64) (y: i64): bool = ???
  def (>) (x: i64) (y: i64): bool = y < x
  def (>=) (x: i64) (y: i64): bool = y <= x
}

-- | Unsigned integers of 8 bits. Arithmetic wraps.
module u8 = {
  #[intrinsic(convert)] def i8 (x: i8): u8 = ???
  #[intrinsic(convert)] def i16 (x: i16): u8 = ???
  #[intrinsic(convert)] def i32 (x: i32): u8 = ???
  #[intrinsic(convert)] def i64 (x: i64): u8 = ???
  #[intrinsic(convert)] def u8 (x: u8): u8 = ???
  #[intrinsic(convert)] def u16 (x: u16): u8 = ???
  #[intrinsic(convert)] def u32 (x: u32): u8 = ???
  #[intrinsic(convert)] def u64 (x: u64): u8 = ???
  #[intrinsic(convert)] def f16 (x: f16): u8 = ???
  #[intrinsic(convert)] def f32 (x: f32): u8 = ???
  #[intrinsic(convert)] def f64 (x: f64): u8 = ???
  #[intrinsic(convert)] def bool (x: bool): u8 = ???
  #[intrinsic(convert)] def to_i64 (x: u8): i64 = ???

  #[intrinsic(neg)] def neg (x: u8): u8 = ???
  #[intrinsic(abs)] def abs (x: u8): u8 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: u8): u8 = ???
  #[intrinsic(min)] def min (x: u8) (y: u8): u8 = ???
  #[intrinsic(max)] def max (x: u8) (y: u8): u8 = ???

  -- | The largest number of the type.
  def highest: u8 = 255
  -- | The smallest number of the type.
  def lowest: u8 = 0

  -- | Every bit replaced by the other one.
  #[intrinsic(not)] def not (x: u8): u8 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: u8): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: u8): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: u8): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 8
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: u8): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: u8) (b: i32): u8 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: u8) (y: u8): u8 = i64 ((to_i64 x * to_i64 y) >>> 8)
  -- | `mul_hi a b + c`.
  def mad_hi (a: u8) (b: u8) (c: u8): u8 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]u8): u8 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]u8): u8 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]u8): u8 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]u8): u8 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: u8) (y: u8): u8 = ???
  #[intrinsic(sub)] def (-) (x: u8) (y: u8): u8 = ???
  #[intrinsic(mul)] def (*) (x: u8) (y: u8): u8 = ???
  #[intrinsic(div)] def (/) (x: u8) (y: u8): u8 = ???
  #[intrinsic(mod)] def (%) (x: u8) (y: u8): u8 = ???
  #[intrinsic(pow)] def (**) (x: u8) (y: u8): u8 = ???
  #[intrinsic(quot)] def (//) (x: u8) (y: u8): u8 = ???
  #[intrinsic(rem)] def (%%) (x: u8) (y: u8): u8 = ???
  #[intrinsic(and)] def (&) (x: u8) (y: u8): u8 = ???
  #[intrinsic(or)] def (|) (x: u8) (y: u8): u8 = ???
  #[intrinsic(xor)] def (^) (x: u8) (y: u8): u8 = ???
  #[intrinsic(shl)] def (<<) (x: u8) (y: u8): u8 = ???
  #[intrinsic(shr)] def (>>) (x: u8) (y: u8): u8 = ???
  #[intrinsic(lshr)] def (>>>) (x: u8) (y: u8): u8 = ???
  #[intrinsic(eq)] def (==) (x: u8) (y: u8): bool = ???
  #[intrinsic(ne)] def (!=) (x: u8) (y: u8): bool = ???
  #[intrinsic(lt)] def (<) (x: u8) (y: u8): bool = ???
  #[intrinsic(le)] def (<=) (x: u8) (y: u8): bool = ???
  def (>) (x: u8) (y: u8): bool = y < x
  def (>=) (x: u8) (y: u8): bool = y <= x
}

-- | Unsigned integers of 16 bits. Arithmetic wraps.
module u16 = {
  #[intrinsic(convert)] def i8 (x: i8): u16 = ???
  #[intrinsic(convert)] def i16 (x: i16): u16 = ???
  #[intrinsic(convert)] def i32 (x: i32): u16 = ???
  #[intrinsic(convert)] def i64 (x: i64): u16 = ???
  #[intrinsic(convert)] def u8 (x: u8): u16 = ???
  #[intrinsic(convert)] def u16 (x: u16): u16 = ???
  #[intrinsic(convert)] def u32 (x: u32): u16 = ???
  #[intrinsic(convert)] def u64 (x: u64): u16 = ???
  #[intrinsic(convert)] def f16 (x: f16): u16 = ???
  #[intrinsic(convert)] def f32 (x: f32): u16 = ???
  #[intrinsic(convert)] def f64 (x: f64): u16 = ???
  #[intrinsic(convert)] def bool (x: bool): u16 = ???
  #[intrinsic(convert)] def to_i64 (x: u16): i64 = ???

  #[intrinsic(neg)] def neg (x: u16): u16 = ???
  #[intrinsic(abs)] def abs (x: u16): u16 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: u16): u16 = ???
  #[intrinsic(min)] def min (x: u16) (y: u16): u16 = ???
  #[intrinsic(max)] def max (x: u16) (y: u16): u16 = ???

  -- | The largest number of the type.
  def highest: u16 = 65535
  -- | The smallest number of the type.
  def lowest: u16 = 0

  -- | Every bit replaced by the other one.
  #[intrinsic(not)] def not (x: u16): u16 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: u16): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: u16): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: u16): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 16
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: u16): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: u16) (b: i32): u16 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: u16) (y: u16): u16 = i64 ((to_i64 x * to_i64 y) >>> 16)
  -- | `mul_hi a b + c`.
  def mad_hi (a: u16) (b: u16) (c: u16): u16 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]u16): u16 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]u16): u16 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]u16): u16 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]u16): u16 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: u16) (y: u16): u16 = ???
  #[intrinsic(sub)] def (-) (x: u16) (y: u16): u16 = ???
  #[intrinsic(mul)] def (*) (x: u16) (y: u16): u16 = ???
  #[intrinsic(div)] def (/) (x: u16) (y: u16): u16 = ???
  #[intrinsic(mod)] def (%) (x: u16) (y: u16): u16 = ???
  #[intrinsic(pow)] def (**) (x: u16) (y: u16): u16 = ???
  #[intrinsic(quot)] def (//) (x: u16) (y: u16): u16 = ???
  #[intrinsic(rem)] def (%%) (x: u16) (y: u16): u16 = ???
  #[intrinsic(and)] def (&) (x: u16) (y: u16): u16 = ???
  #[intrinsic(or)] def (|) (x: u16) (y: u16): u16 = ???
  #[intrinsic(xor)] def (^) (x: u16) (y: u16): u16 = ???
  #[intrinsic(shl)] def (<<) (x: u16) (y: u16): u16 = ???
  #[intrinsic(shr)] def (>>) (x: u16) (y: u16): u16 = ???
  #[intrinsic(lshr)] def (>>>) (x: u16) (y: u16): u16 = ???
  #[intrinsic(eq)] def (==) (x: u16) (y: u16): bool = ???
  #[intrinsic(ne)] def (!=) (x: u16) (y: u16): bool = ???
  #[intrinsic(lt)] def (<) (x: u16) (y: u16): bool = ???
  #[intrinsic(le)] def (<=) (x: u16) (y: u16): bool = ???
  def (>) (x: u16) (y: u16): bool = y < x
  def (>=) (x: u16) (y: u16): bool = y <= x
}

-- | Unsigned integers of 32 bits. Arithmetic wraps.
module u32 = {
  #[intrinsic(convert)] def i8 (x: i8): u32 = ???
  #[intrinsic(convert)] def i16 (x: i16): u32 = ???
  #[intrinsic(convert)] def i32 (x: i32): u32 = ???
  #[intrinsic(convert)] def i64 (x: i64): u32 = ???
  #[intrinsic(convert)] def u8 (x: u8): u32 = ???
  #[intrinsic(convert)] def u16 (x: u16): u32 = ???
  #[intrinsic(convert)] def u32 (x: u32): u32 = ???
  #[intrinsic(convert)] def u64 (x: u64): u32 = ???
  #[intrinsic(convert)] def f16 (x: f16): u32 = ???
  #[intrinsic(convert)] def f32 (x: f32): u32 = ???
  #[intrinsic(convert)] def f64 (x: f64): u32 = ???
  #[intrinsic(convert)] def bool (x: bool): u32 = ???
  #[intrinsic(convert)] def to_i64 (x: u32): i64 = ???

  #[intrinsic(neg)] def neg (x: u32): u32 = ???
  #[intrinsic(abs)] def abs (x: u32): u32 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: u32): u32 = ???
  #[intrinsic(min)] def min (x: u32) (y: u32): u32 = ???
  #[intrinsic(max)] def max (x: u32) (y: u32): u32 = ???

  -- | The largest number of the type.
  def highest: u32 = 4294967295
  -- | The smallest number of the type.
  def lowest: u32 = 0

  -- | Every bit replaced by the other one.
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
  -- | The upper half of the product, which has twice as many bits.
  def mul_hi (x: u32) (y: u32): u32 = i64 ((to_i64 x * to_i64 y) >>> 32)
  -- | `mul_hi a b + c`.
  def mad_hi (a: u32) (b: u32) (c: u32): u32 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]u32): u32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]u32): u32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]u32): u32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]u32): u32 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: u32) (y: u32): u32 = ???
  #[intrinsic(sub)] def (-) (x: u32) (y: u32): u32 = ???
  #[intrinsic(mul)] def (*) (x: u32) (y: u32): u32 = ???
  #[intrinsic(div)] def (/) (x: u32) (y: u32): u32 = ???
  #[intrinsic(mod)] def (%) (x: u32) (y: u32): u32 = ???
  #[intrinsic(pow)] def (**) (x: u32) (y: u32): u32 = ???
  #[intrinsic(quot)] def (//) (x: u32) (y: u32): u32 = ???
  #[intrinsic(rem)] def (%%) (x: u32) (y: u32): u32 = ???
  #[intrinsic(and)] def (&) (x: u32) (y: u32): u32 = ???
  #[intrinsic(or)] def (|) (x: u32) (y: u32): u32 = ???
  #[intrinsic(xor)] def (^) (x: u32) (y: u32): u32 = ???
  #[intrinsic(shl)] def (<<) (x: u32) (y: u32): u32 = ???
  #[intrinsic(shr)] def (>>) (x: u32) (y: u32): u32 = ???
  #[intrinsic(lshr)] def (>>>) (x: u32) (y: u32): u32 = ???
  #[intrinsic(eq)] def (==) (x: u32) (y: u32): bool = ???
  #[intrinsic(ne)] def (!=) (x: u32) (y: u32): bool = ???
  #[intrinsic(lt)] def (<) (x: u32) (y: u32): bool = ???
  #[intrinsic(le)] def (<=) (x: u32) (y: u32): bool = ???
  def (>) (x: u32) (y: u32): bool = y < x
  def (>=) (x: u32) (y: u32): bool = y <= x
}

-- | Unsigned integers of 64 bits. Arithmetic wraps.
module u64 = {
  #[intrinsic(convert)] def i8 (x: i8): u64 = ???
  #[intrinsic(convert)] def i16 (x: i16): u64 = ???
  #[intrinsic(convert)] def i32 (x: i32): u64 = ???
  #[intrinsic(convert)] def i64 (x: i64): u64 = ???
  #[intrinsic(convert)] def u8 (x: u8): u64 = ???
  #[intrinsic(convert)] def u16 (x: u16): u64 = ???
  #[intrinsic(convert)] def u32 (x: u32): u64 = ???
  #[intrinsic(convert)] def u64 (x: u64): u64 = ???
  #[intrinsic(convert)] def f16 (x: f16): u64 = ???
  #[intrinsic(convert)] def f32 (x: f32): u64 = ???
  #[intrinsic(convert)] def f64 (x: f64): u64 = ???
  #[intrinsic(convert)] def bool (x: bool): u64 = ???
  #[intrinsic(convert)] def to_i64 (x: u64): i64 = ???

  #[intrinsic(neg)] def neg (x: u64): u64 = ???
  #[intrinsic(abs)] def abs (x: u64): u64 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: u64): u64 = ???
  #[intrinsic(min)] def min (x: u64) (y: u64): u64 = ???
  #[intrinsic(max)] def max (x: u64) (y: u64): u64 = ???

  -- | The largest number of the type.
  def highest: u64 = 18446744073709551615
  -- | The smallest number of the type.
  def lowest: u64 = 0

  -- | Every bit replaced by the other one.
  #[intrinsic(not)] def not (x: u64): u64 = ???
  -- | How many bits are one.
  #[intrinsic(popc)] def popc (x: u64): i32 = ???
  -- | How many bits in front of the highest one are zero.
  #[intrinsic(clz)] def clz (x: u64): i32 = ???
  -- | How many bits behind the lowest one are zero.
  #[intrinsic(ctz)] def ctz (x: u64): i32 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 64
  -- | The bit at a position, counted from the least one.
  def get_bit (bit: i32) (x: u64): i32 = if ((x >> i32 bit) & 1) == 0 then 0 else 1
  -- | The number with the bit at a position replaced.
  def set_bit (bit: i32) (x: u64) (b: i32): u64 =
    (x & not (1 << i32 bit)) | ((i32 b & 1) << i32 bit)
  -- | The upper half of the product, which has twice as many bits: the digits to base 2^32 of
  -- the factors are multiplied crosswise.
  def mul_hi (x: u64) (y: u64): u64 =
    let digit = 0xffffffff
    let low = (x & digit) * (y & digit)
    let middle = (x >> 32) * (y & digit) + (low >>> 32)
    let other = (x & digit) * (y >> 32) + (middle & digit)
    in (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32)
  -- | `mul_hi a b + c`.
  def mad_hi (a: u64) (b: u64) (c: u64): u64 = mul_hi a b + c

  -- | The sum of the elements.
  def sum [n] (xs: [n]u64): u64 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]u64): u64 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]u64): u64 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]u64): u64 = reduce_comm min highest xs

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: u64) (y: u64): u64 = ???
  #[intrinsic(sub)] def (-) (x: u64) (y: u64): u64 = ???
  #[intrinsic(mul)] def (*) (x: u64) (y: u64): u64 = ???
  #[intrinsic(div)] def (/) (x: u64) (y: u64): u64 = ???
  #[intrinsic(mod)] def (%) (x: u64) (y: u64): u64 = ???
  #[intrinsic(pow)] def (**) (x: u64) (y: u64): u64 = ???
  #[intrinsic(quot)] def (//) (x: u64) (y: u64): u64 = ???
  #[intrinsic(rem)] def (%%) (x: u64) (y: u64): u64 = ???
  #[intrinsic(and)] def (&) (x: u64) (y: u64): u64 = ???
  #[intrinsic(or)] def (|) (x: u64) (y: u64): u64 = ???
  #[intrinsic(xor)] def (^) (x: u64) (y: u64): u64 = ???
  #[intrinsic(shl)] def (<<) (x: u64) (y: u64): u64 = ???
  #[intrinsic(shr)] def (>>) (x: u64) (y: u64): u64 = ???
  #[intrinsic(lshr)] def (>>>) (x: u64) (y: u64): u64 = ???
  #[intrinsic(eq)] def (==) (x: u64) (y: u64): bool = ???
  #[intrinsic(ne)] def (!=) (x: u64) (y: u64): bool = ???
  #[intrinsic(lt)] def (<) (x: u64) (y: u64): bool = ???
  #[intrinsic(le)] def (<=) (x: u64) (y: u64): bool = ???
  def (>) (x: u64) (y: u64): bool = y < x
  def (>=) (x: u64) (y: u64): bool = y <= x
}

-- | Floating-point numbers of 64 bits (IEEE 754).
module f64 = {
  #[intrinsic(neg)] def neg (x: f64): f64 = ???
  #[intrinsic(abs)] def abs (x: f64): f64 = ???
  -- | -1, 0 or 1: the sign.
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

  -- | The square root.
  #[intrinsic(sqrt)] def sqrt (x: f64): f64 = ???
  -- | The cube root.
  #[intrinsic(cbrt)] def cbrt (x: f64): f64 = ???
  -- | e to this power.
  #[intrinsic(exp)] def exp (x: f64): f64 = ???
  -- | The natural logarithm.
  #[intrinsic(log)] def log (x: f64): f64 = ???
  -- | The logarithm to base 2.
  #[intrinsic(log2)] def log2 (x: f64): f64 = ???
  -- | The logarithm to base 10.
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

  -- | The bits of its representation.
  #[intrinsic(to_bits)] def to_bits (x: f64): u64 = ???
  -- | The number with these bits.
  #[intrinsic(from_bits)] def from_bits (x: u64): f64 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 64
  -- | The bit of the representation at a position, counted from the least one.
  def get_bit (bit: i32) (x: f64): i32 = u64.get_bit bit (to_bits x)
  -- | The number with the bit of the representation at a position replaced.
  def set_bit (bit: i32) (x: f64) (b: i32): f64 = from_bits (u64.set_bit bit (to_bits x) b)
  -- | The number next to `x` in the direction of `y`.
  def nextafter (x: f64) (y: f64): f64 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  -- | `x` times two to the power of `n`, rounded once: steps downwards leave a margin of as many
  -- bits as a number has, lest a number that becomes subnormal on the way be rounded there.
  def ldexp (x: f64) (n: i32): f64 =
    let power (n: i32): f64 = from_bits (u64.i32 (n + 1023) << 52)
    let n = i32.max (-4092) (i32.min 4092 n)
    let (x, n) = loop (x, n) = (x, n) while n > 1023 do (x * power 1023, n - 1023)
    let (x, n) = loop (x, n) = (x, n) while n < -1022 do (x * power (-969), n + 969)
    in x * power n

  -- | The natural logarithm of `1 + x`, also where that is next to 1: what the sum lost is added.
  def log1p (x: f64): f64 =
    let sum = 1 + x
    let lost = if isinf sum then 0 else (x - (sum - 1)) / sum
    in if x == 0 || x == -1 then log sum + x + copysign 0 x else log sum + lost
  -- | The sine of `pi * x`.
  def sinpi (x: f64): f64 =
    let rest = x - 2 * round (x / 2)
    in sin (pi * (if abs rest > 0.5 then copysign 1 rest - rest else rest))
  -- | The cosine of `pi * x`.
  def cospi (x: f64): f64 = sin (pi * (0.5 - abs (x - 2 * round (x / 2))))
  -- | The tangent of `pi * x`.
  def tanpi (x: f64): f64 = sinpi x / cospi x
  -- | `asin x / pi`.
  def asinpi (x: f64): f64 = asin x / pi
  -- | `acos x / pi`.
  def acospi (x: f64): f64 = acos x / pi
  -- | `atan x / pi`.
  def atanpi (x: f64): f64 = atan x / pi
  -- | `atan2 y x / pi`.
  def atan2pi (y: f64) (x: f64): f64 = atan2 y x / pi
  -- | `a * b + c`, rounded once. Product and sum are each a pair of numbers, the second what the
  -- first lost to rounding; factors are scaled to about 1, since only there is nothing else lost.
  def fma (a: f64) (b: f64) (c: f64): f64 =
    if a == 0 || b == 0 || c == 0 || isnan (a * 0 + b * 0 + c * 0) then a * b + c else
    let exponent (x: f64): i32 =
      let field (x: f64) = i32.u64 ((to_bits x >> 52) & 0x7ff) - 1023
      in if abs x < 0x1.0p-1022 then field (x * 0x1.0p64) - 64 else field x
    let halves (x: f64): (f64, f64) =
      let high = from_bits (to_bits x & !0x7ffffff)
      in (high, x - high)
    let scale = exponent a + exponent b
    -- Beyond 120 binary places the smaller term is felt only by not being zero.
    let apart = exponent c - scale
    let near = i32.max (-120) (i32.min 120 apart)
    let scale = if apart > near then scale + apart - near else scale
    let (a, b) = (ldexp a (-exponent a), ldexp b (-exponent b))
    let c = ldexp c (near - exponent c)
    let product = a * b
    let ((a_high, a_low), (b_high, b_low)) = (halves a, halves b)
    let lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    let (sum, lost_by_sum) = numerics.sum_and_rest product c
    let rest = numerics.sum_to_odd lost_by_sum lost
    in if sum + rest == 0 then ldexp (sum + rest) scale
       else if exponent (sum + rest) + scale < -1022 then ldexp (numerics.sum_to_odd sum rest) scale
       else ldexp (sum + rest) scale

  -- | The gamma function: `gamma (x + 1)` is `x * gamma x`. Stirling's series is exact enough from
  -- 10 on; arguments below are moved there, negative ones by way of the reflection.
  def gamma (x: f64): f64 =
    if x == 0 then 1 / x
    else if x < 0 && x == floor x then nan
    else if x < -190 then 0
    else if x > 180 then x * inf
    else
      let (y, divisor) = numerics.ten_or_more (if x < 0.5 then 1 - x else x)
      -- The power overflows before the result does.
      let root = y ** (y / 2 - 0.25)
      let whole = 2.5066282746310002 * root * (exp (numerics.stirling y - y) * root) / divisor
      in if x < 0.5 then pi / (sinpi x * whole) else whole
  -- | The natural logarithm of the magnitude of `gamma x`.
  def lgamma (x: f64): f64 =
    if isinf x || (x <= 0 && x == floor x) then inf
    else
      let (y, divisor) = numerics.ten_or_more (if x < 0.5 then 1 - x else x)
      let whole = ((y - 0.5) * log y - y) + 0.91893853320467274 + numerics.stirling y - log divisor
      in if x < 0.5 then log (pi / abs (sinpi x)) - whole else whole
  -- | The error function.
  def erf (x: f64): f64 =
    if abs x < 2 then numerics.erf_series x
    else if isnan x then x
    else copysign (1 - numerics.erfc_fraction (abs x)) x
  -- | `1 - erf x`, without cancellation where `erf x` is near 1.
  def erfc (x: f64): f64 =
    if abs x < 2 then 1 - numerics.erf_series x
    else if isnan x then x
    else if x < 0 then 2 - numerics.erfc_fraction (-x)
    else numerics.erfc_fraction x

  -- | The sum of the elements.
  def sum [n] (xs: [n]f64): f64 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]f64): f64 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]f64): f64 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]f64): f64 = reduce_comm min highest xs

  -- Conversions. They come late, because they have the names of the modules used above.
  #[intrinsic(convert)] def i8 (x: i8): f64 = ???
  #[intrinsic(convert)] def i16 (x: i16): f64 = ???
  #[intrinsic(convert)] def i32 (x: i32): f64 = ???
  #[intrinsic(convert)] def i64 (x: i64): f64 = ???
  #[intrinsic(convert)] def u8 (x: u8): f64 = ???
  #[intrinsic(convert)] def u16 (x: u16): f64 = ???
  #[intrinsic(convert)] def u32 (x: u32): f64 = ???
  #[intrinsic(convert)] def u64 (x: u64): f64 = ???
  #[intrinsic(convert)] def f16 (x: f16): f64 = ???
  #[intrinsic(convert)] def f32 (x: f32): f64 = ???
  #[intrinsic(convert)] def f64 (x: f64): f64 = ???
  #[intrinsic(convert)] def bool (x: bool): f64 = ???
  #[intrinsic(convert)] def to_i64 (x: f64): i64 = ???
  #[intrinsic(convert)] def to_f64 (x: f64): f64 = ???
  -- | The quotient of two integers.
  def from_fraction (a: i64) (b: i64): f64 = i64 a / i64 b

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: f64) (y: f64): f64 = ???
  #[intrinsic(sub)] def (-) (x: f64) (y: f64): f64 = ???
  #[intrinsic(mul)] def (*) (x: f64) (y: f64): f64 = ???
  #[intrinsic(div)] def (/) (x: f64) (y: f64): f64 = ???
  #[intrinsic(mod)] def (%) (x: f64) (y: f64): f64 = ???
  #[intrinsic(pow)] def (**) (x: f64) (y: f64): f64 = ???
  #[intrinsic(eq)] def (==) (x: f64) (y: f64): bool = ???
  #[intrinsic(ne)] def (!=) (x: f64) (y: f64): bool = ???
  #[intrinsic(lt)] def (<) (x: f64) (y: f64): bool = ???
  #[intrinsic(le)] def (<=) (x: f64) (y: f64): bool = ???
  def (>) (x: f64) (y: f64): bool = y < x
  def (>=) (x: f64) (y: f64): bool = y <= x
}

-- | Floating-point numbers of 32 bits (IEEE 754).
module f32 = {
  #[intrinsic(neg)] def neg (x: f32): f32 = ???
  #[intrinsic(abs)] def abs (x: f32): f32 = ???
  -- | -1, 0 or 1: the sign.
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

  -- | The square root.
  #[intrinsic(sqrt)] def sqrt (x: f32): f32 = ???
  -- | The cube root.
  #[intrinsic(cbrt)] def cbrt (x: f32): f32 = ???
  -- | e to this power.
  #[intrinsic(exp)] def exp (x: f32): f32 = ???
  -- | The natural logarithm.
  #[intrinsic(log)] def log (x: f32): f32 = ???
  -- | The logarithm to base 2.
  #[intrinsic(log2)] def log2 (x: f32): f32 = ???
  -- | The logarithm to base 10.
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
  -- | How many bits a number has.
  def num_bits: i32 = 32
  -- | The bit of the representation at a position, counted from the least one.
  def get_bit (bit: i32) (x: f32): i32 = u32.get_bit bit (to_bits x)
  -- | The number with the bit of the representation at a position replaced.
  def set_bit (bit: i32) (x: f32) (b: i32): f32 = from_bits (u32.set_bit bit (to_bits x) b)
  -- | The number next to `x` in the direction of `y`.
  def nextafter (x: f32) (y: f32): f32 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  -- | `x` times two to the power of `n`, rounded once: steps downwards leave a margin of as many
  -- bits as a number has, lest a number that becomes subnormal on the way be rounded there.
  def ldexp (x: f32) (n: i32): f32 =
    let power (n: i32): f32 = from_bits (u32.i32 (n + 127) << 23)
    let n = i32.max (-508) (i32.min 508 n)
    let (x, n) = loop (x, n) = (x, n) while n > 127 do (x * power 127, n - 127)
    let (x, n) = loop (x, n) = (x, n) while n < -126 do (x * power (-102), n + 102)
    in x * power n

  -- | The natural logarithm of `1 + x`, also where that is next to 1: what the sum lost is added.
  def log1p (x: f32): f32 =
    let sum = 1 + x
    let lost = if isinf sum then 0 else (x - (sum - 1)) / sum
    in if x == 0 || x == -1 then log sum + x + copysign 0 x else log sum + lost
  -- | The sine of `pi * x`.
  def sinpi (x: f32): f32 =
    let rest = x - 2 * round (x / 2)
    in sin (pi * (if abs rest > 0.5 then copysign 1 rest - rest else rest))
  -- | The cosine of `pi * x`.
  def cospi (x: f32): f32 = sin (pi * (0.5 - abs (x - 2 * round (x / 2))))
  -- | The tangent of `pi * x`.
  def tanpi (x: f32): f32 = sinpi x / cospi x
  -- | `asin x / pi`.
  def asinpi (x: f32): f32 = asin x / pi
  -- | `acos x / pi`.
  def acospi (x: f32): f32 = acos x / pi
  -- | `atan x / pi`.
  def atanpi (x: f32): f32 = atan x / pi
  -- | `atan2 y x / pi`.
  def atan2pi (y: f32) (x: f32): f32 = atan2 y x / pi
  -- | `a * b + c`, rounded once: the product is exact in 64 bits, and a sum that is not is made odd,
  -- which no later rounding takes for a tie.
  def fma (a: f32) (b: f32) (c: f32): f32 =
    numerics.single (numerics.sum_to_odd (f64.f32 a * f64.f32 b) (f64.f32 c))
  -- | The gamma function: `gamma (x + 1)` is `x * gamma x`.
  def gamma (x: f32): f32 = numerics.single (f64.gamma (f64.f32 x))
  -- | The natural logarithm of the magnitude of `gamma x`.
  def lgamma (x: f32): f32 = numerics.single (f64.lgamma (f64.f32 x))
  -- | The error function.
  def erf (x: f32): f32 = numerics.single (f64.erf (f64.f32 x))
  -- | `1 - erf x`, without cancellation where `erf x` is near 1.
  def erfc (x: f32): f32 = numerics.single (f64.erfc (f64.f32 x))

  -- | The sum of the elements.
  def sum [n] (xs: [n]f32): f32 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]f32): f32 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]f32): f32 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]f32): f32 = reduce_comm min highest xs

  -- Conversions. They come late, because they have the names of the modules used above.
  #[intrinsic(convert)] def i8 (x: i8): f32 = ???
  #[intrinsic(convert)] def i16 (x: i16): f32 = ???
  #[intrinsic(convert)] def i32 (x: i32): f32 = ???
  #[intrinsic(convert)] def i64 (x: i64): f32 = ???
  #[intrinsic(convert)] def u8 (x: u8): f32 = ???
  #[intrinsic(convert)] def u16 (x: u16): f32 = ???
  #[intrinsic(convert)] def u32 (x: u32): f32 = ???
  #[intrinsic(convert)] def u64 (x: u64): f32 = ???
  #[intrinsic(convert)] def f16 (x: f16): f32 = ???
  #[intrinsic(convert)] def f32 (x: f32): f32 = ???
  #[intrinsic(convert)] def f64 (x: f64): f32 = ???
  #[intrinsic(convert)] def bool (x: bool): f32 = ???
  #[intrinsic(convert)] def to_i64 (x: f32): i64 = ???
  #[intrinsic(convert)] def to_f64 (x: f32): f64 = ???
  -- | The quotient of two integers.
  def from_fraction (a: i64) (b: i64): f32 = i64 a / i64 b

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: f32) (y: f32): f32 = ???
  #[intrinsic(sub)] def (-) (x: f32) (y: f32): f32 = ???
  #[intrinsic(mul)] def (*) (x: f32) (y: f32): f32 = ???
  #[intrinsic(div)] def (/) (x: f32) (y: f32): f32 = ???
  #[intrinsic(mod)] def (%) (x: f32) (y: f32): f32 = ???
  #[intrinsic(pow)] def (**) (x: f32) (y: f32): f32 = ???
  #[intrinsic(eq)] def (==) (x: f32) (y: f32): bool = ???
  #[intrinsic(ne)] def (!=) (x: f32) (y: f32): bool = ???
  #[intrinsic(lt)] def (<) (x: f32) (y: f32): bool = ???
  #[intrinsic(le)] def (<=) (x: f32) (y: f32): bool = ???
  def (>) (x: f32) (y: f32): bool = y < x
  def (>=) (x: f32) (y: f32): bool = y <= x
}

-- | Floating-point numbers of 16 bits (IEEE 754). Each operation
-- computes in 32 bits and rounds the result.
module f16 = {
  #[intrinsic(neg)] def neg (x: f16): f16 = ???
  #[intrinsic(abs)] def abs (x: f16): f16 = ???
  -- | -1, 0 or 1: the sign.
  #[intrinsic(sgn)] def sgn (x: f16): f16 = ???
  #[intrinsic(min)] def min (x: f16) (y: f16): f16 = ???
  #[intrinsic(max)] def max (x: f16) (y: f16): f16 = ???

  -- | Infinity.
  def inf: f16 = 1 / 0
  -- | Not a number.
  def nan: f16 = 0 / 0
  -- | The number above which there is none: infinity.
  def highest: f16 = inf
  -- | The number below which there is none: minus infinity.
  def lowest: f16 = -inf
  -- | The distance from 1 to the next larger number.
  def epsilon: f16 = 9.765625e-4
  -- | The circumference of a circle of diameter 1.
  def pi: f16 = 3.141592653589793
  -- | The base of the natural logarithm.
  def e: f16 = 2.718281828459045

  -- | The square root.
  #[intrinsic(sqrt)] def sqrt (x: f16): f16 = ???
  -- | The cube root.
  #[intrinsic(cbrt)] def cbrt (x: f16): f16 = ???
  -- | e to this power.
  #[intrinsic(exp)] def exp (x: f16): f16 = ???
  -- | The natural logarithm.
  #[intrinsic(log)] def log (x: f16): f16 = ???
  -- | The logarithm to base 2.
  #[intrinsic(log2)] def log2 (x: f16): f16 = ???
  -- | The logarithm to base 10.
  #[intrinsic(log10)] def log10 (x: f16): f16 = ???
  #[intrinsic(sin)] def sin (x: f16): f16 = ???
  #[intrinsic(cos)] def cos (x: f16): f16 = ???
  #[intrinsic(tan)] def tan (x: f16): f16 = ???
  #[intrinsic(asin)] def asin (x: f16): f16 = ???
  #[intrinsic(acos)] def acos (x: f16): f16 = ???
  #[intrinsic(atan)] def atan (x: f16): f16 = ???
  #[intrinsic(sinh)] def sinh (x: f16): f16 = ???
  #[intrinsic(cosh)] def cosh (x: f16): f16 = ???
  #[intrinsic(tanh)] def tanh (x: f16): f16 = ???
  #[intrinsic(asinh)] def asinh (x: f16): f16 = ???
  #[intrinsic(acosh)] def acosh (x: f16): f16 = ???
  #[intrinsic(atanh)] def atanh (x: f16): f16 = ???
  -- | The angle of the point `(x, y)`, in radians.
  #[intrinsic(atan2)] def atan2 (y: f16) (x: f16): f16 = ???
  -- | The distance of the point `(x, y)` from the origin.
  #[intrinsic(hypot)] def hypot (x: f16) (y: f16): f16 = ???
  -- | The first with the sign of the second.
  #[intrinsic(copysign)] def copysign (x: f16) (y: f16): f16 = ???
  -- | The reciprocal.
  def recip (x: f16): f16 = 1 / x
  -- | The reciprocal of the square root.
  def rsqrt (x: f16): f16 = 1 / sqrt x
  -- | Two to this power.
  def exp2 (x: f16): f16 = 2 ** x
  -- | Ten to this power.
  def exp10 (x: f16): f16 = 10 ** x
  -- | `a * b + c`, rounded once or twice.
  def mad (a: f16) (b: f16) (c: f16): f16 = a * b + c
  -- | The point at `t` on the line that is `v0` at 0 and `v1` at 1.
  def lerp (v0: f16) (v1: f16) (t: f16): f16 = v0 + (v1 - v0) * t

  -- | To an integral number, towards plus infinity.
  #[intrinsic(ceil)] def ceil (x: f16): f16 = ???
  -- | To an integral number, towards minus infinity.
  #[intrinsic(floor)] def floor (x: f16): f16 = ???
  -- | To an integral number, towards zero.
  #[intrinsic(trunc)] def trunc (x: f16): f16 = ???
  -- | To the nearest integral number, of two equally near ones the even.
  #[intrinsic(round)] def round (x: f16): f16 = ???
  -- | Is it not a number?
  #[intrinsic(isnan)] def isnan (x: f16): bool = ???
  -- | Is it infinity or minus infinity?
  #[intrinsic(isinf)] def isinf (x: f16): bool = ???

  -- | The bits of its representation.
  #[intrinsic(to_bits)] def to_bits (x: f16): u16 = ???
  -- | The number with these bits.
  #[intrinsic(from_bits)] def from_bits (x: u16): f16 = ???
  -- | How many bits a number has.
  def num_bits: i32 = 16
  -- | The bit of the representation at a position, counted from the least one.
  def get_bit (bit: i32) (x: f16): i32 = u16.get_bit bit (to_bits x)
  -- | The number with the bit of the representation at a position replaced.
  def set_bit (bit: i32) (x: f16) (b: i32): f16 = from_bits (u16.set_bit bit (to_bits x) b)
  -- | The number next to `x` in the direction of `y`.
  def nextafter (x: f16) (y: f16): f16 =
    if isnan x || isnan y then nan
    else if x == y then y
    else if x == 0 then copysign (from_bits 1) y
    else from_bits (if (x < y) == (x > 0) then to_bits x + 1 else to_bits x - 1)
  -- | `x` times two to the power of `n`, rounded once.
  def ldexp (x: f16) (n: i32): f16 = numerics.half (f32.ldexp (f32.f16 x) n)

  -- | The natural logarithm of `1 + x`.
  def log1p (x: f16): f16 = numerics.half (f32.log1p (f32.f16 x))
  -- | The sine of `pi * x`.
  def sinpi (x: f16): f16 = numerics.half (f32.sinpi (f32.f16 x))
  -- | The cosine of `pi * x`.
  def cospi (x: f16): f16 = numerics.half (f32.cospi (f32.f16 x))
  -- | The tangent of `pi * x`.
  def tanpi (x: f16): f16 = numerics.half (f32.tanpi (f32.f16 x))
  -- | `asin x / pi`.
  def asinpi (x: f16): f16 = numerics.half (f32.asinpi (f32.f16 x))
  -- | `acos x / pi`.
  def acospi (x: f16): f16 = numerics.half (f32.acospi (f32.f16 x))
  -- | `atan x / pi`.
  def atanpi (x: f16): f16 = numerics.half (f32.atanpi (f32.f16 x))
  -- | `atan2 y x / pi`.
  def atan2pi (y: f16) (x: f16): f16 = numerics.half (f32.atan2pi (f32.f16 y) (f32.f16 x))
  -- | `a * b + c`, rounded once. In 64 bits nothing is rounded that could decide.
  def fma (a: f16) (b: f16) (c: f16): f16 =
    numerics.half_of_double (f64.fma (f64.f16 a) (f64.f16 b) (f64.f16 c))
  -- | The gamma function: `gamma (x + 1)` is `x * gamma x`.
  def gamma (x: f16): f16 = numerics.half (f32.gamma (f32.f16 x))
  -- | The natural logarithm of the magnitude of `gamma x`.
  def lgamma (x: f16): f16 = numerics.half (f32.lgamma (f32.f16 x))
  -- | The error function.
  def erf (x: f16): f16 = numerics.half (f32.erf (f32.f16 x))
  -- | `1 - erf x`, without cancellation where `erf x` is near 1.
  def erfc (x: f16): f16 = numerics.half (f32.erfc (f32.f16 x))

  -- | The sum of the elements.
  def sum [n] (xs: [n]f16): f16 = reduce_comm (+) 0 xs
  -- | The product of the elements.
  def product [n] (xs: [n]f16): f16 = reduce_comm (*) 1 xs
  -- | The largest element; of an empty array, `lowest`.
  def maximum [n] (xs: [n]f16): f16 = reduce_comm max lowest xs
  -- | The smallest element; of an empty array, `highest`.
  def minimum [n] (xs: [n]f16): f16 = reduce_comm min highest xs

  -- Conversions. They come late, because they have the names of the modules used above.
  #[intrinsic(convert)] def i8 (x: i8): f16 = ???
  #[intrinsic(convert)] def i16 (x: i16): f16 = ???
  #[intrinsic(convert)] def i32 (x: i32): f16 = ???
  #[intrinsic(convert)] def i64 (x: i64): f16 = ???
  #[intrinsic(convert)] def u8 (x: u8): f16 = ???
  #[intrinsic(convert)] def u16 (x: u16): f16 = ???
  #[intrinsic(convert)] def u32 (x: u32): f16 = ???
  #[intrinsic(convert)] def u64 (x: u64): f16 = ???
  #[intrinsic(convert)] def f16 (x: f16): f16 = ???
  #[intrinsic(convert)] def f32 (x: f32): f16 = ???
  #[intrinsic(convert)] def f64 (x: f64): f16 = ???
  #[intrinsic(convert)] def bool (x: bool): f16 = ???
  #[intrinsic(convert)] def to_i64 (x: f16): i64 = ???
  #[intrinsic(convert)] def to_f64 (x: f16): f64 = ???
  -- | The quotient of two integers.
  def from_fraction (a: i64) (b: i64): f16 = i64 a / i64 b

  -- The operators, as functions of the module.
  #[intrinsic(add)] def (+) (x: f16) (y: f16): f16 = ???
  #[intrinsic(sub)] def (-) (x: f16) (y: f16): f16 = ???
  #[intrinsic(mul)] def (*) (x: f16) (y: f16): f16 = ???
  #[intrinsic(div)] def (/) (x: f16) (y: f16): f16 = ???
  #[intrinsic(mod)] def (%) (x: f16) (y: f16): f16 = ???
  #[intrinsic(pow)] def (**) (x: f16) (y: f16): f16 = ???
  #[intrinsic(eq)] def (==) (x: f16) (y: f16): bool = ???
  #[intrinsic(ne)] def (!=) (x: f16) (y: f16): bool = ???
  #[intrinsic(lt)] def (<) (x: f16) (y: f16): bool = ???
  #[intrinsic(le)] def (<=) (x: f16) (y: f16): bool = ???
  def (>) (x: f16) (y: f16): bool = y < x
  def (>=) (x: f16) (y: f16): bool = y <= x
}

-- | Truth values. A number is true if it is not 0.
module bool = {
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
