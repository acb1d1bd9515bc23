def update (xs: *[]i32) (i: i32) (y: i32) = xs with [i] = y
def f (xs: *[]i32) =
  let g (ys: *[]i32) = update ys
  in g xs 0 0
