module m: { module k: { val f: (n: i64) -> [n]i64 } } = { module k = { def f [k] (_: i64): [k]i64 = iota k } }
