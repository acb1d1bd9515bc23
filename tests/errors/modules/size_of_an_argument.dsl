module m: { module k: { val f: (n: i64) -> [n]i32 -> i64 } } =
  { module k = { def f [k] (n: i64) (_: [k]i32): i64 = k + n } }
