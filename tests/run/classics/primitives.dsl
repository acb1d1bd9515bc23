-- Primitives over whole arrays: one pass each, so that memory decides their speed. The other files of this folder
-- hold loops in which arithmetic decides. `cargo xtask bench classics` compares all of them with Rust.
import "sorts"

-- ==
-- entry: saxpy
-- input { 2f32 [1f32, 2f32] [10f32, 20f32] } output { [12f32, 24f32] }
-- input { 2f32 empty([0]f32) empty([0]f32) } output { empty([0]f32) }
entry saxpy [n] (a: f32) (xs: [n]f32) (ys: [n]f32): [n]f32 =
  map2 (\x y -> a * x + y) xs ys

-- ==
-- entry: dot
-- input { [1f32, 2f32, 3f32] [4f32, 5f32, 6f32] } output { 32f32 }
-- input { empty([0]f32) empty([0]f32) } output { 0f32 }
entry dot [n] (xs: [n]f32) (ys: [n]f32): f32 =
  f32.sum (map2 (*) xs ys)

-- ==
-- entry: sum
-- input { [1f64, 2.5f64] } output { 3.5f64 }
-- input { empty([0]f64) } output { 0f64 }
entry sum [n] (xs: [n]f64): f64 =
  f64.sum xs

-- ==
-- entry: prefix_sum
-- input { [3, 1, 2] } output { [3, 4, 6] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry prefix_sum [n] (xs: [n]i32): [n]i32 =
  scan (+) 0 xs

-- ==
-- entry: row_sums
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] } output { [6f32, 15f32] }
-- input { empty([2][0]f32) } output { [0f32, 0f32] }
entry row_sums [n] [m] (rows: [n][m]f32): [n]f32 =
  map f32.sum rows

-- ==
-- entry: positive
-- input { [3, -1, 0, 2] } output { [3, 2] }
-- input { [-1] } output { empty([0]i32) }
entry positive [n] (xs: [n]i32): []i32 =
  filter (> 0) xs

-- The number of elements in each bin.
-- ==
-- entry: histogram
-- input { 3i64 [2, 0, 2, 5] } output { [1, 0, 2] }
entry histogram [n] (bins: i64) (xs: [n]i32): [bins]i32 =
  hist (+) 0 bins (map i64.i32 xs) (replicate n 1)

-- ==
-- entry: transposed
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] } output { [[1f32, 4f32], [2f32, 5f32], [3f32, 6f32]] }
entry transposed [n] [m] (rows: [n][m]f32): [m][n]f32 =
  transpose rows

-- The number of words, which spaces and line ends separate.
-- ==
-- entry: word_count
-- input { [32u8, 97u8, 98u8, 10u8, 32u8, 99u8] } output { 2i64 }
-- input { empty([0]u8) } output { 0i64 }
entry word_count [n] (text: [n]u8): i64 =
  let space (c: u8) = c == 32 || c == 10
  in i64.sum (map (\i -> i64.bool (!(space text[i]) && (i == 0 || space text[i - 1]))) (iota n))

-- ==
-- entry: radix
-- input { [3u32, 4000000000u32, 1u32] } output { [1u32, 3u32, 4000000000u32] }
entry radix [n] (xs: [n]u32): [n]u32 =
  radix_sort u32.num_bits u32.get_bit xs

-- ==
-- entry: merge
-- input { [3f64, -1f64, 2f64] } output { [-1f64, 2f64, 3f64] }
entry merge [n] (xs: [n]f64): [n]f64 =
  merge_sort (<=) xs

import "segmented"

-- The sums of segments. Flags mark their first elements.
-- ==
-- entry: segment_sums
-- input { [true, false, true, false, false] [1f32, 2f32, 3f32, 4f32, 5f32] } output { [3f32, 12f32] }
-- input { [false, true] [1f32, 2f32] } output { [1f32, 2f32] }
-- input { empty([0]bool) empty([0]f32) } output { empty([0]f32) }
entry segment_sums [n] (flags: [n]bool) (xs: [n]f32): []f32 =
  segmented_reduce (+) 0 flags xs
