def grow [d] (_: [d]f64) (b: [d + 1]f64): [d + 1]f64 = b
def f [n] (a: [n]f64) (b: [n + 1]f64) = grow a b
