entry main (c: bool) (a: i32) (b: i32): i32 =
  if c then a else b
