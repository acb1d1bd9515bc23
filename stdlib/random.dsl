-- | Counter-based random numbers: the number at a position is computed from the key and the position
-- alone, so every element of a parallel array can compute its own.
--
-- Philox 4x32 with ten rounds: Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as
-- 1, 2, 3, Proceedings of SC'11.

-- | A stream of random numbers; two different keys give independent streams.
type key = (u32, u32)

-- | The stream of a seed.
def key (seed: u64): key = (u32.u64 seed, u32.u64 (seed >> 32))

-- | Four random words at a position of 128 bits, the least significant word first.
def philox (key: key) (position: (u32, u32, u32, u32)): (u32, u32, u32, u32) =
  let product (a: u32) (b: u32): (u32, u32) =
    let p = u64.u32 a * u64.u32 b
    in (u32.u64 (p >> 32), u32.u64 p)
  let (words, _) =
    loop ((w0, w1, w2, w3), (k0, k1)) = (position, key) for _i < 10i32 do
      let (high0, low0) = product 0xD2511F53 w0
      let (high2, low2) = product 0xCD9E8D57 w2
      in ((high2 ^ w1 ^ k0, low2, high0 ^ w3 ^ k1, low0), (k0 + 0x9E3779B9, k1 + 0xBB67AE85))
  in words

local def words (key: key) (i: i64): (u32, u32, u32, u32) =
  let position = u64.i64 i
  in philox key (u32.u64 position, u32.u64 (position >> 32), 0, 0)

-- | The `i`-th word of 32 bits of a stream.
def bits (key: key) (i: i64): u32 = (words key i).0

-- | The `i`-th word of 64 bits of a stream.
def bits64 (key: key) (i: i64): u64 =
  let (low, high, _, _) = words key i
  in u64.u32 low | (u64.u32 high << 32)

-- | The `i`-th number of the sequence that a seed starts: SplitMix64, cheaper than `bits64`, and part
-- of many languages. Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
def splitmix64 (seed: u64) (i: i64): u64 =
  let z = seed + (u64.i64 i + 1) * 0x9E3779B97F4A7C15
  let z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
  let z = (z ^ (z >> 27)) * 0x94D049BB133111EB
  in z ^ (z >> 31)

-- | The `i`-th stream within a stream.
def split (key: key) (i: i64): key =
  let (_, _, a, b) = words key i
  in (a, b)

-- | The `i`-th number of a stream, uniform in [0, 1), a multiple of 2^-24.
def uniform_f32 (key: key) (i: i64): f32 = f32.u32 (bits key i >> 8) * 0x1.0p-24f32

-- | The `i`-th number of a stream, uniform in [0, 1), a multiple of 2^-53.
def uniform_f64 (key: key) (i: i64): f64 = f64.u64 (bits64 key i >> 11) * 0x1.0p-53f64

-- | The `i`-th number of a stream, uniform from `low` up to, but not including, `high`, which must
-- be greater. The probabilities of the values differ by at most 2^-64 times the width.
def uniform_i64 (key: key) (low: i64) (high: i64) (i: i64): i64 =
  low + i64.u64 (u64.mul_hi (bits64 key i) (u64.i64 (high - low)))

-- The method of Box and Muller: A Note on the Generation of Random Normal Deviates, The Annals of
-- Mathematical Statistics 29(2), 1958.

-- | The `i`-th number of a stream, normally distributed with mean 0 and standard deviation 1.
def normal_f64 (key: key) (i: i64): f64 =
  let (a, b, c, d) = words key i
  let unit high low = f64.u64 (((u64.u32 high << 32) | u64.u32 low) >> 11) * 0x1.0p-53f64
  in f64.sqrt (-2 * f64.log (1 - unit a b)) * f64.cos (2 * f64.pi * unit c d)

-- | As `normal_f64`, in single precision.
def normal_f32 (key: key) (i: i64): f32 =
  let (a, b, _, _) = words key i
  let unit word = f32.u32 (word >> 8) * 0x1.0p-24f32
  in f32.sqrt (-2 * f32.log (1 - unit a)) * f32.cos (2 * f32.pi * unit b)
