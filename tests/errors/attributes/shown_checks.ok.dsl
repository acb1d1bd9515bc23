def at (xs: []i32) (i: i64): i32 = #[unsafe] xs[i]
entry main [n] (xs: []i32) (is: [n]i64): [n]i32 = #[warn(safety_checks)] map (at xs) is
