entry main (xs: []i32): i32 =
  loop s = 0 for x in xs do s + x
