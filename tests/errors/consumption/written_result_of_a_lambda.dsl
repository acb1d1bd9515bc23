def f (xs: []i32) =
  let g = \(ys: []i32): []i32 -> copy ys
  let zs = g xs
  in zs with [0] = 1
