entry main (xs: [i32; 4]): i64 = length xs
