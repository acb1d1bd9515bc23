entry main (xs: []i64): []i32 =
  map (\i32 -> i32.i64 i32) xs
