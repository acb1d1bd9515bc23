def f '~a (step: a -> a) (end: a -> i32) (x: a) (n: i32): i32 =
  if n == 0 then end x else f step end (step x) (n - 1)
