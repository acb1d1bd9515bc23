entry main [n] (ps: [n](i32, i32)): [n]i32 = map (\(x, y) -> x + y) ps
