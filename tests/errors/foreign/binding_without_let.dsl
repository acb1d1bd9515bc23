entry main (x: i32): i32 =
  y = x + 1
  in y
