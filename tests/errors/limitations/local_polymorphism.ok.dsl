entry main (x: i32): i32 = let id (y: i32) = y in id x
