entry main (xs: []i32): i32 =
  (foldl (\acc x -> acc with sum = acc.sum + x) {sum = 0, n = 0i32} xs).sum
