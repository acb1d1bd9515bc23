open m
module m = { def g (x: i32): i32 = x + 1 }
