-- The arrays of a workgroup of a GPU must fit its memory. Otherwise the run ends with a limitation.

-- ==
-- entry: peaks
-- tags { no_cpu no_interp }
-- input { [0i64, 0] 100001i64 }
-- error: ^the arrays of this workgroup do not fit its shared memory \(100001 elements; at most \d+ fit\)
-- input { [0i64, 0] 1001i64 }
-- output { [502i32, 502] }
-- input { empty([0]i64) 100001i64 }
-- output { empty([0]i32) }
entry peaks [n] (starts: [n]i64) (m: i64): [n]i32 =
  #[flattening(block)] map (\start ->
    let steps = scan (+) 0 (map (\i -> if (start + i) % 2 == 0 then 2 else -1) (iota m))
    let highest = i32.maximum steps
    in highest + i32.sum (map (\s -> i32.bool (s > highest)) steps)) starts
