-- Counts of trailing zeros of many integers, which vectors compute in lanes: all positions of the lowest one, and 0.

def ns = iota 4096

-- The integer has its lowest one at position `i & 63`, or is 0 from position 32 on; upper bits vary.
def number (i: i64): u32 = u32.i64 ((i * 2654435761 | 1) << (i & 63))

def expected (i: i64): i32 = i32.i64 (i64.min 32 (i & 63))

-- ==
-- entry: unsigned signed
-- input { }
-- output { true }
entry unsigned = let counts = map (\i -> u32.ctz (number i)) ns
                 in and (map2 (==) counts (map expected ns))

entry signed = let counts = map (\i -> i32.ctz (i32.u32 (number i))) ns
               in and (map2 (==) counts (map expected ns))

-- ==
-- entry: counts
-- input { [0u32, 3, 0xffffffff, 0xfffffffe, 0xc0000000, 6, 0, 0x80000001, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
--   1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608,
--   16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824, 2147483648] }
-- output { [32, 0, 0, 1, 30, 1, 32, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
--   22, 23, 24, 25, 26, 27, 28, 29, 30, 31] }
entry counts (xs: []u32) = map u32.ctz xs
