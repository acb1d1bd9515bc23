entry main (xs: []i64): []i32 =
  map (\x -> i32.i64 x) xs
