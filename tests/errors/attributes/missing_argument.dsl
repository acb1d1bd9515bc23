entry main [n] [m] (xss: [n][m]i32): [n]i32 = #[flattening] map (reduce (+) 0) xss
