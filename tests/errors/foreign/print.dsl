entry main (x: i32): i32 = let _ = print x in x
