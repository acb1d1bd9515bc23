entry main [n] (xs: [n]i32): i32 = #[unroll] loop s = 0 for x in xs do s + x
