-- Histograms of integers, which workgroups of a GPU combine in tables: all operators, more bins than a table has, few
-- and many points, bins out of bounds, histograms of one loop, and points that fail.
-- ==
-- entry: counts
-- input { 0i64 10i64 } output { 0i32 0i32 0i32 }
-- input { 15i64 4i64 } output { 8i32 2i32 2i32 }
-- input { 16i64 4i64 } output { 9i32 3i32 2i32 }
-- input { 5000i64 1i64 } output { 1250i32 1250i32 1250i32 }
-- input { 5000i64 0i64 } output { 0i32 0i32 0i32 }
-- input { 20000i64 3072i64 } output { 19981i32 7i32 6i32 }
-- input { 20000i64 3073i64 } output { 19981i32 7i32 6i32 }
-- input { 20000i64 49152i64 } output { 19999i32 1i32 0i32 }
-- input { 20000i64 49153i64 } output { 19999i32 1i32 0i32 }
-- entry: operators
-- input { 10000i64 } output { [1i32, 2i32, 2147483647i32] [9999i32, 9997i32, 9998i32] [1024u32, 1024u32, 1024u32] [16383u32, 16383u32, 16383u32] [14095i32, 3333i32, 14858i32] }
-- entry: unsigned
-- input { 3000i64 } output { [4294967295u32, 4294967294u32] [2u32, 1u32] }
-- entry: on_what_is_there
-- input { [100, 200, 300] [2i64, 0, 3, 2, -1, 9223372036854775807, -9223372036854775808, 0, 0, 0, 0, 0, 0, 0, 0, 0] } output { [110, 200, 302] }
-- entry: in_a_loop
-- input { 2000i64 3i32 } output { [1200i32, 1200i32, 1200i32, 1200i32] [73i32, 73i32, 73i32, 73i32] }
-- entry: wide
-- input { 5000i64 } output { [2132871825071533018i64, 2169116540043396768i64, 2195380005071510518i64] [8211969325736445946u64, 8211974694445564696u64, 8211980063154683446u64] [-74031656566933516i64, 41248801488637584i64, -4146750409502764i64] [18446744073709551601u64, 18446744073709551602u64, 18446744073709551603u64] [8792871796736u64, 8793945538560u64, 8795019280384u64] }
-- entry: failing
-- input { 17i64 17i64 } output { [9i32, 8i32] }
-- input { 17i64 5i64 } error: Index \[16\] out of bounds
-- input { 5000i64 3000i64 } error: Index \[4999\] out of bounds

-- How many points are counted, and the most and the least that a bin has.
entry counts (n: i64) (bins: i64): (i32, i32, i32) =
  let hs = hist (+) 0i32 bins (map (\i -> i % (bins + 3) - 1) (iota n)) (replicate n 1)
  in if bins == 0 then (0, 0, 0) else (i32.sum hs, i32.maximum hs, i32.minimum hs)

entry operators (n: i64): ([3]i32, [3]i32, [3]u32, [3]u32, [3]i32) =
  let bins = map (% 3) (iota n)
  let values = map i32.i64 (iota n)
  let least = hist i32.min i32.highest 3 (map (\i -> i % 3 - 1) (iota n)) values
  let bits = map u32.i64 (iota n)
  in (least, hist i32.max i32.lowest 3 bins values, hist (&) 0xffffffffu32 3 bins (map (| 1024) bits),
      hist (|) 0 3 bins bits, hist (^) 0 3 bins values)

entry unsigned (n: i64): ([2]u32, [2]u32) =
  let values = map (\i -> u32.i64 (i + 1)) (iota n)
  in (hist u32.max 0 2 (map (% 2) (iota n)) (map (\x -> 0 - x) values),
      hist u32.min u32.highest 2 (map (\i -> (i + 1) % 2) (iota n)) values)

entry on_what_is_there [k] [n] (to: *[k]i32) (is: [n]i64): *[k]i32 =
  reduce_by_index to (+) 0 is (replicate n 1)

-- Two histograms of each iteration, with the same points.
entry in_a_loop (n: i64) (rounds: i32): ([4]i32, [4]i32) =
  loop (sums, most) = (replicate 4 0i32, replicate 4 0i32) for r < rounds do
    let bins = map (\i -> (i + i64.i32 r) % 5 - 1) (iota n)
    let values = map (\i -> i32.i64 (i * i) % 77 + r) (iota n)
    in (reduce_by_index sums (+) 0 bins (map (const 1) bins), reduce_by_index most i32.max 0 bins values)

-- Numbers of 64 bits. The sums of their low words overflow.
entry wide (n: i64): ([3]i64, [3]u64, [3]i64, [3]u64, [3]u64) =
  let bins = map (\i -> i % 4 - 1) (iota n)
  let values = map (\i -> i * i * i * 1000003 - 4000000000 * (i % 3) * (i % 2) * 1000) (iota n)
  in (hist (+) 0 3 bins values,
      hist (+) 0 3 bins (map (\i -> 0xfedcba9876543210u64 + u64.i64 i * 0xffffffff) (iota n)),
      hist (^) 0 3 bins values,
      hist (&) u64.highest 3 bins (map (\i -> 0xfffffffffffffff0u64 | u64.i64 i) (iota n)),
      hist (|) 0 3 bins (map (\i -> u64.i64 i << 30) (iota n)))

-- The points are in reverse order.
entry failing (n: i64) (k: i64): [2]i32 =
  let flags = replicate k 1i32
  in hist (+) 0 2 (map (% 2) (iota n)) (map (\i -> flags[n - 1 - i]) (iota n))
