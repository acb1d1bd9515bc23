def parts (x: i32): ?[n][m].([n]i32, [n + m]i32, [m]i32) =
  let (xs, ys) = (filter (> 0) [x], filter (> 1) [x, x])
  in (xs, xs ++ ys, ys)

entry main (x: i32) =
  let [a][b] (all: ([a]i32, [a + b]i32)) = let (xs, zs, _) = parts x in (xs, zs)
  in (a, b)
