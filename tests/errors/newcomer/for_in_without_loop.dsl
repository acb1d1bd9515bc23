entry main (xs: []i32): i32 =
  for x in xs do x
