entry main (x: i32): i32 =
  let f (x: i32) = loop x while x >= 1 do x / 2
  in f x
