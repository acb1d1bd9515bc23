def f (x: i32): i32 = let g [n] (y: i32) = y in g x
