entry main (xs: []i32): i32 =
  (foldl (\(acc: {sum: i32, n: i32}) x -> acc with sum = acc.sum + x) {sum = 0, n = 0} xs).sum
