def f (m: i64) (n: i64): [n]i64 = m..<n
