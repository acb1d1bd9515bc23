def f (xs: []i32): ?[k].([k]i32, [k + 1]i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs
  in (ys, replicate (k + 1) 0)
