-- The greatest number and where it stands.
def greatest [n] (xs: [n]i32): (i32, i64) =
  reduce (\(x, i) (y, j) -> if x >= y then (x, i) else (y, j)) (i32.lowest, -1) (zip xs (iota n))

entry main [n] (xs: [n]i32): i64 =
  let best = greatest xs
  in best.1
