def repeat (n: i32) (f: i32 -> i32) (x: i32): i32 =
  if n == 0 then x else (\(g: (i32 -> i32) -> i32 -> i32) -> g f (f x)) (repeat (n - 1))
