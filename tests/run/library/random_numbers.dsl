import "random"

-- The published test vectors of Philox 4x32-10.
-- ==
-- entry: known
-- input { 0u32 0u32 0u32 0u32 0u32 0u32 }
-- output { 0x6627e8d5u32 0xe169c58du32 0xbc57ac4cu32 0x9b00dbd8u32 }
-- input { 0xffffffffu32 0xffffffffu32 0xffffffffu32 0xffffffffu32 0xffffffffu32 0xffffffffu32 }
-- output { 0x408f276du32 0x41c83b0eu32 0xa20bc7c6u32 0x6d5451fdu32 }
-- input { 0xa4093822u32 0x299f31d0u32 0x243f6a88u32 0x85a308d3u32 0x13198a2eu32 0x03707344u32 }
-- output { 0xd16cfe09u32 0x94fdccebu32 0x5001e420u32 0x24126ea1u32 }
entry known (k0: u32) (k1: u32) (a: u32) (b: u32) (c: u32) (d: u32): (u32, u32, u32, u32) =
  philox (k0, k1) (a, b, c, d)

-- ==
-- entry: bounds
-- input { 42u64 10000i64 } output { true true true }
entry bounds (seed: u64) (n: i64): (bool, bool, bool) =
  let k = key seed
  in ( all (\i -> let x = uniform_f64 k i in x >= 0 && x < 1) (iota n)
     , all (\i -> let x = uniform_f32 k i in x >= 0 && x < 1) (iota n)
     , all (\i -> let x = uniform_i64 k (-3) 4 i in x >= -3 && x < 4) (iota n) )

-- Mean and variance of ten thousand numbers are within four standard errors.
-- ==
-- entry: moments
-- input { 42u64 10000i64 } output { true true true true }
entry moments (seed: u64) (n: i64): (bool, bool, bool, bool) =
  let k = key seed
  let mean xs = f64.sum xs / f64.i64 n
  let near x y width = f64.abs (x - y) < width
  let us = map (uniform_f64 k) (iota n)
  let zs = map (normal_f64 k) (iota n)
  let fs = map (\i -> f64.f32 (normal_f32 k i)) (iota n)
  in ( near (mean us) 0.5 0.0116
     , near (mean zs) 0 0.04
     , near (mean (map (\z -> z * z) zs)) 1 0.057
     , near (mean (map (\z -> z * z) fs)) 1 0.057 )

-- Each of the seven numbers occurs about equally often.
-- ==
-- entry: even
-- input { 7u64 70000i64 } output { true }
entry even (seed: u64) (n: i64): bool =
  let k = key seed
  let counts = hist (+) 0i64 7 (map (uniform_i64 k 0 7) (iota n)) (replicate n 1)
  in all (\count -> i64.abs (count - 10000) < 400) counts

-- Streams within a stream differ from it and from one another.
-- ==
-- entry: splits
-- input { 1u64 } output { true }
entry splits (seed: u64): bool =
  let k = key seed
  let first j = bits (split k j) 0
  in all (\j -> first j != first (j + 1) && first j != bits k j) (iota 100)

-- The first numbers of two seeds, as other implementations of SplitMix64 give them.
-- ==
-- entry: sequence
-- input { 0u64 } output { [0xE220A8397B1DCDAFu64, 0x6E789E6AA1B965F4u64, 0x06C45D188009454Fu64] }
-- input { 1234567u64 } output { [6457827717110365317u64, 3203168211198807973u64, 9817491932198370423u64] }
entry sequence (seed: u64): []u64 = map (splitmix64 seed) (iota 3)
