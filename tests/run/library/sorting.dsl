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

-- Both ways agree on a thousand numbers.
-- ==
-- entry: agree
-- input { 1000i64 } output { true }
entry agree (n: i64): bool =
  let xs = map (\i -> i32.i64 ((i * 7919) % 1009 - 500)) (iota n)
  in all id (map2 (==) (merge_sort (<=) xs) (radix_sort_int i32.num_bits i32.get_bit xs))
