def f (b: bool) (xs: *[]i32) =
  let y = if b then (xs with [0] = 1)[1] else 2
  in xs[0] + y
