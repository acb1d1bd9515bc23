def size_of [n] (_: [n]i64 -> i64): i64 = n
def f (xs: []i64) = let g (ys: [2]i64) = i64.sum ys in size_of g
