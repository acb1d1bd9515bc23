entry main [n] (xs: *[n]i32) (is: [n]i64): [n]i32 = scatter xs is xs
