def add (xs: *[]i64) (x: i64): *[]i64 = xs with [0] = xs[0] + x

def twice (n: i64) =
  let f = \x -> add (iota n) x
  in (f 1, f 2)
