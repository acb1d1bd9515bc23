def update (xs: *[]i32) (i: i32) : *[]i32 = xs with [0] = i

def main (ys: *[]i32) =
  match update ys
  case f -> (f 1, f 2)
