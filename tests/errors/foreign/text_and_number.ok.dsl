entry main (x: i32) = "a" ++ [u8.i32 x]
