entry main (x: i32): i32 =
  let y =
  in y * 2
