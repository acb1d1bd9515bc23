entry main (xs: [4]i32): i64 = length xs
