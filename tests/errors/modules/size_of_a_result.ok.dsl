module m: { module k: { val f: (n: i64) -> [n]i64 } } = { module k = { def f (n: i64): []i64 = iota n } }
