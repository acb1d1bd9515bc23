def update (xs: *[]i32) (i: i32) (y: i32) = xs with [i] = y
def f (xs: *[]i32) =
  let g = update xs
  in (g 0 0, g 0 0)
