def f (x: i64): i64 =
  let factorial (n: i64): i64 = if n == 0 then 1 else n * factorial (n - 1)
  in factorial x
