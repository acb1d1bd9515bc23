-- A size that is a negative constant: its check fails, in loops and nested maps too, and not the allocation, which
-- moves before the loop.
-- ==
-- entry: concatenated scanned in_a_while_loop
-- input { 5i64 2i64 }
-- error: Index \[:-1\] out of bounds for array of shape \[2\]
-- input { 5i64 -1i64 }
-- error: Range 0\.\.1\.\.<-1 is invalid
-- input { 0i64 2i64 }
-- output { 0i64 }

-- ==
-- entry: replicated flattened
-- input { 5i64 2i64 }
-- error: Range 0\.\.1\.\.<-3 is invalid
-- input { 0i64 2i64 }
-- output { 0i64 }

-- ==
-- entry: mapped captured
-- input { [1i64, 2i64] 2i64 }
-- error: Index \[:-1\] out of bounds for array of shape \[2\]

-- A size of at least zero succeeds.
-- ==
-- entry: within
-- input { 3i64 2i64 }
-- output { 14i64 }
entry concatenated (n: i64) (k: i64): i64 =
  loop s = 0 for i < n do
    s + (([7, 7] ++ (tabulate k (* 2))[:-1])[::-1])[i]

entry scanned (n: i64) (k: i64): i64 =
  loop s = 0 for i < n do
    s + (scan (+) 0 (tabulate k (+ s))[:-1])[i]

entry in_a_while_loop (n: i64) (k: i64): i64 =
  loop s = 0 while s < n do
    let ys = scan (+) 0 (tabulate k (+ s))[:-1]
    in s + ys[s]

entry replicated (n: i64) (_: i64): i64 =
  loop s = 0 for i < n do
    s + (scan (+) 0 (replicate (-3) i))[i]

entry flattened (n: i64) (k: i64): i64 =
  loop s = 0 for i < n do
    s + (scan (+) 0 (flatten (replicate (-3) (replicate k i))))[i]

entry mapped (xs: []i64) (k: i64): []i64 =
  map (\x -> loop s = 0 for i < 3 do s + (scan (+) 0 (tabulate k (+ x))[:-1])[i]) xs

entry captured (xs: []i64) (k: i64): []i64 =
  map (\x ->
      let ys = (tabulate k (+ x))[:-1]
      in ys[0] + i64.sum (map (\i -> i64.sum (scan (+) 0 (ys ++ [i]))) xs))
    xs

entry within (n: i64) (k: i64): i64 =
  loop s = 0 for i < n do
    s + (([7, 7] ++ (tabulate k (+ 0))[:1])[::-1])[i]
