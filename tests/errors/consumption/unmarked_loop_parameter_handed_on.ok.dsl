def main (n: i64) =
  loop (xs: []i32, ys: *[]i32) = (replicate n 0, replicate n 0) for i < 10 do (ys, copy xs)
