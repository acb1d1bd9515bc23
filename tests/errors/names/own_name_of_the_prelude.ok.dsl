def size [n] (xs: [n]i32): i32 = i32.i64 (length xs)
