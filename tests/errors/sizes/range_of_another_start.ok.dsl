def f (m: i64) (n: i64): [n - m]i64 = m..<n
