entry main (x: i32): i32 =
  val y = x + 1
  in y
