entry main [n] (m: i64) (xs: [n]i32): [m]i32 = xs : [m]i32
