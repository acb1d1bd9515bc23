def f (x: i32): i32 = x
entry main (x: i32): bool = f == f
