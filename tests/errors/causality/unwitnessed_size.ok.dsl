def size_of [n] (_: [n]i64 -> i64): i64 = n
def f = size_of (\(xs: [1]i64) -> xs[0])
