-- Reductions and scans of all sizes around those of subgroups, workgroups and tiles, with operators that commute and with one
-- that does not. A mistake in the order of the combination changes the result.

-- The composition of the functions x -> a * x + b. It does not commute.
def compose (a: u32, b: u32) (c: u32, d: u32): (u32, u32) = (a * c, b * c + d)
def function (i: i64): (u32, u32) = (u32.i64 (2 * i + 1), u32.i64 (i * i + 3))
def functions (n: i64): [n](u32, u32) = map function (iota n)

-- The composition of all functions, compared with a loop.
-- ==
-- entry: composed scanned
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 31i64 } output { true }
-- input { 33i64 } output { true }
-- input { 255i64 } output { true }
-- input { 256i64 } output { true }
-- input { 257i64 } output { true }
-- input { 1279i64 } output { true }
-- input { 1281i64 } output { true }
-- input { 65535i64 } output { true }
-- input { 65537i64 } output { true }
-- input { 131101i64 } output { true }
-- input { 200003i64 } output { true }
entry composed (n: i64): bool =
  reduce compose (1, 0) (functions n) == loop sum = (1, 0) for i < n do compose sum (function i)

-- Each scanned value, compared with the one before it.
entry scanned (n: i64): bool =
  let sums = scan compose (1, 0) (functions n)
  in and (map (\i -> sums[i] == compose (if i == 0 then (1, 0) else sums[i - 1]) (function i)) (iota n))

-- ==
-- entry: summed
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 255i64 } output { true }
-- input { 256i64 } output { true }
-- input { 257i64 } output { true }
-- input { 511i64 } output { true }
-- input { 65537i64 } output { true }
-- input { 131101i64 } output { true }
-- input { 393299i64 } output { true }
entry summed (n: i64): bool =
  i64.sum (iota n) == n * (n - 1) / 2 && i64.maximum (iota n) == (if n == 0 then i64.lowest else n - 1)

-- The sums of several scans, with offsets beyond one tile of the sums of workgroups.
-- ==
-- entry: counted
-- input { 300007i64 } output { true }
-- input { 599999i64 } output { true }
entry counted (n: i64): bool =
  let sums = scan (+) 0 (map (% 3) (iota n))
  in and (map (\i -> sums[i] == i / 3 * 3 + (if i % 3 == 2 then 3 else i % 3)) (iota n))

-- Of all points that fail, the first one is reported.
-- ==
-- entry: first_of_sum first_of_composition first_of_scan
-- input { 200003i64 } error: 131101
-- input { 131103i64 } error: 131101
-- input { 131101i64 } output { true }
entry first_of_sum (n: i64): bool =
  let limits = replicate (i64.min n 131101) 0
  in i64.sum (map (\i -> limits[i] + i) (iota n)) > 0
entry first_of_composition (n: i64): bool =
  let limits = replicate (i64.min n 131101) 0
  in (reduce compose (1, 0) (map (\i -> function (limits[i] + i)) (iota n))).0 > 0
entry first_of_scan (n: i64): bool =
  let limits = replicate (i64.min n 131101) 0
  in (last (scan compose (1, 0) (map (\i -> function (limits[i] + i)) (iota n)))).0 > 0

-- An operator that fails.
-- ==
-- entry: careful_sum careful_scan
-- input { 1000i64 } output { true }
-- input { 100000i64 } error: Assertion is false
def careful (a: i64) (b: i64): i64 = assert (a + b < 1000000) (a + b)
entry careful_sum (n: i64): bool = reduce careful 0 (iota n) > 0
entry careful_scan (n: i64): bool = last (scan careful 0 (iota n)) > 0
