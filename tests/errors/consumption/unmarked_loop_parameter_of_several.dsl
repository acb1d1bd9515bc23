def main (n: i64) =
  loop (xs: [n]i32, k: i32) = (replicate n 0, 0) for i < n do (xs with [i] = k, k + 1)
