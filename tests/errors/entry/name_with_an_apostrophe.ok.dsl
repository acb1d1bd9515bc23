def f' (x: i32) = x + 1
entry f (x: i32) = f' x
