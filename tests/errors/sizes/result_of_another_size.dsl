def pairs [n] [m] (xs: [n]i32) (ys: [m]i32): [n]i32 = concat xs ys
