-- The trailing ones of an index, as Gray codes use them, in chunks whose first index is a multiple of 1,024: a chunk reads
-- the low bits of its counter alone, except where they carry into the rest. The sums are those of loops without chunks.
-- ==
-- entry: after_each
-- input { 0i64 }
-- output { true }
-- input { 1i64 }
-- output { true }
-- input { 1023i64 }
-- output { true }
-- input { 1024i64 }
-- output { true }
-- input { 1025i64 }
-- output { true }
-- input { 5000i64 }
-- output { true }

-- ==
-- entry: before_each
-- input { 1i64 }
-- output { true }
-- input { 1024i64 }
-- output { true }
-- input { 2049i64 }
-- output { true }
-- input { 9000i64 }
-- output { true }

-- ==
-- entry: of_each
-- input { 1i64 }
-- output { true }
-- input { 5000i64 }
-- output { true }

-- ==
-- entry: rows
-- input { 1i64 3i64 }
-- output { true }
-- input { 3000i64 5i64 }
-- output { true }
-- input { 4097i64 1i64 }
-- output { true }

-- ==
-- entry: missing
-- input { 1000i64 10i64 }
-- output { 248 }
-- input { 3000i64 10i64 }
-- error: Index \[10\] out of bounds for array of shape \[10\]

-- | A number for each bit.
def number (bit: i64): u32 = 0x9e3779b9 * u32.i64 (bit + 1)

def ones (i: u32): i32 = u32.ctz (!i)

-- | The numbers of a chunk differ by one number each, which the trailing ones of the index before choose.
def by_chunks (n: i64): [n]u32 =
  let chunk [k] (is: [k]i64): [k]u32 =
    let first = u32.i64 is[0]
    let start = loop x = 0 for bit < 32 do if ((first ^ (first >> 1)) >> u32.i32 bit) & 1 == 1 then x ^ number (i64.i32 bit) else x
    let numbers = map number (iota 32)
    let change (j: i64) = if j == 0 then start else numbers[i64.i32 (ones (first + u32.i64 j - 1))]
    in scan (^) 0 (map change (iota k))
  in stream_map (\k (is: [k]i64) -> chunk is) (iota n)

-- | The same without chunks.
def one_by_one (n: i64): [n]u32 =
  map (\i -> loop x = 0 for bit < 32 do if ((i ^ (i >> 1)) >> i64.i32 bit) & 1 == 1 then x ^ number (i64.i32 bit) else x) (iota n)

entry after_each (n: i64): bool = all (\(a, b) -> a == b) (zip (by_chunks n) (one_by_one n))

-- | The trailing ones of the index itself: at the end of a chunk they go on in the number of the chunk.
entry before_each (n: i64): bool =
  let chunk [k] (is: [k]i64): [k]i32 =
    let first = is[0]
    in map (\j -> i64.ctz (!(first + j))) (iota k)
  let counted = stream_map (\k (is: [k]i64) -> chunk is) (iota n)
  in all (\i -> counted[i] == (loop c = 0 while (i >> i64.i32 c) & 1 == 1 do c + 1)) (iota n)

-- | The trailing zeros of the index: at the beginning of a chunk they are those of the number of the chunk.
entry of_each (n: i64): bool =
  let chunk [k] (is: [k]i64): [k]i32 =
    let first = is[0]
    in map (\j -> i64.ctz (first + j)) (iota k)
  let counted = stream_map (\k (is: [k]i64) -> chunk is) (iota n)
  let zeros (i: i64) = if i == 0 then 64 else loop c = 0 while (i >> i64.i32 c) & 1 == 0 do c + 1
  in all (\i -> counted[i] == zeros i) (iota n)

-- | Whole rows are chosen, and combined from row to row. Row i is that of the Gray code of i + 1.
entry rows (n: i64) (d: i64): bool =
  let table = tabulate_2d 32 d (\bit at -> number (bit * 7 + at))
  let independent (i: i64): [d]u32 =
    let gray = i ^ (i >> 1)
    in loop row = replicate d 0 for bit < 32 do if (gray >> bit) & 1 == 1 then map2 (^) row table[bit] else row
  let chunk [k] (is: [k]i64): [k][d]u32 =
    let first = is[0]
    let change (i: i64) = if i == first then independent (i + 1) else table[i64.i32 (i64.ctz (!i))]
    in scan (map2 (^)) (replicate d 0) (map change is)
  let found = stream_map (\k (is: [k]i64) -> chunk is) (iota n)
  in all (\i -> and (map2 (==) found[i] (independent (i + 1)))) (iota n)

-- | A table that ends too early: only the last index of a chunk needs more.
entry missing (n: i64) (bits: i64): i32 =
  let table = map i32.i64 (iota bits)
  let chunk [k] (is: [k]i64): [k]i32 =
    let first = is[0]
    in map (\j -> table[i64.i32 (i64.ctz (!(first + j)))]) (iota k)
  in i32.sum (stream_map (\k (is: [k]i64) -> chunk is) (iota n)) / 4
