def f (x: i32) = let g 'a (_y: a): i32 = x in g true
