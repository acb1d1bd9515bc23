entry main (x: int32): i32 = x
