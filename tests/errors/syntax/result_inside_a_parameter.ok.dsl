def next (x: i64): i64 = x + 1
def twice (n: i64) = let f = \(x: i64) (y: []i64): i64 -> x + y[0] in f n [n]
