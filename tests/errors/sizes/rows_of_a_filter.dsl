entry main [n] (xss: [n][3]i32): [n][]i32 = map (filter (> 0)) xss
