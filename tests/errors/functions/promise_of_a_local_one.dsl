def f (x: i32) = let g 'a (y: a): a = x in g true
