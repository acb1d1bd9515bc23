entry main (x: i32): i32 =
  f x
def f (x: i32) | x > 0 = 1
