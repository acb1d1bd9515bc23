-- The arrays of a loop are allocated once, before it. A check that comes before the array in the loop still fails first,
-- before the lack of memory.
-- ==
-- entry: negative
-- input { 4i64 3i64 } output { 30i64 }
-- input { -1i64 0i64 } output { 0i64 }
-- input { -1i64 3i64 } error: Assertion is false: \(k >= 0\)

-- ==
-- entry: huge
-- input { 4i64 3i64 5i64 } output { 30i64 }
-- input { 900000000000000i64 3i64 5i64 } error: Assertion is false: \(k <= most\)

-- ==
-- entry: nested
-- input { 10i64 3i64 } output { 220i64 }
-- input { -1i64 3i64 } error: Assertion is false: \(0 <= k && k < 1000\)
-- input { 900000000000000i64 3i64 } error: Assertion is false: \(0 <= k && k < 1000\)

-- ==
-- entry: whiled
-- input { 90i64 3i64 } output { 12285i64 }
-- input { 900000000000000i64 3i64 } error: Assertion is false: \(k < 100\)

-- ==
-- entry: in_threads
-- input { 4i64 3i64 } output { [30i64, 31i64, 32i64] }
-- input { -4i64 0i64 } output { [0i64, 1i64, 2i64] }
-- input { -1i64 3i64 } error: Assertion is false: \(k >= 0\)

-- A check that varies between iterations, in its first iteration.
-- ==
-- entry: of_the_index of_a_sum of_a_position of_arrays
-- input { 4i64 3i64 2i64 } error: Assertion is false|out of bounds
-- input { 900000000000000i64 3i64 2i64 } error: Assertion is false|out of bounds
-- input { 4i64 3i64 0i64 } output { 30i64 }
-- input { -1i64 0i64 2i64 } output { 0i64 }

entry negative (k: i64) (n: i64): i64 = loop s = 0 for i < n do s + assert (k >= 0) (i64.sum (scan (+) 0 (replicate k 1)))

entry huge (k: i64) (n: i64) (most: i64): i64 = loop s = 0 for i < n do s + assert (k <= most) (i64.sum (scan (+) 0 (replicate k 1)))

entry nested (k: i64) (n: i64): i64 = loop s = 0 for i < n do loop t = s for j < i + 1 do t + assert (0 <= k && k < 1000) (i64.sum (scan (+) 0 (replicate k j)))

entry whiled (k: i64) (n: i64): i64 = (loop (s, i) = (0, 0) while i < n do (s + assert (k < 100) (i64.sum (scan (+) 0 (replicate k 1))), i + 1)).0

entry in_threads (k: i64) (n: i64): [3]i64 = map (\x -> loop s = x for i < n do s + assert (k >= 0) (i64.sum (scan (+) 0 (replicate k i)))) (iota 3)

def sums (k: i64) (n: i64): i64 = i64.sum (scan (+) 0 (replicate k n))

entry of_the_index (k: i64) (n: i64) (p: i64): i64 = loop s = 0 for i < n do s + assert (i >= p) (sums k 1)

entry of_a_sum (k: i64) (n: i64) (p: i64): i64 = loop s = 0 for _i < n do s + assert (s * 2 >= p) (sums k 1)

entry of_a_position (k: i64) (n: i64) (p: i64): i64 =
  let ones = replicate (n + 1) 1
  in loop s = 0 for i < n do let one = ones[i - p] in s + one * sums k one

entry of_arrays (k: i64) (n: i64) (p: i64): i64 =
  (loop (s, xs) = (0, replicate 1 1) for i < n do
     let ones = assert (i >= p) (replicate k 1)
     let ys = scan (+) 0 ones
     in (s + i64.sum ys + 0 * length xs, ys)).0

-- Code without a check of its own: its sizes are constants, or sizes of arguments.
-- ==
-- entry: of_constants of_rows of_loops in_the_loops_of_threads
-- input { [1i64, 2i64] 2i64 } output { 4i64 }
-- input { [1i64, 2i64] 3i64 } error: Assertion is false: \(n == most

def enormous: i64 = 1000000000000000

entry of_constants [n] (xs: [n]i64) (most: i64): i64 =
  if most == 2 then 2 * xs[1] else assert (n == most) (i64.sum (scan (+) 0 (replicate enormous xs[0])))

entry of_rows [n] (xs: [n]i64) (most: i64): i64 =
  let k = if most == 2 then 1 else enormous
  in k * assert (n == most) (i64.sum (map last (map (\x -> scan (+) 1 (replicate enormous x)) xs[0:1 - k % 2])) + 4)

entry of_loops [n] (xs: [n]i64) (most: i64): i64 =
  let k = if most == 2 then 2 else enormous
  in assert (n == most) (loop s = 0 for j < k do s * 2 + xs[j % n])

entry in_the_loops_of_threads [n] (xs: [n]i64) (most: i64): i64 =
  let k = if most == 2 then 2 else enormous
  in i64.sum (map (\x -> assert (n == most) (loop s = 0 for j < k do s * 3 + x)) xs) - 8
