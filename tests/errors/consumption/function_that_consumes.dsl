def set (xs: *[3]i32): [3]i32 = xs with [0] = 1

entry main [n] (xss: [n][3]i32): [n][3]i32 = map set xss
