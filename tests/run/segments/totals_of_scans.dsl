-- | Scans beside reductions of the same values: the last scanned value is the total.

-- ==
-- entry: sums
-- input { empty([0]i32) } output { empty([0]i32) 0i32 }
-- input { [5] } output { [5] 5 }
-- input { [3, -1, 4] } output { [3, 2, 6] 6 }
entry sums [n] (xs: [n]i32): ([n]i32, i32) = (scan (+) 0 xs, i32.sum xs)

-- ==
-- entry: all_and_greatest
-- input { empty([0]bool) empty([0]i64) } output { true -9223372036854775808i64 empty([0]bool) empty([0]i64) }
-- input { [true, false, true] [2i64, 7i64, 3i64] } output { false 7i64 [true, false, false] [2i64, 7i64, 7i64] }
entry all_and_greatest [n] (bs: [n]bool) (is: [n]i64): (bool, i64, [n]bool, [n]i64) =
  (and bs, i64.maximum is, scan (&&) true bs, scan i64.max i64.lowest is)

-- | Sums of floats, which a scan and a reduction may combine in different orders.
-- ==
-- entry: floats
-- input { [0.5, 0.25] } output { [0.5, 0.75] 0.75 }
entry floats [n] (xs: [n]f64): ([n]f64, f64) = (scan (+) 0 xs, f64.sum xs)

-- | Sums of other values.
-- ==
-- entry: others
-- input { [4, 2, 3] [9, 1, 5] } output { [4, 6, 9] 15 12 }
entry others [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, i32, i32) =
  (scan (+) 0 xs, i32.sum ys, i32.sum (map (+ 1) xs))

-- | All of these many numbers, and the multiples of three among them.
-- ==
-- entry: many
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 4097i64 } output { true }
-- input { 70001i64 } output { true }
entry many (n: i64): bool =
  let number (i: i64) = (i * 7919) % 101 - 50
  let xs = map number (iota n)
  let ps = scan (+) 0 xs
  let total = i64.sum xs
  let multiples = filter (\x -> x % 3 == 0) xs
  let (sum, count) = loop (s, c) = (0, 0) for i < n do (s + number i, if number i % 3 == 0 then c + 1 else c)
  in total == sum && length multiples == count && (n == 0 || ps[n - 1] == total)
