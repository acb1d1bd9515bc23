entry main (xs: []i32): i64 =
  xs.length
