def add (xs: *[]i64) (x: i64): *[]i64 = xs with [0] = xs[0] + x

def twice (n: i64) =
  let f = add (iota n)
  in (f 1, f 2)
