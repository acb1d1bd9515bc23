module m: { module k: { val f: (n: i64) -> [n]i32 -> i64 } } =
  { module k = { def f (n: i64) (xs: [n]i32): i64 = length xs + n } }
