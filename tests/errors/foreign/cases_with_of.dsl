entry main (x: i32): i32 = case x of 0 -> 1
