def f (x: i32): i32 = let g [n] (y: [n]i32) = y[0] in g [x]
