def repeat (n: i32) (f: i32 -> i32) (x: i32): i32 =
  if n == 0 then x else repeat (n - 1) f (f x)
