def pairs [n] [m] (xs: [n]i32) (ys: [m]i32): [n + m]i32 = concat xs ys
