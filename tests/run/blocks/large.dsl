-- On a CPU the arrays of a block may have any size.

-- ==
-- entry: peaks
-- tags { no_gpu no_model }
-- input { [0i64, 1] 100001i64 }
-- output { [50002i32, 50000] }
entry peaks [n] (starts: [n]i64) (m: i64): [n]i32 =
  #[flattening(block)] map (\start ->
    let steps = scan (+) 0 (map (\i -> if (start + i) % 2 == 0 then 2 else -1) (iota m))
    let highest = i32.maximum steps
    in highest + i32.sum (map (\s -> i32.bool (s > highest)) steps)) starts
