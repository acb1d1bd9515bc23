-- Loops with a number of rounds for each point: those whose loop is over keep their values.

-- ==
-- entry: histories
-- input { [3i64, 0, 5, 200, 100, 56, 1, 9, 0] [1i64, 2, 3, 4, 5, 6, 7, 0, 3] }
-- output { [61i64, 0i64, 6510i64, 201685i64, 108769i64, 61639i64, 2961i64, 36i64, 0i64] }
-- input { [3i64, 4] [0i64, 0] }
-- output { [3i64, 6i64] }
entry histories [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let xs = map (+ t) (iota w)
    let (xs, past) = loop (xs, past) = (xs, replicate t 0) for i < t do
      let s = i64.sum xs
      let ys = scan (+) 0 xs
      let xs = map2 (\x y -> (x + y + s + (if i > 0 then past[i - 1] else 7)) % 1000) xs ys
      in (xs, past with [i] = s)
    in i64.sum xs + (loop a = 0 for i < t do a * 31 % 10007 + past[i])) ws ts

-- A loop in a loop, two loops one after the other, and a loop that swaps its arrays.

-- ==
-- entry: nested
-- input { [3i64, 0, 5, 20] [1i64, 2, 3, 4] }
-- output { [3006i64, 0i64, 292570i64, 1962959i64] }
entry nested [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let xs = map (* t) (iota w)
    let xs =
      loop xs for i < t do
        let xs = loop xs for j < i % 3 do map (\x -> (x * 3 + j) % 101) xs
        in map (+ i) xs
    let (xs, ys) = loop (xs, ys) = (xs, map (% 5) xs) for _i < t do (ys, map2 (+) xs ys)
    in i64.sum xs * 1000 + i64.sum ys) ws ts

-- Loops that run while a condition holds, which needs the lanes.

-- ==
-- entry: sorted
-- input { [5i64, 0, 1, 30, 2] [3i64, 1, 4, 1, 5] }
-- output { [5i64, 0i64, 0i64, 29i64, 1i64] [370i64, 0i64, 0i64, 13791i64, 49i64] }
entry sorted [n] (ws: [n]i64) (seeds: [n]i64): [n](i64, i64) =
  let is_sorted [k] (xs: [k]i64) = and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota k))
  let swap [k] (from: i64) (xs: [k]i64): [k]i64 =
    map (\i ->
      let first = i % 2 == from % 2
      in if first then (if i + 1 < k then i64.min xs[i] xs[i + 1] else xs[i])
         else (if i > 0 then i64.max xs[i - 1] xs[i] else xs[i])) (iota k)
  in #[flattening(bins)] map2 (\w seed ->
    let xs = map (\i -> (i * 17 + seed) * 31 % 53) (iota w)
    let (xs, rounds) = loop (xs, rounds) = (xs, 0) while !(is_sorted xs) do (swap rounds xs, rounds + 1)
    in (rounds, i64.sum (map2 (*) xs (iota w)))) ws seeds

-- Updates of arrays of the width, and branches around inner constructs.

-- ==
-- entry: updated
-- input { [5i64, 1, 3, 30, 2] [3i64, 1, 4, 0, 5] }
-- output { [20i64, 1i64, 25i64, 440i64, 19i64] }
entry updated [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let xs = loop xs = replicate w t for i < t do xs with [i % w] = i + xs[(i + 1) % w]
    let (ys, s) =
      if t % 2 == 0 then (map (+ 1) xs, 5)
      else let m = i64.maximum xs in (map (\x -> m - x) xs, m)
    in s + i64.sum (map2 (*) ys (iota w))) ws ts

-- Results of an iteration that come from a loop or a branch inside, that exchange, or that are the same.

-- ==
-- entry: passed
-- input { [5i64, 1, 3, 30, 2] [3i64, 1, 4, 0, 7] }
-- output { [33223i64, 8i64, 7592i64, 855539i64, 22452i64] }
entry passed [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let xs = map (* (t + 1)) (iota w)
    let (xs, ys, a, b, _) =
      loop (xs, ys, a, b, c) = (xs, map (% 3) xs, 1, 2, 3) for i < t do
        let zs = loop zs = xs for _j < i % 3 do map2 (+) zs ys
        let us = if i % 2 == 0 then map (+ a) ys else map (* 3) ys
        let d = i64.sum us % 97
        in (zs, us, d, d, b + c)
    let (ps, qs) = loop (ps, qs) = (xs, ys) for _i < t do (qs, ps)
    in i64.sum (map2 (*) ps (iota w)) % 10007 * 100 + i64.sum qs % 100 + a * 7 + b) ws ts

-- Arrays that an iteration updates before it maps them, in loops inside and outside, and rows that do not fit the memory of a
-- workgroup.

-- ==
-- entry: rewritten
-- input { [5i64, 2, 3, 30, 2] [3i64, 1, 4, 0, 7] 5i64 }
-- output { [2382i64, 6i64, 672i64, 8555i64, 312i64] }
-- input { [5i64, 2, 3, 30, 2] [3i64, 1, 4, 0, 7] 5000i64 }
-- output { [2382i64, 6i64, 672i64, 8555i64, 312i64] }
entry rewritten [n] (ws: [n]i64) (ts: [n]i64) (m: i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let rows = t * m
    let xs =
      loop xs = iota w for i < t do
        let xs = xs with [i % w] = 50 - i
        let xs = loop xs for j < (i + t) % 3 do let xs = xs with [j % w] = xs[(j + 1) % w] + j in map (* 3) xs
        in map (\x -> (x + i) % 1009) xs
    let past = loop past = replicate rows 1 for i < i64.min t rows do past with [rows - 1 - i] = xs[i % w]
    in i64.sum (map2 (*) xs (iota w)) + (if rows > 0 then past[rows - 1] else 0)) ws ts

-- ==
-- entry: sides
-- input { [5i64, 2, 3, 30, 2] [3i64, 1, 4, 0, 7] }
-- output { [94i64, 7i64, 20i64, 0i64, 7i64] }
entry sides [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let xs = map (* t) (iota w)
    let xs = if t % 2 == 0 then xs with [0] = i64.sum xs else xs with [1] = 7
    in i64.sum (map2 (*) xs (iota w))) ws ts


-- Few arrays of the width, and long rows.

-- ==
-- entry: tall
-- input { [5i64, 2, 1, 30, 2] 5000i64 }
-- output { [47i32, 3i32, 1i32, 9397i32, 3i32] }
entry tall [n] (ws: [n]i64) (m: i64): [n]i32 =
  #[flattening(bins)] map (\w ->
    let length = w * m
    let xs = map (\k -> i32.i64 (k * k)) (iota w)
    let past = loop past = replicate length 1i32 for i < w do past with [length - 1 - i] = xs[i]
    in past[length - w] + past[0] + i32.sum xs) ws

-- An array of the outer loop, with which loops inside loops begin.

-- ==
-- entry: borrowed
-- input { [5i64, 2, 3, 30, 2] [3i64, 1, 4, 0, 7] }
-- output { [12408i64, 1i64, 4733i64, 0i64, 1195i64] }
entry borrowed [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    let (xs, s) =
      loop (xs, s) = (map (* t) (iota w), 0) for i < t do
        let s =
          loop s for j < i do
            let ys = loop ys = xs for k < (t + j) % 3 do let u = i64.sum ys in map (\y -> (y * 3 + k + u) % 101) ys
            in (s * 31 + i64.sum ys) % 10007
        in (map (\x -> (x + s) % 997) xs, s)
    in i64.sum (map2 (*) xs (iota w)) + s) ws ts

-- Branches that update arrays: one side exchanges neighbours, both sides write, or one side makes another array.

-- ==
-- entry: branches_that_update
-- input { [5i64, 0, 8, 3, 1] [3i64, 2, 4, 0, 5] }
-- output { [7889082i64, 0i64, 13905203i64, 25017i64, 0i64] }
entry branches_that_update [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w k ->
    let values = map (\i -> (i * 7 + k) % 11) (iota w)
    let sorted =
      loop values for i < w do
        loop values for j < w - 1 - i do
          if values[j] > values[j + 1]
          then let (a, b) = (values[j], values[j + 1]) in values with [j] = b with [j + 1] = a
          else values
    let counts = replicate k 0i64
    let (counts, marked) =
      loop (counts, marked) = (counts, copy sorted) for i < w do
        let total = i64.sum marked
        let counts =
          if k > 0 && total % 3 == 0 then counts with [i % k] = total else counts
        let marked =
          if total % 2 == 0 then marked with [i] = 20
          else if w > 4 then map (+ 1) marked
          else marked with [w - 1 - i] = -i
        in (counts, marked)
    let sum = loop sum = 0 for j < k do sum + counts[j]
    in i64.sum (map2 (*) sorted (iota w)) + 1000 * i64.sum marked + 100000 * sum) ws ks
