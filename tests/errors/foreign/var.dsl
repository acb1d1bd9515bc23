entry main (x: i32): i32 =
  var y = x + 1
  in y
