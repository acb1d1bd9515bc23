entry main (n: i64) (xs: [2.5]i32): i64 = n
