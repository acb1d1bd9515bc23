entry main [n] [m] (xss: [n][m]i32): [n]i32 = #[flattening(block)] map (reduce (+) 0) xss
