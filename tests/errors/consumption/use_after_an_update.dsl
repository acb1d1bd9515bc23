entry main (xs: *[]i32): i32 =
  let ys = xs with [0] = 1
  in ys[0] + xs[0]
