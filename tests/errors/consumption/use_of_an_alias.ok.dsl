entry main (xs: *[]i32): i32 =
  let first = copy xs[0:2]
  let xs[0] = 1
  in first[0] + xs[0]
