entry main (x: i32): i32 =
  let x += 1
  in x
