def add (x: i32) (y: i32): i32 = x + y

entry main (x: i32): i32 = add(x, 1)
