import "sorts"

-- ==
-- entry: radix
-- input { [3u32, 1u32, 4294967295u32, 2u32, 1u32] } output { [1u32, 1u32, 2u32, 3u32, 4294967295u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
-- input { [7u32] } output { [7u32] }
entry radix [n] (xs: [n]u32): [n]u32 = radix_sort u32.num_bits u32.get_bit xs

-- ==
-- entry: radix_int
-- input { [3, -1, 0, -2147483648, 2147483647] } output { [-2147483648, -1, 0, 3, 2147483647] }
entry radix_int [n] (xs: [n]i32): [n]i32 = radix_sort_int i32.num_bits i32.get_bit xs

-- Equal keys keep their order.
-- ==
-- entry: by_key
-- input { [2u32, 1u32, 2u32, 1u32, 0u32] } output { [4i64, 1i64, 3i64, 0i64, 2i64] }
entry by_key [n] (keys: [n]u32): [n]i64 =
  radix_sort_by_key (\i -> keys[i]) u32.num_bits u32.get_bit (iota n)

-- ==
-- entry: int_by_key
-- input { [2, -1, 2, -1, 0] } output { [1i64, 3i64, 4i64, 0i64, 2i64] }
entry int_by_key [n] (keys: [n]i32): [n]i64 =
  radix_sort_int_by_key (\i -> keys[i]) i32.num_bits i32.get_bit (iota n)

-- ==
-- entry: merge
-- input { [5, 4, 3, 2, 1] } output { [1, 2, 3, 4, 5] }
-- input { [1, 1, 0, 1, 0, 0, 1] } output { [0, 0, 0, 1, 1, 1, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [1] } output { [1] }
entry merge [n] (xs: [n]i32): [n]i32 = merge_sort (<=) xs

-- ==
-- entry: merge_ties
-- input { [2, 1, 2, 1, 0, 2, 1, 0, 0] }
-- output { [4i64, 7i64, 8i64, 1i64, 3i64, 6i64, 0i64, 2i64, 5i64] }
entry merge_ties [n] (keys: [n]i32): [n]i64 =
  merge_sort_by_key (\i -> keys[i]) (<=) (iota n)

-- Both algorithms agree for sizes of one block, of a few blocks, and with an incomplete last block.
-- ==
-- entry: agree
-- input { 15i64 } output { true }
-- input { 16i64 } output { true }
-- input { 17i64 } output { true }
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 63i64 } output { true }
-- input { 64i64 } output { true }
-- input { 65i64 } output { true }
-- input { 129i64 } output { true }
-- input { 257i64 } output { true }
-- input { 2048i64 } output { true }
-- input { 2049i64 } output { true }
-- input { 5000i64 } output { true }
entry agree (n: i64): bool =
  let xs = map (\i -> i32.i64 ((i * 791900013) % 4000037 - 2000000)) (iota n)
  let ys = merge_sort (<=) xs
  in and (map2 (==) ys (radix_sort_int i32.num_bits i32.get_bit xs))
     && and (map (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota n))

-- ==
-- entry: floats_agree
-- input { 2048i64 } output { true }
-- input { 5000i64 } output { true }
entry floats_agree (n: i64): bool =
  let xs = map (\i -> f32.i64 ((i * 7919) % 10007 - 5000) / 7) (iota n)
  in and (map2 (==) (merge_sort (<=) xs) (radix_sort_float f32.num_bits f32.get_bit xs))

-- Both algorithms keep the order of equal keys, across blocks, parts and pieces.
-- ==
-- entry: stable
-- input { 17i64 } output { true true }
-- input { 100i64 } output { true true }
-- input { 2047i64 } output { true true }
-- input { 5000i64 } output { true true }
entry stable (n: i64): (bool, bool) =
  let key (i: i64) = u32.i64 ((i * 7919) % 13)
  let in_order (is: [n]i64) =
    let comes_before i j = key i < key j || (key i == key j && i < j)
    in and (map (\at -> at == 0 || comes_before is[at - 1] is[at]) (iota n))
  in (in_order (merge_sort_by_key key (<=) (iota n)),
      in_order (radix_sort_by_key key u32.num_bits u32.get_bit (iota n)))

-- Keys whose number of bits is not a multiple of the digit size.
-- ==
-- entry: few_bits
-- input { [5u32, 2u32, 31u32, 16u32, 0u32] } output { [0u32, 2u32, 5u32, 16u32, 31u32] }
entry few_bits [n] (xs: [n]u32): [n]u32 = radix_sort 5 u32.get_bit xs

-- Rows are sorted as elements are.
-- ==
-- entry: rows
-- input { [[2, 1], [1, 3], [2, 0], [1, 1]] } output { [[1, 1], [1, 3], [2, 0], [2, 1]] }
entry rows [n] (xss: [n][2]i32): [n][2]i32 =
  merge_sort (\a b -> a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1])) xss

-- Floats: negative zero comes before zero, infinities and NaN at the ends.
-- ==
-- entry: floats
-- input { [0.0, f64.nan, -1.5, f64.inf, -0.0, 2.0, -f64.inf] }
-- output { [-f64.inf, -1.5, -0.0, 0.0, 2.0, f64.inf, f64.nan] }
entry floats [n] (xs: [n]f64): [n]f64 =
  radix_sort_float f64.num_bits f64.get_bit xs

-- Assertions in the order fail, in blocks and in merges.
-- ==
-- entry: ordered
-- input { 20i64 5i64 } error: Assertion is false
-- input { 100i64 99i64 } error: Assertion is false
-- input { 100i64 100i64 } output { 4950i64 }
entry ordered (n: i64) (limit: i64): i64 =
  i64.sum (merge_sort (\a b -> assert (a < limit && b < limit) (a <= b)) (reverse (iota n)))

-- ==
-- entry: bits
-- input { [1u32, 9u32] } error: Index \[9\] out of bounds
entry bits [n] (xs: [n]u32): [n]u32 =
  radix_sort 4 (\bit x -> let masks = [1u32, 2, 4, 8, 1, 1, 1, 1] in u32.get_bit bit masks[i64.u32 x]) xs
