def f (n: i64): [n]i64 = 0..1..<n
