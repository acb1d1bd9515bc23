def main (n: i64): (*[]i32, *[]i32) =
  loop (xs, ys) = (replicate n 0, replicate n 1) for i < 10 do (replicate n 3, replicate n 3)
