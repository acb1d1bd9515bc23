entry main [n] (xs: [n]i32) (ys: [n]i32): bool = xs == ys
