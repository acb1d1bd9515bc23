-- The length of an array as the value of a loop parameter that is also a size: it is the size in the array's type, even if
-- that is only known after evaluation.

-- ==
-- entry: main by_name in_branches other_array
-- input { [5, 1, 7, 3, 9] } output { 3i64 9 }
entry main (ys: []i32) =
  let (k, xs) =
    loop (k, xs: [k]i32) = (length ys, ys) while k > 3 do
      let zs = filter (> 2) (map (\x -> x - 1) xs)
      in (length zs, zs)
  in (k, xs[1] + i32.i64 (length xs))

entry by_name (ys: []i32) =
  let (k, xs) =
    loop (k, xs: [k]i32) = (length ys, ys) while k > 3 do
      let zs = filter (> 2) (map (\x -> x - 1) xs)
      let m = length zs
      in (m, zs)
  in (k, xs[1] + i32.i64 (length xs))

entry in_branches (ys: []i32) =
  let (k, xs) =
    loop (k, xs: [k]i32) = (length ys, ys) while k > 3 do
      if k > 100 then (k, xs)
      else let zs = filter (> 2) (map (\x -> x - 1) xs)
           in (length zs, zs)
  in (k, xs[1] + i32.i64 (length xs))

-- The other array has the same size.
entry other_array (ys: []i32) =
  let (k, xs) =
    loop (k, xs: [k]i32) = (length ys, ys) while k > 3 do
      let zs = filter (> 2) (map (\x -> x - 1) xs)
      in (length zs, map (+ 0) zs)
  in (k, xs[1] + i32.i64 (length xs))
