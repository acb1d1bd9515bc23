entry main (xs: []i32): []i32 =
  let ys = copy xs
  in ys with [0] = 1
