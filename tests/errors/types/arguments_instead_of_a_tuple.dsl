def f (p: (i32, bool)): i32 = p.0
entry main (x: i32): i32 = f x true
