def both 't (x: t): (t, t) = (x, x)

def main (n: i64): (*[]i32, *[]i32) =
  loop (xs, ys) = (replicate n 0, replicate n 1) for i < 10 do both (replicate n 3)
